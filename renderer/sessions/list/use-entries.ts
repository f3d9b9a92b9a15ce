import { useMemo, useState } from 'react';
import { useMinute } from '../../parts/now.ts';
import { entriesOf, type GroupBy, groupKeyOf, type ListRow, type Show, shownRows } from './list-rows.ts';
import { type Place, searchEntries } from './search-entries.ts';
import { useFoundWords } from './use-found-words.ts';

const olderAtOnce = 20;
const noPlaces: ReadonlyMap<string, Place> = new Map();

export interface EntriesGiven {
  rows: readonly ListRow[];
  words: string;
  show: Show;
  by: GroupBy;
  /** The session that is open; null: none is. */
  chosen: string | null;
}

/** What stands in the list, and what a person opened and closed of it. */
export function useEntries({ rows, words, show, by, chosen }: EntriesGiven) {
  const now = useMinute();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [more, setMore] = useState<ReadonlyMap<string, number>>(new Map());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (chosen !== null && !opened.has(chosen)) setOpened(new Set(opened).add(chosen));
  const found = useFoundWords(words);
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
    ...{ entries, places, found, now, setGroup },
    /** The group in which a session stands. */
    openGroupOf: (session: string): void => {
      const row = rows.find(({ id }) => id === session);
      if (row !== undefined) setGroup(groupKeyOf(row, { by, now }), true);
    },
    showOlder: (group: string): void =>
      setMore((before) => new Map(before).set(group, (before.get(group) ?? 0) + olderAtOnce)),
  };
}
