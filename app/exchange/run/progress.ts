import type { Exchange } from '../../api/exchange.ts';
import type { AnswerFacts } from '../../formats/answer/answer.ts';

export interface ProgressDependencies {
  running: () => Iterable<{ row: { id: string }; facts: AnswerFacts }>;
  told: (running: { id: string; output: number }[]) => void;
}

const everyMs = 100;
/** Of English text and of code; Copilot counts itself, but says so at the end alone. */
const charactersPerToken = 4;

/**
 * How much the running answers have said so far, for who watches: all of them in one go, ten times a second at most.
 */
export class Progress {
  readonly #dependencies: ProgressDependencies;
  #due = false;

  constructor(dependencies: ProgressDependencies) {
    this.#dependencies = dependencies;
  }

  /** On the way of every chunk. */
  moved(): void {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => this.#tell(), everyMs).unref();
  }

  #tell(): void {
    this.#due = false;
    const running: { id: string; output: number }[] = [];
    for (const { row, facts } of this.#dependencies.running()) {
      const output = outputSoFar(facts);
      if (output > 0) running.push({ id: row.id, output });
    }
    if (running.length > 0) this.#dependencies.told(running);
  }
}

/**
 * The row of a running answer with its output so far: who opens a window while an answer stands still sees it at once.
 */
export function rowSoFar({ row, facts }: { row: Exchange; facts: AnswerFacts }): Exchange {
  const output = outputSoFar(facts);
  return output === 0 ? row : { ...row, tokens: { ...row.tokens, output } };
}

/** Our estimate, or what Copilot has said where that is more. */
export function outputSoFar({ said, usage }: AnswerFacts): number {
  return Math.max(usage.output ?? 0, Math.ceil(said / charactersPerToken));
}
