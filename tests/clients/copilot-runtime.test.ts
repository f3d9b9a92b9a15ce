import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askAuto, askEndpoint } from '../../app/account/sdk/ask-endpoint.ts';
import type { RuntimeDependencies } from '../../app/account/sdk/ask-runtime.ts';
import { CopilotRuntime } from '../../app/account/sdk/copilot-runtime.ts';
import type { RuntimeCredential } from '../../app/account/sdk/endpoint.ts';
import { RuntimeProcess } from '../../app/account/sdk/runtime-process.ts';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { FakeServer } from '../app/account/fake-server.ts';
import { filesBelow, isAlive, patientLimits } from '../app/account/sdk/played.ts';
import { jsonSample } from '../app/account/surroundings.ts';
import { temporaryFolder } from '../app/adapters/folder.ts';
import { connectProxy, type TestProxy } from '../app/adapters/proxies.ts';
import { until } from '../soon.ts';
import { type Away, startAway } from './away.ts';
import { fetchPatienceMs, fetchRealRuntime, realRuntime } from './real-runtime.ts';

const token = 'gho_canaryOfTheTest000000000000000001';
const ofGithub = { kind: 'token', token, host: null } as const;
/** GitHub's own runtime, fetched as the product fetches it, once for all runs of the tests on this machine. */
describe.skipIf(realRuntime === null)('GitHub’s runtime', () => {
  let runtimePath: string;
  let github: FakeServer;
  let folder: string;

  beforeAll(async () => {
    const paths = { cache: await fetchRealRuntime() };
    const common = { clock: nodeClock(), dialer: nodeDialer(), environment: {}, platform: process.platform };
    const githubApi = new URL('https://api.github.com');
    const fetched = new CopilotRuntime({ ...common, githubApi, paths, userHome: '', runtime: realRuntime });
    runtimePath = join((await fetched.installed()) ?? '', realRuntime?.program ?? '');
  }, fetchPatienceMs);

  beforeEach(async () => {
    github = await FakeServer.start({
      'GET /copilot_internal/user': () => ({ body: { ...account, endpoints: { api: github.url.origin } } }),
    });
    folder = join(temporaryFolder(), 'copilot-runtime');
  });
  afterEach(() => github.stop());

  const account = jsonSample('copilot_internal-user-student-token-billing.json');
  const dependencies = (more: Partial<RuntimeDependencies> = {}): RuntimeDependencies => ({
    clock: nodeClock(),
    dialer: {},
    environment: {},
    platform: process.platform,
    githubApi: github.url,
    folder,
    limits: patientLimits,
    ...more,
  });
  const ask = (credential: RuntimeCredential = ofGithub, more: Partial<RuntimeDependencies> = {}) =>
    askEndpoint(dependencies(more), { runtimePath, credential });

  it('was unpacked whole, with GitHub’s licence beside it', () => {
    const license = readFileSync(join(runtimePath, '..', '..', '..', 'LICENSE.md'), 'utf8');
    expect(license).toContain('redistribute unmodified copies of the Software');
    expect(statSync(runtimePath).mode & 0o777).toBe(0o755);
  });

  it('gives an endpoint, asks GitHub about the account alone, and leaves nothing', async () => {
    const answer = await ask();
    expect(answer).toEqual({
      ok: true,
      endpoint: {
        baseUrl: github.url,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'Openai-Intent': 'conversation-agent',
          'X-Initiator': 'user',
          'X-GitHub-Api-Version': '2026-08-01',
          'Copilot-Integration-Id': 'copilot-sdk',
          'Copilot-Harness-Id': 'copilot-sdk',
          'X-Interaction-Id': expect.stringMatching(/^[0-9a-f-]{36}$/u),
          'User-Agent': expect.stringMatching(/^copilot\/1\.0\.85 /u),
          'Editor-Version': 'copilot/1.0.85',
          Authorization: `Bearer ${token}`,
        },
        runtimeVersion: '1.0.85',
        host: 'github.com',
        login: account.login,
        plan: account.copilot_plan,
        user: expect.objectContaining({ login: account.login, access_type_sku: account.access_type_sku }),
      },
    });
    expect(github.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /copilot_internal/user']);
    expect(github.seen[0]?.headers).not.toHaveProperty('x-client-machine-id');
    expect(Object.keys(filesBelow(folder)).filter((name) => name.startsWith('ask-'))).toEqual([]);
    expect(JSON.stringify(filesBelow(folder))).not.toContain('canary');
  });

  it('asks GitHub each time, and sees that a token was taken back', async () => {
    expect(await ask()).toMatchObject({ ok: true });
    github.routes['GET /copilot_internal/user'] = () => ({ status: 401, body: { message: 'Bad credentials' } });
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'token-refused', status: 401 } });
    github.routes['GET /copilot_internal/user'] = () => ({ status: 403, body: { message: 'Not accessible' } });
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'no-copilot', status: 403 } });
    github.routes['GET /copilot_internal/user'] = () => ({ status: 502, body: 'bad gateway' });
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'github-failed', status: 502 } });
    github.routes['GET /copilot_internal/user'] = () => ({ body: { ...account, endpoints: {} } });
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'no-address' } });
    expect(github.seen.length).toBeGreaterThanOrEqual(5);
  });

  it('answers several questions at once, each for its own account', async () => {
    github.routes['GET /copilot_internal/user'] = ({ headers }) => ({
      body: { ...account, login: headers.authorization?.slice(-5), endpoints: { api: github.url.origin } },
    });
    const tokens = ['gho_canary00001', 'gho_canary00002', 'gho_canary00003'];
    const answers = await Promise.all(tokens.map((one) => ask({ ...ofGithub, token: one })));
    const got = answers.map((answer) =>
      answer.ok ? [answer.endpoint.login, answer.endpoint.headers.Authorization] : answer.failure.kind,
    );
    expect(got).toEqual(tokens.map((one) => [one.slice(-5), `Bearer ${one}`]));
    expect(Object.keys(filesBelow(folder)).filter((name) => /^ask-|copilot-user/u.test(name))).toEqual([]);
  });

  it('has no account without a sign-in', async () => {
    const copilotHome = temporaryFolder();
    const answer = await ask({ kind: 'stored-sign-in', copilotHome });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'not-signed-in' } });
    expect(github.seen).toEqual([]);
  });

  it('uses what the Copilot CLI stored, and leaves no session there', async () => {
    // As the CLI does it where there is no keychain and the person agreed to a file.
    const copilotHome = temporaryFolder();
    writeFileSync(join(copilotHome, 'settings.json'), JSON.stringify({ storeTokenPlaintext: true }));
    const work = temporaryFolder();
    const env = {
      ...{ HOME: work, XDG_CACHE_HOME: work, COPILOT_HOME: copilotHome },
      COPILOT_DEBUG_GITHUB_API_URL: github.url.origin,
    };
    const args = ['--headless', '--stdio'];
    const cli = new RuntimeProcess({ path: runtimePath, args, env, cwd: work, clock: nodeClock() });
    await cli.call('connect', {}, 'its start', 40_000);
    const login = String(account.login);
    await cli.call('account.login', { host: 'https://github.com', token, login }, 'the sign-in', 40_000);
    await cli.end();
    const answer = await ask({ kind: 'stored-sign-in', copilotHome });
    expect(answer).toMatchObject({
      ok: true,
      endpoint: { login: account.login, headers: { Authorization: `Bearer ${token}` } },
    });
    const sessions = () => Object.keys(filesBelow(copilotHome)).filter((name) => /session-state./u.test(name));
    expect(sessions()).toEqual([]);
    expect(JSON.stringify(filesBelow(folder))).not.toContain('canary');
    github.routes['GET /copilot_internal/user'] = () => ({ status: 401, body: { message: 'Bad credentials' } });
    const refused = await ask({ kind: 'stored-sign-in', copilotHome });
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'token-refused', status: 401 } });
    expect(sessions()).toEqual([]);
  });

  describe('behind a proxy that lets nothing through', () => {
    let proxy: TestProxy;
    beforeEach(async () => {
      proxy = await connectProxy({ refuses: 403 });
    });
    afterEach(() => proxy.close());
    const through = () => ({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const hosts = () => [...new Set(proxy.asked.map(({ target }) => target))];

    it('shows a company’s token to the company’s host alone', async () => {
      const githubApi = new URL('https://api.octo.ghe.com');
      const answer = await ask({ ...ofGithub, host: 'octo.ghe.com' }, { environment: through(), githubApi });
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'not-resolved' } });
      expect(hosts()).toEqual(['api.octo.ghe.com:443']);
    });

    it('is offline', async () => {
      const githubApi = new URL('https://api.github.com');
      const answer = await ask(ofGithub, { environment: through(), githubApi });
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'offline' } });
      expect(hosts()).toEqual(['api.github.com:443']);
    });

    it('asks api.githubcopilot.com for Auto, whatever the address of the account, and does without it', async () => {
      github.routes['GET /models'] = () => ({ body: { data: [] } });
      const auto = await askAuto(dependencies({ environment: through() }), { runtimePath, credential: ofGithub });
      expect(auto).toEqual({ ok: true, session: null });
      expect(hosts()).toEqual(['api.githubcopilot.com:443']);
    });
  });

  describe('behind a company’s proxy and certificate', () => {
    let away: Away;
    let seen: string[];
    let answers: Record<string, object>;
    let environment: Record<string, string>;

    beforeEach(async () => {
      seen = [];
      answers = {};
      away = await startAway(['api.octo.ghe.com', 'api.githubcopilot.com'], (request, response) => {
        const asked = `${request.method} ${request.headers.host}${request.url}`;
        seen.push(`${asked} ${request.headers.authorization}`);
        request.resume();
        response.writeHead(asked in answers ? 200 : 404).end(JSON.stringify(answers[asked] ?? {}));
      });
      environment = away.environment;
    });
    afterEach(() => away.close());

    it('gives the endpoint of a company’s host', async () => {
      const api = 'https://copilot-api.octo.ghe.com';
      answers['GET api.octo.ghe.com/copilot_internal/user'] = { ...account, endpoints: { api } };
      const githubApi = new URL('https://api.octo.ghe.com');
      const answer = await ask({ ...ofGithub, host: 'octo.ghe.com' }, { environment, githubApi });
      const endpoint = { baseUrl: new URL(api), host: 'octo.ghe.com', login: account.login };
      expect(answer).toMatchObject({ ok: true, endpoint });
      expect(seen).toEqual([`GET api.octo.ghe.com/copilot_internal/user Bearer ${token}`]);
    });

    it('gives Auto’s choice', async () => {
      github.routes['GET /models'] = () => ({ body: { data: [] } });
      const expires_at = Math.floor(Date.now() / 1000) + 3600;
      answers['POST api.githubcopilot.com/models/session'] = {
        session_token: 'auto-1',
        available_models: ['claude-sonnet-5'],
        selected_model: 'claude-sonnet-5',
        expires_at,
        discounted_costs: {},
      };
      const auto = await askAuto(dependencies({ environment }), { runtimePath, credential: ofGithub });
      expect(seen).toEqual([`POST api.githubcopilot.com/models/session Bearer ${token}`]);
      expect(auto).toEqual({
        ok: true,
        session: {
          header: 'Copilot-Session-Token',
          token: 'auto-1',
          model: 'claude-sonnet-5',
          expiresAt: expires_at * 1000,
        },
      });
    });
  });

  it.runIf(process.platform === 'linux')('holds its token in memory alone, and listens to no port', async () => {
    // It waits for GitHub's answer while it is looked at.
    let look: (() => void) | null = null;
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    const seen: Record<string, string>[] = [];
    github.routes['GET /copilot_internal/user'] = async () => {
      for (const pid of childrenRunning(runtimePath)) {
        const of = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1');
        seen.push({ cmdline: of('cmdline'), environ: of('environ'), listening: listeningPorts(pid).join() });
      }
      seen.push(filesBelow(folder));
      look?.();
      return { body: { ...account, endpoints: { api: github.url.origin } } };
    };
    expect(await ask()).toMatchObject({ ok: true });
    await looked;
    expect(seen).toHaveLength(2);
    expect(seen[0]?.cmdline).toContain('--stdio');
    expect(seen[0]?.environ).toContain('COPILOT_ALLOW_GET_PROVIDER_ENDPOINT');
    expect(seen[0]?.listening).toBe('');
    expect(JSON.stringify(seen)).not.toContain('canary');
  });

  it('ends when the Jumpseat that started it is killed', async () => {
    const place = temporaryFolder();
    const file = join(place, 'jumpseat.mjs');
    const held = [
      `import { RuntimeProcess } from ${JSON.stringify(new URL('../../app/account/sdk/runtime-process.ts', import.meta.url).href)};`,
      `import { nodeClock } from ${JSON.stringify(new URL('../../app/adapters/clock.ts', import.meta.url).href)};`,
      `const env = { HOME: ${JSON.stringify(place)}, XDG_CACHE_HOME: ${JSON.stringify(place)} };`,
      `const runtime = new RuntimeProcess({ path: ${JSON.stringify(runtimePath)}, args: ['--headless', '--stdio'],`,
      `  env, cwd: ${JSON.stringify(place)}, clock: nodeClock() });`,
      `await runtime.call('connect', {}, 'its start', 40_000);`,
      'process.stdout.write(String(runtime.pid));',
      'setInterval(() => {}, 1000);',
    ];
    writeFileSync(file, held.join('\n'));
    const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (data) => resolve(Number(data))));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  it.runIf(process.platform === 'linux')('that is killed at any step leaves no process and no folder', async () => {
    const found: string[] = [];
    for (let step = 1; step <= 5; step += 1) {
      let asked = -1;
      const clock = nodeClock();
      const killing: typeof clock = {
        ...clock,
        // Looked at once for all steps together, then before each of them.
        ticks: () => {
          asked += 1;
          if (asked === step) for (const pid of childrenRunning(runtimePath)) process.kill(pid, 'SIGKILL');
          return clock.ticks();
        },
      };
      const answer = await ask(ofGithub, { clock: killing });
      found.push(
        answer.ok ? `an endpoint, ${answer.endpoint.user === null ? 'no' : 'with'} details` : answer.failure.kind,
      );
      expect(childrenRunning(runtimePath)).toEqual([]);
      expect(Object.keys(filesBelow(folder)).filter((name) => name.startsWith('ask-'))).toEqual([]);
    }
    // connect, session.create, getStatus, getEndpoint, and the details of the account, which are done without.
    expect(found).toEqual(['died', 'died', 'died', 'died', 'an endpoint, no details']);
  });

  it('that is killed in the middle of a call is known at once', async () => {
    const place = temporaryFolder();
    const env = { HOME: place, XDG_CACHE_HOME: place };
    const process_ = { path: runtimePath, args: ['--headless', '--stdio'], env, cwd: place, clock: nodeClock() };
    const started = new RuntimeProcess(process_);
    await started.call('connect', {}, 'its start', 40_000);
    const { pid } = started;
    const waiting = started.call('session.create', {}, 'the sign-in', 40_000);
    waiting.catch(() => undefined);
    process.kill(pid ?? 0, 'SIGKILL');
    await expect(waiting).rejects.toMatchObject({ kind: 'died', message: 'signal SIGKILL' });
    await started.end();
  });
});

/** The processes that run this program. */
function childrenRunning(path: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0] === path;
      } catch {
        return false;
      }
    });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The addresses on which a process listens. */
function listeningPorts(pid: number): string[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`))
      .map(([, address]) => address ?? ''),
  );
}
