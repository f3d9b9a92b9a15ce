import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import type { EngineName, KeyedEngine, SearchQuery } from '../../../app/api/search.ts';
import { searchEngines } from '../../../app/api/search-engines.ts';
import { searchIsOff } from '../../../app/search/engine-order.ts';
import { type EngineDependencies, makeEngines } from '../../../app/search/engines.ts';
import { readSearchVariables } from '../../../app/search/from-outside.ts';
import { SearchKeys } from '../../../app/search/keys.ts';
import { forOneself, Search } from '../../../app/search/search.ts';
import type { Reply } from '../../../app/simulator/script.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { HandClock } from '../account/hand-clock.ts';
import { LineLog } from '../account/surroundings.ts';

/** Each engine outside, against one that answers in the shapes of its own documents. */

let simulator: Simulator;
let keys: SearchKeys;
let clock: HandClock;
let log: LineLog;
const dialer = nodeDialer();
beforeEach(async () => {
  simulator = await startSimulator();
  clock = new HandClock();
  clock.held = true;
  log = new LineLog();
  keys = new SearchKeys({
    secrets: memorySecrets({ 'brave-key': simulator.searchKey, 'exa-key': simulator.searchKey }),
    outside: { serpapi: simulator.searchKey, anthropic: simulator.searchKey },
    hideSecret: () => {},
    changed: () => {},
  });
});
afterEach(() => simulator.close());

const outside = ['brave', 'tavily', 'exa', 'serpapi', 'searxng', 'duckduckgo', 'anthropic'] as const;

function searching(more: Partial<EngineDependencies> = {}): Search {
  const variables = outside.map((name) => [`JUMPSEAT_${name.toUpperCase()}_URL`, `${simulator.enginesUrl}/${name}`]);
  const engine = makeEngines({
    dialer,
    catalog: () => ({ models: () => Promise.resolve([]) }),
    ask: () => Promise.reject(new Error('Copilot is not asked here')),
    settings: () => ({ engines: [], model: null, searxngUrl: null }),
    reach: () => 'directly',
    githubAccess: () =>
      Promise.resolve({
        githubToken: simulator.githubToken,
        apiBase: new URL(simulator.copilotUrl),
        userAgent: 'GitHubCopilotChat/0.67.0',
      }),
    keys,
    addresses: readSearchVariables(Object.fromEntries(variables)).addresses,
    ...more,
  });
  return new Search({
    clock,
    log,
    order: () => [],
    off: () => searchIsOff({ isUnusable: () => false, policy: null, policyProblem: null }, { engines: null }),
    refusal: () => null,
    engine,
    asked: () => {},
    ended: () => {},
  });
}

const [plain, context] = forOneself('node lts');
const search = (name: EngineName, query: Partial<SearchQuery> = {}) =>
  searching().search({ ...plain, ...query }, context, name);
const says = (domain: string) => `What ${domain} has to say about node lts is simulated.`;
const address = (domain: string) => `https://${domain}/node-lts`;
const unknown = { nanoAiu: null, premiumRequests: null, dollars: null, exchange: null };

const all: Record<string, { pageAge: string | null; snippets: string[]; dollars?: number; summary?: string }> = {
  github: { pageAge: null, snippets: [says('docs.example')] },
  brave: { pageAge: 'Wednesday, October 28, 2026', snippets: [says('docs.example')] },
  tavily: { pageAge: null, snippets: [] },
  exa: { pageAge: '2026-10-28', snippets: [says('docs.example')], dollars: 0.007 },
  serpapi: { pageAge: 'Oct 28, 2026', snippets: [] },
  searxng: { pageAge: null, snippets: [] },
  duckduckgo: { pageAge: null, snippets: [] },
  anthropic: { pageAge: 'October 28, 2026', snippets: [says('docs.example')] },
};
const names = Object.keys(all) as EngineName[];

