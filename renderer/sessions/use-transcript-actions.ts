import { useEffect, useMemo } from 'react';
import { t } from '../../app/language/translate.ts';
import { agentWords } from '../../app/words/agents.ts';
import { settingsOfUsedUp } from '../../app/words/own-limits.ts';
import { goOnWords } from '../../app/words/sessions.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useActions } from '../state/actions.ts';
import { copyText } from '../state/copy-text.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices } from '../state/services.ts';
import { askAgain } from './again-menus.tsx';
import { filesWritten } from './changes/change-rows.ts';
import { askGoBack, askUndoTurn } from './changes/session-dialog.ts';
import { toComposer, useFork } from './composer/open-session.ts';
import { bringBack } from './composer/use-draft.ts';
import type { ListRow } from './list/list-rows.ts';
import { absolute, isInFolders } from './paths.ts';
import type { PromptBlock, Turn } from './state/conversation.ts';
import { useEditCount, useSessionActions } from './state/hooks.ts';
import { sessionsOf } from './state/sessions-feed.ts';
import { showTemplates } from './templates/known-templates.ts';
import { PathsThere } from './text/paths-there.ts';
import { turnReport } from './transcript/failure-words.ts';
import type { TranscriptActions } from './transcript/transcript-context.ts';

/** What can be done from a session's transcript, as far as it can be done here. */
export function useTranscriptActions(
  { id, held, folder }: Pick<ListRow, 'id' | 'held' | 'folder'>,
  openChanges: (turn: string | null) => void,
): TranscriptActions {
  const services = useServices();
  const actions = useSessionActions();
  const fork = useFork();
  const { openConfirmed } = useActions();
  const isHeld = held !== null;
  const agent = held?.agent ?? 'claude';
  const isSignedOut = useApp().status === 'signed-out';
  const isAtRest = held === null || ['idle', 'unloaded', 'provisional'].includes(held.state);
  const there = usePathsThere(id, [folder ?? '', ...(held?.directories ?? [])]);
  const edits = useEditCount(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: edits and commands make files.
  useEffect(() => there.filesChanged(), [there, edits, isAtRest]);
  return useMemo(() => {
    const turnOf = (turnId: string): Turn | undefined =>
      sessionsOf(services)
        .store.getState()
        .conversations.get(id)
        ?.conversation?.turns.find((turn) => turn.id === turnId);
    const writeBack = (prompt: readonly PromptBlock[]): void => {
      bringBack(services, { id, cwd: folder ?? '' }, prompt);
      toComposer();
    };
    const sendAgain = (turnId: string): void => {
      const prompt = turnOf(turnId)?.prompt ?? null;
      if (prompt !== null) void actions.send(id, [...prompt]);
    };
    /** What else waits in the queue comes after it. */
    const compactFirst = async (turnId: string): Promise<void> => {
      const prompt = turnOf(turnId)?.prompt ?? null;
      if (prompt === null || !(await actions.compact(id))) return;
      const again = crypto.randomUUID();
      if (await actions.send(id, [...prompt], again)) await actions.orderQueue(id, [again]);
    };
    const toSettings = (part = 'sessions'): void => go({ place: 'settings', part });
    const { showFile } = actions;
    const always: TranscriptActions = {
      openAddress: openConfirmed,
      ...(showFile === null
        ? {}
        : {
            openPath: (path, line) => void showFile({ session: id, path, ...(line === null ? {} : { line }) }),
            openFolder: () => void showFile({ session: id, path: null }),
            there,
          }),
      showRequest: (requestId) => go({ place: 'requests', part: requestId }),
      showRequests: (turnId) => {
        const { bridge } = services;
        void turnQuery(bridge, id, turnOf(turnId)).then((query) => go({ place: 'requests', query }));
      },
    };
    if (!isHeld) return always;
    return {
      ...always,
      // While nobody is signed in, it would fail in the same way.
      ...(isSignedOut ? { signIn: () => go({ place: 'sign-in' }) } : { tryAgain: sendAgain }),
      goOn: () => void actions.send(id, [{ type: 'text', text: goOnWords }]),
      continueLater: () => void actions.continueLater(id),
      dontContinue: () => void actions.dontContinue(id),
      tryAgainWithModel: (turnId, button) => {
        const chosen = (model: string): void => {
          void actions.choose(id, { model }).then((isDone) => {
            if (isDone) sendAgain(turnId);
          });
        };
        askAgain({ kind: 'model', session: id, turn: turnId, button, chosen });
      },
      compactAndTryAgain: (turnId) => void compactFirst(turnId),
      forkEarlier: (turnId, button) => {
        const chosen = (earlier: string): void => void fork.from(id, earlier);
        askAgain({ kind: 'fork', session: id, turn: turnId, button, chosen });
      },
      showSettings: () => toSettings(),
      showLimits: () => toSettings(settingsOfUsedUp(services.store.getState().app?.ownLimits ?? [])),
      chooseAgent: () => toSettings(),
      copyReport: (turnId) => {
        const turn = turnOf(turnId);
        if (turn === undefined) return;
        const { app } = services.store.getState();
        const listed = sessionsOf(services).store.getState().listed?.get(id);
        const about = {
          version: app?.version ?? 'unknown',
          agent: agentWords(agent).title,
          agentVersion: listed?.version ?? null,
          system: navigator.userAgent,
        };
        void copyText(services.store, turnReport(turn, about), t('Copied for a bug report'));
      },
      changePrompt: (turnId) => {
        const prompt = turnOf(turnId)?.prompt ?? null;
        if (prompt !== null) writeBack(prompt);
      },
      stop: () => void actions.stop(id),
      saveTemplate: (text) => showTemplates(id, { kind: 'edit', text, before: null }),
      fork: (turnId) => void fork.from(id, turnId),
      undoTurn: (turnId) => askUndoTurn({ session: id, turn: turnId }),
      showInChanges: (turnId) => openChanges(turnId),
      ...(isAtRest
        ? {
            goBack: (turnId: string) =>
              askGoBack({
                ...{ session: id, turn: turnId, at: turnOf(turnId)?.startedAt ?? null },
                done: ({ prompt }) => writeBack(prompt),
              }),
          }
        : {}),
    };
  }, [services, actions, fork, openConfirmed, id, folder, agent, isHeld, isAtRest, isSignedOut, openChanges, there]);
}

/** Files in these folders of a session, and such as it wrote elsewhere. */
function usePathsThere(session: string, folders: readonly string[]): PathsThere {
  const services = useServices();
  const known = folders.join('\n');
  return useMemo(() => {
    const of = known.split('\n');
    return new PathsThere(async (paths) => {
      const { conversation = null } = sessionsOf(services).store.getState().conversations.get(session) ?? {};
      const written = conversation === null ? new Set<string>() : filesWritten(conversation);
      // Where that can't be asked, a click says what is there.
      const found = await services.bridge.namedPaths({ session, paths }).catch(() => []);
      return paths.map((path, index) => {
        const isTheirs = isInFolders(path, of) || written.has(absolute(of[0] ?? '', path));
        return isTheirs && found[index] !== 'gone';
      });
    });
  }, [services, session, known]);
}

/** What finds the requests of a session that its sums count. */
export const countedRequests = (session: string): string => `session:${session} -is:no-charge`;

/** A longer query would be slow to look for. */
const mostIds = 200;

/**
 * What finds the requests of a turn in the list of requests: those that its sum counts, and those that were refused. Of
 * one that was led elsewhere, those of its prompts; those of its session where more isn’t known.
 */
export async function turnQuery(
  bridge: Pick<Bridge, 'sessionTurns'>,
  session: string,
  turn: Pick<Turn, 'id' | 'number' | 'state' | 'promptIds' | 'requestIds'> | undefined,
): Promise<string> {
  if (turn === undefined) return countedRequests(session);
  const { id, number } = turn;
  const asked = number === null ? [] : bridge.sessionTurns({ session, before: number + 1, limit: 1 }).catch(() => []);
  const { promptIds, requestIds } = (await asked).find((row) => row.id === id) ?? turn;
  // More may come while it runs; some, as for a title, belong to no prompt.
  if (turn.state !== 'running' && requestIds.length > 0 && requestIds.length <= mostIds)
    return `id:${requestIds.join(',')}`;
  return promptIds.length === 0 ? countedRequests(session) : `session:${session} prompt:${promptIds.join(',')}`;
}
