import { describe, expect, it } from 'vitest';
import type { Charge, Exchange } from '../../../app/api/exchange.ts';
import { chargeSentence, dollars, tokenLines } from '../../../app/words/charge.ts';

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
