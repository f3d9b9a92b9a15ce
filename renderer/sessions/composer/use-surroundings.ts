import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ModelRow } from '../../../app/api/models.ts';
import type { FolderFacts, SessionOffers } from '../../../app/api/session-surroundings.ts';
import type { AgentState, Session } from '../../../app/api/sessions.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import { useAgents } from '../../state/agents.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { pathsOf } from './mentions.ts';

export interface ComposerSurroundings {
  /** Null until it is reported. */
  offers: SessionOffers | null;
  models: readonly ModelRow[];
  /** Null until it is known. */
  agents: readonly AgentState[] | null;
  isFolderGone: boolean;
  /** Null until it is known, or if it is gone. */
  folder: FolderFacts | null;
  askAgain: () => void;
}

/** What is around a session that its composer offers and warns of. Asked again when its process comes or goes. */
export function useSurroundings(session: Pick<Session, 'id' | 'cwd' | 'state' | 'model'>): ComposerSurroundings {
  const { bridge } = useServices();
  const { cwd } = session;
  const offers = useOffers(session);
  const way = useWay();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another way to Copilot, or account, has other models.
  const models = useAsked(useCallback(async () => (await bridge.models()).models, [bridge, way]));
  const { agents, again: agentsAgain } = useAgents();
  const folder = useAsked(useCallback(() => factsOf(cwd, bridge.folder(cwd)), [bridge, cwd]));
  const { again } = offers;
  const { again: folderAgain } = folder;
  const { again: modelsAgain } = models;
  const askAgain = useCallback(() => {
    void again();
    void agentsAgain();
    void folderAgain();
    void modelsAgain();
  }, [again, agentsAgain, folderAgain, modelsAgain]);
  // Elsewhere a folder was made again, a program put in its place, a model enabled.
  useEffect(() => {
    window.addEventListener('focus', askAgain);
    return () => window.removeEventListener('focus', askAgain);
  }, [askAgain]);
  const { last } = folder.asked;
  const isKnown = last !== null && last.cwd === cwd;
  return {
    offers: offers.asked.last,
    models: models.asked.last ?? [],
    agents,
    isFolderGone: isKnown && last.facts === null,
    folder: isKnown ? last.facts : null,
    askAgain,
  };
}

/** A session's choices; null if no process of ours runs it, or they are not reported yet. */
export function useOffers(session: Pick<Session, 'id' | 'state' | 'model'> | null) {
  const { bridge, feed } = useServices();
  const id = session?.id ?? null;
  const state = session?.state ?? 'unloaded';
  const applied = session?.model.applied ?? null;
  const way = useWay();
  const hasProcess = state !== 'provisional' && state !== 'unloaded' && state !== 'starting';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another process, model or way offers other things.
  const ask = useCallback(
    async () => (id === null ? null : bridge.sessionOffers(id)),
    [bridge, id, hasProcess, applied, way],
  );
  const offered = useAsked(ask);
  const { again } = offered;
  // What was added may bring commands with the next message.
  useEffect(
    () =>
      feed.listenToSessions({
        hear: (news) => {
          if (news.event === 'session-customizations' && news.session === id) void again();
        },
        missed: () => undefined,
      }),
    [feed, id, again],
  );
  return offered;
}

/** The way to Copilot, and the account; another one has other models. */
function useWay(): string {
  return useWindow(({ app }) => {
    const window = app?.reach.kind === 'through-vscode' ? app.reach.window.kind : null;
    return `${app?.reach.kind} ${window} ${app?.accounts.find(({ isInUse }) => isInUse)?.id}`;
  });
}

/** Without facts the folder is gone. */
async function factsOf(cwd: string, asked: Promise<FolderFacts>): Promise<{ cwd: string; facts: FolderFacts | null }> {
  try {
    return { cwd, facts: await asked };
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'folder-gone') return { cwd, facts: null };
    throw error;
  }
}

/** How long a list of files is used without asking again, in ms. */
const filesAreNewFor = 15_000;

/** The paths of a session's folder, asked for when the first file is looked for. */
export function useFiles(session: string): { paths: readonly string[] | null; ask: () => void } {
  const { bridge } = useServices();
  const wanted = useRef(false);
  const askedAt = useRef(0);
  const files = useAsked(
    useCallback(async () => {
      if (!wanted.current) return null;
      return pathsOf((await bridge.sessionFiles(session)).files);
    }, [bridge, session]),
  );
  const { again } = files;
  const ask = useCallback(() => {
    if (wanted.current && Date.now() - askedAt.current < filesAreNewFor) return;
    wanted.current = true;
    askedAt.current = Date.now();
    void again();
  }, [again]);
  const paths = files.asked.last;
  return useMemo(() => ({ paths, ask }), [paths, ask]);
}
