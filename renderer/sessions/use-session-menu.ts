import { useCallback, useMemo } from 'react';
import { createStore } from 'zustand/vanilla';
import { t } from '../../app/language/translate.ts';
import { agentWords } from '../../app/words/agents.ts';
import { idInTerminal } from '../../app/words/sessions.ts';
import type { MenuAction, MenuItem } from '../parts/menu.tsx';
import { copyResumeLine, copyText } from '../state/copy-text.ts';
import { toast } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { useServices } from '../state/services.ts';
import { askDelete, askUnload, showCustomizations, showInForce } from './changes/session-dialog.ts';
import { openSession, useFork } from './composer/open-session.ts';
import { agentOf, isRunning, isWaiting, type ListRow } from './list/list-rows.ts';
import { isBrowserWindow, keyWords, sessionShortcuts } from './session-shortcuts.ts';
import type { Conversation } from './state/conversation.ts';
import { useSessionActions } from './state/hooks.ts';
import { hasFailed } from './state/session-words.ts';
import { sessionsOf } from './state/sessions-feed.ts';
import { conversationMarkdown } from './transcript/conversation-markdown.ts';

/** The open session whose name in the head is being written; null if none is. */
export const renamedSession = createStore<{ id: string | null }>(() => ({ id: null }));

interface SessionMenu {
  pin: (row: ListRow) => void;
  rename: (row: ListRow, title: string | null) => void;
  unload: (row: ListRow) => void;
  remove: (row: ListRow) => void;
  /** What goes on with it in a terminal. */
  copyLine: (row: ListRow) => void;
  /** In a further window, or tab. */
  openBeside: (row: ListRow) => void;
  /** What its row in the list offers. */
  ofRow: (row: ListRow, startRename: () => void) => MenuItem[];
  /** What the head over the session offers, and the palette while it is open. */
  ofSession: (row: ListRow) => MenuItem[];
}

/** Why a session can't be deleted now; null if it can. */
function whyKept({ listed }: ListRow): string | null {
  return listed?.openIn == null ? null : t('It is open in another program. Close it there first.');
}

/** The id that a terminal finds it by; null if it doesn’t yet. */
const terminalId = ({ id, held, listed }: ListRow): string | null => idInTerminal(held ?? listed ?? { id });

const notThereYet = (): string => t('A terminal finds this fork once something was sent in it.');

const withProcess: ReadonlySet<string> = new Set(['starting', 'in-line', 'running', 'waiting', 'stopping', 'idle']);
const withTurn: ReadonlySet<string> = new Set(['starting', 'in-line', 'running', 'waiting']);

