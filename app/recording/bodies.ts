import type { Path } from '../api/exchange.ts';

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
