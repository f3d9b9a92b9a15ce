import { AccountError } from '../../account/account-error.ts';
import type { AutoSession } from '../../account/sdk/endpoint.ts';
import type { ErrorKind, Exchange } from '../../api/exchange.ts';
import { CatalogError } from '../../copilot/catalog.ts';
import { type CopilotFailure, failureFromAccount, isUnanswered, limitOf, whoSaidWhat } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { t } from '../../language/translate.ts';
import type { Log } from '../../ports.ts';
import { PolicyError } from '../../settings/policy.ts';
import { failureWords } from '../../words/failures.ts';
import { type ClientCall, KeyRevoked, ServerStopping } from '../client-call.ts';
import { UnreadableAnswer } from '../client-stream.ts';
import type { ExchangeDependencies, UsedAccount } from '../dependencies.ts';
import { absenceContext, absenceOf } from '../model/absence.ts';
import { pdfPages } from '../tokens/media.ts';
import { answerWithoutForm } from './broken-answer.ts';
import {
  type ClientError,
  ended,
  faultFacts,
  final,
  noAnswer,
  quoting,
  type RecoverContext,
  type Reported,
  refuse,
  refusePolicy,
  Stopped,
  say,
} from './error.ts';
import { resetOf, tellGithub, tellStatus, tellTokensRefused, tellVscode, tooLong } from './refusals.ts';

const offlineCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);

/** A failure of the way to Copilot, or Copilot's own refusal, before any byte of an answer. */
export function recoverFailure(failure: CopilotFailure, context: RecoverContext): ClientError {
  const { quotes, ...reported } = tell(failure, context);
  const facts = {
    source: failure.source,
    status: failure.status,
    code: isUnanswered(failure) ? 'no-answer' : (failure.code ?? codeless(failure)),
  };
  return {
    ...reported,
    theirs: failure.source === 'copilot' ? whoSaidWhat(failure) : null,
    failure: { ...facts, message: failureWords(facts), clientMessage: quotes ? null : reported.message },
    ...(isOfLimit(reported.kind) && failure.source === 'copilot' ? limitReached(reported.kind, failure, context) : {}),
    ...tooLong(reported.kind, failure.message),
  };
}

function codeless({ source, status }: CopilotFailure): string {
  return source === 'network' ? 'network' : `http-${status ?? 'none'}`;
}

function limitReached(
  kind: ErrorKind,
  failure: CopilotFailure,
  context: RecoverContext,
): Pick<ClientError, 'limit' | 'limitEndsAt'> {
  // A 503 names no limit of this account's.
  const limit = kind === 'overloaded' ? 'overloaded' : limitOf(failure);
  const reset = resetOf(limit, context);
  const { retryAfterSeconds: seconds } = failure;
  const endsAt = reset ?? (seconds === null ? null : context.now + Math.ceil(seconds) * 1000);
  return { limit, ...(endsAt === null ? {} : { limitEndsAt: endsAt }) };
}

function isOfLimit(kind: ErrorKind): boolean {
  return kind === 'limit' || kind === 'no-credits' || kind === 'overloaded';
}

function tell(failure: CopilotFailure, context: RecoverContext): Reported {
  if (failure.source === 'vscode') return tellVscode(failure);
  if (failure.signedOut) return say('signed-out', 401, 'authentication_error', `Jumpseat: ${failure.message}`, final);
  if (failure.tokensRefused) return tellTokensRefused(failure);
  if (failure.notice !== null) {
    const { title, message, url } = failure.notice;
    const sentences = [ended(title), ended(message), url].filter(Boolean).join(' ');
    return say('no-access', 403, 'permission_error', `Jumpseat: ${sentences}`, { ...final, ...quoting });
  }
  if (isUnanswered(failure)) return say(...noAnswer());
  if (failure.source === 'network') {
    const offline = offlineCodes.has(failure.code ?? '');
    return say(
      'no-connection',
      502,
      'api_error',
      t('Jumpseat: no connection to {host}, because {why}. Check the network, then try again.', {
        host: failure.host ?? 'Copilot',
        why: unended(failure.message),
      }),
      { shouldRetry: !offline, ...quoting },
    );
  }
  if (failure.source === 'github') return tellGithub(failure);
  return tellStatus(failure.status ?? 502, failure, context);
}

