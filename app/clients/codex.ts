import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { EnvEntry } from '../claude-code/env-snippet.ts';
import { codexFolder, inFolder, inSystem, type Machine } from './machine.ts';
import { type ClientModel, type Door, labelledKey, openaiBaseUrl } from './program.ts';

/**
 * Named in config.toml and read by Codex at its start. Not OPENAI_API_KEY, which may hold a key of OpenAI's.
 */
export const codexKeyVariable = 'JUMPSEAT_CODEX_KEY';

export function codexEnvironment(door: Door): EnvEntry[] {
  return [{ name: codexKeyVariable, value: labelledKey(door) }];
}

/**
 * The part of `~/.codex/config.toml` that points Codex at the proxy; no secret is in it. Codex speaks Responses alone
 * (`wire_api`). The context window is what Copilot takes as a prompt, so that Codex compacts before it is refused: it
 * knows no limits of a provider's models.
 */
export function codexConfig(door: Pick<Door, 'baseUrl'>, models: readonly ClientModel[]): string {
  const model = newestForCodex(models);
  const window = model?.limits.promptTokens ?? null;
  return [
    '# ~/.codex/config.toml, before its first [table]:',
    ...(model === null ? ['# model = "one of those that jumpseat models lists"'] : [`model = ${quoted(model.id)}`]),
    ...(window === null ? [] : [`model_context_window = ${window}`]),
    'model_provider = "jumpseat"',
    '',
    '# And anywhere below:',
    '[model_providers.jumpseat]',
    'name = "Jumpseat"',
    `base_url = ${quoted(openaiBaseUrl(door))}`,
    `env_key = ${quoted(codexKeyVariable)}`,
    'wire_api = "responses"',
    '',
  ].join('\n');
}

/** Files `NAME.config.toml` that `codex --profile NAME` puts over config.toml, with a provider of their own. */
export function codexProfiles(machine: Machine): string[] {
  const folder = codexFolder(machine);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.config.toml'));
  const own = names.filter((name) => providerIn(inFolder(machine, folder, name)) !== null);
  return own.map((name) => name.slice(0, -'.config.toml'.length)).toSorted();
}

/** An administrator's file, whose values win (developers.openai.com/codex/enterprise/managed-configuration). */
export function codexPolicy(machine: Machine): string | null {
  const path =
    machine.platform === 'win32'
      ? inFolder(machine, codexFolder(machine), 'managed_config.toml')
      : inSystem(machine, '/etc/codex/managed_config.toml');
  return providerIn(path) === null ? null : path;
}

/** The provider that a file sets, unless it is ours; null: none, or the file can't be read. */
function providerIn(path: string): string | null {
  try {
    const provider = /^\s*model_provider\s*=\s*["']([^"']*)["']/m.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
    return provider === 'jumpseat' ? null : provider;
  } catch {
    return null;
  }
}

/** A basic string of TOML takes what JSON writes. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/**
 * Of the models that have Responses at Copilot the one with the highest version, a whole one before a smaller sibling
 * (`gpt-5.4-mini`).
 */
export function newestForCodex(models: readonly ClientModel[]): ClientModel | null {
  const native = models.filter(({ endpoints }) => endpoints.includes('/responses'));
  const ranked = native.toSorted(
    (one, other) =>
      versionOf(other) - versionOf(one) ||
      Number(one.preview) - Number(other.preview) ||
      one.id.length - other.id.length,
  );
  return ranked[0] ?? null;
}

function versionOf({ id }: ClientModel): number {
  return Number(/\d+(?:\.\d+)?/.exec(id)?.[0] ?? 0);
}
