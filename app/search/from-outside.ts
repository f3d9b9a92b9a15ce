import type { EngineName, KeyedEngine } from '../api/search.ts';
import { keyedSearchEngineNames, searchEngineNames, searchEngines } from '../api/search-engines.ts';
import { t } from '../language/translate.ts';
import { allowedAddress } from '../settings/github-addresses.ts';

/** What the environment decides about searches. */
export interface SearchFromOutside {
  /** Instead of the settings' order; null if they count. */
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

/** The variable that may hold an engine's key. */
export function keyVariable(engine: KeyedEngine): string {
  return `JUMPSEAT_${engine.toUpperCase()}_KEY`;
}

/** Goes out in a header, or in an address. */
export function keyProblem(key: string): string | null {
  return /^[\x21-\x7e]{8,200}$/.test(key) ? null : t('A key has 8 to 200 visible characters without a blank.');
}

/** Throws `SearchVariableError`. */
export function readSearchVariables(env: Readonly<Record<string, string | undefined>>): SearchFromOutside {
  const keys: Partial<Record<KeyedEngine, string>> = {};
  for (const engine of keyedSearchEngineNames) {
    const variable = keyVariable(engine);
    const key = env[variable]?.trim();
    if (!key) continue;
    const problem = keyProblem(key);
    if (problem !== null)
      throw new SearchVariableError(t('{variable} can’t be used. {problem}', { variable, problem }));
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
      throw new SearchVariableError(
        t('{variable} has to be https, or http on a loopback address, without a query.', { variable }),
      );
    addresses[name] = url;
  }
  return { engines: readOrder(env.JUMPSEAT_SEARCH_ENGINES), keys, addresses };
}

const orderable: readonly EngineName[] = [...searchEngineNames, 'off'];

function readOrder(text: string | undefined): EngineName[] | null {
  if (!text?.trim()) return null;
  return text.split(',').map((part) => {
    const found = orderable.find((name) => name === part.trim());
    if (found !== undefined) return found;
    throw new SearchVariableError(
      t('JUMPSEAT_SEARCH_ENGINES is a list of {options}, with commas between them.', {
        options: orderable.join(', '),
      }),
    );
  });
}
