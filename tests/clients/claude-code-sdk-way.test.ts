import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SimulatorOptions } from '../../app/simulator/options.ts';
import { fakeOwnAppToken, fakeOwnToken } from '../../app/simulator/stage.ts';
import { connectProxy } from '../app/adapters/proxies.ts';
import { forward, startAway } from './away.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';
import { fetchPatienceMs, fetchRealRuntime, lendRuntime, realRuntime } from './real-runtime.ts';

const tokens = [fakeOwnToken, fakeOwnAppToken];

/** The real Claude Code, the built product and GitHub's real runtime, against the simulated GitHub and Copilot. */
describe.skipIf(realRuntime === null || claudeBinary === '')(
  'the real Claude Code through GitHub’s own runtime',
  () => {
    let cache: string;
    beforeAll(async () => {
      cache = await fetchRealRuntime();
    }, fetchPatienceMs);

    /** Secrets lie in a file, as the person agreed, so that one command signs in for another. */
    async function start(
      settings: Record<string, unknown>,
      env: NodeJS.ProcessEnv,
      simulator: SimulatorOptions = {},
    ): Promise<Product> {
      const own = { JUMPSEAT_SECRETS: 'file', JUMPSEAT_GITHUB_TOKEN: undefined, NO_PROXY: '127.0.0.1' };
      const product = await startProduct(simulator, { secretsStorage: 'file', ...settings }, { ...own, ...env });
      onTestFinished(() => product.close());
      lendRuntime(cache, join(product.home, 'jumpseat'));
      return product;
    }
    const login = (product: Product, token: string) =>
      product.run(['login', '--way', 'copilot-sdk', '--token-stdin'], token);
    const sent = ({ simulator }: Product) => simulator.requests.filter(({ path }) => path === '/v1/messages');
    const usersAsked = ({ simulator }: Product) =>
      simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user');

    it('signs in, asks, goes on after a 401, takes up another account and its end, and no other host is asked', async () => {
      const watch = await connectProxy({ refuses: 403 });
      onTestFinished(() => watch.close());
      const outside = { HTTPS_PROXY: `http://127.0.0.1:${watch.port}`, HTTP_PROXY: `http://127.0.0.1:${watch.port}` };
      const product = await start({}, outside);
      const { simulator } = product;
      const claude = (asked: string) => runClaude(product, asked, { env: { ...outside, NO_PROXY: '127.0.0.1' } });

      // While GitHub is asked, all processes of it are there to look at.
      const asked = Promise.withResolvers<void>();
      const looked = simulator.script.next({ kind: 'usual', gate: asked.promise }, '/copilot_internal/user');
      const signingIn = login(product, fakeOwnToken);
      await looked.taken;
      const running = processes();
      asked.resolve();
      expect(await signingIn.ended()).toMatchObject({ code: 0, out: expect.stringContaining('octo-demo') });
      expect(running).toContain('--stdio');

      expect(await claude('run: echo hello')).toMatchObject({ code: 0, text: expect.stringContaining('hello') });
      expect(sent(product).map(({ status, initiator, headers }) => [status, initiator, headers.authorization])).toEqual(
        [
          [200, 'user', 'Bearer <own-token>'],
          [200, 'agent', 'Bearer <own-token>'],
        ],
      );
      expect(product.exchanges.map(({ attempts }) => attempts[0]?.sentAs)).toEqual(Array(2).fill(sentAs));

      const before = usersAsked(product).length;
      simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
      expect(await claude('say hi')).toMatchObject({ code: 0 });
      expect(
        sent(product)
          .slice(2)
          .map(({ status }) => status),
      ).toEqual([401, 200]);
      expect(usersAsked(product).length).toBeGreaterThan(before);

      expect(await login(product, fakeOwnAppToken).ended()).toMatchObject({ code: 0 });
      expect(await claude('say hi again')).toMatchObject({ code: 0 });
      expect(sent(product).at(-1)?.headers.authorization).toBe('Bearer <own-app-token>');

      expect(await product.run(['logout']).ended()).toMatchObject({ code: 0 });
      const out = await claude('nobody is there');
      expect([out.code, out.text]).toEqual([1, expect.stringContaining('Not signed in to GitHub')]);
      expect(sent(product)).toHaveLength(5);

      expect(watch.asked).toEqual([]);
      expect(simulator.script.violations).toEqual([]);
      const said = [running, product.printed, signingIn.out, signingIn.err, ...filesOf(product.home)];
      for (const text of said) for (const token of tokens) expect(text).not.toContain(token);
    }, 300_000);

    it('on a plan without a model to choose runs on what GitHub chose, with the lines that name auto', async () => {
      const to = { url: '' };
      const away = await startAway(['api.githubcopilot.com'], (incoming, answer) => forward(to.url, incoming, answer));
      onTestFinished(() => away.close());
      const product = await start({}, away.environment, { plan: 'student' });
      const { simulator } = product;
      to.url = simulator.copilotUrl;
      expect(await login(product, fakeOwnToken).ended()).toMatchObject({ code: 0 });
      const { out } = await product.run(['env', '--shell', 'json']).ended();
      const lines: Record<string, string> = JSON.parse(out).env;
      const models = Object.entries(lines).filter(([name]) => name.endsWith('_MODEL'));
      expect(models.map(([, model]) => model)).toEqual(['auto', 'auto', 'auto']);
      const env = Object.fromEntries(models);
      const { code, text } = await runClaude(product, 'run: echo hello', { model: 'opus', env });
      expect([code, text]).toEqual([0, expect.stringContaining('hello')]);
      expect(product.exchanges.map(({ askedModel, servedModel }) => [askedModel, servedModel])).toEqual(
        Array(2).fill(['auto', 'claude-sonnet-4.6']),
      );
      expect(simulator.requests.filter(({ path }) => path === '/models/session')).toHaveLength(1);
      expect(sent(product).map(({ headers }) => headers['copilot-session-token'])).toEqual(
        Array(2).fill('<auto-session-1>'),
      );
      expect(new Set(away.proxy.asked.map(({ target }) => target))).toEqual(new Set(['api.githubcopilot.com:443']));
    }, 300_000);

    it('at a company’s host asks that host and the address that it names, and no other', async () => {
      const [api, copilot] = ['api.octo.ghe.com', 'copilot-api.octo.ghe.com'];
      const to: Record<string, string> = {};
      const away = await startAway([api, copilot], (incoming, answer) =>
        forward(to[String(incoming.headers.host)] ?? '', incoming, answer),
      );
      onTestFinished(() => away.close());
      const company = { JUMPSEAT_GITHUB_URL: undefined, JUMPSEAT_GITHUB_API_URL: undefined, ...away.environment };
      const product = await start({ githubHost: 'octo.ghe.com' }, company);
      const { simulator } = product;
      Object.assign(to, { [api]: simulator.apiUrl, [copilot]: simulator.copilotUrl });
      simulator.script.nameOtherHost(`https://${copilot}`);
      expect(await login(product, fakeOwnToken).ended()).toMatchObject({ code: 0 });
      const { code, text } = await runClaude(product, 'run: echo hello');
      expect([code, text]).toEqual([0, expect.stringContaining('hello')]);
      expect(product.exchanges.map(({ status, attempts }) => [status, attempts[0]?.sentAs])).toEqual(
        Array(2).fill([200, sentAs]),
      );
      expect(new Set(away.proxy.asked.map(({ target }) => target))).toEqual(new Set([`${api}:443`, `${copilot}:443`]));
    }, 300_000);
  },
);

const sentAs = 'copilot/1.0.85 (copilot-sdk)';

/** Argument and environment of every process that may be looked at. */
function processes(): string {
  const names = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/u.test(name)) : [];
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  };
  return names.map((pid) => read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`)).join('\n');
}

/** What every file holds, apart from the one where secrets may lie, which nobody else may read. */
function filesOf(home: string): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const path of files.filter((path) => path.endsWith('secrets.json'))) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  return files.filter((path) => !path.endsWith('secrets.json')).map((path) => readFileSync(path, 'latin1'));
}
