import type { ListedSession } from '../../../app/api/session-list.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { folderName, hasNext, sessionTitle } from '../../../app/words/sessions.ts';
import { day } from '../../../app/words/times.ts';

/** A session as the list shows it, begun here or by another program. */
export interface ListRow {
  id: string;
  title: string;
  /** Null if unknown. */
  folder: string | null;
  /** When a person last sent something to it, or it was written to elsewhere; ms since the epoch. 0: not known. */
  at: number;
  isPinned: boolean;
  /** Null if Jumpseat does not hold it. */
  held: Session | null;
  listed: ListedSession | null;
}

/** Nothing was sent in it yet, so that it is no session to a person. */
const isBegun = ({ state }: Session): boolean => state !== 'provisional';

/** The list may have been read before it was renamed here. */
export function titleOf(id: string, held: Pick<Session, 'title'> | null, listed: ListedSession | null): string {
  const title = held?.title ?? listed?.title ?? null;
  return sessionTitle({ agentTitle: null, firstPrompt: null, ...listed, id, title });
}

/** Every session once, unsorted. `withElsewhere`: also those that Jumpseat never ran. */
export function listRows(
  held: ReadonlyMap<string, Session>,
  listed: ReadonlyMap<string, ListedSession> | null,
  withElsewhere = true,
): ListRow[] {
  const ids = new Set([...(listed?.keys() ?? []), ...held.keys()]);
  return [...ids].flatMap((id) => {
    const own = held.get(id) ?? null;
    const found = listed?.get(id) ?? null;
    if (found === null && (own === null || !isBegun(own))) return [];
    if (!withElsewhere && found?.hosted === false && (own === null || own.sentAt === null)) return [];
    return [
      {
        ...{ id, title: titleOf(id, own, found), folder: own?.cwd ?? found?.cwd ?? null },
        at: own?.sentAt ?? found?.sentAt ?? found?.updatedAt ?? own?.createdAt ?? found?.createdAt ?? 0,
        ...{ isPinned: own?.pinned ?? found?.pinned ?? false, held: own, listed: found },
      },
    ];
  });
}

/**
 * Keeps rows where they are: a session that is written to elsewhere keeps the time that it was first seen with, and
 * moves up only where the person sends something to it here.
 */
export class SteadyOrder {
  readonly #times = new Map<string, { at: number; sentAt: number }>();

  sort(rows: readonly ListRow[]): ListRow[] {
    const timeOf = (row: ListRow): number => {
      const sentAt = row.held?.sentAt ?? row.listed?.sentAt ?? 0;
      const known = this.#times.get(row.id);
      if (known !== undefined && known.sentAt >= sentAt) return known.at;
      this.#times.set(row.id, { at: row.at, sentAt });
      return row.at;
    };
    const times = new Map(rows.map((row) => [row.id, timeOf(row)]));
    return rows.toSorted((one, other) => (times.get(other.id) ?? 0) - (times.get(one.id) ?? 0));
  }
}

export type Show = 'all' | 'running' | 'waiting';

const working: ReadonlySet<Session['state']> = new Set(['starting', 'in-line', 'running', 'stopping']);

/** The agent of a row. */
export function agentOf({ held, listed }: Pick<ListRow, 'held' | 'listed'>): Session['agent'] {
  return held?.agent ?? (listed?.agent === 'codex' ? 'codex' : 'claude');
}

export function isRunning({ held }: Pick<ListRow, 'held'>): boolean {
  return held !== null && (working.has(held.state) || held.tasks.length > 0 || hasNext(held));
}

export function isWaiting({ held }: Pick<ListRow, 'held'>): boolean {
  return held?.state === 'waiting';
}

/** The same, here or in a terminal, which alone can be answered there. */
export function waitsForPerson({ held, listed }: Pick<ListRow, 'held' | 'listed'>): boolean {
  return isWaiting({ held }) || listed?.openIn?.state === 'waits';
}

/** Its last turn ended after the person last saw it. */
export function isUnseen({ held, listed }: Pick<ListRow, 'held' | 'listed'>): boolean {
  const endedAt = held?.endedAt ?? listed?.endedAt ?? null;
  return endedAt !== null && (held?.seenAt ?? listed?.seenAt ?? 0) < endedAt;
}

export function shownRows(rows: readonly ListRow[], show: Show): ListRow[] {
  if (show === 'running') return rows.filter(isRunning);
  return show === 'waiting' ? rows.filter(waitsForPerson) : [...rows];
}

