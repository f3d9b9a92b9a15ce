import { t, translated } from '../../app/language/translate.ts';
import { More } from '../parts/icons.tsx';
import { MenuButton, type MenuItem } from '../parts/menu.tsx';
import { isMac } from '../parts/shortcuts.ts';
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
    { label: t('Clear list'), run: props.clear, hint: isMac() ? '⇧⌘K' : 'Ctrl+Shift+K' },
    ...(cleared > 0 ? [{ label: t('Show cleared'), run: () => log.showCleared() }] : []),
    { label: t('Mark here'), run: props.mark, disabled: known === 0 },
    ...(marks.length > 0 ? [{ label: t('Remove marks'), run: () => log.removeMarks() }] : []),
    'separator',
    { label: t('Save filter…'), run: () => ask('filter'), disabled: query.trim() === '' },
    ...(saved.length === 0
      ? []
      : [
          {
            label: t('Saved filters'),
            items: [
              ...saved.map((one) => ({
                label: one.name,
                checked: one.query === query.trim(),
                run: () => props.search(one.query),
              })),
              'separator' as const,
              { label: t('Remove…'), run: () => ask('filter') },
            ],
          },
        ]),
    'separator',
    {
      label: t('Columns'),
      items: [
        ...columns
          .filter(({ name }) => canBeHidden(name))
          .map((choice) => ({
            label: titleOf(choice.name),
            checked: choice.shown,
            ...(lacksRoom(choice, props.fitted) ? { below: translated(noRoom) } : {}),
            stays: true,
            run: () => changeColumns((now) => toggled(now, choice.name)),
          })),
        'separator' as const,
        { label: t('Arrange…'), run: () => ask('columns') },
      ],
    },
    {
      label: t('Sort by'),
      items: columns
        .filter(({ shown }) => shown)
        .map(({ name }) => ({
          label:
            sorting.column === name && sorting.descending
              ? t('{name}, descending', { name: titleOf(name) })
              : titleOf(name),
          checked: sorting.column === name,
          run: () => props.sortBy(name),
        })),
    },
    {
      label: t('Row height'),
      items: rowHeights.map(({ name, px }) => ({
        label: t('{name} {px} px', { name: translated(name), px }),
        checked: settings.rowHeight === px,
        run: () => settings.setRowHeight(px),
      })),
    },
    'separator',
    { label: t('Delete history…'), run: props.deleteHistory, disabled: reading || known === 0 },
    { label: t('Keys'), run: () => ask('keys'), ...(letterKeys ? { hint: '?' } : {}) },
  ];
  return <MenuButton label={t('More actions')} icon={<More size={16} />} items={items} />;
}
