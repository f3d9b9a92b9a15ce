import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Area,
  arrangementOf,
  openingPlace,
  placeBeside,
  type WindowPlace,
  WindowPlaces,
} from '../../../main/windows/window-place.ts';

const laptop: Area = { x: 0, y: 25, width: 1440, height: 850 };
const beside: Area = { x: 1440, y: 0, width: 2560, height: 1400 };
const kept = (change: Partial<WindowPlace> = {}): WindowPlace => ({
  x: 1600,
  y: 100,
  width: 1300,
  height: 900,
  maximized: false,
  ...change,
});

it('a further window opens beside its first one, and over none that is there', () => {
  const first: Area = { x: 100, y: 100, width: 1200, height: 700 };
  const second = placeBeside(first, [first], [laptop]);
  expect(second).toEqual({ x: 132, y: 132, width: 860, height: 700, maximized: false });
  const moved = { x: 600, y: 50, width: 860, height: 700 };
  const open = [first, { ...first, x: 132, y: 132 }, moved];
  expect(placeBeside(first, open, [laptop])).toMatchObject({ x: 164, y: 164 });
  expect(placeBeside(moved, open, [laptop])).toMatchObject({ x: 632, y: 82 });
});

describe('a window opens', () => {
  it.each([
    ['at first as its views are made for', null, [laptop], { width: 1200, height: 800, maximized: false }],
    [
      'at first no larger than the display',
      null,
      [{ ...laptop, width: 1000, height: 600 }],
      { width: 1000, height: 600, maximized: false },
    ],
    [
      'no smaller than its views can be',
      null,
      [{ ...laptop, width: 640, height: 400 }],
      { width: 720, height: 480, maximized: false },
    ],
    ['where it stood', kept(), [laptop, beside], kept()],
    [
      'as large as its display has room for',
      kept({ width: 9000, height: 9000 }),
      [laptop, beside],
      kept({ width: 2560, height: 1400 }),
    ],
    ['on a display that is there', kept(), [laptop], { width: 1300, height: 850, maximized: false }],
    [
      'where it can be taken by its edge',
      kept({ x: 3900 }),
      [laptop, beside],
      { width: 1300, height: 850, maximized: false },
    ],
    ['not above all displays', kept({ y: -39 }), [laptop, beside], { width: 1300, height: 850, maximized: false }],
    ['across two displays', kept({ x: 1300, y: 30 }), [laptop, beside], { ...kept({ x: 1300, y: 30 }), height: 850 }],
    ['large as it was left', kept({ maximized: true }), [laptop, beside], kept({ maximized: true })],
    ['somewhere, without a display that is known', kept(), [], { width: 1300, height: 900, maximized: false }],
  ])('%s', (_, place, areas, opening) => {
    const { maximized, ...rest } = openingPlace(place, areas);
    expect({ ...rest, maximized }).toEqual(opening);
  });
});

describe('places', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-places-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const written: string[] = [];
  const places = (name: string) =>
    new WindowPlaces(join(folder, name), { write: (_level, event) => void written.push(event) });

  it('are kept for each arrangement of displays, whatever their order', () => {
    const one = places('a.json');
    expect(one.find([laptop])).toBeNull();
    one.keep([laptop], kept({ x: 1 }));
    one.keep([laptop, beside], kept({ x: 2 }));
    one.keep([laptop], kept({ x: 3 }));
    const again = places('a.json');
    expect([again.find([laptop])?.x, again.find([beside, laptop])?.x, again.find([beside])]).toEqual([3, 2, null]);
  });

  it('are eight at most, the ones used last', () => {
    const one = places('b.json');
    for (let width = 1000; width < 1010; width += 1) one.keep([{ ...laptop, width }], kept());
    expect(one.find([{ ...laptop, width: 1001 }])).toBeNull();
    expect(one.find([{ ...laptop, width: 1002 }])).toEqual(kept());
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'b.json'), 'utf8')))).toHaveLength(8);
  });

  it('cost nothing but themselves when the file is broken or cannot be written', () => {
    const key = arrangementOf([laptop]);
    for (const text of ['', '[1]', 'null', JSON.stringify({ [key]: { ...kept(), x: 'left' } })]) {
      writeFileSync(join(folder, 'c.json'), text);
      expect(places('c.json').find([laptop])).toBeNull();
    }
    places(join('no', 'such', 'folder.json')).keep([laptop], kept());
    expect(written).toEqual(['window-place-not-kept']);
  });
});
