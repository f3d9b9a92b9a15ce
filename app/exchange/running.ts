import type { RunningAnswer } from '../api/events.ts';
import type { Exchange } from '../api/exchange.ts';
import { costSoFar, outputSoFar } from './charge.ts';
import type { ExchangeDependencies } from './dependencies.ts';
import type { Run } from './record.ts';

const everyMs = 100;

/** The exchanges under way, and how far they are. */
export class Running {
  readonly #runs = new Set<Run>();
  readonly #told: Pick<ExchangeDependencies, 'progressed' | 'canAsk'>;
  #due = false;

  /** @param told how much the answers have said so far: all of them in one go, ten times a second at most */
  constructor(told: Pick<ExchangeDependencies, 'progressed' | 'canAsk'>) {
    this.#told = told;
  }

  add(run: Run): void {
    this.#runs.add(run);
  }

  delete(run: Run): void {
    this.#runs.delete(run);
  }

  runs(): Iterable<Run> {
    return this.#runs;
  }

  /** Their rows as far as they have come. Who asks may have opened just now: what they cost so far is told again. */
  rows(): Exchange[] {
    if (this.#runs.size > 0) this.moved();
    return Array.from(this.#runs, rowSoFar);
  }

  /** Runs for every chunk. */
  moved(): void {
    if (this.#due || !this.#told.canAsk()) return;
    this.#due = true;
    setTimeout(() => this.#tell(), everyMs).unref();
  }

  #tell(): void {
    this.#due = false;
    const running: RunningAnswer[] = [];
    for (const { row, facts, chosen } of this.#runs) {
      const output = outputSoFar(facts);
      if (output === 0) continue;
      const { id, client, session } = row;
      const nanoAiu = chosen && costSoFar(chosen.model.price, { ...facts.usage, output });
      running.push({ id, client, session, output, nanoAiu });
    }
    if (running.length > 0) this.#told.progressed(running);
  }
}

/**
 * The row of a running answer with its output so far: who opens a window while an answer stands still sees it at once.
 */
function rowSoFar({ row, facts }: Run): Exchange {
  const output = outputSoFar(facts);
  return output === 0 ? row : { ...row, tokens: { ...row.tokens, output } };
}
