import { readFile, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { KnownPlugin } from '../../api/calls/customizations.ts';
import { isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';

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
export async function isAmongItsOwn(path: string, claudeFolder: string): Promise<boolean> {
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
