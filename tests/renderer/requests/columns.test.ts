import { describe, expect, it } from 'vitest';
import { columnsFor, narrow, shownAtFirst, speedOf, tracksOf } from '../../../renderer/requests/columns.ts';
import {
  movedBefore,
  nextSorting,
  orderOf,
  resized,
  toggled,
  unsorted,
  usualChoices,
} from '../../../renderer/requests/list-settings.ts';
import { rowOf } from '../../../renderer/state/log/row.ts';
import { exchange } from '../../exchange.ts';

const first = usualChoices;
const everything = usualChoices.map((choice) => ({ ...choice, shown: true }));
const names = (width: number) => columnsFor(width, first).map(({ name }) => name);

describe('columns go as the list narrows', () => {
  const all = [...shownAtFirst];
  const without = (...gone: string[]) => all.filter((name) => !gone.includes(name));
  it.each([
    [1060, all],
    [1059, without('session')],
    [930, without('session')],
    [929, without('session', 'cached', 'first-token')],
    [779, without('session', 'cached', 'first-token', 'input')],
    [699, without('session', 'cached', 'first-token', 'input', 'output')],
    [400, without('session', 'cached', 'first-token', 'input', 'output')],
  ])('%d px', (width, expected) => {
    expect(names(width)).toEqual(expected);
  });

  it.each([
    ['those shown at first', first],
    ['all there are', everything],
    ['wide ones', first.map((choice) => ({ ...choice, width: choice.name === 'model' ? null : 300 }))],
    ['none that takes what is left', everything.filter(({ name }) => name !== 'model')],
  ])('%s have room, with gaps and edges, at every width that a list can have', (_, choices) => {
    for (let width = 548; width < 2600; width += 1) {
      for (const namesClients of [false, true]) {
        const tracks = tracksOf(columnsFor(width, choices, namesClients)).split(/ (?!1fr)/);
        const [gap, edges] = width < narrow ? [8, 28] : [12, 40];
        const needed = tracks.reduce(
          (sum, track) => sum + Number(/\d+/.exec(track)?.[0]),
          gap * (tracks.length - 1) + edges,
        );
        expect([width, namesClients, needed <= width]).toEqual([width, namesClients, true]);
      }
    }
  });

  it('the initiator has room for the client that it says, unless its width was chosen or models need it', () => {
    const initiator = (width: number, choices = first) =>
      columnsFor(width, choices, true).find(({ name }) => name === 'initiator')?.width;
    expect([668, 688, 700, 788, 988, 548].map((width) => initiator(width))).toEqual([216, 216, 152, 152, 180, 136]);
    expect(initiator(688, resized(first, 'initiator', 120))).toBe(120);
  });

  it('one column takes what is left, else nothing does', () => {
    expect(tracksOf(columnsFor(700, first))).toBe('62px 46px 152px minmax(130px, 1fr) 58px 70px 66px');
    expect(tracksOf(columnsFor(700, toggled(first, 'model')))).toBe('62px 46px 152px 58px 70px 66px minmax(0, 1fr)');
  });

  it('a very wide list shares its room among them, but for those whose width was chosen', () => {
    const list = 2348;
    const wide = columnsFor(list, resized(first, 'session', 90));
    const widthOf = (name: string) => wide.find((column) => column.name === name)?.width ?? 0;
    expect(widthOf('session')).toBe(90);
    expect(widthOf('initiator')).toBeGreaterThan(2 * 152);
    const others = wide.filter(({ grows }) => !grows).reduce((sum, { width }) => sum + width, 0);
    expect(list - 40 - 12 * (wide.length - 1) - others).toBeLessThanOrEqual(420 + wide.length);
    expect(columnsFor(1100, first).map(({ width }) => width)).toEqual(
      columnsFor(1060, first).map(({ width }) => width),
    );
  });

  it('they stand in the order and the width that was chosen', () => {
    const chosen = resized(movedBefore(first, 'charge', 'time'), 'initiator', 200);
    expect(tracksOf(columnsFor(800, chosen))).toBe('66px 62px 46px 200px minmax(130px, 1fr) 58px 70px');
  });
});

describe('sorting', () => {
  it('begins with the largest number or the first word, turns round, and goes back to time', () => {
    const once = nextSorting(unsorted, 'charge');
    const twice = nextSorting(once, 'charge');
    expect([once, twice, nextSorting(twice, 'charge')]).toEqual([
      { column: 'charge', descending: true },
      { column: 'charge', descending: false },
      unsorted,
    ]);
    expect(nextSorting(unsorted, 'model')).toEqual({ column: 'model', descending: false });
    expect(nextSorting(unsorted, 'time')).toEqual({ column: 'time', descending: true });
    expect(nextSorting({ column: 'time', descending: true }, 'time')).toEqual(unsorted);
  });

  it('is by start where the column says nothing', () => {
    const rows = [3, 1, 2].map((at) => rowOf(exchange({ id: `r${at}`, startedAt: at }), at));
    expect(rows.sort(orderOf({ column: 'model', descending: true })).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });
});

it('speed is tokens of the answer by the time of its stream', () => {
  expect(speedOf(rowOf(exchange(), 0))).toBeCloseTo(1187 / 17.38);
  expect(speedOf(rowOf(exchange({ tokens: { ...exchange().tokens, output: null } }), 0))).toBeNull();
});
