import type { KeyboardEvent } from 'react';
import { useWindow } from '../../state/services.ts';
import type { Entry, ListRow } from './list-rows.ts';

export interface ListKeyActions {
  entries: readonly Entry[];
  /** The entry that the keys act on; -1: none. */
  activeIndex: number;
  move: (index: number) => void;
  open: (entry: Extract<Entry, { kind: 'row' }>) => void;
  toggle: (group: Extract<Entry, { kind: 'group' }>, isOpen: boolean) => void;
  showOlder: (group: string) => void;
  menu: (key: string, row: ListRow) => void;
  rename: (key: string) => void;
  pin: (row: ListRow) => void;
  remove: (row: ListRow) => void;
}

/** What keys do while the list has the focus. */
export function useListKeys(list: ListKeyActions): (event: KeyboardEvent) => void {
  const letterKeys = useWindow((state) => state.letterKeys);
  return (event) => {
    // A button or a field in a row has its own keys.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = (letterKeys ? letters(list)[event.key] : undefined) ?? keys(list, event.shiftKey)[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

type Acts = Record<string, (() => void) | undefined>;

function rowAt({ entries, activeIndex }: ListKeyActions): Extract<Entry, { kind: 'row' }> | null {
  const entry = entries[activeIndex];
  return entry?.kind === 'row' ? entry : null;
}

function letters(list: ListKeyActions): Acts {
  const row = rowAt(list);
  return {
    j: () => list.move(list.activeIndex + 1),
    k: () => list.move(list.activeIndex - 1),
    ...(row === null ? {} : { p: () => list.pin(row.row) }),
  };
}

function keys(list: ListKeyActions, shift: boolean): Acts {
  const { entries, activeIndex } = list;
  const entry = entries[activeIndex];
  const row = rowAt(list);
  return {
    ArrowDown: () => list.move(activeIndex + 1),
    ArrowUp: () => list.move(activeIndex - 1),
    Home: () => list.move(0),
    End: () => list.move(entries.length - 1),
    Enter: () => {
      if (entry?.kind === 'row') list.open(entry);
      else if (entry?.kind === 'group') list.toggle(entry, !entry.isOpen);
      else if (entry?.kind === 'older') list.showOlder(entry.group);
    },
    ArrowRight: entry?.kind === 'group' ? () => list.toggle(entry, true) : undefined,
    ArrowLeft: entry?.kind === 'group' ? () => list.toggle(entry, false) : toGroup(list),
    ...(row === null
      ? {}
      : {
          F2: () => list.rename(row.key),
          Delete: () => list.remove(row.row),
          ContextMenu: () => list.menu(row.key, row.row),
          ...(shift ? { F10: () => list.menu(row.key, row.row) } : {}),
        }),
  };
}

/** From a row to the head of its group, as in every tree. */
function toGroup({ entries, activeIndex, move }: ListKeyActions): (() => void) | undefined {
  const group = entries.findLastIndex(({ kind }, index) => kind === 'group' && index < activeIndex);
  return group === -1 ? undefined : () => move(group);
}
