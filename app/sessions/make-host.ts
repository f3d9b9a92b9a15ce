import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { AppEvent } from '../api/events.ts';
import type { Exchange } from '../api/exchange.ts';
import type { SessionHolder } from '../api/session-list.ts';
import { mcpAddress, mcpName } from '../clients/mcp.ts';
import { t } from '../language/translate.ts';
import type { Log, Paths, Trash } from '../ports.ts';
import type { AgentDescription, AgentName, SessionKeys } from './agents/agent.ts';
import { type FactReader, plainFacts } from './agents/agent-facts.ts';
import { type AgentsDependencies, createAgents } from './agents/agents.ts';
import { claudeFacts } from './agents/claude/facts.ts';
import { holderIn } from './agents/claude/open-sessions.ts';
import { writeVersions } from './edits/edited-files.ts';
import { AgentStates } from './host/agent-states.ts';
import type { SessionAnswersDependencies } from './host/answers.ts';
import { SessionHost } from './host/session-host.ts';
import type { Outside } from './running/dependencies.ts';
import { cancelled, SessionError } from './session/error.ts';
import type { SessionFiles } from './session-files.ts';
import { SessionStoreError } from './store/session-database.ts';
import { agentIdOf } from './store/session-rows.ts';

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

interface DeletionDependencies {
  host: Pick<SessionHost, 'held' | 'dispose' | 'leads'>;
  files: SessionFiles;
  agents: readonly AgentDescription[];
  log: Log;
  paths: Pick<Paths, 'home'>;
  /** Undefined: this machine has none. */
  trash: Trash | undefined;
  /** Another program that has the session open now; null if none. */
  heldElsewhere(agentSessionId: string): Promise<SessionHolder | null>;
}

/**
 * Puts the conversation of a session into the trash of this machine, with the versions kept for undo, and forgets what
 * else is kept of it. What runs of it is stopped first. Files that the agent changed stay, and so do its rows in the
 * log. Where a step fails, what is left is still there, and the next try goes on with it.
 */
async function deleteSession(given: DeletionDependencies, id: string): Promise<void> {
  const { host, files, log } = given;
  const { store } = files;
  if (!store.mayWrite) throw new SessionStoreError('another Jumpseat owns it');
  const row = store.sessions.find(id);
  const agentId = agentIdOf(row) ?? id;
  const agent = given.agents.find(({ name }) => name === row?.agent);
  const isHeld = host.held().some((session) => session.id === id);
  const holder = await given.heldElsewhere(agentId);
  // A terminal is never our own process.
  if (holder !== null && (holder.program === 'terminal' || !host.leads(agentId))) {
    const message = t('The session is open in another program (process {pid}).', { pid: holder.pid });
    throw new SessionError('elsewhere', message, t('Close it there first.'));
  }
  await host.dispose(id, cancelled(t('The session was deleted.')));
  const entry = await files.transcripts.find(agentId);
  if (!isHeld && row === null && entry === null) {
    throw new SessionError('no-session', t('There is no such session.'), t('Choose another session.'));
  }
  const paths = (await agent?.conversationFiles?.(agentId)) ?? (entry === null ? [] : pathsOf(entry.path));
  for (const path of paths) await toTrash(given.trash, path);
  const folder = join(given.paths.home, `Versions of session ${id.slice(0, 8)}`);
  try {
    if (await writeVersions(store, id, folder)) await toTrash(given.trash, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (entry !== null) {
    await files.transcripts.look(entry.path);
    files.search.forgetFile(entry.path);
  }
  // It may have been opened meanwhile: what is in memory of it would bring its row back.
  await host.dispose(id);
  store.forget(id);
  log.write('info', 'session-deleted', { files: paths.length });
}

/** Files of a conversation and its subagents are in a folder of the same name beside it. */
function pathsOf(transcript: string): string[] {
  const beside = transcript.replace(/\.jsonl$/, '');
  return existsSync(beside) ? [transcript, beside] : [transcript];
}

async function toTrash(trash: Trash | undefined, path: string): Promise<void> {
  try {
    if (trash === undefined) throw new Error('there is no trash here');
    await trash(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = t('The session couldn’t be moved to the trash: {why}.', { why });
    throw new SessionError('not-deleted', message, t('Try again, or delete its file yourself.'), { cause: error });
  }
}
