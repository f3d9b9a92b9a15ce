import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineName, SearchFailure, SearchQuery } from '../../../app/api/search.ts';
import { type Engine, type Found, type SearchContext, unknownCost } from '../../../app/search/engine.ts';
import { searchIsOff } from '../../../app/search/engine-order.ts';
import { cutQuery, forOneself, Search } from '../../../app/search/search.ts';
import { HandClock } from '../account/hand-clock.ts';
import { LineLog } from '../account/surroundings.ts';

let clock: HandClock;
let log: LineLog;
let asked: { name: EngineName; query: string }[];
let counted: unknown[];
let held: unknown[];
beforeEach(() => {
  clock = new HandClock();
  clock.held = true;
  log = new LineLog();
  asked = [];
  counted = [];
  held = [];
});

type Answering = (query: SearchQuery, context: SearchContext) => Promise<Found | SearchFailure>;

function page(url: string, more: Partial<Found['results'][number]> = {}): Found['results'][number] {
  return { title: 'A page', url, pageAge: null, text: 'What it says.', snippets: [], ...more };
}
const found =
  (results: Found['results'], summary: string | null = null): Answering =>
  () =>
    Promise.resolve({ kind: 'found', results, summary, cost: unknownCost, notes: [] });
const fails =
  (code: SearchFailure['code'], reason: string): Answering =>
  () =>
    Promise.resolve({ kind: 'failed', engine: null, code, reason, remedy: 'Wait.', retryAfterMs: 1000 });

function searching(engines: Partial<Record<EngineName, Answering>>, order: EngineName[]): Search {
  const made = (name: EngineName): Engine | null => {
    const answer = engines[name];
    if (answer === undefined) return null;
    return {
      name,
      limit: { characters: 20, words: 4 },
      search: (query, context) => {
        asked.push({ name, query: query.query });
        return answer(query, context);
      },
    };
  };
  return new Search({
    off: () => searchIsOff({ isUnusable: () => false, policy: null, policyProblem: null }, { engines: null }),
    refusal: () => null,
    ...{ clock, log, order: () => order, engine: made },
    asked: (entry) => counted.push(entry),
    ended: (query, outcome) => held.push([query, outcome.kind]),
  });
}
const [plain, context] = forOneself('latest node');

it('a fault of an engine’s code is a search that failed, and the log says so without words', async () => {
  const search = searching({ copilot: () => Promise.reject(new TypeError('latest node is no list')) }, ['copilot']);
  expect(await search.search(plain, context)).toMatchObject({ kind: 'failed', code: 'unavailable' });
  expect(JSON.stringify(log.lines)).toContain('search.broke');
  expect(JSON.stringify(log.lines)).not.toContain('latest node');
});

describe('the order of engines', () => {
  it('asks the first alone where it answers', async () => {
    const search = searching({ copilot: found([page('https://a.example/')]), github: found([]) }, [
      'copilot',
      'github',
    ]);
    expect(await search.search(plain, context)).toEqual({
      kind: 'found',
      engine: 'copilot',
      query: 'latest node',
      cut: false,
      results: [page('https://a.example/')],
      summary: null,
      cost: unknownCost,
      ms: 0,
      notes: [],
    });
    expect(asked.map(({ name }) => name)).toEqual(['copilot']);
  });

  it('asks the next where one failed, and says so', async () => {
    const search = searching(
      { copilot: fails('unavailable', 'No model.'), github: found([page('https://a.example/')]) },
      ['copilot', 'github'],
    );
    expect(await search.search(plain, context)).toMatchObject({
      engine: 'github',
      notes: ['copilot failed: No model.'],
    });
  });

  it('asks no engine that is not on the list, and none behind “off”', async () => {
    const search = searching(
      { copilot: fails('too_many_requests', 'Too many.'), brave: found([]), tavily: found([]) },
      ['copilot', 'off', 'brave'],
    );
    expect(await search.search(plain, context)).toEqual({
      kind: 'failed',
      engine: 'copilot',
      code: 'too_many_requests',
      reason: 'Too many.',
      remedy: 'Wait.',
      retryAfterMs: 1000,
    });
    expect(asked.map(({ name }) => name)).toEqual(['copilot']);
  });

  it.each([[[]], [['off', 'brave']]] as EngineName[][][])('%j: searching is off', async (order) => {
    const search = searching({ brave: found([]) }, order);
    expect(await search.search(plain, context)).toMatchObject({ kind: 'failed', engine: null, code: 'unavailable' });
    expect(asked).toEqual([]);
  });

  it('asks one alone where that was wanted, on the list or not', async () => {
    const search = searching({ copilot: found([]), brave: fails('unavailable', 'No key.') }, ['copilot']);
    expect(await search.search(plain, context, 'brave')).toMatchObject({ kind: 'failed', reason: 'No key.' });
    expect(asked.map(({ name }) => name)).toEqual(['brave']);
  });

  it('writes no word of a query or a reason into the log', async () => {
    await searching({ copilot: fails('unavailable', 'Nothing about latest node.') }, ['copilot']).search(
      plain,
      context,
    );
    expect(JSON.stringify(log)).toContain('search.failed');
    expect(JSON.stringify(log)).not.toMatch(/latest|node/);
  });
});

