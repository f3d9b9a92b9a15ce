import { useState } from 'react';
import { keep, recall } from '../state/moves.ts';
import { allColumns, type ColumnName, shownAtFirst } from './columns.ts';

export const rowHeights = [
  { name: 'Compact', px: 26 },
  { name: 'Normal', px: 29 },
  { name: 'Roomy', px: 36 },
] as const;

export interface ListSettings {
  columns: ReadonlySet<ColumnName>;
  rowHeight: number;
  toggleColumn: (name: ColumnName) => void;
  setRowHeight: (px: number) => void;
}

const columnsKey = 'jumpseat.columns';
const heightKey = 'jumpseat.row-height';

/** How a person wants the list, kept on this machine. */
export function useListSettings(): ListSettings {
  const [columns, setColumns] = useState(readColumns);
  const [rowHeight, setHeight] = useState(readHeight);
  return {
    columns,
    rowHeight,
    toggleColumn: (name) => {
      const next = new Set(columns);
      if (!next.delete(name)) next.add(name);
      keep(columnsKey, [...next].join(' '));
      setColumns(next);
    },
    setRowHeight: (px) => {
      keep(heightKey, String(px));
      setHeight(px);
    },
  };
}

function readColumns(): ReadonlySet<ColumnName> {
  const kept = recall(columnsKey)?.split(' ');
  if (kept === undefined) return new Set(shownAtFirst);
  return new Set(allColumns.map(({ name }) => name).filter((name) => name === 'time' || kept.includes(name)));
}

function readHeight(): number {
  const kept = Number(recall(heightKey));
  return rowHeights.find(({ px }) => px === kept)?.px ?? 29;
}
