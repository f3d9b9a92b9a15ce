import type { AutoSession } from './sdk/endpoint.ts';
import type { CopilotUser } from './user.ts';

/** What lets a request into Copilot: where to, with whose bearer, and as which program. */
export interface Access {
  /** Copilot's address for this bearer. Nothing of this goes to another host. */
  readonly apiBase: URL;
  /** The value of `Authorization`. */
  readonly authorization: string;
  /**
   * The headers that say which program asks, as they hold now, for a request to this path. They go out as they are: of
   * the other headers only those are sent that these do not name.
   */
  identity(path: string): Readonly<Record<string, string>>;
  /** ms since the epoch, by our clock. */
  readonly obtainedAt: number;
  /** By our clock; null: until Copilot refuses it. */
  readonly usableUntil: number | null;
  readonly sku: string | null;
}

/**
 * A way into Copilot with one credential: as whom, to which host, with which headers, until when, and how all of that
 * is got anew. What lies behind it is the same for every way.
 */
export interface Admission {
  /** Asks for it anew. Rejects with `AccountError`. */
  obtain(): Promise<Access>;
  /** Login, plan and quota. Rejects with an error whose message says why not. */
  readUser(): Promise<CopilotUser>;
  /** Null: GitHub is not asked to choose models on this way. */
  readonly auto: AutoDoor | null;
}

/** GitHub chooses the model of a conversation (Auto). */
export interface AutoDoor {
  /** Known once access was obtained. */
  isOpen(): boolean;
  /** Null: GitHub gave none. Rejects with `AccountError`. */
  choose(): Promise<AutoSession | null>;
}
