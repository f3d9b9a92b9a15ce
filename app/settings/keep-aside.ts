import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * Renames a file that cannot be used, so that its owner can still look into it: `history.db` with the label
 * `damaged-2026-11-20` becomes `history.damaged-2026-11-20.db`. Nothing is ever overwritten: a second one on the same
 * day gets `-2`. `siblings` are endings of files that belong to it (`-wal`) and go along where they exist.
 * Returns the new path; throws what `renameSync` throws when the file itself cannot be renamed.
 */
export function keepAside(path: string, label: string, siblings: readonly string[] = []): string {
  const kept = nameAside(path, label, siblings);
  renameSync(path, kept);
  for (const sibling of siblings) if (existsSync(path + sibling)) renameSync(path + sibling, kept + sibling);
  return kept;
}

/** The path that it would have then. */
export function nameAside(path: string, label: string, siblings: readonly string[] = []): string {
  const ending = extname(path);
  const stem = join(dirname(path), basename(path, ending));
  const free = (candidate: string) => !['', ...siblings].some((sibling) => existsSync(candidate + sibling));
  let kept = `${stem}.${label}${ending}`;
  for (let count = 2; !free(kept); count++) kept = `${stem}.${label}-${count}${ending}`;
  return kept;
}

/** The local day in file names: `2026-11-20`. */
export function dayStamp(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
