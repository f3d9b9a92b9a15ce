import { v1AgentApp } from '@agentclientprotocol/claude-agent-acp/dist/acp-agent.js';
import type { AgentApp } from '@agentclientprotocol/sdk/unstable';
import type { AgentExtra } from '../../agent-extras.ts';
import { type Adapter, isAdapter, missingNames } from './adapter.ts';
import { bringPermissionWords, bringServerNames } from './questions.ts';
import { answerExtraRequests, extraNames } from './requests.ts';
import { bringSessions } from './sessions.ts';
import { nameSteeredWords } from './steering.ts';
import { tellWholePaths } from './whole-paths.ts';

/**
 * claude-agent-acp with what it lacks.
 * @param connected gets the adapter, once a client is connected
 */
export function claudeApp(connected: (adapter: Adapter) => void): AgentApp {
  let adapter: Adapter | null = null;
  const app = v1AgentApp({ log: () => undefined, error: say }, (agent: object) => {
    if (!isAdapter(agent)) throw new Error(`claude-agent-acp has changed: no ${missingNames(agent).join(', ')}.`);
    bringPermissionWords(agent);
    bringServerNames(agent);
    bringSessions(agent);
    nameSteeredWords(agent);
    tellWholePaths(agent);
    tellExtras(agent);
    agent.probeCliAuthStatus = async () => undefined;
    adapter = agent;
    connected(agent);
  });
  answerExtraRequests(app, () => {
    if (adapter === null) throw new Error('No client is connected.');
    return adapter;
  });
  return app;
}

function tellExtras(adapter: Adapter): void {
  const extras: AgentExtra[] = ['choose-id', 'permission-words', 'steer', ...extraNames];
  const initialize = adapter.initialize.bind(adapter);
  adapter.initialize = async (request) => {
    const answer = await initialize(request);
    return { ...answer, _meta: { ...answer._meta, jumpseat: { extras } } };
  };
}

/** The adapter writes each message that it does not know in full behind this, words of the conversation included. */
const unknownMessage = 'Unexpected case:';

/** Writes to stderr, whose end is kept in case the process dies. */
function say(...parts: unknown[]): void {
  const line = parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  if (!line.startsWith(unknownMessage)) process.stderr.write(`${line}\n`);
}
