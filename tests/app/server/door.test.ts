import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Door } from '../../../app/server/door.ts';
import { prompt, type Stack, sendTo, startStack } from '../stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const port = (): string => new URL(stack.baseUrl).port;
const wrongKey = 'this key isn’t mine. Copy the lines for Claude Code again ("jumpseat env").';
const noKey = 'no key was sent. Copy the lines for Claude Code ("jumpseat env").';

describe('bind', () => {
  it('A2.1 listens on 127.0.0.1 only; another interface refuses', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
      .map(({ address }) => address);
    // 127.0.0.2 is this machine too, and no interface of ours.
    for (const host of ['127.0.0.2', ...others]) {
      const refused = await new Promise<string>((resolve) => {
        const socket = connect({ host, port: Number(port()) }, () => resolve('connected'));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      });
      expect(refused, host).toBe('ECONNREFUSED');
    }
  });
});

describe('Host and Origin', () => {
  it.each([() => `example.com:${port()}`, () => '127.0.0.1:1', () => '127.0.0.1', () => `127.0.0.1.nip.io:${port()}`])(
    'A2.2 Host of another name or port → 421 before anything else (%#)',
    async (host) => {
      const answer = await sendTo(stack.baseUrl, {
        path: '/healthz',
        headers: { host: host(), origin: 'https://evil.example' },
      });
      expect(answer.status).toBe(421);
    },
  );

  it.each(['localhost', '[::1]', '127.0.0.1', 'LOCALHOST'])('A2.3 Host %s with our port passes', async (name) => {
    const answer = await sendTo(stack.baseUrl, { path: '/healthz', headers: { host: `${name}:${port()}` } });
    expect(answer.status).toBe(200);
  });

  it.each(['cross-site', 'same-site'])(
    'what a web page embeds without an Origin (%s) → 403, and asks nothing of GitHub; our own page and a ' +
      'typed address pass',
    async (site) => {
      const before = stack.simulator.githubRequests.length;
      for (const path of ['/readyz', '/healthz', '/v1/models', '/metrics']) {
        expect([path, (await stack.send({ path, headers: { 'sec-fetch-site': site } })).status]).toEqual([path, 403]);
      }
      expect(stack.simulator.githubRequests.length).toBe(before);
      for (const own of ['same-origin', 'none']) {
        expect((await stack.send({ path: '/healthz', headers: { 'sec-fetch-site': own } })).status).toBe(200);
      }
      // A link on another page opens the dashboard, which has a door of its own.
      expect((await stack.send({ path: '/ui/', headers: { 'sec-fetch-site': site } })).status).toBe(401);
    },
  );

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'A2.4 any Origin but the dashboard’s → 403, also with a right key: %s',
    async (origin) => {
      expect((await stack.send({ path: '/v1/models', headers: { origin } })).status).toBe(403);
      expect((await stack.messages(prompt('x'), { origin })).status).toBe(403);
      expect((await stack.send({ path: '/healthz', headers: { origin } })).status).toBe(403);
    },
  );

  it('A2.4 our own origin passes', async () => {
    expect((await stack.send({ path: '/v1/models', headers: { origin: stack.baseUrl } })).status).toBe(200);
  });

  it('A2.5 no CORS header on any answer, OPTIONS included', async () => {
    const answers = await Promise.all([
      stack.send({ path: '/v1/models', headers: { origin: stack.baseUrl } }),
      stack.send({
        method: 'OPTIONS',
        path: '/v1/messages',
        headers: { origin: stack.baseUrl, 'access-control-request-method': 'POST' },
      }),
      stack.send({ method: 'OPTIONS', path: '/v1/messages', headers: { origin: 'https://evil.example' } }),
      stack.messages(prompt('x')),
      stack.send({ path: '/healthz' }),
    ]);
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('size', () => {
  it('A2.6 a body over 64 MiB → 413 request_too_large before a byte of it is read', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port()) }, () => {
        socket.write(
          `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ` +
            `${stack.key}.test\r\nContent-Length: ${64 * 1024 * 1024 + 1}\r\n\r\n`,
        );
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
        // A client that goes on sending is heard for some seconds.
        if (text.includes('request_too_large')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('request_too_large');
  });

  it('A2.7 a chunked body without Content-Length is accepted', async () => {
    const body = JSON.stringify(prompt('hi'));
    const answer = await stack.send({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'transfer-encoding': 'chunked', 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
  });

  it('A2.7 the limit holds for a chunked body too, and no more than the limit is held', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const head =
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ` +
      `${stack.key}.test\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { text, sent } = await new Promise<{ text: string; sent: number }>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port()) });
      let text = '';
      let sent = 0;
      const more = (): void => {
        if (socket.destroyed || sent >= 200) return;
        sent += 1;
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        if (socket.write('\r\n')) setImmediate(more);
        else socket.once('drain', more);
      };
      socket.on('connect', () => {
        socket.write(head);
        more();
      });
      socket.on('data', (part) => {
        text += part.toString();
        socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve({ text, sent }));
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(200);
  });
});

describe('key', () => {
  const wrong: [name: string, headers: () => Record<string, string | null>, message: string][] = [
    ['A3.1 missing Authorization', () => ({ authorization: null }), noKey],
    ['A3.1 nothing behind Bearer', () => ({ authorization: 'Bearer ' }), noKey],
    ['A3.1 an empty x-api-key', () => ({ authorization: null, 'x-api-key': '' }), noKey],
    ['A3.2 wrong key', () => ({ authorization: `Bearer ${'x'.repeat(stack.key.length)}.test` }), wrongKey],
    ['A3.5 Basic scheme', () => ({ authorization: `Basic ${stack.key}.test` }), wrongKey],
    [
      'A3.6 x-api-key alone, with a wrong value',
      () => ({ authorization: null, 'x-api-key': 'sk-ant-personal' }),
      wrongKey,
    ],
    ['A3.11 a key of another length', () => ({ authorization: 'Bearer k.test' }), wrongKey],
    [
      'A3.2 wrong key of a setup, which lines in a shell don’t remedy',
      () => ({ authorization: 'Bearer wrong.claude-code' }),
      'this key isn’t mine. Run "jumpseat setup claude-code" again. If you pasted lines instead, copy them again ' +
        '("jumpseat env").',
    ],
    ['A3.11 an empty key', () => ({ authorization: 'Bearer .test' }), wrongKey],
  ];

  it.each(wrong)('%s → exact 401 body, x-should-retry: false', async (_name, headers, message) => {
    const answer = await stack.messages(prompt('x'), headers());
    expect(answer.status).toBe(401);
    expect(answer.headers['x-should-retry']).toBe('false');
    expect(answer.json()).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: `Jumpseat: ${message}` },
      request_id: expect.stringMatching(/^req_/),
    });
  });

  it('names the command as this Jumpseat is started', () => {
    const nothing = { host: '127.0.0.1:4180', origin: undefined, site: undefined, contentLength: undefined };
    const sent = { authorization: 'Bearer wrong.claude-code', apiKey: undefined };
    const knock = { method: 'POST', path: '/v1/messages', ...nothing, ...sent };
    expect(new Door({ port: 4180, key: 'KEY', command: 'node /my/jumpseat.js' }).admit(knock)).toMatchObject({
      message: expect.stringMatching(/Run "node \/my\/jumpseat\.js setup claude-code" again.*"node \S+ env"/),
    });
  });

  const unnamed = /^Jumpseat: a name is missing after the key\. Send KEY\.NAME, /;
  const header = /^Jumpseat: the key came in the header x-api-key\. Send the same value as "Authorization: Bearer …"/;
  it.each<[string, () => Record<string, string | null>, RegExp]>([
    ['A3.3 key without a dot', () => ({ authorization: `Bearer ${stack.key}` }), unnamed],
    ['A3.4 empty label', () => ({ authorization: `Bearer ${stack.key}.` }), unnamed],
    ['A3.6 x-api-key alone', () => ({ authorization: null, 'x-api-key': `${stack.key}.test` }), header],
    ['A3.6 x-api-key alone, unnamed', () => ({ authorization: null, 'x-api-key': stack.key }), header],
  ])('the right key, %s → 401 that says what is missing, in both shapes', async (_name, headers, words) => {
    const answer = await stack.messages(prompt('x'), headers());
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([401, 'false']);
    expect(answer.json()).toMatchObject({
      error: { type: 'authentication_error', message: expect.stringMatching(words) },
    });
    const openai = await stack.send({ method: 'POST', path: '/v1/responses', headers: headers(), body: '{}' });
    expect([openai.status, openai.json()]).toMatchObject([
      401,
      { error: { code: 'invalid_api_key', message: expect.stringMatching(words) } },
    ]);
    expect(answer.text + openai.text).not.toContain(stack.key);
  });

  it('A3.7 both headers: Authorization counts, x-api-key is not passed on', async () => {
    const before = stack.simulator.requests.length;
    const answer = await stack.messages(prompt('both'), { 'x-api-key': 'sk-ant-personal' });
    expect(answer.status).toBe(200);
    const sent = stack.simulator.requests.slice(before);
    expect(sent.some(({ headers }) => 'x-api-key' in headers)).toBe(false);
    expect(JSON.stringify(sent)).not.toContain('sk-ant-personal');
    expect(
      (await stack.messages(prompt('x'), { authorization: 'Bearer no.test', 'x-api-key': stack.key })).status,
    ).toBe(401);
  });

  it('A3.8 a label with further dots is kept whole and appears in the log', async () => {
    expect((await stack.messages(prompt('x'), { authorization: `Bearer ${stack.key}.codex.v1.2` })).status).toBe(200);
    const rows = await stack.app.exchanges({ limit: 100 });
    expect(rows.at(-1)?.client).toBe('codex.v1.2');
  });

  it.each(['my app/x', 'a/b', 'x:y', 'é', 'a'.repeat(80)])(
    'the right key with “%s”, which env --client refuses as well → 401 that names the rule',
    async (label) => {
      const answer = await stack.messages(prompt('x'), { authorization: `Bearer ${stack.key}.${label}` });
      expect(answer.status).toBe(401);
      expect(answer.json()).toMatchObject({
        error: {
          message: expect.stringMatching(
            /^Jumpseat: the key is right, but “.+” can’t be the name after it\. A name has/,
          ),
        },
      });
      expect(answer.text).toContain(label.slice(0, 64));
      expect(answer.text).not.toContain(stack.key);
    },
  );

  it('a person with a browser is shown the way to the dashboard', async () => {
    const answer = await stack.send({
      method: 'GET',
      path: '/',
      headers: { authorization: null, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([answer.status, answer.json()]).toMatchObject([
      401,
      { error: { message: expect.stringMatching(/"jumpseat dashboard" prints a link to the dashboard\.$/) } },
    ]);
  });

  it('A3.9 401 comes before 404, 405 and validation on every route but the probes', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', '/v1/messages'],
      ['POST', '/v1/messages'],
      ['GET', '/v1/models'],
      ['GET', '/metrics'],
      ['POST', '/v1/embeddings'],
      ['GET', '/'],
    ] as const) {
      const answer = await stack.send({
        method,
        path,
        headers: { authorization: null },
        body: method === 'POST' ? 'nonsense' : '',
      });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });

  it.each([
    '/v1/chat/completions',
    '/chat/completions',
    '/v1/responses',
    '/responses',
    '/v1/embeddings',
    '/embeddings',
  ])('A3.10 %s answers 401 in OpenAI’s shape', async (path) => {
    const answer = await stack.send({ method: 'POST', path, headers: { authorization: null }, body: '{}' });
    expect(answer.status).toBe(401);
    expect(answer.headers['x-should-retry']).toBe('false');
    expect(answer.json()).toEqual({
      error: {
        message: 'Jumpseat: no key was sent. Copy the lines for OpenAI clients ("jumpseat env --for openai").',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
        param: null,
      },
    });
  });

  it('A3.10 a key in the wrong header is answered with what the client that asks can change', async () => {
    const message = async (path: string, headers: Record<string, string | null>): Promise<string> => {
      const answer = await stack.send({
        method: 'POST',
        path,
        headers: { authorization: null, ...headers },
        body: '{}',
      });
      expect(answer.status).toBe(401);
      return String(Object(Object(answer.json()).error).message);
    };
    const misplaced = { 'x-api-key': `${stack.key}.test` };
    const send = 'Jumpseat: the key came in the header x-api-key. Send the same value as "Authorization: Bearer …";';
    expect(await message('/v1/messages', misplaced)).toBe(
      `${send} in Claude Code set ANTHROPIC_AUTH_TOKEN, not ANTHROPIC_API_KEY.`,
    );
    for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/models'])
      expect(await message(path, misplaced)).toBe(`${send} OpenAI clients do that with the key in OPENAI_API_KEY.`);
    expect(await message('/mcp', misplaced)).toBe(`${send} "jumpseat env --for mcp" prints the lines.`);
    const wrong = { authorization: 'Bearer wrong.test' };
    expect(await message('/v1/chat/completions', wrong)).toBe(
      'Jumpseat: this key isn’t mine. Copy the lines for OpenAI clients again ("jumpseat env --for openai").',
    );
    expect(await message('/mcp', wrong)).toBe(
      'Jumpseat: this key isn’t mine. Copy the lines for MCP clients again ("jumpseat env --for mcp").',
    );
    expect(await message('/mcp', {})).toBe(
      'Jumpseat: no key was sent. Copy the lines for MCP clients ("jumpseat env --for mcp").',
    );
  });

  it('A3.12 the probes need no key; healthz holds no account data', async () => {
    const probe = (method: string, path: string) => sendTo(stack.baseUrl, { method, path });
    expect((await probe('HEAD', '/')).status).toBe(200);
    expect((await probe('HEAD', '/api/hello')).status).toBe(200);
    expect((await probe('GET', '/readyz')).status).toBe(200);
    const health = await probe('GET', '/healthz');
    expect(health.json()).toEqual({ ok: true, copilot: 'ok', version: '0.0.0-test' });
  });
});

