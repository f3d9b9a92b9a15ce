import type { ColumnChoice, ColumnChoices } from './column-choices.ts';
import { type Column, type ColumnName, columns, narrow } from './columns.ts';

/** Widths where everything moves closer together. */
const tight: Partial<Record<ColumnName, number>> = {
  time: 58,
  status: 41,
  initiator: 140,
  model: 116,
  duration: 54,
  charge: 60,
};

/** Which goes first where the columns that were chosen have no room beside each other. The others stay. */
const goesFirst: readonly ColumnName[] = [
  'account',
  'attempts',
  'changes',
  'size',
  'speed',
  'prompt',
  'client',
  'endpoint',
  'session',
  'cached',
  'first-token',
  'input',
  'output',
];

/**
 * The columns of a list of this width, in the order and with the widths that were chosen. Never more than there
 * is room for.
 */
export function columnsFor(width: number, choices: ColumnChoices): Column[] {
  const sized = ({ name, shown, width: chosen }: ColumnChoice): Column[] => {
    const column = columns.find((one) => one.name === name);
    if (column === undefined || !shown || width < column.from) return [];
    return [{ ...column, width: chosen ?? (width < narrow ? tight[name] : undefined) ?? column.width }];
  };
  let shown = choices.flatMap(sized);
  for (const gone of goesFirst) {
    if (needed(shown, width) <= width) return shown;
    shown = shown.filter(({ name }) => name !== gone);
  }
  if (needed(shown, width) <= width) return shown;
  return shown.flatMap(({ name }) => sized({ name, shown: true, width: null }));
}

/** With the gaps between columns and the edges of the row. */
function needed(shown: readonly Column[], width: number): number {
  const [gap, edges] = width < narrow ? [10, 28] : [12, 40];
  const gaps = shown.length - (shown.some(({ grows }) => grows) ? 1 : 0);
  return shown.reduce((sum, column) => sum + column.width, gap * gaps + edges);
}

/** The tracks of a row's grid. Where no column takes what is left, it stays empty. */
export function tracksOf(shown: readonly Column[]): string {
  const tracks = shown.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`));
  return [...tracks, ...(shown.some(({ grows }) => grows) ? [] : ['minmax(0, 1fr)'])].join(' ');
}
