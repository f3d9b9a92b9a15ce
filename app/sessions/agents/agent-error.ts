/**
 * - `unavailable`: what it needs is not there.
 * - `start`: it did not start, or did not answer.
 * - `ended`: its process is gone.
 */
export type AgentErrorKind = 'unavailable' | 'start' | 'ended';

/** `message` says what happened and why, `mend` what to do next. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly kind: AgentErrorKind;
  readonly mend: string;
  constructor(kind: AgentErrorKind, message: string, mend: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.mend = mend;
  }
}
