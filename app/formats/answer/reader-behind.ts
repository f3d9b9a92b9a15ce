import { SseFeed } from '../wire/sse-feed.ts';
import type { AnswerFacts, AnswerReader } from './answer.ts';

/**
 * A reader of what another reader writes: it turns a client's stream of one API into that of another. How the answer
 * ended, and whether it was cut, is the other reader's word.
 */
export abstract class ReaderBehind implements AnswerReader {
  readonly facts: AnswerFacts;
  readonly #inner: AnswerReader;
  readonly #feed = new SseFeed((type, data) => this.event(type, data));

  constructor(inner: AnswerReader) {
    this.#inner = inner;
    this.facts = inner.facts;
  }

  push(chunk: Buffer): Buffer | null {
    return this.#translate(this.#inner.push(chunk));
  }

  end(): Buffer | null {
    return this.#translate(this.#inner.end());
  }

  /** One event of the other reader's. False: no more of them. */
  protected abstract event(type: string | null, data: string): boolean;

  /** What was written since the last call; null when nothing was. */
  protected abstract takeBytes(): Buffer | null;

  #translate(bytes: Buffer | null): Buffer | null {
    if (bytes !== null) this.#feed.push(bytes);
    return this.takeBytes();
  }
}
