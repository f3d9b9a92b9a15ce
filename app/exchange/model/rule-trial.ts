import type { ModelAnswer } from '../../api/models.ts';
import type { ImaginedRequest, ModelRule, RuleTrial } from '../../api/rules.ts';
import type { OwnLimit } from '../../api/state.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { clampEffort } from '../../formats/translation/effort.ts';
import { msg } from '../../language/messages.ts';
import { altered } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { isWithin } from '../../settings/files.ts';
import type { Settings } from '../../settings/settings.ts';
import { changeRule, ruleInWords } from '../../words/models.ts';
import { isUsedUp, limitInWords } from '../../words/own-limits.ts';
import { capital } from '../../words/text.ts';
import type { AccountChoice, UsedAccount } from '../dependencies.ts';
import type { Guards } from '../limits/limits.ts';
import { scopeHolds } from '../limits/scope.ts';
import { absenceContext, explainName } from './absence.ts';
import { resolveModel, resolveTarget } from './resolve.ts';
import { type FollowedRule, ruleFor } from './rules.ts';

/** A person's rules, tried out: what would happen to a request. Nothing is sent. */

export interface TrialDependencies {
  settings(): Pick<Settings, 'models' | 'modelOverrides'>;
  accounts: AccountChoice;
  /** The person's limits that a request would count for, and the one that would hold it back. */
  limits: Guards['tried'];
}

/** Rejects where the models can't be read. */
export async function tryRules(asked: ImaginedRequest, dependencies: TrialDependencies): Promise<RuleTrial> {
  const { client = 'claude-code', class: ofClass = 'main', folder, model: name } = asked;
  const { models: chosen, modelOverrides } = dependencies.settings();
  const who = {
    client,
    session: null,
    class: ofClass,
    model: name,
    ...(asked.key !== undefined && { key: asked.key }),
  };
  const isIn = (_: unknown, wanted: string): boolean => folder !== undefined && isWithin(folder, wanted);
  const rule = ruleFor(chosen.rules, who, { isIn });
  const use = rule?.use ?? {};
  const first =
    rule === null
      ? noRule
      : t('{rule} is the first that is for this request.', { rule: altered(ruleInWords(rule), capital) });
  const none = { rule: rule?.place ?? null, model: null, effort: null, account: null, fallback: null };
  const used = use.account === undefined ? dependencies.accounts.of(client) : dependencies.accounts.named(use.account);
  if (used === null) {
    const missing = t('It would be refused: the rule names the account “{account}”, which can’t be used.', {
      account: use.account ?? '',
    });
    return { ...none, sentences: [first, missing], remedy: t('Add an account of this name, or change the rule.') };
  }
  const account = used.name?.() ?? null;
  const models = await used.catalog.models();
  const answer = explain(use.model ?? name, use.model === undefined ? modelOverrides : null, models, used);
  const second = use.fallback === undefined ? null : explain(use.fallback, null, models, used);
  const limitsFor = (model: string | null) => {
    const sender = { ...who, ...(account !== null && { account }), ...(rule && { rule: rule.when }) };
    return dependencies.limits({ ...sender, servedModel: model }, isIn);
  };
  const isServed = answer.kind === 'here' || isSentAllTheSame(answer);
  const own = isServed ? await limitsFor(answer.model) : { limits: [], reached: null };
  // As with a request: one that its own limits hold back as well is not asked.
  const isLimited = own.reached !== null && second?.kind === 'here' && (await limitsFor(second.model)).reached === null;
  const fallsBack = second?.kind === 'here' && (answer.kind === 'policy' || isLimited);
  const isRefused = own.reached !== null && !isLimited;
  // Why it is refused says what is used of that limit.
  const counting = own.limits.filter((limit) => !isRefused || !(limit.stops && isUsedUp(limit)));
  const model = models.find(({ id }) => id === answer.model) ?? null;
  const sentences = [
    first,
    use.model !== undefined && answer.kind === 'here'
      ? t('It would run on {model}.', { model: answer.model ?? '' })
      : answer.text,
    ...(use.effort === undefined ? [] : [effortWords(use.effort, model)]),
    ...(account === null ? [] : [t('It would be sent with the account {name}.', { name: account })]),
    ...counting.map(limitWords),
    ...(isRefused && own.reached !== null
      ? [t('It would be refused: {because}', { because: own.reached.because })]
      : []),
    ...(second === null || (isRefused && second.kind === 'here') ? [] : [fallbackWords(second, fallsBack)]),
  ];
  const isSent = (isServed && own.reached === null) || fallsBack;
  const remedy = own.reached?.remedy ?? (use.model === undefined ? answer.remedy : changeRule);
  return {
    rule: rule?.place ?? null,
    model: isSent ? (fallsBack ? second.model : (answer.model ?? answer.asked)) : null,
    effort: use.effort ?? null,
    account,
    fallback: second?.model ?? null,
    sentences,
    remedy: isSent ? null : remedy,
  };
}

