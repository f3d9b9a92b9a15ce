import { type EngineName, engineNameSchema, type KeyedEngine, keyedEngineSchema } from '../api/search.ts';
import { searchEngineNames, searchEngines } from '../api/search-engines.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import { keyProblem, keyVariable } from './keys.ts';

/** What the environment decides about searches. */
export interface SearchFromOutside {
  /** Instead of the settings' order; null: they count. */
  engines: readonly EngineName[] | null;
  keys: Readonly<Partial<Record<KeyedEngine, string>>>;
  /** For tests: instead of the engine's own address. */
  addresses: Readonly<Partial<Record<EngineName, URL>>>;
}

export const nothingFromOutside: SearchFromOutside = { engines: null, keys: {}, addresses: {} };

/** A variable that can't be used. The message names it, and no key. */
export class SearchVariableError extends Error {
  override readonly name = 'SearchVariableError';
}

/** Throws `SearchVariableError`. */
export function readSearchVariables(env: Readonly<Record<string, string | undefined>>): SearchFromOutside {
  const keys: Partial<Record<KeyedEngine, string>> = {};
  for (const engine of keyedEngineSchema.options) {
    const variable = keyVariable(engine);
    const key = env[variable]?.trim();
    if (!key) continue;
    const problem = keyProblem(key);
    if (problem !== null) throw new SearchVariableError(`${variable} can’t be used. ${problem}`);
    keys[engine] = key;
  }
  const addresses: Partial<Record<EngineName, URL>> = {};
  for (const name of searchEngineNames) {
    if (!searchEngines[name].takesAddress) continue;
    const variable = `JUMPSEAT_${name.toUpperCase()}_URL`;
    const text = env[variable]?.trim();
    if (!text) continue;
    const url = allowedAddress(text);
    if (url === null)
      throw new SearchVariableError(`${variable} has to be https, or http on a loopback address, without a query.`);
    addresses[name] = url;
  }
  return { engines: readOrder(env.JUMPSEAT_SEARCH_ENGINES), keys, addresses };
}

function readOrder(text: string | undefined): EngineName[] | null {
  if (!text?.trim()) return null;
  return text.split(',').map((part) => {
    const read = engineNameSchema.safeParse(part.trim());
    if (read.success) return read.data;
    throw new SearchVariableError(
      `JUMPSEAT_SEARCH_ENGINES is a list of ${engineNameSchema.options.join(', ')}, with commas between them.`,
    );
  });
}
