import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallArguments } from '../../../app/api/calls.ts';
import type { Check } from '../../../app/api/state.ts';
import { doctor } from '../../../app/cli/commands/doctor.ts';
import { log } from '../../../app/cli/commands/log.ts';
import { logout } from '../../../app/cli/commands/logout.ts';
import { reach } from '../../../app/cli/commands/reach.ts';
import { serve } from '../../../app/cli/commands/serve.ts';
import { status } from '../../../app/cli/commands/status.ts';
import { openApp } from '../../../app/cli/compose.ts';
import type { Surroundings } from '../../../app/cli/surroundings.ts';
import { answerOfRunning } from '../../../app/server/running-proxy.ts';
import { readLock } from '../../../app/server/who-answers.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { verdictSentence } from '../../../app/words/checks.ts';
import { quotaFoot } from '../../../app/words/quota.ts';
import { soon } from '../../soon.ts';
import { prompt, type Stack, startStack } from '../stack.ts';
import { paper } from './paper.ts';
import { jumpseat, Spawned } from './spawn-jumpseat.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

/** What a command prints in another process of the same folder. */
async function beside(
  command: (surroundings: Surroundings) => Promise<number>,
  more: Record<string, string> = {},
): Promise<ReturnType<typeof paper>> {
  const { simulator, home } = stack;
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    HOME: home,
    PATH: '',
    ...more,
  };
  const terminal = paper();
  await command({ terminal, env, open: (options) => openApp(env, options) });
  return terminal;
}

const said = async (more?: Record<string, string>) =>
  (await beside((surroundings) => status(surroundings, {}), more)).text;
const logged = () => beside((surroundings) => log(surroundings, {}));
async function finding(id: string, more?: Record<string, string>): Promise<string> {
  const { text } = await beside((surroundings) => doctor(surroundings, { json: true }), more);
  const { checks } = JSON.parse(text) as { checks: Check[] };
  const found = checks.find((check) => check.id === id);
  return `${found?.verdict}: ${found?.finding}`;
}

describe('a command that only asks the running Jumpseat', () => {
  it.each([[['env']], [['env', '--client', 'work']], [['env', '--for', 'openai']], [['status']]])(
    'loads nothing of the app: %j',
    async (args) => {
      const { home, key, simulator } = stack;
      const covered = join(home, 'covered');
      const { code, out, err } = await jumpseat(args, {
        JUMPSEAT_HOME: home,
        JUMPSEAT_SECRETS: 'memory',
        JUMPSEAT_KEY: key,
        JUMPSEAT_GITHUB_URL: simulator.webUrl,
        JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
        HOME: home,
        NODE_V8_COVERAGE: covered,
      });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(args[0] === 'env' ? key : 'Ready');
      const loaded = loadedFiles(covered);
      expect(loaded).toContain('app/server/running-proxy.ts');
      expect(
        loaded.filter((file) =>
          /^app\/(app\.|compose\.|exchange\/|history\/|account\/account\.|health\/|server\/server\.)/.test(file),
        ),
      ).toEqual([]);
    },
  );

  /** Of the sources; a built file names those that it is made of. */
  function loadedFiles(covered: string): string[] {
    const reports = readdirSync(covered).map((name) => JSON.parse(readFileSync(join(covered, name), 'utf8')));
    const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
    return urls
      .filter((url) => url.startsWith('file:'))
      .flatMap((url) => {
        const path = fileURLToPath(url);
        const made = [...readFileSync(path, 'utf8').matchAll(/^\/\/ (app\/\S+\.ts)$/gm)].map(([, file]) =>
          String(file),
        );
        return [relative(fileURLToPath(new URL('../../..', import.meta.url)), path), ...made];
      });
  }
});

