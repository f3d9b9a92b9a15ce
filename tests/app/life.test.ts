import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Clock, Dialer } from '../../app/ports.ts';
import { until } from '../soon.ts';
import { FakeAgent } from './sessions/host/fake-agent.ts';
import { prompt, type Stack, type StackOptions, sendTo } from './stack.ts';
import { StacksOfTest } from './stacks-of-test.ts';

const stacks = new StacksOfTest('life');
const start = (options?: StackOptions): Promise<Stack> => stacks.start(options);
let home: string;
beforeEach(() => {
  home = stacks.home;
});
const kept = () => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'));
const proxyOf = (stack: Stack) => stack.app.state().proxy.kind;

/** Begins a request and resolves when it is under way, so far that it has been sent to Copilot. */
async function underWay(stack: Stack, gate: Promise<void>): Promise<{ answer: ReturnType<Stack['messages']> }> {
  const arrived = stack.simulator.script.arrival('/v1/messages');
  stack.simulator.script.next({ kind: 'usual', gate }, '/v1/messages');
  const answer = stack.messages(prompt('hi'));
  await arrived;
  return { answer };
}

describe('the switch', () => {
  it('remembers what was chosen', async () => {
    const stack = await start({ idle: true, app: { port: 0 } });
    await stack.app.setProxy(true);
    expect([kept().proxyOnAtStart, stack.app.state().status]).toEqual([true, 'on']);
    await stack.app.setProxy(false);
    expect([kept().proxyOnAtStart, stack.app.state().status]).toEqual([false, 'off']);
  });

  it('keeps the choice of on although the port is taken, and goes back to off', async () => {
    const port = await stacks.occupied();
    const stack = await start({ idle: true, app: { port } });
    await expect(stack.app.setProxy(true)).rejects.toMatchObject({ code: 'port-taken' });
    expect([kept().proxyOnAtStart, stack.app.state().status, stack.app.state().proxy]).toEqual([
      true,
      'port',
      expect.objectContaining({ kind: 'failed', code: 'port-taken', port }),
    ]);
    await stack.app.setProxy(false);
    expect(proxyOf(stack)).toBe('off');
  });

  it('a port that is taken leaves the proxy where it is', async () => {
    const stack = await start();
    const taken = await stacks.occupied();
    const { proxy: before } = stack.app.state();
    const { port } = stack.app.preferences();
    await expect(stack.app.changePreferences({ port: taken }, { restart: true })).rejects.toMatchObject({
      code: 'port-taken',
      message: expect.stringMatching(new RegExp(`^Port ${taken} is in use by `)),
      remedy: `Choose another port. The proxy stays on port ${new URL(stack.baseUrl).port}.`,
    });
    expect([stack.app.state().proxy, stack.app.preferences().port]).toEqual([before, port]);
    expect((await sendTo(stack.baseUrl, { path: '/healthz' })).status).toBe(200);
  });

  it('a port that is free is taken and kept', async () => {
    const stack = await start({ idle: true, app: { port: await stacks.occupied() } });
    await expect(stack.app.setProxy(true)).rejects.toThrow();
    await stack.app.moveToFreePort();
    const { proxy } = stack.app.state();
    expect({ kind: proxy.kind, kept: kept().port }).toEqual({ kind: 'on', kept: proxy.kind === 'on' && proxy.port });
  });
});