/** `It counts for your limit: 1.20 of 5 credits used today for client codex.` */
function limitWords(limit: OwnLimit): string {
  const words = limitInWords(limit);
  if (!isUsedUp(limit)) return t('It counts for your limit: {words}.', { words });
  return limit.stops
    ? t('Your limit is used up: {words}.', { words })
    : t('Your limit is used up and only warns: {words}.', { words });
}

const noRule = msg('No rule is for this request.');

/** @param overrides null for the model of a rule, which is the last word */
function explain(
  name: string,
  overrides: Record<string, string> | null,
  models: readonly CatalogModel[],
  used: UsedAccount,
): ModelAnswer {
  const choice =
    overrides === null ? resolveTarget(name, models) : resolveModel(name, models, { overrides, longContext: false });
  const said = overrides === null && choice.ok ? { ...choice, note: null } : choice;
  return explainName(name, said, absenceContext(used), overrides ?? {});
}

/** Not offered, and sent where it is asked for by its id. */
function isSentAllTheSame({ kind, model, asked }: ModelAnswer): boolean {
  return (kind === 'picker' || kind === 'tools') && model === asked;
}

function effortWords(effort: string, model: CatalogModel | null): string {
  const sent = clampEffort(effort, model?.supports.efforts);
  if (model === null || sent === effort) return t('Its effort would be {effort}.', { effort });
  if (sent === null) return t('{id} has no effort setting, so {effort} would be left out.', { id: model.id, effort });
  return t('Its effort would be {sent}: {id} can’t be asked for {effort}.', { sent, id: model.id, effort });
}

function fallbackWords({ kind, model, text }: ModelAnswer, isUsed: boolean): string {
  if (kind !== 'here') return t('Its fallback can’t be used: {text}', { text });
  if (isUsed) return t('Its fallback would be used: {model}.', { model: model ?? '' });
  return t('If Copilot refuses that model or your limit for it is used up, {model} would be asked.', {
    model: model ?? '',
  });
}

/**
 * The rules for a name, for "what does this name run on?": the sentences of the rules that are for some
 * requests with it, and the rule that is for all others.
 * @param refusal why a name in a rule means no model; null if it means one
 */
export function rulesForName(
  asked: string,
  rules: readonly ModelRule[],
  refusal: (name: string) => string | null,
): { sentences: string[]; decides: FollowedRule | null } {
  const sentences: string[] = [];
  for (const [at, { when, use }] of rules.entries()) {
    const { model: _model, ...others } = when;
    const who = { client: '', session: null, model: asked };
    if (!scopeHolds(when.model === undefined ? {} : { model: when.model }, who, { isIn: () => false })) continue;
    const rule = { place: at + 1, when, use };
    const isForAll = Object.keys(others).length === 0;
    const named = altered(ruleInWords(rule), capital);
    const { model: target, fallback } = use;
    const refused = target === undefined || isForAll ? null : refusal(target);
    if (refused !== null)
      sentences.push(
        t('{rule} names {model}, so its requests are refused: {refused}', {
          rule: named,
          model: target ?? '',
          refused,
        }),
      );
    else if (target !== undefined && !isForAll)
      sentences.push(
        fallback === undefined
          ? t('{rule} runs it on {model}.', { rule: named, model: target })
          : t('{rule} runs it on {model} with {fallback} as its fallback.', { rule: named, model: target, fallback }),
      );
    else if (fallback !== undefined)
      sentences.push(t('{rule} runs it with {fallback} as its fallback.', { rule: named, fallback }));
    if (isForAll) return { sentences, decides: rule };
  }
  return { sentences, decides: null };
}
