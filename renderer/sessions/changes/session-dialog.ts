import { createStore } from 'zustand/vanilla';
import type { CallResult } from '../../../app/api/calls.ts';

export type Rewind = CallResult<'goBack'>;

/** What is asked over the sessions before something is done that a person may regret. */
export type SessionDialog =
  | {
      kind: 'go-back';
      session: string;
      turn: string;
      /** When the prompt was sent; null if unknown. */
      at: number | null;
      /** The text of the prompt belongs into the message field now. */
      done: (back: Rewind) => void;
    }
  | { kind: 'undo'; session: string; turn: string | null }
  /** `label`: what is done to the file, as its button says it. */
  | { kind: 'outside'; session: string; path: string; label: string; deletes: boolean; run: () => void }
  | { kind: 'unload'; session: string }
  /** `agent`: as people call it. */
  | { kind: 'in-force'; session: string; agent: string }
  | { kind: 'customizations'; session: string }
  | { kind: 'delete'; session: string; title: string; isRunning: boolean; done: () => void };

/** The one dialog that is open; null if none is. `SessionDialogs` shows it. */
export const sessionDialog = createStore<{ open: SessionDialog | null }>(() => ({ open: null }));

function ask(open: SessionDialog): void {
  sessionDialog.setState({ open });
}

export function askGoBack(about: Omit<Extract<SessionDialog, { kind: 'go-back' }>, 'kind'>): void {
  ask({ kind: 'go-back', ...about });
}

/** `turn` null for the whole session. */
export function askUndoTurn(about: { session: string; turn: string | null }): void {
  ask({ kind: 'undo', ...about });
}

/** A file that lies in none of the session's folders is written only after this question. */
export function askOutside(about: Omit<Extract<SessionDialog, { kind: 'outside' }>, 'kind'>): void {
  ask({ kind: 'outside', ...about });
}

/** Asked only if a turn runs; otherwise the caller unloads it at once. */
export function askUnload(session: string): void {
  ask({ kind: 'unload', session });
}

export function showInForce(about: { session: string; agent: string }): void {
  ask({ kind: 'in-force', ...about });
}

export function showCustomizations(session: string): void {
  ask({ kind: 'customizations', session });
}

/** Sessions that the person deletes: that their questions end with it needs no words. */
export const beingDeleted = new Set<string>();

export function askDelete(about: Omit<Extract<SessionDialog, { kind: 'delete' }>, 'kind'>): void {
  ask({ kind: 'delete', ...about });
}
