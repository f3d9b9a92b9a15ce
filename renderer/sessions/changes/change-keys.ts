import type { KeyboardEvent } from 'react';

export interface ChangeKeyActions {
  /** Null: nothing is to be accepted. */
  accept: (() => void) | null;
  undo: (() => void) | null;
}

/** ↑ ↓ go from file to file, `n` and `N` from place to place; `a` accepts, `z` undoes. */
export function changeKeys(event: KeyboardEvent, list: HTMLElement, { accept, undo }: ChangeKeyActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
  const { key, target } = event;
  // What scrolls by itself keeps its arrows.
  const isScrolled = target.closest('.patch') !== null;
  if ((key === 'ArrowDown' || key === 'ArrowUp') && !isScrolled) {
    const files = [...list.querySelectorAll<HTMLElement>('.change-open')];
    const now = files.findIndex((one) => one.closest('.change-item')?.contains(target));
    files[now + (key === 'ArrowDown' ? 1 : -1)]?.focus();
  } else if (key === 'n' || key === 'N') {
    goToPlace(list, target, key === 'n' ? 1 : -1);
  } else if (key === 'a' && accept !== null) accept();
  else if (key === 'z' && undo !== null) undo();
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
