import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nodeClock } from '../../app/adapters/clock.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { openHistory } from '../../app/history/history.ts';
import type { SimulatorOptions } from '../../app/simulator/options.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { builtCli } from '../clients/product.ts';
import { soon } from '../soon.ts';
import { Started } from '../started.ts';

/** A key that is known before the product has said anything. */
const key = 'js-attacked-0123456789abcdef0123456789abcdef';

/** One folder with the built product in it, as often as it is started, and the simulator it speaks to. */
export interface Attacked {
  simulator: Simulator;
  home: string;
  /** Starts `jumpseat serve`; `around` puts a command around its words. Resolves when it listens. */
  serve(around?: (words: readonly string[]) => readonly string[]): Promise<Serving>;
  /** Starts any command, without waiting for anything. */
  start(command: readonly string[], around?: (words: readonly string[]) => readonly string[]): Started;
  /** What the history holds on disk, oldest first. */
  rows(): Exchange[];
  /** A prompt that Copilot accepted, and whose answer runs, is on disk: in the ledger, or in the lines beside it. */
  hasAccepted(): boolean;
  isLocked(): boolean;
  close(): Promise<void>;
}

export interface Serving {
  started: Started;
  /** Of `jumpseat` itself, whatever was put around it. */
  pid: number;
  baseUrl: string;
  /** Ends `jumpseat` and waits for its end. */
  stop(): Promise<void>;
}

const running = new Set<number>();

/** @param home a folder that is there already; else a new one. */
export async function attacked(options: SimulatorOptions = {}, home?: string): Promise<Attacked> {
  const simulator = await startSimulator({ keepRequests: 100_000, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-attacked-'));
  const place = home ?? join(folder, 'home');
  const lock = join(place, 'lock');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    JUMPSEAT_HOME: place,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_KEY: key,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
  };
  const all: Started[] = [];
  const owner = (): { pid: number; port: number } => JSON.parse(readFileSync(lock, 'utf8'));
  const start: Attacked['start'] = (command, around = (plain) => plain) => {
    const [program = '', ...args] = around([process.execPath, builtCli(), ...command]);
    const started = new Started(program, args, { env });
    all.push(started);
    return started;
  };
  return {
    simulator,
    home: place,
    start,
    serve: async (around) => {
      const before = existsSync(lock) ? readFileSync(lock, 'utf8') : '';
      const started = start(['serve', '--port', '0', '--json'], around);
      const { pid, port } = await soon(() => {
        const text = readFileSync(lock, 'utf8');
        if (text === before || text === '') throw new Error(`No new lock. ${started.out}${started.err}`);
        return owner();
      });
      running.add(pid);
      return {
        started,
        pid,
        baseUrl: `http://127.0.0.1:${port}`,
        stop: async () => {
          end(pid, 'SIGTERM');
          await started.ended();
          running.delete(pid);
        },
      };
    },
    rows: () => {
      const { history } = openHistory(join(place, 'history.db'), {
        clock: nodeClock(),
        log: { write: () => undefined },
        readOnly: true,
      });
      const rows = history.recent({ limit: 1_000_000 });
      history.close();
      return rows;
    },
    hasAccepted: () => {
      // First the lines: they go when the ledger has what they say.
      if (readFileSync(join(place, 'history.db-waiting'), 'utf8').includes('"ending":"running"')) return true;
      const database = new DatabaseSync(join(place, 'history.db'), { readOnly: true });
      const found = database.prepare("SELECT 1 FROM ledger WHERE ending = 'running'").get();
      database.close();
      return found !== undefined;
    },
    isLocked: () => existsSync(lock),
    close: async () => {
      for (const pid of running) end(pid, 'SIGKILL');
      running.clear();
      for (const { child } of all) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      for (const started of all) await started.ended();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** What a client saw of one answer. */
export interface Seen {
  /** Null: no head came. */
  status: number | null;
  requestId: string | null;
  text: string;
  /** The answer came to its end. */
  ended: boolean;
}

/**
 * One request of Claude Code with a prompt of its own. Never rejects: what came of it is the answer, as far as `came`
 * was told.
 */
export function ask(
  baseUrl: string,
  promptId: string,
  words: string,
  came: (seen: Readonly<Seen>) => void = () => undefined,
): Promise<Seen> {
  const body = JSON.stringify({
    model: 'claude-sonnet-4.6',
    max_tokens: 200,
    stream: true,
    messages: [{ role: 'user', content: words }],
  });
  return new Promise((resolve) => {
    const seen: Seen = { status: null, requestId: null, text: '', ended: false };
    const outgoing = request(
      new URL('/v1/messages', baseUrl),
      {
        method: 'POST',
        agent: false,
        timeout: 60_000,
        headers: {
          authorization: `Bearer ${key}.claude-code`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'anthropic-version': '2023-06-01',
          'user-agent': 'claude-cli/2.1.328 (external, cli)',
          'x-claude-code-session-id': 'd26f2bc4-fb0d-459f-9b83-fc913dde2b60',
          'x-claude-code-request-class': 'main',
          'x-claude-1p-request-class': 'main',
          'x-claude-code-prompt-id': promptId,
        },
      },
      (response) => {
        seen.status = response.statusCode ?? null;
        seen.requestId = String(response.headers['request-id']);
        response.setEncoding('utf8').on('data', (text: string) => {
          seen.text += text;
          came(seen);
        });
        response.on('end', () => {
          seen.ended = response.complete;
        });
        response.on('error', () => undefined);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => undefined);
    outgoing.on('close', () => resolve(seen));
    outgoing.end(body);
  });
}
