import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Held, PluginProgram, WhyNot } from '../../api/calls/customizations.ts';
import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';
import { fromHome } from '../../settings/files.ts';
import { leadsAway } from '../folders/named-path.ts';

/** A folder of a plugin as its files say it. Nothing of it was run. */
export interface PluginFolder {
  /** Links resolved; null if it isn't there. */
  root: string | null;
  name: string;
  version: string | null;
  description: string | null;
  holds: Held;
  why: WhyNot | null;
  /** Another one once one of its files is. */
  stamp: string;
}

export const holdsNothing: Held = { skills: [], commands: [], agents: [], runs: [] };

const manifestFile = join('.claude-plugin', 'plugin.json');
const marketplaceFile = join('.claude-plugin', 'marketplace.json');
const partNames = ['skills', 'commands', 'agents'] as const;
/** Longer texts aren't looked through, in bytes. */
const mostBytes = 256 * 1024;
/** More is neither listed nor watched. */
const mostFiles = 1_000;
const mostDepth = 6;
const mostPrograms = 50;
const notPlugins: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Reads what Claude Code would load of a folder: a plugin, a folder with skills, agents or commands, one with a
 * `.claude` that has these, or a single skill.
 */
export async function readPluginFolder(named: string): Promise<PluginFolder> {
  const path = fromHome(named);
  const given = leadsAway(path) ? null : await realpath(path).catch(() => null);
  const isFolder = given !== null && (await stat(given).catch(() => null))?.isDirectory() === true;
  if (given === null || !isFolder) return without(null, path, { code: 'gone', detail: null });
  const root = await rootOf(given);
  if (root === null) return without(given, given, await whyEmpty(given));
  const text = await readFile(join(root, manifestFile), 'utf8').catch(() => null);
  const manifest = text === null ? {} : parseObject(text);
  if (manifest === null) return without(root, root, { code: 'broken', detail: brokenBecause(text ?? '') });
  const files = await filesOf(root);
  const texts = await wordsOf(root, files);
  return {
    root,
    name: stringIn(manifest, 'name') ?? basename(root),
    version: stringIn(manifest, 'version'),
    description: stringIn(manifest, 'description'),
    holds: { ...partsOf(root, files), runs: await programsOf(root, manifest, texts) },
    why: null,
    stamp: files.map(({ path: file, changed }) => `${file}:${changed}`).join('\n'),
  };
}

function without(root: string | null, path: string, why: WhyNot): PluginFolder {
  const stamp = `${why.code} ${why.detail}`;
  return { root, name: basename(path), version: null, description: null, holds: holdsNothing, why, stamp };
}

async function rootOf(folder: string): Promise<string | null> {
  if (await isThere(join(folder, manifestFile))) return folder;
  if ((await isThere(join(folder, 'SKILL.md'))) || (await hasParts(folder))) return folder;
  const inner = join(folder, '.claude');
  return (await hasParts(inner)) ? inner : null;
}

async function hasParts(folder: string): Promise<boolean> {
  const found = await Promise.all(
    [...partNames, join('hooks', 'hooks.json')].map((name) => isThere(join(folder, name))),
  );
  return found.includes(true);
}

async function whyEmpty(folder: string): Promise<WhyNot> {
  const text = await readFile(join(folder, marketplaceFile), 'utf8').catch(() => null);
  if (text === null) return { code: 'empty', detail: null };
  const { plugins } = parseObject(text) ?? {};
  const names = Array.isArray(plugins) ? plugins.flatMap((plugin) => stringIn(Object(plugin), 'name') ?? []) : [];
  return { code: 'marketplace', detail: names.join(', ') };
}

function brokenBecause(text: string): string {
  try {
    JSON.parse(text);
    return 'plugin.json';
  } catch (error) {
    return `plugin.json: ${error instanceof Error ? error.message : 'JSON'}`;
  }
}

interface PluginFile {
  /** Relative to the root, with `/`. */
  path: string;
  /** When it was last written and its size. */
  changed: string;
}