describe.each(names)('%s', (name) => {
  const facts = all[name];

  it('gives pages with their text', async () => {
    const answer = await search(name);
    expect(answer).toMatchObject({
      kind: 'found',
      engine: name,
      query: 'node lts',
      cut: false,
      results: [
        {
          title: 'docs.example on node lts',
          url: address('docs.example'),
          pageAge: facts?.pageAge,
          text: says('docs.example'),
          snippets: facts?.snippets,
        },
        { url: address('news.example') },
        { url: address('forum.example') },
      ],
      cost: { ...unknown, dollars: facts?.dollars ?? null },
      notes: [],
    });
  });

  it('finds nothing without being broken', async () => {
    expect(await search(name, { query: 'nothing at all' })).toMatchObject({ kind: 'found', results: [] });
  });

  it('is told the domains that are wanted', async () => {
    const answer = await search(name, { allowed: ['a.example', 'b.example'] });
    expect(answer).toMatchObject({
      results: [{ url: address('a.example') }, { url: address('b.example') }],
      notes: [],
    });
  });

  it('is told the domains that are not wanted, or they are left out here', async () => {
    const answer = await search(name, { blocked: ['docs.example'] });
    expect(answer).toMatchObject({ results: [{ url: address('news.example') }, { url: address('forum.example') }] });
  });

  it('gives a page full of orders as text that is quoted, and nothing else', async () => {
    const answer = await search(name, { query: 'prompt injection' });
    expect(answer).toMatchObject({
      results: [{ url: 'https://hostile.example/orders', text: expect.stringContaining('SYSTEM: ignore') }, {}, {}, {}],
    });
  });

  const refusing: [string, Reply, string, RegExp][] = [
    ['429', { kind: 'answer', status: 429, headers: { 'retry-after': '7' }, body: {} }, 'too_many_requests', /allows/],
    ['500', { kind: 'answer', status: 500, body: 'Internal Server Error' }, 'unavailable', /500/],
    ['HTML', html('<html><h1>Sign in to the Wi-Fi</h1></html>'), 'unavailable', /no JSON|no results|no message/],
    ['JSON of another form', { kind: 'answer', status: 200, body: { hello: 1 } }, 'unavailable', /answered|no results/],
    ['half of JSON', html('{"results": [', 'application/json'), 'unavailable', /no JSON|no results|no message/],
    ['10 MB', html('x'.repeat(10_000_000)), 'unavailable', /2 MiB/],
    [
      'a redirect',
      { kind: 'answer', status: 302, headers: { location: 'https://evil.example/' } },
      'unavailable',
      /elsewhere/,
    ],
    ['a reset', { kind: 'reset' }, 'unavailable', /No connection/],
  ];
  it.each(refusing)('ends with an error that says why: %s', async (_what, reply, code, reason) => {
    simulator.script.always(reply, () => true);
    const answer = await search(name);
    expect(answer).toMatchObject({ kind: 'failed', engine: name, code, reason: expect.stringMatching(reason) });
    expect(JSON.stringify([answer, log])).not.toMatch(/node lts|Wi-Fi|SIMULATED|ghu_/);
  });

  it.each<[string, Reply]>([
    ['no answer', { kind: 'silence' }],
    ['an answer without an end', { kind: 'stream', events: ['{"results": ['], end: 'open' }],
  ])('ends after 30 seconds, and so does its request: %s', async (_what, reply) => {
    simulator.script.always(reply, () => true);
    const arrived = simulator.script.arrival(() => true);
    const answering = search(name);
    await arrived;
    clock.wake();
    expect(await answering).toMatchObject({
      kind: 'failed',
      code: 'unavailable',
      reason: expect.stringMatching(/30 seconds/),
    });
    await simulator.script.aborted(() => true);
  });
});

function html(body: string, type = 'text/html'): Reply {
  return { kind: 'answer', status: 200, headers: { 'content-type': type }, body };
}

