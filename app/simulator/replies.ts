import type { RecordedRequest } from './record.ts';
import type { Match, Reply, Scripted } from './script.ts';
import { matches } from './watch.ts';

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
