import type { AnswersTo } from '../api/app.ts';
import type { exchangeCalls } from '../api/calls/exchanges.ts';
import type { History } from '../history/history.ts';
import type { Exchanger } from './exchange.ts';

/** Exchanges that run are in the exchanger, those that have ended in the history. */
export function exchangeAnswers(given: { exchanger: Exchanger; history: History }): AnswersTo<typeof exchangeCalls> {
  const { exchanger, history } = given;
  return {
    exchanges: async (options) => {
      const kept = history.recent(options);
      if (options.before !== undefined) return kept;
      return [...kept, ...exchanger.running()].slice(-options.limit);
    },
    rows: async (options) => history.list(options),
    exchange: async (id) => exchanger.running().find((exchange) => exchange.id === id) ?? history.find(id),
    letThrough: async (id) => exchanger.letThrough(id ?? undefined),
  };
}
