import { createHash, randomUUID } from 'node:crypto';

/** A Copilot token that this simulator handed out. It belongs to one address, as real ones do. */
interface CopilotToken {
  value: string;
  /** Its stand-in in recordings. */
  name: string;
  host: string;
  /** ms since the epoch. */
  expiresAt: number;
  dead: boolean;
}

/** Seconds that a token lives on after it should have been refreshed. */
const graceSeconds = 300;

export class CopilotTokens {
  readonly #byValue = new Map<string, CopilotToken>();
  #count = 0;

  mint(host: string, sku: string, refreshIn: number): CopilotToken {
    this.#count += 1;
    const expiresAt = Date.now() + (refreshIn + graceSeconds) * 1000;
    const facts = `tid=${randomUUID()};exp=${Math.floor(expiresAt / 1000)};sku=${sku};proxy-ep=proxy.simulated.invalid;st=dotcom;chat=1;simulated=1`;
    const value = `${facts}:${createHash('sha256').update(facts).digest('hex')}`;
    const token = { value, name: `<copilot-token-${this.#count}>`, host, expiresAt, dead: false };
    this.#byValue.set(value, token);
    return token;
  }

  find(value: string): CopilotToken | null {
    return this.#byValue.get(value) ?? null;
  }

  expireAll(): void {
    for (const token of this.#byValue.values()) token.dead = true;
  }

  static lives(token: CopilotToken): boolean {
    return !token.dead && token.expiresAt > Date.now();
  }
}
