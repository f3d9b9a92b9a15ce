import { expect, it } from 'vitest';
import { mostFilters, readFilters, type SavedFilter, withFilter } from '../../../renderer/requests/saved-filters.tsx';

const many = Array.from({ length: mostFilters }, (_, index) => ({ name: `f${index}`, query: `model:${index}` }));

it('a name is taken once: saved again it is another filter, whatever its letters', () => {
  const one = withFilter([], { name: ' Costly ', query: ' credits:>1 ' });
  expect(one).toEqual([{ name: 'Costly', query: 'credits:>1' }]);
  expect(withFilter(one ?? [], { name: 'costly', query: 'credits:>5' })).toEqual([
    { name: 'costly', query: 'credits:>5' },
  ]);
});

it('twelve are kept; one without a name is not', () => {
  expect(withFilter(many, { name: 'one more', query: 'x' })).toBeNull();
  expect(withFilter(many, { name: 'f3', query: 'x' })).toHaveLength(mostFilters);
  expect(withFilter([], { name: '  ', query: 'x' })).toBeNull();
});

it.each<[string | null, SavedFilter[]]>([
  [null, []],
  ['', []],
  ['{"a":1}', []],
  [
    '[1, null, {"name": 5, "query": "x"}, {"name": "a", "query": " "}, {"name": "b", "query": "is:cut"}]',
    [{ name: 'b', query: 'is:cut' }],
  ],
  [JSON.stringify([...many, { name: 'late', query: 'x' }]), many],
])('reads %j', (text, filters) => {
  expect(readFilters(text)).toEqual(filters);
});
