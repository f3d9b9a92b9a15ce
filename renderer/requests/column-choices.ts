import { allColumns, type ColumnName, shownAtFirst } from './columns.ts';

/**
 * Which columns a person wants, in which order and how wide. Pure; kept as a line of text: `time status:60 -prompt`.
 */

export interface ColumnChoice {
  readonly name: ColumnName;
  readonly shown: boolean;
  /** px; null: the column's own width. */
  readonly width: number | null;
}

/** Every column once, in order. */
export type ColumnChoices = readonly ColumnChoice[];

export const leastWidth = 40;
export const mostWidth = 800;

export const usualChoices: ColumnChoices = allColumns.map(({ name }) => ({
  name,
  shown: shownAtFirst.includes(name),
  width: null,
}));

/**
 * Columns that the text does not name stand, hidden, behind the one they follow by themselves. Words that mean nothing
 * are passed over.
 */
export function readChoices(text: string | null): ColumnChoices {
  if (text === null) return usualChoices;
  const choices: ColumnChoice[] = [];
  for (const word of text.split(' ')) {
    const [, hidden, name, width] = /^(-)?([a-z-]+?)(?::(\d+))?$/.exec(word) ?? [];
    const column = allColumns.find((one) => one.name === name);
    if (column === undefined || choices.some((one) => one.name === column.name)) continue;
    const shown = hidden === undefined || column.name === 'time';
    choices.push({ name: column.name, shown, width: width === undefined ? null : within(Number(width)) });
  }
  for (const [index, { name }] of allColumns.entries()) {
    if (choices.some((one) => one.name === name)) continue;
    const before = allColumns[index - 1]?.name;
    const at = choices.findIndex((one) => one.name === before) + 1;
    choices.splice(at, 0, { name, shown: name === 'time', width: null });
  }
  return choices;
}

export function writeChoices(choices: ColumnChoices): string {
  return choices
    .map(({ name, shown, width }) => `${shown ? '' : '-'}${name}${width === null ? '' : `:${width}`}`)
    .join(' ');
}

/** When it happened says what the list is a list of: that column stays. */
export function canBeHidden(name: ColumnName): boolean {
  return name !== 'time';
}

export function toggled(choices: ColumnChoices, name: ColumnName): ColumnChoices {
  return choices.map((one) => (one.name === name && canBeHidden(name) ? { ...one, shown: !one.shown } : one));
}

/** Beside a column that is switched on and left out of a narrow list. */
export const noRoom = 'No room at this width';

export function lacksRoom({ name, shown }: ColumnChoice, fitted: readonly ColumnName[] | null): boolean {
  return shown && fitted !== null && !fitted.includes(name);
}

/** `width` null: the column's own again. */
export function resized(choices: ColumnChoices, name: ColumnName, width: number | null): ColumnChoices {
  return choices.map((one) => (one.name === name ? { ...one, width: width === null ? null : within(width) } : one));
}

/** Right before another one; null: behind all. */
export function movedBefore(choices: ColumnChoices, name: ColumnName, before: ColumnName | null): ColumnChoices {
  const moved = choices.find((one) => one.name === name);
  if (moved === undefined || name === before) return choices;
  const others = choices.filter((one) => one.name !== name);
  const at = others.findIndex((one) => one.name === before);
  return others.toSpliced(at < 0 ? others.length : at, 0, moved);
}

/** One place further among those that are shown. */
export function movedBy(choices: ColumnChoices, name: ColumnName, by: -1 | 1): ColumnChoices {
  const shown = choices.filter((one) => one.shown || one.name === name);
  const at = shown.findIndex((one) => one.name === name);
  const target = shown[by < 0 ? at - 1 : at + 2];
  if ((by < 0 && at <= 0) || (by > 0 && at >= shown.length - 1)) return choices;
  return movedBefore(choices, name, target?.name ?? null);
}

function within(width: number): number {
  return Math.round(Math.max(leastWidth, Math.min(mostWidth, width)));
}
