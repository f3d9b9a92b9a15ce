import { type Problem, problemOf } from '../../api/call.ts';
import type { AgentSource, AgentState, NewestFound } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { PackageError } from '../../packages/package.ts';
import type { Clock } from '../../ports.ts';
import { CodedError } from '../../ports.ts';
import type { AgentDescription, AgentName } from '../agents/agent.ts';
import { cancelled, SessionError } from '../session/error.ts';

interface AgentStatesDependencies {
  agents: readonly AgentDescription[];
  clock: Pick<Clock, 'sleep'>;
  /** Keeps where Claude Code comes from: `own`, `fetched` or the path of a file. */
  keepChoice(choice: string): Promise<void>;
  tell(state: AgentState): void;
}

interface Fetching {
  from: AgentSource | null;
  received: number;
  /** Null until it is known. */
  total: number | null;
  abort: AbortController;
}

/** Least time between two progress reports to fronts, in ms. */
const reportEveryMs = 250;

/** What can lead sessions here, as every front shows it, and the ways to another. One fetch at a time for each. */
export class AgentStates {
  readonly #given: AgentStatesDependencies;
  readonly #fetching = new Map<AgentName, Fetching>();
  readonly #failures = new Map<AgentName, Problem>();
  /** Agents whose changes fronts don't know yet. */
  readonly #changed = new Set<AgentName>();
  #telling: Promise<void> | null = null;

  constructor(given: AgentStatesDependencies) {
    this.#given = given;
  }

  all(): Promise<AgentState[]> {
    return Promise.all(this.#given.agents.map((agent) => this.#stateOf(agent)));
  }

  /** Rejects with `PackageError` or `SessionError`; the state says why as well. */
  async fetch(name: AgentName, from: AgentSource | null = null): Promise<void> {
    const agent = this.#agent(name);
    await this.#fetchWith(agent, from, (options) => agent.fetch({ ...options, ...(from !== null && { from }) }));
  }

  async #fetchWith(
    agent: AgentDescription,
    from: AgentSource | null,
    work: (options: Parameters<AgentDescription['fetch']>[0]) => Promise<void>,
  ): Promise<void> {
    const { name } = agent;
    if (this.#fetching.has(name)) throw isFetching(agent);
    const fetching: Fetching = { from, received: 0, total: null, abort: new AbortController() };
    this.#fetching.set(name, fetching);
    this.#failures.delete(name);
    this.changed(name);
    let isDue = false;
    const onProgress = ({ received, total }: { received: number; total: number }): void => {
      Object.assign(fetching, { received, total });
      if (isDue) return;
      isDue = true;
      const tell = (): void => {
        isDue = false;
        this.changed(name);
      };
      void this.#given.clock.sleep(reportEveryMs, fetching.abort.signal).then(tell, () => undefined);
    };
    try {
      await work({ signal: fetching.abort.signal, onProgress });
    } catch (error) {
      if (fetching.abort.signal.aborted) throw cancelled(t('The download was cancelled.'));
      this.#failures.set(name, failureOf(error));
      throw error;
    } finally {
      this.#fetching.delete(name);
      this.changed(name);
    }
  }

  /** Rejects with `PackageError`, whose words say why nothing newer was found. */
  async findNewer(name: AgentName): Promise<NewestFound> {
    const agent = this.#agent(name);
    if (agent.updates === undefined) throw notUpdated(agent);
    const found = await agent.updates.look({});
    this.changed(name);
    return found;
  }

  /** Rejects with `PackageError` or `SessionError`; the state says why as well. What was used before still is then. */
  async update(name: AgentName): Promise<void> {
    const agent = this.#agent(name);
    const { updates } = agent;
    if (updates === undefined) throw notUpdated(agent);
    await this.#fetchWith(agent, 'fetched', (options) => updates.fetch(options));
    await agent.tidy?.();
  }

  stopFetching(name: AgentName): void {
    this.#fetching.get(name)?.abort.abort();
  }

  /** Fetches what is missing for it, and runs sessions with it from then on. */
  async choose(name: AgentName, from: Exclude<AgentSource, 'file'>): Promise<void> {
    const agent = this.#agent(name);
    const sources = await this.#sources(agent);
    const { own, oldest } = sources;
    if (from === 'own' && (own === null || own.problem !== null)) {
      const what = own === null ? 'isn’t on the PATH' : `on the PATH isn’t ${oldest} or newer`;
      const elsewhere = t('Choose another {title} in Settings → Sessions.', { title: agent.title });
      throw new SessionError('not-possible', `${agent.title} ${what}.`, elsewhere);
    }
    if (from === 'fetched' && sources.copy === null) {
      const message = t('Jumpseat can’t fetch {title} for this system.', { title: agent.title });
      throw new SessionError(
        'not-possible',
        message,
        t('Install {title} {oldest} or newer.', { title: agent.title, oldest }),
      );
    }
    await this.#use(name, from, from);
  }

  /** Rejects where it is another file. @param path absolute */
  async chooseFile(name: AgentName, path: string): Promise<void> {
    const agent = this.#agent(name);
    await this.#sources(agent);
    const problem = (await agent.refuseFile?.(path)) ?? null;
    if (problem !== null) throw new CodedError(problem.code, problem.text, problem.remedy);
    await this.#use(name, 'file', path);
  }

  /** Takes the copy away; what was chosen stays chosen. */
  async removeCopy(name: AgentName): Promise<void> {
    const agent = this.#agent(name);
    if (this.#fetching.has(name)) throw isFetching(agent);
    await this.#sources(agent);
    await agent.removeCopy?.();
    this.changed(name);
  }

  /** Tells every front what it is now, where something about it may have changed. */
  changed(name: AgentName): void {
    this.#changed.add(name);
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = null;
    });
  }

