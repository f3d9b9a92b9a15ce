import { createHash, randomBytes } from 'node:crypto';
import { sessionKeyPrefix } from '../ports.ts';

/**
 * A key for each hosted session, in memory alone: what a session's programs can read opens the routes that lead to
 * Copilot, and Jumpseat's tools, under the session's name, until the session ends. Known by their hashes, so that
 * the time of a look-up does not say how much of it was right.
 */
export class SessionKeyRing {
  readonly #sessions = new Map<string, string>();
  readonly #hashes = new Map<string, string>();

  /** A new key for this session; one that it had before no longer opens anything. */
  mint(sessionId: string): string {
    this.revoke(sessionId);
    const key = `${sessionKeyPrefix}${randomBytes(32).toString('base64url')}`;
    const hash = hashOf(key);
    this.#sessions.set(hash, sessionId);
    this.#hashes.set(sessionId, hash);
    return key;
  }

  /** Does nothing where there is none. */
  revoke(sessionId: string): void {
    const hash = this.#hashes.get(sessionId);
    if (hash === undefined) return;
    this.#hashes.delete(sessionId);
    this.#sessions.delete(hash);
  }

  /** The session whose key it is; null if it is no session's key. */
  sessionOf(key: string): string | null {
    return this.#sessions.get(hashOf(key)) ?? null;
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
