import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exchange, exchangeSchema } from '../../app/api/exchange.ts';
import type { SimulatorOptions } from '../../app/simulator/options.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { patienceMs, until } from '../soon.ts';
import { Started } from '../started.ts';

/** Where a client finds a server of ours, and a folder of its own for it; `settled` once nothing runs there. */
export type Reached = Pick<Product, 'baseUrl' | 'key' | 'home' | 'settled'>;

/** The built product as its own process, against a simulator in this one. */
export interface Product {
  simulator: Simulator;
  baseUrl: string;
  /** A one-time link to the dashboard. */
  dashboardUrl: string;
  key: string;
  home: string;
  /** Rows of ended exchanges, as the product says them on its standard output. */
  readonly exchanges: Exchange[];
  /** Waits for a row. */
  ended(matches: (exchange: Exchange) => boolean): Promise<Exchange>;
  /** Waits until nothing runs and every row is there: a client has its answer before the row is written. */
  settled(): Promise<unknown>;
  /** Another command of the product, in its home. */
  run(args: readonly string[], input?: string): Started;
  /** Calls as the dashboard does, whose link is used up by the first one. */
  call(name: string, ...given: readonly unknown[]): Promise<unknown>;
  /** All that it has printed. */
  readonly printed: string;
  close(): Promise<void>;
}

export function builtCli(): string {
  const cli = process.env.JUMPSEAT_TEST_CLI ?? join(import.meta.dirname, '../../dist/cli/jumpseat.js');
  if (!existsSync(cli))
    throw new Error(`${cli} is not built. Run the tests with "npm test", or "npm run build" first.`);
  return cli;
}

/**
 * @param settings what the person has in settings.json
 * @param env of the product, besides its own; undefined takes one away. It may need the simulator's addresses
 */
export async function startProduct(
  options: SimulatorOptions = {},
  settings: Record<string, unknown> | null = null,
  env: NodeJS.ProcessEnv | ((simulator: Simulator) => NodeJS.ProcessEnv) = {},
): Promise<Product> {
  const simulator = await startSimulator(options);
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-product-'));
  if (settings !== null) {
    mkdirSync(join(home, 'jumpseat'), { mode: 0o700 });
    writeFileSync(join(home, 'jumpseat', 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  }
  const variables = {
    PATH: process.env.PATH,
    HOME: home,
    JUMPSEAT_HOME: join(home, 'jumpseat'),
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    ...(typeof env === 'function' ? env(simulator) : env),
  };
  const jumpseat = new Started(process.execPath, [builtCli(), 'serve', '--port', '0', '--json'], { env: variables });
  const { baseUrl, key, dashboardUrl }: Pick<Product, 'baseUrl' | 'key' | 'dashboardUrl'> = JSON.parse(
    await jumpseat.line(),
  );
  const exchanges = (): Exchange[] =>
    jumpseat.out
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'exchange')
      .map((said) => exchangeSchema.parse(said));
  let cookie: Promise<string> | undefined;
  return {
    simulator,
    baseUrl,
    dashboardUrl,
    key,
    home,
    get exchanges() {
      return exchanges();
    },
    ended: async (matches) => {
      await jumpseat.until(() => exchanges().some(matches));
      const found = exchanges().find(matches);
      if (found === undefined) throw new Error('A row came and went.');
      return found;
    },
    settled: () =>
      until(
        async () => {
          const { running, ended } = await counts(baseUrl, key);
          return running === 0 && ended === exchanges().length;
        },
        () => jumpseat.out.replace(key, '…'),
      ),
    run: (args, input) =>
      new Started(process.execPath, [builtCli(), ...args], { env: variables, ...(input !== undefined && { input }) }),
    call: async (name, ...given) => {
      cookie ??= dashboardCookie(dashboardUrl);
      const answer = await fetch(new URL(`/ui/api/call/${name}`, baseUrl), {
        ...{ method: 'POST', body: JSON.stringify(given), signal: AbortSignal.timeout(patienceMs) },
        headers: { 'content-type': 'application/json', origin: new URL(baseUrl).origin, cookie: await cookie },
      });
      const { ok, value, problem } = (await answer.json()) as { ok: boolean; value?: unknown; problem?: unknown };
      if (!ok) throw new Error(`${name}: ${JSON.stringify(problem)}`);
      return value;
    },
    get printed() {
      return jumpseat.out + jumpseat.err;
    },
    close: async () => {
      await jumpseat.stop();
      await simulator.close();
      // A client that is ending may write there still.
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function dashboardCookie(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** What the product counts itself. */
async function counts(baseUrl: string, key: string): Promise<{ running: number; ended: number }> {
  const answer = await fetch(`${baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${key}.test` },
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await answer.text();
  const sum = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
      (all, [, value]) => all + Number(value),
      0,
    );
  return { running: sum('jumpseat_requests_running'), ended: sum('jumpseat_requests_total') };
}
