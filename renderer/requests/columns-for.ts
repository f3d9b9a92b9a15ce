import type { ColumnChoice, ColumnChoices } from './column-choices.ts';
import { type Column, type ColumnName, columns, narrow } from './columns.ts';

/** Widths where everything moves closer together. */
const tight: Partial<Record<ColumnName, number>> = {
  time: 58,
  status: 41,
  initiator: 136,
  model: 116,
  duration: 54,
  charge: 64,
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
    if (needed(shown, width) <= width) return spread(shown, width, choices);
    shown = shown.filter(({ name }) => name !== gone);
  }
  if (needed(shown, width) <= width) return spread(shown, width, choices);
  return shown.flatMap(({ name }) => sized({ name, shown: true, width: null }));
}

/** A column that takes what is left takes no more than this while others can take it. */
const widest = 420;

/** Shares what would be left empty in a very wide list among the columns that have their own width. */
function spread(shown: readonly Column[], width: number, choices: ColumnChoices): Column[] {
  const growing = shown.find(({ grows }) => grows);
  const room = growing === undefined ? 0 : growing.width + width - needed(shown, width) - widest;
  const isChosen = (name: ColumnName): boolean => choices.some((one) => one.name === name && one.width !== null);
  const takes = ({ name, grows }: Column): boolean => !grows && !isChosen(name);
  const sum = shown.filter(takes).reduce((all, column) => all + column.width, 0);
  if (room <= 0 || sum === 0) return [...shown];
  return shown.map((column) =>
    takes(column) ? { ...column, width: column.width + Math.floor((room * column.width) / sum) } : column,
  );
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
