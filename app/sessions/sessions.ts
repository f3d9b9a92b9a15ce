import { dirname } from 'node:path';
import type { AnswersTo } from '../api/app.ts';
import type { sessionCalls } from '../api/calls/sessions.ts';
import type { Exchange } from '../api/exchange.ts';
import type { SessionSettings } from '../api/settings.ts';
import { claudeSettingsPath } from '../claude-code/settings-file.ts';
import type { AgentDescription, AgentName } from './agents/agent.ts';
import type { FactReader } from './agents/agent-facts.ts';
import { type AgentsDependencies, createAgents } from './agents/agents.ts';
import { claudeFacts } from './agents/claude/facts.ts';
import { openSession } from './agents/claude/open-sessions.ts';
import { sweepLeftOvers } from './agents/left-overs.ts';
import { plainFacts } from './agents/plain-facts.ts';
import type { SessionKeys } from './agents/session-keys.ts';
import type { HostEvent } from './host/host-parts.ts';
import { type SessionAnswersDependencies, sessionAnswers } from './host/session-answers.ts';
import { SessionHost } from './host/session-host.ts';
import type { SessionFiles } from './session-files.ts';

export interface SessionsDependencies extends AgentsDependencies {
  /** Instead of those of this machine. */
  agents?: readonly AgentDescription[];
  files: SessionFiles;
  keys: SessionKeys;
  /** Where our proxy listens; null: it is off. */
  baseUrl(): string | null;
  settings(): SessionSettings;
  tell(event: HostEvent): void;
}

const readers: Record<AgentName, FactReader> = { claude: claudeFacts, codex: plainFacts };

/** The sessions of this process: its agents and their host, made when somebody asks for them first. */
export class Sessions {
  readonly #given: SessionsDependencies;
  readonly answers: AnswersTo<typeof sessionCalls>;
  #made: SessionAnswersDependencies | null = null;
  #isClosed = false;

  constructor(given: SessionsDependencies) {
    this.#given = given;
    this.answers = sessionAnswers(() => this.#make());
  }

  get host(): SessionHost {
    return this.#make().host;
  }

  /** The folder is this process's from now on: what a process before this one left under way is closed. */
  takeOver(): void {
    void sweepLeftOvers(this.#given.clock).catch(() => undefined);
    this.#made?.host.takeOver();
  }

  /** Rows of sessions carry the session's id as their client. */
  exchangeChanged(exchange: Exchange): void {
    this.#made?.host.exchangeChanged(exchange);
  }

  /** How many are held, by what they do. */
  states(): Map<string, number> {
    const states = new Map<string, number>();
    for (const { state } of this.#made?.host.held() ?? []) states.set(state, (states.get(state) ?? 0) + 1);
    return states;
  }

  /** Ends all sessions and the processes of their agents, within a deadline. What is on disk stays. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#made?.host.shutdown();
  }

  #make(): SessionAnswersDependencies {
    if (this.#made !== null) return this.#made;
    if (this.#isClosed) throw new Error('The sessions were closed.');
    const { files, keys, clock, log, settings, baseUrl, tell } = this.#given;
    const agents = this.#given.agents ?? Object.values(createAgents(this.#given));
    const { store } = files;
    const claudeFolder = dirname(claudeSettingsPath(this.#given.environment, this.#given.userHome));
    const host = new SessionHost({
      ...{ store, clock, log, keys, settings, baseUrl },
      agents: agents.map((description) => ({ description, reader: readers[description.name] })),
      mcpServers: () => [],
      heldElsewhere: (id) => openSession(claudeFolder, id),
      foreign: async (id) => {
        const found = await files.transcripts.find(id);
        return found?.cwd == null ? null : { agent: 'claude', cwd: found.cwd };
      },
    });
    host.takeOver();
    host.listen(tell);
    this.#made = { host, store, agents };
    return this.#made;
  }
}
