import type { AnswersTo, App } from '../api/app.ts';
import type { searchCalls } from '../api/calls/search.ts';
import { forOneself, type Search } from './search.ts';

export function searchAnswers(search: Search): AnswersTo<typeof searchCalls> & Pick<App, 'search'> {
  return {
    search: (words, { engine = null } = {}, signal) => search.search(...forOneself(words, signal), engine),
  };
}
