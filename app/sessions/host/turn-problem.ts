import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { TurnProblem } from '../../api/sessions.ts';
import type { AgentExit } from '../agents/agent.ts';
import { AgentError } from '../agents/agent-error.ts';
import { SessionStoreError } from '../store/store-error.ts';
import { SessionError } from './session-error.ts';

/** JSON-RPC: the agent does not know the session (any more). Nothing was sent then. */
const unknownSession = -32002;
/** Of stderr, in characters. */
const shownStderr = 4_000;

export function isUnknownSession(error: unknown): boolean {
  return error instanceof RequestError && error.code === unknownSession;
}

/** The agent passed on a refusal of the model's side and lives on; anything else may have ended its session. */
export function saysRefused(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return typeof error.data === 'object' && error.data !== null && 'errorKind' in error.data;
}

/** @param title the agent's: `Claude Code` */
export function problemOf(error: unknown, title: string, exit: AgentExit | null): TurnProblem {
  if (exit !== null) return endedProblem(title, exit);
  if (error instanceof SessionError || error instanceof SessionStoreError) {
    return plain(error.code, error.message, error.mend);
  }
  if (error instanceof AgentError)
    return plain(error.kind === 'ended' ? 'agent-ended' : 'not-started', error.message, error.mend);
  const message = error instanceof Error ? error.message : String(error);
  if (saysRefused(error)) {
    return plain('refused', message, 'Send the message again when that is over.');
  }
  return plain('failed', `${title} could not go on: ${message}`, 'Send the message again.');
}

function endedProblem(title: string, { code, signal, stderr }: AgentExit): TurnProblem {
  const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by signal ${signal}`;
  return {
    code: 'agent-ended',
    text: `${title} stopped in the middle of this turn: its process ended ${how}.`,
    mend: 'Send a message to go on with this conversation. The last command may be half done.',
    requestId: null,
    stderr: stderr.trim() === '' ? null : stderr.trimEnd().slice(-shownStderr),
  };
}

export function plain(code: string, text: string, mend: string): TurnProblem {
  return { code, text, mend, requestId: null, stderr: null };
}
