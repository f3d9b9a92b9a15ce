import type { Clock } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import { LastMinute } from './last-minute.ts';

/**
 * Claude Code lets go of an answer after 300 s without a byte; a stream is kept alive with pings, a whole answer can't
 * be.
 */
export const heldAtMostMs = 290_000;
/** Each keeps its body in memory. */
const mostHeld = 200;

type End = 'let-through' | 'too-long';

/**
 * Asks before a burst: where too many requests started within a minute, a person's new prompts wait until the person
 * lets them through. What the agent makes of a prompt that is under way is not held; it would only break off.
 */
export class Bursts {
  readonly #clock: Clock;
  readonly #limits: () => Settings['limits'];
  readonly #minute: LastMinute;
  readonly #held = new Map<string, (end: End) => void>();

  constructor(parts: { clock: Clock; limits: () => Settings['limits'] }) {
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#minute = new LastMinute(parts.clock);
  }

  /** Null: it goes, and is counted. Else it has to wait: `hold`. */
  enter(initiator: 'user' | 'agent'): { most: number } | null {
    const { askBeforeBurst, burstPerMinute: most } = this.#limits();
    if (!askBeforeBurst) {
      this.#minute.forget();
      return null;
    }
    if (initiator === 'user' && (this.#held.size > 0 || this.#minute.fullFor(most) > 0)) return { most };
    this.#minute.started();
    return null;
  }

  /** Waits for the person. Rejects with the signal's reason when that fires first. */
  async hold(id: string, signal: AbortSignal): Promise<End> {
    signal.throwIfAborted();
    if (this.#held.size >= mostHeld) return 'too-long';
    const over = new AbortController();
    try {
      return await new Promise<End>((resolve, reject) => {
        this.#held.set(id, resolve);
        this.#clock.sleep(heldAtMostMs, AbortSignal.any([signal, over.signal])).then(
          () => resolve('too-long'),
          (error: unknown) => reject(error),
        );
      });
    } finally {
      this.#held.delete(id);
      over.abort();
    }
  }

  /**
   * One that waits, or all of them; then the minute is counted anew, so that the next prompt is not asked for at once.
   * Returns how many.
   */
  letThrough(id?: string): number {
    const waiting = id === undefined ? [...this.#held.values()] : [this.#held.get(id)].filter((go) => go !== undefined);
    if (id === undefined && waiting.length > 0) this.#minute.forget();
    for (const go of waiting) {
      this.#minute.started();
      go('let-through');
    }
    return waiting.length;
  }
}