describe('stopping', () => {
  it(
    'waits for running answers and takes no new ones; asked again, it waits no longer, and the answer ends ' +
      'with a reason',
    async () => {
      const stack = await start();
      const { answer: running } = await underWay(stack, new Promise(() => {}));
      const reported = new Promise<string>((resolve) => {
        stack.app.listen((event) => event.event === 'state' && resolve(event.state.status));
      });
      const stopping = stack.app.stopProxy({ graceMs: 3_600_000 });
      expect([proxyOf(stack), await reported]).toEqual(['stopping', 'stopping']);
      await expect(sendTo(stack.baseUrl, { path: '/healthz' })).rejects.toThrow();
      await stack.app.stopProxy({ graceMs: 0 });
      await stopping;
      const answer = await running;
      expect([answer.status, answer.text, proxyOf(stack)]).toEqual([
        503,
        expect.stringContaining('Jumpseat: the proxy was turned off while this answer was running.'),
        'off',
      ]);
      // It says nothing of whether Copilot works.
      expect(await stack.app.check('copilot.last-success')).toMatchObject({ finding: 'No request was made yet.' });
    },
  );

  it('a start while it stops waits for it', async () => {
    const stack = await start();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { answer: running } = await underWay(stack, gate);
    const stopping = stack.app.stopProxy({ graceMs: 60_000 });
    const starting = stack.app.startProxy({ port: 0 });
    expect(proxyOf(stack)).toBe('starting');
    open();
    expect((await running).status).toBe(200);
    await stopping;
    const { baseUrl } = await starting;
    expect([(await sendTo(baseUrl, { path: '/healthz' })).status, proxyOf(stack)]).toEqual([200, 'on']);
  });
});

describe('a sign-in', () => {
  it('can be ended by any process', async () => {
    const stack = await start({ idle: true, secrets: memorySecrets() });
    const result = await stack.app.signIn(() => {
      expect(stack.app.state().status).toBe('signing-in');
      stack.app.cancelSignIn();
    });
    expect([result, stack.app.state().status]).toEqual([{ kind: 'cancelled' }, 'signed-out']);
    stack.app.cancelSignIn();
  });
});

