import { get } from 'node:https';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { demoEnvironment } from '../../../app/simulator/simulator.ts';
import { createAuthority } from '../adapters/certificate.ts';
import { Client, eventsOf, mint, question, simulate } from './client.ts';
import { sample, sampleText } from './sample.ts';

/** What came, and what ended it other than a proper end. */
async function readToEnd(body: ReadableStream<Uint8Array> | null): Promise<{ text: string; error: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

describe('who comes in', () => {
  it('an editor is named, and a known one', async () => {
    const client = await Client.of(await simulate());
    const answer = async (name: string | null): Promise<[number, string]> => {
      const { 'editor-version': _, ...headers } = client.headers({ 'x-initiator': 'user' });
      const named = name === null ? headers : { ...headers, 'editor-version': name };
      const body = JSON.stringify(question('Hello'));
      const response = await fetch(`${client.url}/v1/messages`, { method: 'POST', headers: named, body });
      return [response.status, await response.text()];
    };
    expect(await answer(null)).toEqual([400, 'bad request: missing Editor-Version header for IDE auth']);
    expect(await answer('emacs/30')).toEqual([400, 'bad request: unknown Editor-Version header for IDE auth']);
    expect((await answer('vscode/1.139.1'))[0]).toBe(200);
  });

  it('an unknown or expired bearer', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    expect((await client.ask('Hello')).status).toBe(200);
    simulator.script.expireTokens();
    const late = await client.ask('Hello');
    expect([late.status, await late.text()]).toEqual([401, sampleText('error-401-token-expired.txt').trim()]);
    client.token = (await mint(simulator)).token;
    expect((await client.ask('Hello')).status).toBe(200);
    client.token = 'unknown';
    expect((await client.ask('Hello')).status).toBe(401);
  });

  it('a token of another address, before and after a move', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const before = client.url;
    const after = await simulator.script.moveHost();
    expect(after).not.toBe(before);
    expect(simulator.copilotUrl).toBe(after);
    const misdirected = await client.ask('Hello');
    expect([misdirected.status, await misdirected.text()]).toEqual([
      421,
      sampleText('error-421-misdirected.txt').trim(),
    ]);
    client.url = after;
    expect((await client.ask('Hello')).status).toBe(421);
    const minted = await mint(simulator);
    expect(minted.endpoints.api).toBe(after);
    client.token = minted.token;
    expect((await client.ask('Hello')).status).toBe(200);
  });

  it.each([
    ['x-stainless-os', 'Linux'],
    ['x-app', 'cli'],
    ['x-claude-code-session-id', 'x'],
    ['x-claude-1p-request-class', 'main'],
    ['x-api-key', 'sk-ant-secret'],
    ['cookie', 'a=b'],
    ['vscode-machineid', 'x'],
    ['user-agent', 'claude-cli/2.1.328 (external, cli)'],
  ])('%s is refused by its name and remembered', async (header, value) => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const answer = await client.ask('Hello', {}, { [header]: value });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(header)]);
    expect(simulator.script.violations).toMatchObject([{ header, path: '/v1/messages' }]);
    expect(JSON.stringify(simulator.requests)).not.toContain('sk-ant-secret');
  });

  it('without strictness it is remembered only', async () => {
    const simulator = await simulate({ strict: false });
    const client = await Client.of(simulator);
    expect((await client.ask('Hello', {}, { 'x-app': 'cli' })).status).toBe(200);
    expect(simulator.script.violations).toMatchObject([{ header: 'x-app' }]);
  });

  it('X-Initiator is user or agent where a model answers, and absent elsewhere', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const status = async (answer: Promise<Response>): Promise<number> => (await answer).status;
    expect(await status(client.ask('Hello', {}, { 'x-initiator': 'agent' }))).toBe(200);
    expect(await status(client.ask('Hello', {}, { 'x-initiator': 'robot' }))).toBe(400);
    expect(await status(client.get('/models'))).toBe(200);
    expect(await status(client.get('/models', { 'x-initiator': 'user' }))).toBe(400);
    expect(simulator.script.violations.map((violation) => violation.path)).toEqual(['/v1/messages', '/models']);
  });

  it('an unknown route', async () => {
    const client = await Client.of(await simulate());
    const answer = await client.post('/v1/files', {});
    expect([answer.status, (await answer.text()).trim()]).toEqual([
      404,
      sampleText('error-404-files-and-batches.txt').trim(),
    ]);
  });
});

