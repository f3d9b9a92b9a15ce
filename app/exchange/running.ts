import type { Listeners, RunningAnswer } from '../api/events.ts';
import type { Exchange } from '../api/exchange.ts';
import { costSoFar, outputSoFar } from './charge.ts';
import type { Run } from './record.ts';

const everyMs = 100;

/** The exchanges under way, and how far they are. */
export class Running {
  readonly runs = new Set<Run>();
  readonly #listeners: Pick<Listeners, 'isHeard' | 'tell'>;
  #due = false;

  /** @param listeners get how much the answers have said so far: all in one go, ten times a second at most */
  constructor(listeners: Pick<Listeners, 'isHeard' | 'tell'>) {
    this.#listeners = listeners;
  }

  /** Their rows as far as they have come. Who asks may have opened just now: what they cost so far is told again. */
  rows(): Exchange[] {
    if (this.runs.size > 0 && this.#listeners.isHeard) this.moved();
    return Array.from(this.runs, rowSoFar);
  }

  /** Runs for every chunk while somebody listens. */
  moved(): void {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => this.#tell(), everyMs).unref();
  }

  #tell(): void {
    this.#due = false;
    const running: RunningAnswer[] = [];
    for (const { row, facts, chosen } of this.runs) {
      const output = outputSoFar(facts);
      if (output === 0) continue;
      const { id, client, session } = row;
      const nanoAiu = chosen && costSoFar(chosen.model.price, { ...facts.usage, output });
      running.push({ id, client, session, output, nanoAiu });
    }
    if (running.length > 0) this.#listeners.tell({ event: 'progress', running });
  }
}

/**
 * The row of a running answer with its output so far: who opens a window while an answer stands still sees it at once.
 */
function rowSoFar({ row, facts }: Run): Exchange {
  const output = outputSoFar(facts);
  return output === 0 ? row : { ...row, tokens: { ...row.tokens, output } };
}
