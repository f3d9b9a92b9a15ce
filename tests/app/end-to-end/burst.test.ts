import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { heldAtMostMs } from '../../../app/exchange/limits/queue.ts';
import { openRequest } from '../live-request.ts';
import { type Answer, eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/** New prompts in a burst wait until the person lets them through. */

let stack: Stack;
/** The time for which a prompt may be held is over. */
let over: PromiseWithResolvers<void>;
beforeEach(async () => {
  over = Promise.withResolvers();
  const clock = nodeClock();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    ms === heldAtMostMs ? Promise.race([over.promise, clock.sleep(ms, signal)]) : clock.sleep(ms, signal);
  stack = await startStack({ ports: { clock: { now: () => clock.now(), ticks: () => clock.ticks(), sleep } } });
  await stack.app.models();
  await limit({ askBeforeBurst: true, burstPerMinute: 1 });
  expect((await stack.messages(prompt('first'))).status).toBe(200);
});
afterEach(async () => {
  vi.useRealTimers();
  await stack.close();
});

const sent = (): (string | null)[] =>
  stack.simulator.requests.filter(({ path }) => path === '/v1/messages').map(({ initiator }) => initiator);
const held = (count: number): Promise<void> => until(() => stack.app.state().health.held.prompts === count);

async function limit(limits: Record<string, unknown>): Promise<void> {
  const known = until(() => false, 'preferences');
  writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, limits }));
  await known;
}

/** Until it holds, looked at with every event; or until an event of that name. */
function until(holds: () => boolean, name?: string): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = stack.app.listen(({ event }) => {
      if (event !== name && !holds()) return;
      stop();
      resolve();
    });
  });
}

const openai = (): Promise<Answer> =>
  stack.send({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] }),
  });

it('holds a prompt, says so while it does, lets it through, and asks Copilot nothing before that', async () => {
  const answer = stack.messages(prompt('second'));
  await held(1);
  expect(sent()).toEqual(['user']);
  const [row] = (await stack.app.exchanges({ limit: 9 })).filter((exchange) => exchange.held);
  expect(row).toMatchObject({ outcome: 'running', initiator: 'user', status: null, times: { sent: null } });

  expect(await stack.app.letThrough('another')).toBe(0);
  expect(await stack.app.letThrough(row?.id ?? null)).toBe(1);
  expect((await answer).status).toBe(200);
  expect(sent()).toEqual(['user', 'user']);
  expect(stack.app.state().health.held).toEqual({ prompts: 0, above: 1 });
  expect((await stack.rows(2))[1]).toMatchObject({
    id: row?.id,
    held: false,
    outcome: 'done',
    initiator: 'user',
    times: { held: { from: expect.any(Number), until: expect.any(Number) } },
    fits: expect.arrayContaining([expect.objectContaining({ code: 'held' })]),
  });
});

it('holds no tool turn; lets all of them through at once, and the next ones after them', async () => {
  const turn = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
  ];
  const answers = [stack.messages(prompt('second')), openai()];
  await held(2);
  expect((await stack.messages(prompt('', { messages: turn }))).status).toBe(200);
  await limit({ askBeforeBurst: true, burstPerMinute: 4 });
  expect(await stack.app.letThrough(null)).toBe(2);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await stack.messages(prompt('third'))).status).toBe(200);
});

it('lets them through where the guard is switched off', async () => {
  const answer = stack.messages(prompt('second'));
  await held(1);
  await limit({ askBeforeBurst: false });
  expect((await answer).status).toBe(200);
});

it('A9.4 keeps a stream that is held alive, and tells it the same', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const live = openRequest(stack, prompt('second'));
  await held(1);
  vi.advanceTimersByTime(30_000);
  expect(await live.status).toBe(200);
  vi.advanceTimersByTime(10_000);
  over.resolve();
  const events = eventsOf(await live.text);
  expect(events.map(({ event }) => event)).toEqual(['ping', 'ping', 'error']);
  expect(events.at(-1)?.data).toMatchObject({ error: { type: 'rate_limit_error' } });
});

describe('a prompt that is not let through', () => {
  const message =
    'Jumpseat: held back because more than 1 request started within a minute. Let it through in the window.';

  it('is refused in the words of each API, has cost nothing, and is the person’s when it comes again', async () => {
    const answers = [stack.messages(prompt('second')), openai()];
    await held(2);
    over.resolve();
    const [native, chat] = await Promise.all(answers);
    expect([native?.status, native?.headers['x-should-retry'], native?.json()]).toMatchObject([
      429,
      'false',
      { type: 'error', error: { type: 'rate_limit_error', message } },
    ]);
    expect([chat?.status, chat?.json()]).toMatchObject([
      429,
      { error: { type: 'rate_limit_error', code: 'held_back', message } },
    ]);
    expect((await stack.rows(3)).slice(1)).toMatchObject([
      { status: 429, outcome: 'failed', charge: { kind: 'none' }, attempts: [], failure: { source: 'jumpseat' } },
      { status: 429, outcome: 'failed', charge: { kind: 'none' }, attempts: [], failure: { source: 'jumpseat' } },
    ]);
    await limit({ askBeforeBurst: false });
    expect((await stack.messages(prompt('second'))).status).toBe(200);
    expect(sent()).toEqual(['user', 'user']);
  });

  it('waits no longer than its client', async () => {
    const live = openRequest(stack, prompt('second'));
    await held(1);
    live.leave();
    expect((await stack.rows(2))[1]).toMatchObject({ outcome: 'cancelled', held: false });
    expect(stack.app.state().health.held.prompts).toBe(0);
    expect(sent()).toEqual(['user']);
  });
});