describe('models', () => {
  it('unknown, disabled, or on another path', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const refusal = async (model: string): Promise<unknown> => (await client.ask('Hello', { model })).json();
    const notSupported = sample('error-400-model_not_supported.json');
    expect(await refusal('claude-opus-9')).toEqual(notSupported);
    expect(await refusal('claude-opus-4.5')).toEqual(notSupported);
    expect(await refusal('text-embedding-3-small')).toEqual(notSupported);
    expect(await refusal('gpt-4.1')).toEqual({
      error: {
        message: 'model "gpt-4.1" is not accessible via the /v1/messages endpoint',
        code: 'unsupported_api_for_model',
      },
    });
    simulator.script.setPolicy('claude-opus-4.5', 'enabled');
    expect(await refusal('claude-opus-4.5')).toMatchObject({ model: 'claude-opus-4-5' });
  });

  it('token prices are shown to the newest API version only', async () => {
    const client = await Client.of(await simulate());
    const billing = async (version: string): Promise<object> => {
      const answer = await client.get('/models', { 'x-github-api-version': version });
      const { data } = (await answer.json()) as { data: { billing: object }[] };
      return data[0]?.billing ?? {};
    };
    expect(await billing('2026-06-01')).toHaveProperty('token_prices.default.input_price', 500);
    expect(await billing('2025-05-01')).toMatchObject({ is_premium: true, multiplier: 1 });
    expect(await billing('2025-05-01')).not.toHaveProperty('token_prices');
  });

  it('fail and change by script', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    simulator.script.failModels({ status: 429, headers: { 'retry-after': '7' }, body: { message: 'slow' } });
    const failed = await client.get('/models');
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([429, '7']);
    simulator.script.failModels(null);
    simulator.script.setModels([]);
    expect(await (await client.get('/models')).json()).toEqual({ data: [], object: 'list' });
  });
});

describe('answers', () => {
  it('carry ids and the quota, which falls with every bill', async () => {
    const simulator = await simulate({ user: { entitlement: 100, remaining: 1 } });
    const client = await Client.of(simulator);
    const quota = async (): Promise<number> => {
      const { headers } = await client.ask('count to 2000', { max_tokens: 20_000 });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-github-request-id')).toBeTruthy();
      const bucket = new URLSearchParams(headers.get('x-quota-snapshot-premium_interactions') ?? '');
      expect(bucket.get('ent')).toBe('100');
      return Number(bucket.get('totRem'));
    };
    const first = await quota();
    expect(await quota()).toBeLessThan(first);
    expect((await client.get('/models')).headers.has('x-usage-ratelimit-session')).toBe(false);
    simulator.script.setWindows({ session: 40, weekly: 12.5 });
    const { headers } = await client.get('/models');
    expect(headers.get('x-usage-ratelimit-weekly')).toMatch(
      /^ent=0&ov=0\.0&ovPerm=false&rem=12\.5&rst=\d{4}-.*%3A.*Z$/,
    );
  });

  it('say nothing of a quota where the token is refused', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    simulator.script.expireTokens();
    const { status, headers } = await client.get('/models', { 'x-github-api-version': '2026-06-01' });
    expect([status, headers.get('x-quota-snapshot-premium_interactions')]).toEqual([401, null]);
  });

  it('on an older plan a person’s request counts one, an agent’s none', async () => {
    const simulator = await simulate({ user: { tokenBased: false, entitlement: 300, remaining: 10 } });
    const client = await Client.of(simulator);
    const left = async (): Promise<string | null> => {
      const { headers } = await client.get('/models', { 'x-github-api-version': '2026-06-01' });
      return new URLSearchParams(headers.get('x-quota-snapshot-premium_interactions') ?? '').get('totRem');
    };
    await client.ask('Hello');
    expect(await left()).toBe('9.0');
    await client.ask('Hello', {}, { 'x-initiator': 'agent' });
    expect(await left()).toBe('9.0');
    const { data } = (await (await client.get('/models', { 'x-github-api-version': '2026-06-01' })).json()) as {
      data: { billing: object }[];
    };
    expect(data[0]?.billing).toMatchObject({ multiplier: 1 });
  });

  it('count tokens', async () => {
    const client = await Client.of(await simulate());
    const { max_tokens: _, ...body } = question('Hello');
    const answer = await client.post('/v1/messages/count_tokens', body, { 'x-initiator': 'agent' });
    expect(await answer.json()).toEqual({ input_tokens: expect.any(Number) });
    expect((await client.post('/v1/messages/count_tokens', question('Hello'))).status).toBe(400);
  });

  it('embeddings', async () => {
    const client = await Client.of(await simulate());
    const body = { model: 'text-embedding-3-small', input: ['a', 'b', 'a'], dimensions: 3 };
    const embedded = await fetch(`${client.url}/embeddings`, {
      method: 'POST',
      headers: client.headers(),
      body: JSON.stringify(body),
    });
    const { data } = (await embedded.json()) as { data: { embedding: number[] }[] };
    expect(data.map((one) => one.embedding.length)).toEqual([3, 3, 3]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  });
});

