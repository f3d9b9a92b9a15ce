import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callRunning } from '../../../app/server/running-proxy.ts';
import { type Answer, pathsIn, type Stack, sendTo, startStack } from '../stack.ts';

/** What the dashboard's page may call over HTTP, and who may not. */

let stack: Stack;
let cookie: string;
beforeAll(async () => {
  stack = await startStack();
  const { dashboardUrl } = await stack.app.startProxy();
  const link = new URL(dashboardUrl);
  const first = await sendTo(stack.baseUrl, { path: `${link.pathname}${link.search}` });
  cookie = String(first.headers['set-cookie']?.[0]).split(';')[0] ?? '';
});
afterAll(() => stack.close());

function call(name: string, given: unknown, headers: Record<string, string | null> = {}): Promise<Answer> {
  return sendTo(stack.baseUrl, {
    method: 'POST',
    path: `/ui/api/call/${name}`,
    headers: { 'content-type': 'application/json', origin: stack.baseUrl, cookie, ...headers },
    body: typeof given === 'string' ? given : JSON.stringify(given),
  });
}

describe('a call of the dashboard', () => {
  it('is answered by the app, in the shape of the contract', async () => {
    await stack.messages({ model: 'haiku', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] });
    await stack.rows(1);
    const totals = await call('totals', ['model', 0]);
    expect(totals.json()).toMatchObject({ ok: true, value: [{ key: 'claude-haiku-4.5', requests: 1, reported: 1 }] });
    const models = await call('models', [{}]);
    expect(models.json()).toMatchObject({ ok: true, value: { names: expect.any(Array), models: expect.any(Array) } });
    expect((await call('conversations', [{ since: 0, limit: 20, offset: 0 }])).json()).toMatchObject({
      ok: true,
      value: [{ session: null, client: 'test', requests: 1 }],
    });
    expect((await call('conversation', [{ since: 0, client: 'test', session: null }])).json()).toMatchObject({
      ok: true,
      value: [{ prompt: null, parts: [{ kind: 'main', requests: 1 }] }],
    });
    expect((await call('cacheSavings', [0])).json()).toMatchObject({ ok: true });
    expect((await call('cacheMisses', [0])).json()).toEqual({ ok: true, value: [] });
    expect((await call('folders', [0])).json()).toMatchObject({ ok: true, value: [{ folder: null, requests: 1 }] });
  });

  it('changes what it may change, and says in words what it may not', async () => {
    expect((await call('lines', ['bash', 'claude-code'])).json()).toMatchObject({ ok: true });
    expect((await call('setOverride', ['opus', 'claude-opus-4.6'])).json()).toEqual({
      ok: true,
      value: { linesChanged: true },
    });
    expect((await stack.app.models()).names.find(({ asked }) => asked === 'opus')).toMatchObject({
      model: 'claude-opus-4.6',
      because: 'override',
      override: { name: 'opus', without: { model: 'claude-opus-4.8', because: 'newest' } },
    });
    expect((await stack.app.claudeCodeLines('claude-code')).variables.ANTHROPIC_DEFAULT_OPUS_MODEL).toBe(
      'claude-opus-4.6',
    );
    expect((await call('setOverride', ['opus', 'claude-opus-9'])).json()).toEqual({
      ok: false,
      problem: {
        code: 'override-model',
        text: 'Your account has no model claude-opus-9.',
        remedy: 'Choose one from the list.',
      },
    });
  });

  it('names the command that is typed here, and to a terminal none but its own', async () => {
    const other = await startStack({ app: { typedCommand: 'npx jumpseat' } });
    try {
      const { dashboardUrl } = await other.app.startProxy();
      const { pathname, search } = new URL(dashboardUrl);
      const first = await sendTo(other.baseUrl, { path: `${pathname}${search}` });
      const headers = {
        ...{ 'content-type': 'application/json', origin: other.baseUrl },
        cookie: String(first.headers['set-cookie']?.[0]).split(';')[0] ?? '',
      };
      const path = '/ui/api/call/check';
      const page = await sendTo(other.baseUrl, { method: 'POST', path, headers, body: '["claude-code.settings"]' });
      expect(page.json()).toMatchObject({ value: { remedy: expect.stringContaining('"npx jumpseat setup') } });
      const lock = pathsIn(other.home).lock;
      const asked = await callRunning(lock, 'check', 'claude-code.settings');
      expect(asked).toMatchObject({ remedy: expect.stringContaining('"jumpseat setup') });
    } finally {
      await other.close();
    }
  });

  it.each([
    ['without the cookie', { cookie: null }, 401],
    ['with the API key in place of the cookie', { cookie: null, authorization: 'Bearer x' }, 401],
    ['from another origin', { origin: 'https://example.com' }, 403],
    ['without an origin', { origin: null }, 403],
    ['as a form would send it', { 'content-type': 'text/plain' }, 403],
  ])('%s changes nothing: %s → %s', async (_who, headers, status) => {
    expect((await call('setOverride', ['haiku', 'claude-sonnet-4.6'], headers)).status).toBe(status);
    const { names } = await stack.app.models();
    expect(names.find(({ asked }) => asked === 'haiku')).toMatchObject({ override: null });
  });

  it.each([
    ['copyLines', ['bash']],
    ['__proto__', []],
    ['constructor', []],
    ['no-such-call', []],
  ])('that it does not have is not found: %s', async (name, given) => {
    expect((await call(name, given)).status).toBe(404);
  });

  it.each([
    ['totals', ['session', 0]],
    ['totals', {}],
    ['totals', ['day', -1]],
    ['setOverride', ['opus', 7]],
    ['conversations', [{ since: 0, limit: 1000, offset: 0 }]],
  ])('with what the contract does not know is refused: %s %j', async (name, given) => {
    expect((await call(name, given)).json()).toMatchObject({ ok: false, problem: { code: 'bad-call' } });
  });

  it.each([['{'], [`["${'x'.repeat(70_000)}"]`]])('that is no JSON or too long is no fault %#', async (body) => {
    expect((await call('totals', body)).status).toBe(400);
  });
});
