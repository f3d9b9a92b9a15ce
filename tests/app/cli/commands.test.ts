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
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { freePort } from '../../free-port.ts';
import { asked, jumpseat, Spawned } from './spawn-jumpseat.ts';

/** The terminal front as it is started by a person, against a GitHub and a Copilot of this process. */

let simulator: Simulator;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  simulator = await startSimulator({ approveAfterPolls: 1, deviceInterval: 1 });
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-cli-'));
  mkdirSync(join(folder, 'user'));
  env = {
    HOME: join(folder, 'user'),
    JUMPSEAT_HOME: join(folder, 'home'),
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    SHELL: '/bin/bash',
  };
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const serving: Spawned[] = [];
async function startServing(
  more: Record<string, string> = {},
  args: string[] = [],
): Promise<{ spawned: Spawned; baseUrl: string; key: string; dashboardUrl: string }> {
  const spawned = new Spawned(['serve', '--port', '0', '--json', ...args], { ...env, ...more });
  serving.push(spawned);
  const out = await spawned.until((text) => text.includes('\n'));
  return { spawned, ...JSON.parse(out.slice(0, out.indexOf('\n'))) };
}
afterAll(() => {
  for (const { child } of serving) child.kill('SIGKILL');
});

function ask(baseUrl: string, key: string, body: unknown): Promise<Response> {
  return fetch(`${baseUrl}/v1/messages`, {
    method: 'POST',
    signal: AbortSignal.timeout(30_000),
    headers: {
      authorization: `Bearer ${key}.claude-code`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  });
}
const prompt = { model: 'opus', max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] };

it('wrong usage is exit code 2 and one line', async () => {
  expect(await jumpseat(['serv'], env)).toEqual({
    code: 2,
    out: '',
    err: 'jumpseat: There is no command "serv". Run "jumpseat --help".\n',
  });
});

it('mcp says that a line is no JSON', async () => {
  const memory = { ...env, JUMPSEAT_SECRETS: 'memory', JUMPSEAT_KEY: 'key-of-this-test-alone' };
  const { out } = await new Spawned(['mcp'], memory, 'garbage\n').ended();
  expect(JSON.parse(out)).toEqual({
    ...{ jsonrpc: '2.0', id: null },
    error: { code: -32700, message: 'Jumpseat: This line is no JSON. Send one message of JSON-RPC a line.' },
  });
});

it.each(['mcp', 'acp'])('%s ends well where nothing is on its input and no Jumpseat runs', async (command) => {
  const memory = { ...env, JUMPSEAT_SECRETS: 'memory', JUMPSEAT_KEY: 'key-of-this-test-alone' };
  expect(await jumpseat([command], memory)).toEqual({ code: 0, out: '', err: '' });
});

it('teaches in its help', async () => {
  const root = await jumpseat(['--help'], env);
  expect(root).toMatchObject({ code: 0, err: '' });
  const order = ['login', 'serve', 'env', 'setup', 'demo', 'status', 'log', 'models', 'doctor', 'logout'];
  const places = order.map((name) => root.out.search(new RegExp(`^  ${name}\\b`, 'm')));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  const one = await jumpseat(['env', '--help'], env);
  expect(one.out).toMatch(/Example:\n {2}eval "\$\(jumpseat env\)"\n\nNext:/);
});

