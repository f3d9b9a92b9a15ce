import { byStart, type Order } from '../state/log/sorted-rows.ts';
import { type ColumnName, columns } from './columns.ts';

export interface Sorting {
  column: ColumnName;
  descending: boolean;
}

/** Time upwards is the order of things; a third click on a head goes back to it. */
export const unsorted: Sorting = { column: 'time', descending: false };

export const isUnsorted = ({ column, descending }: Sorting): boolean => column === 'time' && !descending;

export function readSorting(text: string | null): Sorting {
  const [name, order] = (text ?? '').split(' ');
  const column = columns.find((one) => one.name === name);
  return column === undefined ? unsorted : { column: column.name, descending: order === 'descending' };
}

export function writeSorting({ column, descending }: Sorting): string {
  return `${column} ${descending ? 'descending' : 'ascending'}`;
}

export function nextSorting(now: Sorting, column: ColumnName): Sorting {
  if (now.column !== column) return { column, descending: false };
  if (!now.descending) return { column, descending: true };
  return unsorted;
}

export function orderOf({ column, descending }: Sorting): Order {
  const { compare } = columns.find(({ name }) => name === column) ?? { compare: () => 0 };
  if (column === 'time') return descending ? (left, right) => -byStart(left, right) : byStart;
  const sign = descending ? -1 : 1;
  return (left, right) => sign * compare(left, right) || byStart(left, right);
}
