import { describe, expect, it } from 'vitest';
import { keys } from '../../../../../renderer/state/log/filter/match.ts';
import { readFilter } from '../../../../../renderer/state/log/filter/read-filter.ts';
import { type Row, rowOf } from '../../../../../renderer/state/log/row.ts';
import { exchange } from '../../../../exchange.ts';

const now = new Date(2026, 10, 20, 10, 42, 7).getTime();
const folders: Record<string, string> = {
  prompt: '/home/me/Shop',
  tools: '/home/me/shop2',
  big: '/home/me/Shop/api',
};
const context = {
  now,
  isPinned: (id: string) => id === 'pinned',
  hasBody: (id: string) => id === 'cut',
  saidIn: (id: string, words: string) => id === 'big' && words === 'secret plan',
  folderOf: ({ id }: Row) => folders[id] ?? null,
};

const rows: Record<string, Row> = {
  prompt: rowOf(exchange({ id: 'prompt' }), 0),
  tools: rowOf(
    exchange({
      id: 'tools',
      client: '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3',
      initiator: 'agent',
      reason: { code: 'tool-results', rule: 'main-seen-prompt', sentence: 'results of Read' },
      fits: [{ code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' }],
      times: { sent: 10, headers: 200, firstEvent: 2500, lastEvent: 61_000 },
    }),
    1,
  ),
  subagent: rowOf(
    exchange({
      id: 'subagent',
      initiator: 'agent',
      requestClass: 'subagent',
      agentType: 'Explore',
      askedModel: 'haiku',
      servedModel: 'claude-haiku-4.5',
      session: 'b20c44de-1',
      reason: { code: 'subagent', rule: 'class-subagent', sentence: 'subagent Explore' },
      charge: { kind: 'free', nanoAiu: 0, premiumRequests: null, partial: false, details: [] },
    }),
    2,
  ),
  refused: rowOf(
    exchange({
      id: 'refused',
      status: 429,
      outcome: 'failed',
      client: 'codex',
      api: 'chat',
      path: '/chat/completions',
      requestClass: null,
      failure: { source: 'copilot', status: 429, code: 'x', message: 'Too many of them', clientMessage: null },
      charge: { kind: 'none', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
    }),
    3,
  ),
  big: rowOf(
    exchange({
      id: 'big',
      startedAt: now - 4 * 86_400_000,
      requestClass: null,
      outcome: 'running',
      held: true,
      charge: { ...exchange().charge, kind: 'pending', nanoAiu: null },
      shape: {
        request: { bytes: 1_200_000, messages: { user: 1 }, tools: 12, images: 2, thinking: null },
        answer: null,
        toolsBefore: [],
      },
    }),
    7,
  ),
  local: rowOf(
    exchange({ id: 'local', path: null, status: 404, outcome: 'failed', startedAt: now - 3 * 86_400_000 }),
    4,
  ),
  cut: rowOf(
    exchange({ id: 'cut', outcome: 'cut', charge: { ...exchange().charge, kind: 'unknown', nanoAiu: null } }),
    5,
  ),
  pinned: rowOf(
    exchange({
      id: 'pinned',
      outcome: 'running',
      status: null,
      times: { sent: 5, headers: null, firstEvent: null, lastEvent: null },
      attempts: [
        { at: 1, status: 401, retriedBecause: 'token', upstreamRequestId: null },
        { at: 2, status: 200, retriedBecause: null, upstreamRequestId: null },
      ],
    }),
    6,
  ),
};
const found = (query: string): string[] => {
  const { matches } = readFilter(query, context);
  return Object.values(rows)
    .filter(matches)
    .map(({ id }) => id);
};
const all = Object.keys(rows);
const but = (...names: string[]): string[] => all.filter((name) => !names.includes(name));

describe('a filter', () => {
  it.each([
    ['', all],
    ['is:billed', ['prompt', 'tools', 'local', 'pinned']],
    ['is:free', ['subagent']],
    ['is:unknown', ['cut']],
    ['is:no-charge', ['refused']],
    ['is:session', ['tools']],
    ['is:running', ['big', 'pinned']],
    ['is:error', ['refused', 'local', 'cut']],
    ['is:cut,free', ['subagent', 'cut']],
    ['is:retried', ['pinned']],
    ['is:changed', ['tools']],
    ['is:pinned', ['pinned']],
    ['is:local', ['local']],
    ['-is:error', but('refused', 'local', 'cut')],
    ['initiator:agent', ['tools', 'subagent']],
    ['class:subagent', ['subagent']],
    ['class:none', ['refused', 'big']],
    ['reason:"tool results"', ['tools']],
    ['reason:tool-results', ['tools']],
    ['reason:main-seen-prompt', ['tools']],
    ['model:haiku', ['subagent']],
    ['asked:OPUS', but('subagent')],
    ['status:4xx', ['refused', 'local']],
    ['status:>=400', ['refused', 'local']],
    ['status:429', ['refused']],
    ['agent:Explore', ['subagent']],
    ['session:b20c', ['subagent']],
    ['prompt:1ec2', all],
    ['folder:/home/me/Shop', ['prompt', 'big']],
    ['folder:/home/me/Shop/', ['prompt', 'big']],
    ['folder:=/home/me/Shop', ['prompt']],
    ['folder:/home/me/sho', []],
    ['folder:~/shop', ['prompt', 'big']],
    ['folder:~/shop/', ['prompt', 'big']],
    ['folder:=~/shop', ['prompt']],
    ['folder:none', but('prompt', 'tools', 'big')],
    ['folder:shop', ['prompt', 'tools', 'big']],
    ['-folder:shop', but('prompt', 'tools', 'big')],
    ['id:sub', ['subagent']],
    ['client:codex', ['refused']],
    ['endpoint:chat', ['refused']],
    ['path:chat', ['refused']],
    ['path:messages', but('refused', 'local')],
    ['change:max_tokens', ['tools']],
    ['credits:>7', ['prompt', 'tools', 'local', 'pinned']],
    ['credits:7.528', ['prompt', 'tools', 'local', 'pinned']],
    ['credits:<1', ['subagent']],
    ['input:2k..3k cached:>58k output:1187', all],
    ['took:>1m', ['tools']],
    ['ttft:>2s', ['tools']],
    ['before:-1d', ['big', 'local']],
    ['after:-1d', but('big', 'local')],
    ['on:2026-11-20', but('big', 'local')],
    ['has:error', ['refused']],
    ['has:tools', ['big']],
    ['has:images,error', ['refused', 'big']],
    ['has:thinking', []],
    ['has:body', ['cut']],
    ['"Secret Plan"', ['big']],
    ['has:body,tools', ['big', 'cut']],
    ['size:>1mb', ['big']],
    ['size:1.2m', ['big']],
    ['size:<500k', []],
    ['is:held', ['big']],
    ['too many', ['refused']],
    ['"too many"', ['refused']],
    ['codex', ['refused']],
    ['429', ['refused']],
    ['interjected', []],
    ['is:error is:cut', ['cut']],
  ])('%s', (query, names) => {
    expect(found(query)).toEqual(names);
    expect(readFilter(query, context).problems).toEqual([]);
  });

  it('session: finds the requests of one that is led here, whatever its agent calls it', () => {
    const ofFork = rowOf(exchange({ id: 'fork', client: '7f3a91c2-fork', session: 'c0ffee-copy' }), 0);
    const matches = (query: string): boolean => readFilter(query, context).matches(ofFork);
    expect(['session:7f3a91c2-fork', 'session:c0ffee', 'session:7f3a', 'session:fork'].map(matches)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it('tells what means nothing, and applies the rest', () => {
    const filter = readFilter('modle:opus is:cut is:lost', context);
    expect(filter.problems).toEqual([
      {
        start: 0,
        end: 10,
        text: `There’s no filter “modle”. Did you mean “model”? The filters are ${[...keys.keys()].join(', ').replace(', has', ' and has')}.`,
      },
      {
        start: 18,
        end: 25,
        text:
          '“is:” has no value “lost”. Its values are billed, free, unknown, no-charge, running, error, cut, left, ' +
          'retried, changed, pinned, held, local and session.',
      },
    ]);
    expect(Object.values(rows).filter(filter.matches)).toEqual([rows.cut]);
    expect(readFilter('date:today', context).problems[0]?.text).toContain('Did you mean “on”?');
  });

  it('every value that it names is one, and so is every key', () => {
    const [problem] = readFilter('nothing:x', context).problems;
    const named = (/ The filters are (.*)\.$/.exec(problem?.text ?? '')?.[1] ?? '').split(/, | and /);
    expect(named).toEqual(expect.arrayContaining(['is', 'model', 'credits', 'has']));
    for (const key of named) {
      const [said] = readFilter(`${key}:lost`, context).problems;
      const values = / Its values are (.*)\.$/.exec(said?.text ?? '')?.[1]?.split(/, | and /) ?? [];
      expect(values.filter((value) => readFilter(`${key}:${value}`, context).problems.length > 0)).toEqual([]);
      if (key === 'is') expect(values).toContain('error');
    }
  });

  it.each(['constructor', '__proto__', 'valueOf'])('a key or a value called %s means nothing', (name) => {
    const { problems, matches } = readFilter(`${name}:x is:${name} endpoint:${name} path:${name}`, context);
    expect(problems.map(({ text }) => text)).toEqual(
      [/^There’s no filter/, /^“is:” has no value/, /^“endpoint:” has no value/, /^“path:” has no value/]
        // No key has an underscore: `__proto__:x` is looked for as words.
        .slice(name === '__proto__' ? 1 : 0)
        .map((said) => expect.stringMatching(said)),
    );
    expect(() => Object.values(rows).filter(matches)).not.toThrow();
  });
});