async function filesOf(root: string): Promise<PluginFile[]> {
  const found: PluginFile[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (found.length >= mostFiles || notPlugins.has(entry.name)) continue;
      const path = join(folder, entry.name);
      const facts = await stat(path).catch(() => null);
      if (facts?.isDirectory() === true) {
        if (depth < mostDepth) await look(path, depth + 1);
      } else if (facts !== null) {
        const named = relative(root, path).split(sep).join('/');
        found.push({ path: named, changed: `${facts.mtimeMs}-${facts.size}` });
      }
    }
  };
  await look(root, 0);
  return found;
}

function partsOf(root: string, files: readonly PluginFile[]): Omit<Held, 'runs'> {
  const below = (folder: string): string[] =>
    files.flatMap(({ path }) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
  const markdown = (folder: string): string[] =>
    below(folder).flatMap((path) => (path.endsWith('.md') ? [path.slice(0, -3).replaceAll('/', ':')] : []));
  const own = files.some(({ path }) => path === 'SKILL.md') ? [basename(root)] : [];
  return {
    skills: [...own, ...below('skills').flatMap((path) => /^([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? [])],
    commands: markdown('commands'),
    agents: markdown('agents'),
  };
}

async function wordsOf(root: string, files: readonly PluginFile[]): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const { path } of files) {
    if (!path.endsWith('.md')) continue;
    const whole = join(root, path);
    const { size } = (await stat(whole).catch(() => null)) ?? { size: mostBytes + 1 };
    if (size <= mostBytes) found.push({ path, text: await readFile(whole, 'utf8').catch(() => '') });
  }
  return found;
}

/** What would run programs, by itself or where a command, skill or agent is used. */
async function programsOf(
  root: string,
  manifest: JsonObject,
  texts: readonly { path: string; text: string }[],
): Promise<PluginProgram[]> {
  const found: PluginProgram[] = [];
  for (const hooks of await declared(root, manifest.hooks, join('hooks', 'hooks.json'))) {
    found.push(...hooksIn(isObject(hooks.hooks) ? hooks.hooks : hooks));
  }
  for (const servers of await declared(root, manifest.mcpServers, '.mcp.json')) {
    found.push(...serversIn(isObject(servers.mcpServers) ? servers.mcpServers : servers, 'server'));
  }
  for (const servers of await declared(root, manifest.lspServers, '.lsp.json')) {
    found.push(...serversIn(servers, 'language-server'));
  }
  for (const { path, text } of texts) {
    // A command in the words is run where they are used; hooks in their head from then on.
    if (/(^|\s)!`|^```!/m.test(text) || /^---\n[\s\S]*?^hooks:[\s\S]*?^---/m.test(text)) {
      found.push({ kind: 'words', name: path, command: null });
    }
  }
  return found.slice(0, mostPrograms);
}

/** Objects that a manifest has, or names the files of, and the one in the usual file. */
async function declared(root: string, given: unknown, usual: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const named = [usual, ...(Array.isArray(given) ? given : [given])];
  for (const one of new Set(named)) {
    if (isObject(one)) found.push(one);
    if (typeof one !== 'string') continue;
    const path = resolve(root, one);
    // What lies elsewhere is no file of the plugin's.
    if (!path.startsWith(root + sep)) continue;
    const text = await readFile(path, 'utf8').catch(() => null);
    const read = text === null ? null : parseObject(text);
    if (read !== null) found.push(read);
  }
  return found;
}

function hooksIn(events: JsonObject): PluginProgram[] {
  return Object.entries(events).flatMap(([name, matchers]) =>
    (Array.isArray(matchers) ? matchers : [])
      .flatMap((matcher) => (Array.isArray(Object(matcher).hooks) ? Object(matcher).hooks : []))
      .map((hook) => ({ kind: 'hook' as const, name, command: lineOf(Object(hook)) })),
  );
}

function serversIn(servers: JsonObject, kind: 'server' | 'language-server'): PluginProgram[] {
  return Object.entries(servers).map(([name, server]) => ({ kind, name, command: lineOf(Object(server)) }));
}

/** `node server.js`, or an address. */
function lineOf({ command, args, url, prompt }: Record<string, unknown>): string | null {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((one) => typeof one === 'string');
  const line = words.length > 0 ? words.join(' ') : [url, prompt].find((one) => typeof one === 'string');
  return typeof line === 'string' ? line.slice(0, 500) : null;
}

function stringIn(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : null;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
