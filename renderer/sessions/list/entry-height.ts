import type { ShortQuestion } from './short-question.ts';

/** In CSS pixels, as the rows are drawn. */
const heights = { group: 28, row: 48, older: 30 } as const;
/** Between the two lines of a row and what it asks, and below that. */
const space = 6;
const buttons = 24;
const commandFrame = 12;
const commandLine = 16;

/** How tall an entry of the list is; a row that can be answered there holds the command and its buttons. */
export function entryHeight(kind: keyof typeof heights, asks: ShortQuestion | 'look' | null): number {
  if (asks === null) return heights[kind];
  if (asks === 'look') return heights[kind] + buttons + space;
  return heights[kind] + asks.lines * commandLine + commandFrame + buttons + space;
}
