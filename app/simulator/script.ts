import type { RecordedRequest } from './record.ts';
import type { Refusal } from './refusal.ts';

/** A path (`/v1/messages`) or a question about the request. */
export type Match = string | ((request: RecordedRequest) => boolean);

/** One step of a scripted stream: bytes as they are, an event, or a wait. */
export type StreamStep =
  | string
  | Buffer
  | { event?: string; data: unknown }
  /** Goes on when the promise has settled: so a test decides when. */
  | { gate: Promise<unknown> }
  | { delayMs: number };

/**
 * How a stream ends. `clean`: properly. `destroy`: the connection closes in the middle of the answer, after all bytes
 * so far have gone out. `reset`: the same by a reset, which may lose bytes on their way. `open`: never.
 */
export type StreamEnd = 'clean' | 'destroy' | 'reset' | 'open';

export type Reply =
  /**
   * A whole answer. A string body is text/plain, anything else JSON, unless `headers` say otherwise. `gate` holds the
   * head back.
   */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: unknown; gate?: Promise<unknown> }
  /** An event stream, step by step. `gate` holds the head back. */
  | {
      kind: 'stream';
      status?: number;
      headers?: Record<string, string>;
      events: readonly StreamStep[];
      end?: StreamEnd;
      gate?: Promise<unknown>;
    }
  /** The usual answer, checked as always, but changed on its way. */
  | ({ kind: 'usual' } & UsualChange)
  /** Never a byte, until the other side leaves or the simulator closes. */
  | { kind: 'silence' }
  /** The connection is reset before any byte. */
  | { kind: 'reset' };

/** What may be changed about a usual answer. */
export interface UsualChange {
  /** Holds the head back. */
  gate?: Promise<unknown>;
  headers?: Record<string, string>;
  /** Streams only: stop after so many events, … */
  cutAfter?: number;
  /** … and then end so. Default: `destroy`. */
  cut?: StreamEnd;
  /** … or send this as an `error` event, then end cleanly. */
  errorEvent?: unknown;
  /** Streams only: wait here before each event; `index` counts from 0. */
  before?: (index: number) => Promise<unknown> | undefined;
  /** Chat Completions only. */
  quirks?: ChatQuirks;
  /** Responses only. */
  responses?: ResponsesQuirks;
}

/** Ways in which real Responses streams differ from each other. */
export interface ResponsesQuirks {
  /** `copilot_usage` inside `response` instead of beside it. */
  billInside?: boolean;
  /** Deltas of arguments are encrypted; only the `done` events have them plain. */
  encryptedArguments?: boolean;
}

/** Ways in which real chat streams differ from the textbook. */
export interface ChatQuirks {
  /** A first chunk with `choices: []`, `prompt_filter_results`, empty id and model. */
  promptFilter?: boolean;
  /** Gives all tool calls index 0, so that only their ids differ. */
  sameIndex?: boolean;
  /** `usage: null` on every chunk but the one that has it. */
  usageNull?: boolean;
  /** A delta (`cot_id`) after the finish chunk. */
  deltaAfterFinish?: boolean;
  /** Usage on the finish chunk, or alone on a last chunk with `choices: []`. */
  usageOn?: 'finish' | 'last';
  /** `reasoning_text` and `reasoning_opaque` where the model thought. */
  reasoning?: boolean;
  /** Whole answers: text in one choice, calls in another. */
  twoChoices?: boolean;
  /** Leaves out `[DONE]`. */
  noDone?: boolean;
}

/** A header that should never have reached Copilot. */
export interface Violation {
  at: number;
  path: string;
  header: string;
  why: string;
}

/** A scripted reply that waits for its request. */
export interface Scripted {
  /** Settles when a request took this reply. */
  readonly taken: Promise<RecordedRequest>;
}

/** What `refuseMint` may say: one of GitHub's own reasons, or a whole answer. */
export type MintRefusal = string | Refusal;

export interface QuotaWindows {
  /** Per cent left, as in `x-usage-ratelimit-session`; null for no header (below about half use). */
  session?: number | null;
  weekly?: number | null;
}

/** What a model takes less of than the catalog says. */
export interface Narrowing {
  outputTokens?: number;
  efforts?: readonly string[];
  systemMessages?: false;
  stop?: false;
}

/** How a test or the demo steers a running simulator. All changes hold from the next request on. */
export interface Script {
  /** Queues one reply for the next request that matches. Without `match`: the next inference POST to Copilot. */
  next(reply: Reply, match?: Match): Scripted;
  /** The same for every matching request until the returned function is called. Queued ones come first. */
  always(reply: Reply, match?: Match): () => void;
  /** Queued replies that nothing has taken yet. */
  readonly waiting: number;
  /** Forgets queued and permanent replies. */
  clear(): void;

  /** The next request that arrives (not one of the past). */
  arrival(match?: Match): Promise<RecordedRequest>;
  /**
   * The next request that the other side left before its end; one that was left already and not yet asked for counts.
   */
  aborted(match?: Match): Promise<RecordedRequest>;

  /** The person approves the sign-in that is under way (and every later one, until `deny`). */
  approve(userCode?: string): void;
  /** The person presses Cancel. */
  deny(userCode?: string): void;
  /** Codes handed out so far are dead: `expired_token`. */
  expireDeviceCodes(): void;
  /** The next poll is answered `slow_down`; `interval` null leaves the field out. */
  slowDown(interval?: number | null): void;
  /** The next poll is answered with this error (`device_flow_disabled`, `incorrect_device_code`, …). */
  failPoll(error: string, description?: string): void;

  /** Every Copilot token handed out so far is refused with 401 from now on. */
  expireTokens(): void;
  /** What was signed in with until now is refused: 401 `Bad credentials`. A new sign-in gets a token that works. */
  revokeGithubToken(): void;
  /** Mints are refused until `allowMint`. A string is a `notification_id`. */
  refuseMint(refusal: MintRefusal): void;
  allowMint(): void;
  /** Copilot's API moves to a new port; the old one answers 421. Resolves with the new address. */
  moveHost(): Promise<string>;
  /** `/copilot_internal/user` names this address instead of the token's. */
  nameOtherHost(address: string | null): void;

  /** Replaces the raw catalog. */
  setModels(models: readonly unknown[]): void;
  /** Sets `policy.state` of one model. */
  setPolicy(model: string, state: 'enabled' | 'disabled'): void;
  /** `GET /models` is answered so until called with null. */
  failModels(refusal: Refusal | null): void;
  /**
   * This field is refused with "Extra inputs are not permitted" (of one model, or of all): `output_config.format`,
   * `tools.strict`, of any tool. Returns the way back.
   */
  refuseField(path: string, model?: string): () => void;
  /**
   * The model takes less than its catalog entry says, as models do in the days after a change. Returns the way back.
   */
  narrow(model: string, less: Narrowing): () => void;
  /** A thinking signature that is taken although this simulator did not make it. */
  acceptSignature(signature: string): void;
  /** Chat Completions answers have these quirks from now on. */
  quirks(quirks: ChatQuirks): void;

  /** Auto chooses these models in turn, the last one for ever; null if there is no Auto. A choice holds for so long. */
  setAuto(models: readonly string[] | null, lifeSeconds?: number): void;

  /** Credits left of the bucket; null if unlimited. */
  setRemaining(credits: number | null): void;
  /** The usage windows of answers' headers. */
  setWindows(windows: QuotaWindows): void;

  /** Headers that should never have arrived, since the start. */
  readonly violations: readonly Violation[];
}

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
