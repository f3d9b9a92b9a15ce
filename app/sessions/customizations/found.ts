import { readFile, realpath } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { Customization, KnownPlugin, PluginOffer, WhyNot } from '../../api/calls/customizations.ts';
import { type Added, addedSchema } from '../../api/session-surroundings.ts';
import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';
import { isWithin } from '../../settings/files.ts';
import type { AgentDescription } from '../agents/agent.ts';
import type { SessionStore } from '../store/session-store.ts';
import { holdsNothing, type PluginFolder, readPluginFolder } from './plugin-folder.ts';

/** What a session is asked about: its id, its folder, its agent. */
export interface Place {
  id: string;
  cwd: string;
  agent: Pick<AgentDescription, 'takesPlugins' | 'mcp'>;
}

export interface Surrounds {
  store: Pick<SessionStore, 'customizations' | 'trusted'>;
  /** `~/.claude` */
  claudeFolder: string;
}

/** Something that was added, as it is on this machine now. */
export interface Found extends Omit<Customization, 'state'> {
  /** How a session is started with it; null if it can't be, or is off. */
  gives: { plugin: string } | { pluginOn: string } | { server: McpServer } | null;
  /** Another one once a session would be started with something else. */
  stamp: string;
}

/**
 * All that was added for a session and its folder. Of two plugins of one name the session's own counts, else the first.
 */
export async function findAdded(place: Place, around: Surrounds): Promise<Found[]> {
  const rows = around.store.customizations.of(place.id);
  if (rows.length === 0) return [];
  const cwd = await realOrSame(place.cwd);
  const off = around.store.customizations.off(place.id);
  const isTrusted = around.store.trusted.has(cwd);
  const found: Found[] = [];
  const taken = new Set<string>();
  const known = new KnownOnce(around.claudeFolder);
  const ofSessionFirst = rows.toSorted((one, other) => Number(one.session === null) - Number(other.session === null));
  for (const { id, folder, added: kept } of ofSessionFirst) {
    const { data: added } = addedSchema.safeParse(kept);
    if (added === undefined || (folder !== null && !isWithin(cwd, folder))) continue;
    const offer = await offerOf(added, around, known);
    const isOn = !off.has(id);
    const key = `${isPlugin(added) ? 'plugin' : 'server'} ${offer.name}`;
    const why = offer.why ?? whyNotHere(added, offer, { place, isTrusted, isTaken: taken.has(key) });
    if (isOn && why === null) taken.add(key);
    found.push({
      ...{ id, added, folder, isOn, why, name: offer.name, version: offer.version, description: offer.description },
      ...{ path: offer.path, holds: offer.holds },
      gives: isOn && why === null ? given(added, offer) : null,
      stamp: `${id} ${offer.stamp}`,
    });
  }
  return rows.flatMap(({ id }) => found.find((one) => one.id === id) ?? []);
}

/** What something would add, before it is added. */
export async function offer(added: Added, around: Surrounds): Promise<PluginOffer> {
  const { stamp: _, isInstalled: __, ...found } = await offerOf(added, around, new KnownOnce(around.claudeFolder));
  return found;
}

interface Offered extends PluginOffer {
  stamp: string;
  /** Claude Code installed it, and loads it by its id. */
  isInstalled: boolean;
}

async function offerOf(added: Added, around: Surrounds, known: KnownOnce): Promise<Offered> {
  if (added.kind === 'folder') return offerOfFolder(await readPluginFolder(added.path), around);
  if (added.kind === 'plugin') {
    const plugin = (await known.all()).find(({ id }) => id === added.id);
    if (plugin?.path == null) return nothing(added.id, { code: plugin ? 'not-here' : 'unknown', detail: null });
    const offered = await offerOfFolder(await readPluginFolder(plugin.path), around);
    const { name, description, isInstalled } = plugin;
    return { ...offered, name, description: offered.description ?? description, isInstalled };
  }
  const line = added.kind === 'command' ? [added.command, ...added.args].join(' ') : added.url;
  const { name } = added;
  const runs = added.kind === 'command' ? [{ kind: 'server' as const, name, command: line }] : [];
  return { ...nothing(name, null), isTrusted: true, holds: { ...holdsNothing, runs }, stamp: JSON.stringify(added) };
}

async function offerOfFolder(read: PluginFolder, { store, claudeFolder }: Surrounds): Promise<Offered> {
  const { root, why, ...plugin } = read;
  const isTrusted = root !== null && (store.trusted.has(root) || (await isAmongItsOwn(root, claudeFolder)));
  return { ...plugin, path: root, isTrusted, why, isInstalled: false };
}

function nothing(name: string, why: WhyNot | null): Offered {
  const about = { name, version: null, description: null, path: null, holds: holdsNothing, isTrusted: false };
  return { ...about, why, stamp: why?.code ?? '', isInstalled: false };
}

