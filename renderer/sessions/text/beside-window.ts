/** Request to a worker; without `given` its answer is no longer needed. */
type WorkRequest<Given> = { id: number } | { id: number; given: Given };

/** `made`: null if nothing came of it. */
interface WorkAnswer<Made> {
  id: number;
  made: Made | null;
}

interface Wanted<Given, Made> {
  given: Given;
  signal: AbortSignal;
  give: (made: Made | null) => void;
}

/** The part of a worker that is used here. */
type BesideWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/** Work of one kind, which a worker does beside the window, or the window itself where there can be no worker. */
export class BesideWindow<Given, Made> {
  readonly #begin: () => BesideWorker;
  readonly #inWindow: (given: Given, signal: AbortSignal) => Promise<Made | null>;
  /** Begun with the first work; null once it turned out that there can be none. */
  #worker: BesideWorker | null | undefined;
  readonly #wanted = new Map<number, Wanted<Given, Made>>();
  #last = 0;

  constructor(begin: () => BesideWorker, inWindow: (given: Given, signal: AbortSignal) => Promise<Made | null>) {
    this.#begin = begin;
    this.#inWindow = inWindow;
  }

  /** Null if it failed or was cancelled. */
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

  #begun(): BesideWorker | null {
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

  /** The worker did not start, or ended: its work is done here. */
  #lose(lost: BesideWorker): void {
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

/** Runs in a worker: does each task in its own turn, so that it can be cancelled. */
export function answerWindow<Given, Made>(work: (given: Given, signal: AbortSignal) => Promise<Made> | Made): void {
  const running = new Map<number, AbortController>();
  const begin = async (id: number, given: Given): Promise<void> => {
    const stopped = new AbortController();
    running.set(id, stopped);
    await new Promise((resolve) => setTimeout(resolve, 0));
    let made: Made | null = null;
    try {
      if (!stopped.signal.aborted) made = await work(given, stopped.signal);
    } catch {
      // Nothing came of it.
    }
    running.delete(id);
    const answer: WorkAnswer<Made> = { id, made };
    postMessage(answer);
  };
  addEventListener('message', ({ data: request }: MessageEvent<WorkRequest<Given>>) => {
    if ('given' in request) void begin(request.id, request.given);
    else running.get(request.id)?.abort();
  });
}