it('Claude Code’s key is compared with that of the running one, whatever this process would have', async () => {
  const settings = join(stack.home, '.claude', 'settings.json');
  mkdirSync(dirname(settings));
  const save = (key: string) =>
    writeFileSync(
      settings,
      JSON.stringify({ env: { ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${key}.claude-code` } }),
      { mode: 0o600 },
    );
  save(stack.key);
  expect(await said()).toMatch(/^Ready: Claude Code can work/);
  expect(await finding('claude-code.settings')).toMatch(/^(passed|warning): (?!.*AUTH_TOKEN)/);
  save('a-key-of-an-earlier-run');
  const other = `The key in ${settings} isn’t the one that Jumpseat asks for, so Claude Code gets error 401.`;
  expect(await said()).toMatch(`Not ready: ${other} The local key isn’t stored here: set JUMPSEAT_KEY`);
  await beside(async (surroundings) => {
    expect(await status(surroundings, {})).toBe(1);
    return 0;
  });
  expect(await finding('claude-code.settings')).toBe(`failed: ${other}`);
  writeFileSync(settings, JSON.stringify({ env: { ANTHROPIC_BASE_URL: stack.baseUrl } }));
  expect(await said()).toMatch(`Not ready: ${settings} has no ANTHROPIC_AUTH_TOKEN, so Claude Code has no key`);
  writeFileSync(settings, '{ "env": ');
  expect(await said()).toMatch(`Not ready: ${settings} `);
  save('a-key-of-an-earlier-run');
  // Nobody asks for a key now, and this process would make one.
  await stack.app.stopProxy();
  expect(await finding('claude-code.settings')).toMatch(/^(passed|warning): (?!.*AUTH_TOKEN)/);
});

it('a shell that leads Claude Code elsewhere, or here without a key: status and doctor say the same', async () => {
  const here = { ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${stack.key}.work` };
  expect(await said(here)).toMatch(/^Ready: Claude Code can work/);
  const elsewhere = 'CLAUDE_CODE_USE_BEDROCK is set in this shell’s environment, and wins over your settings.json';
  const bedrock = { ...here, CLAUDE_CODE_USE_BEDROCK: '1' };
  expect(await said(bedrock)).toMatch(`Not ready: ${elsewhere}`);
  expect(await finding('claude-code.shell', bedrock)).toMatch(`failed: ${elsewhere}`);
  const keyless = { ANTHROPIC_BASE_URL: stack.baseUrl };
  const noKey = 'This shell has no ANTHROPIC_AUTH_TOKEN, so Claude Code has no key for Jumpseat.';
  expect(await said(keyless)).toMatch(`Not ready: ${noKey} Copy the lines again`);
  expect(await finding('claude-code.settings', keyless)).toBe(`failed: ${noKey}`);
});

it('log has the row of the request that has just ended', async () => {
  await stack.messages(prompt('one'));
  await stack.rows(1);
  expect((await logged()).text).toContain('claude-sonnet-4.6');
});

it('a limit of one’s own that holds every request back: status and /readyz say so', async () => {
  await stack.app.changePreferences({ limits: { ...stack.app.preferences().limits, requestsPerMinute: 1 } });
  expect(await said()).toMatch(/^Ready/);
  await stack.messages(prompt('one'));
  expect((await stack.messages(prompt('two'))).status).toBe(429);
  expect(await said()).toMatch(/^Not ready: More than 1 request started within a minute\. Try again in /);
  expect((await stack.send({ path: '/readyz' })).status).toBe(503);
});

describe('history.db that was deleted', () => {
  const rowsOnDisk = (): number => {
    const database = new DatabaseSync(join(stack.home, 'history.db'), { readOnly: true });
    try {
      return Number(database.prepare('SELECT count(*) AS count FROM exchanges').get()?.count);
    } finally {
      database.close();
    }
  };
  const gone = /The request history was deleted or moved while Jumpseat ran \(history\.db\)\. A new file was started/;

  it('is noticed by who looks: a new file has the requests of this run, and everybody says so', async () => {
    await stack.messages(prompt('one'));
    await stack.app.check('server.database');
    expect(rowsOnDisk()).toBe(1);
    rmSync(join(stack.home, 'history.db'));
    const { text, errors } = await logged();
    expect(errors).toMatch(gone);
    expect(errors).toContain('A new file was started with the last 1 request.');
    expect(text).toContain('claude-sonnet-4.6');
    expect(await said()).toMatch(gone);
    expect(await finding('server.database')).toMatch(gone);
    await soon(() => expect(rowsOnDisk()).toBe(1));
  });

  it('is noticed with the next request, and at the end', async () => {
    await stack.messages(prompt('one'));
    await stack.app.check('server.database');
    rmSync(join(stack.home, 'history.db'));
    const texts: string[] = [];
    stack.app.onWarnings(() => texts.push(...stack.app.warnings().map(({ text }) => text)));
    await stack.messages(prompt('two'));
    await soon(() => expect(texts.join()).toMatch(gone));
    await soon(() => expect(existsSync(join(stack.home, 'history.db')) && rowsOnDisk()).toBe(2));
    rmSync(join(stack.home, 'history.db'));
    await stack.app.stopProxy();
    expect(rowsOnDisk()).toBe(2);
  });
});

it('a sessions.db that was damaged is said by Health, status and doctor', async () => {
  writeFileSync(join(stack.home, 'sessions.db'), 'no database at all '.repeat(100));
  await stack.app.sessionList();
  expect(readdirSync(stack.home).some((name) => name.startsWith('sessions.damaged-'))).toBe(true);
  const damaged = /The record of sessions was damaged .*It was renamed to sessions\.damaged-/;
  expect(await said()).toMatch(damaged);
  expect(await finding('server.database')).toMatch(damaged);
  expect(await stack.app.check('server.database')).toMatchObject({ verdict: 'warning' });
  // Beside a second trouble each is followed by its own remedy.
  const other = new DatabaseSync(join(stack.home, 'history.db'));
  other.exec('BEGIN IMMEDIATE');
  try {
    await stack.messages(prompt('two'));
    await soon(() => expect(stack.app.state().warnings).toHaveLength(2));
    const { finding: text, remedy } = (await stack.app.check('server.database')) ?? {};
    const both = [
      /was damaged .* a new one was started\. Nothing has to be done\. Delete sessions\.damaged-/,
      /database is locked\. 1 request waits in memory\. Check that no other program uses history\.db\./,
    ];
    for (const one of both) expect(`${text} ${remedy}`).toMatch(one);
    expect(text).toMatch(/was damaged/);
    expect(text).toMatch(/database is locked/);
  } finally {
    other.close();
  }
});

it('a sessions.db that was deleted while Jumpseat runs is written anew with all of it, and everybody says so', async () => {
  const file = join(stack.home, 'sessions.db');
  await stack.app.sessionList();
  const trusted = (): unknown => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count;
    } finally {
      database.close();
    }
  };
  const before = trusted();
  rmSync(file);
  const gone = /The record of sessions was deleted or moved while Jumpseat ran \(sessions\.db\)\. It was written again/;
  expect(await said()).toMatch(gone);
  expect(await finding('server.database')).toMatch(gone);
  expect([trusted(), statSync(file).mode & 0o777]).toEqual([before, 0o600]);
});

it('a history.db that can’t be written: log has the requests that wait, and says so', async () => {
  await stack.messages(prompt('one'));
  await stack.app.check('server.database');
  const other = new DatabaseSync(join(stack.home, 'history.db'));
  other.exec('BEGIN IMMEDIATE');
  try {
    await stack.messages(prompt('two'));
    await soon(() => expect(stack.app.state().warnings).toMatchObject([{ code: 'history-not-written' }]));
    const { text, errors } = await logged();
    expect(errors).toMatch(/can’t be written: database is locked\. 1 request waits in memory\./);
    expect(text.match(/claude-sonnet-4\.6/g)).toHaveLength(2);
  } finally {
    other.close();
  }
});

it('a history.db that is overwritten while it runs: doctor says so, and where the rest of it is', async () => {
  await stack.messages(prompt('one'));
  await stack.rows(1);
  const path = join(stack.home, 'history.db');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA wal_checkpoint(PASSIVE)');
  other.close();
  writeFileSync(path, Buffer.alloc(100_000, 'garbage'));
  expect(await finding('server.database')).toMatch(
    /^warning: The request history was damaged \(file is not a database\)\. It was renamed to history\.damaged-/,
  );
  expect((await stack.messages(prompt('two'))).status).toBe(200);
});

it('a settings.json that was damaged: doctor says what status says', async () => {
  await stack.app.changePreferences({ theme: 'dark' });
  writeFileSync(join(stack.home, 'settings.json'), '{');
  await stack.app.changePreferences({ theme: 'light' });
  const damaged = /It was renamed to settings\.broken-/;
  expect(await said()).toMatch(damaged);
  expect(await finding('server.settings')).toMatch(damaged);
});

it('a settings.json that is damaged: no command writes the defaults over what still applies', async () => {
  await stack.app.changePreferences({ theme: 'dark' });
  const file = join(stack.home, 'settings.json');
  writeFileSync(file, '{');
  await soon(() => expect(stack.app.state().warnings).toMatchObject([{ code: 'settings-not-taken' }]));
  await expect(beside((surroundings) => reach(surroundings, 'through-vscode'))).rejects.toMatchObject({
    message: expect.stringMatching(/^settings\.json is damaged \(it isn’t valid JSON.*\), so nothing was changed\.$/),
    remedy: expect.stringContaining(`Fix ${file}. Or change a setting in the window`),
  });
  expect([readFileSync(file, 'utf8'), stack.app.preferences().theme]).toEqual(['{', 'dark']);
  // As the remedy says: what still applies is saved.
  await stack.app.changePreferences({ historyDays: 7 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ theme: 'dark', historyDays: 7 });
});

it('a settings.json that is damaged: a logout, which the running one writes, says where the damaged file is', async () => {
  const file = join(stack.home, 'settings.json');
  await stack.app.changePreferences({ theme: 'dark' });
  writeFileSync(file, '{');
  await soon(() => expect(stack.app.state().warnings).toMatchObject([{ code: 'settings-not-taken' }]));
  const { errors } = await beside((surroundings) => logout(surroundings, {}));
  const kept = /It was renamed to (settings\.broken-\S+\.json), and a new one was written\./.exec(errors)?.[1] ?? '';
  expect(readFileSync(join(stack.home, kept), 'utf8')).toBe('{');
});

it('a settings.json that was deleted: no command writes the defaults over what still applies', async () => {
  const file = join(stack.home, 'settings.json');
  await stack.app.changePreferences({ theme: 'dark' });
  rmSync(file);
  await soon(() => expect(stack.app.state().warnings).toMatchObject([{ code: 'settings-gone' }]));
  await expect(beside((surroundings) => reach(surroundings, 'through-vscode'))).rejects.toMatchObject({
    message: 'settings.json was deleted while Jumpseat ran, so nothing was changed.',
    remedy: expect.stringContaining('Change a setting in the window'),
  });
  expect(existsSync(file)).toBe(false);
  await stack.app.changePreferences({ historyDays: 7 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ theme: 'dark', historyDays: 7 });
});

describe('a history.db that couldn’t be opened', () => {
  let home: string;
  let running: Stack;
  const usual = (): Stack => stack;
  /** With a row of an earlier run; another program held it just at the start. */
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'jumpseat-beside-'));
    const earlier = await startStack({ home });
    await earlier.messages(prompt('before', { model: 'claude-haiku-4.5' }));
    await earlier.close();
    const other = new DatabaseSync(join(home, 'history.db'));
    other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    running = await startStack({ home });
    other.close();
    await usual().close();
    stack = running;
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('keeps nothing from working, and everybody says the same about it', async () => {
    expect((await stack.messages(prompt('now'))).status).toBe(200);
    const inMemory =
      'The request history can’t be saved: database is locked. ' +
      'Requests work; their history is in memory until Jumpseat quits.';
    const text = await said();
    expect(text).toContain('Ready. Claude Code isn’t set up in settings.json, nor in this shell.');
    expect(text.split(inMemory)).toHaveLength(2);
    const { text: report } = await beside((surroundings) => doctor(surroundings, {}));
    expect(report).toMatch(/^Claude Code can work, with \d warnings?\n/);
    expect(report).toContain(`! Database                ${inMemory}`);
    const found = await stack.app.checks();
    expect(verdictSentence(found)).toMatch(/^Claude Code can work, with/);
    expect(found.find(({ id }) => id === 'server.database')).toMatchObject({ verdict: 'warning', finding: inMemory });
    const { text: rows, errors } = await logged();
    expect(errors).toContain(inMemory);
    expect(rows).toContain('claude-sonnet-4.6');
    expect(rows).not.toContain('claude-haiku-4.5');
  });
});

