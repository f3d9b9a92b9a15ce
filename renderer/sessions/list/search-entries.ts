import type { FoundSessions } from '../../../app/api/session-list.ts';
import { type Entry, foundRows, type ListRow } from './list-rows.ts';

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
    ...(titles.length === 0 ? [] : [group('Titles', titles.length, null)]),
    ...titles.map((row): Entry => ({ kind: 'row', key: row.id, row })),
    ...(conversations.length === 0 ? [] : [group('Conversations', conversations.length, found?.searched ?? 0)]),
    ...conversations,
  ];
  return { entries, places };
}

function group(name: string, count: number, of: number | null): Entry {
  return { ...{ kind: 'group', key: `group ${name}`, name, folder: null, count, of }, isOpen: true, isGone: false };
}

/** Where words stand in a text, each where it stands first: from, to. */
export function marksIn(text: string, words: string): [number, number][] {
  const lower = text.toLowerCase();
  // Some letters are longer in lower case: their places would be other ones.
  if (lower.length !== text.length) return [];
  const marks = words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word): [number, number][] => {
      const at = lower.indexOf(word);
      return at === -1 ? [] : [[at, at + word.length]];
    })
    .toSorted(([one], [other]) => one - other);
  return marks.filter(([from], index) => index === 0 || from >= (marks[index - 1]?.[1] ?? 0));
}
