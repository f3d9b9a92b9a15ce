import type { RecordedRequest } from './record.ts';
import type { Match } from './script.ts';

export function matches(match: Match, request: RecordedRequest): boolean {
  return typeof match === 'string' ? request.path === match : match(request);
}

/** Lets tests wait for a request, such as the next one that was aborted. */
export class Watch {
  readonly #keepsPast: boolean;
  #waiting: { match: Match; resolve: (request: RecordedRequest) => void }[] = [];
  #past: RecordedRequest[] = [];

  /** With `keepsPast`, what was not waited for goes to the first that asks. */
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
