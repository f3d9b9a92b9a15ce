import type { RecordedRequest } from './record.ts';
import type { Match, Reply, Scripted } from './script.ts';

interface Queued {
  reply: Reply;
  match: Match;
  taken: (request: RecordedRequest) => void;
}

/** The replies a test has laid ready. */
export class Replies {
  #once: Queued[] = [];
  #always: { reply: Reply; match: Match }[] = [];

  get waiting(): number {
    return this.#once.length;
  }

  next(reply: Reply, match: Match): Scripted {
    const { promise, resolve } = Promise.withResolvers<RecordedRequest>();
    this.#once.push({ reply, match, taken: resolve });
    return { taken: promise };
  }

  always(reply: Reply, match: Match): () => void {
    const entry = { reply, match };
    this.#always.push(entry);
    return () => {
      this.#always = this.#always.filter((other) => other !== entry);
    };
  }

  take(request: RecordedRequest): Reply | null {
    const at = this.#once.findIndex((queued) => matches(queued.match, request));
    const [queued] = at < 0 ? [] : this.#once.splice(at, 1);
    if (queued !== undefined) {
      queued.taken(request);
      return queued.reply;
    }
    return this.#always.find((entry) => matches(entry.match, request))?.reply ?? null;
  }

  clear(): void {
    this.#once = [];
    this.#always = [];
  }
}

function matches(match: Match, request: RecordedRequest): boolean {
  return typeof match === 'string' ? request.path === match : match(request);
}

/** Lets tests wait for a request, such as the next one that was aborted. */
export class Watch {
  readonly #keepsPast: boolean;
  #waiting: { match: Match; resolve: (request: RecordedRequest) => void }[] = [];
  #past: RecordedRequest[] = [];

  /** With `keepsPast`, what nobody waited for goes to the first that asks. */
  constructor(keepsPast: boolean) {
    this.#keepsPast = keepsPast;
  }

  tell(request: RecordedRequest): void {
    const served = this.#waiting.filter((waiter) => matches(waiter.match, request));
    this.#waiting = this.#waiting.filter((waiter) => !served.includes(waiter));
    for (const waiter of served) waiter.resolve(request);
    if (served.length === 0 && this.#keepsPast) this.#past.push(request);
  }

  next(match: Match): Promise<RecordedRequest> {
    const at = this.#past.findIndex((request) => matches(match, request));
    const [past] = at < 0 ? [] : this.#past.splice(at, 1);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((resolve) => this.#waiting.push({ match, resolve }));
  }
}