it('a settings.json that was deleted: its values hold, everybody says so, and the next change writes them', async () => {
  await stack.app.changePreferences({ theme: 'dark' });
  const file = join(stack.home, 'settings.json');
  rmSync(file);
  const gone = /settings\.json was deleted while Jumpseat ran\. The previous settings still apply\./;
  await soon(async () => expect(await said()).toMatch(gone));
  expect(await finding('server.settings')).toMatch(gone);
  expect(stack.app.preferences().theme).toBe('dark');
  await stack.app.changePreferences({ historyDays: 30 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ theme: 'dark', historyDays: 30 });
  expect(await said()).not.toMatch(gone);
});

describe('the file "lock" of a Jumpseat that runs', () => {
  it.each([
    ['damaged', (path: string) => writeFileSync(path, 'nothing of use')],
    ['deleted', (path: string) => rmSync(path)],
  ])('that was %s is written anew, and the next command finds its owner', async (_, spoil) => {
    const lock = join(stack.home, 'lock');
    const owner = readLock(lock);
    expect(owner).not.toBeNull();
    spoil(lock);
    await soon(() => expect(readLock(lock)).toEqual(owner));
    expect(await said()).toContain(`Proxy         http://127.0.0.1:${owner?.port} (pid ${owner?.pid})`);
    await stack.app.stopProxy();
    expect(existsSync(lock)).toBe(false);
  });
});

