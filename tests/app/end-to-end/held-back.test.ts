import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { heldAtMostMs } from '../../../app/exchange/limits/queue.ts';
import { soon } from '../../soon.ts';
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
    const reported = (at: number) => {
      const { error } = JSON.parse(answers[at]?.text ?? '');
      return [answers[at]?.status, answers[at]?.headers['x-should-retry'], error];
    };
    expect(reported(0)[2].message).toMatch(/^Jumpseat: you’ve reached Copilot’s weekly limit\. /);
    expect(reported(3).slice(0, 2)).toEqual(reported(0).slice(0, 2));
    expect(reported(3)[2].type).toBe('rate_limit_error');
    expect(reported(3)[2].message).toMatch(/^Jumpseat: you’ve reached Copilot’s weekly limit\. /);
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
      failure: {
        status: 429,
        code: 'user_weekly_rate_limited',
        message: 'Not sent to Copilot: Copilot’s weekly limit is reached.',
      },
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

describe('a limit that the person has set', () => {
  const limit = async (limits: Record<string, number>): Promise<void> => {
    const written = new Promise<void>((resolve) => {
      const stop = stack.app.listen(({ event }) => {
        if (event !== 'preferences') return;
        stop();
        resolve();
      });
    });
    writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, limits }));
    await written;
  };

  it('requests per minute: held back with a row and the time, and still the person’s when it comes again', async () => {
    const check = () => stack.app.check('account.limits');
    expect(await check()).toMatchObject({ verdict: 'passed', finding: 'None set' });
    await limit({ requestsPerMinute: 1, creditsPerDay: 50 });
    expect((await stack.messages(prompt('one'))).status).toBe(200);
    expect(await check()).toMatchObject({
      verdict: 'failed',
      finding: 'More than 1 request started within a minute.',
      remedy: expect.stringContaining('limits.requestsPerMinute'),
    });
    const answer = await stack.messages(prompt('two'));
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([429, undefined]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(50);
    expect(answer.json()).toMatchObject({
      error: {
        type: 'rate_limit_error',
        message: expect.stringMatching(/^Jumpseat: held back because more than 1 request started within a minute\./),
      },
    });
    expect(sent()).toEqual(['user']);
    const [, row] = await stack.rows(2);
    expect(row).toMatchObject({
      status: 429,
      outcome: 'failed',
      initiator: 'user',
      attempts: [],
      charge: { kind: 'none' },
      failure: { source: 'jumpseat', code: 'held-back' },
      times: { sent: null },
    });
    await limit({ requestsPerMinute: 9, creditsPerDay: 50 });
    expect(await check()).toMatchObject({
      verdict: 'passed',
      finding: expect.stringMatching(/^\d+\.\d+ of 50 credits used today, at most 9 requests a minute$/),
    });
    expect((await stack.messages(prompt('two'))).status).toBe(200);
    expect(sent()).toEqual(['user', 'user']);
  });

  it('requests per minute: an answer to a refusal by Copilot is no second request', async () => {
    await limit({ requestsPerMinute: 1 });
    stack.simulator.script.refuseField('service_tier');
    expect((await stack.messages(prompt('hi', { service_tier: 'auto' }))).status).toBe(200);
    expect(sent()).toHaveLength(2);
  });

  it('credits per month that only warn: Health warns of them, and requests go on', async () => {
    await limit({ creditsPerMonth: 0.000001 });
    expect((await stack.messages(prompt('one'))).status).toBe(200);
    expect(await stack.app.check('account.limits')).toMatchObject({
      ...{ verdict: 'warning', finding: expect.stringMatching(/ credits used this month$/) },
    });
    expect((await stack.messages(prompt('two'))).status).toBe(200);
  });

  it('credits per day: said at once, with midnight; counting tokens goes on', async () => {
    await limit({ creditsPerDay: 0.000001 });
    expect((await stack.messages(prompt('one'))).status).toBe(200);
    const answer = await stack.messages(prompt('two'));
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([429, 'false']);
    expect(answer.text).toContain('credits you allow for a day are used');
    // Copilot would take it: only this check can say why nothing goes.
    expect(await stack.app.check('account.limits')).toMatchObject({
      verdict: 'failed',
      finding: expect.stringMatching(
        /^\S+ of the 0\.000001 credits you allow for a day are used\. They start anew on .+, 00:00\.$/,
      ),
      remedy: 'Raise them in Settings → Limits (limits.creditsPerDay in settings.json) to go on now.',
    });
    expect(sent()).toEqual(['user']);
    const counted = await stack.send({
      method: 'POST',
      path: '/v1/messages/count_tokens',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(prompt('two')),
    });
    expect(counted.status).toBe(200);
  });
});