function unended(sentence: string): string {
  return sentence.replace(/[.\s]+$/, '');
}

/** The client's error for whatever a step has thrown. Our own faults go to the log. */
export function clientErrorOf(
  thrown: unknown,
  run: { id: string; wasSent: boolean; log: Log; context(): RecoverContext },
): ClientError {
  if (thrown instanceof Stopped) return thrown.error;
  if (thrown instanceof AccountError) return recoverFailure(failureFromAccount(thrown), run.context());
  if (thrown instanceof CatalogError) return recoverFailure(thrown.failure, run.context());
  if (thrown instanceof PolicyError) return refusePolicy(thrown);
  if (thrown instanceof ServerStopping) {
    return refuse(
      503,
      'api_error',
      'stopped',
      t('Jumpseat: the proxy was turned off while this answer was running. Turn it on, then try again.'),
      false,
    );
  }
  if (thrown instanceof KeyRevoked) return refuse(401, 'authentication_error', 'key-revoked', thrown.message, false);
  // The stack ends where a value within a value within a value … is read or written; nothing has been sent then.
  if (thrown instanceof RangeError && !run.wasSent)
    return refuse(
      400,
      'invalid_request_error',
      'too-deep',
      t('Jumpseat: the body is nested too deeply. Send values within fewer others.'),
      false,
    );
  const isUnreadable = thrown instanceof UnreadableAnswer;
  run.log.write('error', 'exchange.broke', { exchange: run.id, ...faultFacts(isUnreadable ? thrown.cause : thrown) });
  if (isUnreadable) return answerWithoutForm();
  return refuse(500, 'api_error', 'internal', t('Jumpseat: Internal error. Jumpseat’s log has the details.'));
}

/** What is known of a request when it fails. */
interface FailedRun {
  row: Pick<Exchange, 'askedModel' | 'servedModel'>;
  chosen: { model: CatalogModel; auto: AutoSession | null; offered: readonly string[] } | null;
  call: Pick<ClientCall, 'body' | 'headers'>;
}

/** What the words for a failure may refer to. */
export function recoverContextOf(
  { clock, redact }: Pick<ExchangeDependencies, 'clock' | 'redact'>,
  used: UsedAccount,
  run: FailedRun | null,
): RecoverContext {
  const { account } = used;
  const chosen = run?.chosen ?? null;
  const windows = account.usageWindows();
  return {
    now: clock.now(),
    quotaResetsAt: account.quota()?.resetsAt ?? null,
    weeklyResetsAt: windows.weekly?.resetsAt ?? null,
    sessionResetsAt: windows.session?.resetsAt ?? null,
    askedModel: run?.row.askedModel ?? null,
    servedModel: run?.row.servedModel ?? null,
    isAuto: chosen !== null && chosen.auto !== null,
    absence: chosen === null ? null : absenceOf(chosen.model, absenceContext(used)),
    offered: chosen?.offered ?? [],
    redact,
    isQuoted: (words) => run !== null && isQuoted(run.call, words),
    pdfPages: () => (run === null ? 0 : pdfPagesOf(run.call)),
  };
}

/**
 * Whether the request has these words, in its body or a header. Where the body has been let go of, that
 * is not known, and taken for granted.
 */
function isQuoted({ body, headers }: FailedRun['call'], words: string): boolean {
  return (
    body.length === 0 || body.includes(words) || Object.values(headers).some((value) => String(value).includes(words))
  );
}

/** Pages of all PDFs in the body, whatever its format. 0 where they cannot be counted. */
function pdfPagesOf({ body }: FailedRun['call']): number {
  const pdfs = body
    .toString('latin1')
    .match(/(?<=["'])JVBERi[A-Za-z0-9+/=]*|(?<=application\/pdf;base64,)[A-Za-z0-9+/=]+/g);
  return pdfPages(pdfs ?? []);
}
