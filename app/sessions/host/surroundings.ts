import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';
import type {
  InForce,
  OfferedMode,
  Origin,
  SessionCommand,
  SessionInForce,
  SessionOffers,
} from '../../api/session-surroundings.ts';
import type { BackgroundTask } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { AgentDescription } from '../agents/agent.ts';
import { type ExtraRequests, extraMethods } from '../agents/agent-extras.ts';
import type { AgentFact } from '../agents/agent-facts.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession } from '../running/loader.ts';
import type { Choices } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';

interface SurroundingsDependencies {
  kept: KeptSession;
  dependencies: Pick<SessionDependencies, 'process' | 'store' | 'clock'>;
  live(): LiveSession | null;
  /** The choices for the session. */
  wanted(): Pick<Choices, 'pluginsOff'>;
  /** Its process starts anew with the next message, with what a person added meanwhile. */
  isRestartDue(): Promise<boolean>;
  /** Commands that come with that. */
  coming(): Promise<readonly SessionCommand[]>;
  /** The process has this plugin because a person added it here; it is switched there. */
  isAdded(plugin: Pick<InForce['plugins'][number], 'id' | 'path'>): boolean;
}

/** An agent that is busy answers all the same; one that hangs is not waited for, in ms. */
const answersWithinMs = 5_000;

/** What the agent says of one session beside its turns: commands, plugins, tasks, and all that is in force in it. */
export class Surroundings {
  readonly #given: SurroundingsDependencies;
  #reported: readonly AvailableCommand[] | null = null;
  #plugins: InForce['plugins'] = [];
  #commands: { live: LiveSession; commands: Promise<SessionCommand[]> } | null = null;
  tasks: BackgroundTask[] = [];
  #endedTask: string | null = null;

  constructor(given: SurroundingsDependencies) {
    this.#given = given;
  }

  /** Returns true if fronts have to be informed. */
  sees(fact: AgentFact): boolean {
    if (fact.kind === 'begun') this.#plugins = fact.plugins;
    if (fact.kind !== 'tasks') return false;
    const stay = new Set(fact.tasks.map(({ id }) => id));
    this.#endedTask = this.tasks.find(({ id }) => !stay.has(id))?.title ?? this.#endedTask;
    this.tasks = fact.tasks;
    return true;
  }

  seesCommands(commands: readonly AvailableCommand[]): void {
    this.#reported = commands;
    this.#commands = null;
  }

  /** A new process: what ran in the one before it is gone. */
  started(): void {
    this.tasks = [];
  }

  /** The name of the task that ended last, once: the agent reports of it in a turn of its own. */
  takeEndedTask(): string | null {
    const title = this.#endedTask;
    this.#endedTask = null;
    return title;
  }

  /** The process is gone, and its tasks with it. */
  unloaded(): void {
    this.#reported = null;
    this.#commands = null;
    this.#plugins = [];
    this.tasks = [];
  }

