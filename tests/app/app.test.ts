import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { StartError } from '../../app/api/state.ts';
import { readLock } from '../../app/server/who-answers.ts';
import { banner } from '../../app/words/status.ts';
import { soon } from '../soon.ts';
import { Spawned } from './cli/spawn-jumpseat.ts';
import { pathsIn, prompt, type Stack, type StackOptions, sendTo } from './stack.ts';
import { StacksOfTest } from './stacks-of-test.ts';

const stacks = new StacksOfTest('app');
const start = (options?: StackOptions): Promise<Stack> => stacks.start(options);
let home: string;
beforeEach(() => {
  home = stacks.home;
});

describe('A1 life', () => {
  it.skipIf(process.platform !== 'linux')(
    'the check of the address knows this Jumpseat from another program on its port',
    async () => {
      const served = await start();
      const port = Number(new URL(served.baseUrl).port);
      const beside = await start({ idle: true, app: { readOnly: true } });
      const address = (stack: Stack) => stack.app.check('server.address');
      expect(await address(beside)).toMatchObject({
        verdict: 'passed',
        finding: expect.stringMatching(
          new RegExp(`^127\\.0\\.0\\.1:${port} is served by .+ \\(pid ${process.pid}\\)$`),
        ),
      });
      const taken = await stacks.occupied();
      const other = await start({ home: join(home, 'other'), idle: true, app: { defaultPort: taken } });
      expect(await address(other)).toMatchObject({
        verdict: 'failed',
        finding: expect.stringMatching(
          new RegExp(`^Port ${taken} is in use by .+ \\(pid ${process.pid}\\), which isn’t this Jumpseat\\.$`),
        ),
      });
    },
  );

  it('A1.1 start gives a base URL without a trailing slash, on a free port', async () => {
    const stack = await start();
    expect(stack.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(stack.app.state().proxy).toEqual({
      kind: 'on',
      port: Number(new URL(stack.baseUrl).port),
      baseUrl: stack.baseUrl,
    });
  });

  it('A1.2 concurrent starts share one bind and one key', async () => {
    const stack = await start({ idle: true });
    const starts = await Promise.all([
      stack.app.startProxy({ port: 0 }),
      stack.app.startProxy({ port: 0 }),
      stack.app.startProxy({ port: 0 }),
    ]);
    expect(new Set(starts.map(({ baseUrl }) => baseUrl)).size).toBe(1);
    expect(new Set(await Promise.all([stack.app.localKey(), stack.app.localKey()])).size).toBe(1);
  });

  it('A1.3 stop during a pending start rejects that start and leaves nothing listening', async () => {
    const stack = await start({ idle: true });
    const starting = stack.app.startProxy({ port: 0 });
    const stopping = stack.app.stopProxy();
    await expect(starting).rejects.toMatchObject({ name: 'StartError', code: 'stopped' });
    await stopping;
    expect(readLock(pathsIn(home).lock)).toBeNull();
    expect(stack.app.state().proxy.kind).not.toBe('on');
  });

  it('A1.4 a second one of the same folder finds the lock and names the first', async () => {
    const first = await start();
    const second = await start({ idle: true });
    await expect(second.app.startProxy({ port: 0 })).rejects.toMatchObject({
      code: 'already-running',
      message: `Another Jumpseat is already running (pid ${process.pid}) at ${first.baseUrl}.`,
      remedy: expect.stringMatching(
        /^Claude Code works through it\. To use this Jumpseat instead, stop the other first\./,
      ),
    });
    const port = Number(new URL(first.baseUrl).port);
    await expect(second.app.startProxy({ port })).rejects.toMatchObject({ code: 'already-running' });
    expect(second.app.state().proxy).toMatchObject({ kind: 'failed', port });
    // Claude Code works: nothing is alarmed by it.
    expect(banner(second.app.state(), Date.now())).toMatchObject({ tone: 'neutral' });
    expect(await second.app.check('server.address')).toMatchObject({ verdict: 'passed' });
    expect((await first.messages(prompt('still there'))).status).toBe(200);
  });

  it('A1.4 once the first has ended the second is off, without a look, and can be turned on', async () => {
    const first = await start();
    const second = await start({ idle: true });
    await expect(second.app.startProxy({ port: 0 })).rejects.toMatchObject({ code: 'already-running' });
    await second.app.lookAgain();
    expect(second.app.state().proxy).toMatchObject({ kind: 'failed', code: 'already-running' });
    await first.app.stopProxy();
    await soon(() => expect(second.app.state().proxy).toEqual({ kind: 'off' }));
    await second.app.startProxy({ port: 0 });
    expect(second.app.state().proxy.kind).toBe('on');
  });

  it('A1.4 once the program that had the port has ended it is off, without a look', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { app } = await start({ idle: true });
    await expect(app.startProxy({ port })).rejects.toMatchObject({ code: 'port-taken' });
    await app.lookAgain();
    expect(app.state().proxy).toMatchObject({ kind: 'failed', code: 'port-taken' });
    await new Promise((resolve) => other.close(resolve));
    await soon(() => expect(app.state().proxy).toEqual({ kind: 'off' }));
  });

  it('A1.4 a first one that was killed leaves its file, and the second is off, without a look', async () => {
    const first = new Spawned(['serve', '--json', '--port', '0'], {
      HOME: home,
      JUMPSEAT_HOME: home,
      JUMPSEAT_SECRETS: 'memory',
    });
    await first.line();
    const second = await start({ idle: true });
    await expect(second.app.startProxy({ port: 0 })).rejects.toMatchObject({ code: 'already-running' });
    first.child.kill('SIGKILL');
    await first.ended();
    expect(readLock(pathsIn(home).lock)?.pid).toBe(first.child.pid);
    await soon(() => expect(second.app.state().proxy).toEqual({ kind: 'off' }));
  });

  it('A1.4 a second one of the same folder leaves its history as it is, and writes it once the first has ended', async () => {
    const first = await start();
    await first.messages(prompt('one'));
    await first.rows(1);
    const path = pathsIn(home).history;
    const version = (set = '') => {
      const database = new DatabaseSync(path);
      if (set !== '') database.exec(set);
      const found = database.prepare('PRAGMA user_version').get()?.user_version;
      database.close();
      return found;
    };
    const today = version();
    // As if an older version, which the first one is of, had written it.
    expect(version('PRAGMA user_version = 1')).toBe(1);
    const second = await start({ idle: true });
    await expect(second.app.startProxy({ port: 0 })).rejects.toMatchObject({ code: 'already-running' });
    expect(version(`PRAGMA user_version = ${today}`)).toBe(today);
    await first.app.stopProxy();
    const { baseUrl } = await second.app.startProxy({ port: 0 });
    const headers = { authorization: `Bearer ${second.key}.test`, 'content-type': 'application/json' };
    const body = JSON.stringify(prompt('two'));
    expect((await sendTo(baseUrl, { method: 'POST', path: '/v1/messages', headers, body })).status).toBe(200);
    await second.app.stopProxy();
    const database = new DatabaseSync(path, { readOnly: true });
    expect(database.prepare('SELECT count(*) AS count FROM exchanges').get()).toEqual({ count: 2 });
    database.close();
  });

  it('A1.4 requests that another process writes while the proxy is off are told at once, and with its next start', async () => {
    const { app } = await start();
    await app.stopProxy();
    const reported: string[] = [];
    app.listen(({ event }) => reported.push(event));
    const beside = await start({ idle: true });
    expect(await beside.app.search('node', { engine: 'copilot' })).toMatchObject({ kind: 'found' });
    const written = await beside.app.exchanges({ limit: 10 });
    expect(written).not.toEqual([]);
    await beside.app.close();
    await soon(() => expect(reported).toContain('history-changed'));
    expect(await app.exchanges({ limit: 10 })).toEqual(written);
    reported.length = 0;
    await app.startProxy({ port: 0 });
    expect(reported).toContain('history-changed');
  });

  it('a new local key: the setups of clients, which have the old one, are looked at again', async () => {
    const claude = join(home, 'claude');
    const { app, key, baseUrl } = await start({ app: { environment: { CLAUDE_CONFIG_DIR: claude } } });
    const reported: string[] = [];
    app.listen(({ event }) => reported.push(event));
    const env = { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: `${key}.claude-code` };
    mkdirSync(claude, { recursive: true });
    writeFileSync(join(claude, 'settings.json'), JSON.stringify({ env }));
    await app.replaceKey();
    expect(await app.localKey()).not.toBe(key);
    expect(reported).toContain('setup-changed');
    await soon(() => expect(app.state().health.claudeCode).toMatchObject({ code: 'other-key' }));
  });

  it('A1.4 a port in use by another program: who, and the remedy', async () => {
    const stack = await start({ idle: true });
    const port = await stacks.occupied();
    const failure = await stack.app.startProxy({ port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure).toMatchObject({ code: 'port-taken', remedy: expect.stringContaining('--port') });
    if (process.platform === 'linux')
      expect(String(failure)).toMatch(new RegExp(`Port ${port} is in use by node \\(pid ${process.pid}\\)\\.`));
    expect(stack.app.state().proxy).toMatchObject({ kind: 'failed', port });
  });

  it('A1.5 start, stop, start again works and keeps the key', async () => {
    const stack = await start();
    await stack.app.stopProxy();
    await expect(sendTo(stack.baseUrl, { path: '/healthz' })).rejects.toThrow();
    const again = await stack.app.startProxy({ port: 0 });
    const answer = await sendTo(again.baseUrl, {
      path: '/v1/models',
      headers: { authorization: `Bearer ${stack.key}.test` },
    });
    expect(answer.status).toBe(200);
  });

  it('the key is kept with the token', async () => {
    const secrets = memorySecrets();
    const first = await start({ secrets });
    expect(await secrets.get('local-key')).toBe(first.key);
    await first.app.stopProxy();
    expect((await start({ secrets })).key).toBe(first.key);
  });

  it('a key from the environment is used and not stored', async () => {
    const secrets = memorySecrets();
    const stack = await start({ secrets, app: { key: 'k-from-outside' } });
    expect(stack.key).toBe('k-from-outside');
    expect(await secrets.get('local-key')).toBeNull();
  });
});

describe('what is broken is kept aside and said', () => {
  it('a broken settings file: defaults are used, and nothing is sent where no copy names the account', async () => {
    writeFileSync(join(home, 'settings.json'), '{"port": ');
    const stack = await start();
    expect(stack.app.state().warnings).toMatchObject([
      { code: expect.stringContaining('settings'), remedy: expect.any(String) },
    ]);
    expect((await stack.messages(prompt('hi'))).status).toBe(502);
    writeFileSync(join(home, 'settings.json'), '{}');
    await soon(async () => expect((await stack.messages(prompt('hi'))).status).toBe(200));
    writeFileSync(join(home, 'settings.json'), '{"port": ');
    await stack.app.stopProxy();
    expect((await (await start()).messages(prompt('hi'))).status).toBe(200);
  });

  it('A12.48 a damaged history.db: every prompt is user, and nothing stops', async () => {
    writeFileSync(
      join(home, 'history.db'),
      'this is no database, and it is long enough to be looked at as one '.repeat(100),
    );
    const stack = await start();
    expect(stack.app.state().warnings).toHaveLength(1);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect(await stack.rows(1)).toMatchObject([{ initiator: 'user' }]);
  });
});

describe('the record', () => {
  it('C20.3 every exchange is one row, failed ones too; it survives a restart', async () => {
    const first = await start();
    await first.messages(prompt('hi'));
    await first.messages('nonsense');
    await first.messages(prompt('hi', { model: 'foo' }));
    await first.app.close();
    const second = await start();
    const rows = await second.app.exchanges({ limit: 10 });
    expect(rows.map(({ status, outcome }) => [status, outcome])).toEqual([
      [200, 'done'],
      [400, 'failed'],
      [404, 'failed'],
    ]);
  });

  it('holds no word of a prompt or an answer', async () => {
    const stack = await start();
    const secret = 'zebra-crossing-at-midnight';
    await stack.messages(
      prompt(`run: echo ${secret}`, { tools: [{ name: 'Bash', input_schema: { type: 'object', properties: {} } }] }),
    );
    await stack.rows(1);
    await stack.app.stopProxy();
    const bytes = ['history.db', 'history.db-wal', 'settings.json'].map((name) => {
      try {
        return readFileSync(join(home, name), 'latin1');
      } catch {
        return '';
      }
    });
    expect(bytes.join('').length).toBeGreaterThan(1000);
    expect(bytes.join('')).not.toContain(secret);
    expect(JSON.stringify(stack.log)).not.toContain(secret);
  });

  it('B1.17 no token and no key in the history, the settings, a log line or an error', async () => {
    const stack = await start();
    await stack.messages(prompt('hi'));
    stack.simulator.script.expireTokens();
    await stack.messages(prompt('again'));
    stack.simulator.script.refuseMint('no_copilot_access');
    stack.simulator.script.expireTokens();
    const refused = await stack.messages(prompt('and again'));
    await stack.app.checks();
    await stack.app.stopProxy();
    const database = new DatabaseSync(join(home, 'history.db'), { readOnly: true });
    const rows = JSON.stringify(database.prepare('SELECT * FROM exchanges').all());
    database.close();
    const everything = [
      rows,
      JSON.stringify(stack.log),
      refused.text,
      JSON.stringify(stack.app.state()),
      readFileSync(join(home, 'history.db'), 'latin1'),
    ].join('\n');
    expect(everything).not.toContain(stack.key);
    expect(everything).not.toContain(stack.simulator.githubToken);
    expect(everything).not.toMatch(/tid=|gh[opsu]_\w{10}/);
  });
});

describe('A12 the ledger', () => {
  const headers = (id: string): Record<string, string> => ({
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
    'x-claude-code-session-id': '7f3a91c2-0000-4000-8000-000000000001',
    'x-claude-code-request-class': 'main',
    'x-claude-code-prompt-id': id,
  });

  it('A12.47 a restart between attempts keeps the ledger', async () => {
    const first = await start();
    await first.messages(prompt('fix the test'), headers('1ec2400c-c5f0-4043-afec-714c91178ac1'));
    await first.rows(1);
    await first.app.close();
    const second = await start();
    await second.messages(prompt('fix the test'), headers('1ec2400c-c5f0-4043-afec-714c91178ac1'));
    expect(await second.rows(1)).toMatchObject([{ initiator: 'agent', reason: { code: 'repeat' } }]);
  });

  it('A12.5 a first attempt that was refused leaves the second one user, and says so', async () => {
    const stack = await start();
    stack.simulator.script.next({ kind: 'answer', status: 429, body: 'slow down' });
    await stack.messages(prompt('fix the test'), headers('a1'));
    await stack.messages(prompt('fix the test'), headers('a1'));
    const rows = await stack.rows(2);
    expect(rows.map(({ initiator }) => initiator)).toEqual(['user', 'user']);
    expect(rows[1]?.reason?.sentence).toContain('429');
  });

  it('C1.1 ten prompts with thirty tool turns each: ten user, three hundred agent', async () => {
    const stack = await start();
    const tools = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }];
    for (let turn = 0; turn < 10; turn += 1) {
      const id = `prompt-${turn}`;
      const messages: unknown[] = [{ role: 'user', content: `task ${turn}` }];
      await stack.messages({ ...prompt(''), tools, messages }, headers(id));
      for (let step = 0; step < 30; step += 1) {
        const use = `toolu_${turn}_${step}`;
        messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: use, name: 'Read', input: {} }] });
        messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: use, content: 'ok' }] });
        await stack.messages({ ...prompt(''), tools, messages }, headers(id));
      }
    }
    const sent = stack.simulator.requests
      .filter(({ path }) => path === '/v1/messages')
      .map(({ initiator }) => initiator);
    expect(sent.filter((initiator) => initiator === 'user')).toHaveLength(10);
    expect(sent.filter((initiator) => initiator === 'agent')).toHaveLength(300);
  });

  it('C19.3 the one switch there is makes everything user', async () => {
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, alwaysUser: true }));
    const stack = await start();
    const tools = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }];
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
    ];
    await stack.messages({ ...prompt(''), tools, messages }, { 'x-initiator': 'agent' });
    expect(stack.simulator.requests.at(-1)?.initiator).toBe('user');
  });
});

