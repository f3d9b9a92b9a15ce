import { sentences } from '../../../../app/language/sentences.ts';
import { t } from '../../../../app/language/translate.ts';
import { nearest, type QueryProblem, readTerms, type Term } from './language.ts';
import {
  type Filter,
  type FilterContext,
  keys,
  offered,
  reason,
  remembered,
  type Test,
  type Text,
  valuesOf,
} from './match.ts';

/** Makes a filter of a query. What means nothing is told and left out; the rest applies. */
export function readFilter(query: string, context: FilterContext): Filter {
  const problems: QueryProblem[] = [];
  const tests: Test[] = [];
  for (const term of readTerms(query)) {
    const test = term.key === null ? freeText(term.values[0] ?? '', context) : ofKey(term.key, term, context, problems);
    if (test !== null) tests.push(term.negated ? (row) => !test(row) : test);
  }
  return { matches: allOf(tests), problems, empty: tests.length === 0 };
}

function allOf(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only === undefined) return () => true;
  return tests.length === 1 ? only : (row) => tests.every((test) => test(row));
}

/** What people write for a filter that has another name, by that name. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ...['date', 'day'].map((word) => [word, 'on'] as const),
  ...['since', 'from'].map((word) => [word, 'after'] as const),
  ...['until', 'to'].map((word) => [word, 'before'] as const),
  ...['time', 'duration'].map((word) => [word, 'took'] as const),
  ...['cost', 'price'].map((word) => [word, 'credits'] as const),
  ...['error', 'state'].map((word) => [word, 'is'] as const),
]);

function ofKey(key: string, term: Term, context: FilterContext, problems: QueryProblem[]): Test | null {
  const { values, start, end } = term;
  const make = keys.get(key);
  if (make === undefined) {
    const near = otherWords.get(key) ?? nearest(key, [...keys.keys()]);
    const hint = near === null ? '' : t('Did you mean “{near}”?', { near });
    problems.push({
      start,
      end,
      text: [
        t('There’s no filter “{key}”.', { key }),
        hint,
        t('The filters are {names}.', { names: listed([...keys.keys()]) }),
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    });
    return null;
  }
  const tests: Test[] = [];
  for (const value of values) {
    const test = make(value, context);
    if (test === null) problems.push({ start, end, text: noValue(key, value) });
    else tests.push(test);
  }
  const [only] = tests;
  if (only === undefined) return null;
  return tests.length === 1 ? only : (row) => tests.some((test) => test(row));
}

function noValue(key: string, value: string): string {
  const all = valuesOf.get(key);
  const some = offered.get(key);
  const no = t('“{key}:” has no value “{value}”.', { key, value });
  if (all) return sentences(no, t('Its values are {values}.', { values: listed(all) }));
  return some ? sentences(no, t('Examples are {values}.', { values: listed(some) })) : no;
}

function listed(words: readonly string[]): string {
  return t('{others} and {last}', { others: words.slice(0, -1).join(', '), last: words.at(-1) ?? '' });
}

function freeText(wanted: string, context: FilterContext): Test {
  const contains = (text: string): boolean => text.includes(wanted);
  const byReason = reason(wanted, context);
  const texts: Text[] = [
    (row) => row.model,
    (row) => row.asked,
    (row) => row.client,
    (row) => row.session,
    (row) => row.prompt,
    (row) => row.agentType,
    (row) => row.failure,
  ];
  const tests = texts.map((pick) => remembered(pick, contains));
  return (row) =>
    tests.some((test) => test(row)) ||
    context.saidIn(row.id, wanted) ||
    byReason?.(row) === true ||
    row.id.includes(wanted) ||
    String(row.status) === wanted;
}
