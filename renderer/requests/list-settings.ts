import { useCallback, useState } from 'react';
import { keep, recall } from '../state/remembered.ts';
import { type ColumnChoices, readChoices, writeChoices } from './column-choices.ts';
import { readSorting, type Sorting, writeSorting } from './sorting.ts';

export const rowHeights = [
  { name: 'Compact', px: 26 },
  { name: 'Normal', px: 29 },
  { name: 'Roomy', px: 36 },
] as const;

export interface ListSettings {
  columns: ColumnChoices;
  /** With what the columns are then, so that changes in a row add up. */
  changeColumns: (change: (columns: ColumnChoices) => ColumnChoices) => void;
  sorting: Sorting;
  setSorting: (sorting: Sorting) => void;
  rowHeight: number;
  setRowHeight: (px: number) => void;
}

const columnsKey = 'jumpseat.columns';
const sortingKey = 'jumpseat.sorting';
const heightKey = 'jumpseat.row-height';

/** How a person wants the list, kept on this machine. */
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
