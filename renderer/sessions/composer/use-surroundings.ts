import { useCallback, useMemo, useRef } from 'react';
import type { ModelRow } from '../../../app/api/models.ts';
import type { SessionOffers } from '../../../app/api/session-surroundings.ts';
import type { AgentState, Session } from '../../../app/api/sessions.ts';
import { BridgeError } from '../../bridge.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { pathsOf } from './find-files.ts';

export interface ComposerSurroundings {
  /** Null: not told yet. */
  offers: SessionOffers | null;
  models: readonly ModelRow[];
  /** Null: not known yet. */
  agents: readonly AgentState[] | null;
  isFolderGone: boolean;
  askAgain: () => void;
}

/** What is around a session that its composer offers and warns of. Asked again when its process comes or goes. */
export function useSurroundings(session: Pick<Session, 'id' | 'cwd' | 'state' | 'model'>): ComposerSurroundings {
  const { bridge } = useServices();
  const { id, cwd } = session;
  const hasProcess = session.state !== 'provisional' && session.state !== 'unloaded' && session.state !== 'starting';
  const { applied } = session.model;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a process offers other things, and another model too.
  const askOffers = useCallback(() => bridge.sessionOffers(id), [bridge, id, hasProcess, applied]);
  const offers = useAsked(askOffers);
  const models = useAsked(useCallback(async () => (await bridge.models()).models, [bridge]));
  const agents = useAsked(useCallback(() => bridge.agents(), [bridge]));
  const folder = useAsked(useCallback(() => isGone(bridge.folder(cwd)), [bridge, cwd]));
  const { again } = offers;
  const { again: agentsAgain } = agents;
  const askAgain = useCallback(() => {
    void again();
    void agentsAgain();
  }, [again, agentsAgain]);
  return {
    offers: offers.asked.last,
    models: models.asked.last ?? [],
    agents: agents.asked.last,
    isFolderGone: folder.asked.last ?? false,
    askAgain,
  };
}

async function isGone(folder: Promise<unknown>): Promise<boolean> {
  try {
    await folder;
    return false;
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'folder-gone') return true;
    throw error;
  }
}

/** So long a list of files is taken as it is, in ms. */
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
