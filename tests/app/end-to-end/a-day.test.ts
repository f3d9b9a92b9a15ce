import { afterEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { totalsKeySchema } from '../../../app/api/history.ts';
import { type Answer, prompt, type Stack, startStack } from '../stack.ts';

/** A day's requests beside what the simulated Copilot billed for them, to the last nano AIU. */

let stack: Stack;
let clock: { at: number };
afterEach(() => stack.close());

async function begin(): Promise<void> {
  const real = nodeClock();
  // Six in the morning, so that the day has room.
  const start = new Date(real.now());
  start.setHours(6, 0, 0, 0);
  clock = { at: start.getTime() };
  stack = await startStack({
    ports: { clock: { now: () => clock.at, ticks: () => real.ticks(), sleep: real.sleep.bind(real) } },
  });
  await stack.app.refresh();
}

const models = ['claude-sonnet-4.6', 'claude-opus-4.8', 'gpt-5.4', 'gpt-4.1'];
const apis = ['/v1/messages', '/v1/chat/completions', '/v1/responses'] as const;

/** One request of the day; every number gives another mix of API, model, client, length and way to answer. */
function ask(number: number): Promise<Answer> {
  const path = apis[number % 3] ?? apis[0];
  const model = models[Math.floor(number / 3) % 4];
  const words = `count to ${(number * 37) % 400}`;
  const ending = path === '/v1/responses' ? { input: words } : { messages: [{ role: 'user', content: words }] };
  const client = ['claude-code', 'codex', 'curl'][number % 5 === 0 ? 2 : number % 2];
  return stack.send({
    method: 'POST',
    path,
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${stack.key}.${client}` },
      ...{ 'x-claude-code-session-id': `00000000-0000-4000-8000-00000000000${number % 4}` },
    },
    body: JSON.stringify({
      ...{ model, stream: number % 4 !== 0, ...ending },
      ...(path === '/v1/responses' ? { max_output_tokens: 2_000 } : { max_tokens: 2_000 }),
    }),
  });
}

const sum = (rows: readonly { nanoAiu: number }[]): number => rows.reduce((all, { nanoAiu }) => all + nanoAiu, 0);

describe('a day of requests', () => {
  it('adds up to Copilot’s bill in every sum: rows, totals, conversations, folders, metrics', async () => {
    await begin();
    const statuses: number[] = [];
    for (let number = 0; number < 60; number += 1) {
      clock.at += 13 * 60_000;
      // Some are refused, and cost nothing.
      const heal =
        number % 11 === 7
          ? stack.simulator.script.always({ kind: 'answer', status: 500, body: { error: { message: 'x' } } })
          : null;
      statuses.push((await ask(number)).status);
      heal?.();
    }
    expect(statuses.filter((status) => status !== 200)).toHaveLength(5);
    const rows = await stack.rows(60);
    const { billed } = stack.simulator;
    expect(billed).toBeGreaterThan(1e9);
    expect(sum(rows.map(({ charge }) => ({ nanoAiu: charge.nanoAiu ?? 0 })))).toBe(billed);
    for (const key of totalsKeySchema.options) {
      const totals = await stack.app.totals(key, 0);
      expect([key, sum(totals)]).toEqual([key, billed]);
      expect(totals.reduce((all, { userNanoAiu, agentNanoAiu }) => all + userNanoAiu + agentNanoAiu, 0)).toBe(billed);
      expect(totals.reduce((all, { requests }) => all + requests, 0)).toBe(60);
    }
    expect((await stack.app.totals('day', 0)).length).toBe(1);
    expect(sum(await stack.app.conversations({ since: 0, limit: 200, offset: 0 }))).toBe(billed);
    expect(sum(await stack.app.folders(0))).toBe(billed);
    const metrics = (await stack.send({ path: '/metrics' })).text;
    const credits = [...metrics.matchAll(/^jumpseat_credits_total(?:\{[^}]*\})? (\S+)$/gm)].map((line) =>
      Number(line[1]),
    );
    expect(credits.reduce((all, one) => all + one, 0)).toBeCloseTo(billed / 1e9, 9);
  });

  it('ends at a limit that stops, with no more above it than what was under way, under 20 streams at once', async () => {
    await begin();
    await stack.app.changePreferences({ limits: { creditsPerDay: 5 } });
    let number = 0;
    const worker = async (): Promise<number> => {
      for (let turn = 0; turn < 200; turn += 1) {
        const answer = await stack.messages(prompt(`count to ${100 + ((number++ * 37) % 400)}`, { max_tokens: 2_000 }));
        if (answer.status !== 200) return answer.status;
      }
      return 200;
    };
    expect(new Set(await Promise.all(Array.from({ length: 20 }, worker)))).toEqual(new Set([429]));
    const rows = await stack.rows(number);
    const { billed } = stack.simulator;
    const costs = rows.map(({ charge }) => charge.nanoAiu ?? 0).sort((one, other) => other - one);
    expect(costs.reduce((all, one) => all + one, 0)).toBe(billed);
    expect(billed).toBeGreaterThanOrEqual(5e9);
    expect(billed).toBeLessThan(5e9 + costs.slice(0, 20).reduce((all, one) => all + one, 0));
  });
});
