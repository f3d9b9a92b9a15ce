/** Where a conversation is cut off: after a turn, which has to have an answer. */
export interface ForkPoint {
  agentSessionId: string;
  /** As the agent's updates name it; null: its end. */
  messageId: string | null;
}
