/** To a worker; without what it is given: its answer is wanted no more. */
export type WorkRequest<Given> = { id: number } | { id: number; given: Given };

/** `made`: null where nothing came of it. */
export interface WorkAnswer<Made> {
  id: number;
  made: Made | null;
}

interface Wanted<Given, Made> {
  given: Given;
  signal: AbortSignal;
  give: (made: Made | null) => void;
}

/** Work of one kind, which a worker does beside the window, or the window itself where there can be no worker. */
export class BesideWindow<Given, Made> {
  readonly #begin: () => Worker;
  readonly #inWindow: (given: Given, signal: AbortSignal) => Promise<Made | null>;
  /** Begun with the first work; null once it turned out that there can be none. */
  #worker: Worker | null | undefined;
  readonly #wanted = new Map<number, Wanted<Given, Made>>();
  #last = 0;

  constructor(begin: () => Worker, inWindow: (given: Given, signal: AbortSignal) => Promise<Made | null>) {
    this.#begin = begin;
    this.#inWindow = inWindow;
  }

  /** Null: nothing came of it, or nothing wants it any more. */
  do(given: Given, signal: AbortSignal): Promise<Made | null> {
    if (this.#worker === undefined) this.#worker = this.#begun();
    if (this.#worker === null) return this.#here(given, signal);
    const id = ++this.#last;
    return new Promise((give) => {
      this.#wanted.set(id, { given, signal, give });
      this.#tell({ id, given });
      signal.addEventListener('abort', () => {
        if (this.#wanted.delete(id)) this.#tell({ id });
        give(null);
      });
    });
  }

  #tell(request: WorkRequest<Given>): void {
    this.#worker?.postMessage(request);
  }

  #begun(): Worker | null {
    try {
      const begun = this.#begin();
      begun.addEventListener('message', ({ data: { id, made } }: MessageEvent<WorkAnswer<Made>>) => {
        this.#wanted.get(id)?.give(made);
        this.#wanted.delete(id);
      });
      begun.addEventListener('error', () => this.#lose(begun));
      return begun;
    } catch {
      return null;
    }
  }

  /** It did not start, or came to an end: what it owes is done here. */
  #lose(lost: Worker): void {
    lost.terminate();
    this.#worker = null;
    for (const [id, { given, signal, give }] of this.#wanted) {
      this.#wanted.delete(id);
      void this.#here(given, signal).then(give);
    }
  }

  async #here(given: Given, signal: AbortSignal): Promise<Made | null> {
    try {
      return await this.#inWindow(given, signal);
    } catch {
      return null;
    }
  }
}
