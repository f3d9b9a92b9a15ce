import { describe, expect, it } from 'vitest';
import type { Charge, Exchange } from '../../../app/api/exchange.ts';
import { chargeSentence, contextOfRequest, contextOfSession, dollars, tokenLines } from '../../../app/words/charge.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { toHar, toJsonLines } from '../../../renderer/requests/export.ts';
import { exchange } from '../../exchange.ts';

const charge = (change: Partial<Charge>): Charge => ({
  kind: 'billed',
  nanoAiu: null,
  premiumRequests: null,
  partial: false,
  details: [],
  ...change,
});
const heldBack: Exchange['failure'] = {
  ...{
    source: 'jumpseat',
    status: 429,
    code: 'held-back',
    message: 'A limit of yours held it back.',
    clientMessage: null,
  },
};
const attempt: Exchange['attempts'][number] = { at: 1, status: 200, retriedBecause: null, upstreamRequestId: null };
const row = (change: Partial<Exchange>) => ({
  api: 'messages' as const,
  outcome: 'done' as const,
  path: '/v1/messages' as const,
  failure: null,
  attempts: [],
  servedModel: 'claude-opus-4.8',
  initiator: 'user' as const,
  charge: charge({}),
  ...change,
});

it('dollars have four decimals', () => {
  expect(dollars(7_528_000_000)).toBe('$0.0753');
});

describe('the charge in a sentence', () => {
  it.each([
    [row({ charge: charge({ nanoAiu: 7.528e9 }) }), '7.528 credits', '($0.0753). Billed, as reported by Copilot.'],
    [
      row({ charge: charge({ nanoAiu: 1e9, partial: true }) }),
      '1.000 credits',
      '($0.0100) had been billed when the stream ended early. More may appear on your bill.',
    ],
    [
      row({ charge: charge({ premiumRequests: 27 }) }),
      '27 premium requests.',
      'A user request on claude-opus-4.8 counts 27×. Estimated by Jumpseat.',
    ],
    [row({ charge: charge({ kind: 'free', nanoAiu: 0 }) }), 'Free.', 'Copilot reported a charge of 0 credits.'],
    [
      row({ charge: charge({ kind: 'free' }), initiator: 'agent' }),
      'Free.',
      'Agent requests don’t count on premium request plans.',
    ],
    [row({ charge: charge({ kind: 'free' }) }), 'Free.', 'claude-opus-4.8 counts 0×.'],
    [
      row({ charge: charge({ kind: 'unknown' }), outcome: 'cut' }),
      'Unknown.',
      'The stream was cut before Copilot reported the charge. It may appear on your bill.',
    ],
    [
      row({ charge: charge({ kind: 'unknown', estimate: 8.86e9 }), outcome: 'cancelled' }),
      'Unknown.',
      'The client left before Copilot reported the charge. It may appear on your bill. ' +
        'About 8.86 credits by the model’s prices, estimated by Jumpseat.',
    ],
    [
      row({ charge: charge({ kind: 'unknown' }), outcome: 'failed' }),
      'Unknown.',
      'Copilot didn’t answer. This request may appear on your bill.',
    ],
    [
      row({
        charge: charge({ kind: 'unknown' }),
        outcome: 'failed',
        failure: { ...heldBack, source: 'copilot', status: 504 },
      }),
      'Unknown.',
      'Copilot failed with 504, perhaps amid its work. It may appear on your bill.',
    ],
    [row({ charge: charge({ kind: 'unknown' }) }), 'Unknown.', 'Copilot didn’t report a charge for this request.'],
    [row({ charge: charge({ kind: 'none' }), api: 'count-tokens' }), 'No charge.', 'Token counting isn’t billed.'],
    [row({ charge: charge({ kind: 'none' }), path: null }), 'No charge.', 'Never sent to Copilot.'],
    [row({ charge: charge({ kind: 'none' }), failure: heldBack }), 'No charge.', 'Never sent to Copilot.'],
    [
      row({ charge: charge({ kind: 'none' }), failure: heldBack, attempts: [attempt] }),
      'No charge.',
      'Copilot reported no charge.',
    ],
    [row({ charge: charge({ kind: 'none' }) }), 'No charge.', 'Copilot refused this request and reported no charge.'],
    [row({ charge: charge({ kind: 'pending' }) }), 'Not known yet.', 'Known when the answer is complete.'],
  ])('%#', (exchange, word, sentence) => {
    expect(chargeSentence(exchange)).toEqual({ word, sentence });
  });
});

describe('Copilot’s own bill', () => {
  const details = [
    { type: 'input', count: 412, costPerBatch: 500e9, batchSize: 1_000_000 },
    { type: 'cache_read', count: 58_214, costPerBatch: 50e9, batchSize: 1_000_000 },
  ];

  it('line by line', () => {
    expect(tokenLines(charge({ nanoAiu: 3.1167e9, details }))).toEqual({
      lines: [
        { name: 'Input', count: '412', perMillion: '500', credits: '0.206' },
        { name: 'Cache read', count: '58,214', perMillion: '50', credits: '2.911' },
      ],
      note: null,
    });
  });

  it('says so where its parts are not its sum', () => {
    expect(tokenLines(charge({ nanoAiu: 5e9, details })).note).toBe('The parts add up to 3.117; Copilot billed 5.000.');
    expect(tokenLines(charge({ nanoAiu: 5e9 })).note).toBeNull();
    // 0.206 and 2.911 are shown, and 3.116.
    expect(tokenLines(charge({ nanoAiu: 3.1164e9, details })).note).toBe(
      'Each part is rounded by itself. The sum is what Copilot reported.',
    );
  });
});

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
