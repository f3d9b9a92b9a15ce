import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copilotHeaders } from '../../../app/account/access.ts';
import { Account } from '../../../app/account/account.ts';
import { defaultIdentity } from '../../../app/account/vscode-identity.ts';
import type { Path } from '../../../app/api/exchange.ts';
import { CopilotClient, type Sent } from '../../../app/copilot/client.ts';
import { type Outgoing, ReplayBudget } from '../../../app/copilot/outgoing.ts';
import { type Dialer, NetworkError } from '../../../app/ports.ts';
import { FakeServer, gate, type Route, type Said } from '../account/fake-server.ts';
import { githubToken, type Surroundings, sample, surround, tokenBody } from '../account/surroundings.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const mintRoute = 'GET /copilot_internal/v2/token';
const messages = 'POST /v1/messages';
const good: Said = { headers: { 'content-type': 'text/event-stream', 'x-request-id': 'up-1' }, body: 'data: {}\n\n' };

let around: Surroundings;
let account: Account;
let client: CopilotClient;

beforeEach(async () => {
  around = await surround({ copilot: { [messages]: () => good } });
  account = new Account({ ...around.parts, githubToken });
  client = new CopilotClient({ ...around.parts, account });
});
afterEach(() => around.stop());

function outgoing(changes: Partial<Outgoing> = {}): Outgoing {
  return {
    path: '/v1/messages',
    body: Buffer.from('{"model":"claude-sonnet-4.6","text":"ü"}'),
    initiator: 'user',
    interactionType: 'conversation-agent',
    intent: 'conversation-agent',
    interactionId: 'prompt-1',
    turnId: 'turn-1',
    vision: false,
    anthropicVersion: '2023-06-01',
    anthropicBeta: null,
    signal: new AbortController().signal,
    startedTicks: around.clock.ticks(),
    ...changes,
  };
}