describe('script', () => {
  it('replies in their order, then the usual', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const quota = sample('error-402-quota_exceeded.json');
    const first = simulator.script.next({ kind: 'answer', status: 402, body: quota });
    simulator.script.next({ kind: 'answer', status: 529, headers: { 'retry-after': '3' }, body: 'overloaded' });
    expect(simulator.script.waiting).toBe(2);
    const [one, two, three] = [await client.ask('a'), await client.ask('b'), await client.ask('c')];
    expect([one.status, await one.json()]).toEqual([402, quota]);
    expect([two.status, two.headers.get('retry-after'), await two.text()]).toEqual([529, '3', 'overloaded']);
    expect(three.status).toBe(200);
    expect((await first.taken).body).toMatchObject({ messages: [{ content: 'a' }] });
  });

  it('matches by path and by question', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    simulator.script.next({ kind: 'answer', status: 500 }, '/models');
    simulator.script.next({ kind: 'answer', status: 503 }, (request) => request.initiator === 'agent');
    expect((await client.ask('a')).status).toBe(200);
    expect((await client.ask('a', {}, { 'x-initiator': 'agent' })).status).toBe(503);
    expect((await client.get('/models')).status).toBe(500);
  });

  it('always, until it is taken back', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const stop = simulator.script.always({ kind: 'answer', status: 500 });
    expect([(await client.ask('a')).status, (await client.ask('a')).status]).toEqual([500, 500]);
    stop();
    expect((await client.ask('a')).status).toBe(200);
  });

  it('a stream of raw bytes, events and gates', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    simulator.script.next({
      kind: 'stream',
      events: [': hello\n\n', { event: 'ping', data: { type: 'ping' } }, { gate }, Buffer.from('data: [DONE]\n\n')],
    });
    const answer = await client.ask('a', { stream: true });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('ping"}\n\n')) text += (await reader?.read())?.value ?? '';
    expect(text).toBe(': hello\n\nevent: ping\ndata: {"type":"ping"}\n\n');
    open();
    let rest = '';
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      rest += part.value;
    }
    expect(rest).toBe('data: [DONE]\n\n');
  });

  it('the head waits at a gate', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    simulator.script.next({ kind: 'usual', gate });
    let answered = false;
    const arrived = simulator.script.arrival('/v1/messages');
    const asked = client.ask('a').then((answer) => {
      answered = true;
      return answer;
    });
    await arrived;
    await turn();
    expect(answered).toBe(false);
    open();
    expect((await asked).status).toBe(200);
  });

  it('a cut by reset, a clean end too early, an error event', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    simulator.script.next({ kind: 'usual', cutAfter: 2 });
    const { body } = await client.ask('a', { stream: true });
    const broken = await readToEnd(body);
    expect(eventsOf(broken.text).map((event) => event.event)).toEqual(['message_start', 'content_block_start']);
    expect(broken.error).toBeInstanceOf(Error);
    expect(simulator.requests.at(-1)?.outcome).toBe('broken');

    simulator.script.next({ kind: 'usual', cutAfter: 2, cut: 'reset' });
    const reset = await client.ask('a', { stream: true }).then(
      (answer) => readToEnd(answer.body),
      (failed) => ({ error: failed }),
    );
    expect(reset.error).toBeInstanceOf(Error);

    simulator.script.next({ kind: 'usual', cutAfter: 2, cut: 'clean' });
    const early = eventsOf(await (await client.ask('a', { stream: true })).text());
    expect(early.map((event) => event.event)).toEqual(['message_start', 'content_block_start']);

    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    simulator.script.next({ kind: 'usual', cutAfter: 1, errorEvent: error });
    const failed = eventsOf(await (await client.ask('a', { stream: true })).text());
    expect(failed.at(-1)).toEqual({ event: 'error', data: error });
    expect(failed).toHaveLength(2);
  });

  it('a reset before any byte', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    simulator.script.next({ kind: 'reset' });
    await expect(client.ask('a')).rejects.toThrow();
    expect(simulator.requests.at(-1)).toMatchObject({ outcome: 'broken', status: null });
  });

  it('a client that leaves is noticed, whenever one asks', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    for (const asksFirst of [true, false]) {
      const scripted = simulator.script.next({ kind: 'silence' });
      const leaving = new AbortController();
      const early = asksFirst ? simulator.script.aborted() : null;
      const asked = client.post('/v1/messages', question('a'), {}, leaving.signal);
      const { id } = await scripted.taken;
      leaving.abort();
      await expect(asked).rejects.toThrow();
      expect(await (early ?? simulator.script.aborted())).toMatchObject({ id, outcome: 'aborted' });
    }
  });

  it('a gate before each event', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const seen: number[] = [];
    simulator.script.next({
      kind: 'usual',
      before: async (index) => {
        seen.push(index);
      },
    });
    const events = eventsOf(await (await client.ask('Hello', { stream: true })).text());
    expect(seen).toEqual(events.map((_, index) => index));
  });

  it('one field refused, for one model or for all', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const more = { output_config: { format: { type: 'json_schema', schema: {} } } };
    const allow = simulator.script.refuseField('output_config.format', 'claude-sonnet-4.6');
    const refused = await client.ask('a', more);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: 'output_config.format: Extra inputs are not permitted' },
    ]);
    expect((await client.ask('a', { ...more, model: 'claude-haiku-4.5' })).status).toBe(200);
    allow();
    expect((await client.ask('a', more)).status).toBe(200);
  });

  it('a foreign signature that is to be taken', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    const thought = { type: 'thinking', thinking: 'x', signature: 'foreign' };
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [thought, { type: 'text', text: 'b' }] },
      { role: 'user', content: 'c' },
    ];
    expect(await (await client.ask('', { messages })).json()).toEqual(sample('error-400-thinking-signature.json'));
    simulator.script.acceptSignature('foreign');
    expect((await client.ask('', { messages })).status).toBe(200);
  });
});

