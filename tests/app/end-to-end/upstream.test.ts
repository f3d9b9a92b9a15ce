import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import type { Dialer } from '../../../app/ports.ts';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import type { Reply } from '../../../app/simulator/script.ts';
import { prompt, type Stack, sendTo, startStack } from '../stack.ts';

/** Tokens, hosts and headers on the whole way. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const mints = (): number => stack.simulator.githubRequests.filter(({ path }) => path.endsWith('/v2/token')).length;
const inference = (): RecordedRequest[] => stack.simulator.requests.filter(({ path }) => path === '/v1/messages');
const count = (): ReturnType<Stack['send']> =>
  stack.send({
    method: 'POST',
    path: '/v1/messages/count_tokens',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-4.6', messages: [{ role: 'user', content: 'hi' }] }),
  });

describe('tokens', () => {
  it.each([
    { name: 'a stream', path: '/v1/messages', ask: () => stack.messages(prompt('hi')) },
    { name: 'a whole answer', path: '/v1/messages', ask: () => stack.messages(prompt('hi', { stream: false })) },
    {
      name: 'a translated one',
      path: '/chat/completions',
      ask: () => stack.messages(prompt('hi', { model: 'gpt-4.1' })),
    },
    { name: 'count_tokens', path: '/v1/messages/count_tokens', ask: count },
    {
      name: 'models',
      path: '/models',
      ask: async () => {
        await stack.app.models({ refresh: true });
        return stack.send({ path: '/v1/models' });
      },
    },
  ])('B1.10 a refused token is minted anew once, and the call replayed once: $name', async ({ path, ask }) => {
    const before = mints();
    stack.simulator.script.expireTokens();
    const asked = stack.simulator.requests.length;
    expect((await ask()).status).toBe(200);
    expect(mints()).toBe(before + 1);
    const calls = stack.simulator.requests.slice(asked).filter((request) => request.path === path);
    expect(calls.map(({ status }) => status)).toEqual([401, 200]);
    // B4.5: a replay belongs to the turn of the attempt that it replaces.
    expect(new Set(calls.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  });

  it('B1.11 403: minted once, replayed once, no loop, also for the next request', async () => {
    const before = mints();
    stack.simulator.script.always({ kind: 'answer', status: 403, body: 'Forbidden' }, '/v1/messages');
    const first = await stack.messages(prompt('hi'));
    const second = await stack.messages(prompt('hi again'));
    expect([first.status, second.status]).toEqual([403, 403]);
    expect(first.json()).toMatchObject({ error: { type: 'permission_error' } });
    expect(mints()).toBe(before + 1);
    expect(inference().map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('B1.12 a late 401 of an old token does not throw away the newer one', async () => {
    const hold = Promise.withResolvers<void>();
    const { taken } = stack.simulator.script.next({
      kind: 'answer',
      status: 401,
      body: 'unauthorized: token expired\n',
      gate: hold.promise,
    });
    const late = stack.messages(prompt('late'));
    await taken;
    stack.simulator.script.expireTokens();
    const before = mints();
    expect((await stack.messages(prompt('meanwhile'))).status).toBe(200);
    expect(mints()).toBe(before + 1);
    hold.resolve();
    expect((await late).status).toBe(200);
    expect(mints()).toBe(before + 1);
  });
});

describe('what may have been taken', () => {
  const trouble: { name: string; reply: Reply; status: number }[] = [
    { name: '500', reply: { kind: 'answer', status: 500, body: 'oops' }, status: 500 },
    { name: '502', reply: { kind: 'answer', status: 502, body: 'oops' }, status: 502 },
    { name: '504', reply: { kind: 'answer', status: 504, body: 'oops' }, status: 504 },
    { name: 'a reset', reply: { kind: 'reset' }, status: 502 },
  ];
  it.each(trouble)('B6.8 $name goes to the client at once, after one request', async ({ reply, status }) => {
    stack.simulator.script.always(reply, '/v1/messages');
    const answer = await stack.messages(prompt('hi'));
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([status, undefined]);
    expect(inference()).toHaveLength(1);
  });

  const sent = (promptId: string) => ({
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
    'x-claude-code-session-id': '7f3a91c2-0000-4000-8000-000000000001',
    'x-claude-code-request-class': 'main',
    'x-claude-code-prompt-id': promptId,
  });

  it('silence is final, also where Claude Code repeats the request by itself', async () => {
    await stack.close();
    const real = nodeDialer();
    const impatient: Dialer = {
      dial: (request) => real.dial(request.method === 'POST' ? { ...request, headTimeoutMs: 100 } : request),
      close: () => real.close(),
    };
    stack = await startStack({ ports: { dialer: impatient } });
    stack.simulator.script.next({ kind: 'silence' });
    const first = await stack.messages(prompt('hi'), sent('11111111-1111-4111-8111-111111111111'));
    // After 30 s of a stream its error is inside of the stream, and Claude Code then asks for a whole answer.
    const repeat = await stack.messages(prompt('hi', { stream: false }), sent('11111111-1111-4111-8111-111111111111'));
    for (const answer of [first, repeat]) {
      expect([answer.status, answer.headers['x-should-retry']]).toEqual([504, 'false']);
      expect(answer.json()).toMatchObject({
        error: { message: expect.stringContaining('isn’t sent again automatically') },
      });
    }
    expect(inference()).toHaveLength(1);
    expect((await stack.rows(2)).map(({ attempts, failure }) => [attempts.length, failure?.code])).toEqual([
      [1, 'no-answer'],
      [0, 'no-answer'],
    ]);
    // The person sends it again.
    const again = await stack.messages(prompt('hi'), sent('22222222-2222-4222-8222-222222222222'));
    expect([again.status, inference().length]).toEqual([200, 2]);
  });
});

describe('hosts', () => {
  it('B3.7 nothing that a client sends changes the host', async () => {
    let asked = 0;
    const elsewhere = createServer((_incoming, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const address = elsewhere.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const fields = {
      base_url: url,
      api_base: url,
      endpoint: url,
      endpoints: { api: url },
      metadata: { base_url: url },
    };
    const headers = {
      'x-base-url': url,
      'x-forwarded-host': new URL(url).host,
      'x-original-url': `${url}/v1/messages`,
      'openai-base-url': url,
    };
    for (const more of [{}, { stream: false }, { model: 'gpt-4.1' }]) {
      expect((await stack.messages(prompt('hi', { ...fields, ...more }), headers)).status).toBe(200);
    }
    const absolute = await sendTo(stack.baseUrl, {
      method: 'POST',
      path: `/v1/messages?base_url=${encodeURIComponent(url)}`,
      headers: { authorization: `Bearer ${stack.key}.test`, ...headers },
      body: JSON.stringify(prompt('hi', fields)),
    });
    expect(absolute.status).toBe(200);
    await new Promise((resolve) => elsewhere.close(resolve));
    expect(asked).toBe(0);
    expect(inference()).toHaveLength(3);
    expect(stack.simulator.script.violations).toEqual([]);
  });

  it(
    'C3.4 B4.8 sign-in, mint, user, models, counting and messages, and the checks, leave by the one dialer ' +
      'there is',
    async () => {
      const dialed: string[] = [];
      const real = nodeDialer();
      const dialer: Dialer = {
        dial: (request) => {
          dialed.push(`${request.method} ${request.url.pathname}`);
          return real.dial(request);
        },
        close: () => real.close(),
      };
      // Nobody waits between two polls of the sign-in.
      let hurry = true;
      const realClock = nodeClock();
      const clock = {
        ...realClock,
        sleep: (ms: number, signal?: AbortSignal) => (hurry ? Promise.resolve() : realClock.sleep(ms, signal)),
      };
      await stack.close();
      stack = await startStack({
        ports: { dialer, clock },
        secrets: memorySecrets(),
        simulator: { deviceInterval: 0, approveAfterPolls: 1 },
      });
      await stack.app.signIn(() => {});
      hurry = false;
      await stack.app.refresh();
      await stack.messages(prompt('hi'));
      await stack.messages(prompt('hi', { model: 'gpt-4.1' }));
      await count();
      await stack.send({ path: '/readyz' });
      await stack.app.checks();
      const arrived = [...stack.simulator.githubRequests, ...stack.simulator.requests].map(
        ({ method, path }) => `${method} ${path}`,
      );
      expect(arrived.toSorted()).toEqual(dialed.toSorted());
      expect(new Set(arrived)).toEqual(
        new Set([
          'HEAD /',
          'POST /login/device/code',
          'POST /login/oauth/access_token',
          'GET /copilot_internal/v2/token',
          'GET /copilot_internal/user',
          'GET /models',
          'POST /v1/messages',
          'POST /chat/completions',
          'POST /v1/messages/count_tokens',
        ]),
      );
    },
  );
});

describe('interactions', () => {
  const headers = (promptId: string | null): Record<string, string> => ({
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
    'x-claude-code-session-id': '7f3a91c2-0000-4000-8000-000000000001',
    ...(promptId === null ? {} : { 'x-claude-code-request-class': 'main', 'x-claude-code-prompt-id': promptId }),
  });
  const tools = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }];
  const turn = (words: string, steps: number, before: unknown[] = []): Record<string, unknown> => ({
    ...prompt(''),
    tools,
    messages: [
      ...before,
      { role: 'user', content: words },
      ...Array.from({ length: steps }, (_, at) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${words}_${at}`, name: 'Read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${words}_${at}`, content: 'ok' }] },
      ]).flat(),
    ],
  });

  it.each([
    { name: 'with prompt ids', ids: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] },
    { name: 'without', ids: [null, null] },
  ])('B4.5 B4.6 the ids are the same for all requests of a prompt, others for the next: $name', async ({ ids }) => {
    const [one = null, two = null] = ids;
    const said = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'done' },
    ];
    for (const steps of [0, 1, 2]) await stack.messages(turn('one', steps), headers(one));
    for (const steps of [0, 1]) await stack.messages(turn('two', steps, said), headers(two));
    const sent = inference().map((request) => request.headers['x-interaction-id']);
    expect(new Set(sent.slice(0, 3)).size).toBe(1);
    expect(new Set(sent.slice(3)).size).toBe(1);
    expect(sent[0]).not.toBe(sent[3]);
    const turns = inference().map((request) => request.headers['x-request-id']);
    expect(turns).toEqual([turns[0], turns[0], turns[0], turns[3], turns[3]]);
    expect(new Set([...turns, ...sent]).size).toBe(4);
    expect(inference().map((request) => request.headers['x-agent-task-id'])).toEqual(turns);
  });
});

describe('quota', () => {
  it('C14.3 what is left of the session and the week comes from the headers of an answer', async () => {
    expect(stack.app.state().usageWindows).toEqual({ session: null, weekly: null });
    stack.simulator.script.setWindows({ session: 40, weekly: 12.5 });
    await stack.messages(prompt('hi'));
    expect(stack.app.state().usageWindows).toMatchObject({
      session: { percentRemaining: 40 },
      weekly: { percentRemaining: 12.5 },
    });
  });

  it('C20.2 nothing that Jumpseat asks by itself is billed', async () => {
    await stack.app.refresh();
    await stack.app.models({ refresh: true });
    await stack.app.checks();
    await stack.app.claudeCodeLines('claude-code');
    await stack.app.totals('day', 0);
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/models', '/v1/models/claude-sonnet-4.6'])
      expect((await stack.send({ path })).status).toBe(200);
    await count();
    const billed = stack.simulator.requests.filter(
      ({ method, path }) => method === 'POST' && path !== '/v1/messages/count_tokens',
    );
    expect(billed).toEqual([]);
  });
});

describe('models', () => {
  it('A5.5 a connection that is reset while the list is read → 502 api_error', async () => {
    await stack.close();
    stack = await startStack();
    stack.simulator.script.always({ kind: 'reset' }, '/models');
    const answer = await stack.send({ path: '/v1/models', headers: { 'anthropic-version': '2023-06-01' } });
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'api_error',
        message: expect.stringMatching(/^Jumpseat: no connection to 127\.0\.0\.1:\d+, because /),
      },
    });
    const openai = await stack.send({ path: '/v1/models' });
    expect(openai.json()).toMatchObject({ error: { type: 'server_error' } });
  });

  it('A5.4 a 429 on the list without an old one → 429 in the client’s envelope', async () => {
    await stack.close();
    stack = await startStack();
    stack.simulator.script.failModels({ status: 429, body: 'slow down' });
    const answer = await stack.send({ path: '/v1/models', headers: { 'anthropic-version': '2023-06-01' } });
    expect(answer.status).toBe(429);
    expect(answer.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  });

  it.each(['claude-sonnet-4.6', 'gpt-4.1'])(
    'C4.2 what is counted for %s grows with the words, as no constant does',
    async (model) => {
      const counts: number[] = [];
      for (const words of [1, 100, 10_000]) {
        const answer = await stack.send({
          method: 'POST',
          path: '/v1/messages/count_tokens',
          body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word '.repeat(words) }] }),
        });
        counts.push((answer.json() as { input_tokens: number }).input_tokens);
      }
      const [one = 0, hundred = 0, tenThousand = 0] = counts;
      expect(one).toBeLessThan(50);
      expect(hundred).toBeGreaterThan(100);
      expect(hundred).toBeLessThan(250);
      expect(tenThousand).toBeGreaterThan(10_000);
      expect(tenThousand).toBeLessThan(16_000);
    },
  );

  it('C4.3 the limit that is shown and compared is max_prompt_tokens, not the context', async () => {
    const sonnet = (await stack.app.models()).models.find(({ id }) => id === 'claude-sonnet-4.6');
    expect(sonnet?.limits).toMatchObject({ prompt: 168_000, context: 200_000 });
    // 170 000 tokens would fit the context.
    const answer = await stack.messages(prompt('x'.repeat(4 * 170_000)));
    expect(answer.json()).toMatchObject({
      error: { message: expect.stringMatching(/^prompt is too long: \d+ tokens > 168000 maximum$/) },
    });
  });
});
