import type { Path } from '../api.ts';
import { redactedBytes } from './redacted-bytes.ts';

/**
 * `received`: what the client sent. `sent`: what went to Copilot. `answer`: what came from there, as it came. `told`: what the client was
 * answered where that was not Copilot's answer, or was put together from it.
 */
export type Part = 'received' | 'sent' | 'answer' | 'told';

const parts: readonly Part[] = ['received', 'sent', 'answer', 'told'];

/** The bodies of one exchange. While it runs these are the bytes that are under way anyway; they are never copied then. */
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

  /** The exchange has ended: from now on nothing is held but what may be shown. */
  async settle(redact: (text: string) => string): Promise<void> {
    for (const part of parts) {
      const held = this.#parts[part];
      if (held.length === 0) continue;
      const [only] = held;
      const whole = held.length === 1 && only !== undefined ? only : Buffer.concat(held);
      const clean = await redactedBytes(whole, redact);
      this.#parts[part] = [clean];
      this.bytes += clean.length - whole.length;
    }
    this.#settled = true;
  }
}
