import type { Clock } from '../../ports.ts';
import { Kept } from '../kept.ts';

/** An answer under way or ended, as far as its calls matter. */
interface Answered {
  row: { client: string };
  facts: { blocks: readonly { name: string | null }[] };
}

/** Of an ended answer: calls whose searches were not made yet. */
interface Calls {
  left: number;
  /** By the clock's ticks, in ms. */
  until: number;
}

/** The function `run` of Codex's namespace `web`, as it is told to a model. */
const webRun = 'web__run';
const clientsKept = 1000;
/** Codex begins at once, one search perhaps after the other. What has not begun by then was not wanted. */
export const beginsWithinMs = 60_000;

/**
 * Searches that models have called for with Codex's own tool, which Codex makes by a request of its own: a sign that
 * a person can't type. Each stands for one request, which comes soon. In this process alone.
 */
export class WebRuns {
  readonly #underWay: () => Iterable<Answered>;
  readonly #clock: Pick<Clock, 'ticks'>;
  /** Made for calls of answers that still run. */
  readonly #made = new WeakMap<Answered, number>();
  /** By the client's label. */
  readonly #called = new Kept<Calls[]>(clientsKept);

  constructor(underWay: () => Iterable<Answered>, clock: Pick<Clock, 'ticks'>) {
    this.#underWay = underWay;
    this.#clock = clock;
  }

  ended(answer: Answered): void {
    const left = this.#leftOf(answer);
    if (left < 1) return;
    const { client } = answer.row;
    this.#called.keep(client, [...this.#takeOut(client), { left, until: this.#clock.ticks() + beginsWithinMs }]);
  }

  /** True: a model has called for this one. Codex may begin it while the answer that calls for it still runs. */
  take(client: string): boolean {
    for (const answer of this.#underWay()) {
      if (answer.row.client !== client || this.#leftOf(answer) < 1) continue;
      this.#made.set(answer, (this.#made.get(answer) ?? 0) + 1);
      return true;
    }
    const called = this.#takeOut(client);
    const last = called.pop();
    if (last === undefined) return false;
    if (last.left > 1) called.push({ left: last.left - 1, until: this.#clock.ticks() + beginsWithinMs });
    if (called.length > 0) this.#called.keep(client, called);
    return true;
  }

  #leftOf(answer: Answered): number {
    return answer.facts.blocks.filter(({ name }) => name === webRun).length - (this.#made.get(answer) ?? 0);
  }

  /** Without those whose time is over. */
  #takeOut(client: string): Calls[] {
    const now = this.#clock.ticks();
    return (this.#called.takeOut(client) ?? []).filter(({ until }) => now < until);
  }
}
