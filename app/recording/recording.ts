import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Path } from '../api/exchange.ts';
import type { RecordedHeader } from '../api/recording.ts';

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

/**
 * `received`: what the client sent. `sent`: what went to Copilot. `answer`: what came from there, as it came. `told`:
 * what the client was answered where that was not Copilot's answer, or was put together from it.
 */
export type Part = 'received' | 'sent' | 'answer' | 'returned';

const parts: readonly Part[] = ['received', 'sent', 'answer', 'returned'];

/**
 * The bodies of one exchange. While it runs these are the bytes that are under way anyway; they are never copied then.
 */
export class Bodies {
  readonly startedAt: number;
  path: Path | null = null;
  /** Size of all parts together. */
  bytes = 0;
  #parts: Record<Part, Buffer[]> = { received: [], sent: [], answer: [], returned: [] };
  #settled = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  add(part: Part, bytes: Buffer): void {
    this.#parts[part].push(bytes);
    this.bytes += bytes.length;
  }

  /** Begins another attempt: what was received before is not the answer. */
  restart(): void {
    for (const part of ['sent', 'answer'] as const) {
      for (const { length } of this.#parts[part]) this.bytes -= length;
      this.#parts[part] = [];
    }
  }

  sizeOf(part: Part): number | null {
    const held = this.#parts[part];
    return held.length === 0 ? null : held.reduce((sum, { length }) => sum + length, 0);
  }

  /** A part without secrets. Null if there is none. */
  async read(part: Part, redact: (text: string) => string): Promise<string | null> {
    const held = this.#parts[part];
    if (held.length === 0) return null;
    const whole = Buffer.concat(held);
    return (this.#settled ? whole : await redactedBytes(whole, redact)).toString('utf8');
  }

  /** All parts without secrets, each in one piece; the very same bytes where there was none. */
  async cleaned(redact: (text: string) => string): Promise<Map<Part, Buffer>> {
    const clean = new Map<Part, Buffer>();
    for (const part of parts) {
      const [only, ...more] = this.#parts[part];
      if (only === undefined) continue;
      const whole = more.length === 0 ? only : Buffer.concat([only, ...more]);
      clean.set(part, await redactedBytes(whole, redact));
    }
    return clean;
  }

  /** The exchange has ended: from now on nothing is held but what may be shown. */
  settle(clean: ReadonlyMap<Part, Buffer>): void {
    this.bytes = 0;
    for (const part of parts) {
      const bytes = clean.get(part);
      this.#parts[part] = bytes === undefined ? [] : [bytes];
      this.bytes += bytes?.length ?? 0;
    }
    this.#settled = true;
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

/** Text that is searched in one turn of the event loop (measured: 2 ms). */
const sliceLength = 256 * 1024;

/**
 * The same bytes without what is or looks like a secret; the very same where there is none. Long texts are looked
 * through in parts, so that answers under way don't wait for it.
 */
export async function redactedBytes(bytes: Buffer, redact: (text: string) => string): Promise<Buffer> {
  const text = bytes.toString('utf8');
  let clean = '';
  for (let from = 0; from < text.length; ) {
    const to = sliceEnd(text, from);
    clean += redact(text.slice(from, to));
    from = to;
    if (from < text.length) await nextTurn();
  }
  return clean === text ? bytes : Buffer.from(clean);
}

/** Where a part may end: between two values of a list, or two events. No secret goes over that. */
function sliceEnd(text: string, from: number): number {
  const limit = from + sliceLength;
  if (limit >= text.length) return text.length;
  const end = Math.max(text.lastIndexOf(',{"', limit), text.lastIndexOf('\n', limit));
  if (end > from) return end;
  const later = text.indexOf(',{"', limit);
  return later === -1 ? text.length : later;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
