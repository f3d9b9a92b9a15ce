import type { App } from '../app/api/app.ts';
import type { CallArguments } from '../app/api/calls.ts';
import type { FileOpeners } from './file-openers.ts';
import { howToShow } from './how-to-show.ts';
import { openKnownFile } from './open-known-file.ts';
import { outsideQuestion, type Question } from './questions.ts';

export interface ShowDependencies {
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