/** Answers in turn, the last one for ever. */
function answer(...said: Said[]): void {
  around.copilot.routes[messages] = (_request, before) => said[Math.min(before, said.length - 1)];
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function failureOf(sent: Sent) {
  if (sent.ok) throw new Error('it was accepted');
  return sent.failure;
}

const statuses = (sent: Sent) => sent.attempts.map((attempt) => [attempt.status, attempt.retriedBecause]);
const mints = () => around.github.asked(mintRoute).length;

describe('what Copilot is sent', () => {
  /** Names in their spelling, in order; what differs each time is named. */
  function exactHeaders(index = 0) {
    const raw = around.copilot.seen[index]?.rawHeaders ?? [];
    const pairs: [string, string][] = [];
    for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
    return pairs
      .filter(([name]) => !['Host', 'Connection'].includes(name))
      .map(([name, value]) => [name, uuid.test(value) ? 'uuid' : value]);
  }

  it('B4.3 A8.10 /v1/messages: exactly these headers and the body as it is', async () => {
    const request = outgoing({
      vision: true,
      anthropicBeta: 'a-1,b-2',
      interactionType: 'conversation-subagent',
      initiator: 'agent',
    });
    const sent = await client.send(request);
    expect(exactHeaders()).toEqual([
      ['Authorization', 'Bearer tid=1;exp=1764000000;sku=monthly_subscriber:mac'],
      ['User-Agent', 'GitHubCopilotChat/0.67.0'],
      ['Editor-Version', 'vscode/1.139.1'],
      ['Editor-Plugin-Version', 'copilot-chat/0.67.0'],
      ['Copilot-Integration-Id', 'vscode-chat'],
      ['X-GitHub-Api-Version', '2026-08-01'],
      ['Content-Type', 'application/json'],
      ['Accept', '*/*'],
      ['OpenAI-Intent', 'conversation-agent'],
      ['X-Interaction-Type', 'conversation-subagent'],
      ['X-Interaction-Id', 'prompt-1'],
      ['X-Initiator', 'agent'],
      ['anthropic-version', '2023-06-01'],
      ['anthropic-beta', 'a-1,b-2'],
      ['X-Request-Id', 'turn-1'],
      ['X-Agent-Task-Id', 'turn-1'],
      ['Content-Length', '41'],
    ]);
    expect(around.copilot.seen[0]?.body).toBe(request.body.toString());
    expect(sent).toMatchObject({ ok: true, requestIds: ['up-1'] });
  });

  it.each<[Path, string[]]>([
    ['/v1/messages/count_tokens', ['X-Initiator', 'anthropic-version']],
    ['/chat/completions', ['X-Initiator']],
    ['/responses', ['X-Initiator']],
    ['/embeddings', []],
  ])('B4.3 B4.7 %s', async (path, expected) => {
    around.copilot.routes[`POST ${path}`] = () => ({ body: {} });
    await client.send(outgoing({ path, anthropicBeta: null }));
    const headers = new Map(exactHeaders().map(([name, value]) => [name ?? '', value]));
    expect(['X-Initiator', 'anthropic-version'].filter((name) => headers.has(name))).toEqual(expected);
    expect(headers.has('Copilot-Vision-Request')).toBe(false);
    expect(headers.has('anthropic-beta')).toBe(false);
  });

  it('B4.3 B4.7 /models: no initiator, no interaction', async () => {
    around.copilot.routes['GET /models'] = () => ({ body: { data: [] } });
    expect(await client.getModels()).toEqual({ ok: true, body: '{"data":[]}' });
    expect(exactHeaders()).toEqual([
      ['Authorization', 'Bearer tid=1;exp=1764000000;sku=monthly_subscriber:mac'],
      ['User-Agent', 'GitHubCopilotChat/0.67.0'],
      ['Editor-Version', 'vscode/1.139.1'],
      ['Editor-Plugin-Version', 'copilot-chat/0.67.0'],
      ['Copilot-Integration-Id', 'vscode-chat'],
      ['X-GitHub-Api-Version', '2026-08-01'],
      ['Accept', '*/*'],
      ['OpenAI-Intent', 'model-access'],
      ['X-Interaction-Type', 'model-access'],
      ['X-Request-Id', 'uuid'],
      ['X-Agent-Task-Id', 'uuid'],
    ]);
    const { headers } = around.copilot.seen[0] ?? {};
    expect(headers?.['x-agent-task-id']).toBe(headers?.['x-request-id']);
  });

  it('other versions of the identity, where the settings say so', async () => {
    const identity = { ...defaultIdentity, editorVersion: 'vscode/9.9.9' };
    const other = new Account({ ...around.parts, githubToken, identity });
    await new CopilotClient({ ...around.parts, account: other }).send(outgoing());
    expect(around.copilot.seen[0]?.headers['editor-version']).toBe('vscode/9.9.9');
  });

  it('B4.5 a replay keeps the ids of its turn and interaction', async () => {
    answer({ status: 408 }, good);
    await client.send(outgoing());
    const ids = around.copilot.seen.map(({ headers }) => [
      headers['x-request-id'],
      headers['x-agent-task-id'],
      headers['x-interaction-id'],
    ]);
    expect(ids).toEqual([
      ['turn-1', 'turn-1', 'prompt-1'],
      ['turn-1', 'turn-1', 'prompt-1'],
    ]);
  });

  it('B4.4 an image is said in a header of Chat Completions alone', async () => {
    for (const path of ['/v1/messages', '/chat/completions', '/responses'] as const) {
      around.copilot.routes[`POST ${path}`] = () => good;
      await client.send(outgoing({ path, vision: true }));
    }
    const said = around.copilot.seen.map(({ headers }) => headers['copilot-vision-request']);
    expect(said).toEqual([undefined, 'true', undefined]);
  });
});

describe('a good answer', () => {
  it('B5.8 is handed over with its head, also when nothing follows', async () => {
    answer({ status: 200, body: '' });
    const sent = await client.send(outgoing());
    if (!sent.ok) throw new Error('refused');
    expect(await read(sent.response)).toBe('');
    expect(statuses(sent)).toEqual([[200, null]]);
  });

  it('brings its quota headers to the account', async () => {
    answer({ headers: { 'x-usage-ratelimit-weekly': 'rem=12&rst=' } });
    await client.send(outgoing());
    expect(account.usageWindows().weekly).toEqual({ percentRemaining: 12, resetsAt: null, asOf: around.clock.now() });
  });

  it('says when each attempt began, by the clock of the exchange', async () => {
    answer({ status: 408, headers: { 'x-github-request-id': 'up-0' } }, good);
    around.clock.advance(100);
    const sent = await client.send(outgoing({ startedTicks: 88.75 }));
    const sentAs = `${defaultIdentity.editorVersion} (vscode-chat)`;
    expect(sent.attempts).toEqual([
      {
        at: 11.25,
        token: 0,
        connect: expect.any(Number),
        sentAs,
        status: 408,
        retriedBecause: 'request-timeout',
        upstreamRequestId: 'up-0',
      },
      { at: 11.25, token: 0, connect: 0, sentAs, status: 200, retriedBecause: null, upstreamRequestId: 'up-1' },
    ]);
    expect(sent).toMatchObject({ ok: true, requestIds: ['up-0', 'up-1'] });
  });
});

describe('the token', () => {
  it('B1.9 401: one mint, one replay', async () => {
    answer({ status: 401, body: sample('error-401-token-expired.txt') }, good);
    const sent = await client.send(outgoing());
    expect(statuses(sent)).toEqual([
      [401, 'token-refused'],
      [200, null],
    ]);
    expect(around.copilot.seen.map((seen) => seen.headers.authorization?.slice(0, 12))).toEqual([
      'Bearer tid=1',
      'Bearer tid=2',
    ]);
    expect(around.copilot.seen[0]?.body).toBe(around.copilot.seen[1]?.body);
  });

  it('B1.9 a second 401 on a fresh token ends it, and the sign-in is kept', async () => {
    answer({ status: 401, body: sample('error-401-token-expired.txt') });
    const sent = await client.send(outgoing());
    expect(failureOf(sent)).toEqual({
      source: 'copilot',
      status: 401,
      code: null,
      message: 'unauthorized: token expired',
      speaker: 'unsure',
      requestIds: [],
      retryAfterSeconds: 30,
      limitExceeded: null,
      notice: null,
      authorizeUrl: null,
      host: around.copilot.url.host,
      mayHaveArrived: false,
      signedOut: false,
      tokensRefused: true,
    });
    expect([around.copilot.seen.length, mints()]).toEqual([2, 2]);
    // The next one asks nobody: it is known.
    expect(failureOf(await client.send(outgoing()))).toMatchObject({
      source: 'github',
      status: 401,
      message: 'Copilot refuses the tokens that GitHub currently issues.',
      retryAfterSeconds: 30,
      signedOut: false,
      tokensRefused: true,
    });
    expect([around.copilot.seen.length, mints()]).toEqual([2, 2]);
    around.clock.advance(30_000);
    answer(good);
    expect(await client.send(outgoing())).toMatchObject({ ok: true });
  });

  it('tokens that run out early, each followed by a good answer, cast no doubt on the sign-in', async () => {
    answer({ status: 401 }, good, { status: 401 }, good, { status: 401 }, good);
    for (let count = 0; count < 3; count += 1) expect(await client.send(outgoing())).toMatchObject({ ok: true });
    expect(mints()).toBe(4);
  });

  it('tokens that run out early, each followed by a refusal of the request, cast no doubt on it either', async () => {
    const refused = { status: 400, body: { error: { message: 'm', code: 'invalid_request_body' } } };
    answer({ status: 401 }, refused, { status: 401 }, refused, { status: 401 }, refused);
    for (let count = 0; count < 3; count += 1)
      expect(failureOf(await client.send(outgoing()))).toMatchObject({ status: 400, tokensRefused: false });
    expect(mints()).toBe(4);
  });

  it('a 401 that asks for an authorisation is none of the sign-in', async () => {
    answer({ status: 401, body: { message: 'authorize', authorize_url: 'https://github.com/orgs/o/sso' } });
    expect(failureOf(await client.send(outgoing()))).toMatchObject({
      status: 401,
      authorizeUrl: 'https://github.com/orgs/o/sso',
      signedOut: false,
    });
    await client.send(outgoing());
    expect(around.copilot.seen).toHaveLength(4);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['models', 'GET /models', () => client.getModels()],
    [
      'count_tokens',
      'POST /v1/messages/count_tokens',
      () => client.send(outgoing({ path: '/v1/messages/count_tokens' })),
    ],
    ['chat', 'POST /chat/completions', () => client.send(outgoing({ path: '/chat/completions' }))],
  ])('B1.10 the same for %s', async (_name, route, send) => {
    around.copilot.routes[route] = (_request, before) => (before === 0 ? { status: 401 } : { body: {} });
    expect(await send()).toMatchObject({ ok: true });
    expect([around.copilot.asked(route).length, mints()]).toEqual([2, 2]);
  });

  it('B1.11 403: one mint, one replay, no loop; the log names the identity that was sent', async () => {
    answer({ status: 403, body: 'access to this endpoint is forbidden' });
    expect(failureOf(await client.send(outgoing()))).toMatchObject({
      status: 403,
      message: 'access to this endpoint is forbidden',
      signedOut: false,
    });
    expect([around.copilot.seen.length, mints()]).toEqual([2, 2]);
    expect(around.log.lines.filter((line) => line.event === 'copilot.forbidden')).toEqual([
      {
        level: 'warn',
        event: 'copilot.forbidden',
        facts: { ...copilotHeaders(defaultIdentity), code: null },
      },
    ]);
    await client.send(outgoing());
    expect([around.copilot.seen.length, mints()]).toEqual([3, 2]);
    around.clock.advance(60_000);
    await client.send(outgoing());
    expect([around.copilot.seen.length, mints()]).toEqual([5, 3]);
  });

  it('C15.3 a burst of 401 mints once', async () => {
    const all = gate();
    let waiting = 0;
    around.copilot.routes[messages] = async (request) => {
      if (request.headers.authorization?.startsWith('Bearer tid=1;')) {
        waiting += 1;
        if (waiting === 20) all.open();
        await all.opened;
        return { status: 401 };
      }
      return good;
    };
    const sent = await Promise.all(Array.from({ length: 20 }, () => client.send(outgoing())));
    expect(sent.map(statuses)).toEqual(
      sent.map(() => [
        [401, 'token-refused'],
        [200, null],
      ]),
    );
    expect(mints()).toBe(2);
  });

  it('B1.4 B1.5 a caller that leaves during the mint takes nothing away from the others, nor from the next', async () => {
    const asked = gate();
    const answerIt = gate();
    around.github.routes[mintRoute] = async () => {
      asked.open();
      await answerIt.opened;
      return { body: tokenBody(around.copilot, 1) };
    };
    const leaving = new AbortController();
    const left = client.send(outgoing({ signal: leaving.signal }));
    const stays = client.send(outgoing());
    await asked.opened;
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    answerIt.open();
    expect(await stays).toMatchObject({ ok: true });
    expect(mints()).toBe(1);
  });

  it('B1.5 the only caller leaves: the mint goes on and serves the next', async () => {
    const asked = gate();
    const answerIt = gate();
    around.github.routes[mintRoute] = async () => {
      asked.open();
      await answerIt.opened;
      return { body: tokenBody(around.copilot, 1) };
    };
    const leaving = new AbortController();
    const left = client.send(outgoing({ signal: leaving.signal }));
    await asked.opened;
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = client.send(outgoing());
    answerIt.open();
    expect(await next).toMatchObject({ ok: true });
    expect(mints()).toBe(1);
  });

  it('a mint that is refused is a failure with GitHub’s words; Copilot is not asked', async () => {
    around.github.routes[mintRoute] = () => ({ status: 403, body: sample('error-403-copilot-token-spammy_user.json') });
    const sent = await client.send(outgoing());
    expect(failureOf(sent)).toMatchObject({
      source: 'github',
      status: 403,
      code: 'spammy_user',
      notice: { title: 'Contact Support' },
    });
    expect(sent.attempts).toEqual([]);
    expect(around.copilot.seen).toEqual([]);
  });
});

describe('the host', () => {
  it('B3.1 is that of the token, with its path', async () => {
    around.github.routes[mintRoute] = () => ({
      body: tokenBody(around.copilot, 1, { endpoints: { api: `${around.copilot.url.origin}/base/` } }),
    });
    around.copilot.routes['POST /base/v1/messages'] = () => good;
    expect(await client.send(outgoing())).toMatchObject({ ok: true });
  });

  it('B3.3 C11.1 421: mint, replay on the new host, once', async () => {
    const other = await FakeServer.start({ [messages]: () => good });
    try {
      around.github.routes[mintRoute] = (_request, before) => ({
        body: tokenBody(before === 0 ? around.copilot : other, before + 1),
      });
      answer({ status: 421, body: sample('error-421-misdirected.txt') });
      const sent = await client.send(outgoing());
      expect(statuses(sent)).toEqual([
        [421, 'wrong-host'],
        [200, null],
      ]);
      expect([around.copilot.seen.length, other.seen.length]).toEqual([1, 1]);
      expect(other.seen[0]?.headers.authorization).toMatch(/^Bearer tid=2;/);
    } finally {
      await other.stop();
    }
  });

  it('B3.3 a second 421 ends it', async () => {
    answer({ status: 421, body: sample('error-421-misdirected.txt') });
    const sent = await client.send(outgoing());
    expect(failureOf(sent)).toMatchObject({ status: 421, message: 'Misdirected Request', signedOut: false });
    expect(around.copilot.seen).toHaveLength(2);
  });

  it('B3.5 a redirect is not followed with the bearer', async () => {
    const elsewhere = await FakeServer.start();
    try {
      answer({ status: 307, headers: { location: `${elsewhere.url.origin}/v1/messages` } });
      expect(failureOf(await client.send(outgoing()))).toMatchObject({
        status: 307,
        code: 'redirect',
        message: 'a redirect, which is never followed',
      });
      expect(around.copilot.seen).toHaveLength(1);
      expect(elsewhere.seen).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('B3.6 a tenant of GHE.com: token and messages at its own hosts', async () => {
    const asked: string[] = [];
    const dialer: Dialer = {
      async dial(request) {
        asked.push(request.url.href);
        return around.dialer.dial({
          ...request,
          url: new URL(
            request.url.pathname,
            request.url.host.startsWith('api.') ? around.github.url : around.copilot.url,
          ),
        });
      },
      close: () => {},
    };
    around.github.routes[mintRoute] = () => ({
      body: tokenBody(around.copilot, 1, { endpoints: { api: 'https://copilot-api.octo.ghe.com' } }),
    });
    const github = { web: new URL('https://octo.ghe.com'), api: new URL('https://api.octo.ghe.com') };
    const tenant = new Account({ ...around.parts, dialer, github, githubToken });
    expect(await new CopilotClient({ ...around.parts, dialer, account: tenant }).send(outgoing())).toMatchObject({
      ok: true,
    });
    expect(asked).toEqual([
      'https://api.octo.ghe.com/copilot_internal/v2/token',
      'https://copilot-api.octo.ghe.com/v1/messages',
    ]);
  });
});

describe('B6.8 replays', () => {
  it('408 is replayed once', async () => {
    answer({ status: 408 }, good);
    expect(statuses(await client.send(outgoing()))).toEqual([
      [408, 'request-timeout'],
      [200, null],
    ]);
    answer({ status: 408 });
    expect(failureOf(await client.send(outgoing())).status).toBe(408);
    expect(around.copilot.seen).toHaveLength(4);
  });

  it('a connection that can’t be made is tried twice', async () => {
    await account.token();
    await around.copilot.stop();
    const sent = await client.send(outgoing());
    expect(statuses(sent)).toEqual([
      [null, 'network'],
      [null, null],
    ]);
    expect(failureOf(sent)).toMatchObject({ source: 'network', code: 'ECONNREFUSED', mayHaveArrived: false });
  });

  const finished: Route = (_request, _before, response) => {
    response.socket?.end();
    return undefined;
  };
  const reset: Route = (_request, _before, response) => {
    response.socket?.resetAndDestroy();
    return undefined;
  };
  it.each<[string, Route, number | null]>([
    ['500', () => ({ status: 500 }), 500],
    ['502', () => ({ status: 502 }), 502],
    ['504', () => ({ status: 504 }), 504],
    ['a reset after the request was read', reset, null],
    ['an end after the request was read', finished, null],
  ])('%s is not replayed: the model may have been at work', async (_name, route, status) => {
    // On a new connection, then on a kept one.
    for (const kept of [false, true]) {
      around.copilot.routes['POST /responses'] = () => ({ body: {} });
      const opened = kept ? await client.send(outgoing({ path: '/responses' })) : null;
      if (opened?.ok) await read(opened.response);
      around.copilot.routes[messages] = route;
      const sent = await client.send(outgoing());
      expect(failureOf(sent)).toMatchObject({ status, mayHaveArrived: status === null });
      expect(statuses(sent)).toEqual([[status, null]]);
    }
    expect(around.copilot.asked(messages)).toHaveLength(2);
    expect(around.clock.slept).toEqual([]);
  });

  it.each([400, 402, 404, 413, 422, 424, 429, 466, 499, 503, 529])('B5.9 %d is not replayed', async (status) => {
    answer({ status, body: { error: { message: 'm', code: 'a_code' } } });
    const sent = await client.send(outgoing());
    expect(failureOf(sent)).toMatchObject({ status, code: 'a_code', message: 'm', host: around.copilot.url.host });
    expect(statuses(sent)).toEqual([[status, null]]);
    expect(around.copilot.seen).toHaveLength(1);
    expect(mints()).toBe(1);
  });

  it('different troubles one after the other are met once each', async () => {
    answer({ status: 408 }, { status: 401 }, { status: 421 }, { status: 403 }, { status: 408 });
    expect(statuses(await client.send(outgoing()))).toEqual([
      [408, 'request-timeout'],
      [401, 'token-refused'],
      [421, 'wrong-host'],
      [403, 'forbidden'],
      [408, null],
    ]);
  });

  it('one client request has five repeats, in however many sendings', async () => {
    const budget = new ReplayBudget();
    answer({ status: 408 });
    for (const _ of [1, 2, 3, 4, 5, 6]) await client.send(outgoing({ budget }));
    // Six sendings, and a repeat of each while there were any.
    expect(around.copilot.seen).toHaveLength(6 + 5);
  });

  it('never after the head of a good answer: a cut is the reader’s to see', async () => {
    const cut: Route = (_request, _before, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n', () => response.destroy());
      return undefined;
    };
    around.copilot.routes[messages] = cut;
    const sent = await client.send(outgoing());
    if (!sent.ok) throw new Error('refused');
    await expect(read(sent.response)).rejects.toThrow();
    expect(around.copilot.seen).toHaveLength(1);
  });

  it('no answer in time is not replayed: the model may be at work', async () => {
    let dials = 0;
    const dialer: Dialer = {
      dial: (request) => {
        if (request.method === 'GET') return around.dialer.dial(request);
        dials += 1;
        return Promise.reject(new NetworkError(request.url.host, 'TIMEOUT', 'no answer within 120 s'));
      },
      close: () => {},
    };
    expect(failureOf(await new CopilotClient({ ...around.parts, dialer, account }).send(outgoing()))).toMatchObject({
      source: 'network',
      code: 'TIMEOUT',
      message: 'no answer within 120 s',
    });
    expect(dials).toBe(1);
  });

  it('A5.5 a reset list of models is a failure of the network', async () => {
    around.copilot.routes['GET /models'] = () => ({ reset: true });
    expect(await client.getModels()).toMatchObject({
      ok: false,
      failure: { source: 'network', status: null, code: 'ECONNRESET', mayHaveArrived: false },
    });
    expect(around.copilot.seen).toHaveLength(1);
  });
});

describe('limits', () => {
  it('a refusal with a long body is read to 256 KiB and the rest let go', async () => {
    const long: Route = (_request, _before, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return undefined;
    };
    around.copilot.routes[messages] = long;
    expect(failureOf(await client.send(outgoing())).message).toBe('x'.repeat(2000));
  });

  it('B7.4 a list of models over 16 MiB is refused', async () => {
    around.copilot.routes['GET /models'] = () => ({ body: ' '.repeat(16 * 1024 * 1024 + 1) });
    expect(await client.getModels()).toMatchObject({ ok: false, failure: { code: 'catalog_too_large' } });
    around.copilot.routes['GET /models'] = () => ({ body: ' '.repeat(16 * 1024 * 1024) });
    expect(await client.getModels()).toMatchObject({ ok: true });
  });

  it('leaving while a refusal is read rejects with the signal’s reason', async () => {
    around.copilot.routes[messages] = (_request, _before, response) => {
      response.writeHead(400).write('begin');
      return undefined;
    };
    const leaving = new AbortController();
    const dialer: Dialer = {
      async dial(request) {
        const dialed = await around.dialer.dial(request);
        dialed.response.once('data', () => leaving.abort(new Error('left')));
        return dialed;
      },
      close: () => {},
    };
    await account.token();
    const leaver = new CopilotClient({ ...around.parts, dialer, account });
    await expect(leaver.send(outgoing({ signal: leaving.signal }))).rejects.toThrow('left');
    expect(around.copilot.seen).toHaveLength(1);
  });

  it('leaving before the head rejects with the signal’s reason', async () => {
    const asked = gate();
    around.copilot.routes[messages] = async (_request, _before, response) => {
      asked.open();
      await new Promise((resolve) => response.on('close', resolve));
      return undefined;
    };
    const early = new AbortController();
    const sent = client.send(outgoing({ signal: early.signal }));
    await asked.opened;
    early.abort(new Error('left'));
    await expect(sent).rejects.toThrow('left');
  });
});

it('B1.17 no token and no prompt in failures, attempts or log lines', async () => {
  const secret = `prompt-${randomUUID()}`;
  const texts: string[] = [];
  for (const status of [400, 401, 403, 408, 421, 429, 500]) {
    around.clock.advance(120_000);
    answer({ status, body: { message: 'm' } });
    texts.push(JSON.stringify(await client.send(outgoing({ body: secret }))));
  }
  texts.push(JSON.stringify(around.log.lines));
  for (const text of texts) {
    expect(text).not.toContain('tid=');
    expect(text).not.toContain(githubToken);
    expect(text).not.toContain(secret);
  }
});
