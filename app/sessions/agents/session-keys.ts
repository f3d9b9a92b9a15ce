/** The keys of sessions. Each opens the routes that lead to Copilot and our own tools, until it is taken back. */
export interface SessionKeys {
  /** A new key for this session; one that it had before no longer opens anything. It lives in memory alone. */
  mint(sessionId: string): string;
  /** Does nothing where there is none. */
  revoke(sessionId: string): void;
}
