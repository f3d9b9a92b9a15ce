import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { marksIn } from '../../../../renderer/parts/marked.tsx';
import { Nothing } from '../../../../renderer/sessions/list/empty-list.tsx';
import { searchEntries } from '../../../../renderer/sessions/list/entries.ts';
import type { ListRow } from '../../../../renderer/sessions/list/list-rows.ts';

const row = (id: string, title: string): ListRow => ({
  ...{ id, title, folder: '/code/site', at: 1, isPinned: false, held: null, listed: null },
});
const place = (sessionId: string) => ({
  ...{ sessionId, message: 'm', who: 'agent' as const, at: 7, excerpt: 'has a timeout of' },
  marks: [[6, 13]] as [number, number][],
});

describe('what was found', () => {
  const rows = [row('a', 'Longer timeout'), row('b', 'Retry'), row('c', 'Dates')];

  it('is titles, then conversations of how many, each with its place', () => {
    const found = { titles: [], places: [place('b'), place('gone')], searched: 214, isComplete: true };
    const { entries, places } = searchEntries(rows, 'timeout', found);
    expect(entries.map((entry) => (entry.kind === 'group' ? [entry.name, entry.count, entry.of] : entry.key))).toEqual([
      ['Titles', 1, null],
      'a',
      ['Conversations', 1, 214],
      'place b',
    ]);
    expect(places.get('place b')).toEqual(place('b'));
  });

  it('is titles alone until conversations were looked into, and nothing where nothing is', () => {
    expect(searchEntries(rows, 'timeout', null).entries).toHaveLength(2);
    expect(searchEntries(rows, 'nowhere', null).entries).toEqual([]);
    const none = (isReading: boolean): string =>
      renderToStaticMarkup(createElement(Nothing, { words: 'x', show: 'all', count: 3, isReading, clear: () => {} }));
    expect(none(true)).toContain('Conversations are still being read.');
    expect(none(false)).toContain('Nothing in 3 sessions has “x”.');
  });
});

describe('marks in a title', () => {
  it('stand where the words do, in their order and apart', () => {
    expect(marksIn('Longer Timeout for uploads', 'uploads timeout')).toEqual([
      [7, 14],
      [19, 26],
    ]);
    expect(marksIn('aaa', 'a aa')).toEqual([[0, 1]]);
    expect(marksIn('İstanbul', 'i')).toEqual([]);
  });
});
