import { useCallback, useState } from 'react';
import { msg } from '../../app/language/messages.ts';
import { byStart, type Order } from '../state/log/sorted-rows.ts';
import { keep, recall } from '../state/preferences.ts';
import {
  allColumns,
  type ColumnChoice,
  type ColumnChoices,
  type ColumnName,
  columns,
  shownAtFirst,
} from './columns.ts';

export const rowHeights = [
  { name: msg('Compact'), px: 26 },
  { name: msg('Normal'), px: 29 },
  { name: msg('Roomy'), px: 36 },
] as const;

export interface ListSettings {
  columns: ColumnChoices;
  /** Changes the current columns, so that several changes in a row add up. */
  changeColumns: (change: (columns: ColumnChoices) => ColumnChoices) => void;
  sorting: Sorting;
  setSorting: (sorting: Sorting) => void;
  rowHeight: number;
  setRowHeight: (px: number) => void;
}

const columnsKey = 'jumpseat.columns';
const sortingKey = 'jumpseat.sorting';
const heightKey = 'jumpseat.row-height';

/** The person's settings of the list, stored on this machine. */
export function useListSettings(): ListSettings {
  const [columns, setColumns] = useState(() => readChoices(recall(columnsKey)));
  const [sorting, changeSorting] = useState(() => readSorting(recall(sortingKey)));
  const [rowHeight, setHeight] = useState(readHeight);
  const changeColumns: ListSettings['changeColumns'] = useCallback((change) => {
    setColumns((now) => {
      const next = change(now);
      if (next !== now) keep(columnsKey, writeChoices(next));
      return next;
    });
  }, []);
  return {
    columns,
    changeColumns,
    sorting,
    setSorting: (next) => {
      keep(sortingKey, writeSorting(next));
      changeSorting(next);
    },
    rowHeight,
    setRowHeight: (px) => {
      keep(heightKey, String(px));
      setHeight(px);
    },
  };
}

function readHeight(): number {
  const kept = Number(recall(heightKey));
  return rowHeights.find(({ px }) => px === kept)?.px ?? 29;
}

export interface Sorting {
  column: ColumnName;
  descending: boolean;
}

/** Time upwards is the order of things; a third click on a head goes back to it. */
export const unsorted: Sorting = { column: 'time', descending: false };

export const isUnsorted = ({ column, descending }: Sorting): boolean => column === 'time' && !descending;

function readSorting(text: string | null): Sorting {
  const [name, order] = (text ?? '').split(' ');
  const column = columns.find((one) => one.name === name);
  return column === undefined ? unsorted : { column: column.name, descending: order === 'descending' };
}

function writeSorting({ column, descending }: Sorting): string {
  return `${column} ${descending ? 'descending' : 'ascending'}`;
}

export function nextSorting(now: Sorting, column: ColumnName): Sorting {
  // The largest of numbers is what is looked for.
  const first = columns.find(({ name }) => name === column)?.align === 'right';
  if (now.column !== column) return { column, descending: first };
  return now.descending === first ? { column, descending: !first } : unsorted;
}

export function orderOf({ column, descending }: Sorting): Order {
  const { compare } = columns.find(({ name }) => name === column) ?? { compare: () => 0 };
  if (column === 'time') return descending ? (left, right) => -byStart(left, right) : byStart;
  const sign = descending ? -1 : 1;
  return (left, right) => sign * compare(left, right) || byStart(left, right);
}

/* The columns that a person wants, in which order and how wide: kept as a line of text, `time status:60 -prompt`. */

const leastWidth = 40;
const mostWidth = 800;

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

/** Shown beside a column that is on but doesn't fit a narrow list. */
export const noRoom = msg('No room at this width');

export function lacksRoom({ name, shown }: ColumnChoice, fitted: readonly ColumnName[] | null): boolean {
  return shown && fitted !== null && !fitted.includes(name);
}

/** `width` null for the column's own again. */
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

/** The columns with one moved a place among those shown. */
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
