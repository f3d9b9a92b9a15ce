import { describe, expect, it } from 'vitest';
import { around } from '../../../../renderer/sessions/transcript/feed-rows.tsx';

describe('the items that are drawn', () => {
  const measured = Array.from({ length: 500 }, (_, at) => ({ start: at * 40, end: at * 40 + 40 }));
  const of = (startIndex: number, endIndex: number, count: number) => {
    const drawn = around({ startIndex, endIndex, count, overscan: 0 }, null, measured);
    return [drawn[0], drawn.at(-1), drawn.length];
  };

  it('are those in view and a screen around them', () => {
    expect(of(200, 219, 500)).toEqual([180, 239, 60]);
    expect(of(0, 19, 500)).toEqual([0, 39, 40]);
    expect(of(480, 499, 500)).toEqual([460, 499, 40]);
  });

  it('are few where many came that are not measured yet', () => {
    expect(of(9_000, 9_019, 10_000)).toEqual([9_000, 9_019, 20]);
    expect(of(480, 520, 10_000)).toEqual([460, 520, 61]);
  });
});
