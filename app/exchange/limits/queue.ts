import type { Exchange } from '../../api/exchange.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { refuse, Stopped } from '../recover/error.ts';

/**
 * Claude Code lets go of an answer after 300 s without a byte; a stream is kept alive with pings, a whole answer can't
 * be.
 */
export const heldAtMostMs = 290_000;
/** Each keeps its body in memory. */
const mostHeld = 200;

type End = 'let-through' | 'refused' | 'too-long';

/** Requests that wait for the person. */
export class WaitingRequests {
  readonly #clock: Clock;
  readonly #ends = new Map<string, (end: End) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#ends.size;
  }

  /** Rejects with the signal's reason when that fires first. */
  async hold(id: string, signal: AbortSignal): Promise<End> {
    signal.throwIfAborted();
    if (this.#ends.size >= mostHeld) return 'too-long';
    const over = new AbortController();
    try {
      return await new Promise<End>((resolve, reject) => {
        this.#ends.set(id, resolve);
        this.#clock.sleep(heldAtMostMs, AbortSignal.any([signal, over.signal])).then(
          () => resolve('too-long'),
          (error: unknown) => reject(error),
        );
      });
    } finally {
      this.#ends.delete(id);
      over.abort();
    }
  }

  /** One that waits, or all of them. Returns how many. */
  end(how: End, id?: string): number {
    const ends = id === undefined ? [...this.#ends.values()] : [this.#ends.get(id)].filter((end) => end !== undefined);
    for (const end of ends) end(how);
    return ends.length;
  }
}

/**
 * Asks before a burst: where too many requests started within a minute, a person's new prompts wait until the person
 * lets them through. What the agent makes of a prompt that is under way is not held; it would only break off.
 */
export class Bursts {
  readonly #limits: () => Settings['limits'];
  readonly #minute: LastMinute;
  readonly #waiting: WaitingRequests;

  constructor(parts: { clock: Clock; limits: () => Settings['limits'] }) {
    this.#limits = parts.limits;
    this.#minute = new LastMinute(parts.clock);
    this.#waiting = new WaitingRequests(parts.clock);
  }

  /** Null if it goes; it is then counted. Otherwise it waits: `hold`. */
  enter(initiator: 'user' | 'agent'): { most: number } | null {
    const { askBeforeBurst, burstPerMinute: most } = this.#limits();
    if (!askBeforeBurst) return null;
    if (initiator === 'user' && (this.#waiting.size > 0 || this.#minute.fullFor(most) > 0)) return { most };
    this.#minute.started();
    return null;
  }

  /** It was turned off: nobody waits any more. */
  off(): void {
    this.letThrough();
    this.#minute.forget();
  }

  /** Waits for the person. Rejects with the signal's reason when that fires first. */
  hold(id: string, signal: AbortSignal): Promise<End> {
    return this.#waiting.hold(id, signal);
  }

  /**
   * One that waits, or all of them; then the minute is counted anew, so that the next prompt is not asked for at once.
   * Returns how many.
   */
  letThrough(id?: string): number {
    const count = this.#waiting.end('let-through', id);
    if (id === undefined && count > 0) this.#minute.forget();
    for (let started = 0; started < count; started += 1) this.#minute.started();
    return count;
  }
}

/** Requests of one client that may wait for their turn; one more is refused. */
const mostWaiting = 32;

interface Line {
  running: number;
  waiting: (() => void)[];
}

/** How many requests of one client run at once. What is more waits in the order in which it came. */
export class ClientTurns {
  readonly #lines = new Map<string, Line>();
  readonly #atOnce: () => number;

  /** @param atOnce asked for every request: it is a setting. */
  constructor(atOnce: () => number) {
    this.#atOnce = atOnce;
  }

  /**
   * Waits for a turn and gives the way to end it, which has to be called once. Null at once: too many wait already.
   * Rejects with the signal's reason when that fires first; then there is nothing to end.
   */
  take(client: string, signal: AbortSignal): Promise<() => void> | null {
    const line = this.#lines.get(client) ?? { running: 0, waiting: [] };
    this.#lines.set(client, line);
    const release = (): void => this.#release(client, line);
    if (line.running < this.#atOnce()) {
      line.running++;
      return Promise.resolve(release);
    }
    if (line.waiting.length >= mostWaiting) return null;
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', left);
        resolve(release);
      };
      const left = (): void => {
        line.waiting = line.waiting.filter((each) => each !== go);
        reject(signal.reason);
      };
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener('abort', left, { once: true });
      line.waiting.push(go);
    });
  }

  /** There may be more turns than before: the setting was changed. */
  widened(): void {
    for (const line of this.#lines.values()) this.#next(line);
  }

  #release(client: string, line: Line): void {
    line.running--;
    this.#next(line);
    // Labels are whatever clients say; those that rest are not kept.
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(client);
  }

  #next(line: Line): void {
    while (line.running < this.#atOnce()) {
      const next = line.waiting.shift();
      if (next === undefined) break;
      line.running++;
      next();
    }
  }
}

const minuteMs = 60_000;

/** Requests that started within the last 60 s, whatever the wall clock does. */
export class LastMinute {
  readonly #clock: Clock;
  /** Starts by `ticks`, oldest first. */
  #started: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For how long, in ms, there are `most` of them or more. 0: there are fewer. */
  fullFor(most: number): number {
    const now = this.#clock.ticks();
    this.count();
    const first = this.#started.at(-most);
    return first === undefined ? 0 : first + minuteMs - now;
  }

  /** How many there were within the last minute. */
  count(): number {
    const now = this.#clock.ticks();
    this.#started = this.#started.filter((at) => now - at < minuteMs);
    return this.#started.length;
  }

  started(): void {
    this.#started.push(this.#clock.ticks());
  }

  forget(): void {
    this.#started = [];
  }
}

const busyRetrySeconds = 5;

/** A request that waits for its turn. */
interface Queued {
  call: { client: string; signal: AbortSignal };
  row: Exchange;
  /** Ms since it began. */
  since(): number;
}

/** A turn among the client's requests, and the way to end it. Throws `Stopped` at once where too many wait. */
export function takeTurn(turns: ClientTurns, run: Queued): Promise<() => void> {
  const { client, signal } = run.call;
  const turn = turns.take(client, signal);
  if (turn !== null) return waited(turn, run);
  const message = t('Jumpseat: too many requests of "{client}" at once. Wait for some of them to end.', { client });
  throw new Stopped({
    ...refuse(429, 'rate_limit_error', 'too-many-at-once', message),
    retryAfterSeconds: busyRetrySeconds,
  });
}

/** Where that took time, the row says so. */
async function waited<Turn>(turn: Promise<Turn>, run: Queued): Promise<Turn> {
  const from = run.since();
  const taken = await turn;
  const until = run.since();
  if (until - from >= 1) run.row.times.held = { from, until };
  return taken;
}
