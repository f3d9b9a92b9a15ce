import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../app/cli/program.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { startImpostor } from '../../impostor.ts';
import { paper } from './paper.ts';

let simulator: Simulator;
let home: string;
beforeEach(async () => {
  simulator = await startSimulator();
  home = mkdtempSync(join(tmpdir(), 'jumpseat-search-'));
});
afterEach(async () => {
  await simulator.close();
  rmSync(home, { recursive: true, force: true });
});

async function jumpseat(args: string[], more: Record<string, string> = {}) {
  const terminal = paper();
  const code = await run(args, terminal, {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_KEY: 'key-of-this-test-alone',
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    JUMPSEAT_EXA_KEY: simulator.searchKey,
    JUMPSEAT_EXA_URL: `${simulator.enginesUrl}/exa`,
    ...more,
  });
  return { code, text: terminal.text + terminal.errors };
}

it('shows pages with their addresses, engine, time and cost; the row is in the log afterwards', async () => {
  const { code, text } = await jumpseat(['search', 'node', 'lts']);
  expect(code).toBe(0);
  expect(text).toMatch(/^Copilot · (?:\d+\.\d s|\d+ ms) · [\d.]+ credits\n/);
  expect(text).toContain('1. docs.example on node lts\n   https://docs.example/node-lts\n');
  // What the answer quotes is there once, under a heading.
  const [, answer = '', pages = ''] = text.split(/\n(?:Answer|Pages)\n/);
  const quoted = answer.split('\n').filter((line) => line.length > 20);
  expect(quoted.length).toBeGreaterThan(0);
  for (const line of quoted) expect(pages).not.toContain(line);
  const log = await jumpseat(['log', '--json']);
  const rows = log.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Both began within one millisecond, or not.
  expect(rows.sort((one) => (one.api === 'web' ? -1 : 1))).toMatchObject([
    { client: 'jumpseat', initiator: null, api: 'web', path: null, charge: { kind: 'none' } },
    { client: 'jumpseat', initiator: 'user', path: '/responses', charge: { kind: 'billed' } },
  ]);
  expect(log.text).not.toContain('lts');
});

it('shows the local key to no program that took the port of a Jumpseat that is gone', async () => {
  const impostor = await startImpostor();
  for (const more of [{}, { secret: 'a'.repeat(64) }]) {
    writeFileSync(join(home, 'lock'), JSON.stringify({ pid: process.pid, port: impostor.port, ...more }));
    const { code, text } = await jumpseat(['search', 'node', 'lts']);
    expect([code, text]).toEqual([0, expect.stringContaining('https://docs.example/node-lts')]);
  }
  expect(impostor.shown).toEqual([]);
});

it('asks one engine where that is wanted, as JSON', async () => {
  const { code, text } = await jumpseat(['search', 'node lts', '--engine', 'exa', '--json']);
  expect([code, JSON.parse(text)]).toMatchObject([0, { kind: 'found', engine: 'exa', cost: { dollars: 0.007 } }]);
  const log = await jumpseat(['log', '--json']);
  expect(JSON.parse(log.text)).toMatchObject({
    ...{ api: 'web', client: 'jumpseat', path: null, status: 200, outcome: 'done' },
    fits: [{ code: 'web-search', text: 'web search by exa: 3 pages' }],
    charge: { kind: 'none' },
  });
});

it('says what went wrong, and ends with 1; with 2 where it was used wrongly', async () => {
  expect(await jumpseat(['search', 'x', '--engine', 'brave'])).toEqual({
    code: 1,
    text: 'jumpseat: Brave has no key. Enter one in Settings → Web search, or set JUMPSEAT_BRAVE_KEY.\n',
  });
  const { code, text } = await jumpseat(['search', 'x', '--engine', 'brave', '--json']);
  expect(code).toBe(1);
  expect(text).toMatch(
    /"kind": "failed"[^}]*}\njumpseat: Brave has no key\. Enter one in Settings → Web search, or set JUMPSEAT_BRAVE_KEY\.\n$/,
  );
  expect(await jumpseat(['search', 'x', '--engine', 'gogle'])).toMatchObject({
    code: 2,
    text: expect.stringMatching(/There is no engine "gogle"\. Known are copilot, github/),
  });
  expect(await jumpseat(['search', 'x'], { JUMPSEAT_EXA_KEY: 'with blank' })).toMatchObject({
    code: 2,
    text: expect.stringMatching(/JUMPSEAT_EXA_KEY can’t be used/),
  });
});

it('names the sign-in that is missing, and what to do, where the models are asked for', async () => {
  const { code, text } = await jumpseat(['models'], { JUMPSEAT_GITHUB_TOKEN: '' });
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/^jumpseat: Not signed in to GitHub\. Sign in with Jumpseat’s window, or .*\.\n$/),
  ]);
});

it('a search that failed is an error in the log, which calls it a web search and has its reason', async () => {
  await jumpseat(['search', 'node lts', '--engine', 'brave']);
  expect((await jumpseat(['log'])).text).toMatch(/^\d\d:\d\d:\d\d {2}503 +– +web search /m);
  const log = await jumpseat(['log', '--json']);
  expect(JSON.parse(log.text)).toMatchObject({
    ...{ api: 'web', status: 503, outcome: 'failed' },
    failure: { source: 'jumpseat', code: 'search-unavailable', message: 'Brave has no key.' },
  });
});

it('signed out, the row of the search says that nobody is signed in', async () => {
  for (const engine of [[], ['--engine', 'github']]) {
    await jumpseat(['search', 'node lts', ...engine], { JUMPSEAT_GITHUB_TOKEN: '', JUMPSEAT_EXA_KEY: '' });
    const log = await jumpseat(['log', '--json']);
    expect(JSON.parse(log.text.trim().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ api: 'web', status: 401, outcome: 'failed' },
      failure: { code: 'search-signed-out', message: expect.stringMatching(/^Not signed in to GitHub/) },
    });
  }
});
