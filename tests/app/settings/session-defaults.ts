import type { SessionSettings } from '../../../app/api/settings.ts';

/** What holds for sessions where settings.json says nothing. */
export const sessionDefaults: SessionSettings = {
  search: true,
  atOnce: 4,
  unloadAfterMinutes: 15,
  creditsPerTurn: null,
  webFetchPreflight: false,
  enterWhileRunning: 'queue',
  mode: 'default',
  model: 'opus',
  effort: 'high',
  keepVersionsDays: 30,
  madeElsewhere: true,
  openFilesWith: 'system',
  titlesOutside: false,
};