describe('more than what is included', () => {
  /** Its cycle goes on over the next day's question, whatever day of the month it is. */
  const resetDate = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const billed = { user: { remaining: 0, overagePermitted: true, resetDate } };
  /** The time for which a prompt may be held is over. */
  let over: PromiseWithResolvers<void>;
  beforeEach(async () => {
    await stack.close();
    over = Promise.withResolvers();
    const clock = nodeClock();
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
      ms === heldAtMostMs ? Promise.race([over.promise, clock.sleep(ms, signal)]) : clock.sleep(ms, signal);
    const now = () => clock.now() + ahead;
    stack = await startStack({ simulator: billed, ports: { clock: { now, ticks: () => clock.ticks(), sleep } } });
    await stack.app.refresh();
  });
  const turn = (id: string) =>
    prompt('', {
      messages: [
        { role: 'user', content: `go ${id}` },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
      ],
    });
  const isDecided = () => {
    const file = join(stack.home, 'settings.json');
    return existsSync(file) && readFileSync(file, 'utf8').includes('overageDecided": {');
  };
  const isHeld = (count: number) => soon(() => expect(stack.app.state().health.held.prompts).toBe(count));
  const words =
    'Jumpseat: held back because your included credits are used up, and this would be billed to your GitHub budget. To ' +
    'allow that for today, run "jumpseat budget --allow-overage" or choose it in the window. Settings → Limits ' +
    '(limits.askBeforeOverage in settings.json) turns the question off.';

  it('is asked about where somebody can be asked, decides nothing before, and is answered for the day', async () => {
    const answers = [stack.messages(prompt('one')), stack.messages(prompt('two'))];
    await isHeld(2);
    expect([sent(), isDecided(), stack.app.state().health.overage]).toEqual([[], false, 'asks']);
    // Nothing is held in the middle of a turn.
    expect((await stack.messages(turn('toolu_1'))).status).toBe(200);
    await stack.app.decideOverage(true);
    expect(isDecided()).toBe(true);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await stack.messages(prompt('three'))).status).toBe(200);
    expect(sent()).toEqual(['agent', 'user', 'user', 'user']);
    expect((await stack.rows(4)).map(({ fits }) => fits.find(({ code }) => code === 'held')?.text)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^held for .*: paid overage$/)]),
    );
    ahead = 25 * 3_600_000;
    const next = stack.messages(prompt('four'));
    await isHeld(1);
    await stack.app.decideOverage(false);
    expect([(await next).status, (await next).json()]).toMatchObject([429, { error: { message: words } }]);
    // It isn't asked again that day.
    expect((await stack.messages(prompt('five'))).status).toBe(429);
    expect(stack.app.state().health).toMatchObject({ overage: 'refused', held: { prompts: 0 } });
    expect(await stack.app.check('account.limits')).toMatchObject({ verdict: 'failed' });
  });

  it('is refused after five minutes without an answer, which decides nothing', async () => {
    const late = stack.messages(prompt('one'));
    await isHeld(1);
    over.resolve();
    const answer = await late;
    expect([answer.status, answer.headers['x-should-retry'], answer.json()]).toMatchObject([
      ...[429, 'false', { error: { type: 'rate_limit_error', message: words } }],
    ]);
    expect([sent(), isDecided(), stack.app.state().health.overage]).toEqual([[], false, 'asks']);
  });

  it('is asked about for agent requests where the person wants that, and not where they don’t want it', async () => {
    await stack.app.changePreferences({ limits: { askBeforeOverage: 'all' } });
    const waiting = stack.messages(turn('toolu_2'));
    await isHeld(1);
    await stack.app.changePreferences({ limits: { askBeforeOverage: 'never' } });
    expect((await waiting).status).toBe(200);
    expect((await stack.messages(prompt('one'))).status).toBe(200);
    expect(sent()).toEqual(['agent', 'user']);
  });
});

it('B6.7 OpenAI’s clients are held to the limits of a day, in their own errors', async () => {
  const known = new Promise<void>((resolve) => {
    const stop = stack.app.listen(({ event }) => {
      if (event !== 'preferences') return;
      stop();
      resolve();
    });
  });
  writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, limits: { creditsPerDay: 0.000001 } }));
  await known;
  expect((await stack.messages(prompt('one'))).status).toBe(200);
  for (const [path, body] of [
    ['/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] }],
    ['/v1/responses', { model: 'gpt-5.4', input: 'hi' }],
    ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const answer = await stack.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
    expect([path, answer.status, answer.headers['x-should-retry'], answer.json()]).toMatchObject([
      path,
      429,
      'false',
      { error: { code: 'held_back', message: expect.stringContaining('credits you allow for a day are used') } },
    ]);
    const untilMidnight = Number(answer.headers['retry-after']);
    expect(untilMidnight).toBeGreaterThan(0);
    expect(untilMidnight).toBeLessThanOrEqual(25 * 3600);
  }
  expect(sent()).toEqual(['user']);
});

it('B6.7 OpenAI’s clients are held back by the same limits, in their own errors', async () => {
  stack.simulator.script.always(
    { kind: 'answer', status: 429, headers: { 'retry-after': '600' }, body: { error: { message: 'x', code: '' } } },
    '/chat/completions',
  );
  const ask = (): Promise<Answer> =>
    stack.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] }),
    });
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  const asked = stack.simulator.requests.filter(({ path }) => path === '/chat/completions');
  expect(asked).toHaveLength(2);
  expect(answers[2]?.json()).toMatchObject({
    error: { message: expect.stringContaining('Copilot asks to slow down'), code: 'held_back' },
  });
  const [, , row] = await stack.rows(3);
  expect(row).toMatchObject({ initiator: 'user', attempts: [], failure: { source: 'jumpseat', status: 429 } });
});