describe('what Copilot answers becomes the state, and /readyz says it', () => {
  const ready = async (stack: Stack) => {
    const answer = await sendTo(stack.baseUrl, { path: '/readyz' });
    return [answer.status, JSON.parse(answer.text).code ?? null];
  };

  it('402: out of credits, until a request is accepted', async () => {
    const stack = await start();
    stack.simulator.script.next({ kind: 'answer', status: 402, body: { error: { message: 'no quota' } } });
    await stack.messages(prompt('hi'));
    expect([stack.app.state().status, await ready(stack)]).toEqual(['exhausted', [503, 'exhausted']]);
    await stack.messages(prompt('hi'));
    expect([stack.app.state().status, await ready(stack)]).toEqual(['on', [200, null]]);
  });

  it('429 of the week: limited, for its time', async () => {
    const stack = await start();
    stack.simulator.script.next({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '7200' },
      body: { error: { code: 'user_weekly_rate_limited', message: 'weekly' } },
    });
    await stack.messages(prompt('hi'));
    const { status, health } = stack.app.state();
    expect({ status, kind: health.limit?.kind, ready: await ready(stack) }).toEqual({
      status: 'limited',
      kind: 'weekly',
      ready: [503, 'limited'],
    });
    expect(health.limit?.until).toBeGreaterThan(Date.now() + 7_100_000);
  });

  it('two requests without an answer: offline, until there is one', async () => {
    const stack = await start();
    await stack.messages(prompt('hi'));
    for (let count = 0; count < 2; count += 1) stack.simulator.script.next({ kind: 'reset' }, '/v1/messages');
    await stack.messages(prompt('hi'));
    expect(stack.app.state().status).toBe('on');
    await stack.messages(prompt('hi'));
    const { status, health } = stack.app.state();
    expect([status, health.offline?.host, health.problem?.code]).toEqual([
      'offline',
      expect.stringMatching(/^127\.0\.0\.1/),
      'offline',
    ]);
    await stack.messages(prompt('hi'));
    expect(stack.app.state().status).toBe('on');
  });

  it('a lost connection is looked for once by each who looks, and by nobody else', async () => {
    const real = nodeClock();
    let later = 0;
    const clock: Clock = { ...real, now: () => real.now() + later };
    const stack = await start({ ports: { clock } });
    const { script } = stack.simulator;
    const lists = () => stack.simulator.requests.filter(({ path }) => path === '/models').length;
    await stack.messages(prompt('hi'));
    await stack.app.refresh();
    script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
    const before = lists();
    for (const _ of [1, 2]) await stack.messages(prompt('hi'));
    expect(stack.app.state().status).toBe('offline');
    expect(await ready(stack)).toEqual([503, 'offline']);
    expect(lists()).toBe(before);
    later += 5_001;
    await Promise.all([stack.app.lookAgain(), stack.app.lookAgain(), ready(stack)]);
    expect(lists() - before).toBe(1);
    await stack.app.refresh();
    expect(lists() - before).toBe(2);
    script.clear();
    expect(await ready(stack)).toEqual([503, 'offline']);
    later += 60_000;
    expect([await ready(stack), stack.app.state().status]).toEqual([[200, null], 'on']);
    expect(lists() - before).toBe(3);
  });

  it('a look that fails for a reason nobody knows is logged, and ends nothing', async () => {
    const real = nodeClock();
    let later = 0;
    const clock: Clock = { ...real, now: () => real.now() + later };
    const dialer = nodeDialer();
    let isOdd = false;
    const oddly: Dialer = {
      dial: (request) =>
        isOdd && request.url.pathname === '/models'
          ? Promise.reject(new TypeError('nobody knows why'))
          : dialer.dial(request),
      close: () => dialer.close(),
    };
    const stack = await start({ ports: { clock, dialer: oddly } });
    await stack.messages(prompt('hi'));
    stack.simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
    for (const _ of [1, 2]) await stack.messages(prompt('hi'));
    expect(stack.app.state().status).toBe('offline');
    later += 5_001;
    isOdd = true;
    await stack.app.lookAgain();
    expect(stack.log).toContainEqual({ level: 'error', event: 'upstream.try-failed', facts: { reason: 'TypeError' } });
    isOdd = false;
    stack.simulator.script.clear();
    later += 60_000;
    await stack.app.lookAgain();
    expect(stack.app.state().status).toBe('on');
  });

  it('a message that waits in a session has the connection looked for, while the proxy is on', async () => {
    const real = nodeClock();
    let later = 0;
    const sleepers: { ms: number; wake: () => void }[] = [];
    const clock: Clock = {
      ...{ ticks: () => real.ticks(), now: () => real.now() + later },
      sleep: (ms, signal) => {
        // Between the looks for the connection; the quota is read after other times.
        if (![5_000, 10_000, 20_000, 40_000].some((pause) => ms <= pause && ms > pause - 500))
          return real.sleep(ms, signal);
        return new Promise<void>((resolve, reject) => {
          sleepers.push({ ms, wake: resolve });
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      },
    };
    const pass = async () => {
      const next = await until(() => sleepers.shift());
      later += next.ms;
      next.wake();
    };
    const agent = new FakeAgent();
    const stack = await start({ ports: { clock }, app: { agents: [agent] } });
    const { app, simulator } = stack;
    const lists = () => simulator.requests.filter(({ path }) => path === '/models').length;
    await stack.messages(prompt('hi'));
    const { id } = await app.newSession({ cwd: home, agent: 'claude', title: null, choices: {} });
    simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
    const before = lists();
    for (const _ of [1, 2]) await stack.messages(prompt('hi'));
    await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Hello' }] });
    for (const looks of [1, 2, 3]) {
      await pass();
      await until(() => lists() === before + looks && sleepers.length === 1);
    }
    await app.stopProxy({ graceMs: 0 });
    await pass();
    // Time enough for a look.
    for (let at = 0; at < 50; at += 1) await fetch(`${simulator.webUrl}/nothing`);
    expect(lists()).toBe(before + 3);
    expect(agent.methods()).not.toContain('session/prompt');
    simulator.script.clear();
    // A start of the proxy looks, and what waited is sent.
    await app.startProxy();
    await until(() => agent.methods().includes('session/prompt'));
    expect(lists()).toBe(before + 4);
  });
});
