import { constants } from 'node:os';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { TurnFacts, TurnProblem } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { AgentError, type AgentExit } from '../agents/agent.ts';
import { exitIn } from '../agents/agent-extras.ts';
import { SessionStoreError } from '../store/session-database.ts';
import { plain, SessionError, tokenLimit, worded } from './error.ts';

/** JSON-RPC: the agent does not know the session (any more). Nothing was sent then. */
const unknownSession = -32002;
/** JSON-RPC: so Claude's agent passes on a 401. */
const authRequired = -32000;
/** Characters of stderr that are shown. */
const shownStderr = 4_000;

export function isUnknownSession(error: unknown): boolean {
  return error instanceof RequestError && error.code === unknownSession;
}

/** The agent passed on a refusal of the model's side and lives on; anything else may have ended its session. */
export function saysRefused(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  if (error.code === authRequired) return true;
  return typeof error.data === 'object' && error.data !== null && 'errorKind' in error.data;
}

/**
 * A refused start, for a person; any other error is returned as it is. `data.remedy` is the agent's own next step, and
 * its message is whole then; `data.stderr` is the end of what its process printed.
 */
export function refusedStart(error: unknown, title: string): unknown {
  if (!(error instanceof RequestError)) return error;
  const { remedy, stderr } = Object(error.data);
  const reason = reasonIn(error);
  if (typeof remedy === 'string') return new AgentError('start', reason, remedy, { cause: error });
  const printed = typeof stderr === 'string' ? (stderr.trim().split('\n').at(-1) ?? '') : '';
  const said = [reason, printed].filter((words) => words !== '');
  const why = said.map((words) => (/[.!?]$/.test(words) ? words : `${words}.`)).join(' ');
  const message = t('{title} didn’t start the session: {why}', { title, why });
  return new AgentError('start', message, t('Send the message again.'), { cause: error });
}

/** The same for words that the agent didn't take into its running turn. */
export function refusedSteering(error: unknown, title: string): unknown {
  if (!(error instanceof RequestError)) return error;
  const exit = exitIn(error);
  if (exit !== null) {
    const { text, remedy } = endedProblem(title, exit);
    return new AgentError('ended', text, remedy, { cause: error, exit });
  }
  const reason = reasonIn(error);
  const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  const message =
    reason === ''
      ? t('{title} didn’t accept the message in the running turn.', { title })
      : t('{title} didn’t accept the message in the running turn: {why}', { title, why });
  return new SessionError('not-possible', message, t('Send the message again.'), { cause: error });
}

/** The reason without the words of JSON-RPC. */
function reasonIn({ message }: RequestError): string {
  return message.replace(/^(Internal error(: |$))+/, '');
}

/**
 * Before a 401 and a 403 Claude Code names its own login, which is the wrong one: where the sentence behind it is ours,
 * that says what to do.
 */
function withoutLogin(message: string): string {
  return message.replace(/^(?:Internal error: )?Please run \/login · API Error: \d{3} (?=Jumpseat: )/, '');
}

/** @param title the agent's: `Claude Code` */
export function problemOf(error: unknown, title: string, exit: AgentExit | null): TurnProblem {
  const ended = exit ?? exitIn(error);
  if (ended !== null) return endedProblem(title, ended);
  if (error instanceof SessionError || error instanceof SessionStoreError || error instanceof AgentError) {
    return plain(error.code, error.message, error.remedy);
  }
  const message = withoutLogin(error instanceof Error ? error.message : String(error));
  if (error instanceof RequestError && Object(error.data).errorKind === 'max_output_tokens') {
    const most = Number(/exceeded the (\d+) output token maximum/.exec(message)?.[1]);
    return tokenLimit(Number.isNaN(most) ? {} : { most });
  }
  if (saysRefused(error)) {
    return plain('refused', message, t('Send the message again when that is over.'));
  }
  return plain('failed', t('{title} could not go on: {message}', { title, message }), t('Send the message again.'));
}

function endedProblem(title: string, exit: AgentExit): TurnProblem {
  const { stderr } = exit;
  const remedy = t('Send a message to go on with this conversation.');
  return {
    ...worded('agent-ended', endFacts(exit), title, remedy),
    stderr: stderr.trim() === '' ? null : stderr.trimEnd().slice(-shownStderr),
  };
}

/** A number, which is the same for every system that has signals. */
function endFacts({ code, signal }: AgentExit): TurnFacts {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  if (number !== undefined) return { signal: number };
  return code === null ? {} : { exitCode: code };
}
