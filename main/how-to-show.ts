import { extname } from 'node:path';
import type { PathInSession } from '../app/api/session-surroundings.ts';

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
