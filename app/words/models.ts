import type { AbsenceKind, Because, GoneModel, ModelRow } from '../api/models.ts';
import type { LimitAmount, RuleClass, RuleScope, RuleUse } from '../api/rules.ts';
import { type Message, msg } from '../language/messages.ts';
import { joined } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { exact, premiumRequests as premiumAmount, price } from './numbers.ts';
import { whenInWords } from './own-limits.ts';

/** Why a name runs on a model, and what a model may do, as people read it. */

export const becauseWords: Readonly<Record<Because, Message>> = {
  exact: msg('Exact name'),
  same: msg('Same model'),
  newest: msg('Newest of family'),
  lower: msg('Nearest lower'),
  override: msg('Your override'),
  auto: msg('GitHub chooses'),
  disabled: msg('Off on GitHub'),
  missing: msg('Not in catalog'),
};

/** The reason in two or three words, for a cell of a table. */
export const absenceWords: Readonly<Record<AbsenceKind, Message>> = {
  'not-in-catalog': msg('Not in catalog'),
  'auto-only': msg('Auto only'),
  plan: msg('Other plans'),
  policy: msg('Off on GitHub'),
  'not-allowed': msg('Not allowed'),
  picker: msg('Not selectable'),
  'other-way': msg('Needs the other sign-in'),
  endpoint: msg('No known endpoint'),
  type: msg('Not for chat'),
  tools: msg('No tools'),
};

/** @param by `your organization (Octo Inc.)` */
export function notAllowedWords(model: string, by: string): string {
  return t('{model} isn’t allowed by {by}.', { model, by });
}

/** Why a model that is in use can't be used any more. */
export function goneWords({ model, rule, notAllowedBy }: GoneModel): string {
  if (notAllowedBy !== undefined) return notAllowedWords(model, notAllowedBy);
  return rule === undefined
    ? t('{model} is no longer in your catalog.', { model })
    : t('{model} isn’t in your catalog.', { model });
}

/** `Enabled`, `Off`, `Not selectable` */
export function offeredWords({ absence, policy }: Pick<ModelRow, 'absence' | 'policy'>): Message {
  return absence === null || absence.kind === 'policy' ? policyWords[policy] : absenceWords[absence.kind];
}

export const policyWords: Readonly<Record<ModelRow['policy'], Message>> = {
  enabled: msg('Enabled'),
  disabled: msg('Off'),
  unneeded: msg('Always on'),
};

const endpointNames: Readonly<Record<string, string>> = {
  '/v1/messages': 'messages',
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/embeddings': 'embeddings',
};

/** `messages, chat`; the variants of one over another transport go without saying. */
export function endpointWords(endpoints: readonly string[]): string {
  const names = endpoints.filter((path) => !path.startsWith('ws:')).map((path) => endpointNames[path] ?? path);
  return names.length === 0 ? '–' : [...new Set(names)].join(', ');
}

/** `27×`, `0×`; `–` where none is known. */
export function multiplierWords({ price: of }: Pick<ModelRow, 'price'>): string {
  return of.kind === 'multiplier' ? `${premiumAmount(of.multiplier)}×` : '–';
}

/** Credits per million tokens: fresh input, cached input, output. */
export function creditPrices({ price: of }: Pick<ModelRow, 'price'>): {
  input: string;
  cached: string;
  output: string;
} {
  if (of.kind !== 'credits') return { input: '–', cached: '–', output: '–' };
  return { input: price(of.input), cached: price(of.cacheRead), output: price(of.output) };
}

/** `500 / 50 / 2,500`, `27×`: beside a name in a list of models. */
export function shortPrice(model: Pick<ModelRow, 'price'>): string {
  if (model.price.kind === 'multiplier') return multiplierWords(model);
  const { input, cached, output } = creditPrices(model);
  return model.price.kind === 'unknown' ? t('Price not known') : `${input} / ${cached} / ${output}`;
}

/** The prices of this account are multipliers of premium requests. */
export function areMultiplied(models: readonly Pick<ModelRow, 'price'>[]): boolean {
  return models.some(({ price: of }) => of.kind === 'multiplier');
}

/** What helps where a rule names what isn't there. */
export const changeRule = msg('Change the rule in Settings → Rules (models.rules in settings.json).');

/** `rule 2 (client codex, class subagent)`, `rule 3 (all requests)` */
export function ruleInWords({ place, when }: { place: number; when: RuleScope }): string {
  return t('rule {place} ({when})', { place, when: whenInWords(when) });
}

/** `model gpt-5-mini, effort low, fallback claude-haiku-4.5, limit 5 credits per day (stop)` */
export function ruleUseInWords({ model, effort, account, fallback, limit }: RuleUse): string {
  const parts = Object.entries({ model, effort, account, fallback });
  const named = parts.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          t('{name, select, effort {effort} account {account} fallback {fallback} other {model}} {value}', {
            name,
            value,
          }),
        ],
  );
  return joined([...named, ...(limit === undefined ? [] : [limitAmountInWords(limit)])]);
}

/** `limit 5 credits per day (stop)` */
function limitAmountInWords({ credits, premiumRequests, per, action }: LimitAmount): string {
  return t(
    'limit {most} {unit, select, credits {credits} other {premium requests}} per {period, select, month {month} other {day}} ({action, select, stop {stop} other {warn}})',
    {
      most: exact(credits ?? premiumRequests ?? 0),
      unit: credits === undefined ? 'premium' : 'credits',
      period: per,
      action,
    },
  );
}

/** Efforts that a rule may name, the lowest first. */
export const ruleEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const satisfies readonly NonNullable<RuleUse['effort']>[];

/** The classes in the words of a list of choices. */
export const classWords: Readonly<Record<RuleClass, Message>> = {
  main: msg('Main'),
  subagent: msg('Subagent'),
  compaction: msg('Compaction'),
  auxiliary: msg('Auxiliary'),
};
