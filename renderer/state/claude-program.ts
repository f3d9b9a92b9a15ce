import { useCallback, useState } from 'react';
import type { AgentState } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { useAgents } from './agents.ts';
import { useServices } from './services.ts';
import type { WindowState } from './window-state.ts';

/** Why the last choice was not taken. */
type ChoiceFailure =
  | { kind: 'other-program'; text: string }
  | { kind: 'altered' }
  | { kind: 'not-fetched'; text: string }
  | { kind: 'not-updated'; text: string }
  | { kind: 'not-chosen'; text: string };

export interface ClaudeProgram {
  /** Null until it is known. */
  claude: AgentState | null;
  /** Why it couldn’t be asked for. */
  unknown: string | null;
  failure: ChoiceFailure | null;
  /** Resolves once it is over: true where it is chosen. */
  choose: (from: 'own' | 'fetched') => Promise<boolean>;
  stop: () => void;
  /** Asks for a file in the system's own dialog; null in a browser. */
  chooseFile: (() => Promise<boolean>) | null;
  /** Takes the copy away. */
  remove: () => Promise<boolean>;
  /** Fetches what is missing for what was chosen. */
  fetch: () => Promise<boolean>;
  /** Asks the registry for a newer copy. */
  findNewer: () => Promise<void>;
  /** What it said: the newest there is; null if it was not asked, or there is a newer one. */
  newest: string | null;
  /** Fetches the newer copy. */
  update: () => Promise<boolean>;
}

/** The Claude Code that this window's sessions run, and how to change it. */
export function useClaudeProgram(): ClaudeProgram {
  const { bridge } = useServices();
  const { agents, unknown } = useAgents();
  const claude = agents?.find(({ name }) => name === 'claude') ?? null;
  const [refused, setRefused] = useState<ChoiceFailure | null>(null);
  const [newest, setNewest] = useState<string | null>(null);
  const tried = useCallback(async (work: Promise<unknown>): Promise<boolean> => {
    setRefused(null);
    try {
      return (await work) !== false;
    } catch (error) {
      setRefused(refusalOf(error));
      return false;
    }
  }, []);
  const { chooseClaudeFile } = bridge;
  const failure = claude?.failure ?? null;
  return {
    ...{ claude, unknown, newest },
    failure: failure === null ? refused : fetchFailure(failure),
    choose: useCallback((from) => tried(bridge.chooseAgent('claude', from)), [bridge, tried]),
    // Where nothing is fetched any more there is nothing to end.
    stop: useCallback(() => void bridge.stopFetching('claude').catch(() => {}), [bridge]),
    remove: useCallback(() => tried(bridge.removeAgentCopy('claude')), [bridge, tried]),
    fetch: useCallback(() => tried(bridge.fetchAgent('claude')), [bridge, tried]),
    findNewer: useCallback(async () => {
      setNewest(null);
      setRefused(null);
      try {
        const { version, isNewer } = await bridge.findNewerAgent('claude');
        if (!isNewer) setNewest(version);
      } catch (error) {
        const remedy = error instanceof BridgeError ? error.remedy : '';
        const text = error instanceof Error ? error.message : String(error);
        setRefused({ kind: 'not-updated', text: `${text} ${remedy}`.trim() });
      }
    }, [bridge]),
    update: useCallback(() => {
      setNewest(null);
      return tried(bridge.updateAgent('claude'));
    }, [bridge, tried]),
    chooseFile: chooseClaudeFile === null ? null : () => tried(chooseClaudeFile()),
  };
}

function fetchFailure({ code, text, remedy }: { code: string; text: string; remedy: string }): ChoiceFailure {
  if (code === 'fetch-altered') return { kind: 'altered' };
  const kind = code === 'fetch-unusable' || code === 'fetch-unsigned' ? 'not-updated' : 'not-fetched';
  return { kind, text: `${text} ${remedy}`.trim() };
}

/** What is fetched says itself why it came to nothing. */
function refusalOf(error: unknown): ChoiceFailure | null {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof BridgeError)) return { kind: 'not-chosen', text };
  if (error.code === 'cancelled') return null;
  if (error.code === 'not-the-program') return { kind: 'other-program', text };
  return { kind: 'not-chosen', text: `${text} ${error.remedy}`.trim() };
}

/** What happened, and more about it. */
export function failureWords(failure: ChoiceFailure | null): { title: string; text: string } | null {
  switch (failure?.kind) {
    case undefined:
      return null;
    case 'altered':
      return { title: t('The checksum doesn’t match.'), text: t('Nothing was saved.') };
    case 'not-fetched':
      return { title: t('The copy couldn’t be fetched.'), text: failure.text };
    case 'not-updated':
      return { title: t('Not updated.'), text: failure.text };
    case 'other-program':
      return { title: t('This file isn’t Claude Code.'), text: failure.text };
    case 'not-chosen':
      return { title: t('This one can’t be used.'), text: failure.text };
  }
}

/** Claude Code may ask Anthropic about pages, or Anthropic is asked to search. */
export function asksAnthropic({ preferences }: WindowState): boolean {
  return preferences?.sessions.webFetchPreflight === true || preferences?.search.engines.includes('anthropic') === true;
}
