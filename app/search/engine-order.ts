import type { EngineName, SearchFailure } from '../api/search.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { searchFailure } from './failure.ts';
import type { SearchFromOutside } from './from-outside.ts';

/** Why none of them is asked, where that is so. */
export function searchIsOff(
  settings: Pick<SettingsStore, 'isUnusable'>,
  { engines }: Pick<SearchFromOutside, 'engines'>,
): SearchFailure {
  return engines === null && settings.isUnusable('search')
    ? searchFailure(
        'unavailable',
        'The search settings in settings.json can’t be used.',
        'Fix them there; Health says what is wrong.',
      )
    : searchFailure('unavailable', 'Web search is off.', 'Choose an engine in Settings → Web search.');
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
