import {
  type EngineName,
  engineNameSchema,
  type KeyedEngine,
  keyedEngineSchema,
  type SearchFailure,
} from '../api/search.ts';
import { searchEngineNames, searchEngines } from '../api/search-engines.ts';
import { t } from '../language/translate.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import { decidesSetting, policyRows, underRule } from '../settings/policy.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { engineNames } from '../words/search.ts';
import { searchFailure } from './engine.ts';
import { keyProblem, keyVariable } from './keys.ts';

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

/** Throws `SearchVariableError`. */
export function readSearchVariables(env: Readonly<Record<string, string | undefined>>): SearchFromOutside {
  const keys: Partial<Record<KeyedEngine, string>> = {};
  for (const engine of keyedEngineSchema.options) {
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

function readOrder(text: string | undefined): EngineName[] | null {
  if (!text?.trim()) return null;
  return text.split(',').map((part) => {
    const read = engineNameSchema.safeParse(part.trim());
    if (read.success) return read.data;
    throw new SearchVariableError(
      t('JUMPSEAT_SEARCH_ENGINES is a list of {options}, with commas between them.', {
        options: engineNameSchema.options.join(', '),
      }),
    );
  });
}

const order = 'search.engines';

/**
 * Why an engine that was named isn't asked, or, where none was, no engine at all: the organization's rules, or that
 * they can't be read. Null: it may be asked.
 */
export function engineRefusal(
  { policy, policyProblem }: Pick<SettingsStore, 'policy' | 'policyProblem'>,
  name: EngineName | null,
): SearchFailure | null {
  if (policyProblem !== null) return searchFailure('unavailable', policyProblem.message, policyProblem.remedy);
  if (name === null) return null;
  const rule = policy?.rules[order];
  const row = policyRows.get(order);
  if (rule === undefined || row === undefined) return null;
  const allowed = underRule(rule, row, [name]);
  if (Array.isArray(allowed) && allowed.includes(name)) return null;
  return searchFailure(
    'unavailable',
    t('{engine} isn’t allowed by {who}.', { engine: engineNames[name], who: decidesSetting(policy, order) }),
    t('Search without naming an engine, or ask those who manage this machine.'),
  );
}

/** Why none of them is asked, where that is so. */
export function searchIsOff(
  settings: Pick<SettingsStore, 'isUnusable' | 'policy' | 'policyProblem'>,
  { engines }: Pick<SearchFromOutside, 'engines'>,
): SearchFailure {
  const refusal = engineRefusal(settings, null);
  if (refusal !== null) return refusal;
  if (searchEngineNames.every((name) => engineRefusal(settings, name) !== null))
    return searchFailure(
      'unavailable',
      t('Web search isn’t allowed by {who}.', { who: decidesSetting(settings.policy, order) }),
      t('Ask those who manage this machine.'),
    );
  return engines === null && settings.isUnusable('search')
    ? searchFailure(
        'unavailable',
        t('The search settings in settings.json can’t be used.'),
        t('Fix them there; Health says what is wrong.'),
      )
    : searchFailure('unavailable', t('Web search is off.'), t('Choose an engine in Settings → Web search.'));
}

const nobody: readonly EngineName[] = ['off'];

/**
 * Who is asked, one after the other. Where settings.json holds a `search` that can't be used none is: the default
 * could ask an engine that the person has left out.
 */
export function engineOrder(
  settings: Pick<SettingsStore, 'current' | 'isUnusable'>,
  { engines }: Pick<SearchFromOutside, 'engines'>,
): readonly EngineName[] {
  if (engines !== null) return engines;
  return settings.isUnusable('search') ? nobody : settings.current().search.engines;
}
