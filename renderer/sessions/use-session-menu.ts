import { useMemo } from 'react';
import type { MenuItem } from '../parts/menu.tsx';
import { copyText } from '../state/copy-text.ts';
import { go } from '../state/navigation.ts';
import { useServices } from '../state/services.ts';
import { askDelete, askUnload } from './changes/session-dialog.ts';
import { isRunning, isWaiting, type ListRow } from './list/list-rows.ts';
import { useSessionActions } from './state/hooks.ts';
import { useFork } from './use-fork.ts';

export interface SessionMenu {
  pin: (row: ListRow) => void;
  rename: (row: ListRow, title: string | null) => void;
  unload: (row: ListRow) => void;
  remove: (row: ListRow) => void;
  /** What a menu of a session offers in the list and over the session. */
  items: (row: ListRow, startRename: () => void) => MenuItem[];
}

const withProcess: ReadonlySet<string> = new Set(['starting', 'in-line', 'running', 'waiting', 'stopping', 'idle']);

/** What a person can do with a session as a whole. */
export function useSessionMenu(): SessionMenu {
  const { store } = useServices();
  const actions = useSessionActions();

  const fork = useFork();

  return useMemo(() => {
    const acts: Omit<SessionMenu, 'items'> = {
      pin: ({ id, isPinned }) => void actions.pin(id, !isPinned),
      rename: ({ id }, title) => void actions.rename(id, title),
      unload: (row) => {
        if (isRunning(row) || isWaiting(row)) askUnload(row.id);
        else void actions.unload(row.id);
      },
      remove: (row) => {
        const done = (): void => {
          actions.readList();
          if (store.getState().route.part === row.id) go({ place: 'sessions' }, { replace: true });
        };
        askDelete({ session: row.id, title: row.title, isRunning: isRunning(row) || isWaiting(row), done });
      },
    };
    return {
      ...acts,
      items: (row, startRename) => [
        { label: row.isPinned ? 'Unpin' : 'Pin', run: () => acts.pin(row), hint: 'P' },
        { label: 'Rename…', run: startRename, hint: 'F2' },
        { label: 'Fork', run: () => void fork.fromEnd(row.id) },
        'separator',
        ...(actions.showFile === null
          ? []
          : [{ label: 'Open folder', run: () => void actions.showFile?.({ session: row.id, path: null }) }]),
        { label: 'Copy id', run: () => void copyText(store, row.id, 'Id copied') },
        {
          label: 'Copy the line for a terminal',
          run: () => void copyText(store, `claude --resume ${row.id}`, 'Line copied'),
          disabled: row.held !== null && row.held.agent !== 'claude',
        },
        { label: 'Show its requests', run: () => go({ place: 'requests', query: `session:${row.id}` }) },
        'separator',
        {
          label: 'Unload',
          run: () => acts.unload(row),
          disabled: row.held === null || !withProcess.has(row.held.state),
        },
        { label: 'Delete…', run: () => acts.remove(row), hint: 'Del' },
      ],
    };
  }, [actions, fork, store]);
}
