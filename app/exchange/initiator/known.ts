/**
 * How an accepted attempt ended: not yet, delivered whole, ended early by Copilot or by us, broken off by the client.
 */
export type LedgerEnding = 'running' | 'whole' | 'cut' | 'left';

/** What the decision asks the record of accepted prompts. */
export interface LedgerView {
  /** Null: nothing with this key was accepted. */
  accepted(key: string): { ending: LedgerEnding } | null;
  /** Attempts with this key that were not accepted; `lastStatus` null where no answer came. */
  refusals(key: string): { count: number; lastStatus: number | null };
}

/** Everything that was seen of earlier requests. */
export interface Known extends LedgerView {
  /** Subagents that answers of this session called for and that have not begun. */
  agentCalls(session: string): number;
}
