import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Path } from '../api/exchange.ts';
import type { RecordedHeader } from '../api/recording.ts';
import type { Bodies, Part } from './bodies.ts';

/** Stores what a recording has. */
export interface RecordingKeeper {
  /** False if there was no room: everything of that exchange is dropped. */
  add(id: string, bodies: Bodies, part: Part, bytes: Buffer): boolean;
  /** Begins another attempt, whose answer counts. */
  restart(id: string, bodies: Bodies): void;
  ended(id: string, bodies: Bodies | null, headers: ExchangeHeaders): void;
}

const lineEnd = Buffer.from('\n');

/** Headers as they came and went, secrets and all: for as long as the exchange runs. */
export interface ExchangeHeaders {
  client: IncomingHttpHeaders;
  /** Headers of the last attempt. */
  sent: Readonly<Record<string, string>> | null;
  answered: IncomingHttpHeaders | null;
}

/** What one exchange records while it runs. Every call is cheap, and cheaper if no bodies are recorded. */
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

  /** Records one attempt. `more`: in addition to earlier ones, not in their place. */
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
  returned(body: Buffer): void {
    this.#add('returned', body);
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

/** Headers in Node's form: names in any spelling, repeated ones as lists. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const secretName = /authorization|cookie|token|secret|key/i;
const mostNames = 1_000;
/** Nearly all names come with every request. */
const namesAsKept = new Map<string, { name: string; secret: boolean }>();

function asKept(name: string): { name: string; secret: boolean } {
  const known = namesAsKept.get(name);
  if (known !== undefined) return known;
  const kept = { name: name.toLowerCase(), secret: secretName.test(name) };
  if (namesAsKept.size < mostNames) namesAsKept.set(name, kept);
  return kept;
}

/**
 * Headers without the values of those that are secret by their names. What the others hold is looked at by `redacted`,
 * before they are shown.
 */
export function withoutSecretValues(headers: ReceivedHeaders): RecordedHeader[] {
  const kept: RecordedHeader[] = [];
  for (const given in headers) {
    const value = headers[given];
    if (value === undefined) continue;
    const { name, secret } = asKept(given);
    if (typeof value === 'object') for (const one of value) kept.push({ name, value: secret ? null : one });
    else kept.push({ name, value: secret ? null : String(value) });
  }
  return kept;
}

/** What may be shown of them: nothing that holds or looks like a secret. */
export function redacted(headers: RecordedHeader[], redact: (text: string) => string): RecordedHeader[] {
  // Nearly always there is nothing to take out, and one look at all of them costs a fraction of a look at each.
  const lines = headers.map(({ name, value }) => `${name}\n${value ?? ''}`).join('\n');
  if (redact(lines) === lines) return headers;
  return headers.map(({ name, value }) => ({ name: redact(name), value: value === null ? null : redact(value) }));
}
