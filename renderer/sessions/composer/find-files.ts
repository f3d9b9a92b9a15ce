import { go } from 'fuzzysort';
import { readPath } from './mentions.ts';

const mostShown = 12;

/** Folders that hold the files, each with a `/` at its end, and the files. */
export function pathsOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders, ...files];
}

/**
 * Files and folders for what was typed after `@`, the best first; lines that were typed go along. Nothing typed: what
 * lies at the top.
 */
export function findPaths(paths: readonly string[], query: string): string[] {
  const { path, lines } = readPath(query.replaceAll('\\', '/'));
  if (path === '') return paths.filter(isAtTop).slice(0, mostShown);
  const within = path.endsWith('/')
    ? paths.filter((one) => one.startsWith(path) && one !== path).filter(isBelow(path))
    : [];
  const found =
    within.length > 0 ? within : go(path, paths, { limit: mostShown, threshold: 0.2 }).map(({ target }) => target);
  const typed = lines === null ? '' : query.slice(path.length);
  return found.slice(0, mostShown).map((one) => (one.endsWith('/') ? one : `${one}${typed}`));
}

function isAtTop(path: string): boolean {
  const slash = path.indexOf('/');
  return slash === -1 || slash === path.length - 1;
}

function isBelow(folder: string): (path: string) => boolean {
  return (path) => isAtTop(path.slice(folder.length));
}
