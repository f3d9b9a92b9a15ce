import type { EngineName, SearchFailure } from '../api/search.ts';
import { searchEngineNames } from '../api/search-engines.ts';
import { t } from '../language/translate.ts';
import { decidesSetting, policyRows, underRule } from '../settings/policy.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { engineNames } from '../words/search.ts';
import { searchFailure } from './engine.ts';
import type { SearchFromOutside } from './from-outside.ts';

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