describe('before a sign-in', () => {
  it('status is 1 and says what to do', async () => {
    const { code, out } = await jumpseat(['status'], env);
    expect(code).toBe(1);
    expect(out).toMatch(/^Not ready: Not signed in to GitHub\. .*"jumpseat login/);
  });

  it.runIf(process.platform === 'linux')(
    'without a keychain login ends before it begins, with the remedy',
    async () => {
      const { code, out, err } = await jumpseat(['login'], env);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^jumpseat: .*To have a keychain: [^`]* Or run "jumpseat login --insecure-storage".*\n$/);
      // As Chromium writes it for the tray app, where the session has none.
      const withoutBus = await jumpseat(['login'], { ...env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' });
      expect(withoutBus.err).toContain('There’s no keychain service');
      expect(simulator.githubRequests).toEqual([]);
      const status = await jumpseat(['status'], env);
      expect(status.out).toMatch(/^Not ready: Not signed in to GitHub\. Run "jumpseat login --insecure-storage"/);
      const doctor = await jumpseat(['doctor'], env);
      expect(doctor.out).toMatch(/ {2}✗ Signed in +Not signed in\.\n +→ Run "jumpseat login --insecure-storage"\.\n/);
      expect(status.out).toMatch(/\nToken storage .*keychain.* Or run "jumpseat login --insecure-storage"/);
      for (const args of [['env'], ['models'], ['models', '--why', 'opus'], ['search', 'node']]) {
        const { err } = await jumpseat(args, env);
        expect(err, args.join(' ')).toMatch(
          /^jumpseat: There’s no keychain service.* Or run "jumpseat login --insecure-storage".*\n$/,
        );
      }
    },
  );

  it.runIf(process.platform === 'linux')('without a keychain there is nothing to sign out', async () => {
    expect(await jumpseat(['logout'], env)).toEqual({
      ...{ code: 0, err: '' },
      out: 'You weren’t signed in: no token of GitHub is on this machine. Your history stays.\n',
    });
    const { err } = await jumpseat(['env'], env);
    expect(err).toMatch(
      / Or run "jumpseat login --insecure-storage".* For a key that works until Jumpseat quits: Run /,
    );
  });

  it.runIf(process.platform === 'linux')('ends although the keychain doesn’t answer', async () => {
    const path = join(folder, 'bus');
    const bus = createServer().listen(path);
    const silent = { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, JUMPSEAT_HOME: join(folder, 'silent') };
    const { code, out } = await jumpseat(['status'], silent).finally(() => bus.close());
    expect([code, out]).toEqual([1, expect.stringMatching(/^Not ready: The keychain didn’t answer in time\./)]);
  });

  it.runIf(process.platform === 'linux')(
    'Ctrl-C at a question of login ends it, and nothing is agreed to',
    async () => {
      const question = { at: '[y/N]', key: '\\003', log: join(folder, 'asked') };
      const { code, out } = await asked(question, ['login'], env).ended();
      expect([code, out]).toEqual([130, expect.stringMatching(/\[y\/N\] [^\n]*\njumpseat: Cancelled\.\r?\n$/)]);
      // A terminal that doesn't know its size has none.
      expect(out).toContain('There’s no keychain service in this session.');
      expect(existsSync(join(folder, 'home', 'secrets.json'))).toBe(false);
    },
  );

  it('status says of a file of secrets that is broken what it is, and not to sign in', async () => {
    const home = join(folder, 'broken');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ secretsStorage: 'file' }));
    writeFileSync(join(home, 'secrets.json'), '{', { mode: 0o600 });
    const { out } = await jumpseat(['status'], { ...env, JUMPSEAT_HOME: home });
    expect(out).toMatch(/^Not ready: The secrets file \S+ is broken\. Delete it, then sign in again\.\n/);
  });

  it('JUMPSEAT_SECRETS=file needs consent first', async () => {
    const { code, err } = await jumpseat(['serve'], { ...env, JUMPSEAT_SECRETS: 'file' });
    expect([code, err]).toEqual([1, expect.stringContaining('"jumpseat login --insecure-storage"')]);
  });
});

describe('from sign-in to sign-out', () => {
  it('C19.1 login shows the risk before the first code, the code, and who signed in', async () => {
    const { code, out, err } = await jumpseat(['login', '--insecure-storage'], env);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).not.toContain('Already signed in');
    const userCode = /^ {4}([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(out);
    const risk = out.indexOf('GitHub doesn’t support other programs on this service and may limit or suspend accounts');
    expect(risk).toBeGreaterThan(-1);
    expect(userCode?.index).toBeGreaterThan(risk);
    expect(out).toContain(`${simulator.webUrl}/login/device\n`);
    expect(out).toMatch(/Waiting for GitHub\. Expires in \d\d:\d\d\n/);
    expect(out).toContain('Signed in as octo-demo, Copilot Pro+. The token is in a file that only your user can read.');
    expect(statSync(join(folder, 'home', 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, 'home', 'settings.json'), 'utf8'))).toMatchObject({
      secretsStorage: 'file',
    });
  });

  it('C19.1 and only the first time', async () => {
    const { code, out } = await jumpseat(['login'], env);
    expect(code).toBe(0);
    expect(out).not.toContain('may limit or suspend');
    // Before the code: who wanted nothing new can stop here.
    const already = out.indexOf(
      'Already signed in as octo-demo. A new sign-in replaces it. Ctrl-C keeps the account.\n',
    );
    expect(already).toBeGreaterThan(-1);
    expect(already).toBeLessThan(out.indexOf('Sign in to GitHub\n'));
  });

  it('says of a sign-in that GitHub refuses whose it is, also after a start, and that a new one replaces it', async () => {
    simulator.script.revokeGithubToken();
    const refused = 'octo-demo: GitHub refuses the sign-in.';
    const status = (await jumpseat(['status'], env)).out;
    expect(status).toMatch(new RegExp(`^Not ready: ${refused} Run "jumpseat login"`));
    expect(status).toMatch(/^Quota +GitHub refuses the sign-in$/m);
    const doctor = (await jumpseat(['doctor'], env)).out;
    expect(doctor).toContain(refused);
    expect(doctor).not.toContain('Not reported by GitHub');
    const { code, out } = await jumpseat(['login'], env);
    expect(code).toBe(0);
    expect(out).not.toContain('Ctrl-C keeps it');
    expect(out.split('\n')[0]).toBe(`${refused} A new sign-in replaces it.`);
    expect((await jumpseat(['status'], env)).out).not.toContain('refuses');
  });

  it.each([
    [
      'access_denied',
      'jumpseat: You declined the sign-in on GitHub. No token was stored. Run "jumpseat login" to try again.\n',
    ],
    [
      'expired_token',
      'jumpseat: This code has expired. Codes are good for 15 minutes. Run "jumpseat login" to get a new code.\n',
    ],
  ])('a sign-in that ends with %s says so', async (error, line) => {
    simulator.script.failPoll(error);
    expect(await jumpseat(['login'], env)).toMatchObject({ code: 1, err: line });
  });

  it('a sign-in without Copilot shows GitHub’s own words', async () => {
    simulator.script.refuseMint('no_copilot_access');
    const { code, err } = await jumpseat(['login'], env);
    simulator.script.allowMint();
    expect(code).toBe(1);
    expect(err).toMatch(/^jumpseat: .*https:\/\/.*\n$/);
  });

  it('Ctrl-C ends a sign-in at once', async () => {
    const patient = await startSimulator({ deviceInterval: 60 });
    const spawned = new Spawned(['login', '--account', 'Other one'], {
      ...env,
      JUMPSEAT_GITHUB_URL: patient.webUrl,
      JUMPSEAT_GITHUB_API_URL: patient.apiUrl,
    });
    await spawned.until((out) => out.includes('Waiting for GitHub'));
    spawned.child.kill('SIGINT');
    expect(await spawned.ended()).toMatchObject({
      code: 130,
      err: 'jumpseat: The sign-in was cancelled. No token was stored. Run "jumpseat login --account \'Other one\'" to start again.\n',
    });
    await patient.close();
  });

  it('Ctrl-C of a sign-in that would replace another one says that it stays', async () => {
    const spawned = new Spawned(['login'], env);
    await spawned.until((out) => out.includes('Waiting for GitHub'));
    spawned.child.kill('SIGINT');
    expect(await spawned.ended()).toMatchObject({
      code: 130,
      out: expect.stringContaining('Already signed in as octo-demo.'),
      err: 'jumpseat: The sign-in was cancelled. You are still signed in as octo-demo.\n',
    });
  });

  it('models shows what names run on, and all models', async () => {
    const { code, out } = await jumpseat(['models'], env);
    expect(code).toBe(0);
    expect(out).toMatch(/^Catalog from \d\d:\d\d:\d\d, 0 s ago\n/);
    expect(out).toMatch(/^Claude Code asks for +Copilot runs +Because/m);
    expect(out).toMatch(/^opus +claude-opus-4\.8 +Newest of family +\d+k/m);
    expect(out).toMatch(/^Model +Vendor +Input +Output +Price in +Cached +Price out +Endpoints +Offered$/m);
    const json = JSON.parse((await jumpseat(['models', '--json'], env)).out);
    expect(json.names.length).toBeGreaterThan(3);
  });

  it('models --why says what a name runs on, or why on nothing', async () => {
    const why = async (name: string) => {
      const { code, out } = await jumpseat(['models', '--why', name], env);
      return [code, out.trim()];
    };
    expect(await why('claude-sonnet-4.6')).toEqual([0, 'claude-sonnet-4.6 is available for this account.']);
    expect(await why('claude-opus-4-5')).toEqual([
      1,
      'claude-opus-4.5 is off for this account.\nTurn it on at github.com/settings/copilot.',
    ]);
    expect(await why('llama')).toEqual([
      1,
      'Copilot has no model "llama" for this account.\nUse a name that "jumpseat models" lists with a model, ' +
        'or add an override for it in Models.',
    ]);
    const { code, out } = await jumpseat(['models', '--why', 'llama', '--json'], env);
    expect([code, JSON.parse(out)]).toMatchObject([1, { asked: 'llama', kind: 'not-in-catalog', model: null }]);
  });

  it('rules lists them in their order, and rules try and models --why say what they do', async () => {
    const home = join(folder, 'ruled');
    const path = join(home, 'settings.json');
    const ruled = { ...env, JUMPSEAT_HOME: home, JUMPSEAT_GITHUB_TOKEN: simulator.githubToken };
    expect((await jumpseat(['rules'], ruled)).out).toMatch(
      /^No rules\. Add them in Settings → Rules, or as models\.rules in /,
    );
    const rules = [
      { when: { client: 'codex' }, use: { effort: 'low', limit: { credits: 5, per: 'day', action: 'stop' } } },
      { when: { class: 'subagent', folder: '/srv' }, use: { model: 'gpt-5-mini', fallback: 'claude-haiku-4.5' } },
      { when: { model: 'opus' }, use: { model: 'gpt-9' } },
    ];
    mkdirSync(home, { recursive: true });
    writeFileSync(path, JSON.stringify({ models: { rules } }));
    const { code, out } = await jumpseat(['rules'], ruled);
    expect([
      code,
      out
        .split('\n')
        .slice(1, 4)
        .map((line) => line.trim().replace(/ {2,}/g, ' | ')),
    ]).toEqual([
      0,
      [
        '1 | client codex | effort low, limit 5 credits per day (stop)',
        '2 | folder /srv, class subagent | model gpt-5-mini, fallback claude-haiku-4.5',
        '3 | models containing opus | model gpt-9',
      ],
    ]);
    expect(JSON.parse((await jumpseat(['rules', '--json'], ruled)).out)).toEqual(rules);
    const tried = async (...args: string[]) => {
      const answer = await jumpseat(['rules', 'try', ...args], ruled);
      return [answer.code, answer.out.trim().split('\n')];
    };
    expect(await tried('sonnet', '--class', 'subagent', '--folder', '/srv/a')).toEqual([
      0,
      [
        'Rule 2 (folder /srv, class subagent) is the first that is for this request.',
        'It would run on gpt-5-mini.',
        'If Copilot refuses that model or your limit for it is used up, claude-haiku-4.5 would be asked.',
      ],
    ]);
    expect((await tried('claude-sonnet-4.6'))[1]).toEqual([
      'No rule is for this request.',
      'claude-sonnet-4.6 is available for this account.',
    ]);
    expect(await tried('opus')).toEqual([
      1,
      expect.arrayContaining(['Copilot has no model "gpt-9" for this account.']),
    ]);
    expect((await tried('opus', '--client', 'codex'))[1]).toContain(
      'It counts for your limit: 0 of 5 credits used today for the rule for client codex.',
    );
    const wrong = await jumpseat(['rules', 'try', 'opus', '--class', 'other'], ruled);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--class must be main, subagent,')]);
    const why = await jumpseat(['models', '--why', 'claude-sonnet-4.6'], ruled);
    expect([why.code, why.out.trim().replaceAll('\n', ' ')]).toEqual([
      0,
      'claude-sonnet-4.6 is available for this account. Rule 2 (folder /srv, class subagent) runs it on gpt-5-mini with claude-haiku-4.5 as its fallback.',
    ]);
    expect((await jumpseat(['models', '--why', 'opus'], ruled)).out).toContain(
      'Rule 3 (models containing opus) decides.',
    );
  });

  it('models --why knows the plan, also of a model that is off', async () => {
    const school = await startSimulator({ user: { plan: 'edu', sku: 'school_quota' } });
    try {
      const { code, out } = await jumpseat(['models', '--why', 'claude-opus-4.5'], {
        ...env,
        JUMPSEAT_HOME: join(folder, 'school'),
        JUMPSEAT_GITHUB_URL: school.webUrl,
        JUMPSEAT_GITHUB_API_URL: school.apiUrl,
        JUMPSEAT_GITHUB_TOKEN: school.githubToken,
        JUMPSEAT_SECRETS: 'memory',
      });
      expect([code, out]).toEqual([
        1,
        expect.stringContaining('claude-opus-4.5 isn’t part of Copilot Student. GitHub lists it for Pro, Pro+'),
      ]);
    } finally {
      await school.close();
    }
  });

  it('what GitHub would bill is asked about: a kill decides nothing, and a command allows it', async () => {
    const user = { remaining: 0, overagePermitted: true };
    const billing = await startSimulator({ user });
    const home = join(folder, 'billing');
    const its = {
      ...{ JUMPSEAT_HOME: home, JUMPSEAT_GITHUB_URL: billing.webUrl, JUMPSEAT_GITHUB_API_URL: billing.apiUrl },
      ...{ JUMPSEAT_GITHUB_TOKEN: billing.githubToken, JUMPSEAT_SECRETS: 'memory' },
    };
    try {
      const first = await startServing(its);
      const entered = await fetch(first.dashboardUrl, { redirect: 'manual' });
      const headers = { cookie: String(entered.headers.get('set-cookie')).split(';', 1)[0] ?? '' };
      // A page of the dashboard, which can ask.
      await fetch(`${first.baseUrl}/ui/api/events`, { headers });
      const quota = async () => {
        const called = await fetch(`${first.baseUrl}/ui/api/call/state`, {
          ...{ method: 'POST', body: '[]' },
          headers: { ...headers, origin: first.baseUrl, 'content-type': 'application/json' },
        });
        return (await called.json()).value.health;
      };
      await expect.poll(async () => (await quota()).overage).toBe('asks');
      const cut = ask(first.baseUrl, first.key, prompt).catch(() => 'cut');
      await expect.poll(async () => (await quota()).held.prompts).toBe(1);
      first.spawned.child.kill('SIGKILL');
      expect(await cut).toBe('cut');
      await first.spawned.ended();

      const second = await startServing(its);
      await expect.poll(async () => (await jumpseat(['budget'], { ...env, ...its })).out).toMatch(/\nJumpseat asks /);
      const refused = await ask(second.baseUrl, second.key, prompt);
      expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('budget --allow-overage')]);
      const allowed = await jumpseat(['budget', '--allow-overage'], { ...env, ...its });
      expect(allowed).toMatchObject({ code: 0, out: expect.stringMatching(/^Until midnight, /) });
      await expect.poll(async () => (await ask(second.baseUrl, second.key, prompt)).status).toBe(200);
      const sent = billing.requests.filter(({ path }) => path === '/v1/messages');
      expect(sent.map(({ initiator }) => initiator)).toEqual(['user']);
      second.spawned.child.kill('SIGKILL');
    } finally {
      await billing.close();
    }
  });

  it('serve, env, status, log and setup work together', async () => {
    const { spawned, baseUrl, key, dashboardUrl } = await startServing();
    expect(dashboardUrl).toMatch(new RegExp(`^${baseUrl}/ui/`));
    expect(await jumpseat(['uninstall', '--purge', '--yes'], env)).toEqual({
      ...{ code: 1, out: '' },
      err: expect.stringMatching(/^jumpseat: Jumpseat is running \(pid \d+, at .+\)\. Quit it, then run "jumpseat un/),
    });

    const lines = await jumpseat(['env'], env);
    expect(lines).toMatchObject({ code: 0, err: '' });
    expect(lines.out.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      `export ANTHROPIC_BASE_URL=${baseUrl}`,
      `export ANTHROPIC_AUTH_TOKEN=${key}.claude-code`,
      'export ANTHROPIC_API_KEY=',
      'export CLAUDE_CODE_GATEWAY_HINT_HEADERS=1',
      'export CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1',
      'export CLAUDE_CODE_ATTRIBUTION_HEADER=0',
      'export CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION=false',
      expect.stringMatching(/^export ANTHROPIC_DEFAULT_OPUS_MODEL=claude-opus-/),
      expect.stringMatching(/^export ANTHROPIC_DEFAULT_SONNET_MODEL=claude-sonnet-/),
      expect.stringMatching(/^export ANTHROPIC_DEFAULT_HAIKU_MODEL=claude-haiku-/),
    ]);
    const json = await jumpseat(['env', '--shell', 'json', '--client', 'my.tool'], env);
    expect(JSON.parse(json.out)).toMatchObject({ env: { ANTHROPIC_AUTH_TOKEN: `${key}.my.tool` } });

    expect(await jumpseat(['env', '--for', 'openai'], env)).toEqual({
      code: 0,
      out: `export OPENAI_BASE_URL=${baseUrl}/v1\nexport OPENAI_API_KEY=${key}.openai\n`,
      err: '',
    });
    expect(await jumpseat(['env', '--for', 'codex', '--shell', 'fish', '--client', 'mine'], env)).toEqual({
      code: 0,
      out: `set -gx JUMPSEAT_CODEX_KEY ${key}.mine\n`,
      err: 'Codex also needs the lines of "jumpseat env --for codex-config" in ~/.codex/config.toml, once.\n',
    });
    const config = await jumpseat(['env', '--for', 'codex-config'], env);
    expect(config.out).toContain(`base_url = "${baseUrl}/v1"\nenv_key = "JUMPSEAT_CODEX_KEY"\n`);
    expect(config.out).not.toContain(key);
    const vscode = JSON.parse((await jumpseat(['env', '--for', 'vscode'], env)).out);
    expect(vscode).toMatchObject([{ vendor: 'customendpoint', apiKey: `${key}.vscode` }]);
    expect(vscode[0].models.map(({ id }: { id: string }) => id)).toContain('claude-sonnet-4.6');

    expect((await ask(baseUrl, key, prompt)).status).toBe(200);
    expect((await ask(baseUrl, key, { ...prompt, model: 'no-such-model' })).status).toBe(404);
    await spawned.until((out) => out.trim().split('\n').length === 3);
    const [, first, second] = spawned.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      event: 'exchange',
      client: 'claude-code',
      status: 200,
      initiator: 'user',
      outcome: 'done',
      askedModel: 'opus',
    });
    expect(second).toMatchObject({ event: 'exchange', status: 404, charge: { kind: 'none' } });

    const status = await jumpseat(['status', '--json'], env);
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({
      ready: true,
      problem: null,
      account: {
        login: 'octo-demo',
        apiHost: new URL(simulator.copilotUrl).host,
        token: { ageSeconds: expect.any(Number) },
      },
      proxy: { baseUrl, pid: spawned.child.pid },
      quota: { world: 'credits' },
      secrets: { storage: 'file', problem: null },
    });

    expect((await jumpseat(['status'], env)).out).toMatch(/^Ready\. Claude Code isn’t set up .* Run "jumpseat setup/);
    // A shell that holds the lines is set up; after an override its lines are old.
    const now = JSON.parse((await jumpseat(['env', '--shell', 'json'], env)).out).env;
    expect((await jumpseat(['status'], { ...env, ...now })).out).toMatch(/^Ready: Claude Code can work/);
    expect(await jumpseat(['models'], { ...env, ...now })).toMatchObject({ code: 0, err: '' });
    const old = { ...now, ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4' };
    for (const asked of [['models'], ['models', '--why', 'sonnet']])
      expect((await jumpseat(asked, { ...env, ...old })).err).toBe(
        '\nClaude Code asks by old values. Not what the lines for Claude Code say now: ' +
          'ANTHROPIC_DEFAULT_SONNET_MODEL. Copy the lines again, and paste them into this terminal.\n',
      );

    // The token is the running one's: asking for it makes no other and doesn't make it younger.
    const tokenNow = async () => {
      const [{ out }, { out: found }] = [
        await jumpseat(['status', '--json'], env),
        await jumpseat(['doctor', '--json'], env),
      ];
      const { ageSeconds, usableUntil } = JSON.parse(out).account.token;
      const checks: { id: string; finding: string }[] = JSON.parse(found).checks;
      return { ageSeconds, usableUntil, finding: checks.find(({ id }) => id === 'account.token')?.finding };
    };
    const token = await tokenNow();
    await expect.poll(async () => (await tokenNow()).ageSeconds, { timeout: 30_000 }).toBeGreaterThan(token.ageSeconds);
    expect(await tokenNow()).toMatchObject({ usableUntil: token.usableUntil, finding: token.finding });

    const second_ = await jumpseat(['serve', '--port', '0'], env);
    expect(second_).toMatchObject({
      code: 1,
      err: expect.stringContaining(`already running (pid ${spawned.child.pid})`),
    });

    spawned.child.kill('SIGINT');
    expect((await spawned.ended()).code).toBe(0);
    expect(existsSync(join(folder, 'home', 'lock'))).toBe(false);

    const log = await jumpseat(['log'], env);
    expect(log.code).toBe(0);
    expect(log.out).toMatch(
      /^Time +Status +Initiator +Model +Input +Cached +Output +Duration +Credits +Session +Client\n\w+, \d+ \w+ \d{4}\n/,
    );
    expect(log.out).toMatch(/^\d\d:\d\d:\d\d +200 +User +claude-opus-4\.8 ← opus .*\d\.\d{2} +– +claude-code$/m);
    expect(log.out).toMatch(/^\d\d:\d\d:\d\d +404 .* no-such-model /m);
    const last = await jumpseat(['log', '--json', '--limit', '1'], env);
    expect(JSON.parse(last.out)).toMatchObject({ status: 404, askedModel: 'no-such-model' });
    expect(log.out + last.out + spawned.err).not.toContain(key);
    // Two dozen programs, one after the other.
  }, 180_000);

  it('serve says when its history can’t be written, once, and at its end', async () => {
    const { spawned, baseUrl, key } = await startServing();
    const other = new DatabaseSync(join(folder, 'home', 'history.db'));
    try {
      other.exec('BEGIN IMMEDIATE');
      expect((await ask(baseUrl, key, prompt)).status).toBe(200);
      const trouble = /The request history can’t be written: [^\n]*1 request waits in memory\./g;
      await spawned.untilError((text) => trouble.test(text));
      expect((await ask(baseUrl, key, prompt)).status).toBe(200);
      spawned.child.kill('SIGINT');
      const { err } = await spawned.ended();
      expect(err.match(/1 request waits/g)).toHaveLength(1);
      expect(err).toMatch(
        /can’t be written: [^\n]*2 requests wait in memory\. Requests that were not written are lost\./,
      );
    } finally {
      other.close();
    }
  });

  it('a person sees a calm banner and one line for each request; log --follow sees them too', async () => {
    const spawned = new Spawned(['serve', '--port', '0'], env);
    serving.push(spawned);
    const banner = await spawned.until((out) => out.includes('Requests appear below.'));
    const baseUrl = /Proxy +(http:\/\/127\.0\.0\.1:\d+), this machine only/.exec(banner)?.[1] ?? '';
    expect(banner).toMatch(/Account +octo-demo, Copilot Pro\+\n/);
    expect(banner).toContain('    eval "$(jumpseat env)"\n');
    expect(banner).toContain('  OpenAI clients: eval "$(jumpseat env --for openai)"\n');
    const follower = new Spawned(['log', '--follow', '--limit', '1'], env);
    serving.push(follower);
    await follower.until((out) => out.includes('\n'));
    const key = JSON.parse((await jumpseat(['env', '--shell', 'json'], env)).out).env.ANTHROPIC_AUTH_TOKEN.split(
      '.',
    )[0];
    expect((await ask(baseUrl, key, prompt)).status).toBe(200);
    const line =
      /^\d\d:\d\d:\d\d {2}claude-code {2}User +claude-opus-4\.8 ← opus +200 +\d+ in +\d+ cached +\d+ out +(?:\d+\.\d s|\d+ ms) +\d\.\d{2} credits$/m;
    await spawned.until((out) => line.test(out));
    await follower.until((out) => line.test(out));
    expect((await jumpseat(['logout'], env)).code).toBe(0);
    await spawned.until((out) => out.includes('\nSigned out: requests fail until a sign-in.\n'));
    expect((await jumpseat(['login'], env)).code).toBe(0);
    await spawned.until((out) => out.includes('\nSigned in as octo-demo.\n'));
    follower.child.kill('SIGINT');
    expect((await follower.ended()).code).toBe(0);
    spawned.child.kill('SIGTERM');
    expect(await spawned.ended()).toMatchObject({ code: 0, out: expect.stringMatching(/\nStopped\.\n$/) });
  });

  it('Ctrl-C waits for running answers, a second one does not', async () => {
    const { spawned, baseUrl, key } = await startServing();
    const held = simulator.script.next({ kind: 'usual', gate: new Promise<void>(() => {}) });
    const left = ask(baseUrl, key, prompt);
    // Another arrival may be what the start asks of GitHub; only this one leaves a request running.
    await held.taken;
    spawned.child.kill('SIGINT');
    await spawned.untilError((err) => err.includes('\n'));
    expect(spawned.err).toBe('1 request running: waiting up to 10 s. Ctrl-C again ends it now.\n');
    expect(spawned.child.exitCode).toBe(null);
    spawned.child.kill('SIGINT');
    expect((await spawned.ended()).code).toBe(0);
    // Ended with the reason, not just cut.
    expect((await left).status).toBe(503);
    const next = await startServing();
    next.spawned.child.kill('SIGINT');
    expect((await next.spawned.ended()).code).toBe(0);
  });

  it('setup shows, writes and undoes', async () => {
    const config = join(folder, 'claude');
    mkdirSync(config);
    const settings = join(config, 'settings.json');
    const before = '{\n  "theme": "dark", // mine\n  "env": { "ANTHROPIC_BASE_URL": "https://old.example" }\n}\n';
    writeFileSync(settings, before);
    writeFileSync(join(folder, 'user', '.bashrc'), 'export ANTHROPIC_API_KEY=sk-secret\n');
    // A Jumpseat of the person's own may run on the usual port.
    const port = String(await freePort());
    const here = { ...env, CLAUDE_CONFIG_DIR: config, JUMPSEAT_PORT: port };

    const dry = await jumpseat(['setup', 'claude-code', '--dry-run'], here);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain(
      `  - "ANTHROPIC_BASE_URL": "https://old.example"\n  + "ANTHROPIC_BASE_URL": "http://127.0.0.1:${port}"\n`,
    );
    expect(dry.out).toContain('  + "ANTHROPIC_AUTH_TOKEN": "••••••••"\n');
    expect(dry.out).not.toContain('backup');
    expect(readFileSync(settings, 'utf8')).toBe(before);

    const done = await jumpseat(['setup', 'claude-code'], here);
    expect(done.code).toBe(0);
    expect(done.out).toContain('Claude Code set up. It takes effect when you start claude.');
    expect(done.out).toContain('Before that, a backup is saved in ');
    expect(done.err).toBe(
      `ANTHROPIC_API_KEY is also set in ${join('~', '.bashrc')}, line 1. settings.json wins, so this does ` +
        `no harm now. Remove the line to avoid surprises.\n`,
    );
    expect(readdirSync(join(folder, 'home', 'backups', 'claude-code'))).toHaveLength(1);
    expect(readFileSync(settings, 'utf8')).toContain('"theme": "dark", // mine');

    expect((await jumpseat(['setup', 'claude-code'], here)).out).toBe(
      `Claude Code is set up already: 20 keys set in ${settings}.\n`,
    );
    const doctor = await jumpseat(['doctor'], here);
    expect(doctor.out).toContain(`20 keys set in ${settings}`);
    expect(doctor.out).toMatch(/^Claude Code can’t work: the proxy is off, so nothing listens on 127\.0\.0\.1:\d+\n/);
    // What the headline says and the summary counts is under what needs attention, with what turns it on.
    expect(doctor.out).toMatch(
      / 1 failed .*\n\nNeeds attention\n {2}✗ Address +The proxy is off, so nothing listens on .+\.\n +→ Run "jumpseat serve"/,
    );
    expect(doctor.code).toBe(1);

    const undone = await jumpseat(['setup', 'claude-code', '--undo'], here);
    expect(undone).toMatchObject({ code: 0, err: '' });
    expect(undone.out).toContain('Claude Code setup undone.');
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect((await jumpseat(['setup', 'claude-code', '--undo'], here)).out).toBe(
      `Nothing to undo: no key in ${settings} is Jumpseat’s.\n`,
    );

    writeFileSync(settings, '{\n  "theme": oops\n}\n');
    const broken = await jumpseat(['setup', 'claude-code'], here);
    expect(broken.code).toBe(1);
    expect(broken.err).toContain(`${settings} isn’t valid JSON (line 2`);
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "theme": oops\n}\n');
  });

  it('another account is signed in beside the first, bound to a label, and signed out alone', async () => {
    const login = await jumpseat(['login', '--account', 'Work'], env);
    const twin = 'The account “octo-demo” is signed in as octo-demo as well: both use the same quota.\n';
    expect([login.code, login.err]).toEqual([0, twin]);
    expect(login.out).toContain('The account is Work.');
    expect((await jumpseat(['accounts', 'bind', 'work', 'at-work'], env)).out).toContain('now use Work');
    const list = async (): Promise<unknown> => JSON.parse((await jumpseat(['accounts', '--json'], env)).out);
    expect(await list()).toMatchObject([
      { name: 'octo-demo', inUse: true, labels: [], login: 'octo-demo' },
      { name: 'Work', inUse: false, labels: ['at-work'], login: 'octo-demo' },
    ]);
    const out = await jumpseat(['logout', '--account', 'Work'], env);
    expect(out).toMatchObject({ code: 0, err: '', out: expect.stringContaining('The other accounts stay signed in.') });
    const secrets = readFileSync(join(folder, 'home', 'secrets.json'), 'utf8');
    expect([secrets.includes('github-token"'), secrets.includes('github-token-2')]).toEqual([true, false]);
    expect((await jumpseat(['accounts', 'remove', 'Work'], env)).code).toBe(0);
    expect(await list()).toMatchObject([{ name: 'octo-demo', inUse: true, login: 'octo-demo' }]);
    expect(await jumpseat(['accounts', 'use', 'Work'], env)).toMatchObject({
      code: 1,
      err: 'jumpseat: There is no account named "Work". There is: octo-demo.\n',
    });
  });

  it('logout forgets the token, and status says so', async () => {
    expect(await jumpseat(['logout'], env)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(folder, 'home', 'secrets.json'), 'utf8')).not.toContain('github-token');
    const { code, out } = await jumpseat(['status', '--json'], env);
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ ready: false, account: null })]);
  });
});

it('logout of one way leaves the token of the other one where it can be used, and stays with the file for it', async () => {
  const home = join(folder, 'two-ways');
  const file = (name: string) => JSON.parse(readFileSync(join(home, name), 'utf8'));
  const save = (name: string, content: object) =>
    writeFileSync(join(home, name), JSON.stringify(content), { mode: 0o600 });
  mkdirSync(home, { mode: 0o700 });
  const kept = { 'github-token': simulator.githubToken, 'local-key': 'a-key-that-settings-may-hold' };
  save('secrets.json', { ...kept, 'fine-grained-token': `github_pat_${'1'.repeat(60)}` });
  save('settings.json', { secretsStorage: 'file', admission: 'copilot-sdk', sdkCredential: 'token' });
  const here = { ...env, JUMPSEAT_HOME: home };
  expect(await jumpseat(['logout'], here)).toMatchObject({
    code: 0,
    out:
      'Signed out. The token in use is deleted on this machine; your history stays.\n' +
      'A token stored for another way in stays. ' +
      'To delete it, choose that way in Settings → Account, then sign out.\n',
  });
  expect([file('secrets.json'), file('settings.json').secretsStorage]).toEqual([kept, 'file']);
  const back = await jumpseat(['login', '--way', 'vscode', '--insecure-storage'], here);
  expect([back.code, back.out]).toEqual([0, expect.stringContaining('Signed in as octo-demo')]);
  const { 'github-token': token, ...others } = file('secrets.json');
  expect([token, Object.keys(others)]).toEqual([expect.any(String), ['local-key']]);
  expect((await jumpseat(['logout'], here)).out).toBe(
    'Signed out. The token in use is deleted on this machine; your history stays.\n',
  );
  // Claude Code's settings may hold the key, and there is no keychain that could have it.
  expect([file('secrets.json'), file('settings.json').secretsStorage]).toEqual([others, 'file']);
});

describe('unattended', () => {
  it('runs on a token and a key from the environment, and stores neither', async () => {
    const home = join(folder, 'unattended');
    const here = {
      JUMPSEAT_HOME: home,
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_KEY: 'unattended-key-for-this-test',
      JUMPSEAT_SECRETS: 'memory',
    };
    const { spawned, baseUrl, key } = await startServing(here);
    expect(key).toBe('unattended-key-for-this-test');
    expect((await ask(baseUrl, key, prompt)).status).toBe(200);
    expect((await jumpseat(['status'], { ...env, ...here })).code).toBe(0);
    expect((await jumpseat(['env'], { ...env, ...here })).out).toContain(
      'export ANTHROPIC_AUTH_TOKEN=unattended-key-for-this-test.claude-code\n',
    );
    spawned.child.kill('SIGINT');
    expect((await spawned.ended()).code).toBe(0);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1');
      expect(text.includes('unattended-key-for-this-test') || text.includes(simulator.githubToken)).toBe(false);
    }
  });

  it('a key in the memory of the running proxy is printed by env, and none is made up without it', async () => {
    const here = {
      JUMPSEAT_HOME: join(folder, 'memory'),
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_SECRETS: 'memory',
    };
    const none = await jumpseat(['env'], { ...env, ...here });
    expect([none.code, none.out]).toEqual([1, '']);
    expect(none.err).toContain('No key is stored: secrets are in memory until Jumpseat quits. Run "jumpseat serve"');
    const { spawned, key } = await startServing(here);
    const { code, out, err } = await jumpseat(['env'], { ...env, ...here });
    expect([code, err]).toEqual([0, expect.stringContaining('They work until Jumpseat quits.')]);
    expect(out).toContain(`ANTHROPIC_AUTH_TOKEN=${key}.claude-code\n`);
    const editor = await jumpseat(['env', '--for', 'acp'], { ...env, ...here });
    expect([editor.code, editor.err]).toEqual([0, expect.stringMatching(/^For the plugin of an editor[^\n]*\n$/)]);
    expect((await jumpseat(['log'], { ...env, ...here })).out).toContain('Jumpseat is running at http://127.0.0.1:');
    spawned.child.kill('SIGINT');
    await spawned.ended();
  });
});

it('demo needs nothing, says that it is simulated, works and leaves nothing', async () => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const spawned = new Spawned(['demo', '--port', '0'], {
    HOME: env.HOME ?? '',
    SHELL: '/bin/bash',
    TMPDIR: temporary,
    TEMP: temporary,
  });
  serving.push(spawned);
  const out = await spawned.until((text) => text.includes('Requests appear below.'));
  expect(out).toMatch(/^This is a demo: GitHub and Copilot are simulated on this machine\./);
  // It knows nothing of a demo.
  expect(out).not.toContain('setup claude-code');
  const baseUrl = /export ANTHROPIC_BASE_URL=(\S+)/.exec(out)?.[1] ?? '';
  const token = /export ANTHROPIC_AUTH_TOKEN=(\S+)\.claude-code/.exec(out)?.[1] ?? '';
  expect((await ask(baseUrl, token, prompt)).status).toBe(200);
  spawned.child.kill('SIGINT');
  expect((await spawned.ended()).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});

it('demo takes a free port where the usual one is taken, and keeps to one that was asked for', async () => {
  const usual = createServer((socket) => socket.destroy());
  const takesIt = (): Promise<boolean> =>
    new Promise((resolve) => {
      usual.once('error', () => resolve(false));
      usual.listen({ host: '127.0.0.1', port: 4180 }, () => resolve(true));
    });
  // Another test may have it for a moment; a Jumpseat of the person's own has it all the time.
  let isOurs = await takesIt();
  for (let looks = 0; !isOurs && looks < 30; looks += 1) {
    await sleep(500);
    isOurs = await takesIt();
  }
  try {
    const surroundings = { HOME: env.HOME ?? '', SHELL: '/bin/bash' };
    const spawned = new Spawned(['demo'], surroundings);
    serving.push(spawned);
    const out = await spawned.until((text) => text.includes('Requests appear below.'));
    expect(out).toMatch(/export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:(?!4180)\d+/);
    spawned.child.kill('SIGINT');
    const { code, err } = await spawned.ended();
    expect(code).toBe(0);
    expect(err).toMatch(/Port 4180 is in use by .+\. The demo is at http:\/\/127\.0\.0\.1:\d+\./);
    const asked = await jumpseat(['demo', '--port', '4180'], surroundings);
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('Port 4180 is in use by')]);
  } finally {
    if (isOurs) await new Promise((resolve) => usual.close(resolve));
  }
});

it('demo says that Claude Code’s settings lead it elsewhere, and nothing where there are none of an address', async () => {
  const person = join(folder, 'set-up');
  const settings = join(person, '.claude', 'settings.json');
  mkdirSync(join(person, '.claude'), { recursive: true });
  const printed = async (text: string): Promise<string> => {
    writeFileSync(settings, text);
    const spawned = new Spawned(['demo', '--port', '0'], { HOME: person, SHELL: '/bin/bash' });
    serving.push(spawned);
    const out = await spawned.until((words) => words.includes('Requests appear below.'));
    spawned.child.kill('SIGINT');
    await spawned.ended();
    return out.replaceAll(/\s+/g, ' ');
  };
  const words = 'settings.json sends Claude Code to 127.0.0.1:9 and wins over these lines';
  expect(await printed('{ "env": { "ANTHROPIC_BASE_URL": "http://me:secret@127.0.0.1:9" } }')).toContain(words);
  for (const text of ['{ "env": {} }', '{ "env": ']) expect(await printed(text)).not.toContain('wins over');
});

it.runIf(process.platform === 'linux')('a narrow terminal has the sentences of serve whole, word by word', async () => {
  const demo = { at: 'Requests appear below.', key: '\\003', log: join(folder, 'narrow'), columns: 60 };
  const { code, out } = await asked(demo, ['demo', '--port', '0'], {
    HOME: env.HOME ?? '',
    SHELL: '/bin/bash',
  }).ended();
  const lines = stripVTControlCharacters(out).split(/\r?\n/);
  expect([code, lines.filter((line) => line.length > 60 && !/http|export/.test(line))]).toEqual([0, []]);
  // This one is the proxy's.
  expect(lines).toContain('  Paste these lines into another terminal, then run "claude"');
});

it.runIf(process.platform === 'linux')('a narrow terminal has errors whole, with the command typed here', async () => {
  const here = { ...env, JUMPSEAT_SECRETS: 'memory', npm_lifecycle_event: 'jumpseat' };
  for (const [name, args] of Object.entries({ setup: ['setup', 'claude-code'], login: ['login'], env: ['env'] })) {
    const { out } = await asked({ at: 'jumpseat', key: '', log: join(folder, `err-${name}`), columns: 60 }, args, {
      ...here,
      HOME: env.HOME ?? '',
    }).ended();
    const lines = stripVTControlCharacters(out).split(/\r?\n/);
    expect([name, lines.length > 2, lines.filter((line) => line.length > 60)]).toEqual([name, true, []]);
  }
});

it('logout in a folder of its own asks before it signs out the Jumpseat of the usual one', async () => {
  const data = mkdtempSync(join(tmpdir(), 'jumpseat-logout-'));
  try {
    const usual = join(data, 'jumpseat');
    const common = { ...env, XDG_DATA_HOME: data, HOME: data };
    const inFolder = { ...common, JUMPSEAT_HOME: join(data, 'other') };
    mkdirSync(inFolder.JUMPSEAT_HOME, { mode: 0o700 });
    const token = { 'github-token': simulator.githubToken };
    const file = (name: string) => join(inFolder.JUMPSEAT_HOME, name);
    const signIn = () => {
      writeFileSync(file('secrets.json'), JSON.stringify(token), { mode: 0o600 });
      writeFileSync(file('settings.json'), JSON.stringify({ secretsStorage: 'file' }));
    };
    const kept = () => JSON.parse(readFileSync(file('secrets.json'), 'utf8'))['github-token'];
    signIn();
    expect(await jumpseat(['logout'], inFolder)).toMatchObject({ code: 0 });
    mkdirSync(usual);
    signIn();
    const refused = await jumpseat(['logout'], inFolder);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      `Nothing was signed out. The keychain has one sign-in for the Jumpseat in ${usual}, too. Run "jumpseat logout --yes"`,
    );
    expect(kept()).toBe(simulator.githubToken);
    expect(await jumpseat(['logout', '--yes'], inFolder)).toMatchObject({ code: 0 });
    expect(kept()).toBeUndefined();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
