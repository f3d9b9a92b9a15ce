import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Charge } from '../../../app/api/exchange.ts';
import type { StreamStep } from '../../../app/simulator/script.ts';
import { chatChunk, chatDone, messageEnd, messageStart, textBlock } from '../events.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/** What an answer cost, from Copilot's bytes to the row. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  // Knows the plan, so that what a charge means does not depend on which answer comes first.
  await stack.app.refresh();
});
afterEach(() => stack.close());

const bill = (total_nano_aiu: number, counts: readonly number[] = []): Record<string, unknown> => ({
  copilot_usage: {
    token_details: counts.map((token_count) => ({
      batch_size: 1_000_000,
      cost_per_batch: 300_000_000_000,
      token_count,
      token_type: 'input',
    })),
    total_nano_aiu,
  },
});

async function chargeOf(
  model: string,
  events: readonly StreamStep[],
  stream = true,
): Promise<{ charge: Charge; notes: string[] }> {
  stack.simulator.script.next({ kind: 'stream', events });
  expect((await stack.messages(prompt('hi', { model, stream }))).status).toBe(200);
  const row = (await stack.rows(1)).at(-1);
  if (row === undefined) throw new Error('There is no row.');
  return { charge: row.charge, notes: row.fits.map(({ code, text }) => `${code}: ${text}`) };
}

const native = (...bills: Record<string, unknown>[]): StreamStep[] => {
  const [delta, stop] = messageEnd('end_turn');
  if (delta === undefined || stop === undefined) throw new Error('A message ends with two events.');
  return [
    messageStart(),
    ...textBlock(0, 'hello'),
    ...(bills.length === 0 ? [delta] : bills.map((each) => ({ ...delta, data: { ...delta.data, ...each } }))),
    stop,
  ];
};
const chat = (...bills: Record<string, unknown>[]): StreamStep[] => [
  chatChunk({ content: 'hello' }),
  chatChunk({}, 'stop'),
  ...bills.map((each) => ({ data: { ...chatChunk({}).data, choices: [], ...each } })),
  chatDone,
];

describe.each([
  { path: '/v1/messages', model: 'claude-sonnet-4.6', events: native },
  { path: '/chat/completions', model: 'gpt-4.1', events: chat },
])('on $path', ({ model, events }) => {
  it('A11.1 A11.3 a stream: the bill that comes with its end', async () => {
    const { charge } = await chargeOf(model, events(bill(123_456_789, [411, 523])));
    expect(charge).toMatchObject({ kind: 'billed', nanoAiu: 123_456_789, partial: false });
    expect(charge.details.map(({ count }) => count)).toEqual([411, 523]);
  });

  it('A11.2 a whole answer: the same', async () => {
    const { charge } = await chargeOf(model, events(bill(123_456_789)), false);
    expect(charge).toMatchObject({ kind: 'billed', nanoAiu: 123_456_789 });
  });

  it('A11.5 no bill: unknown, not 0', async () => {
    const { charge } = await chargeOf(model, events());
    expect(charge).toMatchObject({ kind: 'unknown', nanoAiu: null });
  });

  it('A11.5 a bill of 0 is free', async () => {
    const { charge } = await chargeOf(model, events(bill(0)));
    expect(charge).toMatchObject({ kind: 'free', nanoAiu: 0 });
  });

  it('A11.6 two bills: the last wins', async () => {
    const { charge } = await chargeOf(model, events(bill(5), bill(7)));
    expect(charge).toMatchObject({ kind: 'billed', nanoAiu: 7 });
  });

  it('A11.7 parts that make up the total get no note, others do', async () => {
    // 1000 tokens at 300 credits for a million are 0.3 credits.
    const even = await chargeOf(model, events(bill(300_000_000, [1000])));
    expect(even.notes.filter((note) => note.startsWith('charge'))).toEqual([]);
    await stack.close();
    stack = await startStack();
    const odd = await chargeOf(model, events(bill(500_000_000, [1000])));
    expect(odd.notes).toContain('charge-parts-differ: The parts add up to 0.300 credits; Copilot billed 0.500.');
  });
});

it.each([
  [500, 'It failed.', 'unknown'],
  [502, 'It failed.', 'unknown'],
  [503, 'It failed.', 'unknown'],
  [504, 'It failed.', 'unknown'],
  [503, { error: { code: 'model_overloaded', message: 'Too many.' } }, 'none'],
  [529, 'It failed.', 'none'],
  [429, 'It failed.', 'none'],
  [400, 'It failed.', 'none'],
])('after %i %j the charge is %s: the model may have been at work, or was not', async (status, body, kind) => {
  stack.simulator.script.next({ kind: 'answer', status, body });
  const messages = [{ role: 'user', content: 'Hi' }];
  expect((await stack.messages({ model: 'claude-sonnet-4.6', max_tokens: 50, messages })).status).not.toBe(200);
  expect(await stack.rows(1)).toMatchObject([{ outcome: 'failed', charge: { kind, nanoAiu: null } }]);
});
