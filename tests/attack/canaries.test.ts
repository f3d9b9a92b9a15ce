import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Exchange, exchangeSchema } from '../../app/api/exchange.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { bugReport } from '../../renderer/requests/copy-request.ts';
import { toCsv, toHar, toJsonLines } from '../../renderer/requests/export.ts';
import { FakeServer, type Said, type Seen } from '../app/account/fake-server.ts';
import { sendTo } from '../app/stack.ts';
import { builtCli } from '../clients/product.ts';
import { soon } from '../soon.ts';
import { Started } from '../started.ts';
import { isLong, rounds, seed } from './rounds.ts';

/**
 * Words of a person and secrets are planted in requests, an upstream quotes them in every kind of failure, and then
 * they are looked for in everything that the built product puts out: files, its history among them, terminals, exports,
 * the dashboard, metrics, other clients' answers.
 */

const word = (name: string): string => `Canary${name}Q7x${seed}`;
/** Code-like ones could pass for a code of Copilot's. */
const canaries = {
  prompt: word('Prompt'),
  promptLikeACode: `canary_prompt_q7x${seed}`,
  system: word('System'),
  toolOutput: word('ToolOutput'),
  schema: word('Schema'),
  header: word('Header'),
};
const githubToken = `gho_CanaryGithub0Token0${seed}`;
const localKey = `js-canary-key-0123456789-${seed}`;
const opaque = (count: number): string => `Opaque${count}CopilotToken0123456789abcdefghijklmnopq${seed}`;
const tokenShapes: readonly ((count: number) => string)[] = [
  opaque,
  (count) =>
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0aWQiOiJjYW5hcnki${count}0123456789.c1gN4tUr3${count}abcdefghijklmnop`,
  (count) => `tid=canary${count}0123456789abcdef;exp=1795178449;sku=x:${count}fedcba9876543210fedcba9876543210`,
];

interface Around {
  baseUrl: string;
  home: string;
  github: FakeServer;
  copilot: FakeServer;
  serving: Started;
  env: NodeJS.ProcessEnv;
  /** Every token that was given out. */
  tokens: string[];
  /** What Copilot answers next, attempt for attempt; the last one stays. */
  answers: ((seen: Seen) => Said | undefined)[];
}

let around: Around;
afterEach(async () => {
  const { serving, github, copilot, home } = around;
  serving.child.kill('SIGKILL');
  await serving.ended();
  await github.stop();
  await copilot.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

async function start(): Promise<Listening> {
  const tokens: string[] = [];
  const answers: Around['answers'] = [];
  const answer = (seen: Seen): Said | undefined => (answers.length > 1 ? answers.shift() : answers[0])?.(seen);
  const posts = ['/v1/messages', '/v1/messages/count_tokens', '/chat/completions', '/responses', '/embeddings'];
  const copilot = await FakeServer.start({
    'GET /models': () => ({ body: { object: 'list', data: defaultModels() } }),
    ...Object.fromEntries(posts.map((path) => [`POST ${path}`, answer])),
  });
  const github = await FakeServer.start({
    'GET /copilot_internal/v2/token': () => {
      const token = tokenShapes[tokens.length % tokenShapes.length]?.(tokens.length) ?? '';
      tokens.push(token);
      return { body: { token, expires_at: 4_000_000_000, refresh_in: 1500, endpoints: { api: copilot.url.origin } } };
    },
    'GET /copilot_internal/user': () => ({ body: { login: 'octo', copilot_plan: 'individual' } }),
  });
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-canaries-'));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_KEY: localKey,
    JUMPSEAT_GITHUB_TOKEN: githubToken,
    JUMPSEAT_GITHUB_URL: github.url.origin,
    JUMPSEAT_GITHUB_API_URL: github.url.origin,
  };
  const serving = new Started(process.execPath, [builtCli(), 'serve', '--port', '0', '--json'], { env });
  around = { baseUrl: '', home, github, copilot, serving, env, tokens, answers };
  const listening = await soon((): Listening => JSON.parse(serving.out.split('\n')[0] ?? ''));
  around.baseUrl = listening.baseUrl;
  return listening;
}

interface Listening {
  baseUrl: string;
  dashboardUrl: string;
}

/** JSON in which every letter of a text is spelled by its number. */
const spelled = (text: string): string =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Everything that came in with the request, once more. */
function quote({ body, headers }: Seen): string {
  return `${body.slice(0, 20_000)} ${headers.authorization} ${githubToken} ${localKey} ${canaries.header}`;
}
const bearer = ({ headers }: Seen): string => String(headers.authorization).replace('Bearer ', '');
const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream' };

/** The ways in which an answer quotes its request. */
const quotes: Readonly<Record<string, (status: number, seen: Seen) => Said>> = {
  envelope: (status, seen) => ({
    status,
    headers: json,
    body: { error: { message: quote(seen), code: canaries.promptLikeACode, type: canaries.promptLikeACode } },
  }),
  'token as a code': (status, seen) => ({
    status,
    headers: json,
    body: { type: 'error', error: { type: bearer(seen), code: bearer(seen), message: `refused ${bearer(seen)}` } },
  }),
  'token spelled by numbers': (status, seen) => ({
    status,
    headers: json,
    body: `{"message":"no ${spelled(bearer(seen))} no","code":"${spelled(canaries.prompt)}"}`,
  }),
  'token in two parts': (status, seen) => {
    const half = Math.floor(bearer(seen).length / 2);
    return {
      status,
      headers: json,
      body: { error: { message: `${quote(seen)} ${bearer(seen).slice(0, half)}… …${bearer(seen).slice(half)}` } },
    };
  },
  text: (status, seen) => ({ status, headers: { 'content-type': 'text/plain' }, body: quote(seen) }),
  page: (status, seen) => ({
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>${canaries.prompt} ${bearer(seen)}</title></head><body>${quote(seen)}</body></html>`,
  }),
  notice: (status, seen) => ({
    status,
    headers: json,
    body: {
      error_details: { title: canaries.prompt, message: quote(seen), notification_id: canaries.promptLikeACode },
    },
  }),
  ids: (status, seen) => ({
    status,
    headers: { ...json, 'x-request-id': bearer(seen), 'x-github-request-id': `"${githubToken}"` },
    body: { message: quote(seen) },
  }),
  'a field': (status) => ({
    status,
    headers: json,
    body: { message: `messages.0.${canaries.prompt}: Extra inputs are not permitted` },
  }),
};

