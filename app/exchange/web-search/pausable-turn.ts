import { type PausedTurns, resumedTurn, searchingTurn } from './paused-turns.ts';

/** The turn of one request, where its answer may be paused for searches, or goes on after such a pause. */
export class PausableTurn {
  readonly #turns: PausedTurns;
  /** What was asked; null: the model may not search. */
  readonly #asked: string | null;
  readonly #resumed: ReturnType<typeof resumedTurn>;

  /** @param client the label of who asks */
  constructor(turns: PausedTurns, client: string, body: unknown) {
    this.#turns = turns;
    this.#asked = searchingTurn(client, body);
    const resumed = resumedTurn(client, body);
    this.#resumed = resumed !== null && turns.take(resumed) ? resumed : null;
  }

  /** The client sends back an answer that was paused for its searches: nothing of a person's came in between. */
  get goesOn(): boolean {
    return this.#resumed !== null;
  }

  /** The answer ends with `pause_turn`, behind this search. */
  paused(search: string): void {
    if (this.#asked !== null) this.#turns.add(this.#asked, search);
  }

  /** Copilot did not take it: it is asked again. */
  refused(): void {
    if (this.#resumed !== null) this.#turns.add(this.#resumed.turn, this.#resumed.search);
  }
}
