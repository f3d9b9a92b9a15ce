import { describe, expect, it } from 'vitest';
import { english, showLanguage } from '../../../../app/language/language.ts';
import { pseudo } from '../../../../app/language/pseudo.ts';
import {
  entriesOf,
  foundRows,
  groupKeyOf,
  type ListRow,
  listRows,
  SteadyOrder,
  shownRows,
} from '../../../../renderer/sessions/list/list-rows.ts';
import { listedSession } from '../../../app/sessions/listed-session.ts';

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

function row(id: string, more: Partial<ListRow> = {}): ListRow {
  return {
    id,
    title: `Title ${id}`,
    folder: '/code/site',
    at: now,
    isPinned: false,
    held: null,
    listed: null,
    ...more,
  };
}

const none = { closed: new Set<string>(), more: new Map<string, number>(), opened: new Set<string>() };
const grouping = { by: 'folder', ...none, now } as const;
const keys = (rows: readonly ListRow[], given: Parameters<typeof entriesOf>[1]): string[] =>
  entriesOf(rows, given).map(({ key }) => key);

it('a session that waits in a terminal is among those that wait', () => {
  const openIn = (state: 'works' | 'waits') =>
    listedSession({ id: state, openIn: { pid: 1, program: 'terminal', state } });
  const rows = [row('waits', { listed: openIn('waits') }), row('works', { listed: openIn('works') }), row('rests')];
  expect(shownRows(rows, 'waiting').map(({ id }) => id)).toEqual(['waits']);
});

it('a copy in which nothing was sent is as old as it is, also where it is not held any more', () => {
  const copy = listedSession({ id: 'copy', hosted: true, createdAt: now, updatedAt: null, sentAt: null, size: null });
  expect(listRows(new Map(), new Map([['copy', copy]]))).toMatchObject([{ id: 'copy', at: now }]);
});

describe('groups of the list of sessions', () => {
  it('are whole where the list has room for all of them', () => {
    const rows = Array.from({ length: 12 }, (_, index) => row(`s${index}`, { folder: `/code/${index % 2}` }));
    expect(keys(rows, grouping).filter((key) => key.startsWith('older'))).toEqual([]);
    expect(keys([...rows, row('s12', { folder: '/code/0' })], grouping)).toContain('older folder /code/0');
  });

  it('are the pinned ones, then a folder each, with the newest: five, or more where the folders are few', () => {
    const rows = [
      ...Array.from({ length: 17 }, (_, index) => row(`s${index}`)),
      row('other', { folder: '/code/api' }),
      row('pinned', { isPinned: true }),
    ];
    expect(keys(rows, grouping)).toEqual([
      ...['group pinned', 'pinned'],
      ...['group folder /code/site', 's0', 's1', 's2', 's3', 's4', 's5', 'older folder /code/site'],
      ...['group folder /code/api', 'other'],
    ]);
    const three = [...rows, row('third', { folder: '/code/third' })];
    expect(keys(three, grouping).slice(2, 9)).toEqual([
      ...['group folder /code/site', 's0', 's1', 's2', 's3', 's4', 'older folder /code/site'],
    ]);
  });

  it('do not shrink to five where one more than there is room for comes', () => {
    const rows = Array.from({ length: 13 }, (_, index) => row(`s${index}`));
    expect(keys(rows.slice(1), grouping)).toHaveLength(13);
    expect(keys(rows, grouping)).toEqual([
      ...['group folder /code/site', ...rows.slice(0, 12).map(({ id }) => id), 'older folder /code/site'],
    ]);
  });

  it('keep a session that a terminal has open, however old it is', () => {
    const rows = Array.from({ length: 19 }, (_, index) => row(`s${index}`));
    const openIn = { pid: 7, program: 'terminal' as const };
    const last = row('last', { listed: { ...listedSession({ id: 'last' }), openIn } });
    expect(keys([...rows, last], grouping).slice(-2)).toEqual(['last', 'older folder /code/site']);
  });

  it('show more where the person asks, and nothing of one that is closed', () => {
    const rows = Array.from({ length: 17 }, (_, index) => row(`s${index}`));
    const more = new Map([['folder /code/site', 20]]);
    expect(keys(rows, { ...grouping, more })).toHaveLength(18);
    expect(keys(rows, { ...grouping, closed: new Set(['folder /code/site']) })).toEqual(['group folder /code/site']);
  });

  it('keep a session that was opened, however old it is', () => {
    const rows = Array.from({ length: 19 }, (_, index) => row(`s${index}`));
    expect(keys(rows, { ...grouping, opened: new Set(['s17']) }).slice(-3)).toEqual([
      's11',
      's17',
      'older folder /code/site',
    ]);
  });

  it('are called by what a row has of them', () => {
    const rows = [row('a'), row('b', { folder: null }), row('c', { isPinned: true }), row('d', { at: 0 })];
    for (const by of ['folder', 'day'] as const) {
      for (const one of rows) {
        expect(keys([one], { ...grouping, by })[0]).toBe(`group ${groupKeyOf(one, { by, now })}`);
      }
    }
  });

  it('are days where the person wants those, and then whole', () => {
    const rows = [
      ...Array.from({ length: 6 }, (_, index) => row(`t${index}`)),
      row('before', { at: now - 24 * 60 * minute }),
      row('old', { at: 0 }),
    ];
    expect(keys(rows, { ...grouping, by: 'day' })).toEqual([
      ...['group day Today', 't0', 't1', 't2', 't3', 't4', 't5'],
      ...['group day Yesterday', 'before', 'group day Earlier', 'old'],
    ]);
  });

  it('have names in the shown language, and the same keys in each', () => {
    const rows = [row('t'), row('old', { at: 0 }), row('pinned', { isPinned: true })];
    const byDay = { ...grouping, by: 'day' } as const;
    const before = keys(rows, byDay);
    try {
      showLanguage(pseudo);
      expect(keys(rows, byDay)).toEqual(before);
      const names = entriesOf(rows, byDay).flatMap((entry) => (entry.kind === 'group' ? [entry.name] : []));
      expect(names).toEqual(['⟦Þîññéđ~~⟧', '⟦Ţöđåý~~⟧', '⟦Éåŕļîéŕ~~~⟧']);
    } finally {
      showLanguage(english);
    }
  });
});

