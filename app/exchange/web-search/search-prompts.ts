import { Kept } from '../kept.ts';

/** An answer under way or ended, as far as its calls and its prompt matter. */
interface Answered {
  row: { session: string | null; prompt: string | null };
  facts: { blocks: readonly { name: string | null }[] };
}

/** Claude Code's tool, which makes a request of its own for each search, without the id of its prompt. */
const tool = 'WebSearch';
const sessionsKept = 1000;

/**
 * To which prompt a search of Claude Code's belongs, so that its costs stand there: that of the session's last answer
 * which called for one. For sums alone; who started a request is never read from it. In this process alone.
 */
export class SearchPrompts {
  readonly #underWay: () => Iterable<Answered>;
  readonly #last = new Kept<string>(sessionsKept);

  constructor(underWay: () => Iterable<Answered>) {
    this.#underWay = underWay;
  }

  ended({ row: { session, prompt }, facts }: Answered): void {
    if (session === null || prompt === null || !facts.blocks.some(({ name }) => name === tool)) return;
    this.#last.keep(session, prompt);
  }

  /** Null: none is known. Claude Code may search while the answer that calls for it still runs. */
  of(session: string | null): string | null {
    if (session === null) return null;
    for (const { row, facts } of this.#underWay()) {
      if (row.session !== session || row.prompt === null) continue;
      if (facts.blocks.some(({ name }) => name === tool)) return row.prompt;
    }
    const prompt = this.#last.takeOut(session);
    if (prompt !== null) this.#last.keep(session, prompt);
    return prompt;
  }
}