describe('recordings', () => {
  it('hold everything Copilot was sent, but no token', async () => {
    const simulator = await simulate();
    const client = await Client.of(simulator);
    await client.post('/v1/messages?beta=true', question('Hello'), {
      'anthropic-beta': 'interleaved-thinking-2025-05-14, context-management-2025-06-27',
      'X-Interaction-Id': 'p1',
    });
    expect(simulator.requests).toMatchObject([
      {
        service: 'copilot',
        method: 'POST',
        path: '/v1/messages',
        query: '?beta=true',
        headers: { authorization: 'Bearer <copilot-token-1>', 'x-interaction-id': 'p1' },
        betas: ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27'],
        initiator: 'user',
        body: question('Hello'),
      },
    ]);
    expect(JSON.stringify(simulator.requests)).not.toContain(client.token);
  });

  it('older ones go', async () => {
    const simulator = await simulate({ keepRequests: 2 });
    const client = await Client.of(simulator);
    for (const words of ['a', 'b', 'c']) await client.ask(words);
    expect(simulator.requests.map((request) => request.body)).toEqual([question('b'), question('c')]);
  });
});

it('the demo’s environment points at it', async () => {
  const simulator = await simulate();
  expect(demoEnvironment(simulator)).toEqual({
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_SECRETS: 'memory',
  });
});

it('closing ends open streams', async () => {
  const simulator = await simulate();
  const client = await Client.of(simulator);
  const scripted = simulator.script.next({ kind: 'silence' });
  const asked = client.ask('a');
  const failed = expect(asked).rejects.toThrow();
  await scripted.taken;
  await simulator.close();
  await failed;
});

it('speaks https with a given certificate', async () => {
  const authority = createAuthority();
  const simulator = await simulate({ tls: authority.issue('localhost') });
  const addresses = [simulator.webUrl, simulator.apiUrl, simulator.copilotUrl];
  expect(addresses).toEqual(addresses.map(() => expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/)));
  const status = await new Promise((resolve, reject) => {
    const options = { ca: authority.certificate, servername: 'localhost' };
    get(`${simulator.webUrl}/login/device`, options, (answer) => resolve(answer.resume().statusCode)).on(
      'error',
      reject,
    );
  });
  expect(status).toBe(200);
});
