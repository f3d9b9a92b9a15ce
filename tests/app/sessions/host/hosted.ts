import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import { onTestFinished } from 'vitest';
import type { SessionHolder } from '../../../../app/api/session-list.ts';
import type { SessionEvent } from '../../../../app/api/sessions.ts';
import type { AgentDescription } from '../../../../app/sessions/agents/agent.ts';
import { claudeFacts } from '../../../../app/sessions/agents/claude/facts.ts';
import type { HostedSession } from '../../../../app/sessions/host/hosted-session.ts';
import type { PastTurn } from '../../../../app/sessions/host/past-turns.ts';
import { SessionHost, type SessionHostDependencies } from '../../../../app/sessions/host/session-host.ts';
import type { HostSettings } from '../../../../app/sessions/running/dependencies.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { settingsSchema } from '../../../../app/settings/schema.ts';
import { until } from '../../../soon.ts';
import { collectingLog, fakeClock, temporaryFolder } from '../../history/surroundings.ts';
import { FakeAgent } from './fake-agent.ts';

export const text = (words: string) => [{ type: 'text', text: words }];

/** A host over a store on disk and a fake agent. */
export class Hosted {
  readonly folder: string;
  readonly cwd: string;
  readonly agent = new FakeAgent();
  readonly clock = fakeClock();
  readonly log = collectingLog();
  readonly minted: string[] = [];
  readonly revoked: string[] = [];
  readonly events: SessionEvent[] = [];
  readonly states: string[] = [];
  settings: HostSettings = { ...settingsSchema.parse({}).sessions, atOnce: 4, model: null, effort: null };
  baseUrl: string | null = 'http://127.0.0.1:1';
  holder: SessionHolder | null = null;
  isOffline = false;
  /** How often a message was said to wait for the connection. */
  awaited = 0;
  /** Of ours, for every session. */
  servers: McpServer[] = [];
  /** What the agent's own conversations have, by its ids of them. */
  readonly past = new Map<string, PastTurn[]>();
  store: SessionStore;
  host: SessionHost;
  #restarts = 0;

  constructor(dependencies: Partial<SessionHostDependencies> = {}) {
    this.folder = temporaryFolder();
    this.cwd = join(this.folder, 'project');
    mkdirSync(this.cwd);
    this.store = this.#open();
    this.host = this.#start(dependencies);
    onTestFinished(async () => {
      const ended = this.host.shutdown();
      for (const process of this.agent.processes) process.die();
      await ended;
      this.store.close();
    });
  }

  #open(): SessionStore {
    return new SessionStore(this.#file, { clock: this.clock, log: this.log });
  }

  #start(dependencies: Partial<SessionHostDependencies> = {}): SessionHost {
    const host = new SessionHost({
      ...{
        store: this.store,
        clock: this.clock,
        log: this.log,
        agents: [{ description: this.#agentUntil(this.#restarts), reader: claudeFacts }],
      },
      keys: {
        mint: (id) => {
          this.minted.push(id);
          return `key-of-${id}-${this.minted.length}`;
        },
        revoke: (id) => this.revoked.push(id),
      },
      claudeFolder: join(this.folder, '.claude'),
      environment: { PATH: process.env.PATH },
      mcpServers: () => this.servers,
      heldElsewhere: async () => this.holder,
      outside: this,
      connectionAwaited: () => {
        this.awaited += 1;
      },
      foreign: async () => null,
      past: async (id) => this.past.get(id) ?? null,
      rowsOf: () => [],
      ...dependencies,
    });
    host.takeOver();
    const starts = this.#restarts;
    host.listen((event) => {
      if (starts !== this.#restarts) return;
      if (event.event === 'session-event') this.events.push(event.entry);
      if (event.event === 'session') this.states.push(event.session.state);
    });
    return host;
  }

  /**
   * As after a kill: a new process opens what was on disk in that moment. What the old one still does goes to a file of
   * its own, and belongs to no session.
   */
  restart(dependencies: Partial<SessionHostDependencies> = {}): void {
    const { host, store } = this;
    onTestFinished(async () => {
      await host.shutdown();
      store.close();
    });
    const left = this.#file;
    this.#restarts += 1;
    for (const end of ['', '-wal']) if (existsSync(left + end)) copyFileSync(left + end, this.#file + end);
    this.store = this.#open();
    this.host = this.#start(dependencies);
    for (const process of this.agent.processes.splice(0)) process.die();
  }

  get #file(): string {
    return join(this.folder, `sessions-${this.#restarts}.db`);
  }

  /** The fake agent, which does nothing more for a host that counts as killed. */
  #agentUntil(restarts: number): AgentDescription {
    const { agent } = this;
    return {
      ...{
        name: agent.name,
        title: agent.title,
        modes: agent.modes,
        respectsTrust: agent.respectsTrust,
        mcp: agent.mcp,
        takesPlugins: agent.takesPlugins,
      },
      models: () => agent.models(),
      availability: () => agent.availability(),
      fetch: () => agent.fetch(),
      prepare: (start) => agent.prepare(start),
      connect: async (handlers) => {
        const process = await agent.connect(handlers);
        if (restarts === this.#restarts) return process;
        process.die();
        throw new Error('The host was killed.');
      },
    };
  }

  create(id?: string): HostedSession {
    return this.host.create({ cwd: this.cwd, ...(id === undefined ? undefined : { id }) });
  }

  kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }

  of(kind: SessionEvent['kind']): unknown[] {
    return this.events.filter((event) => event.kind === kind).map(({ event }) => event);
  }

  /** The end of a turn, as it is told. */
  async ended(turnId: string): Promise<{ state: string; stopReason: string | null; problem: unknown }> {
    const event = await until(
      () => this.events.find((event) => event.kind === 'turn-ended' && event.turnId === turnId),
      () => this.kinds(),
    );
    return event.event as { state: string; stopReason: string | null; problem: unknown };
  }

  /** A question that waits, as it is told. */
  async question(
    nth = 0,
  ): Promise<{ id: string; kind: string; child: string | null; request: Record<string, unknown> }> {
    const event = await until(
      () => this.of('question')[nth],
      () => this.kinds(),
    );
    return event as Awaited<ReturnType<Hosted['question']>>;
  }
}
