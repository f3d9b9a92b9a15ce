import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
  McpServer,
  NewSessionResponse,
  PromptResponse,
  SessionConfigOption,
} from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { SessionHolder } from '../../api/session-list.ts';
import type { OfferedModel } from '../../api/session-surroundings.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import type { AgentConnection, AgentName, SessionStart } from '../agents/agent.ts';
import { type ExtraRequests, extraMethods, type Steered, steering, toSteering } from '../agents/agent-extras.ts';
import { SessionModes } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import type { SessionBeginning, StartFacts } from '../session/kept-session.ts';
import type { Prompt } from '../session/messages.ts';
import { isUnknownSession, refusedStart } from '../session/problem.ts';
import type { AgentProcess } from './agent-process.ts';
import type { RoutedSession, SessionDependencies } from './dependencies.ts';

/** How long an ending process may still be noted as running, in ms. */
const lingersMs = 3_000;
const lookAgainMs = 100;
/** A start that was given up gets so long to come to an end, in ms; then its process is ended. */
const startEndsMs = 20_000;

interface LoaderParts {
  session(): RoutedSession;
  facts(): StartFacts;
  /** What has to be there before it can start. */
  prepare(): Promise<void>;
  /** What a person added for it. A start is under way that takes it up. */
  added(): Promise<Pick<SessionStart, 'plugins' | 'pluginsOn'> & { servers: readonly McpServer[] }>;
  /** It did not start. */
  notStarted(): void;
  /** What is done with it before it may be used. */
  started(live: LiveSession, given: StartFacts): Promise<void>;
  /** Called when it has no process any more: nothing is in force or runs. */
  unloaded(): void;
}

/**
 * The process side of one session: started once however many ask, and never while the one before it ends. So there is
 * one writer of its conversation at any time.
 */
export class Loader {
  readonly #id: string;
  readonly #agent: AgentName;
  readonly #dependencies: SessionDependencies;
  readonly #process: AgentProcess;
  readonly #given: LoaderParts;
  #loading: Promise<LiveSession> | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** How many of its processes end now. */
  #ending = 0;
  live: LiveSession | null = null;
  #baseUrl: string | null = null;
  /** What the agent's own names of models stood for when the process was started. */
  #names: readonly OfferedModel[] = [];
  #endedAt: number | null = null;

