import { expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { contextOfRequest, contextOfSession } from '../../../app/words/context.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { toHar, toJsonLines } from '../../../renderer/requests/export.ts';
import { exchange } from '../../exchange.ts';

const price = { kind: 'credits', input: 500, cacheRead: 50, cacheWrite: 625, output: 2500 } as const;
const limits = { prompt: 168_000, output: 32_000, context: 200_000, images: null };
const models = [
  { id: 'claude-opus-4', price: { kind: 'unknown' } as const, limits },
  { id: 'claude-opus-4.6', price, limits },
  { id: 'claude-opus-4.8', price, limits },
];

/** `exchange()` was billed 60,936 input tokens: 412 fresh, 58,214 read from the cache and 2,310 written to it. */
function sent(change: Partial<Exchange> = {}): Exchange {
  const parts = { system: 1_000, tools: 4_000, mcp: 2_000, user: 500, assistant: 1_500, results: 6_000 };
  const request = { bytes: 1, messages: {}, tools: 9, images: 0, thinking: null, context: { parts, room: 32_000 } };
  return exchange({ shape: { request, answer: null, toolsBefore: [] }, ...change });
}

const linesOf = (words: ReturnType<typeof contextOfRequest>) =>
  words?.lines.map(({ name, tokens, cached, fresh }) => [name, tokens, cached, fresh]);

it('parts of a request add up to its tokens and to what was billed for them', () => {
  const words = contextOfRequest(sent(), models);
  expect(words?.total).toBe('60,936 of 200,000 tokens (30%)');
  // 58,214 tokens from the cache are 2.91 credits; 412 and 2,310 others 1.65.
  expect(linesOf(words)).toEqual([
    ['Tools', '16,250', '0.81', ''],
    ['MCP tools', '8,124', '0.41', ''],
    ['System prompt', '4,063', '0.20', ''],
    ['User messages', '2,031', '0.09', '0.10'],
    ['Assistant messages', '6,094', '0.28', '0.31'],
    ['Tool results', '24,374', '1.12', '1.24'],
    ['Room for the answer', '32,000', '', ''],
  ]);
});

it('an export names the parts of a context as the details do, in their order, with their tokens', () => {
  const shown = contextOfRequest(sent(), models)?.lines.slice(0, -1) ?? [];
  const exported = JSON.parse(toJsonLines([sent()])).context;
  expect(exported).toMatchObject({ total: 60_936, isEstimated: false, room: 32_000 });
  expect(exported.parts.map(({ name, tokens }: { name: string; tokens: number }) => [name, grouped(tokens)])).toEqual(
    shown.map(({ name, tokens }) => [name, tokens]),
  );
  expect(exported.parts[1]).toEqual({ part: 'mcp', name: 'MCP tools', tokens: 8_124 });
  const [entry] = JSON.parse(toHar([sent()], '0', 'http://127.0.0.1:4180')).log.entries;
  expect(entry._jumpseat.context).toEqual(exported);
  expect(JSON.parse(toJsonLines([exchange()])).context).toBeUndefined();
});

it('without a bill there is no price, without Copilot’s tokens an estimate that says so, of a model without a window', () => {
  const charge = { ...exchange().charge, details: [] };
  const premium = contextOfRequest(sent({ charge }), models);
  expect(linesOf(premium)?.[0]).toEqual(['Tools', '16,250', '', '']);
  const tokens = { input: null, output: null, cacheRead: null, cacheWrite: null };
  const unknown = contextOfRequest(sent({ charge, tokens }), []);
  expect(unknown).toMatchObject({ total: '≈ 15,000 tokens', note: 'Our estimate: Copilot reported no tokens.' });
  expect(contextOfRequest(exchange(), models)).toBeNull();
});

it('prices what a request sends of the context that an agent reports, by its model, and nothing else', () => {
  const context = (model: string | null, isSent = true) =>
    contextOfSession(
      { total: 12_000, size: 200_000, model, parts: [{ name: 'System tools', tokens: 12_000, isSent }] },
      models,
    );
  expect(context('claude-opus-4-6').total).toBe('12,000 of 200,000 tokens (6%)');
  const line = { name: 'System tools', tokens: '12,000', cached: '0.60', fresh: '6.00' };
  expect(context('claude-opus-4-6').lines).toEqual([line]);
  for (const unpriced of [context('claude-opus-4-6', false), context('claude-opus-4-1'), context(null)])
    expect(unpriced.lines).toEqual([{ ...line, cached: '', fresh: '' }]);
});