describe('sign-in', () => {
  it('ends access at once after a sign-out, and deletes the token', async () => {
    const secrets = memorySecrets();
    const stack = await start({ secrets, simulator: { deviceInterval: 0.2, approveAfterPolls: 1 } });
    const signedIn = await stack.app.signIn(() => {});
    expect(signedIn).toEqual({ kind: 'signed-in', login: 'octo-demo' });
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    await stack.app.signOut();
    expect((await stack.messages(prompt('hi'))).status).toBe(401);
    expect(await secrets.get('github-token')).toBeNull();
  });

  it('says which account to use after a damage that left it unknown', async () => {
    writeFileSync(join(home, 'settings.json'), '');
    const stack = await start({ simulator: { deviceInterval: 0.2, approveAfterPolls: 1 } });
    expect((await stack.messages(prompt('hi'))).status).toBe(502);
    expect(stack.app.state().status).toBe('account-unknown');
    expect(await stack.app.signIn(() => {})).toEqual({ kind: 'signed-in', login: 'octo-demo' });
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
  });

  it('that another process ended lets nothing out, and only that process deletes the token', async () => {
    const secrets = memorySecrets();
    const stack = await start({ secrets });
    await secrets.set('github-token', stack.simulator.githubToken);
    const settings = (account: object | null) =>
      writeFileSync(join(home, 'settings.json'), JSON.stringify({ account }));
    settings({ login: 'octo-demo', signedInAt: 5 });
    await soon(async () => expect((await stack.messages(prompt('hi'))).status).toBe(200));
    settings(null);
    await soon(async () => expect((await stack.messages(prompt('hi'))).status).toBe(401));
    expect(await secrets.get('github-token')).not.toBeNull();
  });
});