it('every engine that was asked is counted without the query, and the whole search is handed on once', async () => {
  const search = searching({ copilot: fails('unavailable', 'No.'), github: found([]) }, ['copilot', 'github', 'exa']);
  await search.search(plain, context);
  expect(counted).toEqual([
    { at: clock.now(), engine: 'copilot', failed: true },
    { at: clock.now(), engine: 'github', failed: false },
  ]);
  expect(held).toEqual([['latest node', 'found']]);
});

describe('a query', () => {
  it('without a word is refused, and no engine is asked', async () => {
    const search = searching({ copilot: found([]) }, ['copilot']);
    expect(await search.search({ ...plain, query: ' \n ' }, context)).toMatchObject({ code: 'invalid_tool_input' });
    expect(asked).toEqual([]);
  });

  it('that is too long for an engine is cut behind a word, and that is said', async () => {
    const search = searching({ copilot: found([]) }, ['copilot']);
    const answer = await search.search({ ...plain, query: 'one two three four five' }, context);
    expect(answer).toMatchObject({
      query: 'one two three four',
      cut: true,
      notes: ['the query was cut to 18 characters'],
    });
    expect(asked).toEqual([{ name: 'copilot', query: 'one two three four' }]);
  });
});

describe('what comes back', () => {
  it('is looked through for domains once more; a summary that may rest on one left out goes with it', async () => {
    const results = ['https://docs.a.example/x', 'https://b.example/', 'ftp://a.example/', 'javascript:alert(1)'].map(
      (url) => page(url),
    );
    const search = searching({ copilot: found(results, 'All of it.') }, ['copilot']);
    expect(await search.search({ ...plain, allowed: ['a.example'] }, context)).toMatchObject({
      results: [{ url: 'https://docs.a.example/x' }],
      summary: null,
      notes: ['3 pages of other domains left out'],
    });
    expect(await search.search({ ...plain, blocked: ['a.example'] }, context)).toMatchObject({
      results: [{ url: 'https://b.example/' }],
    });
  });

  it('is bounded: results, texts, and no character that a terminal would act on', async () => {
    const long = page('https://a.example/', {
      title: '\u001b[31mred\u0007',
      text: 'x'.repeat(9000),
      snippets: Array(50).fill('y'),
    });
    const search = searching({ copilot: found(Array(99).fill(long), 'z'.repeat(99_999)) }, ['copilot']);
    const answer = await search.search({ ...plain, count: 50 }, context);
    if (answer.kind !== 'found') throw new Error('nothing found');
    expect(answer.results).toHaveLength(20);
    expect(answer.results[0]).toMatchObject({ title: '[31mred' });
    expect(answer.results[0]?.text).toHaveLength(4000);
    expect(answer.results[0]?.snippets).toHaveLength(10);
    expect(answer.summary).toHaveLength(20_000);
  });
});

describe('the end', () => {
  it('comes after 30 seconds, whatever an engine does', async () => {
    let given: AbortSignal | undefined;
    const never: Answering = (_query, { signal }) => {
      given = signal;
      return new Promise(() => {});
    };
    const search = searching({ copilot: never, github: found([]) }, ['copilot', 'github']).search(plain, context);
    await clock.asleep();
    clock.wake();
    expect(await search).toMatchObject({
      kind: 'failed',
      code: 'unavailable',
      reason: expect.stringMatching(/30 seconds/),
    });
    expect(clock.slept).toEqual([30_000]);
    expect(given?.aborted).toBe(true);
    expect(counted).toMatchObject([{ engine: 'copilot', failed: true }]);
  });

  it('comes at once when the client leaves', async () => {
    const leaving = new AbortController();
    const never: Answering = () => new Promise(() => {});
    const search = searching({ copilot: never }, ['copilot']).search(plain, { ...context, signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(search).rejects.toThrow('left');
    expect(counted).toEqual([{ at: clock.now(), engine: 'copilot', failed: false }]);
  });
});

describe('cutQuery', () => {
  it.each([
    ['as it is', 'two words', 20, null, 'two words', false],
    ['blanks and line ends become one blank', '  two \n\t words ', 20, null, 'two words', false],
    ['exactly as long as it may be', 'two words', 9, null, 'two words', false],
    ['one character too long', 'two words', 8, null, 'two', true],
    ['too many words', 'a b c d', 20, 3, 'a b c', true],
    ['one word that is too long', 'abcdefgh', 3, null, 'abc', true],
    ['never half a character', 'ab😀cd', 3, null, 'ab', true],
    ['nothing', ' ', 3, null, '', false],
  ])('%s', (_what, query, characters, words, kept, cut) => {
    expect(cutQuery(query, { characters, words })).toEqual({ query: kept, cut });
  });
});
