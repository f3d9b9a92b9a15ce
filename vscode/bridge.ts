import { randomBytes } from 'node:crypto';
import type { Clock, Log } from '../app/ports.ts';
import { LocalServer } from '../app/server/server.ts';
import { RunningCalls } from '../app/server/take-call.ts';
import { isWindowKey, type ServedWindow } from '../app/through-vscode/served-window.ts';
import type { LmExchange } from './exchange.ts';
import { type HandOver, isServing } from './hand-over.ts';
import type { LmModel } from './models.ts';
import { callRoutes, healthRoute, modelsRoutes } from './routes.ts';
import { type BridgeState, type CopilotHealth, stateWords } from './status.ts';

interface BridgeDependencies {
  version: string;
  window: string;
  handOver: HandOver;
  exchange: LmExchange;
  models(): Promise<readonly LmModel[]>;
  health(): CopilotHealth;
  /** Null if none was made yet. */
  readKey(): PromiseLike<string | undefined>;
  keepKey(key: string): PromiseLike<void>;
  /** 0: a free port. */
  port(): number;
  /** The one that was served last, for clients that know it; 0: none. */
  lastPort(): number;
  rememberPort(port: number): void;
  clock: Clock;
  log: Log;
  /** A line for people, at each change of state. */
  logState(line: string): void;
  changed(): void;
  /** Process id of this window's extensions. */
  pid: number;
  /** How often it is looked which window serves, in ms. */
  lookEveryMs?: number;
}

const lookEveryMs = 2_000;
/** Running answers get this long when the window closes or it is switched off. */
const graceMs = 500;
/** A port that clients know is tried this often before another one is taken: the last window may still have it. */
const knownPortTries = 5;
const knownPortEveryMs = 200;

/**
 * Whether this window serves, another one does, or none has to. One step at a time: switching on, off and looking never
 * cross.
 */
export class Bridge {
  readonly #dependencies: BridgeDependencies;
  readonly #running = new RunningCalls();
  #state: BridgeState = { kind: 'off' };
  #server: LocalServer | null = null;
  #wanted = false;
  #timer: NodeJS.Timeout | null = null;
  #steps: Promise<void> = Promise.resolve();
  /** The window that served when this one looked last, so that clients find the next one where they know it. */
  #before: ServedWindow | null = null;

  constructor(dependencies: BridgeDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): BridgeState {
    return this.#state;
  }

  /** Resolves when this window serves, or knows why not. */
  async start(): Promise<void> {
    this.#wanted = true;
    this.#timer ??= setInterval(
      () => void this.#step(() => this.#look()),
      this.#dependencies.lookEveryMs ?? lookEveryMs,
    );
    if (this.#state.kind === 'off') this.#become({ kind: 'starting' });
    await this.#step(() => this.#look());
  }

  /** Running answers are ended. */
  async stop(): Promise<void> {
    this.#wanted = false;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#step(() => this.#close());
    this.#become({ kind: 'off' });
  }

  /** Starts again on another port, or after a problem. */
  async restart(): Promise<void> {
    if (!this.#wanted) return;
    await this.stop();
    await this.start();
  }

  /** Where clients find the window that serves, this one or another; null if none does. */
  where(): { port: number; key: string } | null {
    const { kind } = this.#state;
    return kind === 'serving' || kind === 'elsewhere' ? this.#dependencies.handOver.read() : null;
  }

  #step(work: () => Promise<void>): Promise<void> {
    const next = this.#steps.then(work);
    this.#steps = next.catch(() => undefined);
    return next;
  }

