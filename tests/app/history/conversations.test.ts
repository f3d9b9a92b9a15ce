import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { type History, openHistory } from '../../../app/history/history.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

function withRows(rows: readonly Partial<Exchange>[]): History {
  const { history } = openHistory(join(temporaryFolder(), 'history.db'), { clock: fakeClock(), log: collectingLog() });
  const { charge } = exampleExchange();
  for (const [index, row] of rows.entries()) {
    history.record(
      exampleExchange({
        id: `ex-${index}`,
        startedAt: 1_000 * (index + 1),
        session: 's1',
        prompt: 'p1',
        agentId: null,
        agentType: null,
        initiator: 'agent',
        requestClass: 'main',
        reason: { code: 'tool-results', rule: 'main-seen-prompt', sentence: '' },
        times: { sent: 1, headers: 10, firstEvent: 20, lastEvent: 500 },
        tokens: { input: 10, output: 5, cacheRead: 80, cacheWrite: 10 },
        charge: { ...charge, kind: 'billed', nanoAiu: 1e9, premiumRequests: null },
        ...row,
      }),
    );
  }
  return history;
}

const explore = { agentId: 'a1', agentType: 'Explore', requestClass: 'subagent' } as const;
const subagent = { code: 'subagent', rule: 'class-subagent', sentence: '' } as const;
const typed = {
  initiator: 'user',
  reason: { code: 'prompt', rule: 'main-new-prompt', sentence: '' },
} as const satisfies Partial<Exchange>;
const report = { code: 'notification', rule: 'main-notification', sentence: '' } as const;

describe('conversations', () => {
  it('are the sessions of each client, the last taken up first, with their sums', () => {
    const history = withRows([
      typed,
      { prompt: 'p2', ...typed },
      { session: 's2', prompt: 'p3', ...typed },
      { session: null, prompt: null, client: 'script' },
      { prompt: 'p2', charge: { ...exampleExchange().charge, kind: 'unknown', nanoAiu: null, premiumRequests: null } },
    ]);
    const all = history.conversations({ since: 0, limit: 20, offset: 0 });
    expect(all.map(({ client, session, prompts, requests }) => [client, session, prompts, requests])).toEqual([
      [exampleExchange().client, 's1', 2, 3],
      ['script', null, 0, 1],
      [exampleExchange().client, 's2', 1, 1],
    ]);
    expect(all[0]).toEqual({
      failed: 0,
      session: 's1',
      client: exampleExchange().client,
      prompts: 2,
      requests: 3,
      user: 2,
      agent: 1,
      billed: 2,
      free: 0,
      unknown: 1,
      startedAt: 1_000,
      endedAt: 5_500,
      input: 30,
      output: 15,
      cacheRead: 240,
      cacheWrite: 30,
      nanoAiu: 2e9,
      premiumRequests: 0,
      userNanoAiu: 2e9,
      agentNanoAiu: 0,
    });
    expect(history.conversations({ since: 0, limit: 1, offset: 1 }).map(({ client }) => client)).toEqual(['script']);
    expect(history.conversations({ since: 4_000, limit: 20, offset: 0 }).map(({ requests }) => requests)).toEqual([
      1, 1,
    ]);
    history.close();
  });

  it(
    'hold prompts, the newest first, each with who worked on it: main, every subagent by itself, compaction, ' +
      'side requests',
    () => {
      const history = withRows([
        typed,
        { ...explore, reason: subagent },
        { ...explore, agentId: 'a2', reason: subagent },
        { ...explore, reason: subagent },
        { reason: { code: 'compaction', rule: 'compaction', sentence: '' } },
        { reason: { code: 'auxiliary', rule: 'class-auxiliary', sentence: 'title' } },
        { prompt: 'p2', ...typed },
        {},
        { session: 's2' },
      ]);
      const prompts = history.conversation({ since: 0, client: exampleExchange().client, session: 's1' });
      expect(
        prompts.map(({ prompt, requests, startedAt, endedAt, parts }) => ({
          prompt,
          requests,
          span: [startedAt, endedAt],
          parts: parts.map(({ kind, agentId, agentType, requests }) => [kind, agentId, agentType, requests]),
        })),
      ).toEqual([
        { prompt: 'p2', requests: 1, span: [7_000, 7_500], parts: [['main', null, null, 1]] },
        {
          prompt: 'p1',
          requests: 7,
          span: [1_000, 8_500],
          parts: [
            ['main', null, null, 2],
            ['subagent', 'a1', 'Explore', 2],
            ['subagent', 'a2', 'Explore', 1],
            ['compaction', null, null, 1],
            ['side', null, null, 1],
          ],
        },
      ]);
      history.close();
    },
  );

  it('count prompts of a person, and not the report of a background agent, whatever Copilot was told', () => {
    const history = withRows([
      typed,
      {},
      { prompt: 'p2', reason: report },
      { prompt: 'p2' },
      { prompt: 'p3', initiator: 'user', reason: report },
      { prompt: 'p4', reason: report },
      { prompt: 'p4', ...typed, reason: { code: 'interjection', rule: 'main-interjection', sentence: '' } },
    ]);
    expect(history.conversations({ since: 0, limit: 20, offset: 0 }).map(({ prompts }) => prompts)).toEqual([2]);
    const inside = history.conversation({ since: 0, client: exampleExchange().client, session: 's1' });
    expect(inside.map(({ prompt, isReport }) => [prompt, isReport])).toEqual([
      ['p4', false],
      ['p3', true],
      ['p2', true],
      ['p1', false],
    ]);
    history.close();
  });

  it('without a session are found by their client alone', () => {
    const history = withRows([
      { session: null, prompt: null, client: 'script' },
      { session: null, client: 'other' },
    ]);
    const found = history.conversation({ since: 0, client: 'script', session: null });
    expect(found.map(({ prompt, requests }) => [prompt, requests])).toEqual([[null, 1]]);
    history.close();
  });
});

