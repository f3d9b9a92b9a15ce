import { useCallback, useEffect } from 'react';
import type { AgentState } from '../../app/api/sessions.ts';
import { useAsked } from './asked.ts';
import { useServices, useWindow } from './services.ts';

interface Agents {
  /** Null until it is known. */
  agents: readonly AgentState[] | null;
  /** Why they couldn’t be asked for. */
  unknown: string | null;
  again: () => Promise<void>;
}

/**
 * What can lead sessions here, as it is now: asked for when it is shown and when the app is back, and brought by events
 * after.
 */
export function useAgents(): Agents {
  const { bridge, store } = useServices();
  const agents = useWindow((state) => state.agents);
  const isLive = useWindow(({ connection }) => connection.kind === 'live');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was told while the app was away is asked for.
  const ask = useCallback(async () => store.setState({ agents: await bridge.agents() }), [bridge, store, isLive]);
  const { asked, again } = useAsked(ask);
  const isMissing = agents?.some(({ isAvailable }) => !isAvailable) === true;
  // It may have been installed in a terminal meanwhile.
  useEffect(() => {
    if (!isMissing) return;
    const look = (): void => void again();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isMissing, again]);
  const unknown = asked.kind === 'failed' && agents === null ? `${asked.text} ${asked.remedy}`.trim() : null;
  return { agents, unknown, again };
}
