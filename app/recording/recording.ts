import type { IncomingMessage } from 'node:http';
import type { Path } from '../api/exchange.ts';
import type { Bodies, Part } from './bodies.ts';

/** Stores what a recording has. */
export interface RecordingKeeper {
  /** False if there was no room: everything of that exchange is dropped. */
  add(id: string, bodies: Bodies, part: Part, bytes: Buffer): boolean;
  /** Begins another attempt, whose answer counts. */
  restart(id: string, bodies: Bodies): void;
  /** `bodies`: null if they were dropped meanwhile. */
  ended(id: string, bodies: Bodies | null): void;
}

const lineEnd = Buffer.from('\n');

/** Bodies of one exchange while it runs. There is one only while bodies are recorded. */
export class Recording {
  readonly #keeper: RecordingKeeper;
  readonly #id: string;
  #bodies: Bodies | null;
  #ended = false;

  constructor(keeper: RecordingKeeper, id: string, bodies: Bodies) {
    this.#keeper = keeper;
    this.#id = id;
    this.#bodies = bodies;
  }

  /** The client's request, as it came in. */
  received(body: Buffer): void {
    this.#add('received', body);
  }

  /** Records one attempt. `more`: in addition to earlier ones, not in their place. */
  sends(path: Path | null, body: Buffer | string, more: boolean): void {
    if (this.#bodies === null) return;
    this.#bodies.path = path;
    if (!more) this.#keeper.restart(this.#id, this.#bodies);
    else if (this.#bodies.sizeOf('sent') !== null) this.#nextLine();
    this.#add('sent', typeof body === 'string' ? Buffer.from(body) : body);
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
  returned(body: Buffer): void {
    this.#add('returned', body);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#keeper.ended(this.#id, this.#bodies);
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
