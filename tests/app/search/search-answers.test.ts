import { expect, it } from 'vitest';
import { RecentSearches } from '../../../app/search/search-answers.ts';
import { failed, found } from '../exchange/features/web-search/fake-search.ts';

const queries = (searched: RecentSearches, id: string) => searched.of(id).map(({ query }) => query);

it('holds all searches of one answer, in their order, and those of a request of its own there too', () => {
  const searched = new RecentSearches();
  const cost = { nanoAiu: 1, premiumRequests: null, dollars: null, exchange: 'engine' };
  searched.keep('one', failed('unavailable'), 'a');
  searched.keep('two', Object.assign(found('two', []), { cost }), 'a');
  expect([queries(searched, 'a'), queries(searched, 'engine')]).toEqual([['one', 'two'], ['two']]);
});

it('holds the last 20 of one exchange, and 200 of all; the longest unused exchange goes first', () => {
  const searched = new RecentSearches();
  for (let n = 0; n < 25; n++) searched.keep(`q${n}`, failed('unavailable'), 'many');
  expect(queries(searched, 'many')).toEqual(Array.from({ length: 20 }, (_, n) => `q${n + 5}`));
  for (let n = 0; n < 180; n++) searched.keep('q', failed('unavailable'), `x${n}`);
  expect(queries(searched, 'many')).toHaveLength(20);
  searched.keep('q', failed('unavailable'), 'one more');
  expect([queries(searched, 'many'), queries(searched, 'x0'), queries(searched, 'one more')]).toEqual([
    [],
    ['q'],
    ['q'],
  ]);
  searched.forget();
  expect(queries(searched, 'x0')).toEqual([]);
});