describe('a Jumpseat that is stopped', () => {
  it('is said not to answer, also where its file "lock" can’t be read', { timeout: 60_000 }, async () => {
    const home = join(stack.home, 'other');
    const env = {
      JUMPSEAT_HOME: home,
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_KEY: 'a-key-for-both-0123456789abcdef',
      JUMPSEAT_GITHUB_URL: stack.simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: stack.simulator.apiUrl,
      HOME: home,
    };
    const running = new Spawned(['serve', '--port', '0', '--json'], env);
    try {
      await running.until((out) => out.includes('listening'));
      const { pid } = running.child;
      const port = String(readLock(join(home, 'lock'))?.port);
      running.child.kill('SIGSTOP');
      const silent = `Jumpseat (pid ${pid}) doesn’t answer. Let it go on where it was stopped`;
      const terminal = paper();
      expect(await status({ terminal, env, open: (options) => openApp(env, options) }, {})).toBe(1);
      expect(terminal.text).toContain(`Not ready: ${silent}`);
      expect(terminal.text).toContain('Proxy         doesn’t answer');
      expect(terminal.shown).toEqual([`Waiting for Jumpseat (pid ${pid}) to answer…`]);
      const rows = paper();
      expect(await log({ terminal: rows, env, open: (options) => openApp(env, options) }, {})).toBe(0);
      expect(rows.shown).toEqual(terminal.shown);
      expect(rows.errors).toContain(silent);
      expect(rows.text).not.toContain('Run "jumpseat serve"');
      expect((await jumpseat(['doctor'], env)).out).toMatch(
        new RegExp(`✗ Address +Jumpseat \\(pid ${pid}\\) doesn’t answer`),
      );
      expect((await jumpseat(['env'], env)).err).toContain(silent);
      // It still has its port.
      const dry = await jumpseat(['setup', 'claude-code', '--dry-run'], env);
      expect(dry.out).toContain(`"ANTHROPIC_BASE_URL": "http://127.0.0.1:${port}"`);
      // Stopped, it can't set it right.
      writeFileSync(join(home, 'lock'), 'nothing of use');
      expect((await jumpseat(['status'], env)).out).toContain('Not ready: A Jumpseat runs, but its file');
      expect((await jumpseat(['serve', '--port', port], env)).err).toContain('its file "lock" there can’t be read');
    } finally {
      running.child.kill('SIGCONT');
      running.child.kill('SIGKILL');
      await running.ended();
    }
  });
});

