import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { Exchange } from '../api/exchange.ts';
import type { AgentState } from '../api/sessions.ts';
import type { SessionSettings } from '../api/settings.ts';
import { mcpAddress, mcpName } from '../clients/mcp.ts';
import type { Trash } from '../ports.ts';
import type { AgentDescription, AgentName, SessionKeys } from './agents/agent.ts';
import { type FactReader, plainFacts } from './agents/agent-facts.ts';
import { type AgentsDependencies, createAgents } from './agents/agents.ts';
import { claudeFacts } from './agents/claude/facts.ts';
import { openSessions } from './agents/claude/open-sessions.ts';
import { deleteSession } from './delete-session.ts';
import { AgentStates } from './host/agent-states.ts';
import type { SessionAnswersDependencies } from './host/answers.ts';
import { SessionHost } from './host/session-host.ts';
import type { HostEvent } from './session/recorder.ts';
import type { SessionFiles } from './session-files.ts';

export interface SessionsDependencies extends AgentsDependencies {
  /** Instead of those of this machine. */
  agents?: readonly AgentDescription[];
  files: SessionFiles;
  keys: SessionKeys;
  /** Where our proxy listens; null if it is off. */
  baseUrl(): string | null;
  settings(): SessionSettings;
  isOffline(): boolean;
  connectionAwaited(): void;
  /** The trash of this machine; undefined: there is none. */
  trash?: Trash;
  tell(event: HostEvent | AgentEvent): void;
  /** Stores the person's choice of Claude Code. */
  keepClaudeChoice(choice: string): Promise<void>;
  /** Calls it for each request that begins, goes on or ends. Absent: there are none. */
  onExchange?(listener: (exchange: Exchange) => void): void;
  /** Rows of the log that have ended, of these clients since a time (ms). */
  rowsOf(clients: readonly string[], since: number): readonly Exchange[];
}

/** The state of an agent has changed. */
export interface AgentEvent {
  kind: 'agent';
  agent: AgentState;
}

const readers: Record<AgentName, FactReader> = { claude: claudeFacts, codex: plainFacts };

/** The agents of this machine and the host of their sessions. Brings the protocol's library along. */
export function makeHost(given: SessionsDependencies): SessionAnswersDependencies {
  const { files, keys, clock, log, settings, baseUrl, tell } = given;
  const agents = given.agents ?? Object.values(createAgents(given));
  const { store } = files;
  const heldElsewhere = async (id: string) => (await openSessions(files.claudeFolder)).get(id) ?? null;
  const host = new SessionHost({
    ...{ store, clock, log, keys, settings, baseUrl, environment: given.environment },
    agents: agents.map((description) => ({ description, reader: readers[description.name] })),
    mcpServers: (door) => (given.web.search() ? [searchServer(door)] : []),
    rowsOf: (sessionIds, since) => given.rowsOf(sessionIds, since),
    isOffline: () => given.isOffline(),
    connectionAwaited: () => given.connectionAwaited(),
    ...{ heldElsewhere, claudeFolder: files.claudeFolder },
    past: (agentSessionId) => files.pastOf(agentSessionId),
    foreign: async (id) => {
      const found = await files.transcripts.find(id);
      if (found?.cwd == null) return null;
      const { cwd, model, effort, createdAt } = found;
      return {
        agent: 'claude',
        cwd,
        model,
        effort,
        createdAt,
        name: found.title ?? found.agentTitle ?? found.firstPrompt,
      };
    },
  });
  host.takeOver();
  host.listen(tell);
  const { paths, trash } = given;
  const deletion = { host, files, agents, log, paths, trash, heldElsewhere };
  const remove = async (id: string): Promise<void> => {
    await deleteSession(deletion, id);
    tell({ kind: 'deleted', sessionId: id });
  };
  const states = new AgentStates({
    ...{ agents, clock, keepChoice: (choice) => given.keepClaudeChoice(choice) },
    tell: (agent) => tell({ kind: 'agent', agent }),
  });
  return { host, store, agents, states, delete: remove };
}

/** Jumpseat's own search and pages, as a server for a session that opens it with its own key. */
function searchServer({ baseUrl, key }: { baseUrl: string; key: string }): McpServer {
  const headers = [{ name: 'Authorization', value: `Bearer ${key}` }];
  return { type: 'http', name: mcpName, url: mcpAddress({ baseUrl }), headers };
}
