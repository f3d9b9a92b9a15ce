/** What a request of our own is for. */
export interface Cause {
  /** The exchange that needs it; null: a person asked Jumpseat itself. */
  exchange: string | null;
  /** The label of whom it is for. */
  client: string;
  session: string | null;
  prompt: string | null;
  /** Of the prompt that it follows; null: it has one of its own. */
  interactionId: string | null;
  /**
   * The request that needs it goes on with a prompt that Copilot has counted already: its own verdict is `agent`, or it
   * was a `user` and Copilot has accepted it. Anything else makes this one a `user`.
   */
  counted: boolean;
}
