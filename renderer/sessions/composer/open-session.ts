import { createStore } from 'zustand/vanilla';

/** A session's address. `new`: one that is not begun. */
function open(part: string): void {
  window.location.hash = `#/sessions/${encodeURIComponent(part)}`;
}

export const openSession = (id: string): void => open(id);

let writtenTo: string | null = null;

/** The same, with the focus in its field: the person was writing. */
export function openSessionToWrite(id: string): void {
  writtenTo = id;
  openSession(id);
}

/** Whether the field of a session is to have the focus, once. */
export function takesFocus(id: string): boolean {
  if (writtenTo !== id) return false;
  writtenTo = null;
  return true;
}

/** The folder that a new session was asked for in; null: none was, or it is being shown. */
export const wantedFolder = createStore<{ folder: string | null }>(() => ({ folder: null }));

/** Goes to a new session in a folder; null: in the one that is usual. */
export function openNewSession(folder: string | null): void {
  wantedFolder.setState({ folder });
  open('new');
}
