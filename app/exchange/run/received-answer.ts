import type { Shape } from '../../api/exchange.ts';
import { moment } from '../../api/moment.ts';
import type { AnswerFacts } from '../../formats/answer/answer.ts';
import type { ClientStream } from '../answering/relay.ts';

/** What an answer was like on its way through, whatever it said. */
export class ReceivedAnswer {
  /** Where it went, if that was a stream. */
  stream: ClientStream | null = null;
  #bytes = 0;
  #at: number | null = null;
  #longestGap: number | null = null;

  /** A piece came. On the way of every chunk. @param now by `Clock.ticks()` */
  came(bytes: number, now: number): void {
    if (bytes === 0) return;
    if (this.#at !== null) this.#longestGap = Math.max(this.#longestGap ?? 0, now - this.#at);
    this.#at = now;
    this.#bytes += bytes;
  }

  /** Null: nothing came. */
  shape({ events, blocks }: AnswerFacts): Shape['answer'] {
    if (this.#bytes === 0) return null;
    return {
      bytes: this.#bytes,
      events: events === 0 ? null : events,
      blocks,
      longestGap: moment(this.#longestGap),
      pings: this.stream?.pings ?? 0,
    };
  }
}
