import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo } from 'react';
import { createStore } from 'zustand/vanilla';
import { t } from '../../../app/language/translate.ts';
import { isNowhere } from '../../parts/focus.ts';
import { isOverlaid } from '../../parts/shortcuts.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';

/** A session's address. `new`: one that is not begun. */
function open(part: string): void {
  window.location.hash = `#/sessions/${encodeURIComponent(part)}`;
}

export const openSession = (id: string): void => open(id);

let writtenTo: string | null = null;

/** The same, with the focus in its field: the person was writing. */
export function openSessionToWrite(id: string): void {
  const { hash } = window.location;
  openSession(id);
  if (window.location.hash === hash) toComposer();
  else writtenTo = id;
}

/** Whether the field of a session is to have the focus, once. */
export function takesFocus(id: string): boolean {
  if (writtenTo !== id) return false;
  writtenTo = null;
  return true;
}

interface ChosenFolder {
  /** Null if none was. It stays chosen while a person is elsewhere. */
  folder: string | null;
  /** How often one was chosen: the message field has the keyboard after each. */
  times: number;
}

/** The folder that was chosen for a new session. */
export const chosenFolder = createStore<ChosenFolder>(() => ({ folder: null, times: 0 }));

export function chooseFolder(folder: string | null): void {
  chosenFolder.setState(({ times }) => ({ folder, times: times + 1 }));
}

/** Goes to a new session in a folder; null: in the one that is usual. */
export function openNewSession(folder: string | null): void {
  chooseFolder(folder);
  open('new');
}

/**
 * Gives the keyboard to the message field. Where there is none, nothing has the keyboard: no digit answers then either.
 */
export function toComposer(): void {
  const field = composerField();
  if (field !== null) field.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Esc closes a pane beside the session, if nothing in it or over it has that key. */
export function closesByEscape(event: KeyboardEvent, close: () => void): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || isOverlaid()) return;
  event.preventDefault();
  close();
}

/** A pane that is closed with the focus in it gives it to the message field, unless another part has it by then. */
export function useFocusBack(pane: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const now = pane.current;
    return () => {
      // A field that it covered is there only after this.
      if (now?.contains(document.activeElement) !== true) return;
      queueMicrotask(() => {
        if (isNowhere(document.activeElement)) toComposer();
      });
    };
  }, [pane]);
}

/** The message field of what is shown; null if there is none. */
export function composerField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('textarea[data-testid="composer"]');
}

interface Forking {
  /** Forks with all up to a turn. */
  from: (session: string, turn: string) => Promise<void>;
  /** Forks with everything. */
  fromEnd: (session: string) => Promise<void>;
}

/** Copies a session and goes to the copy. Nothing starts. */
export function useFork(): Forking {
  const { store } = useServices();
  const actions = useSessionActions();
  return useMemo(() => {
    const from = async (session: string, turn: string): Promise<void> => {
      const made = await actions.fork(session, turn);
      if (made !== null) openSession(made.id);
    };
    return {
      from,
      fromEnd: async (session) => {
        const made = await actions.forkEnd(session);
        if (made === 'no-answer') toast(store, t('There is no answer to fork from yet.'), { kind: 'info' });
        else if (made !== null) openSession(made.id);
      },
    };
  }, [store, actions]);
}
