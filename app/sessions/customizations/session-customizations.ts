import { randomUUID } from 'node:crypto';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { AnswersTo } from '../../api/app.ts';
import type { Customization, Customizations, customizationCalls, WhyNot } from '../../api/calls/customizations.ts';
import type { AppEvent } from '../../api/events.ts';
import type { Added, SessionCommand } from '../../api/session-surroundings.ts';
import type { RestartReason } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { AgentFact } from '../agents/agent-facts.ts';
import { SessionError } from '../session/error.ts';
import type { SessionStore } from '../store/session-store.ts';
import {
  type Found,
  findAdded,
  isPlugin,
  knownPlugins,
  nameOf,
  offer,
  type Place,
  realOrSame,
  type Surrounds,
} from './found.ts';

/** What a session's process is started with besides what the agent finds by itself. */
interface AddedToStart {
  /** Folders. */
  plugins: readonly string[];
  /** Ids of installed ones. */
  pluginsOn: readonly string[];
  servers: readonly McpServer[];
}

interface SessionCustomizationsDependencies extends Surrounds {
  place(): Place;
  tell(event: AppEvent): void;
  /** Says something in the conversation. */
  note(detail: { code: 'not-loaded'; name: string; source: string; isPart: boolean; why: WhyNot }): void;
}

/** Something that a process was started with. `loading`: until the agent says what it loaded. */
interface Running {
  stamp: string;
  isPlugin: boolean;
  gives: Found['gives'];
  state: 'loading' | 'loaded' | 'not-loaded';
  why: WhyNot | null;
}

/**
 * What a person added for one session and for its folder: kept by us, on or off in this session, and taken up with the
 * next start of its process. A change of it, or of its files, is a reason for another start.
 */
export class SessionCustomizations {
  readonly #given: SessionCustomizationsDependencies;
  /** What the process was started with; null if there is none. */
  #running: Map<string, Running> | null = null;
  /** The last event that was told, so that none is told twice. */
  #told: string | null = null;
  #telling: Promise<void> = Promise.resolve();
  /** Why each isn't loaded, by its id, as it was noted. */
  readonly #noted = new Map<string, string>();

  /** Nothing was added when it was looked at last, and the process runs without: it needs no other start for that. */
  isUnused = false;

  constructor(given: SessionCustomizationsDependencies) {
    this.#given = given;
  }

