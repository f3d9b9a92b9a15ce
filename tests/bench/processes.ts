import { type ChildProcess, execFileSync, type ForkOptions, fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from './client.ts';
import type { CopilotReady, Script } from './copilot.ts';

/** What a proxy can't be cheaper than: a file of `limits/` each. */
export type Limit = 'pass-through' | 'parse-and-write' | 'minimal-translator';

/** A process that is measured. */
export interface Measured {
  pid: number;
  target: Target;
  stop(): Promise<void>;
}

export interface Product extends Measured {
  /** From the spawn to the first answer. */
  ms: number;
  /** Opens the dashboard once. */
  dashboardUrl: string;
}

export class Bench {
  /** Everything the run leaves on the disk. */
  readonly folder = mkdtempSync(join(tmpdir(), 'jumpseat-bench-'));
  readonly #children: ChildProcess[] = [];
  #copilot: ChildProcess | null = null;
  #ready: CopilotReady | null = null;
  #homes = 0;

  get ready(): CopilotReady {
    if (this.#ready === null) throw new Error('The fake Copilot is not there yet.');
    return this.#ready;
  }

  get direct(): Target {
    return { name: 'direct', origin: new URL(`https://localhost:${this.ready.port}`), key: 'bench' };
  }

  async startCopilot(): Promise<void> {
    const child = this.#fork('copilot.ts', []);
    this.#copilot = child;
    this.#ready = await once<CopilotReady>(child);
    writeFileSync(this.#certificate, this.#ready.certificate);
  }

  /** From now on every answer of the fake Copilot is this. */
  async script(script: Script): Promise<void> {
    if (this.#copilot === null) return;
    const reported = once(this.#copilot);
    this.#copilot.send(script);
    await reported;
  }

  async startLimit(name: Limit): Promise<Measured> {
    const child = this.#fork(`limits/${name}.ts`, [String(this.ready.port)], { execArgv: [] });
    const { port } = await once<{ port: number }>(child);
    return this.#measured(child, { name, origin: new URL(`http://127.0.0.1:${port}`), key: 'bench' });
  }

  /**
   * The built product in the terminal, with a folder of its own unless it is told which. `terminal`: it prints its
   * lines for people, as it does for them; they come later than the one for programs. `cli`: in place of the built one.
   */
  async startProduct(
    options: {
      args?: readonly string[];
      home?: string;
      terminal?: boolean;
      cli?: string;
      env?: Record<string, string>;
    } = {},
  ): Promise<Product> {
    const cli = this.#cli(options.cli);
    const env = this.#ofProduct(options.home ?? join(this.folder, `home-${++this.#homes}`), options.env);
    const began = performance.now();
    const ownKey = 'bench'.repeat(10);
    const child = spawn(
      process.execPath,
      [...nodeFlags(), ...(options.args ?? []), cli, 'serve', '--port', '0', ...(options.terminal ? [] : ['--json'])],
      {
        env: options.terminal ? { ...env, JUMPSEAT_KEY: ownKey } : env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.#children.push(child);
    const reported: { baseUrl: string; key: string; dashboardUrl: string } = options.terminal
      ? { ...readBanner(await printed(child, /Ctrl-C/)), key: ownKey }
      : JSON.parse(await printed(child, /\n/));
    const { baseUrl, key, dashboardUrl } = reported;
    const origin = new URL(baseUrl);
    await answers(new URL('/healthz', origin));
    const ms = performance.now() - began;
    child.stdout?.resume();
    return { ...this.#measured(child, { name: 'jumpseat', origin, key: `${key}.bench` }), ms, dashboardUrl };
  }

  /** What a person waits for a command of the built product, in ms. */
  command(args: readonly string[], home: string, more: Record<string, string>): number {
    const began = performance.now();
    execFileSync(process.execPath, [...nodeFlags(), this.#cli(), ...args], {
      env: this.#ofProduct(home, more),
      stdio: 'ignore',
    });
    return performance.now() - began;
  }

  #cli(given?: string): string {
    const built = fileURLToPath(new URL('../../dist/cli/jumpseat.js', import.meta.url));
    const cli = given ?? process.env.JUMPSEAT_TEST_CLI ?? built;
    if (!existsSync(cli)) throw new Error(`${cli} is not there: build first (npm run bench does).`);
    return cli;
  }

  #ofProduct(home: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
    const github = this.direct.origin.origin;
    return {
      ...this.environment(),
      JUMPSEAT_HOME: home,
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_GITHUB_TOKEN: 'ghu_bench',
      JUMPSEAT_GITHUB_URL: github,
      JUMPSEAT_GITHUB_API_URL: github,
      ...more,
    };
  }

  /**
   * How late the events of one stamped answer come, in ms, told by a process of its own. Resolves with its beginning.
   */
  async watch({ origin, key }: Target, model: string): Promise<{ late: Promise<number[]> }> {
    const child = this.#fork('watcher.ts', [origin.origin, key, model]);
    await once(child);
    return { late: once<number[]>(child) };
  }

  /** Anything else that listens on `port` once it is ready. */
  async startOther(
    name: string,
    args: readonly string[],
    port: number,
    env: Record<string, string>,
  ): Promise<Measured> {
    const child = spawn(process.execPath, args, { env: { ...this.environment(), ...env }, stdio: 'ignore' });
    this.#children.push(child);
    const origin = new URL(`http://127.0.0.1:${port}`);
    await answers(origin, 20_000, child);
    return this.#measured(child, { name, origin, key: 'bench' });
  }

  /** Of every measured process: the fake Copilot is trusted, and compiled code is kept in this run’s folder. */
  environment(): NodeJS.ProcessEnv {
    const {
      NODE_OPTIONS: _,
      HTTPS_PROXY: _proxy,
      https_proxy: _lower,
      npm_lifecycle_event: _npm,
      ...env
    } = process.env;
    return { ...env, NODE_EXTRA_CA_CERTS: this.#certificate, NODE_COMPILE_CACHE: join(this.folder, 'compiled') };
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map((child) => stop(child)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #certificate(): string {
    return join(this.folder, 'ca.pem');
  }

  #fork(file: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
    const env = existsSync(this.#certificate) ? this.environment() : process.env;
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = fork(path, [...args], { env, execArgv: [], ...options });
    this.#children.push(child);
    return child;
  }

  #measured(child: ChildProcess, target: Target): Measured {
    return { pid: child.pid ?? 0, target, stop: () => stop(child) };
  }
}

function nodeFlags(): string[] {
  return (process.env.JUMPSEAT_BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
}

function once<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`A process of the benchmark ended (${code}).`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}

/** What a process has printed by the time that a pattern stands in it. */
function printed(child: ChildProcess, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      if (!until.test(text)) return;
      child.stdout?.off('data', onData);
      resolve(text);
    };
    child.stdout?.on('data', onData);
    child.once('exit', (code) => reject(new Error(`jumpseat ended with ${code} before it listened.`)));
  });
}

function readBanner(text: string): { baseUrl: string; dashboardUrl: string } {
  const [baseUrl = ''] = /http:\/\/[^\s,]+/.exec(text) ?? [];
  const [dashboardUrl = ''] = /http:\/\/\S+\/ui\/\S*/.exec(text) ?? [];
  return { baseUrl, dashboardUrl };
}

async function answers(url: URL, withinMs = 10_000, child?: ChildProcess): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    const ok = await new Promise<boolean>((resolve) => {
      get(url, { agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
      }).on('error', () => resolve(false));
    });
    if (ok) return;
    if (performance.now() > until || (child !== undefined && child.exitCode !== null))
      throw new Error(`${url.href} does not answer.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const hard = setTimeout(() => child.kill('SIGKILL'), 3000);
    child.once('exit', () => {
      clearTimeout(hard);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** CPU time of a process until now in ms, all its threads. */
export function cpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  if (existsSync(tasks)) {
    let ns = 0;
    for (const task of readdirSync(tasks))
      ns += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
    return ns / 1e6;
  }
  // Elsewhere as good as ps counts: hundredths of a second on macOS.
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}

/** How often the threads of a process went to sleep until now, and so how often they were woken; NaN without /proc. */
export function sleeps(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return Number.NaN;
  const status = (task: string): string => readFileSync(`${tasks}/${task}/status`, 'utf8');
  const times = readdirSync(tasks).map((task) => /^voluntary_ctxt_switches:\s+(\d+)/m.exec(status(task))?.[1] ?? 0);
  return times.reduce<number>((sum, value) => sum + Number(value), 0);
}

/** Resident memory in MiB. */
export function rssMiB(pid: number): number {
  if (existsSync(`/proc/${pid}/status`)) {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
