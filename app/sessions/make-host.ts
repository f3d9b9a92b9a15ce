import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { AppEvent } from '../api/events.ts';
import type { Exchange } from '../api/exchange.ts';
import { mcpAddress, mcpName } from '../clients/mcp.ts';
import type { Trash } from '../ports.ts';
import type { AgentDescription, AgentName, SessionKeys } from './agents/agent.ts';
import { type FactReader, plainFacts } from './agents/agent-facts.ts';
import { type AgentsDependencies, createAgents } from './agents/agents.ts';
import { claudeFacts } from './agents/claude/facts.ts';
import { holderIn } from './agents/claude/open-sessions.ts';
import { deleteSession } from './delete-session.ts';
import { AgentStates } from './host/agent-states.ts';
import type { SessionAnswersDependencies } from './host/answers.ts';
import { SessionHost } from './host/session-host.ts';
import type { Outside } from './running/dependencies.ts';
import type { SessionFiles } from './session-files.ts';

export interface SessionsDependencies extends AgentsDependencies {
  /** Instead of those of this machine. */
  agents?: readonly AgentDescription[];
  files: SessionFiles;
  keys: SessionKeys;
  /** What counts of the rest of the app now. `outsideChanged` is called when that is something else. */
  outside(): Outside;
  connectionAwaited(): void;
  /** The trash of this machine; undefined: there is none. */
  trash?: Trash;
  tell(event: AppEvent): void;
  /** Stores the person's choice of Claude Code. */
  keepClaudeChoice(choice: string): Promise<void>;
  /** Calls it for each request that begins, goes on or ends. Absent: there are none. */
  onExchange?(listener: (exchange: Exchange) => void): void;
  /** Rows of the log that have ended, of these clients since a time (ms). */
  rowsOf(clients: readonly string[], since: number): readonly Exchange[];
}

const readers: Record<AgentName, FactReader> = { claude: claudeFacts, codex: plainFacts };

/** The agents of this machine and the host of their sessions. Brings the protocol's library along. */
export function makeHost(given: SessionsDependencies, outside: Readonly<Outside>): SessionAnswersDependencies {
  const { files, keys, clock, log, tell } = given;
  const agents = given.agents ?? Object.values(createAgents(given));
  const { store } = files;
  const heldElsewhere = holderIn(files.claudeFolder);
  const host = new SessionHost({
    ...{ store, clock, log, keys, outside, environment: given.environment },
    agents: agents.map((description) => ({ description, reader: readers[description.name] })),
    mcpServers: (door) => (given.web.search() ? [searchServer(door)] : []),
    rowsOf: (sessionIds, since) => given.rowsOf(sessionIds, since),
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
    tell({ event: 'session-unlisted', id });
  };
  const states = new AgentStates({
    ...{ agents, clock, keepChoice: (choice) => given.keepClaudeChoice(choice) },
    tell: (agent) => tell({ event: 'agent', agent }),
  });
  return { host, store, agents, states, delete: remove };
}

/** Jumpseat's own search and pages, as a server for a session that opens it with its own key. */
function searchServer({ baseUrl, key }: { baseUrl: string; key: string }): McpServer {
  const headers = [{ name: 'Authorization', value: `Bearer ${key}` }];
  return { type: 'http', name: mcpName, url: mcpAddress({ baseUrl }), headers };
}
