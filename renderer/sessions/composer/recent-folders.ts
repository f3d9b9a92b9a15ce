import type { ListedSession } from '../../../app/api/session-list.ts';

export interface RecentFolder {
  path: string;
  sessions: number;
  /** When something was last said in it, ms since the epoch. */
  last: number;
}

const mostShown = 8;

/**
 * Folders that sessions ran in and that are there, the newest first.
 * @param gone those that are known to be gone beside the list
 */
export function recentFolders(
  sessions: Iterable<ListedSession>,
  gone: ReadonlySet<string> = new Set(),
): RecentFolder[] {
  const folders = new Map<string, RecentFolder>();
  for (const { cwd, isFolderGone, sentAt, updatedAt, createdAt } of sessions) {
    if (cwd === null || isFolderGone || gone.has(cwd)) continue;
    const known = folders.get(cwd) ?? { path: cwd, sessions: 0, last: 0 };
    const last = Math.max(known.last, sentAt ?? updatedAt ?? createdAt ?? 0);
    folders.set(cwd, { path: cwd, sessions: known.sessions + 1, last });
  }
  return [...folders.values()].toSorted((one, other) => other.last - one.last).slice(0, mostShown);
}
