import type { IncomingMessage } from 'node:http';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { AnswerTooLarge } from '../formats/wire/sse.ts';
import type { AnswerSink } from './client-call.ts';
import { answerWithoutForm } from './recover/broken-answer.ts';
import { Stopped } from './recover/error.ts';

/** Claude Code gives up after 300 s without a byte; other clients earlier. */
const pingAfterMs = 10_000;
/**
 * How long a first event is waited for before the stream is opened without it; until then a refusal keeps its status.
 */
const firstEventWithinMs = 30_000;

/**
 * The largest answer that is led to a client, in bytes of the upstream's events. Whole answers, arguments of calls and
 * items are put together in memory. Ten times what the longest answer of a model comes to.
 */
export const largestAnswer = 128 * 1024 * 1024;

/** Where the events of an answer go: to a stream, or into one whole message. */
export interface AnswerTarget {
  /** False: wait for `drained`. */
  write(bytes: Buffer): boolean;
  drained(then: () => void): void;
  /** The next write is the last one; `end` follows at once, so both may go out together. */
  last?(): void;
}

/**
 * A client's event stream, once it is opened. Its head goes out with the first event, or after 30 s without one; from
 * then on silence is filled with pings. `close` has to be called at the end: a timer runs.
 */
export class ClientStream<Envelope = never> implements AnswerTarget {
  /** What ends it where it failed. */
  lastEvents: (envelope: Envelope) => string;
  readonly #answer: AnswerSink;
  readonly #headers: Record<string, string>;
  readonly #ping: string;
  #timer: NodeJS.Timeout | null = null;
  #interval = firstEventWithinMs;
  /** With which silence was filled. */
  pings = 0;

  /** @param ping what fills a silence: an event that the client's API knows, or a comment. */
  constructor(
    answer: AnswerSink,
    headers: Record<string, string>,
    ping: string,
    lastEvents: (envelope: Envelope) => string,
  ) {
    this.#answer = answer;
    this.#ping = ping;
    this.#headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers };
    this.lastEvents = lastEvents;
  }

  /** Waits so long for a first event, or the next one. */
  open(ms = firstEventWithinMs): void {
    this.close();
    this.#interval = ms;
    this.#timer = setTimeout(() => this.#silent(), ms);
  }

  write(bytes: Buffer | string): boolean {
    if (!this.#answer.begun) this.#answer.begin(200, this.#headers);
    this.received();
    return this.#answer.write(bytes);
  }

  drained(then: () => void): void {
    this.#answer.drained(then);
  }

  last(): void {
    if (!this.#answer.begun) this.#answer.begin(200, this.#headers);
    this.#answer.hold();
  }

  /** The upstream gave a sign of life. */
  received(): void {
    if (this.#answer.begun && this.#interval !== pingAfterMs) this.open(pingAfterMs);
    else this.#timer?.refresh();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #silent(): void {
    if (!this.#answer.begun) this.#answer.begin(200, this.#headers);
    this.pings += 1;
    this.#answer.write(this.#ping);
    this.open(pingAfterMs);
  }
}

/** The bytes of an answer made its reader fail: they can't be put together. `cause` is for the log alone. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
  constructor(cause: unknown) {
    super('The upstream’s answer can’t be read.', { cause });
  }
}

/** How an upstream answer ended, besides what its reader knows. */
export interface RelayEnd {
  /** The network's word for a connection that broke; null when the upstream closed properly or the signal ended it. */
  cause: string | null;
}

/**
 * Leads an upstream answer through its reader to the target, event by event, until the reader knows its end.
 *
 * Back-pressure is kept: while the target is full the upstream is not read. The upstream's socket is left readable
 * after the last event so that its connection can be used again; after a failure it is destroyed. `moved` is called
 * after every chunk, with its length, when the reader's facts may have changed. An answer that is larger than any
 * model's ends as a failure of the upstream's. Rejects with `UnreadableAnswer` if the reader or the target throws, and
 * with what `moved` throws: a fault there ends this answer, not the process.
 */
export function relay(
  upstream: IncomingMessage,
  reader: AnswerReader,
  target: AnswerTarget,
  moved: (bytes: number) => void,
): Promise<RelayEnd> {
  return new Promise((resolve, reject) => {
    const { facts } = reader;
    let broken: string | null = null;
    let size = 0;
    /** Whether an error thrown now comes from reading the answer or passing it on. */
    let isReading = false;

    const letGo = (): void => {
      upstream.off('data', take);
      upstream.off('end', onClosed);
      upstream.off('close', onClosed);
    };
    const finish = (): void => {
      letGo();
      if (facts.failure === null) letEnd(upstream);
      else upstream.destroy();
      resolve({ cause: broken });
    };
    // What a listener throws would be caught nowhere else.
    const fault = (error: unknown): void => {
      if (error instanceof AnswerTooLarge) {
        facts.failure ??= { kind: 'error', type: null, message: error.message };
        finish();
        return;
      }
      letGo();
      upstream.destroy();
      reject(isReading ? new UnreadableAnswer(error) : error);
    };
    /** A chunk, or the end. */
    const take = (chunk: Buffer | null): void => {
      try {
        const length = chunk?.length ?? 0;
        size += length;
        if (size > largestAnswer) throw tooLarge();
        isReading = true;
        const bytes = chunk === null ? reader.end() : reader.push(chunk);
        if (chunk !== null && facts.ended && bytes !== null) target.last?.();
        if (bytes !== null && !target.write(bytes)) {
          upstream.pause();
          target.drained(() => upstream.resume());
        }
        isReading = false;
        moved(length);
        if (chunk === null || facts.ended || facts.failure !== null) finish();
      } catch (error) {
        fault(error);
      }
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      broken = error.code ?? error.message;
    };
    const onClosed = (): void => take(null);

    // The error listener stays: a socket may still break after the last event, and that must not end the process.
    upstream.on('error', onError);
    upstream.on('data', take);
    upstream.on('end', onClosed);
    upstream.on('close', onClosed);
    // It may have closed on its way here; then no event comes any more.
    if (upstream.closed) onClosed();
  });
}

function tooLarge(): AnswerTooLarge {
  return new AnswerTooLarge(`Copilot sent an answer of more than ${largestAnswer / 1024 / 1024} MiB.`);
}

/**
 * How long an upstream may go on after its last event. Longer than that it is writing what is not read (we ended it at
 * a stop sequence).
 */
const lingerMs = 1000;

function letEnd(upstream: IncomingMessage): void {
  upstream.resume();
  if (upstream.closed) return;
  const timer = setTimeout(() => upstream.destroy(), lingerMs);
  upstream.once('close', () => clearTimeout(timer));
}

/** Puts the events of an answer together. */
export interface Collector<Answer extends object = object> {
  push(bytes: Buffer): void;
  /** Null if the events make no whole answer. */
  answer(): Answer | null;
}

/** A whole answer is a collected stream. It takes what comes: `relay` bounds it. */
export function collecting(collector: Pick<Collector, 'push'>): AnswerTarget {
  return {
    write: (bytes) => {
      collector.push(bytes);
      return true;
    },
    drained: (then) => then(),
  };
}

/** Throws `Stopped` where the events make none. */
export function wholeOf<Answer extends object>(collector: Collector<Answer>): Answer {
  const answer = collector.answer();
  if (answer === null) throw new Stopped(answerWithoutForm());
  return answer;
}