it('"serve --socket" and "--address" change the one that runs, and start no other', async () => {
  const shown = await beside((surroundings) => serve(surroundings, { socket: true }));
  const { pid = 0 } = readLock(join(stack.home, 'lock')) ?? {};
  const changed = `The Jumpseat that is running (pid ${pid}) does so now. "jumpseat status" says where it answers.`;
  expect([shown.text.trim(), shown.shown]).toEqual([changed, []]);
  await soon(async () => expect(await said()).toMatch(/^Socket +\//m));
  const closed = await beside((surroundings) => serve(surroundings, { address: 'none' }));
  expect(closed.text.trim()).toBe(changed);
});

describe('status where Jumpseat runs elsewhere', () => {
  const there = async (more: Record<string, string>): Promise<string[]> => {
    const home = join(stack.home, 'inside');
    return (await said({ JUMPSEAT_HOME: home, HOME: home, ...more })).split('\n');
  };

  it('speaks of the one that clients reach, and not of a sign-in here', async () => {
    const lines = await there({ ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${stack.key}.claude-code` });
    expect(lines).toEqual([
      'Ready: clients here can work through Jumpseat.',
      '',
      `Jumpseat      runs elsewhere; clients here reach it at ${stack.baseUrl}`,
      'Check the way jumpseat doctor --inside',
      'Account       "jumpseat status" on the machine where Jumpseat runs has account and quota',
      '',
    ]);
    const json = JSON.parse(
      (
        await beside((surroundings) => status(surroundings, { json: true }), {
          ...{ JUMPSEAT_HOME: join(stack.home, 'inside'), ANTHROPIC_BASE_URL: stack.baseUrl },
        })
      ).text,
    );
    expect(json).toMatchObject({
      ready: false,
      problem: { code: 'inside.key', text: expect.stringContaining('No key is set here') },
      elsewhere: stack.baseUrl,
    });
  });

  it('says that nothing answers where the shell leads, before what leads there was started', async () => {
    const [first] = await there({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_AUTH_TOKEN: 'key.claude-code' });
    expect(first).toBe(
      'Not ready: Nothing answers at http://127.0.0.1:9, where this shell leads clients, and nobody is signed in here. ' +
        'If Jumpseat runs on another machine, run "jumpseat forward" or your SSH tunnel here and leave it running. ' +
        'If it is to run here: Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".',
    );
    // Where the shell says nothing, only the sign-in is missing.
    expect((await there({}))[0]).toMatch(/^Not ready: Not signed in to GitHub\. /);
  });

  it('says why it can’t be reached, or can’t send and where to change that', async () => {
    const [first] = await there({ JUMPSEAT_SOCKET: join(stack.home, 'none.sock') });
    expect(first).toMatch(/^Not ready: The socket .*none\.sock isn’t there\. Start Jumpseat on its machine/);
    const [wrong] = await there({ ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: 'no-such-key.claude-code' });
    expect(wrong).toBe(
      'Not ready: This key isn’t mine. Copy the lines of "jumpseat env" from the machine where Jumpseat runs.',
    );
    await stack.app.signOut();
    const reached = { ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${stack.key}.claude-code` };
    expect((await there(reached))[0]).toMatch(
      /^Not ready: Not signed in to GitHub\. On the machine where Jumpseat runs: /,
    );
    // Of a shell that leads elsewhere than to a Jumpseat it is no concern.
    const [own] = await there({ ANTHROPIC_BASE_URL: stack.simulator.webUrl });
    expect(own).toMatch(/^Not ready: .*[Ss]ign/);
  });
});

it('"log --why" names the rule that changed the model, effort or account of a request', async () => {
  const rules = [{ when: { model: 'opus' }, use: { model: 'claude-sonnet-4.6', effort: 'low' as const } }];
  await stack.app.changePreferences({ models: { rules } });
  await stack.messages(prompt('one', { model: 'claude-opus-4.8', output_config: { effort: 'high' } }));
  await stack.messages(prompt('one', { model: 'claude-haiku-4.5' }));
  await stack.rows(2);
  const { text } = await beside((surroundings) => log(surroundings, { why: true }));
  const below = text.split('\n').flatMap((line) => (line.includes('ule 1') ? [line.trim()] : []));
  expect(below).toEqual([
    'Replaced model: claude-opus-4.8 → claude-sonnet-4.6. Your rule 1 (models containing opus).',
    'Replaced effort: high → low. Your rule 1 (models containing opus).',
  ]);
  expect((await logged()).text).not.toContain('ule 1');
});

it('"serve --socket" names the options that the running one doesn’t follow', async () => {
  const port = readLock(join(stack.home, 'lock'))?.port;
  const unused = await beside((surroundings) => serve(surroundings, { socket: true, port: '5999', open: true }));
  expect(unused.errors.split('\n')).toEqual([
    `--port 5999 isn’t used: the Jumpseat that is running stays on port ${port}. Stop it first, or change its port in Settings → Proxy.`,
    '--open isn’t used. "jumpseat dashboard" prints a link to its dashboard.',
    '',
  ]);
  const same = await beside((surroundings) => serve(surroundings, { socket: true, port: String(port) }));
  expect(same.errors).toBe('');
});

it('a running "serve" says which places were opened and closed from elsewhere, and why one isn’t open', async () => {
  const home = join(stack.home, 'places');
  mkdirSync(home, { mode: 0o700 });
  const env = {
    ...{ JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', HOME: home },
    ...{ JUMPSEAT_GITHUB_URL: stack.simulator.webUrl, JUMPSEAT_GITHUB_API_URL: stack.simulator.apiUrl },
  };
  const running = new Spawned(['serve', '--port', '0'], env);
  try {
    const banner = await running.until((out) => out.includes('Requests appear below.'));
    const change = async (proxy: NonNullable<CallArguments<'changePreferences'>[0]['proxy']>): Promise<void> => {
      const changed = await answerOfRunning(join(home, 'lock'), 'changePreferences', { proxy });
      expect(changed).toMatchObject({ ok: true });
    };
    await change({ socket: true });
    const at = join(home, 'socket', 'jumpseat.sock');
    const opened = `Now also answers at ${at}, for your user only.\n`;
    await running.until((out) => out.endsWith(opened));
    await change({ socket: false });
    await running.until((out) => out.endsWith(`No longer answers at ${at}.\n`));
    expect(running.out.slice(banner.length).trim().split('\n')).toHaveLength(2);
    const taken = join(home, 'settings.json');
    await change({ socket: true, socketPath: taken });
    await running.untilError((err) => err.includes(`${taken} is there, and is no socket.`));
    expect(running.out).toMatch(/No longer answers at [^\n]+\n$/);
  } finally {
    running.child.kill('SIGKILL');
    await running.ended();
  }
});

describe('requests that fail', () => {
  const firstLine = async () => (await said()).split('\n')[0];

  it('are said once three in a row did, until one works', async () => {
    const { script } = stack.simulator;
    const heal = script.always({ kind: 'answer', status: 504, body: 'no' }, '/v1/messages');
    for (const _ of [1, 2]) await stack.messages(prompt('one'));
    expect(await firstLine()).toMatch(/^Ready/);
    await stack.messages(prompt('one'));
    expect(await firstLine()).toMatch(/^The last 3 requests failed \(504 from Copilot\)\. Requests are still sent,/);
    heal();
    await stack.messages(prompt('one'));
    expect(await firstLine()).toMatch(/^Ready/);
  });

  it('for a limit of an hour are said with its end', async () => {
    stack.simulator.script.next({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' }, body: 'slow down' });
    expect((await stack.messages(prompt('one'))).status).toBe(429);
    expect(await firstLine()).toMatch(/^Not ready: Copilot limits requests until (\d\d:\d\d\. |.* 2\d\d\d, )/);
  });

  it('for want of credits show no credits left beside it', async () => {
    stack.simulator.script.next({ kind: 'answer', status: 402, body: { error: { code: 'quota_exceeded' } } });
    expect((await stack.messages(prompt('one'))).status).toBe(402);
    const text = await said();
    expect(text).toMatch(/^Not ready: Out of credits/);
    expect(text).toMatch(/\nQuota +Out of credits/);
    expect(text).not.toContain('credits left');
    const state = stack.app.state();
    expect(quotaFoot(state, Date.now())).toMatchObject({ figure: '0', tone: 'danger', spoken: 'Out of credits' });
  });
});

describe('where there is no keychain', () => {
  let home: string;
  let simulator: Simulator;
  let env: Record<string, string>;
  let running: Spawned;
  const lock = () => join(home, 'lock');

  /** Signed in “until I quit”, with the key in the memory of that process alone. */
  beforeEach(async () => {
    simulator = await startSimulator({ approveAfterPolls: 1, deviceInterval: 1 });
    home = mkdtempSync(join(tmpdir(), 'jumpseat-beside-'));
    env = {
      JUMPSEAT_HOME: home,
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
      HOME: home,
      SHELL: '/bin/bash',
    };
    running = new Spawned(['serve', '--port', '0', '--json'], env);
    await running.until((out) => out.includes('listening'));
    await answerOfRunning(lock(), 'moveSecrets', 'memory');
    const signedIn = await answerOfRunning(lock(), 'signIn');
    expect(signedIn).toMatchObject({ ok: true, value: { kind: 'signed-in' } });
    expect((await jumpseat(['status'], env)).out).toMatch(/^Ready/);
  });
  afterEach(async () => {
    running.child.kill('SIGKILL');
    await running.ended();
    await simulator.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('a setup that would not last names the ways that work now', async () => {
    const { code, err } = await jumpseat(['setup', 'claude-code'], env);
    expect(code).toBe(1);
    expect(err).toMatch(
      /Or run "jumpseat login --insecure-storage".*For one terminal, until Jumpseat quits: eval "\$\(jumpseat env\)"/,
    );
  });

  it('env, models, accounts and search ask the running one, which alone has sign-in and key', async () => {
    const { key } = JSON.parse(running.out.split('\n')[0] ?? '');
    expect((await jumpseat(['accounts'], env)).out).toMatch(/^\* +octo-demo +octo-demo, Copilot Pro\+ .*credits/m);
    const lines = await jumpseat(['env'], env);
    expect(lines.out).toContain(`export ANTHROPIC_AUTH_TOKEN=${key}.claude-code\n`);
    expect([lines.code, lines.err]).toEqual([
      0,
      'The key in these lines isn’t stored. They work until Jumpseat quits.\n',
    ]);
    expect(await jumpseat(['models', '--why', 'opus'], env)).toMatchObject({ code: 0, err: '' });
    const found = await jumpseat(['search', 'node', 'lts'], env);
    expect([found.code, found.out, found.err]).toEqual([0, expect.stringContaining('docs.example'), '']);
  });

  it('logout signs the running one out and says so, and a login afterwards counts there', async () => {
    const { baseUrl, authToken } = JSON.parse(running.out.split('\n')[0] ?? '');
    const lines = { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: authToken };
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ env: lines }));
    const zed = await jumpseat(['setup', 'zed'], env);
    expect([zed.code, zed.out], zed.err).toEqual([0, expect.stringContaining('Zed is set up.')]);
    expect(await jumpseat(['logout'], env)).toEqual({
      code: 0,
      out:
        'Signed out. The token in use is deleted on this machine; your history stays.\n' +
        'Claude Code is still set up for Jumpseat, where its requests now fail. To undo that: ' +
        '"jumpseat setup claude-code --undo".\n' +
        'Requests of these programs now fail, too: Zed. "jumpseat setup" lists them.\n',
      err: '',
    });
    expect((await jumpseat(['status'], env)).out).toMatch(/^Not ready: Not signed in/);
    expect((await jumpseat(['logout'], env)).out).toMatch(/^You weren’t signed in/);
    const login = await jumpseat(['login', '--insecure-storage'], env);
    expect(login).toMatchObject({ code: 0 });
    await soon(async () => expect((await jumpseat(['status'], env)).out).toMatch(/^Ready/));
    // Clients that were told its key get in with it still, though it was in its memory alone.
    const { key } = JSON.parse(running.out.split('\n')[0] ?? '');
    expect(await jumpseat(['env'], env)).toMatchObject({
      out: expect.stringContaining(`export ANTHROPIC_AUTH_TOKEN=${key}.claude-code\n`),
      err: '',
    });
    // What GitHub gives out once more counts as well.
    expect(await jumpseat(['logout'], env)).toMatchObject({ code: 0, err: '' });
    expect(await jumpseat(['login', '--insecure-storage'], env)).toMatchObject({ code: 0 });
    await soon(async () => expect((await jumpseat(['status'], env)).out).toMatch(/^Ready/));
  });
});
