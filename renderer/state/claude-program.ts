import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AgentState } from '../../app/api/sessions.ts';
import { BridgeError } from '../bridge.ts';
import { useAsked } from './asked.ts';
import { useServices } from './services.ts';

interface Fetching {
  isRunning: boolean;
  /** Why the last one came to nothing. */
  failure: string | null;
  /** How many have ended: what was found before is asked again. */
  ended: number;
}

/** Of the whole window: it goes on while another view is shown. */
const fetching = createStore<Fetching>(() => ({ isRunning: false, failure: null, ended: 0 }));

export interface ClaudeProgram {
  /** Null: not known yet. */
  claude: AgentState | null;
  /** Why it couldn’t be asked for. */
  unknown: string | null;
  isFetching: boolean;
  failure: string | null;
  fetch: () => void;
}

/** Which Claude Code the sessions of this window run, and the way to one where there is none. */
export function useClaudeProgram(): ClaudeProgram {
  const { bridge } = useServices();
  const { isRunning, failure, ended } = useStore(fetching);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was fetched is another answer.
  const ask = useCallback(
    async () => (await bridge.agents()).find(({ name }) => name === 'claude') ?? null,
    [bridge, ended],
  );
  const { asked, again } = useAsked(ask);
  const claude = asked.last;
  const isMissing = claude !== null && !claude.isAvailable;
  // It may have been installed in a terminal meanwhile.
  useEffect(() => {
    if (!isMissing) return;
    const look = (): void => void again();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isMissing, again]);
  const fetch = useCallback(() => {
    if (fetching.getState().isRunning) return;
    fetching.setState({ isRunning: true, failure: null });
    void bridge
      .fetchAgent('claude')
      .then(() => null, words)
      .then((why) => fetching.setState((before) => ({ isRunning: false, failure: why, ended: before.ended + 1 })));
  }, [bridge]);
  const unknown = asked.kind === 'failed' && claude === null ? `${asked.text} ${asked.mend}`.trim() : null;
  return { claude, unknown, isFetching: isRunning, failure, fetch };
}

function words(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return error instanceof BridgeError ? `${why} ${error.mend}`.trim() : why;
}
