import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { SessionHolder } from '../../api/session-list.ts';
import type { OfferedModel } from '../../api/session-surroundings.ts';
import { t } from '../../language/translate.ts';
import type { AgentConnection, AgentName, SessionStart } from '../agents/agent.ts';
import { SessionModes } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import type { SessionBeginning, StartFacts } from '../session/kept-session.ts';
import { isUnknownSession, refusedStart } from '../session/problem.ts';
import type { RoutedSession } from './agent-process.ts';
import type { SessionDependencies } from './dependencies.ts';
import { LiveSession } from './live-session.ts';

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
    if (this.#baseUrl !== this.#dependencies.baseUrl()) return true;
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
    const stop = (): Promise<void> => this.#dependencies.process(this.#agent).stop();
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
    const connection = await this.#dependencies.process(facts.agent).connection();
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
    const { description } = this.#dependencies.process(facts.agent);
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
    const { description } = this.#dependencies.process(this.#agent);
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
    const baseUrl = this.#dependencies.baseUrl();
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
