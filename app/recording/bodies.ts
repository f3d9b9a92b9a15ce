import type { Path } from '../api/exchange.ts';
import { redactedBytes } from './redacted-bytes.ts';

/**
 * `received`: what the client sent. `sent`: what went to Copilot. `answer`: what came from there, as it came. `told`:
 * what the client was answered where that was not Copilot's answer, or was put together from it.
 */
export type Part = 'received' | 'sent' | 'answer' | 'told';

const parts: readonly Part[] = ['received', 'sent', 'answer', 'told'];

/**
 * The bodies of one exchange. While it runs these are the bytes that are under way anyway; they are never copied then.
 */
export class Bodies {
  readonly startedAt: number;
  path: Path | null = null;
  /** Of all parts. */
  bytes = 0;
  #parts: Record<Part, Buffer[]> = { received: [], sent: [], answer: [], told: [] };
  #settled = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  add(part: Part, bytes: Buffer): void {
    this.#parts[part].push(bytes);
    this.bytes += bytes.length;
  }

  /** Another try: what the one before said is no longer the answer. */
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

  /** Without secrets. Null: there is none. */
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
