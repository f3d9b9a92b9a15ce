import type { AnswersTo } from '../api/app.ts';
import type { exchangeCalls } from '../api/calls/exchanges.ts';
import type { History } from '../history/history.ts';
import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { dayAround } from '../words/times.ts';
import type { Exchanger } from './exchange.ts';

/** Exchanges that run are in the exchanger, those that have ended in the history. */
export function exchangeAnswers(given: {
  exchanger: Exchanger;
  history: History;
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
}): AnswersTo<typeof exchangeCalls> {
  const { exchanger, history, settings, clock } = given;
  return {
    exchanges: async ({ byArrival = false, ...options }) => {
      const kept = byArrival ? history.lastArrived(options.limit) : history.recent(options);
      if (options.before !== undefined) return kept;
      return [...kept, ...exchanger.running()].slice(-options.limit);
    },
    rows: async (options) => history.list(options),
    exchange: async (id) => exchanger.running().find((exchange) => exchange.id === id) ?? history.find(id),
    lastExchange: async (session) => history.lastOf(session),
    decideOverage: (allowed) => {
      const { until } = dayAround(clock.now(), settings.current().timeZone);
      return settings.update({ overageDecided: { until, allowed } });
    },
    letThrough: async (id) => exchanger.limits.letThrough(id ?? undefined),
  };
}