interface Here {
  place: Place;
  /** The folder of the session. */
  isTrusted: boolean;
  isTaken: boolean;
}

function whyNotHere(added: Added, offered: Offered, { place, isTrusted, isTaken }: Here): WhyNot | null {
  const { takesPlugins, mcp } = place.agent;
  const isByAgent = isPlugin(added) ? takesPlugins === true : added.kind === 'command' || mcp.http;
  if (!isByAgent) return { code: 'not-by-agent', detail: null };
  if (isTaken) return { code: 'name-taken', detail: null };
  if (isPlugin(added) && !offered.isTrusted) return { code: 'untrusted', detail: null };
  // A program starts in the session's folder, and may take up what lies there.
  return offered.holds.runs.length > 0 && !isTrusted ? { code: 'runs-here', detail: null } : null;
}

function given(added: Added, { path, isInstalled }: Offered): Found['gives'] {
  if (added.kind === 'plugin' && isInstalled) return { pluginOn: added.id };
  if (isPlugin(added)) return path === null ? null : { plugin: path };
  if (added.kind === 'address') return { server: { type: 'http', name: added.name, url: added.url, headers: [] } };
  return { server: { name: added.name, command: added.command, args: added.args, env: [] } };
}

export function isPlugin(added: Added): added is Extract<Added, { kind: 'folder' | 'plugin' }> {
  return added.kind === 'folder' || added.kind === 'plugin';
}

/** As it is named before it is found. */
export function nameOf(added: Added): string {
  if (added.kind === 'folder') return basename(added.path);
  return added.kind === 'plugin' ? added.id : added.name;
}

/** Reads them once, and only if one is asked for. */
class KnownOnce {
  readonly #folder: string;
  #read: Promise<KnownPlugin[]> | null = null;

  constructor(claudeFolder: string) {
    this.#folder = claudeFolder;
  }

  all(): Promise<KnownPlugin[]> {
    this.#read ??= knownPlugins(this.#folder);
    return this.#read;
  }
}

export function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/**
 * Plugins of the marketplaces that Claude Code knows on this machine, from its own files, which are read and never
 * written. No marketplace is asked. @param claudeFolder `~/.claude`
 */
export async function knownPlugins(claudeFolder: string): Promise<KnownPlugin[]> {
  const folder = join(claudeFolder, 'plugins');
  const [installed, marketplaces, settings] = await Promise.all([
    readObject(join(folder, 'installed_plugins.json')),
    readObject(join(folder, 'known_marketplaces.json')),
    readObject(join(claudeFolder, 'settings.json')),
  ]);
  const places = isObject(installed.plugins) ? installed.plugins : {};
  const isOn = isObject(settings.enabledPlugins) ? settings.enabledPlugins : {};
  const found: KnownPlugin[] = [];
  for (const [marketplace, known] of Object.entries(marketplaces)) {
    const home = text(Object(known).installLocation);
    if (home === null) continue;
    const { plugins } = await readObject(join(home, '.claude-plugin', 'marketplace.json'));
    for (const entry of Array.isArray(plugins) ? plugins : []) {
      const name = text(Object(entry).name);
      if (name === null) continue;
      const id = `${name}@${marketplace}`;
      const installedAt = installedIn(places[id]);
      // Of a marketplace that is a folder Claude Code uses the files there, not its copy.
      const own = below(home, text(Object(entry).source));
      const isFolder = ['directory', 'file'].includes(text(Object(Object(known).source).source) ?? '');
      found.push({
        ...{ id, name, marketplace, description: text(Object(entry).description) },
        path: (isFolder ? (own ?? installedAt) : (installedAt ?? own)) ?? null,
        isInstalled: installedAt !== null,
        isOnEverywhere: installedAt !== null && isOn[id] === true,
      });
    }
  }
  return found.sort((one, other) => one.id.localeCompare(other.id));
}

/** Claude Code keeps it among its own files: the person had it installed. */
async function isAmongItsOwn(path: string, claudeFolder: string): Promise<boolean> {
  const own = await realpath(join(claudeFolder, 'plugins')).catch(() => null);
  return own !== null && path.startsWith(own + sep);
}

function installedIn(places: unknown): string | null {
  for (const place of Array.isArray(places) ? places : []) {
    const path = text(Object(place).installPath);
    // One that is installed for a project is that project's.
    if (path !== null && Object(place).scope === 'user') return path;
  }
  return null;
}

/** Null for what lies elsewhere, such as in a repository. */
function below(home: string, source: string | null): string | null {
  if (source === null || !source.startsWith('.')) return null;
  const path = resolve(home, source);
  return path.startsWith(home + sep) ? path : null;
}

/** Empty if there is no such file, or if it can't be read. */
async function readObject(path: string): Promise<JsonObject> {
  const content = await readFile(path, 'utf8').catch(() => null);
  return (content === null ? null : parseObject(content)) ?? {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 2_000) : null;
}
