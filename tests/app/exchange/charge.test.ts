import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../app/copilot/catalog.ts';
import { chargeOf, costSoFar, type Metered, unexplained } from '../../../app/exchange/charge.ts';

import { type CopilotUsage, noFacts } from '../../../app/formats/answer/answer.ts';

const [sonnet] = readCatalog({
  data: [JSON.parse(readFileSync(new URL('../../samples/model-claude-sonnet-4.6.json', import.meta.url), 'utf8'))],
});
const opus: CopilotUsage = (() => {
  const { copilot_usage: usage } = JSON.parse(
    readFileSync(
      new URL('../../samples/messages-native-opus48-with-copilot_usage.response.json', import.meta.url),
      'utf8',
    ),
  );
  return {
    totalNanoAiu: usage.total_nano_aiu,
    details: usage.token_details.map((part: Record<string, unknown>) => ({
      type: part.token_type,
      count: part.token_count,
      costPerBatch: part.cost_per_batch,
      batchSize: part.batch_size,
    })),
  };
})();

const metered = (more: Partial<Metered>, usage: CopilotUsage | null = null): Metered => ({
  world: 'credits',
  accepted: true,
  mayHaveBegun: true,
  initiator: 'user',
  model: sonnet ?? null,
  whole: true,
  ...more,
  facts: { ...noFacts(), copilotUsage: usage },
});
const free: CopilotUsage = { totalNanoAiu: 0, details: [] };

describe('the charge', () => {
  it('credits: billed, as Copilot reported it, exactly', () => {
    expect(chargeOf(metered({}, opus))).toMatchObject({
      kind: 'billed',
      nanoAiu: 290_550_000,
      premiumRequests: null,
      partial: false,
    });
  });
  it('credits: reported as 0 is free', () => {
    expect(chargeOf(metered({}, free))).toMatchObject({ kind: 'free', nanoAiu: 0 });
  });
  it('A11.5 absent → unknown, never 0', () => {
    expect(chargeOf(metered({}))).toMatchObject({ kind: 'unknown', nanoAiu: null });
  });
  it('refused → none', () => {
    const refused = metered({ accepted: false, mayHaveBegun: false });
    expect(chargeOf(refused)).toMatchObject({ kind: 'none', nanoAiu: null });
    const inStream = metered({ accepted: false });
    inStream.facts.failure = { kind: 'error', type: 'overloaded_error', message: 'Overloaded' };
    expect(chargeOf(inStream)).toMatchObject({ kind: 'none' });
  });
  it('given up before an answer began → unknown, but where an agent’s request counts nothing', () => {
    const given = (more: Partial<Metered>) => chargeOf(metered({ accepted: false, whole: false, ...more }));
    expect(given({})).toMatchObject({ kind: 'unknown', nanoAiu: null, partial: true });
    expect(given({ world: 'premium' })).toMatchObject({ kind: 'unknown', premiumRequests: null });
    expect(given({ world: 'premium', initiator: 'agent' })).toMatchObject({ kind: 'free', premiumRequests: 0 });
    expect(given({ world: 'premium', mayHaveBegun: false })).toMatchObject({ kind: 'none' });
  });
  it('cut: what was seen is kept and marked partial', () => {
    expect(chargeOf(metered({ whole: false }, opus))).toMatchObject({
      kind: 'billed',
      nanoAiu: 290_550_000,
      partial: true,
    });
  });
  it('cut before Copilot reported: the estimate that was shown is kept beside the charge, which stays unknown', () => {
    const cut = (more: Partial<Metered>, said = 400) => {
      const given = metered({ whole: false, ...more });
      given.facts.said = said;
      given.facts.usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 3 };
      return chargeOf(given);
    };
    if (sonnet === undefined) throw new Error('There is no sample.');
    const prices = { input: 300, cacheRead: 30, cacheWrite: 375, output: 1500, upToPromptTokens: null };
    const model = { ...sonnet, price: { kind: 'credits', default: prices, longContext: null } } as const;
    const estimate = (1_000 * 300 + 100 * 1500) * 1000;
    expect(cut({ model })).toMatchObject({ kind: 'unknown', nanoAiu: null, estimate });
    for (const charge of [cut({ model: null }), cut({ world: 'premium', model: null }), chargeOf(metered({}, opus))])
      expect(charge).not.toHaveProperty('estimate');
  });
  it('credits: the initiator does not change the charge', () => {
    expect(chargeOf(metered({ initiator: 'agent' }, opus))).toEqual(chargeOf(metered({ initiator: 'user' }, opus)));
  });
  it('premium: a user request counts its multiplier, also when it was cut', () => {
    expect(chargeOf(metered({ world: 'premium' }))).toMatchObject({ kind: 'billed', premiumRequests: 1 });
    expect(chargeOf(metered({ world: 'premium', whole: false }))).toMatchObject({ kind: 'billed', premiumRequests: 1 });
  });
  it('premium: an agent request is free', () => {
    expect(chargeOf(metered({ world: 'premium', initiator: 'agent' }))).toMatchObject({
      kind: 'free',
      premiumRequests: 0,
    });
  });
  it('premium: a model without a multiplier is unknown, not free', () => {
    expect(chargeOf(metered({ world: 'premium', model: null }))).toMatchObject({
      kind: 'unknown',
      premiumRequests: null,
    });
  });
  it('world unknown: what Copilot reported is shown, the rest is unknown', () => {
    expect(chargeOf(metered({ world: 'unknown' }, opus))).toMatchObject({ kind: 'billed', nanoAiu: 290_550_000 });
    expect(chargeOf(metered({ world: 'unknown' }))).toMatchObject({ kind: 'unknown' });
  });
  it('A11.7 the parts add up to the total, or the difference is known', () => {
    const charge = chargeOf(metered({}, opus));
    expect(unexplained(charge)).toBe(0);
    expect(unexplained({ ...charge, nanoAiu: 300_000_000 })).toBe(9_450_000);
    expect(unexplained(chargeOf(metered({})))).toBeNull();
  });
});

describe('what a running answer costs so far', () => {
  const prices = { input: 300, cacheRead: 30, cacheWrite: 375, output: 1500, upToPromptTokens: 200_000 };
  const price = { kind: 'credits', default: prices, longContext: { ...prices, input: 600 } } as const;
  const tokens = { input: 1_000, cacheRead: 10_000, cacheWrite: 200, output: 100 };

  it('is estimated by the prices of its model, in credits for a million tokens', () => {
    const nano = (1_000 * 300 + 10_000 * 30 + 200 * 375 + 100 * 1500) * 1000;
    expect(costSoFar(price, tokens)).toBe(nano);
    // It is what Copilot bills for these tokens: 0.825 credits.
    expect(nano / 1e9).toBe(0.825);
    expect(costSoFar(price, { ...tokens, input: 300_000 })).toBe(nano + (300_000 * 600 - 1_000 * 300) * 1000);
  });

  it('is not known without a price, or before Copilot says what it read', () => {
    expect(costSoFar({ kind: 'multiplier', multiplier: 1, premium: true }, tokens)).toBeNull();
    expect(costSoFar(price, { ...tokens, input: null })).toBeNull();
    expect(costSoFar({ ...price, default: { ...prices, output: null } }, tokens)).toBeNull();
  });
});
