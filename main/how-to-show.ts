import { extname } from 'node:path';
import type { PathInSession } from '../app/api/session-surroundings.ts';

/** Names of files that Windows, or a program that it hands them to, may run: scripts among them. */
const openedOnWindows: ReadonlySet<string> = new Set([
  ...['.txt', '.md', '.markdown', '.log', '.csv', '.tsv', '.json', '.jsonc', '.yaml', '.yml', '.toml', '.ini', '.xml'],
  ...[
    '.css',
    '.scss',
    '.less',
    '.sql',
    '.c',
    '.h',
    '.cc',
    '.cpp',
    '.hpp',
    '.cs',
    '.go',
    '.rs',
    '.java',
    '.kt',
    '.swift',
  ],
  ...['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.pdf'],
]);
/** What other systems run, install, or show with scripts in it, by its name alone. */
const notOpenedElsewhere: ReadonlySet<string> = new Set([
  ...['.desktop', '.jar', '.appimage', '.exe', '.msi', '.deb', '.rpm', '.flatpakref', '.run', '.html', '.htm', '.svg'],
  ...['.command', '.tool', '.terminal', '.app', '.pkg', '.dmg', '.workflow', '.scpt', '.applescript', '.action'],
  ...['.webloc', '.inetloc', '.fileloc', '.lnk', '.url', '.py', '.pyw', '.pyc'],
]);

/** Nothing of a session is ever run by looking at it: what may be run is shown in its folder. */
export function howToShow(
  { path, isFolder, isExecutable }: Omit<PathInSession, 'isOutside'>,
  platform: string,
): 'open' | 'reveal' {
  const kind = extname(path).toLowerCase();
  // A folder with such a name is a program on macOS.
  if (isFolder) return notOpenedElsewhere.has(kind) ? 'reveal' : 'open';
  if (platform === 'win32') return openedOnWindows.has(kind) ? 'open' : 'reveal';
  return isExecutable || notOpenedElsewhere.has(kind) ? 'reveal' : 'open';
}