/** Rows whose title, folder or id has every word. */
export function foundRows(rows: readonly ListRow[], words: string): ListRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ title, folder, id }) => {
    const text = `${title}\n${folder ?? ''}\n${id}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** An entry of the list. */
export type Entry =
  | {
      kind: 'group';
      key: string;
      name: string;
      /** Where a session of this group would begin; null if the group is no folder. */
      folder: string | null;
      count: number | null;
      /** How many were searched; null if this is no count of matches. */
      of: number | null;
      /** Its folder no longer exists. */
      isGone: boolean;
      isOpen: boolean;
    }
  | { kind: 'row'; key: string; row: ListRow }
  | { kind: 'older'; key: string; group: string; count: number };

export type GroupBy = 'folder' | 'day';

/** Sessions shown per folder if the list has too many; more where the folders are few. */
const newest = 5;
const room = 12;
export const pinnedKey = 'pinned';

interface Grouping {
  by: GroupBy;
  /** Groups that the person closed. */
  closed: ReadonlySet<string>;
  /** How many more of a group the person asked for. */
  more: ReadonlyMap<string, number>;
  /** Sessions that are open, or were since the list came: they stay in it. */
  opened: ReadonlySet<string>;
  now: number;
}

/** @param rows the newest first */
export function entriesOf(rows: readonly ListRow[], grouping: Grouping): Entry[] {
  const pinned = rows.filter(({ isPinned }) => isPinned);
  const others = rows.filter(({ isPinned }) => !isPinned);
  const isWhole = rows.length <= room || grouping.by === 'day';
  const groups = new Map<string, { name: string; folder: string | null; rows: ListRow[] }>();
  for (const row of others) {
    const group = groupOf(row, grouping);
    const known = groups.get(group.key);
    if (known === undefined) groups.set(group.key, { name: group.name, folder: group.folder, rows: [row] });
    else known.rows.push(row);
  }
  const share = Math.max(newest, Math.floor(room / groups.size));
  return [
    ...(pinned.length === 0
      ? []
      : inGroup(pinnedKey, { name: t('Pinned'), folder: null, rows: pinned }, grouping, pinned.length)),
    ...[...groups].flatMap(([key, group]) => inGroup(key, group, grouping, isWhole ? rows.length : share)),
  ];
}

function inGroup(
  key: string,
  { name, folder, rows }: { name: string; folder: string | null; rows: readonly ListRow[] },
  { closed, more, opened }: Grouping,
  share: number,
): Entry[] {
  const isOpen = !closed.has(key);
  const count = key === pinnedKey ? null : rows.length;
  const isGone = folder !== null && rows.some(({ listed }) => listed?.isFolderGone === true);
  const head: Entry = { kind: 'group', key: `group ${key}`, name, folder, count, of: null, isGone, isOpen };
  if (!isOpen) return [head];
  const most = share + (more.get(key) ?? 0);
  const shown = rows.filter(
    (row, index) =>
      index < most ||
      opened.has(row.id) ||
      isRunning(row) ||
      waitsForPerson(row) ||
      isUnseen(row) ||
      isOpenElsewhere(row),
  );
  const left = rows.length - shown.length;
  return [
    head,
    ...shown.map((row): Entry => ({ kind: 'row', key: row.id, row })),
    ...(left === 0 ? [] : [{ kind: 'older' as const, key: `older ${key}`, group: key, count: left }]),
  ];
}

/** In a terminal, say: a program runs it. */
function isOpenElsewhere({ listed }: ListRow): boolean {
  return listed !== null && listed.openIn !== null;
}

/** Key of the group that a row belongs to. */
export function groupKeyOf(row: ListRow, grouping: Pick<Grouping, 'by' | 'now'>): string {
  return row.isPinned ? pinnedKey : groupOf(row, grouping).key;
}

function groupOf({ folder, at }: ListRow, { by, now }: Pick<Grouping, 'by' | 'now'>) {
  return by === 'folder' ? folderGroup(folder) : dayGroup(at, now);
}

function folderGroup(folder: string | null): { key: string; name: string; folder: string | null } {
  return { key: `folder ${folder ?? ''}`, name: folderName(folder), folder };
}

const dayMs = 24 * 60 * 60_000;
const dayNames = [msg('Today'), msg('Yesterday'), msg('Earlier')] as const;

function dayGroup(at: number, now: number): { key: string; name: string; folder: null } {
  const name = day(at) === day(now) ? dayNames[0] : day(at) === day(now - dayMs) ? dayNames[1] : dayNames[2];
  return { key: `day ${name}`, name: translated(name), folder: null };
}