/** An error in the middle of an answer, in the words of the path. */
const errorEvents: Readonly<Record<string, (seen: Seen) => string>> = {
  '/v1/messages': (seen) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: bearer(seen), message: quote(seen) } })}\n\n`,
  '/chat/completions': (seen) =>
    `data: ${JSON.stringify({ error: { message: quote(seen), code: canaries.promptLikeACode } })}\n\n`,
  '/responses': (seen) =>
    `event: response.failed\ndata: ${JSON.stringify({
      type: 'response.failed',
      response: { status: 'failed', error: { code: bearer(seen), message: quote(seen) } },
    })}\n\n`,
};
const errorEvent = (seen: Seen): Said => ({ headers: stream, body: errorEvents[seen.url]?.(seen) ?? quote(seen) });
const errorText = (seen: Seen): Said => ({
  headers: stream,
  body: `event: error\ndata: ${canaries.prompt} ${bearer(seen)}\n\n`,
});

const words = `${canaries.prompt} ${canaries.promptLikeACode}`;
const schema = { type: 'object', properties: {}, description: canaries.schema };
const messagesBody = (model: string, streamed: boolean): object => ({
  model,
  max_tokens: 200,
  stream: streamed,
  system: canaries.system,
  tools: [{ name: 'Read', description: canaries.schema, input_schema: schema }],
  messages: [
    { role: 'user', content: words },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: canaries.toolOutput }] },
  ],
});
const chatBody = (model: string, streamed: boolean): object => ({
  model,
  stream: streamed,
  tools: [{ type: 'function', function: { name: 'Read', parameters: schema } }],
  messages: [
    { role: 'system', content: canaries.system },
    { role: 'user', content: words },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Read', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: canaries.toolOutput },
  ],
});
const responsesBody = (model: string, streamed: boolean): object => ({
  model,
  stream: streamed,
  instructions: canaries.system,
  tools: [{ type: 'function', name: 'Read', parameters: schema }],
  input: [
    { role: 'user', content: words },
    { type: 'function_call', call_id: 'c1', name: 'Read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: canaries.toolOutput },
  ],
});

const clients: readonly [string, (streamed: boolean) => object][] = [
  ['/v1/messages', (streamed) => messagesBody('claude-sonnet-4.6', streamed)],
  ['/v1/messages', (streamed) => messagesBody('gpt-5.4', streamed)],
  ['/v1/messages', (streamed) => messagesBody('gemini-3.1-pro-preview', streamed)],
  ['/v1/messages/count_tokens', () => messagesBody('claude-sonnet-4.6', false)],
  ['/v1/chat/completions', (streamed) => chatBody('gpt-5-mini', streamed)],
  ['/v1/chat/completions', (streamed) => chatBody('claude-sonnet-4.6', streamed)],
  ['/v1/responses', (streamed) => responsesBody('gpt-5.4', streamed)],
  ['/v1/responses', (streamed) => responsesBody('claude-sonnet-4.6', streamed)],
  ['/v1/embeddings', () => ({ model: 'text-embedding-3-small', input: words })],
];

const post = (path: string, body: object, client = 'person') =>
  sendTo(around.baseUrl, {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${localKey}.${client}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-my-header': canaries.header,
    },
    body: JSON.stringify(body),
  });

/** No form of them is in any output; parts of a token tell as much as the token. */
function secrets(): string[] {
  return [
    githubToken,
    localKey,
    ...around.tokens.flatMap((token) => [token.slice(0, 40), token.slice(-24), ...token.split(/[.;:=]/)]),
  ].filter((secret) => secret.length >= 16 && !/^\d+$/.test(secret));
}

/** Which of these stand in a text or a file. */
function found(where: string, text: string | Buffer, what: readonly string[]): string[] {
  return what.filter((each) => text.includes(each)).map((each) => `${where}: ${each.slice(0, 24)}`);
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

interface Dashboard {
  ask(call: string, args?: unknown[]): Promise<string>;
  /** What its page has been told of its own accord so far. */
  reported(): string;
}

async function dashboard(listening: Listening): Promise<Dashboard> {
  const url = new URL(listening.dashboardUrl);
  const entered = await sendTo(around.baseUrl, { path: `${url.pathname}${url.search}`, headers: {} });
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  let reported = '';
  // Ends with the product.
  request(`${around.baseUrl}/ui/api/events`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }, (events) =>
    events
      .setEncoding('utf8')
      .on('data', (text: string) => {
        reported += text;
      })
      .on('error', () => undefined),
  ).end();
  await soon(() => expect(reported).not.toBe(''));
  return {
    async ask(call, args = []) {
      const headers = { cookie, origin: around.baseUrl, 'content-type': 'application/json' };
      const body = JSON.stringify(args);
      const answer = await sendTo(around.baseUrl, { method: 'POST', path: `/ui/api/call/${call}`, headers, body });
      expect([call, answer.status]).toEqual([call, 200]);
      return answer.text;
    },
    reported: () => reported,
  };
}

/** Everything that the product has put out, by name. */
async function outputs({ ask, reported }: Dashboard): Promise<[string, string | Buffer][]> {
  const { serving, env, home, baseUrl } = around;
  const all: [string, string | Buffer][] = [];
  const listed: { value: unknown[] } = JSON.parse(await ask('exchanges', [{ limit: 1000 }]));
  const rows: Exchange[] = listed.value.map((row) => exchangeSchema.parse(row));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    all.push([`bug report of ${row.id}`, bugReport(row, '1')]);
    all.push([`/ui exchange ${row.id}`, await ask('exchange', [row.id])]);
  }
  for (const [call, args] of [
    ['exchanges', [{ limit: 1000 }]],
    ['rows', [{ limit: 1000, before: '' }]],
    ['state', []],
    ['learned', []],
    ['conversations', [{ since: 0, limit: 100, offset: 0 }]],
  ] as const)
    all.push([`/ui ${call}`, await ask(call, [...args])]);
  all.push(['json lines', toJsonLines(rows)], ['csv', toCsv(rows, {})], ['har', toHar(rows, '1', baseUrl)]);
  all.push(['/ui events', reported()]);
  const metrics = await sendTo(baseUrl, { path: '/metrics', headers: { authorization: `Bearer ${localKey}` } });
  all.push(['metrics', metrics.text]);
  const log = new Started(process.execPath, [builtCli(), 'log', '--json', '--limit', '1000'], { env });
  const logged = await log.ended();
  all.push(['log --json', logged.out], ['log stderr', logged.err]);
  // Its first line says the key, which a script that starts it asks for.
  all.push(['serve stdout', serving.out.split('\n').slice(1).join('\n')], ['serve stderr', serving.err]);
  for (const path of filesUnder(home)) all.push([path.slice(home.length), readFileSync(path)]);
  return all;
}

describe('an upstream that quotes what it was sent', () => {
  it('is told to the client that asked alone, and its tokens nowhere', { timeout: 600_000 }, async () => {
    const page = await dashboard(await start());
    // A server error is asked again a second later, so the short run has one of them.
    const statuses = isLong ? [400, 402, 403, 404, 408, 413, 422, 424, 466, 499, 500, 503, 529] : [400, 403, 422, 503];
    const wrong: string[] = [];
    let tried = 0;
    const attack = async (name: string, answers: Around['answers'], some = clients): Promise<void> => {
      for (const [at, [path, body]] of some.entries()) {
        around.answers.splice(0, Number.POSITIVE_INFINITY, ...answers);
        const answer = await post(path, body((at + tried) % 2 === 0));
        tried += 1;
        wrong.push(...found(`client of ${path}, ${name}`, answer.text, secrets()));
        wrong.push(...found(`headers of ${path}, ${name}`, JSON.stringify(answer.headers), secrets()));
      }
    };
    for (const status of statuses)
      for (const [name, said] of Object.entries(quotes))
        await attack(`${status} ${name}`, [(seen) => said(status, seen)]);
    await attack('an error event', [errorEvent]);
    await attack('an error event that is no JSON', [errorText]);
    await attack(
      'a server error that is repeated',
      [(seen) => quotes.text?.(500, seen), (seen) => quotes.envelope?.(400, seen)],
      clients.slice(0, rounds(1, clients.length)),
    );
    await attack('a token that is refused once', [
      (seen) => quotes['token as a code']?.(401, seen),
      (seen) => quotes['token in two parts']?.(400, seen),
    ]);
    await attack('no answer', [() => ({ reset: true })]);

    // Held back from now on: another client is told of the limit, and nothing of who met it.
    around.answers.splice(0, Number.POSITIVE_INFINITY, (seen) => ({
      ...quotes.envelope?.(429, seen),
      headers: { ...json, 'retry-after': '600' },
    }));
    for (let count = 0; count < 2; count += 1) await post('/v1/messages', messagesBody('claude-haiku-4.5', true));
    const other = { model: 'claude-haiku-4.5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
    const held = await post('/v1/messages', other, 'other');
    expect(held.status).toBe(429);
    wrong.push(...found('another client', held.text, [...Object.values(canaries), ...secrets()]));

    // At last no token is good any more.
    await attack('tokens that are refused', [(seen) => quotes['token as a code']?.(401, seen)]);

    const what = [...Object.values(canaries), ...secrets()];
    const all = await soon(async () => {
      const now = await outputs(page);
      const rows = now
        .find(([name]) => name === 'log --json')?.[1]
        .toString()
        .trim()
        .split('\n').length;
      expect(rows).toBe(tried + 3);
      return now;
    });
    for (const [name, text] of all) wrong.push(...found(name, text, what));
    expect([tried, wrong]).toEqual([tried, []]);
    expect(all.some(([name]) => name.startsWith('/history.db'))).toBe(true);
    // The page followed until the end: it was told of the newest row.
    const newest: { value: { id: string }[] } = JSON.parse(await page.ask('exchanges', [{ limit: 1 }]));
    await soon(() => expect(page.reported()).toContain(newest.value.at(-1)?.id));
    expect(found('/ui events', page.reported(), what)).toEqual([]);
  });
});
