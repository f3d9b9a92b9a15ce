import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { prompt, type Stack, sendTo, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

describe('routes', () => {
  it('A4.1 POST /v1/messages?beta=true is the same as without the query', async () => {
    const body = JSON.stringify(prompt('hi', { stream: false }));
    const [plain, beta] = await Promise.all(
      ['/v1/messages', '/v1/messages?beta=true'].map((path) => stack.send({ method: 'POST', path, body })),
    );
    expect(plain?.status).toBe(200);
    expect(beta?.status).toBe(200);
    expect(Object.keys(Object(beta?.json()))).toEqual(Object.keys(Object(plain?.json())));
  });

  it('A4.2 unknown path → 404 not_found_error; known path, wrong method → 405', async () => {
    const unknown = await stack.send({ path: '/v2/messages' });
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toMatchObject({
      error: {
        type: 'not_found_error',
        message: expect.stringMatching(/^Jumpseat: there is no GET \/v2\/messages here\. Clients find \/v1\/messages,/),
      },
    });
    const wrong = await stack.send({ path: '/v1/messages' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.allow).toBe('POST');
    expect(wrong.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: 'Jumpseat: /v1/messages accepts POST, not GET.' },
    });
  });

  it('A4.3 count_tokens is Copilot’s own count, marked agent, not billed', async () => {
    stack.simulator.script.next(
      { kind: 'answer', status: 200, body: { input_tokens: 4711 } },
      '/v1/messages/count_tokens',
    );
    const answer = await stack.send({
      method: 'POST',
      path: '/v1/messages/count_tokens?beta=true',
      body: JSON.stringify(prompt('hi')),
    });
    expect([answer.status, answer.json()]).toEqual([200, { input_tokens: 4711 }]);
    const sent = stack.simulator.requests.find(({ path }) => path === '/v1/messages/count_tokens');
    expect(sent?.initiator).toBe('agent');
    expect(sent?.body).not.toHaveProperty('stream');
    expect(sent?.body).not.toHaveProperty('max_tokens');
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'count-tokens',
      charge: { kind: 'none' },
      reason: { code: 'token-count' },
      path: '/v1/messages/count_tokens',
    });
  });

  it.each([500, 404, 200])('A4.3 with Copilot down (%i) an estimate with a note; never 501', async (status) => {
    const stop = stack.simulator.script.always(
      { kind: 'answer', status, body: 'no number' },
      '/v1/messages/count_tokens',
    );
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
    const answer = await stack.send({
      method: 'POST',
      path: '/v1/messages/count_tokens',
      body: JSON.stringify(prompt(text)),
    });
    stop();
    expect(answer.status).toBe(200);
    const { input_tokens: tokens } = Object(answer.json());
    expect(tokens).toBeGreaterThan(180);
    expect(tokens).toBeLessThan(230);
    const [row] = await stack.rows(1);
    expect(row?.fits.map(({ code }) => code)).toContain('tokens-estimated');
  });

  it('A4.3 /context asks about 33 times at once: all are answered, no more than 6 at Copilot at a time', async () => {
    let open = 0;
    let most = 0;
    const gates: (() => void)[] = [];
    const release = (): void => {
      for (const gate of gates.splice(0)) gate();
    };
    const stop = stack.simulator.script.always({ kind: 'usual', gate: Promise.resolve() }, (request) => {
      if (request.path !== '/v1/messages/count_tokens') return false;
      open = stack.simulator.requests.filter(
        ({ path, outcome }) => path === '/v1/messages/count_tokens' && outcome === 'open',
      ).length;
      most = Math.max(most, open);
      return true;
    });
    const answers = await Promise.all(
      Array.from({ length: 33 }, (_, at) =>
        stack.send({ method: 'POST', path: '/v1/messages/count_tokens', body: JSON.stringify(prompt(`tool ${at}`)) }),
      ),
    );
    release();
    stop();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(6);
  });

  it('A4.4 /readyz is 200 when an exchange would work now', async () => {
    const answer = await sendTo(stack.baseUrl, { path: '/readyz' });
    expect([answer.status, answer.json()]).toEqual([200, { ready: true }]);
  });

  it('A4.4 /readyz is 503 with reason and remedy when signed out; healthz lives on', async () => {
    const signedOut = await startStack({ secrets: memorySecrets() });
    try {
      const ready = await sendTo(signedOut.baseUrl, { path: '/readyz' });
      expect(ready.status).toBe(503);
      expect(ready.json()).toEqual({
        ready: false,
        code: 'signed-out',
        reason: 'Not signed in to GitHub.',
        remedy: 'Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".',
      });
      const health = await sendTo(signedOut.baseUrl, { path: '/healthz' });
      expect(health.json()).toMatchObject({ ok: true, copilot: 'unavailable' });
      const answer = await signedOut.messages(prompt('hi'));
      expect(answer.status).toBe(401);
      expect(answer.headers['x-should-retry']).toBe('false');
      expect(answer.json()).toMatchObject({
        error: {
          type: 'authentication_error',
          message:
            'Jumpseat: Not signed in to GitHub. Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".',
        },
      });
    } finally {
      await signedOut.close();
    }
  });

  it('A4.5 /metrics parses as Prometheus text and counts what was asked', async () => {
    await stack.messages(prompt('hi'));
    const answer = await stack.send({ path: '/metrics' });
    expect(answer.headers['content-type']).toContain('text/plain');
    const lines = answer.text.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)*\})? -?[\d.e+-]+)$/);
    }
    expect(answer.text).toContain(
      'jumpseat_requests_total{api="messages",initiator="user",outcome="done",status="200",charge="billed"} 1',
    );
  });

  it.each([
    ['/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] }],
    ['/responses', { model: 'gpt-5.4', input: 'hi' }],
    ['/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
  ])('A4.6 %s answers as its twin under /v1', async (path, body) => {
    const shapes = await Promise.all(
      [path, `/v1${path}`].map(async (each) => {
        const answer = await stack.send({ method: 'POST', path: each, body: JSON.stringify(body) });
        return [answer.status, Object.keys(Object(answer.json())).sort()];
      }),
    );
    expect(shapes[0]?.[0]).toBe(200);
    expect(shapes[1]).toEqual(shapes[0]);
  });

  it('a compressed body is refused, not misread', async () => {
    const answer = await stack.messages(prompt('hi'), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });
});

describe('models', () => {
  it('A5.1 the page is valid for Anthropic’s and for OpenAI’s clients at once', async () => {
    const answer = await stack.send({ path: '/v1/models?limit=1000', headers: { 'anthropic-version': '2023-06-01' } });
    const page = Object(answer.json());
    expect(page).toMatchObject({
      object: 'list',
      has_more: false,
      first_id: page.data[0].id,
      last_id: page.data.at(-1).id,
    });
    const [yes, no] = [{ supported: true }, { supported: false }];
    expect(page.data.find(({ id }: { id: string }) => id === 'claude-sonnet-4.6')).toEqual({
      id: 'claude-sonnet-4.6',
      type: 'model',
      object: 'model',
      display_name: 'Claude Sonnet 4.6',
      created_at: '1970-01-01T00:00:00Z',
      created: 0,
      owned_by: 'Anthropic',
      description: 'Through GitHub Copilot; accepts 168k tokens of prompt',
      max_input_tokens: 168_000,
      max_tokens: 32_000,
      context_window: 200_000,
      capabilities: {
        batch: no,
        citations: yes,
        code_execution: no,
        context_management: {
          supported: true,
          clear_thinking_20251015: yes,
          clear_tool_uses_20250919: yes,
          compact_20260112: yes,
        },
        effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: no, max: yes },
        image_input: yes,
        pdf_input: yes,
        server_tools: { supported: false, code_execution: no, web_search: no },
        structured_outputs: yes,
        thinking: { supported: true, types: { adaptive: yes, between_tools: no, disabled: yes, enabled: yes } },
      },
      line: 'sonnet',
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
    });
  });

  it('A5.1 first_id and last_id are null when nothing is offered', async () => {
    stack.simulator.script.setModels([]);
    await stack.app.models({ refresh: true });
    expect((await stack.send({ path: '/v1/models' })).json()).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  it('A5.2 only offered models: enabled, in the picker, with tools', async () => {
    const ids = Object((await stack.send({ path: '/v1/models' })).json()).data.map(({ id }: { id: string }) => id);
    expect(ids).toContain('claude-opus-4.8');
    expect(ids).not.toContain('claude-opus-4.5');
    expect(ids.some((id: string) => id.startsWith('text-embedding'))).toBe(false);
  });

  it.each(['claude-sonnet-4.5', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'])(
    'A5.3 GET /v1/models/%s',
    async (id) => {
      const answer = await stack.send({ path: `/v1/models/${id}` });
      expect([answer.status, answer.json()]).toMatchObject([200, { id, display_name: 'Claude Sonnet 4.5' }]);
    },
  );

  it('A5.3 an unknown one → 404', async () => {
    const answer = await stack.send({ path: '/v1/models/llama-3', headers: { 'anthropic-version': '2023-06-01' } });
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: { type: 'not_found_error' } });
  });

  it('a model for embeddings is not in the list, and found by its name', async () => {
    const answer = await stack.send({ path: '/v1/models/text-embedding-3-small' });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { id: 'text-embedding-3-small', object: 'model', max_input_tokens: null, line: null },
    ]);
  });

  it.each([
    ['llama-3', 'Jumpseat: Copilot has no model "llama-3" for this account.'],
    [
      'claude-opus-4.5',
      'Jumpseat: claude-opus-4.5 is off for this account. Turn it on at github.com/settings/copilot.',
    ],
  ])('A5.3 %s in OpenAI’s words', async (id, message) => {
    const answer = await stack.send({ path: `/v1/models/${id}` });
    expect([answer.status, answer.json()]).toEqual([
      404,
      {
        error: {
          type: 'invalid_request_error',
          code: 'model_not_found',
          param: null,
          message: expect.stringContaining(message),
        },
      },
    ]);
  });

  it('A4.6 /models and its entries answer as their twins under /v1', async () => {
    for (const path of ['/models', '/models/gpt-4.1', '/models/llama-3']) {
      const [short, long] = [await stack.send({ path }), await stack.send({ path: `/v1${path}` })];
      expect([short.status, short.json()]).toEqual([long.status, long.json()]);
    }
  });

  it('A5.4 Copilot’s 429 on the list: the old list is served', async () => {
    await stack.send({ path: '/v1/models' });
    stack.simulator.script.failModels({ status: 429, body: 'slow down' });
    await stack.app.models({ refresh: true });
    expect((await stack.send({ path: '/v1/models' })).status).toBe(200);
  });
});