  async all(): Promise<Customizations> {
    const { place, store } = this.#given;
    const { cwd, agent } = place();
    const folder = await realOrSame(cwd);
    const customizations = (await this.#found()).map((found) => this.#view(found));
    const isTrusted = store.trusted.has(folder);
    return { customizations, folder, isTrusted, takesPlugins: agent.takesPlugins === true };
  }

  /** Rejects where it can't be loaded as it is now. */
  async add(scope: 'session' | 'folder', added: Added, trust: boolean): Promise<void> {
    const { place, store } = this.#given;
    const found = await offer(added, this.#given);
    if (found.why !== null) throw notAdded(nameOf(added), found.why.code);
    const { id, cwd, agent } = place();
    if (isPlugin(added) && agent.takesPlugins !== true) throw notAdded(found.name, 'not-by-agent');
    const others = (await this.#found()).filter((one) => isPlugin(one.added) === isPlugin(added));
    const isTaken = others.some(({ name }) => name === found.name) || (!isPlugin(added) && reserved.has(found.name));
    if (isTaken) throw notAdded(found.name, 'name-taken');
    if (isPlugin(added) && !found.isTrusted) {
      if (!trust || found.path === null) throw notAdded(found.name, 'untrusted');
      store.trusted.trust(found.path);
    }
    const kept = added.kind === 'folder' && found.path !== null ? { ...added, path: found.path } : added;
    const to = scope === 'session' ? { session: id, folder: null } : { session: null, folder: await realOrSame(cwd) };
    store.customizations.add({ id: randomUUID(), ...to, added: kept });
    this.isUnused = false;
  }

  /** False: there is none of this id in this session. */
  remove(id: string): boolean {
    const { store, place } = this.#given;
    return store.customizations.of(place().id).some((row) => row.id === id) && store.customizations.remove(id);
  }

  switch(id: string, on: boolean): void {
    this.#given.store.customizations.switch(this.#given.place().id, id, on);
  }

  /** For a start of the process that is under way. */
  async forStart(): Promise<AddedToStart> {
    const found = (await this.#found()).filter(({ gives }) => gives !== null);
    this.#running = new Map(
      found.map(({ id, stamp, gives, added }) => [
        id,
        { stamp, isPlugin: isPlugin(added), gives, state: 'loading' as const, why: null },
      ]),
    );
    this.changed();
    const gives = found.flatMap((one) => one.gives ?? []);
    return {
      plugins: gives.flatMap((one) => ('plugin' in one ? [one.plugin] : [])),
      pluginsOn: gives.flatMap((one) => ('pluginOn' in one ? [one.pluginOn] : [])),
      servers: gives.flatMap((one) => ('server' in one ? [one.server] : [])),
    };
  }

  /** The process has started. An agent without plugins doesn't say whether its servers answer. */
  started(): void {
    if (this.#given.place().agent.takesPlugins === true) return;
    this.#settle(() => ({ state: 'loaded', why: null }));
  }

  /** Why the process has to be started anew: it runs without something, or with what is no longer there. */
  async reasonsToRestart(): Promise<RestartReason[]> {
    const running = this.#running;
    if (running === null) return [];
    // A change while it looks makes it false again.
    this.isUnused = running.size === 0;
    const found = await this.#found();
    if (found.length > 0) this.isUnused = false;
    const now = new Map(found.flatMap((one) => (one.gives === null ? [] : [[one.id, one]])));
    const reasons = new Set<RestartReason>();
    for (const [id, one] of now) {
      if (running.get(id)?.stamp !== one.stamp) reasons.add(isPlugin(one.added) ? 'plugins' : 'servers');
    }
    for (const [id, one] of running) if (!now.has(id)) reasons.add(one.isPlugin ? 'plugins' : 'servers');
    return [...reasons];
  }

  /** The process was started with this plugin. */
  gave({ id, path }: { id: string; path: string | null }): boolean {
    return [...(this.#running?.values() ?? [])].some(
      ({ gives }) =>
        gives !== null &&
        (('plugin' in gives && gives.plugin === path) || ('pluginOn' in gives && gives.pluginOn === id)),
    );
  }

  /** The agent says what it loaded. */
  async sees(fact: AgentFact): Promise<void> {
    if (fact.kind !== 'begun' || this.#running === null) return;
    const all = await this.#found();
    this.#settle((id) => {
      const found = all.find((one) => one.id === id);
      return found === undefined ? null : stateOf(found, fact);
    });
    for (const found of all) this.#note(found);
  }

  /** Commands of plugins that the process doesn't have yet. */
  async coming(): Promise<SessionCommand[]> {
    return (await this.#found()).flatMap((found) => {
      const { state, holds, name, path } = this.#view(found);
      if (state !== 'next' && state !== 'loading') return [];
      const origin = { kind: 'plugin' as const, name, path };
      const command = (of: string, isSkill: boolean): SessionCommand => ({
        ...{ name: `${name}:${of}`, description: '', hint: null, isSkill, origin, isComing: true },
      });
      return [...holds.commands.map((of) => command(of, false)), ...holds.skills.map((of) => command(of, true))];
    });
  }

  /** The process is gone. */
  unloaded(): void {
    if (this.#running === null) return;
    this.#running = null;
    this.changed();
  }

  /** Tells the fronts how it is now. Never rejects. */
  changed(): void {
    this.isUnused = false;
    this.#telling = this.#telling.then(async () => {
      const now = await this.all().catch(() => null);
      const told = JSON.stringify(now);
      // Who has added nothing hears nothing of it.
      if (now === null || told === this.#told || (this.#told === null && now.customizations.length === 0)) return;
      this.#told = told;
      this.#given.tell({ event: 'session-customizations', session: this.#given.place().id, now });
    });
  }

  #found(): Promise<Found[]> {
    return findAdded(this.#given.place(), this.#given);
  }

  /** Once for each reason. */
  #note(found: Found): void {
    const { id, added, name, isOn, state, why } = this.#view(found);
    if (state === 'loading' || state === 'next') return;
    const said = why === null || !isOn ? null : JSON.stringify(why);
    const before = this.#noted.get(id) ?? null;
    if (said === null) this.#noted.delete(id);
    else this.#noted.set(id, said);
    if (why === null || said === null || said === before) return;
    this.#given.note({ code: 'not-loaded', name, source: nameOf(added), isPart: state === 'loaded', why });
  }

  #settle(stateNow: (id: string) => { state: 'loaded' | 'not-loaded' | 'loading'; why: WhyNot | null } | null): void {
    for (const [id, one] of this.#running ?? []) Object.assign(one, stateNow(id));
    this.changed();
  }

  #view({ gives, stamp, ...found }: Found): Customization {
    if (!found.isOn) return { ...found, state: 'off', why: found.why };
    if (gives === null) return { ...found, state: 'not-loaded' };
    const running = this.#running?.get(found.id);
    if (running?.stamp !== stamp) return { ...found, state: 'next' };
    return { ...found, state: running.state, why: running.why };
  }
}

/** Names of servers of ours. */
const reserved: ReadonlySet<string> = new Set(['jumpseat']);

function stateOf({ gives, name, path }: Found, fact: Extract<AgentFact, { kind: 'begun' }>) {
  if (gives === null) return null;
  if ('server' in gives) {
    const state = fact.servers.find((server) => server.name === name)?.state ?? null;
    if (state === 'connected') return { state: 'loaded' as const, why: null };
    if (state === 'pending') return { state: 'loading' as const, why: null };
    return { state: 'not-loaded' as const, why: { code: 'refused' as const, detail: state } };
  }
  const isThis = (plugin: { id?: string; plugin?: string; path: string | null }): boolean =>
    'pluginOn' in gives ? [plugin.id, plugin.plugin].includes(gives.pluginOn) : plugin.path === path;
  const isLoaded = fact.plugins.some(isThis);
  const error = fact.pluginErrors.find((one) => isThis(one) || (isLoaded && one.plugin === `${name}@inline`));
  const why = error === undefined ? null : { code: 'refused' as const, detail: error.message.slice(0, 1_000) };
  return isLoaded
    ? { state: 'loaded' as const, why }
    : { state: 'not-loaded' as const, why: why ?? { code: 'refused' as const, detail: null } };
}

/** A front that asked for the offer first has better words. */
function notAdded(name: string, code: WhyNot['code']): SessionError {
  const words: Record<WhyNot['code'], [string, string]> = {
    gone: [t('{name} is no folder.', { name }), t('Choose another folder.')],
    broken: [t('The plugin.json of {name} can’t be read.', { name }), t('Repair the file.')],
    empty: [t('{name} has no plugin, skills, commands or agents.', { name }), t('Choose another folder.')],
    marketplace: [t('{name} is a marketplace, not a plugin.', { name }), t('Choose the folder of one of its plugins.')],
    'not-here': [t('The files of {name} aren’t on this machine.', { name }), t('Install it in Claude Code first.')],
    unknown: [t('Claude Code knows no plugin {name}.', { name }), t('Look at its marketplaces.')],
    untrusted: [t('{name} is in a folder that isn’t trusted.', { name }), t('Look at what it runs, and trust it.')],
    'runs-here': [
      t('{name} runs programs, and the session’s folder isn’t trusted.', { name }),
      t('Trust the folder first.'),
    ],
    'name-taken': [
      t('A plugin or server called {name} is there already.', { name }),
      t('Remove it first, or choose another name.'),
    ],
    'not-by-agent': [t('This agent loads no plugins.'), t('Add it to a session of Claude Code.')],
    refused: [t('{name} wasn’t loaded.', { name }), t('Look at its files.')],
  };
  return new SessionError('not-possible', ...words[code]);
}

interface CustomizationDependencies {
  store: SessionStore;
  /** `~/.claude` */
  claudeFolder: string;
  session(id: string): Promise<{ customizations: SessionCustomizations }>;
  /** Those that are held may have another list now. */
  changed(): void;
}

/** Answers fronts' calls about what a person adds for sessions and folders. Creates nothing before the first call. */
export function customizationAnswers(
  given: () => Promise<CustomizationDependencies>,
): AnswersTo<typeof customizationCalls> {
  const of = async (id: string): Promise<SessionCustomizations> => (await (await given()).session(id)).customizations;
  const changed = async (): Promise<void> => (await given()).changed();
  return {
    customizations: async (id) => (await of(id)).all(),
    knownPlugins: async () => knownPlugins((await given()).claudeFolder),
    pluginOffer: async (added) => offer(added, await given()),
    addCustomization: async ({ session, scope, added, trust }) => {
      await (await of(session)).add(scope, added, trust);
      await changed();
    },
    removeCustomization: async ({ session, customization }) => {
      const isRemoved = (await of(session)).remove(customization);
      await changed();
      return isRemoved;
    },
    switchCustomization: async ({ session, customization, on }) => {
      (await of(session)).switch(customization, on);
      await changed();
    },
  };
}
