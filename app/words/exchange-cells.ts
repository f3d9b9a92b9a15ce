import type { Charge, Exchange, ExchangeRow, ReasonCode } from '../api/exchange.ts';
import { t } from '../language/translate.ts';
import { creditsOf, premiumRequests, tokenCount } from './numbers.ts';
import { duration } from './times.ts';

/** The cells of one request, in the words of the request log. */

export type World = 'credits' | 'premium' | 'unknown';

const reasons: Record<ReasonCode, string> = {
  prompt: '',
  interjection: 'Interjected',
  repeat: 'Repeat',
  subagent: 'Subagent',
  compaction: 'Compaction',
  'side-question': 'Side question',
  auxiliary: 'Auxiliary',
  scheduled: 'Scheduled',
  notification: 'Notification',
  resume: 'Resume',
  hook: 'Stop hook',
  continuation: 'Continuation',
  'tool-results': 'Tool results',
  'token-count': 'Token count',
  unclear: 'Not sure',
};

/** Parts of the initiator and its reason, for a list. */
interface InitiatorParts {
  icon: 'person' | 'agent' | 'branch';
  /** `User`, `Agent`, `Subagent`, `Workflow` */
  who: string;
  /** `Tool results`, `Explore`; empty where the word says it all. */
  why: string;
}

type Cause = Pick<Exchange, 'initiator' | 'agentType' | 'requestClass'> & {
  reason: { code: ReasonCode; rule: string } | null;
};

/** Null if nothing was decided. */
export function initiatorParts({ initiator, reason, agentType, requestClass }: Cause): InitiatorParts | null {
  if (initiator === null) return null;
  if (initiator === 'agent' && reason?.code === 'subagent') {
    return { icon: 'branch', who: requestClass === 'workflow' ? 'Workflow' : 'Subagent', why: agentType ?? '' };
  }
  const person = initiator === 'user';
  return { icon: person ? 'person' : 'agent', who: person ? 'User' : 'Agent', why: shortReason(reason) };
}

/** `Tool results`, `Side reply`, `Sent again`; empty for a prompt. */
export function shortReason(reason: { code: ReasonCode; rule: string } | null): string {
  if (reason === null) return '';
  if (reason.rule === 'attempt') return 'Sent again';
  if (reason.rule === 'class-side-reply') return 'Side reply';
  return reasons[reason.code];
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
  return changes.split(' ').includes('web-page') ? 'web page' : 'web search';
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
      return 'Cut';
    case 'cancelled':
      return 'Left';
    default:
      if (isFailedAfterHeaders({ outcome, status })) return 'Failed';
      return status === null ? '–' : String(status);
  }
}

/** The status says that it went well, and the answer did not. */
export function isFailedAfterHeaders({ outcome, status }: Pick<Exchange, 'outcome' | 'status'>): boolean {
  return outcome === 'failed' && status !== null && status < 400;
}

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
      return charge.premiumRequests === null ? 'Unknown' : premiumRequests(charge.premiumRequests);
    case 'free':
      return 'Free';
    case 'unknown':
      return 'Unknown';
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
