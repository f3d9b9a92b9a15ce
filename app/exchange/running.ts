import type { Exchange } from '../api/exchange.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';
import type { Run } from './record.ts';

const everyMs = 100;
/** For English text and code; Copilot counts itself, but reports it only at the end. */
const charactersPerToken = 4;

/** The exchanges under way, and how far they are. */
export class Running {
  readonly #runs = new Set<Run>();
  readonly #onChange: (running: { id: string; output: number }[]) => void;
  #due = false;

  /** @param told how much the answers have said so far: all of them in one go, ten times a second at most */
  constructor(onChange: (running: { id: string; output: number }[]) => void) {
    this.#onChange = onChange;
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

  /** Their rows as far as they have come. */
  rows(): Exchange[] {
    return Array.from(this.#runs, rowSoFar);
  }

  /** Runs for every chunk. */
  moved(): void {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => this.#tell(), everyMs).unref();
  }

  #tell(): void {
    this.#due = false;
    const running: { id: string; output: number }[] = [];
    for (const { row, facts } of this.#runs) {
      const output = outputSoFar(facts);
      if (output > 0) running.push({ id: row.id, output });
    }
    if (running.length > 0) this.#onChange(running);
  }
}

/**
 * The row of a running answer with its output so far: who opens a window while an answer stands still sees it at once.
 */
function rowSoFar({ row, facts }: Run): Exchange {
  const output = outputSoFar(facts);
  return output === 0 ? row : { ...row, tokens: { ...row.tokens, output } };
}

/** Our estimate, or what Copilot has said where that is more. */
function outputSoFar({ said, usage }: AnswerFacts): number {
  return Math.max(usage.output ?? 0, Math.ceil(said / charactersPerToken));
}