describe('the order of the list', () => {
  const listed = (updatedAt: number, sentAt: number | null) => listedSession({ id: 'a', updatedAt, sentAt });

  it('changes where the person sends something, and by nothing else', () => {
    const order = new SteadyOrder();
    const ids = (rows: readonly ListRow[]): string[] => order.sort(rows).map(({ id }) => id);
    const a = row('a', { at: now - 2 * minute, listed: listed(now - 2 * minute, null) });
    const b = row('b', { at: now - minute, listed: listed(now - minute, null) });
    expect(ids([a, b])).toEqual(['b', 'a']);
    // A terminal wrote to it.
    expect(ids([{ ...a, at: now, listed: listed(now, null) }, b])).toEqual(['b', 'a']);
    expect(ids([{ ...a, at: now, listed: listed(now, now) }, b])).toEqual(['a', 'b']);
  });
});

describe('the search in titles', () => {
  it('takes every word of title, folder and id', () => {
    const rows = [row('a1', { title: 'Retry webhooks' }), row('b2', { title: 'Retry dates', folder: '/code/api' })];
    expect(foundRows(rows, 'retry api').map(({ id }) => id)).toEqual(['b2']);
    expect(foundRows(rows, 'RETRY').map(({ id }) => id)).toEqual(['a1', 'b2']);
    expect(foundRows(rows, 'b2').map(({ id }) => id)).toEqual(['b2']);
  });
});

describe('sessions made elsewhere', () => {
  const listed = (id: string, hosted: boolean) => listedSession({ id, hosted, updatedAt: now });
  const all = new Map(['ours', 'theirs'].map((id) => [id, listed(id, id === 'ours')]));

  it('stand in the list unless the person wants none of them', () => {
    const ids = (withElsewhere: boolean) => listRows(new Map(), all, withElsewhere).map(({ id }) => id);
    expect(ids(true)).toEqual(['ours', 'theirs']);
    expect(ids(false)).toEqual(['ours']);
  });
});
