/** Whether a path lies in one of a session's folders, by its words alone; links are the host's matter. */
export function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => below(folder, path) !== null);
}

/** As it is shown: from the session's folder on where it lies in it, else whole. */
export function shownPath(path: string, cwd: string): string {
  return below(cwd, path) ?? path;
}

function below(folder: string, path: string): string | null {
  const [outer, inner] = [piecesOf(folder), piecesOf(isAbsolute(path) ? path : `${folder}/${path}`)];
  const isWithin = inner.length > outer.length && outer.every((piece, at) => piece === inner[at]);
  return isWithin ? inner.slice(outer.length).join('/') : null;
}

function isAbsolute(path: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(path);
}

function piecesOf(path: string): string[] {
  const pieces: string[] = [];
  for (const piece of path.split(/[/\\]/)) {
    if (piece === '..') pieces.pop();
    else if (piece !== '' && piece !== '.') pieces.push(piece);
  }
  return pieces;
}