  async offers(): Promise<SessionOffers> {
    const { kept, dependencies, live } = this.#given;
    const current = live();
    const known = current === null ? null : await this.#currentCommands(current);
    const commands = known ?? dependencies.store.offeredCommands.find(kept.agent, kept.cwd);
    const names = new Set(commands.map(({ name }) => name));
    return {
      commands: [...commands, ...(await this.#given.coming()).filter(({ name }) => !names.has(name))],
      areCommandsCurrent: known !== null && !(await this.#given.isRestartDue()),
      ...(await this.choices()),
    };
  }

  /** Models and modes to choose from. */
  async choices(): Promise<Pick<SessionOffers, 'models' | 'modes'>> {
    const { kept, dependencies, live } = this.#given;
    const { description } = dependencies.process(kept.agent);
    return { models: [...(await description.models())], modes: modesOf(description, live()) };
  }

  async inForce(): Promise<SessionInForce> {
    const live = this.#given.live();
    if (live === null) return { inForce: null, why: 'no-process' };
    if (!live.connection.extras.has('inventory')) return { inForce: null, why: 'not-reported' };
    const reported = await this.#inventory(live);
    const { commands, servers } = reported;
    const withOurs = servers.map((server) =>
      server.origin.kind === 'front'
        ? { ...server, origin: { ...server.origin, kind: originOf(server.name, live) } }
        : server,
    );
    const models = reached(reported.models, (await this.choices()).models);
    const inForce = { ...reported, models, commands: this.#offered(commands), servers: withOurs };
    return { inForce: { ...inForce, plugins: this.#allPlugins() }, why: null };
  }

  /** Ends a subagent, or a task in the background. */
  async stopTask(taskId: string): Promise<void> {
    const live = this.#given.live();
    if (live === null) throw new SessionError('not-possible', t('Nothing of this session runs.'), t('Send a message.'));
    if (live.connection.extras.has('stop-task')) {
      const params: ExtraRequests['stop-task']['params'] = { sessionId: live.id, taskId };
      await live.connection.request(extraMethods['stop-task'], params);
    } else await live.connection.notify('session/cancel', { sessionId: taskId });
  }

  /** All plugins: the agent doesn't report switched-off ones after a restart. */
  #allPlugins(): InForce['plugins'] {
    const off = new Set(this.#given.wanted().pluginsOff);
    const own = this.#plugins.filter((plugin) => !this.#given.isAdded(plugin));
    const reported = own.map((plugin) => ({ ...plugin, isOn: !off.has(plugin.id) }));
    const others = [...off].filter((id) => !reported.some((plugin) => plugin.id === id));
    return [...reported, ...others.map((id) => ({ id, name: nameOf(id), version: null, path: null, isOn: false }))];
  }

  async #currentCommands(live: LiveSession): Promise<SessionCommand[] | null> {
    if (this.#commands?.live !== live) {
      const commands = this.#askCommands(live);
      const asked = { live, commands };
      this.#commands = asked;
      commands.catch(() => {
        if (this.#commands === asked) this.#commands = null;
      });
    }
    return (await this.#commands?.commands.catch(() => null)) ?? null;
  }

  async #askCommands(live: LiveSession): Promise<SessionCommand[]> {
    const { kept, dependencies } = this.#given;
    const commands = live.connection.extras.has('inventory')
      ? this.#offered((await this.#inventory(live)).commands)
      : (this.#reported ?? []).map(plainCommand);
    dependencies.store.offeredCommands.keep(kept.agent, kept.cwd, commands);
    return commands;
  }

  /** What needs a terminal is known to the agent, and not offered by it here. */
  #offered(commands: readonly SessionCommand[]): SessionCommand[] {
    if (this.#reported === null) return [...commands];
    const known = new Map(commands.map((command) => [command.name, command]));
    return this.#reported.map((reported) => known.get(reported.name) ?? plainCommand(reported));
  }

  async #inventory(live: LiveSession): Promise<ExtraRequests['inventory']['answer']> {
    const { clock, process } = this.#given.dependencies;
    const over = new AbortController();
    const late = clock.sleep(answersWithinMs, over.signal).then((): never => {
      const { title } = process(this.#given.kept.agent).description;
      const message = t('{title} didn’t say within {seconds} s what is in force.', {
        title,
        seconds: answersWithinMs / 1000,
      });
      throw new SessionError('not-possible', message, t('Try again.'));
    });
    late.catch(() => undefined);
    const params: ExtraRequests['inventory']['params'] = { sessionId: live.id };
    const asked = live.connection.request<ExtraRequests['inventory']['answer']>(extraMethods.inventory, params);
    asked.catch(() => undefined);
    try {
      return await Promise.race([asked, late]);
    } finally {
      over.abort();
    }
  }
}

/** Without the agent's names for models that the account lacks; all of them if that isn't known. */
function reached(reported: InForce['models'], offered: SessionOffers['models']): InForce['models'] {
  if (offered.length === 0) return reported;
  const known = new Set(offered.flatMap(({ id, model }) => [id, model]));
  // The longer context is the same model.
  const bare = (model: string): string => model.replace(/\[\dm\]$/, '');
  return reported.filter(({ id, model }) => model === null || [id, model, bare(model)].some((name) => known.has(name)));
}

/** Whose a server is that was given with the session. */
function originOf(name: string, { ownServers, addedServers }: LiveSession): Origin['kind'] {
  if (ownServers.has(name)) return 'jumpseat';
  return addedServers.has(name) ? 'added' : 'front';
}

/** `demo@market` */
function nameOf(pluginId: string): string {
  return pluginId.split('@')[0] ?? pluginId;
}

function plainCommand({ name, description, input }: AvailableCommand): SessionCommand {
  const hint = input != null && 'hint' in input && typeof input.hint === 'string' ? input.hint : null;
  return { name, description, hint, isSkill: false, origin: { kind: 'agent', name: null, path: null } };
}

/** Modes in the agent's description; a running agent may have others, and lack some for its model. */
function modesOf({ modes }: AgentDescription, live: LiveSession | null): OfferedMode[] {
  if (live === null || live.modes.length === 0) return [...modes];
  const has = (id: string): boolean => live.modes.some((mode) => mode.id === id);
  const known = modes.map((mode) => ({
    ...mode,
    // A process that asks has no way to stop asking: another one is started for that.
    refusal: mode.refusal ?? (mode.asksNothing || has(mode.id) ? null : ('not-offered' as const)),
  }));
  const others = live.modes.filter(({ id }) => !modes.some((mode) => mode.id === id));
  return [...known, ...others.map(({ id, name }) => ({ id, name, asksNothing: false, refusal: null }))];
}
