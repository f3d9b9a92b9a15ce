import { expect, it } from 'vitest';
import { badgePicture } from '../../../main/tray/badge.ts';

const digit = (count: number): string => {
  const { side, bgra } = badgePicture(count);
  const rows = Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_, x) => {
      const [blue = 0, , , alpha = 0] = bgra.subarray((y * side + x) * 4);
      return alpha > 0 && blue === 0 ? '#' : ' ';
    }).join(''),
  );
  return rows
    .filter((row) => row.includes('#'))
    .map((row) => row.trim())
    .join('\n');
};

it('a badge is a number in a disc, its corners clear and each number another picture', () => {
  const { side, bgra } = badgePicture(3);
  expect([side, bgra.length, bgra[3], bgra[(side * (side / 2) + 2) * 4 + 3]]).toEqual([32, 4096, 0, 255]);
  const all = Array.from({ length: 10 }, (_, at) => digit(at + 1));
  expect(new Set(all).size).toBe(10);
  expect(digit(1).split('\n')[0]).toBe('####');
  expect(digit(40)).toBe(digit(10));
});
