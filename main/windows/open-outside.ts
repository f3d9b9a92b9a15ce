import { extname } from 'node:path';
import type { App } from '../../app/api/app.ts';
import type { CallArguments } from '../../app/api/calls.ts';
import type { PathInSession } from '../../app/api/session-surroundings.ts';
import { t } from '../../app/language/translate.ts';
import { mayOpenConfirmed, notOpened } from '../../app/words/opening.ts';
import { outsideQuestion, type Question } from '../questions.ts';
import type { FileOpeners } from './file-openers.ts';

/** What the window has opened outside of it: files of a session, files that are known, and addresses. */

interface ShowDependencies {
  app: Pick<App, 'pathInSession' | 'preferences'>;
  openers: Pick<FileOpeners, 'open'>;
  platform: string;
  ask: (question: Question) => Promise<boolean>;
  /** Shows a file in its folder. */
  revealPath: (path: string) => void;
  /** Shows a file with the system's own program. Why not, in the system's words; empty where it did. */
  openPath: (path: string) => Promise<string>;
}

/**
 * Shows a file or folder that a session names. What lies outside of its folder is asked about first. An editor that the
 * person chose gets every file, as text; the system's own programs only what the system would not run.
 */
export async function showInSession(
  { session, path, line }: CallArguments<'showInSession'>[0],
  { app, openers, platform, ask, revealPath, openPath }: ShowDependencies,
): Promise<void> {
  const found = await app.pathInSession(session, path ?? '.');
  if (found.isOutside && !(await ask(outsideQuestion(found.path)))) return;
  const opener = app.preferences().sessions.openFilesWith;
  if (opener !== 'system' && !found.isFolder) return openers.open(opener, found.path, line);
  if (howToShow(found, platform) === 'reveal') revealPath(found.path);
  else await openKnownFile(found.path, openPath);
}

/**
 * Names of files that every system only shows, as text or a picture. Systems also run or install files by name, and
 * look into those whose name they don't know, so that a list of what is dangerous would never be complete.
 */
const isOnlyShown: ReadonlySet<string> = new Set([
  ...['.txt', '.md', '.markdown', '.log', '.csv', '.tsv', '.json', '.yaml', '.yml', '.toml', '.diff', '.patch'],
  ...['.css', '.scss', '.less', '.sql', '.c', '.h', '.cc', '.cpp', '.hpp', '.cs', '.go', '.rs', '.java', '.kt'],
  ...['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.pdf'],
]);

/**
 * Nothing of a session is ever run by looking at it: what may be run is shown in its folder. Where a system may take a
 * folder for a program (macOS) or a part of itself (Windows), the folder's name ends like a file's.
 */
export function howToShow(
  { path, isFolder, isExecutable }: Omit<PathInSession, 'isOutside'>,
  platform: string,
): 'open' | 'reveal' {
  const kind = extname(path).toLowerCase();
  if (isFolder) return kind === '' || platform === 'linux' ? 'open' : 'reveal';
  return isOnlyShown.has(kind) && !isExecutable ? 'open' : 'reveal';
}

/** A file that a person wanted to see isn't shown. */
class NotShownError extends Error {
  override readonly name = 'NotShownError';
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Shows a file with the system's own program.
 * @param path null: what was found is not there any more
 * @param openPath answers in the system's words why not, and nothing where it did
 */
export async function openKnownFile(path: string | null, openPath: (path: string) => Promise<string>): Promise<void> {
  if (path === null) throw new NotShownError(t('There is nothing to show any more.'), t('Check again.'));
  const why = await openPath(path);
  if (why !== '')
    throw new NotShownError(t('{path} couldn’t be opened: {why}.', { path, why }), t('Open it with an editor.'));
}

/** An address from a person is not opened. The message doesn't contain it, because messages are logged. */
class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  readonly remedy = notOpened.remedy;
}

/** Opens what a person confirmed, and exactly that, with the system's own program for it. */
export async function openAddress(address: string, open: (address: string) => Promise<void>): Promise<void> {
  if (!mayOpenConfirmed(address)) throw new NotOpenedError(notOpened.text);
  try {
    await open(address);
  } catch {
    throw new NotOpenedError(t('The system has no program that opens this address.'));
  }
}
