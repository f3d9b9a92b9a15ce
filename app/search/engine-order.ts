import type { EngineName } from '../api/search.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { SearchFromOutside } from './from-outside.ts';

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
