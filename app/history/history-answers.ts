import type { AnswersTo } from '../api/app.ts';
import type { historyCalls } from '../api/calls/exchanges.ts';
import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { History } from './history.ts';
import type { Sums } from './sums.ts';

interface HistoryAnswersDependencies {
  history: History;
  sums: Sums;
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
  /** Bodies that are held in memory go with their rows. */
  forgetBodies(): void;
  deleted(): void;
}

/** Begins later than any exchange that has ended, whatever the clock did meanwhile. */
const wellAheadMs = 24 * 60 * 60_000;

export function historyAnswers(dependencies: HistoryAnswersDependencies): AnswersTo<typeof historyCalls> {
  const { history, sums, settings, clock, forgetBodies, deleted } = dependencies;
  return {
    totals: (by, since) => sums.totals(by, since, settings.current().timeZone),
    cacheSavings: (since) => sums.cacheSavings(since),
    conversations: (which) => sums.conversations(which),
    conversation: (which) => sums.conversation(which),
    deleteHistory: async () => {
      const count = history.delete(clock.now() + wellAheadMs);
      forgetBodies();
      deleted();
      return count;
    },
  };
}