  /** Finds the window that serves. Takes over if none does, and stops if another one has begun. */
  async #look(): Promise<void> {
    if (!this.#wanted) return;
    const found = this.#dependencies.handOver.read();
    if (this.#server !== null) {
      if (found === null) this.#announce();
      else await this.#isOvertaken();
      return;
    }
    if (await this.#isOvertaken()) return;
    if (this.#wanted) await this.#serve();
  }

  async #serve(): Promise<void> {
    const { port: asked, lastPort, rememberPort } = this.#dependencies;
    const chosen = asked();
    try {
      const key = await this.#key();
      const known = this.#before?.port ?? lastPort();
      const port = await this.#listen(
        key,
        chosen === 0 ? [...new Array<number>(knownPortTries).fill(known), 0] : [chosen],
      );
      if (await this.#isOvertaken()) return;
      rememberPort(port);
      this.#become({ kind: 'serving', port });
      this.#announce(key);
    } catch (error) {
      await this.#close();
      if (!(await this.#isOvertaken())) this.#become(problemOf(error, chosen));
    }
  }

  /** Whether another window serves, also one that was faster in the same moment: it has the port that clients know. */
  async #isOvertaken(): Promise<boolean> {
    const { handOver, pid } = this.#dependencies;
    const found = handOver.read();
    if (found === null || found.pid === pid || !(await isServing(found))) return false;
    await this.#close();
    this.#before = found;
    this.#become({ kind: 'elsewhere', port: found.port });
    return true;
  }

  /** Listens on the first free port. A port that is listed several times is tried again after a pause. */
  async #listen(key: string, ports: readonly number[]): Promise<number> {
    const { version, exchange, models, health, window, clock, log } = this.#dependencies;
    for (const [at, port] of ports.entries()) {
      const server = new LocalServer({
        ...{ key, secret: key, version, clock, log, wrongKey, running: this.#running },
        calls: [...callRoutes(exchange, this.#running), healthRoute(version, health)],
        routes: [modelsRoutes(models, window)],
      });
      try {
        const taken = await server.listen(port);
        server.serve();
        this.#server = server;
        return taken;
      } catch (error) {
        if (at === ports.length - 1) throw error;
        if (ports[at + 1] !== port) continue;
        await clock.sleep(knownPortEveryMs);
        if (await this.#isOvertaken()) throw error;
      }
    }
    throw new Error('There is no port to listen on.');
  }

  #announce(key?: string): void {
    if (this.#state.kind !== 'serving') return;
    const { port } = this.#state;
    const write = (known: string): void =>
      this.#dependencies.handOver.write({ port, key: known, pid: this.#dependencies.pid });
    if (key !== undefined) write(key);
    // The file is gone: it is written anew.
    else
      void this.#key()
        .then(write)
        .catch(() => undefined);
  }

  async #close(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    this.#dependencies.handOver.remove(this.#dependencies.pid);
    await server.stop(graceMs);
  }

  /** Key of the previous window, which clients know; otherwise the one that was made once. */
  async #key(): Promise<string> {
    const known = this.#before?.key ?? (await this.#dependencies.readKey());
    if (isWindowKey(known)) return known;
    const made = randomBytes(32).toString('base64url');
    await this.#dependencies.keepKey(made);
    return made;
  }

  #become(state: BridgeState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#dependencies.logState(stateWords(state));
    this.#dependencies.changed();
  }
}

const wrongKey =
  'Jumpseat: this key isn’t mine. Run “Jumpseat: Copy Environment” in VS Code and use the lines that it copies.';

function problemOf(error: unknown, port: number): BridgeState & { kind: 'problem' } {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return {
      kind: 'problem',
      text: `Port ${port} is used by another program.`,
      remedy: 'Set jumpseat.port to another port, or to 0 for any free port.',
    };
  if (code === 'EACCES' && port > 0 && port < 1024)
    return {
      kind: 'problem',
      text: `Port ${port} may not be used.`,
      remedy: 'Choose one above 1023 in jumpseat.port.',
    };
  const why = error instanceof Error ? error.message : String(error);
  return {
    kind: 'problem',
    text: `Jumpseat could not start: ${why}.`,
    remedy: 'See that its folder can be written, then run “Jumpseat: Enable” again.',
  };
}