describe('dashboard', () => {
  it('A3.13 /ui refuses the API key and wants its cookie; the one-time link works once', async () => {
    const { dashboardUrl } = await stack.app.startProxy();
    const link = new URL(dashboardUrl);
    const state = (cookie: string | null) =>
      stack.send({
        method: 'POST',
        path: '/ui/api/call/state',
        headers: { cookie, origin: stack.baseUrl, 'content-type': 'application/json' },
        body: '[]',
      });
    expect((await state(null)).status).toBe(401);

    const first = await sendTo(stack.baseUrl, { path: `${link.pathname}${link.search}` });
    expect(first.status).not.toBe(401);
    const cookie = String(first.headers['set-cookie']?.[0]);
    expect(cookie).toMatch(/^jumpseat-\d+=[\w-]{32}; Path=\/ui; HttpOnly; SameSite=Strict$/);
    const second = await sendTo(stack.baseUrl, { path: `${link.pathname}${link.search}` });
    expect(second.status).toBe(401);
    expect(second.text).toContain('This page was opened with a link that has expired.');

    const visit = await state(cookie.split(';')[0] ?? '');
    expect(visit.status).toBe(200);
    expect(visit.json()).toMatchObject({ ok: true, value: { version: '0.0.0-test', proxy: { kind: 'on' } } });
    expect(visit.text).not.toContain(stack.key);
  });
});