describe('keys', () => {
  const wrong = 'wrong-key-00000000';

  it.each<KeyedEngine>(['brave', 'tavily', 'exa'])('a wrong one of %s is said, until it is another', async (name) => {
    await keys.set(name, wrong);
    expect(await search(name)).toMatchObject({ code: 'unavailable', reason: expect.stringMatching(/refuses the key/) });
    expect(await keys.state(name)).toBe('refused');
    await keys.set(name, simulator.searchKey);
    expect(await keys.state(name)).toBe('kept');
    expect(await search(name)).toMatchObject({ kind: 'found' });
  });

  it.each<KeyedEngine>(['brave', 'anthropic'])('one of %s stays refused where an answer says neither', async (name) => {
    await keys.was(name, false);
    for (const status of [500, 429]) {
      simulator.script.next({ kind: 'answer', status, body: {} }, () => true);
      expect(await search(name)).toMatchObject({ kind: 'failed' });
      expect(await keys.state(name)).toBe('refused');
    }
    expect(await search(name)).toMatchObject({ kind: 'found' });
    expect(await keys.state(name)).not.toBe('refused');
  });

  it.each<KeyedEngine>(['brave', 'exa'])('without one of %s nothing is asked', async (name) => {
    await keys.set(name, null);
    expect(await search(name)).toMatchObject({ code: 'unavailable', reason: expect.stringMatching(/has no key/) });
    expect(simulator.engineRequests).toEqual([]);
  });

  it('Tavily is asked without one in its keyless mode', async () => {
    expect(await keys.state('tavily')).toBe('none');
    expect(await search('tavily')).toMatchObject({ kind: 'found' });
    expect(simulator.engineRequests[0]?.headers).toMatchObject({ 'x-tavily-access-mode': 'keyless' });
    simulator.script.next({ kind: 'answer', status: 401, body: {} }, '/tavily/search');
    expect(await search('tavily')).toMatchObject({
      reason: 'Tavily answers no more without a key (401).',
      remedy: 'Enter one in Settings → Web search.',
    });
  });

  it('from the environment they win, and are not changed here', async () => {
    expect(await keys.state('serpapi')).toBe('environment');
    await expect(keys.set('serpapi', wrong)).rejects.toThrow('JUMPSEAT_SERPAPI_KEY');
  });

  it.each(['short', 'with blank inside', 'with\nline end', 'ä'.repeat(20), 'x'.repeat(201)])(
    '%j is none',
    async (key) => {
      await expect(keys.set('brave', key)).rejects.toThrow(/8 to 200 visible characters/);
      await expect(keys.set('brave', key)).rejects.not.toThrow(key);
    },
  );
});

describe('a store that cannot be read', () => {
  it('is the failure of the engine whose key it has', async () => {
    const { SecretsError } = await import('../../../app/ports.ts');
    const secrets = memorySecrets();
    secrets.get = () => Promise.reject(new SecretsError('The keychain is locked.', 'Unlock it.'));
    keys = new SearchKeys({ secrets, outside: {}, hideSecret: () => {}, changed: () => {} });
    expect(await search('brave')).toMatchObject({
      kind: 'failed',
      reason: 'The keychain is locked.',
      remedy: 'Unlock it.',
    });
  });
});

describe('addresses', () => {
  it.each(['http://searx.example/', 'ftp://127.0.0.1/', 'https://user:word@searx.example/', 'no address'])(
    '%s is not asked',
    async (searxngUrl) => {
      const settings = () => ({ engines: [], model: null, searxngUrl });
      const answer = await searching({ settings, addresses: {} }).search(plain, context, 'searxng');
      expect(answer).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/no address that may be used/) });
    },
  );

  it('a SearXNG on this machine is asked over http, below a path too', async () => {
    const settings = () => ({ engines: [], model: null, searxngUrl: `${simulator.enginesUrl}/searxng/` });
    expect(await searching({ settings, addresses: {} }).search(plain, context, 'searxng')).toMatchObject({
      kind: 'found',
    });
  });
});

