import { useEffect, useMemo, useState } from 'react';
import type { FoundSessions } from '../../../app/api/session-list.ts';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { useMinute } from '../../parts/now.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { useSessions } from '../state/hooks.ts';
import {
  type Entry,
  entriesOf,
  foundRows,
  type GroupBy,
  groupKeyOf,
  type ListRow,
  listRows,
  type Show,
  SteadyOrder,
  shownRows,
} from './list-rows.ts';

const olderAtOnce = 20;
const noPlaces: ReadonlyMap<string, Place> = new Map();

export interface EntriesGiven {
  rows: readonly ListRow[];
  words: string;
  show: Show;
  by: GroupBy;
  /** The session that is open; null if none is. */
  chosen: string | null;
}

/** Entries of the list, and which groups a person opened and closed. */
export function useEntries({ rows, words, show, by, chosen }: EntriesGiven) {
  const now = useMinute();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [more, setMore] = useState<ReadonlyMap<string, number>>(new Map());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (chosen !== null && !opened.has(chosen)) setOpened(new Set(opened).add(chosen));
  const { found, isReading } = useFoundWords(words);
  const { entries, places } = useMemo(() => {
    const shown = shownRows(rows, show);
    if (words !== '') return searchEntries(shown, words, found);
    return { entries: entriesOf(shown, { by, closed, more, opened, now }), places: noPlaces };
  }, [rows, show, words, found, by, closed, more, opened, now]);
  const setGroup = (key: string, isOpen: boolean): void =>
    setClosed((before) => {
      if (before.has(key) !== isOpen) return before;
      const next = new Set(before);
      if (isOpen) next.delete(key);
      else next.add(key);
      return next;
    });
  return {
    ...{ entries, places, found, isReading, now, setGroup },
    /** Opens the group of a session. */
    openGroupOf: (session: string): void => {
      const row = rows.find(({ id }) => id === session);
      if (row !== undefined) setGroup(groupKeyOf(row, { by, now }), true);
    },
    showOlder: (group: string): void =>
      setMore((before) => new Map(before).set(group, (before.get(group) ?? 0) + olderAtOnce)),
  };
}

/**
 * The sessions of this machine that the person wants listed, that which they last wrote to first. Null if the list is
 * being read.
 */
export function useSessionList(): ListRow[] | null {
  const held = useWindow(({ sessions }) => sessions);
  const listed = useSessions((state) => state.listed);
  const failed = useSessions((state) => state.listFailure !== null);
  const withElsewhere = useWindow(({ preferences }) => preferences?.sessions.madeElsewhere ?? true);
  const [order] = useState(() => new SteadyOrder());
  return useMemo(
    () => (listed === null && !failed ? null : order.sort(listRows(held, listed, withElsewhere))),
    [held, listed, failed, order, withElsewhere],
  );
}

export type Place = FoundSessions['places'][number];

/** Titles at once, then the conversations that have the words, each with the place. */
export function searchEntries(
  rows: readonly ListRow[],
  words: string,
  found: FoundSessions | null,
): { entries: Entry[]; places: ReadonlyMap<string, Place> } {
  const titles = foundRows(rows, words);
  const known = new Map(rows.map((row) => [row.id, row]));
  const places = new Map<string, Place>();
  const conversations = (found?.places ?? []).flatMap((place): Entry[] => {
    const row = known.get(place.sessionId);
    if (row === undefined) return [];
    const key = `place ${place.sessionId}`;
    places.set(key, place);
    return [{ kind: 'row', key, row }];
  });
  const entries: Entry[] = [
    ...(titles.length === 0 ? [] : [group('titles', t('Titles'), titles.length, null)]),
    ...titles.map((row): Entry => ({ kind: 'row', key: row.id, row })),
    ...(conversations.length === 0
      ? []
      : [group('conversations', t('Conversations'), conversations.length, found?.searched ?? 0)]),
    ...conversations,
  ];
  return { entries, places };
}

function group(key: string, name: string, count: number, of: number | null): Entry {
  return { ...{ kind: 'group', key: `group ${key}`, name, folder: null, count, of }, isOpen: true, isGone: false };
}

const fewest = 3;
const pauseMs = 250;
/** What was said is still being read then. */
const askAgainMs = 2_000;

interface FoundWords extends FoundSessions {
  /** How long looking for them took, in ms. */
  tookMs: number;
}

/**
 * Where conversations have these words, from three letters on. Null: not looked for, or not known yet.
 * `isReading`: not all of them have been searched.
 */
function useFoundWords(words: string): { found: FoundWords | null; isReading: boolean } {
  const { bridge } = useServices();
  const [found, setFound] = useState<{ words: string; sessions: FoundWords | null } | null>(null);
  useEffect(() => {
    if (words.length < fewest) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const look = async (): Promise<void> => {
      const began = performance.now();
      // Titles are found without it; a failure shows no conversations.
      const sessions = await bridge.findSessions(words).catch(() => null);
      if (!isWanted) return;
      setFound({ words, sessions: sessions && { ...sessions, tookMs: performance.now() - began } });
      if (sessions?.isComplete === false) timer = setTimeout(() => void look(), askAgainMs);
    };
    timer = setTimeout(() => void look(), pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [bridge, words]);
  const known = found?.words === words ? found : null;
  const isWhole = known !== null && known.sessions?.isComplete !== false;
  return { found: known?.sessions ?? null, isReading: words.length >= fewest && !isWhole };
}

/** `Searched 214 conversations in 0.3 s.` */
export function searchedWords({ searched, tookMs, isComplete }: FoundWords): string {
  if (!isComplete)
    return t(
      'Searched {searched, plural, one {# conversation} other {# conversations}} so far; the others are still being read.',
      { searched },
    );
  return t('Searched {searched, plural, one {# conversation} other {# conversations}} in {seconds} s.', {
    searched,
    seconds: grouped(Math.ceil(tookMs / 100) / 10, 1),
  });
}
