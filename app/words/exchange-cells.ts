import type { Charge, Exchange, ExchangeRow, ReasonCode } from '../api/exchange.ts';
import { type Message, msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { creditsOf, premiumRequests, tokenCount } from './numbers.ts';
import { duration } from './times.ts';

/** The cells of one request, in the words of the request log. */

export type World = 'credits' | 'premium' | 'unknown';

const reasons: Record<ReasonCode, Message | ''> = {
  prompt: '',
  interjection: msg('Interjected'),
  repeat: msg('Repeat'),
  subagent: msg('Subagent'),
  compaction: msg('Compaction'),
  'side-question': msg('Side question'),
  auxiliary: msg('Auxiliary'),
  scheduled: msg('Scheduled'),
  notification: msg('Notification'),
  resume: msg('Resume'),
  hook: msg('Stop hook'),
  continuation: msg('Continuation'),
  'tool-results': msg('Tool results'),
  'token-count': msg('Token count'),
  unclear: msg('Not sure'),
};

/** Parts of the initiator and its reason, for a list. */
interface InitiatorParts {
  icon: 'person' | 'agent' | 'branch';
  /** `User`, `Agent`, `Subagent`, `Workflow` */
  who: string;
  /** `Tool results`, `Explore`; empty where the word says it all. */
  why: string;
}

type Cause = Pick<Exchange, 'initiator' | 'agentType' | 'requestClass' | 'outcome'> & {
  reason: { code: ReasonCode; rule: string } | null;
  attempts: number | Exchange['attempts'];
};

/** Null if nothing was decided. */
export function initiatorParts(cause: Cause): InitiatorParts | null {
  const { initiator, reason, agentType, requestClass } = cause;
  if (initiator === null) return null;
  if (initiator === 'agent' && reason?.code === 'subagent') {
    return { icon: 'branch', who: requestClass === 'workflow' ? t('Workflow') : t('Subagent'), why: agentType ?? '' };
  }
  const person = initiator === 'user';
  return {
    icon: person ? 'person' : 'agent',
    who: person ? t('User') : t('Agent'),
    why: shortReason(reason, !isRefusedHere(cause)),
  };
}

/** It failed before Copilot was asked. */
function isRefusedHere({ outcome, attempts }: Pick<Cause, 'outcome' | 'attempts'>): boolean {
  return outcome === 'failed' && (typeof attempts === 'number' ? attempts : attempts.length) === 0;
}

/**
 * `Tool results`, `Side reply`, `Sent again`; empty for a prompt.
 * @param isSent a repeat that was answered here was not sent again
 */
export function shortReason(reason: { code: ReasonCode; rule: string } | null, isSent = true): string {
  if (reason === null) return '';
  if (reason.rule === 'attempt') return isSent ? t('Sent again') : t('Repeat');
  if (reason.rule === 'class-side-reply') return t('Side reply');
  const words = reasons[reason.code];
  return words === '' ? '' : translated(words);
}

/** `User`, `User Not sure`, `Agent Tool results`, `Subagent Explore`; `–` where nothing was decided. */
export function initiatorCell(exchange: Exchange): string {
  const parts = initiatorParts(exchange);
  if (parts === null) return '–';
  return parts.why === '' ? parts.who : `${parts.who} ${parts.why}`;
}

/** What Jumpseat itself did, in the place of a model. */
export function servedHere({ api, changes }: Pick<ExchangeRow, 'api' | 'changes'>): string | null {
  if (api !== 'web') return null;
  return changes.split(' ').includes('web-page') ? t('web page') : t('web search');
}

/** `claude-opus-4.8 ← opus`, one name where they agree; `web search` where no model was asked. */
export function modelCell({ askedModel, servedModel, api, fits }: Exchange): string {
  const here = servedHere({ api, changes: fits.map(({ code }) => code).join(' ') });
  if (here !== null) return here;
  if (servedModel === null) return askedModel ?? '–';
  return askedModel === null || askedModel === servedModel ? servedModel : `${servedModel} ← ${askedModel}`;
}

/** The status, or the word for an answer that ended early. */
export function statusCell({ outcome, status }: Exchange): string {
  switch (outcome) {
    case 'running':
      return '…';
    case 'cut':
      return t('Cut');
    case 'cancelled':
      return t('Left');
    default:
      if (isFailedAfterHeaders({ outcome, status })) return t('Failed');
      return status === null ? '–' : String(status);
  }
}

/** The status says that it went well, and the answer did not. */
export function isFailedAfterHeaders({ outcome, status }: Pick<Exchange, 'outcome' | 'status'>): boolean {
  return outcome === 'failed' && status !== null && status < 400;
}

/** The status that the client got, behind a sentence that names Copilot’s. */
export const answeredWords = (status: string): string =>
  t('Jumpseat answered the client with status {status}.', { status });

/** The answer ended before Copilot reported how many tokens it had: those are known that came before. */
export function isOutputIncomplete(exchange: Pick<Exchange, 'outcome' | 'status'>): boolean {
  return exchange.outcome === 'cut' || exchange.outcome === 'cancelled' || isFailedAfterHeaders(exchange);
}

/** Fresh and cache-write tokens together; cached; output, `≥ 3` of an answer that ended early. */
export function tokenCells(exchange: Exchange): { input: string; cached: string; output: string } {
  const { tokens } = exchange;
  const cell = (count: number | null): string => (count === null ? '–' : tokenCount(count));
  const least = tokens.output !== null && isOutputIncomplete(exchange) ? '≥ ' : '';
  const fresh = tokens.input === null ? tokens.cacheWrite : tokens.input + (tokens.cacheWrite ?? 0);
  return { input: cell(fresh), cached: cell(tokens.cacheRead), output: `${least}${cell(tokens.output)}` };
}

export function durationCell({ times }: Exchange): string {
  const end = times.lastEvent ?? times.headers;
  return end === null ? '–' : duration(end);
}

/** `7.528`, `27`, `Free`, `Unknown`, `–`, `…` */
export function chargeCell(charge: Charge): string {
  switch (charge.kind) {
    case 'billed':
      if (charge.nanoAiu !== null) return creditsOf(charge.nanoAiu);
      return charge.premiumRequests === null ? t('Unknown') : premiumRequests(charge.premiumRequests);
    case 'free':
      return t('Free');
    case 'unknown':
      return t('Unknown');
    case 'none':
      return '–';
    case 'pending':
      return '…';
  }
}

/** The head of the charge column. */
export function chargeHead(world: World): string {
  return world === 'credits' ? t('Credits') : world === 'premium' ? t('Premium') : t('Charge');
}

const retries: Readonly<Record<string, Message>> = {
  'token-refused': msg('sent again with a new token'),
  forbidden: msg('sent again with a new token'),
  'wrong-host': msg('sent again to the account’s new host'),
  'request-timeout': msg('Copilot waited too long; sent again'),
  network: msg('sent again over a new connection'),
  fallback: msg('sent again to the fallback of your rule'),
};

/** Why an attempt wasn’t the last one, from its code: `network`, `refused-field`. */
export function retryWords(code: string): string {
  if (code.startsWith('refused-')) return t('sent again without what Copilot refused');
  const words = retries[code];
  return words === undefined ? code : translated(words);
}
