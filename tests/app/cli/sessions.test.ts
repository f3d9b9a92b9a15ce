import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { sessionLines } from '../../../app/cli/commands/sessions.ts';
import { run } from '../../../app/cli/program.ts';
import { openHistory } from '../../../app/history/history.ts';
import { SessionStore } from '../../../app/sessions/store/session-store.ts';
import { exchange } from '../../exchange.ts';
import { FakeServer } from '../account/fake-server.ts';
import { idOf, projects } from '../sessions/transcripts/samples.ts';
import { paper } from './paper.ts';

function place() {
  const found = projects();
  const home = join(found.home, 'jumpseat');
  const env = {
    ...{ JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', CLAUDE_CONFIG_DIR: found.home },
    ...{ JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9', JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9' },
  };
  const sessions = (...args: (string | Record<string, string>)[]) => jumpseat('sessions', ...args);
  const jumpseat = async (command: string, ...args: (string | Record<string, string>)[]) => {
    const terminal = paper();
    const more = args.filter((arg) => typeof arg === 'object');
    const words = args.filter((arg) => typeof arg === 'string');
    const code = await run([command, ...words], terminal, Object.assign({}, env, ...more));
    return { code, text: terminal.text, errors: terminal.errors };
  };
  return { ...found, jumpseatHome: home, sessions, jumpseat };
}

it.each([
  ['as a whole', 0, 0],
  ['in the middle, its log of changes beside it', 4_096, 0],
  ['at its head, its log of changes beside it', 0, 20_000],
])('jumpseat log and status say of a history damaged %s that it can’t be read', async (_name, from, length) => {
  const { jumpseat, jumpseatHome, home } = place();
  mkdirSync(jumpseatHome, { recursive: true });
  // As after kill -9: the log of changes is not in the file yet.
  const written = join(home, 'written.db');
  const open = () => openHistory(written, { clock: nodeClock(), log: { write: () => {} } }).history;
  // Of an earlier start: its tables are in the file itself.
  open().close();
  const history = open();
  for (let at = 0; at < 20; at++) history.record(exchange({ id: `row-${at}` }));
  history.flush();
  const path = join(jumpseatHome, 'history.db');
  const bytes = readFileSync(written);
  bytes.fill(0xff, from, length === 0 ? undefined : Math.min(length, bytes.length));
  writeFileSync(path, bytes);
  if (length > 0 || from > 0) copyFileSync(`${written}-wal`, `${path}-wal`);
  history.close();

  const said = /The request history can’t be read: .+\. Start Jumpseat; it repairs the file or moves it aside\./;
  const log = await jumpseat('log');
  expect([log.code, log.text]).toEqual([1, '']);
  expect(log.errors).toMatch(said);
  const { text } = await jumpseat('status');
  expect(text).toMatch(said);
  expect(text).not.toContain('tries to write again');
});

it('jumpseat log names the sessions of the window without a word of what was said', async () => {
  const { add, jumpseat, jumpseatHome } = place();
  add('tools-image-title', idOf(1));
  mkdirSync(jumpseatHome, { recursive: true });
  const { history } = openHistory(join(jumpseatHome, 'history.db'), { clock: nodeClock(), log: { write: () => {} } });
  for (const [at, client] of [idOf(1), idOf(9), 'claude-code'].entries()) {
    history.record(exchange({ id: `row-${at}`, client }));
  }
  history.close();
  const { code, text, errors } = await jumpseat('log');
  expect([code, errors]).toEqual([0, '']);
  const clients = text.trimEnd().split('\n').slice(2, -1);
  expect(clients.map((line) => line.split(/ {2,}/).at(-1))).toEqual([
    `Session ${idOf(1).slice(0, 8)}`,
    `Session ${idOf(9).slice(0, 8)}`,
    'claude-code',
  ]);
});

describe('jumpseat sessions', () => {
  it('lists them without an account, an agent or a running Jumpseat, the last at the top', async () => {
    const { add, path, sessions } = place();
    add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    const steering = { type: 'user', message: { content: 'steers \u001b[31mthe terminal' }, timestamp: '2026-01-01' };
    writeFileSync(path(idOf(3)), `${JSON.stringify(steering)}\n`);
    const { code, text, errors } = await sessions();
    expect([code, errors]).toEqual([0, '']);
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toMatch(/^Last +Title +Folder +Agent +Id$/);
    expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['hello first', '/home/me/project', 'claude', idOf(2)],
      ['My own title', '/home/me/project', 'claude', idOf(1)],
      ['steers [31mthe terminal', '–', 'claude', idOf(3)],
    ]);
  });

  it('tells a fork from what it was forked from, and when it was made', async () => {
    const { jumpseatHome, sessions } = place();
    mkdirSync(jumpseatHome, { recursive: true });
    const store = new SessionStore(join(jumpseatHome, 'sessions.db'), {
      clock: nodeClock(),
      log: { write: () => {} },
    });
    const title = 'Move all dates of the project to UTC, and look at each of its tests';
    for (const [at, name] of [title, `${title}, fork`, `${title}, fork 2`].entries()) {
      store.sessions.decorate(idOf(at + 1), { agent: 'claude', cwd: '/w', hosted: true, title: name });
    }
    store.close();
    const { code, text } = await sessions();
    expect(code).toBe(0);
    const rows = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/));
    const names = rows.map(([, name]) => name);
    expect(names.map((name) => name?.length)).toEqual([60, 60, 60]);
    expect(names.map((name) => /…(, fork.*)?$/.exec(name ?? '')?.[1] ?? null).sort()).toEqual([
      ', fork',
      ', fork 2',
      null,
    ]);
    expect(rows.map(([last]) => last)).not.toContain('–');
  });

  it('gives one object a line, and no more than asked for', async () => {
    const { add, sessions } = place();
    add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    const { text } = await sessions('--json', '--limit', '1');
    expect(JSON.parse(text)).toMatchObject({ id: idOf(2), firstPrompt: 'hello first', hosted: false, agent: 'claude' });
    // A command takes the id of a row whole.
    const [, row] = sessionLines([JSON.parse(text)], 1, { ...paper(), columns: 80 }, Date.now());
    expect(row).toMatch(new RegExp(` ${idOf(2)}$`));
    expect(row?.length).toBeLessThanOrEqual(80);
    const narrow = sessionLines([JSON.parse(text)], 1, { ...paper(), columns: 40 }, Date.now());
    expect(narrow).toEqual([
      expect.stringMatching(/^Last +Title +Folder$/),
      expect.stringMatching(/ hello first /),
      `  ${idOf(2)}`,
    ]);
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect((await sessions('--limit', '1')).text).toContain('1 more: --limit 2');
    expect((await sessions('--limit', 'x')).code).toBe(2);
  });

  it('finds what was said', async () => {
    const { add, sessions } = place();
    add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    const { code, text } = await sessions('--find', 'hello second', '--json');
    expect([code, JSON.parse(text).id]).toEqual([0, idOf(2)]);
    expect((await sessions('--find', 'nobody said this')).text).toBe('No session has these words.\n');
  });

  it('says that there are none, and that some can’t be listed', async () => {
    const { root, sessions } = place();
    expect((await sessions()).text).toContain('No sessions yet.');
    rmSync(root, { recursive: true });
    symlinkSync(root, root);
    expect((await sessions()).errors).toContain('Not all sessions can be listed: ELOOP');
  });

  it('says which Claude Code they run with, and asks a registry only where it is told to', async () => {
    const { home, sessions } = place();
    const registry = await FakeServer.start({});
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const env = { PATH: `${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: home, npm_config_registry: registry.url.href };
    try {
      const none = await sessions(env, '--program');
      expect([none.code, none.text.split('\n')[0]]).toEqual([
        1,
        'There is no Claude Code on the PATH. Let Jumpseat fetch Claude Code from the npm registry, or install 2.1.273 or newer yourself.',
      ]);
      expect(none.text).toMatch(/^jumpseat sessions --fetch {3}fetches [\d.]+ MB$/m);
      const update = await sessions(env, '--update');
      expect([update.code, update.errors]).toEqual([
        1,
        'jumpseat: Sessions don’t run with a copy that Jumpseat fetched. Fetch one first: --fetch.\n',
      ]);
      expect(registry.seen).toEqual([]);
      const check = await sessions(env, '--check-newer');
      expect([check.code, registry.seen.length]).toEqual([1, 1]);
      expect(check.errors).toContain('doesn’t have the newest version of @anthropic-ai/claude-code-');
    } finally {
      await registry.stop();
    }
  });
});