  close(): void {
    for (const { abort } of this.#fetching.values()) abort.abort();
  }

  async #use(name: AgentName, from: AgentSource, choice: string): Promise<void> {
    await this.fetch(name, from);
    await this.#given.keepChoice(choice);
    this.changed(name);
  }

  async #tell(): Promise<void> {
    // One that changes meanwhile comes again at the end of the set.
    for (const name of this.#changed) {
      this.#changed.delete(name);
      const agent = this.#given.agents.find((one) => one.name === name);
      const state = agent === undefined ? null : await this.#stateOf(agent).catch(() => null);
      if (state !== null) this.#given.tell(state);
    }
  }

  #agent(name: AgentName): AgentDescription {
    const agent = this.#given.agents.find((one) => one.name === name);
    if (agent !== undefined) return agent;
    throw new SessionError(
      'agent-missing',
      t('Jumpseat has no agent {name} here.', { name }),
      t('Choose another agent.'),
    );
  }

  async #sources(agent: AgentDescription) {
    const sources = await agent.sources?.();
    if (sources !== undefined) return sources;
    const message = t('Where {title} comes from can’t be chosen.', { title: agent.title });
    throw new SessionError('not-possible', message, t('Put {title} on the PATH.', { title: agent.title }));
  }

  async #stateOf(agent: AgentDescription): Promise<AgentState> {
    const { name, title } = agent;
    const [found, sources = null] = await Promise.all([agent.availability(), agent.sources?.()]);
    const running = this.#fetching.get(name);
    const reported = {
      ...{ name, title, sources, failure: this.#failures.get(name) ?? null },
      fetching: running === undefined ? null : { from: running.from, received: running.received, total: running.total },
    };
    if (found.available) {
      const { version, from, path = null } = found;
      return { ...reported, isAvailable: true, version, from, path, problem: null, fetchable: null };
    }
    const problem = { code: found.kind, text: found.reason, remedy: found.remedy };
    const { fetchable } = found;
    return { ...reported, isAvailable: false, version: null, from: null, path: null, problem, fetchable };
  }
}

function failureOf(error: unknown): Problem {
  if (error instanceof PackageError) return { code: `fetch-${error.kind}`, text: error.message, remedy: error.remedy };
  const text = error instanceof Error ? error.message : String(error);
  return problemOf(error) ?? { code: 'fetch', text, remedy: t('Try again.') };
}

function isFetching({ title }: AgentDescription): SessionError {
  return new SessionError(
    'fetching',
    t('{title} is already being fetched.', { title }),
    t('Wait for it, or cancel it.'),
  );
}

function notUpdated({ title }: AgentDescription): SessionError {
  return new SessionError(
    'not-possible',
    t('Jumpseat doesn’t update {title}.', { title }),
    t('Update it as it was installed.'),
  );
}
