/** A session's address. `new`: one that is not begun. */
function open(part: string): void {
  window.location.hash = `#/sessions/${encodeURIComponent(part)}`;
}

export const openSession = (id: string): void => open(id);

let wanted: string | null = null;

/** Goes to a new session in a folder; null: in the one that is usual. */
export function openNewSession(folder: string | null): void {
  wanted = folder;
  open('new');
}

/** The folder that was asked for with `openNewSession`, once. */
export function takeWantedFolder(): string | null {
  const folder = wanted;
  wanted = null;
  return folder;
}
