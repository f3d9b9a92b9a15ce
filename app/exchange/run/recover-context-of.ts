import type { AutoSession } from '../../account/sdk/endpoint.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import type { ClientCall } from '../answering/client-call.ts';
import { absenceContext, absenceOf } from '../model/absence.ts';
import type { RecoverContext } from '../recover/recover-context.ts';
import type { ExchangeDependencies } from './exchange-dependencies.ts';
import type { UsedAccount } from './used-account.ts';

/** What is known of a request when it fails. */
interface FailedRun {
  row: Pick<Exchange, 'askedModel' | 'servedModel'>;
  model: CatalogModel | null;
  auto: AutoSession | null;
  offered: readonly string[];
  call: Pick<ClientCall, 'body' | 'headers'>;
}

/** What the words for a failure may refer to. */
export function recoverContextOf(
  { clock, redact }: Pick<ExchangeDependencies, 'clock' | 'redact'>,
  used: UsedAccount,
  run: FailedRun | null,
): RecoverContext {
  const { account } = used;
  const windows = account.usageWindows();
  return {
    now: clock.now(),
    quotaResetsAt: account.quota()?.resetsAt ?? null,
    weeklyResetsAt: windows.weekly?.resetsAt ?? null,
    sessionResetsAt: windows.session?.resetsAt ?? null,
    askedModel: run?.row.askedModel ?? null,
    servedModel: run?.row.servedModel ?? null,
    isAuto: run !== null && run.auto !== null,
    absence: run === null || run.model === null ? null : absenceOf(run.model, absenceContext(used)),
    offered: run?.offered ?? [],
    redact,
    isQuoted: (words) => run !== null && isQuoted(run.call, words),
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