describe('single engines', () => {
  it('GitHub’s tells a rate limit as text in a good answer', async () => {
    const text = 'Rate limit exceeded (20 requests per minute). Try again in 38 seconds.';
    const body = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } };
    simulator.script.next({ kind: 'answer', status: 200, body }, '/mcp');
    expect(await search('github')).toMatchObject({ code: 'too_many_requests', retryAfterMs: 38_000 });
  });

  it('GitHub’s sends the GitHub token to Copilot’s address alone, for one tool, and no initiator', async () => {
    await search('github');
    expect(simulator.requests).toMatchObject([
      {
        path: '/mcp',
        initiator: null,
        headers: { authorization: 'Bearer <github-token>', 'x-mcp-tools': 'web_search' },
        body: { method: 'tools/call', params: { name: 'web_search', arguments: { query: 'node lts' } } },
      },
    ]);
  });

  it('GitHub’s says where the tool is not allowed', async () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'unknown tool "web_search"' } };
    simulator.script.next({ kind: 'answer', status: 200, body }, '/mcp');
    expect(await search('github')).toMatchObject({
      code: 'unavailable',
      remedy: expect.stringMatching(/Copilot can search/),
    });
  });

  it('an address brings nothing that a terminal acts on', async () => {
    const body = { results: [{ url: 'https://a.example/\u001b]0;x\u0007\u009b2J', title: 'A', content: 'text' }] };
    simulator.script.next({ kind: 'answer', status: 200, body }, () => true);
    const urls = [expect.objectContaining({ url: 'https://a.example/%1B]0;x%07%C2%9B2J' })];
    expect(await search('searxng')).toMatchObject({ results: urls });
  });

  it.each([
    '<a class="result__a" ',
    '<a class="result__a">',
    '<a class="',
    '<a class="result__a"></a><div class="result__snippet">',
    '<',
  ])('a page of DuckDuckGo that is full of %s costs its length', async (piece) => {
    simulator.script.next({ kind: 'answer', status: 200, body: piece.repeat(80_000 / piece.length) }, () => true);
    const began = performance.now();
    await search('duckduckgo');
    // Patterns that went back and forth took minutes.
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('DuckDuckGo’s challenge is called one', async () => {
    simulator.script.next({ kind: 'answer', status: 202, body: '<html>bots</html>' }, () => true);
    expect(await search('duckduckgo')).toMatchObject({
      code: 'too_many_requests',
      reason: expect.stringMatching(/CAPTCHA/),
    });
  });

  it('Anthropic gets a client’s own request as it came, and its stream is read', async () => {
    const body = Buffer.from(
      '{"model":"claude-sonnet-4-6", "stream":true,"max_tokens":9,"messages":[{"role":"user","content":"Perform a web search for the query: node lts"}],' +
        '"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":8}]}',
    );
    const original = { body, headers: { 'anthropic-beta': 'x-2026-01-01', authorization: 'Bearer local' } };
    const answer = await searching().search(plain, { ...context, original }, 'anthropic');
    expect(answer).toMatchObject({ kind: 'found', results: [{ text: says('docs.example') }, {}, {}] });
    const [sent] = simulator.engineRequests;
    expect(sent).toMatchObject({
      bytes: body.length,
      body: JSON.parse(body.toString()),
      headers: { 'x-api-key': '<search-key>', 'anthropic-beta': 'x-2026-01-01', 'anthropic-version': '2023-06-01' },
    });
    expect(sent?.headers.authorization).toBeUndefined();
  });

  it('Anthropic’s own errors keep their code', async () => {
    const content = [
      {
        type: 'web_search_tool_result',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
      },
    ];
    simulator.script.next({ kind: 'answer', status: 200, body: { content } }, () => true);
    expect(await search('anthropic')).toMatchObject({ kind: 'failed', code: 'max_uses_exceeded' });
  });

  it('a long query leaves room for the domains that are wanted', async () => {
    const query = 'word '.repeat(500);
    for (const name of ['brave', 'serpapi', 'searxng', 'duckduckgo'] as const) {
      const answer = await search(name, { query, allowed: ['a.example', 'b.example'] });
      expect(answer).toMatchObject({ kind: 'found', cut: true, results: [{}, {}] });
      const q = new URLSearchParams(simulator.engineRequests.at(-1)?.query).get('q');
      expect(q).toMatch(/^word word .*word site:a\.example OR site:b\.example$/);
    }
    expect(await search('github', { query, allowed: ['a.example'] })).toMatchObject({ results: [{}] });
    const short = { query: 'word '.repeat(30).trim(), allowed: ['a.example'] };
    expect(await search('brave', short)).toMatchObject({ cut: false, query: short.query });
    const long = `${'b'.repeat(250)}.example`;
    expect(await search('brave', { query, allowed: [long] })).toMatchObject({
      cut: true,
      query: 'word '.repeat(50).trim(),
    });
  });

  it('Brave takes no more than 400 characters and 50 words, sites included', async () => {
    const answer = await search('brave', {
      query: 'word '.repeat(200),
      allowed: ['a.example', `${'b'.repeat(390)}.example`],
    });
    expect(answer).toMatchObject({ kind: 'found', cut: true });
    expect(new URLSearchParams(simulator.engineRequests[0]?.query).get('q')?.split(' ')).toHaveLength(50);
  });
});

it('docs/web-search.md has a row for each engine, in its words', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'web-search.md'), 'utf8');
  const rows = Object.entries(searchEngines).map(([name, { docs }]) => `| \`${name}\` | ${docs.join(' | ')} |`);
  const table = ['| engine | what is sent | receiver | cost |', '|---|---|---|---|', ...rows].join('\n');
  expect(text.replaceAll('’', "'")).toContain(table.replaceAll('’', "'"));
});
