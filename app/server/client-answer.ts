import type { ServerResponse } from 'node:http';
import type { AnswerSink } from '../exchange/client-call.ts';

/** An answer over HTTP. After the client has gone nothing is written and nothing waits. */
export class ClientAnswer implements AnswerSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get begun(): boolean {
    return this.#response.headersSent;
  }

  begin(status: number, headers: Record<string, string>): void {
    if (!this.#gone) this.#response.writeHead(status, headers);
  }

  write(bytes: Buffer | string): boolean {
    return this.#gone || this.#response.write(bytes);
  }

  drained(then: () => void): void {
    if (this.#gone) {
      then();
      return;
    }
    const response = this.#response;
    // A client that goes while its buffer is full never drains it.
    const goOn = (): void => {
      response.off('drain', goOn);
      response.off('close', goOn);
      then();
    };
    response.on('drain', goOn);
    response.on('close', goOn);
  }

  /**
   * Corks the socket, which `end` of the response always releases; a corked response would write its end before its
   * last chunk.
   */
  hold(): void {
    if (!this.#gone) this.#response.socket?.cork();
  }

  end(bytes?: Buffer | string): void {
    if (this.#gone) return;
    if (bytes === undefined) this.#response.end();
    else this.#response.end(bytes);
  }

  get #gone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}
