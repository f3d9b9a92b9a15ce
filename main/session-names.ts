import { posix, win32 } from 'node:path';
import type { Session } from '../app/api/sessions.ts';
import { shortened } from '../app/words/shortened.ts';

/** Longer ones make a menu too wide. */
const mostOfFolder = 40;
const mostOfTitle = 60;

/**
 * What a session is called where others may look on: by its folder's name, and by its title only where the person wants
 * that.
 */
export function sessionName({ cwd, title }: Pick<Session, 'cwd' | 'title'>, withTitle: boolean): string {
  const folder = folderName(cwd);
  const named = withTitle && title !== null ? shortened(plain(title), mostOfTitle) : '';
  return named === '' ? folder : `${folder} · ${named}`;
}

/** `parcel-api asks to run a command`; behind a title with a dot between. */
export function nameAnd(session: Pick<Session, 'cwd' | 'title'>, withTitle: boolean, words: string): string {
  const name = sessionName(session, withTitle);
  return name === sessionName(session, false) ? `${name} ${words}` : `${name} · ${words}`;
}

function folderName(cwd: string): string {
  const name = cwd.includes('\\') ? win32.basename(cwd) : posix.basename(cwd);
  return shortened(plain(name), mostOfFolder) || 'Session';
}

/** One line; nothing in it turns what follows around or hides it. */
function plain(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
