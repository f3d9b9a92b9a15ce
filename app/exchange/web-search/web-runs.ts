/** An answer under way or ended, as far as its calls matter. */
interface Answered {
  row: { client: string };
  facts: { blocks: readonly { name: string | null }[] };
}

/** The function `run` of Codex's namespace `web`, as it is told to a model. */
const webRun = 'web__run';
const clientsKept = 1000;

/**
 * Searches that models have called for with Codex's own tool, which Codex makes by a request of its own: a sign that
 * nobody can type. Each stands for one request. In this process alone.
 */
export class WebRuns {
  readonly #underWay: () => Iterable<Answered>;
  /** By the client's label: called for in ended answers, less those that were made. */
  readonly #left = new Map<string, number>();

  constructor(underWay: () => Iterable<Answered>) {
    this.#underWay = underWay;
  }

  ended(answer: Answered): void {
    this.#add(answer.row.client, callsIn(answer));
  }

  /** True: a model has called for this one. Codex may begin it while the answer that calls for it still runs. */
  take(client: string): boolean {
    let called = this.#left.get(client) ?? 0;
    for (const answer of this.#underWay()) if (answer.row.client === client) called += callsIn(answer);
    if (called < 1) return false;
    this.#add(client, -1);
    return true;
  }

  #add(client: string, calls: number): void {
    if (calls === 0) return;
    const left = (this.#left.get(client) ?? 0) + calls;
    this.#left.delete(client);
    this.#left.set(client, left);
    if (this.#left.size <= clientsKept) return;
    const oldest = this.#left.keys().next();
    if (!oldest.done) this.#left.delete(oldest.value);
  }
}

function callsIn({ facts }: Answered): number {
  return facts.blocks.filter(({ name }) => name === webRun).length;
}
