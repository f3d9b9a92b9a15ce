import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allColumns, type ColumnChoices } from '../../../renderer/requests/columns.ts';
import {
  movedBefore,
  movedBy,
  readChoices,
  resized,
  toggled,
  usualChoices,
  writeChoices,
} from '../../../renderer/requests/list-settings.ts';

const shown = (choices: ColumnChoices) => choices.filter((one) => one.shown).map(({ name }) => name);
const small = readChoices('time status model charge');

describe('what is kept', () => {
  it('is read as it was written, whatever was done', () => {
    const names = fc.constantFrom(...allColumns.map(({ name }) => name));
    const deeds = fc.array(
      fc.oneof(
        fc.tuple(fc.constant('toggle' as const), names, names),
        fc.tuple(fc.constant('before' as const), names, names),
        fc.tuple(fc.constant('left' as const), names, names),
        fc.tuple(fc.constant('wide' as const), names, names),
      ),
    );
    fc.assert(
      fc.property(deeds, (done) => {
        let choices = usualChoices;
        for (const [change, name, other] of done) {
          if (change === 'toggle') choices = toggled(choices, name);
          else if (change === 'before') choices = movedBefore(choices, name, other);
          else if (change === 'left') choices = movedBy(choices, name, -1);
          else choices = resized(choices, name, name.length * 20);
        }
        expect(readChoices(writeChoices(choices))).toEqual(choices);
        expect(new Set(choices.map(({ name }) => name)).size).toBe(allColumns.length);
        expect(shown(choices)).toContain('time');
      }),
    );
  });

  it('of a version that knew fewer columns gets the new ones hidden, behind those that they follow', () => {
    expect(shown(small)).toEqual(['time', 'status', 'model', 'charge']);
    expect(small.map(({ name }) => name).slice(0, 4)).toEqual(['time', 'status', 'initiator', 'model']);
  });

  it('may be nonsense', () => {
    expect(readChoices(null)).toEqual(usualChoices);
    const read = readChoices('-time status:7 status:90 nothing:5 model:x __proto__ session:99999');
    expect(shown(read)).toEqual(['time', 'status', 'session']);
    expect(read.find(({ name }) => name === 'status')?.width).toBe(40);
    expect(read.find(({ name }) => name === 'session')?.width).toBe(800);
  });
});

describe('a column', () => {
  it('moves among those that are shown, and not beyond the ends', () => {
    expect(shown(movedBy(small, 'model', -1))).toEqual(['time', 'model', 'status', 'charge']);
    expect(shown(movedBy(small, 'model', 1))).toEqual(['time', 'status', 'charge', 'model']);
    expect(shown(movedBy(movedBy(small, 'time', 1), 'time', 1))).toEqual(['status', 'model', 'time', 'charge']);
    expect(movedBy(small, 'time', -1)).toBe(small);
    expect(movedBy(small, 'charge', 1)).toBe(small);
    expect(shown(movedBefore(small, 'time', null))).toEqual(['status', 'model', 'charge', 'time']);
    expect(movedBefore(small, 'time', 'time')).toBe(small);
  });

  it('is as wide as it was drawn, within reason, until its own width is asked for', () => {
    const width = (choices: ColumnChoices) => choices.find(({ name }) => name === 'status')?.width;
    expect([1, 90.4, 5000].map((px) => width(resized(small, 'status', px)))).toEqual([40, 90, 800]);
    expect(width(resized(resized(small, 'status', 90), 'status', null))).toBeNull();
  });

  it('is hidden and shown in its place; the time stays', () => {
    expect(shown(toggled(toggled(small, 'model'), 'model'))).toEqual(shown(small));
    expect(shown(toggled(small, 'model'))).toEqual(['time', 'status', 'charge']);
    expect(shown(toggled(small, 'time'))).toEqual(shown(small));
  });
});