  /** @param before the end of what had its conversation open in this host before; null if nothing had */
  constructor(
    { id, agent }: Pick<SessionBeginning, 'id' | 'agent'>,
    dependencies: SessionDependencies,
    given: LoaderParts,
    before: Promise<void> | null,
  ) {
    this.#id = id;
    this.#agent = agent;
    this.#dependencies = dependencies;
    this.#process = dependencies.process(agent);
    this.#given = given;
    if (before === null) return;
    this.#ended = before.then(() => {
      this.#endedAt = dependencies.clock.ticks();
    });
  }

  /**
   * Our proxy listens elsewhere than when the process was started, so that its requests would reach nothing; or the
   * agent's own names stand for other models, as on another way to Copilot, so that it would ask for those of before.
   */
  async isStale(): Promise<boolean> {
    if (this.live === null) return false;
    if (this.#baseUrl !== this.#dependencies.outside.baseUrl) return true;
    const names = await this.#namesNow();
    // Where they can't be had now, nothing is known against those of before.
    return names.length > 0 && !isDeepStrictEqual(names, this.#names);
  }

  get isLoading(): boolean {
    return this.#loading !== null && this.live === null;
  }

  /** A terminal has opened the session that runs here: two at once would each write without the other's words. */
  async isOpenInTerminal(): Promise<boolean> {
    if (this.live === null) return false;
    return (await this.#dependencies.heldElsewhere(this.live.id))?.program === 'terminal';
  }

  /** True if a process runs or starts, or ends and may still be noted as running. */
  get hasProcess(): boolean {
    return this.#loading !== null || this.#ending > 0;
  }

  load(): Promise<LiveSession> {
    if (this.#loading !== null) return this.#loading;
    const loading = this.#start(this.#ended);
    this.#loading = loading;
    loading.then(
      (live) => {
        if (this.#loading === loading) this.live = live;
      },
      () => {
        if (this.#loading === loading) this.#loading = null;
      },
    );
    return loading;
  }

  /**
   * Lets the process go, also one that only starts, and that of the agent with the last of its sessions. Resolves when
   * it is gone. Never rejects.
   */
  unload(): Promise<void> {
    const loading = this.#loading;
    if (loading !== null) {
      this.#notLoaded();
      this.#ending += 1;
      this.#ended = this.#end(this.#ended, loading).finally(() => {
        this.#ending -= 1;
      });
    }
    return this.#ended.then(() => this.#dependencies.rested(this.#agent));
  }

  #notLoaded(): void {
    this.#loading = null;
    this.live = null;
    this.#given.unloaded();
  }

  /** The process of the agent is gone, and this session with it. */
  lost(live: LiveSession): void {
    if (this.live !== live) return;
    this.#notLoaded();
    this.#letGo(live);
  }

  async #end(before: Promise<void>, loading: Promise<LiveSession>): Promise<void> {
    await before;
    const over = new AbortController();
    // A start that never comes to an end would keep every later one waiting. The record may be closed by then.
    const stop = (): Promise<void> => this.#process.stop();
    void this.#dependencies.clock.sleep(startEndsMs, over.signal).then(stop, () => undefined);
    const live = await loading.catch(() => null);
    over.abort();
    if (live === null) return;
    await live.close();
    this.#endedAt = this.#dependencies.clock.ticks();
    this.#letGo(live);
  }

  #letGo(live: LiveSession): void {
    this.#dependencies.routes.leave(live.id, this.#given.session());
    this.#dependencies.keys.revoke(this.#id);
  }

  async #start(before: Promise<void>): Promise<LiveSession> {
    await before;
    const baseUrl = await this.#refuseUnready(this.#given.facts());
    await this.#given.prepare();
    this.#baseUrl = baseUrl;
    this.#names = await this.#namesNow();
    const facts = this.#given.facts();
    const { keys, routes } = this.#dependencies;
    const connection = await this.#process.connection();
    const isIdOurs = facts.agentSessionId !== null || connection.extras.has('choose-id');
    const expected = facts.agentSessionId ?? facts.id;
    const settled = routes.starts();
    if (isIdOurs) routes.lead(expected, this.#given.session());
    try {
      const live = await this.#ask(connection, facts, baseUrl);
      routes.lead(live.id, this.#given.session());
      await this.#given.started(live, facts);
      return live;
    } catch (error) {
      if (isIdOurs) routes.leave(expected, this.#given.session());
      keys.revoke(facts.id);
      this.#given.notStarted();
      throw error;
    } finally {
      settled();
    }
  }

  async #ask(connection: AgentConnection, facts: StartFacts, baseUrl: string): Promise<LiveSession> {
    const { description } = this.#process;
    const key = this.#dependencies.keys.mint(facts.id);
    const trusted = await this.#isTrusted(facts.cwd);
    const untrustedAbove = trusted ? await this.#untrustedAbove(facts.cwd) : [];
    const untrustedDirectories: string[] = [];
    for (const folder of facts.choices.directories) {
      if (!(await this.#isTrusted(folder))) untrustedDirectories.push(folder);
    }
    const { servers: added, ...plugins } = await this.#given.added();
    const ours = serversOf(facts, connection, this.#dependencies.mcpServers({ baseUrl, key }));
    // What a front hands over stays.
    const others = added.filter(({ name }) => !facts.servers.some((server) => server.name === name));
    const mcpServers = [...ours, ...facts.servers, ...others];
    const given = { ...plugins, mcpServers, trusted, untrustedAbove, untrustedDirectories, key, baseUrl };
    const prepared = await description.prepare({ ...startOf(facts, new SessionModes(description).usual), ...given });
    try {
      const answer = await connection.request<{ sessionId?: string }>(prepared.method, prepared.params);
      const id = answer.sessionId ?? facts.agentSessionId ?? facts.id;
      return new LiveSession(connection, { ...answer, sessionId: id }, ours, others);
    } catch (error) {
      // A session in which nothing was ever said is nowhere on disk: it is begun, under the same id.
      const isNew = facts.agentSessionId === null || facts.hasConversation;
      if (isNew || !isUnknownSession(error)) throw refusedStart(error, description.title);
      return await this.#ask(connection, { ...facts, agentSessionId: null }, baseUrl);
    } finally {
      await prepared.release();
    }
  }

  #isTrusted(folder: string): Promise<boolean> {
    return this.#dependencies.store.trusted.hasNow(folder);
  }

  async #namesNow(): Promise<OfferedModel[]> {
    const { description } = this.#process;
    return (await description.models()).filter(({ id, model }) => id !== model);
  }

  /** Checks the given and the real path: an agent may go up either. */
  async #untrustedAbove(folder: string): Promise<string[]> {
    const untrusted = new Set<string>();
    for (const start of [folder, await realpath(folder).catch(() => folder)]) {
      for (let at = start; at !== dirname(at); at = dirname(at)) {
        if (!(await this.#isTrusted(dirname(at)))) untrusted.add(dirname(at));
      }
    }
    return [...untrusted];
  }

  /** What would only show itself in an unclear error of the agent's. Returns where our proxy is. */
  async #refuseUnready({ id, agentSessionId, cwd }: StartFacts): Promise<string> {
    const baseUrl = this.#dependencies.outside.baseUrl;
    if (baseUrl === null) {
      throw new SessionError('proxy-off', t('The session needs the proxy, which is off.'), t('Turn the proxy on.'));
    }
    await this.#dependencies.refuseLeaving(cwd);
    const folder = await stat(cwd).catch(() => null);
    if (folder?.isDirectory() !== true) {
      throw new SessionError(
        'folder-gone',
        t('{cwd} no longer exists.', { cwd }),
        t('Choose where the folder is now.'),
      );
    }
    const holder = await this.#holder(agentSessionId ?? id);
    if (holder !== null) {
      const message = t('The session is open in another program (process {pid}). Two at once would lose messages.', {
        pid: holder.pid,
      });
      throw new SessionError('elsewhere', message, t('Close it there first, or go on in a fork.'));
    }
    return baseUrl;
  }

  /** The other program that has it open. Our own process may be listed for a moment after its end. */
  async #holder(agentSessionId: string): Promise<SessionHolder | null> {
    const { clock, heldElsewhere } = this.#dependencies;
    for (;;) {
      const holder = await heldElsewhere(agentSessionId);
      const isJustEnded = this.#endedAt !== null && clock.ticks() - this.#endedAt < lingersMs;
      if (holder === null || !isJustEnded || holder.program === 'terminal') return holder;
      await clock.sleep(lookAgainMs);
    }
  }
}

/** Our MCP servers, but for those whose name a front's server has, and those that the agent can't take. */
function serversOf(
  { servers }: StartFacts,
  { capabilities }: AgentConnection,
  ours: readonly McpServer[],
): readonly McpServer[] {
  const takesHttp = capabilities.mcpCapabilities?.http === true;
  return ours.filter(
    (server) => (!('type' in server) || takesHttp) && !servers.some(({ name }) => name === server.name),
  );
}

/** What the loader adds: it is not known from the session alone. */
type GivenLater =
  | 'plugins'
  | 'pluginsOn'
  | 'key'
  | 'baseUrl'
  | 'trusted'
  | 'untrustedAbove'
  | 'untrustedDirectories'
  | 'mcpServers';

/** @param usual the mode where none was chosen */
function startOf(facts: StartFacts, usual: string | null): Omit<SessionStart, GivenLater> {
  const { cwd, choices, title } = facts;
  const how: SessionStart['how'] =
    facts.agentSessionId === null
      ? { kind: 'new', sessionId: facts.id }
      : { kind: 'resume', sessionId: facts.agentSessionId, at: facts.resumeAt };
  return {
    how,
    cwd,
    additionalDirectories: choices.directories,
    pluginsOff: choices.pluginsOff,
    // Given at every start: a resumed session would otherwise run with other ones than it shows, and may ask less.
    model: choices.model,
    effort: choices.effort,
    mode: choices.mode ?? usual,
    title: facts.agentSessionId === null ? title : null,
  };
}

/** How long an agent may take to let a session go, in ms; then its whole process is ended. */
const closeMs = 800;

/** A session within a running process of its agent. */
export class LiveSession {
  readonly connection: AgentConnection;
  /** The agent's own id of it. */
  readonly id: string;
  options: readonly SessionConfigOption[];
  readonly mode: string | null;
  readonly modes: readonly { id: string; name: string }[];
  /** Servers of ours that it was given. */
  readonly ownServers: ReadonlySet<string>;
  /** Servers that a person added for it. */
  readonly addedServers: ReadonlySet<string>;
  #closing: Promise<void> | null = null;

  constructor(
    connection: AgentConnection,
    answer: Pick<NewSessionResponse, 'sessionId'> & Partial<NewSessionResponse>,
    ours: readonly Pick<McpServer, 'name'>[],
    added: readonly Pick<McpServer, 'name'>[] = [],
  ) {
    this.connection = connection;
    this.id = answer.sessionId;
    this.ownServers = new Set(ours.map(({ name }) => name));
    this.addedServers = new Set(added.map(({ name }) => name));
    this.options = answer.configOptions ?? [];
    this.mode = answer.modes?.currentModeId ?? null;
    this.modes = answer.modes?.availableModes ?? [];
  }

  /** Settles when the turn is over. */
  prompt(prompt: Prompt): Promise<PromptResponse> {
    return this.connection.request<PromptResponse>('session/prompt', { sessionId: this.id, prompt });
  }

  /** Asks for the end of the turn; `prompt` settles then. */
  async cancel(): Promise<void> {
    await this.connection.notify('session/cancel', { sessionId: this.id });
  }

  /** Words for the running turn. Null if none runs, and nothing was taken. */
  async steer(prompt: Prompt): Promise<Partial<Steered> | null> {
    const answer = await this.connection.request<{ outcome?: unknown; _meta?: { jumpseat?: Partial<Steered> } }>(
      steering,
      toSteering(this.id, prompt),
    );
    return answer.outcome === 'injected' ? (answer._meta?.jumpseat ?? {}) : null;
  }

  /** False: the agent has read these words, or can't give them back. */
  async takeBack(promptId: string): Promise<boolean> {
    if (!this.connection.extras.has('take-back')) return false;
    const params: ExtraRequests['take-back']['params'] = { sessionId: this.id, promptId };
    const answer = await this.connection.request<ExtraRequests['take-back']['answer']>(
      extraMethods['take-back'],
      params,
    );
    return answer.isTaken;
  }

  /** Asks something that is no part of the conversation. An abort takes it back. */
  askBeside(
    asked: Omit<ExtraRequests['side-question']['params'], 'sessionId'>,
    signal: AbortSignal,
  ): Promise<ExtraRequests['side-question']['answer']> {
    const params: ExtraRequests['side-question']['params'] = { sessionId: this.id, ...asked };
    return this.connection.request(extraMethods['side-question'], params, { signal });
  }

  async setMode(mode: string): Promise<void> {
    await this.connection.request('session/set_mode', { sessionId: this.id, modeId: mode });
  }

  async setOption(configId: string, value: string): Promise<void> {
    const answer = await this.connection.request<{ configOptions?: SessionConfigOption[] }>(
      'session/set_config_option',
      { sessionId: this.id, configId, value },
    );
    this.options = answer.configOptions ?? this.options;
  }

  /** Ends its part of the process; where the agent does not obey, all of it. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), closeMs);
    try {
      const closed = this.connection.request('session/close', { sessionId: this.id });
      await unlessAborted(Promise.race([closed, this.connection.exited]), given.signal);
    } catch {
      // Not known any more, or not obeyed.
      if (given.signal.aborted) await this.connection.stop();
    } finally {
      clearTimeout(timer);
    }
  }
}

const minuteMs = 60_000;

interface Unloading {
  /** May refuse: a question is open, say. */
  unload(): Promise<void>;
  isLoaded(): boolean;
}

/** Unloads a session that has nothing to do, after the time that the settings say; where it refused, after as long. */
export class IdleTimer {
  readonly #dependencies: Pick<SessionDependencies, 'clock' | 'outside'>;
  readonly #given: Unloading;
  #waiting: Countdown | null = null;

  constructor(dependencies: Pick<SessionDependencies, 'clock' | 'outside'>, given: Unloading) {
    this.#dependencies = dependencies;
    this.#given = given;
  }

  /** Counts from now. */
  start(): void {
    this.stop();
    const minutes = this.#dependencies.outside.settings.unloadAfterMinutes;
    if (minutes === null) return;
    const waiting = new Countdown(this.#dependencies.clock, minutes * minuteMs, () => void this.#over(waiting));
    this.#waiting = waiting;
  }

  async #over(waiting: Countdown): Promise<void> {
    if (this.#waiting !== waiting || !this.#given.isLoaded()) return;
    await this.#given.unload();
    // It was stopped, or started anew, meanwhile.
    const isStill = this.#waiting === null || this.#waiting === waiting;
    if (isStill && this.#given.isLoaded()) this.start();
  }

  stop(): void {
    this.#waiting?.stop();
    this.#waiting = null;
  }
}

/** Says once when a time is over, unless it was stopped before. */
export class Countdown {
  readonly #stopped = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, ms: number, isOver: () => void) {
    const { signal } = this.#stopped;
    clock.sleep(ms, signal).then(
      () => {
        if (!signal.aborted) isOver();
      },
      () => undefined,
    );
  }

  stop(): void {
    this.#stopped.abort();
  }
}
