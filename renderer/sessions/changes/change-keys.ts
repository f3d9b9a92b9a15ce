import type { KeyboardEvent } from 'react';
import { keyOf, sessionKeys } from '../session-keys.ts';

export interface ChangeKeyActions {
  /** Null: nothing is to be accepted. */
  accept: (() => void) | null;
  undo: (() => void) | null;
}

/** What keys do in the list of changed files. */
export function changeKeys(
  event: KeyboardEvent,
  list: HTMLElement,
  letterKeys: boolean,
  { accept, undo }: ChangeKeyActions,
): void {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  const name = keyOf(event, sessionKeys.changes, letterKeys);
  // What scrolls by itself keeps its arrows.
  const isScrolled = target.closest('.patch') !== null;
  if ((name === 'down' || name === 'up') && !isScrolled) {
    const files = [...list.querySelectorAll<HTMLElement>('.change-open')];
    const now = files.findIndex((one) => one.closest('.change-item')?.contains(target));
    files[now + (name === 'down' ? 1 : -1)]?.focus();
  } else if (name === 'nextPlace' || name === 'placeBefore') {
    goToPlace(list, target, name === 'nextPlace' ? 1 : -1);
  } else if (name === 'accept' && accept !== null) accept();
  else if (name === 'undo' && undo !== null) undo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The next place of a difference that is open: its `Undo` gets the focus, where it has one. */
function goToPlace(list: HTMLElement, from: HTMLElement, step: 1 | -1): void {
  const places = [...list.querySelectorAll<HTMLElement>('.patch .patch-gap')];
  const isBehind = (place: HTMLElement): boolean => {
    const order = from.compareDocumentPosition(place);
    return (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !place.contains(from);
  };
  const isAhead = (place: HTMLElement): boolean => !isBehind(place) && !place.contains(from);
  const next = step === 1 ? places.find(isBehind) : places.findLast(isAhead);
  next?.scrollIntoView({ block: 'nearest' });
  next?.querySelector('button')?.focus({ preventScroll: true });
}