/** What a person can do with a session as a whole. */
export function useSessionMenu(): SessionMenu {
  const { store, bridge, health } = useServices();
  const isBrowser = isBrowserWindow(bridge);
  const actions = useSessionActions();
  const forking = useFork();
  const copyConversation = useCopyConversation();
  return useMemo(() => {
    const acts: Omit<SessionMenu, 'ofRow' | 'ofSession'> = {
      pin: ({ id, isPinned }) => void actions.pin(id, !isPinned),
      openBeside: ({ id }) => actions.openBeside(id),
      rename: ({ id }, title) => void actions.rename(id, title),
      unload: (row) => {
        if (isRunning(row) || isWaiting(row)) askUnload(row.id);
        else void actions.unload(row.id);
      },
      copyLine: (row) => {
        if (agentOf(row) !== 'claude')
          return toast(store, t('Only sessions of Claude Code can go on in a terminal.'), { kind: 'info' });
        const id = terminalId(row);
        if (id === null) return toast(store, notThereYet(), { kind: 'info' });
        void copyResumeLine({ store, health }, id, row.folder);
      },
      remove: (row) => {
        const why = whyKept(row);
        if (why !== null) return toast(store, why, { kind: 'info' });
        const done = (): void => {
          actions.readList();
          if (store.getState().route.part === row.id) go({ place: 'sessions' }, { replace: true });
        };
        askDelete({ session: row.id, title: row.title, isRunning: isRunning(row) || isWaiting(row), done });
      },
    };
    const beside = (row: ListRow): MenuAction => ({
      label: isBrowser ? t('Open in a new tab') : t('Open in a new window'),
      run: () => acts.openBeside(row),
    });
    const openFolder = ({ id }: ListRow): MenuItem[] =>
      actions.showFile === null
        ? []
        : [{ label: t('Open folder'), run: () => void actions.showFile?.({ session: id, path: null }) }];
    const pin = (row: ListRow): MenuAction => ({
      ...{ label: row.isPinned ? t('Unpin') : t('Pin'), run: () => acts.pin(row) },
    });
    // What is in the list was said elsewhere, though nothing was sent here.
    const fork = ({ id, held, listed }: ListRow): MenuItem => ({
      ...{ label: t('Fork'), run: () => void forking.fromEnd(id) },
      ...(held?.state === 'provisional' && listed === null
        ? { disabled: true, below: t('There is no answer to fork from yet.') }
        : {}),
    });
    const dismiss = (row: ListRow): MenuItem[] =>
      hasFailed(row) ? [{ label: t('Dismiss'), run: () => void actions.dismissFailure(row.id) }] : [];
    const stop = ({ id, held }: ListRow): MenuItem[] =>
      held !== null && withTurn.has(held.state) ? [{ label: t('Stop'), run: () => void actions.stop(id) }] : [];
    const rename = (run: () => void): MenuItem => ({
      label: t('Rename…'),
      run,
      hint: keyWords(sessionShortcuts.list.rename),
    });
    const requests = ({ id }: ListRow): MenuItem => ({
      ...{ label: t('Show its requests'), run: () => go({ place: 'requests', query: `session:${id}` }) },
    });
    const unload = (row: ListRow): MenuItem => ({
      label: t('Unload'),
      below: t('Ends its process. The conversation stays.'),
      run: () => acts.unload(row),
      disabled: row.held === null || !withProcess.has(row.held.state),
    });
    const remove = (row: ListRow): MenuAction => ({
      ...{
        label: t('Delete…'),
        below: whyKept(row) ?? t('Moves the conversation to the trash.'),
        run: () => acts.remove(row),
      },
      ...{ danger: true, disabled: whyKept(row) !== null },
    });
    const copyId = ({ id }: ListRow): MenuItem => ({
      ...{ label: t('Copy id'), run: () => void copyText(store, id, t('Id copied')) },
    });
    const copyLine = (row: ListRow): MenuAction => ({
      label: t('Copy the line for a terminal'),
      run: () => acts.copyLine(row),
      disabled: agentOf(row) !== 'claude' || terminalId(row) === null,
      ...(terminalId(row) === null && { below: notThereYet() }),
      ...((isRunning(row) || isWaiting(row)) && {
        below: t('Wait for this turn. Two turns at once would not know of each other.'),
      }),
    });
    const inForce = (row: ListRow): MenuItem => ({
      label: t('In force…'),
      run: () => showInForce({ session: row.id, agent: agentWords(agentOf(row)).title }),
    });
    const customizations = ({ id }: ListRow): MenuItem => ({
      ...{ label: t('Customizations…'), run: () => showCustomizations(id) },
    });
    const compact = ({ id, held }: ListRow): MenuItem => ({
      ...{ label: t('Compact now'), run: () => void actions.compact(id), disabled: held?.state !== 'idle' },
    });
    const sideQuestions = ({ id }: ListRow): MenuItem => ({
      label: t('Side questions'),
      run: () => {
        openSession(id);
        actions.showBeside(id);
      },
      hint: keyWords(sessionShortcuts.view.sideQuestions),
    });
    const find = ({ id }: ListRow): MenuItem => ({
      ...{ label: t('Find in conversation'), run: () => actions.find(id), hint: keyWords(sessionShortcuts.view.find) },
    });
    const copyAll = (row: ListRow): MenuItem => ({
      ...{ label: t('Copy conversation as Markdown'), run: () => void copyConversation(row) },
    });
    // In one order wherever it is opened.
    const menu = (row: ListRow, isOfRow: boolean, startRename: () => void): MenuItem[] => [
      ...stop(row),
      ...(isOfRow ? dismiss(row) : [find(row)]),
      sideQuestions(row),
      rename(startRename),
      { ...pin(row), ...(isOfRow && { hint: keyWords(sessionShortcuts.list.pin) }) },
      fork(row),
      compact(row),
      'separator',
      { ...beside(row), ...(!isOfRow && { hint: keyWords(sessionShortcuts.view.beside, isBrowser) }) },
      ...(isOfRow ? [] : [copyAll(row)]),
      { ...copyLine(row), ...(isOfRow && { hint: keyWords(sessionShortcuts.list.copyLine) }) },
      copyId(row),
      ...openFolder(row),
      requests(row),
      inForce(row),
      customizations(row),
      'separator',
      unload(row),
      { ...remove(row), ...(isOfRow && { hint: keyWords(sessionShortcuts.list.remove) }) },
    ];
    return {
      ...acts,
      ofRow: (row, startRename) =>
        row.listed?.problem != null
          ? [...openFolder(row), { ...remove(row), hint: keyWords(sessionShortcuts.list.remove) }]
          : menu(row, true, startRename),
      ofSession: (row) => menu(row, false, () => renamedSession.setState({ id: row.id })),
    };
  }, [actions, forking, copyConversation, store, health, isBrowser]);
}

/** More pages no conversation has. */
const mostPages = 10_000;

/** Copies an open conversation, from its first turn on, as Markdown. */
function useCopyConversation(): (row: Pick<ListRow, 'id' | 'title' | 'folder' | 'held' | 'listed'>) => Promise<void> {
  const services = useServices();
  return useCallback(
    async (row) => {
      const { id, title, folder } = row;
      const { store, feed } = sessionsOf(services);
      const now = (): Conversation | null => store.getState().conversations.get(id)?.conversation ?? null;
      for (let page = 0; page < mostPages && now()?.hasOlder === true; page += 1) {
        const before = now()?.turns.length;
        await feed.conversations.loadOlder(id).catch(() => undefined);
        if (now()?.turns.length === before) break;
      }
      const whole = now();
      if (whole === null || whole.hasOlder) {
        toast(services.store, t('The conversation couldn’t be read to its beginning. Try again.'), { kind: 'failed' });
        return;
      }
      const about = { title, folder, agent: agentWords(agentOf(row)) };
      await copyText(services.store, conversationMarkdown(about, whole), t('Conversation copied'));
    },
    [services],
  );
}
