import { More } from '../parts/icons.tsx';
import { isMac } from '../parts/keys.ts';
import { MenuButton, type MenuItem } from '../parts/menu.tsx';
import { useLog, useServices, useWindow } from '../state/services.ts';
import { allColumns, type ColumnName } from './columns.ts';
import { headOf } from './head.tsx';
import {
  canBeHidden,
  type ListSettings,
  lacksRoom,
  noRoom,
  rowHeights,
  type Sorting,
  toggled,
} from './list-settings.ts';
import type { SavedFilter } from './saved-filters.tsx';

interface MoreActionsProps {
  settings: ListSettings;
  /** The columns that have room; null before the list is drawn. */
  fitted: readonly ColumnName[] | null;
  sorting: Sorting;
  sortBy: (column: ColumnName) => void;
  chargeHead: string;
  query: string;
  saved: readonly SavedFilter[];
  search: (query: string) => void;
  clear: () => void;
  mark: () => void;
  ask: (what: 'keys' | 'columns' | 'filter') => void;
  deleteHistory: () => void;
}

/** What is done to the list now and then. */
export function MoreActions(props: MoreActionsProps) {
  const { settings, sorting, query, saved, ask } = props;
  const { log } = useServices();
  const { cleared, marks, known } = useLog();
  const letterKeys = useWindow((state) => state.letterKeys);
  const reading = useWindow((state) => state.history === 'first');
  const { columns, changeColumns } = settings;
  const titles = new Map(allColumns.map((column) => [column.name, headOf(column, props.chargeHead)]));
  const titleOf = (name: ColumnName): string => titles.get(name) ?? name;
  const items: MenuItem[] = [
    { label: 'Clear list', run: props.clear, hint: isMac() ? '⇧⌘K' : 'Ctrl+Shift+K' },
    ...(cleared > 0 ? [{ label: 'Show cleared', run: () => log.showCleared() }] : []),
    { label: 'Mark here', run: props.mark, disabled: known === 0 },
    ...(marks.length > 0 ? [{ label: 'Remove marks', run: () => log.removeMarks() }] : []),
    'separator',
    { label: 'Save filter…', run: () => ask('filter'), disabled: query.trim() === '' },
    ...(saved.length === 0
      ? []
      : [
          {
            label: 'Saved filters',
            items: [
              ...saved.map((one) => ({
                label: one.name,
                checked: one.query === query.trim(),
                run: () => props.search(one.query),
              })),
              'separator' as const,
              { label: 'Remove…', run: () => ask('filter') },
            ],
          },
        ]),
    'separator',
    {
      label: 'Columns',
      items: [
        ...columns
          .filter(({ name }) => canBeHidden(name))
          .map((choice) => ({
            label: titleOf(choice.name),
            checked: choice.shown,
            ...(lacksRoom(choice, props.fitted) ? { below: noRoom } : {}),
            stays: true,
            run: () => changeColumns((now) => toggled(now, choice.name)),
          })),
        'separator' as const,
        { label: 'Arrange…', run: () => ask('columns') },
      ],
    },
    {
      label: 'Sort by',
      items: columns
        .filter(({ shown }) => shown)
        .map(({ name }) => ({
          label: sorting.column === name && sorting.descending ? `${titleOf(name)}, descending` : titleOf(name),
          checked: sorting.column === name,
          run: () => props.sortBy(name),
        })),
    },
    {
      label: 'Row height',
      items: rowHeights.map(({ name, px }) => ({
        label: `${name} ${px} px`,
        checked: settings.rowHeight === px,
        run: () => settings.setRowHeight(px),
      })),
    },
    'separator',
    { label: 'Delete history…', run: props.deleteHistory, disabled: reading || known === 0 },
    { label: 'Keys', run: () => ask('keys'), ...(letterKeys ? { hint: '?' } : {}) },
  ];
  return <MenuButton label="More actions" icon={<More size={16} />} items={items} />;
}
