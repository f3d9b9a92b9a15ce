import type { ClientApi, FitNote } from '../../api/exchange.ts';
import type { ModelRule, RuleClass, RuleScope, RuleUse } from '../../api/rules.ts';
import { type CopilotFailure, limitOf, mayHaveWorked, overloads } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import { ruleInWords } from '../../words/models.ts';
import type { PromptReading } from '../initiator/reading.ts';
import { type Scoped, type SessionFolders, scopeHolds } from '../limits/scope.ts';

/**
 * What a person's rules say of a request. A rule is their word: it alone may run a request on a model of another
 * family. No rule is asked who started a request, and none changes that.
 */

/** The rule that a request follows. */
export interface FollowedRule {
  /** Place in the list, from 1 on. */
  place: number;
  when: RuleScope;
  use: RuleUse;
}

/** The first rule that is for the request; null if none is. */
export function ruleFor(
  rules: readonly ModelRule[],
  who: Scoped,
  folders: Pick<SessionFolders, 'isIn'>,
): FollowedRule | null {
  const at = rules.findIndex(({ when }) => scopeHolds(when, who, folders));
  const rule = rules[at];
  return rule === undefined ? null : { place: at + 1, ...rule };
}

/** The class that Claude Code names; else the one that the request shows. */
export function classOf({
  requestClass,
  hasSubagentSystem,
  newContent,
  side,
}: Pick<PromptReading, 'requestClass' | 'hasSubagentSystem' | 'newContent' | 'side'>): RuleClass {
  switch (requestClass) {
    case 'subagent':
    case 'workflow':
      return 'subagent';
    case 'compaction':
      return 'compaction';
    case 'auxiliary':
    case 'side_reply':
      return 'auxiliary';
    case null:
      if (hasSubagentSystem) return 'subagent';
      if (newContent.endsWithCompaction) return 'compaction';
      return side !== null && side.proof !== 'name' ? 'auxiliary' : 'main';
    default:
      return 'main';
  }
}

/** The request with the effort of a rule, in the field of its API. The request that was given is not written to. */
export function withEffort<Body extends object>(request: Body, api: ClientApi, effort: string): Body {
  const fields: JsonObject = Object.fromEntries(Object.entries(request));
  if (api === 'chat') return { ...request, reasoning_effort: effort };
  if (api === 'responses')
    return { ...request, reasoning: { ...(isObject(fields.reasoning) && fields.reasoning), effort } };
  const config = { ...(isObject(fields.output_config) && fields.output_config), effort };
  // Claude Code may name another effort in a message of the system's.
  const { messages } = fields;
  const plain = Array.isArray(messages) ? { messages: messages.map(withoutEffort) } : {};
  return { ...request, ...plain, output_config: config };
}

function withoutEffort(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.output_config) || message.output_config.effort === undefined)
    return message;
  const { effort: _effort, ...config } = message.output_config;
  return { ...message, output_config: config };
}

/** The effort that the request names itself. */
export function effortOf(request: object, api: ClientApi): string | null {
  const fields: JsonObject = Object.fromEntries(Object.entries(request));
  const holder = api === 'responses' ? fields.reasoning : fields.output_config;
  const effort = api === 'chat' ? fields.reasoning_effort : isObject(holder) ? holder.effort : null;
  return typeof effort === 'string' ? effort : null;
}

/**
 * Why a person's second model is asked now; null if it is not. Only refusals after which the model can't have been at
 * work on the request, and that are about this model: another one would meet a limit of the account as well. A 500, a
 * 502, a 504, a reset and silence go to the client.
 */
export function reasonToFallBack(failure: CopilotFailure, fallback: CatalogModel): string | null {
  const { status, source, code, speaker } = failure;
  // Held back here: a limit that Copilot named before holds still.
  if (failure.mayHaveArrived || (source !== 'copilot' && source !== 'jumpseat')) return null;
  const limit = status === 402 || status === 429 ? limitOf(failure) : null;
  if (limit === 'overloaded') return msg('overloaded');
  if (limit === 'model') return msg('its limit is reached');
  if (limit === 'provider') return msg('its provider is at its limit');
  if (limit === 'credits') return isIncluded(fallback) ? msg('no premium requests are left') : null;
  if (speaker === 'copilot' && (status === 529 || (status === 503 && overloads.has(code ?? ''))))
    return msg('overloaded');
  const isUnsupported = code === 'model_not_supported' || /requested model is not supported/i.test(failure.message);
  return status === 400 && isUnsupported ? t('Copilot doesn’t serve it to this account') : null;
}

/** Needs no premium request. */
function isIncluded({ price }: CatalogModel): boolean {
  return price.kind === 'multiplier' && price.multiplier === 0;
}

/** Copilot did nothing with it, as far as its answer says. */
export function isRefusal(failure: CopilotFailure): boolean {
  return failure.status !== null && !mayHaveWorked(failure);
}

/** What the log says of a rule's work: `rule 2 (class subagent): effort high → low`. */
export function ruleNote(rule: FollowedRule, part: 'effort' | 'account' | 'fallback', text: string): FitNote {
  return { code: `rule-${part}`, count: 1, text: `${ruleInWords(rule)}: ${text}` };
}
