import type { KeyboardEvent } from 'react';
import { useWindow } from '../../state/services.ts';
import { keyOf, sessionShortcuts } from '../session-shortcuts.ts';
import type { Entry, ListRow } from './list-rows.ts';

interface ListKeyActions {
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
  copyLine: (row: ListRow) => void;
  remove: (row: ListRow) => void;
}

/** What keys do while the list has the focus. */
export function useListShortcuts(list: ListKeyActions): (event: KeyboardEvent) => void {
  const letterKeys = useWindow((state) => state.letterKeys);
  return (event) => {
    // A button or a field in a row has its own keys.
    if (event.target !== event.currentTarget) return;
    const name = keyOf(event, sessionShortcuts.list, letterKeys);
    const act = name === null ? undefined : actsOf(list)[name];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function actsOf(list: ListKeyActions): Partial<Record<keyof typeof sessionShortcuts.list, (() => void) | undefined>> {
  const { entries, activeIndex } = list;
  const entry = entries[activeIndex];
  const down = (): void => list.move(activeIndex + 1);
  const up = (): void => list.move(activeIndex - 1);
  const all = {
    ...{ down, downLetter: down, up, upLetter: up },
    first: () => list.move(0),
    last: () => list.move(entries.length - 1),
    open: () => {
      if (entry?.kind === 'row') list.open(entry);
      else if (entry?.kind === 'group') list.toggle(entry, !entry.isOpen);
      else if (entry?.kind === 'older') list.showOlder(entry.group);
    },
    openGroup: entry?.kind === 'group' ? () => list.toggle(entry, true) : undefined,
    closeGroup: entry?.kind === 'group' ? () => list.toggle(entry, false) : toGroup(list),
  };
  if (entry?.kind !== 'row') return all;
  return {
    ...all,
    pin: () => list.pin(entry.row),
    rename: () => list.rename(entry.key),
    copyLine: () => list.copyLine(entry.row),
    remove: () => list.remove(entry.row),
    menu: () => list.menu(entry.key, entry.row),
  };
}

/** Moves from a row to the head of its group, as in every tree. */
function toGroup({ entries, activeIndex, move }: ListKeyActions): (() => void) | undefined {
  const group = entries.findLastIndex(({ kind }, index) => kind === 'group' && index < activeIndex);
  return group === -1 ? undefined : () => move(group);
}
