import type { AgentExit } from './agent.ts';

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
  /** As the problem of a turn has it. */
  readonly code: 'agent-ended' | 'not-started';
  readonly mend: string;
  /** How the process ended that this is about; null: not told. An agent may have others that run on. */
  readonly exit: AgentExit | null;
  constructor(kind: AgentErrorKind, message: string, mend: string, options?: { cause?: unknown; exit?: AgentExit }) {
    super(message, options);
    this.kind = kind;
    this.code = kind === 'ended' ? 'agent-ended' : 'not-started';
    this.mend = mend;
    this.exit = options?.exit ?? null;
  }
}
