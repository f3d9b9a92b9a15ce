import { oneLine } from '../../app/words/text.ts';

/** Paths of this machine, of either system, in the window. */

/** Whether a path begins at the root of a disk. */
function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

export function absolute(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder.replace(/[\\/]+$/, '')}/${path}`;
}

/** Relative to the folder if it is inside. */
export function within(folder: string, path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const base = `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return slashed.startsWith(base) && slashed !== base ? slashed.slice(base.length) : path;
}

/** Outside of all these folders: Claude asks before it reads it. */
export function isOutside(path: string, directories: readonly string[]): boolean {
  return isAbsolute(path) && directories.every((folder) => within(folder, path) === path && folder !== path);
}

/** The last part: `parcel-api`. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** Its parent folder: `~/code`. */
export function parentOf(path: string): string {
  const cut = Math.max(path.replace(/[\\/]+$/, '').lastIndexOf('/'), path.lastIndexOf('\\'));
  return cut <= 0 ? path.slice(0, 1) : path.slice(0, cut);
}

/** `~/code/parcel-api`: a folder below one where people's folders lie. */
export function fromHome(path: string): string {
  return path.replace(/^(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^\\/]+(?=[\\/]|$)/, '~');
}

/** The same as a name in a line of ours. */
export function shortFolder(path: string): string {
  return oneLine(fromHome(path), 400);
}

/** True if a path is in one of a session's folders, by its text alone; the host checks links. */
export function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => below(folder, path) !== null);
}

/** Path to show: relative to the session's folder if it is inside, otherwise whole. */
export function shownPath(path: string, cwd: string): string {
  return below(cwd, path) ?? path;
}

function below(folder: string, path: string): string | null {
  const [outer, inner] = [piecesOf(folder), piecesOf(isAbsolute(path) ? path : `${folder}/${path}`)];
  const isWithin = inner.length > outer.length && outer.every((piece, at) => piece === inner[at]);
  return isWithin ? inner.slice(outer.length).join('/') : null;
}

function piecesOf(path: string): string[] {
  const pieces: string[] = [];
  for (const piece of path.split(/[/\\]/)) {
    if (piece === '..') pieces.pop();
    else if (piece !== '' && piece !== '.') pieces.push(piece);
  }
  return pieces;
}

/** A folder itself, or what is in it. */
export function isIn(path: string, folder: string): boolean {
  return (
    path === folder || ['/', '\\'].some((slash) => path.startsWith(folder.endsWith(slash) ? folder : folder + slash))
  );
}