const priced = (input: number, read: number, write: number): Exchange['charge'] => ({
  kind: 'billed',
  nanoAiu: 1,
  premiumRequests: null,
  partial: false,
  details: [
    { type: 'input', count: 1, costPerBatch: input, batchSize: 1_000_000 },
    { type: 'cache_read', count: 1, costPerBatch: read, batchSize: 1_000_000 },
    { type: 'cache_write', count: 1, costPerBatch: write, batchSize: 1_000_000 },
  ],
});

describe('what the cache saved', () => {
  it('goes by the prices of Copilot’s last charge for each model, less what writing cost more', () => {
    const history = withRows([
      { servedModel: 'opus', charge: priced(9e9, 9e9, 9e9) },
      { servedModel: 'opus', charge: priced(500e9, 50e9, 625e9) },
      { servedModel: 'gpt', charge: { ...exampleExchange().charge, details: [] } },
    ]);
    // 160 read at 450 less, 20 written at 125 more, credits for each million.
    expect(history.cacheSavings(0)).toEqual({ nanoAiu: 160 * 450_000 - 20 * 125_000, withoutPrice: 80 });
    history.close();
  });

  it('is not known where Copilot named no price', () => {
    const history = withRows([{ charge: { ...exampleExchange().charge, details: [] } }]);
    expect(history.cacheSavings(0)).toEqual({ nanoAiu: null, withoutPrice: 80 });
    history.close();
  });
});

describe('what missed the cache', () => {
  const cached = (read: number, write: number, fresh = 10) => ({
    tokens: { input: fresh, output: 5, cacheRead: read, cacheWrite: write },
  });
  const opus = { servedModel: 'opus', charge: priced(500e9, 50e9, 625e9) };
  const min = 60_000;

  it('is said with its reason, for each conversation, and not of what begins otherwise', () => {
    const history = withRows([
      { ...opus, startedAt: 0, ...cached(0, 20_000) },
      { ...opus, startedAt: 1 * min, ...cached(20_000, 500) },
      // A title, and a subagent's first request: other beginnings.
      { ...opus, startedAt: 1.1 * min, reason: { code: 'auxiliary', rule: '', sentence: '' }, ...cached(0, 0) },
      { ...opus, startedAt: 1.2 * min, ...explore, reason: subagent, ...cached(0, 9_000) },
      { ...opus, startedAt: 8 * min, ...cached(0, 21_000) },
      { ...opus, startedAt: 9 * min, ...cached(4_000, 18_000) },
      { ...opus, startedAt: 10 * min, ...cached(22_000, 100) },
      { ...opus, startedAt: 11 * min, servedModel: 'haiku', ...cached(0, 22_000) },
      {
        ...opus,
        startedAt: 12 * min,
        reason: { code: 'compaction', rule: '', sentence: '' },
        servedModel: 'haiku',
        ...cached(22_000, 0),
      },
      { ...opus, startedAt: 13 * min, servedModel: 'haiku', ...cached(3_000, 1_000) },
      { ...opus, startedAt: 14 * min, session: 's2', ...cached(0, 30_000) },
      // What failed has no tokens, and says nothing.
      { startedAt: 15 * min, session: 's2', tokens: { input: null, output: null, cacheRead: null, cacheWrite: null } },
      { ...opus, startedAt: 16 * min, session: 's2', ...cached(30_000, 10) },
    ]);
    const found = history.answer('cacheMisses', { since: 0 });
    expect(found.map(({ session, reason, requests, tokens }) => [session, reason, requests, tokens]).sort()).toEqual([
      ['s1', 'compaction', 1, 1_010],
      ['s1', 'model', 1, 22_010],
      ['s1', 'prefix', 1, 17_000],
      ['s1', 'time', 1, 20_500],
    ]);
    expect(found.find(({ reason }) => reason === 'time')?.nanoAiu).toBe(20_500 * 575_000);
    history.close();
  });
});

it('the last request of a session is that of its main conversation whose tokens are known', () => {
  const unknown = { input: null, output: null, cacheRead: null, cacheWrite: null };
  const history = withRows([
    { session: 's1' },
    { session: 's1' },
    { session: 's1', ...explore, reason: subagent },
    { session: 's1', reason: { code: 'auxiliary', rule: 'class-auxiliary', sentence: '' } },
    { session: 's1', tokens: unknown },
    { session: 's2', tokens: unknown },
  ]);
  expect(history.lastOf('s1')?.id).toBe('ex-1');
  expect(history.lastOf('s2')).toBeNull();
  expect(history.lastOf('nobody')).toBeNull();
});
