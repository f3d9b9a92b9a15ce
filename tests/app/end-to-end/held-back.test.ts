import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { type Answer, prompt, type Stack, startStack } from '../stack.ts';

/** What is answered here because asking Copilot would be no use, or because the person wants it so. */

let stack: Stack;
let ahead: number;
beforeEach(async () => {
  ahead = 0;
  const clock = nodeClock();
  stack = await startStack({
    ports: { clock: { now: () => clock.now() + ahead, ticks: () => clock.ticks(), sleep: clock.sleep.bind(clock) } },
  });
  await stack.app.models();
});
afterEach(() => stack.close());

const sent = (): (string | null)[] =>
  stack.simulator.requests.filter(({ path }) => path === '/v1/messages').map(({ initiator }) => initiator);

describe('C19.2 a limit that Copilot has named twice', () => {
  const refused = {
    kind: 'answer',
    status: 429,
    headers: { 'retry-after': '465000' },
    body: { error: { message: 'x', code: 'user_weekly_rate_limited' } },
  } as const;

  it('is answered here, in the same words; the prompt stays the person’s', async () => {
    const heal = stack.simulator.script.always(refused, '/v1/messages');
    const answers: Answer[] = [];
    for (let turn = 0; turn < 4; turn++) answers.push(await stack.messages(prompt('hi')));
    expect(sent()).toEqual(['user', 'user']);
    const told = (at: number) => {
      const { error } = JSON.parse(answers[at]?.text ?? '');
      return [answers[at]?.status, answers[at]?.headers['x-should-retry'], error];
    };
    expect(told(0)[2].message).toMatch(/^Jumpseat: you’ve reached Copilot’s weekly limit\. /);
    expect(told(3).slice(0, 2)).toEqual(told(0).slice(0, 2));
    expect(told(3)[2].type).toBe('rate_limit_error');
    expect(told(3)[2].message).toMatch(/^Jumpseat: you’ve reached Copilot’s weekly limit\. /);
    expect(Number(answers[3]?.headers['retry-after'])).toBeLessThanOrEqual(465_000);

    const rows = await stack.rows(4);
    expect(rows.map(({ initiator, attempts, failure }) => [initiator, attempts.length, failure?.source])).toEqual([
      ['user', 1, 'copilot'],
      ['user', 1, 'copilot'],
      ['user', 0, 'jumpseat'],
      ['user', 0, 'jumpseat'],
    ]);
    expect(rows[3]).toMatchObject({
      status: 429,
      outcome: 'failed',
      charge: { kind: 'none' },
      failure: { status: 429, code: 'user_weekly_rate_limited', message: expect.stringMatching(/^Not sent, because/) },
      upstreamRequestIds: [],
    });

    // It ends before its time: the next probe finds out.
    heal();
    ahead = 60_000;
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect((await stack.messages(prompt('and?'))).status).toBe(200);
    expect(sent()).toEqual(['user', 'user', 'user', 'user']);
  });
});
