import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Exchange, exchangeSchema } from '../../app/api.ts';
import type { SimulatorOptions } from '../../app/simulator/options.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';

/** The built product as its own process, against a simulator in this one. */
export interface Product {
  simulator: Simulator;
  baseUrl: string;
  key: string;
  home: string;
  /** Rows of ended exchanges, as the product says them on its standard output. */
  exchanges: Exchange[];
  /** Waits for a row. */
  ended(matches: (exchange: Exchange) => boolean): Promise<Exchange>;
  close(): Promise<void>;
}

export function builtCli(): string {
  const cli = process.env.JUMPSEAT_TEST_CLI ?? join(import.meta.dirname, '../../dist/cli/jumpseat.js');
  if (!existsSync(cli))
    throw new Error(`${cli} is not built. Run the tests with "npm test", or "npm run build" first.`);
  return cli;
}

export async function startProduct(options: SimulatorOptions = {}): Promise<Product> {
  const simulator = await startSimulator(options);
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-product-'));
  const child = spawn(process.execPath, [builtCli(), 'serve', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      JUMPSEAT_HOME: join(home, 'jumpseat'),
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    },
  });
  const exchanges: Exchange[] = [];
  const waiting: (() => void)[] = [];
  const listening = Promise.withResolvers<{ baseUrl: string; key: string }>();
  child.once('exit', (code) => listening.reject(new Error(`The product ended with ${code}.`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said: Record<string, unknown> = JSON.parse(line);
    if (said.event === 'listening') listening.resolve({ baseUrl: String(said.baseUrl), key: String(said.key) });
    if (said.event !== 'exchange') return;
    exchanges.push(exchangeSchema.parse(said));
    for (const check of waiting) check();
  });
  const { baseUrl, key } = await listening.promise;
  return {
    simulator,
    baseUrl,
    key,
    home,
    exchanges,
    ended: (matches) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = exchanges.find(matches);
          if (found !== undefined) resolve(found);
        };
        waiting.push(check);
        check();
      }),
    close: async () => {
      await endProcess(child);
      await simulator.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGINT');
  const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(hard);
}
