import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Path } from '../api/exchange.ts';
import type { Bodies, Part } from './bodies.ts';

/** Who holds what a recording says. */
export interface RecordingKeeper {
  /** False: there was no room for it, and all of that exchange is let go of. */
  add(id: string, bodies: Bodies, part: Part, bytes: Buffer): boolean;
  /** Another try, whose answer counts. */
  restart(id: string, bodies: Bodies): void;
  ended(id: string, bodies: Bodies | null, headers: ExchangeHeaders): void;
}

const lineEnd = Buffer.from('\n');

/** Headers as they came and went, secrets and all: for as long as the exchange runs. */
export interface ExchangeHeaders {
  client: IncomingHttpHeaders;
  /** Those of the last try. */
  sent: Readonly<Record<string, string>> | null;
  answered: IncomingHttpHeaders | null;
}

/** What one exchange says of itself while it runs. Every call is cheap, and cheaper where no bodies are wanted. */
export class Recording {
  readonly #keeper: RecordingKeeper;
  readonly #id: string;
  #bodies: Bodies | null;
  readonly headers: ExchangeHeaders = { client: {}, sent: null, answered: null };
  #ended = false;

  constructor(keeper: RecordingKeeper, id: string, bodies: Bodies | null) {
    this.#keeper = keeper;
    this.#id = id;
    this.#bodies = bodies;
  }

  /** The client's request, as it came in. */
  received(headers: IncomingHttpHeaders, body: Buffer): void {
    this.headers.client = headers;
    this.#add('received', body);
  }

  /** One try goes to Copilot. `more`: beside the ones before, not in their place. */
  sends(path: Path, headers: Readonly<Record<string, string>>, body: Buffer | string, more: boolean): void {
    this.headers.sent = headers;
    this.headers.answered = null;
    if (this.#bodies === null) return;
    this.#bodies.path = path;
    if (!more) this.#keeper.restart(this.#id, this.#bodies);
    else if (this.#bodies.sizeOf('sent') !== null) this.#nextLine();
    this.#add('sent', typeof body === 'string' ? Buffer.from(body) : body);
  }

  /** The head of Copilot's answer. */
  hears(headers: IncomingHttpHeaders): void {
    this.headers.answered = headers;
  }

  /** The body of a refusal. */
  refused(text: string): void {
    if (this.#bodies !== null) this.#add('answer', Buffer.from(text));
  }

  /** Holds on to what is read of an answer from now on. Its reader has to begin in the same turn. */
  follow(answer: IncomingMessage): void {
    if (this.#bodies !== null) answer.on('data', (chunk: Buffer) => this.#add('answer', chunk));
  }

  /** An answer that was written here. */
  told(body: Buffer): void {
    this.#add('told', body);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#keeper.ended(this.#id, this.#bodies, this.headers);
    this.#bodies = null;
  }

  /** Between one batch and the next. */
  #nextLine(): void {
    this.#add('sent', lineEnd);
    this.#add('answer', lineEnd);
  }

  #add(part: Part, bytes: Buffer): void {
    if (this.#bodies === null || this.#ended) return;
    if (!this.#keeper.add(this.#id, this.#bodies, part, bytes)) this.#bodies = null;
  }
}
