import { posix, win32 } from 'node:path';
import type { Session } from '../app/api/sessions.ts';
import { oneLine } from '../app/words/one-line.ts';

/** Longer ones make a menu too wide. */
const mostOfFolder = 40;
const mostOfTitle = 60;

/**
 * What a session is called where others may look on: by its folder's name, and by its title only where the person wants
 * that.
 */
export function sessionName({ cwd, title }: Pick<Session, 'cwd' | 'title'>, withTitle: boolean): string {
  const folder = folderName(cwd);
  const named = withTitle && title !== null ? oneLine(title, mostOfTitle) : '';
  return named === '' ? folder : `${folder} · ${named}`;
}

/** `parcel-api asks to run a command`; behind a title with a dot between. */
export function nameAnd(session: Pick<Session, 'cwd' | 'title'>, withTitle: boolean, words: string): string {
  const name = sessionName(session, withTitle);
  return name === sessionName(session, false) ? `${name} ${words}` : `${name} · ${words}`;
}

function folderName(cwd: string): string {
  const name = cwd.includes('\\') ? win32.basename(cwd) : posix.basename(cwd);
  return oneLine(name, mostOfFolder) || 'Session';
}
