import type { Exchange } from '../../api/exchange.ts';
import type { TurnFacts, TurnProblem } from '../../api/sessions.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { isNeverSent } from '../../words/charge.ts';
import { otherStatusWords } from '../../words/failures.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import { readProblem, worded } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import { SessionStoreError } from '../store/session-database.ts';

interface Given {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'store' | 'clock'>;
  kept: Pick<KeptSession, 'context'>;
  costs: { takeFailure(turnId: string): FailedRequest | undefined };
}

/** Ends of its agent are counted over so long, in ms. */
const oftenMs = 5 * 60_000;

/**
 * Why a turn ended, with what is known here beside what its agent says.
 * @param title the agent's: `Claude Code`
 */
export function explainedEnd(given: Given, turnId: string, problem: TurnProblem, title: string): TurnProblem {
  const known = explained(problem, given.costs.takeFailure(turnId), given.kept.context, title);
  return known.code === 'agent-ended' ? withEnds(given, known, title) : known;
}

/** Adds how often the agent ended lately. */
function withEnds({ sessionId, dependencies }: Given, problem: TurnProblem, title: string): TurnProblem {
  const since = dependencies.clock.now() - oftenMs;
  try {
    const ended = dependencies.store.turns
      .of(sessionId, { limit: 10 })
      .filter(({ failure, endedAt }) => (endedAt ?? 0) >= since && readProblem(failure)?.code === 'agent-ended');
    const facts = { ...problem.facts, ends: ended.length + 1 };
    return { ...problem, facts, text: worded(problem.code, facts, title, problem.remedy).text };
  } catch (error) {
    // How often it did can't be read now.
    if (!(error instanceof SessionStoreError)) throw error;
    return problem;
  }
}

/** The last request of a turn's own conversation where that failed, and how many in a row got no connection. */
export interface FailedRequest {
  row: Exchange;
  tries: number;
}

/** Requests beside the conversation, whose failure ends no turn. */
const beside: ReadonlySet<string | null> = new Set(['auxiliary', 'side_reply', 'subagent', 'workflow']);

/** What is known of a turn's last request after one more has ended. */
export function failedAfter(before: FailedRequest | undefined, row: Exchange): FailedRequest | undefined {
  return row.agentId !== null || beside.has(row.requestClass) ? before : afterRow(before, row);
}

/** The same for any row. */
export function afterRow(before: FailedRequest | undefined, row: Exchange): FailedRequest | undefined {
  if (row.outcome !== 'failed' && row.outcome !== 'cut') return row.outcome === 'done' ? undefined : before;
  return { row, tries: isUnconnected(row) ? (before?.tries ?? 0) + 1 : 0 };
}

function isUnconnected({ outcome, failure }: Exchange): boolean {
  return outcome === 'failed' && failure?.source === 'network' && failure.code !== 'no-answer';
}

/**
 * What the log says of a turn's failure, where it knows more than the agent.
 * @param context of the conversation, where Copilot itself said no numbers
 * @param title the agent's: `Claude Code`
 */
export function explained(
  problem: TurnProblem,
  failed: FailedRequest | undefined,
  context: { used: number; size: number } | null,
  title: string,
): TurnProblem {
  if (failed === undefined) return problem;
  const { row } = failed;
  const named = { ...problem, requestId: row.id };
  return problem.code === 'refused' ? { ...named, ...cause(failed, problem, context, title) } : named;
}

function cause(
  { row, tries }: FailedRequest,
  problem: TurnProblem,
  context: { used: number; size: number } | null,
  title: string,
): Pick<TurnProblem, 'code' | 'text' | 'remedy' | 'facts'> {
  const { failure, outcome, tokens } = row;
  if (outcome === 'cut') {
    const facts = tokens.output === null ? {} : { tokens: tokens.output };
    return wordsOf('cut', facts, title, t('Send a message to go on.'));
  }
  if (isUnconnected(row)) {
    const facts = { tries, ...(failure === null ? {} : { network: failure.code }) };
    return wordsOf('no-connection', facts, title, t('Send the message again when the connection is back.'));
  }
  if (failure?.kind === 'too-long') {
    return wordsOf('context-full', sizeFacts(row, context), title, t('Compact the conversation, then send it again.'));
  }
  const facts: TurnFacts = {
    status: failure?.status ?? row.status,
    ...(failure?.limit === undefined ? {} : { limit: failure.limit }),
    ...(failure?.limitEndsAt === undefined ? {} : { limitEndsAt: failure.limitEndsAt }),
  };
  const code = codeOf(row, problem);
  const { text, remedy } = problem;
  if (failure?.code === 'model-missing' && row.askedModel !== null) {
    const missing = t('Copilot has no model "{named}" for this account.', { named: row.askedModel });
    return { code: 'not-sent', text: missing, remedy: t('Choose another model.'), facts };
  }
  if (failure?.code === 'model-disabled' && row.askedModel !== null) {
    const off = t('{id} is off for this account.', { id: row.servedModel ?? row.askedModel });
    return { code: 'not-sent', text: off, remedy: t('Turn it on at github.com/settings/copilot.'), facts };
  }
  const said = failure?.clientMessage ?? failure?.message ?? text;
  return { code, text: sentences(said, otherStatusWords(row) ?? ''), remedy, facts };
}

function codeOf(row: Exchange, problem: TurnProblem): string {
  const { failure } = row;
  if (failure?.kind === 'signed-out') return 'signed-out';
  if (failure?.source !== 'jumpseat' || !isNeverSent(row)) return problem.code;
  return failure.code === 'held-back' ? 'held-back' : 'not-sent';
}

function sizeFacts(row: Exchange, context: { used: number; size: number } | null): TurnFacts {
  const { tokens, most } = row.failure?.tooLong ?? { tokens: context?.used, most: context?.size };
  const model = row.servedModel ?? row.askedModel;
  return {
    ...(tokens === undefined || most === undefined ? {} : { tokens, most }),
    ...(model === null ? {} : { model }),
  };
}

function wordsOf(code: string, facts: TurnFacts, title: string, remedy: string) {
  const { text } = worded(code, facts, title, remedy);
  return { code, text, remedy, facts };
}
