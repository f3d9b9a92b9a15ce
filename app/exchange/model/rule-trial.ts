import type { ModelAnswer } from '../../api/models.ts';
import type { ImaginedRequest, ModelRule, RuleTrial } from '../../api/rules.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { clampEffort } from '../../formats/translation/effort.ts';
import type { Settings } from '../../settings/settings.ts';
import { isWithin } from '../../settings/within-folder.ts';
import { changeRule, ruleInWords } from '../../words/models.ts';
import { capital } from '../../words/text.ts';
import type { UsedAccount } from '../dependencies.ts';
import { scopeHolds } from '../limits/scope.ts';
import { absenceContext, explainName } from './absence.ts';
import { resolveModel, resolveTarget } from './resolve.ts';
import { type FollowedRule, ruleFor } from './rules.ts';

/** A person's rules, tried out: what would happen to a request. Nothing is sent. */

export interface TrialDependencies {
  settings(): Pick<Settings, 'models' | 'modelOverrides'>;
  accountOf(client: string): UsedAccount;
  namedAccount(name: string): UsedAccount | null;
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
  const first = rule === null ? noRule : `${capital(ruleInWords(rule))} is the first that is for this request.`;
  const none = { rule: rule?.place ?? null, model: null, effort: null, account: null, fallback: null };
  const used = use.account === undefined ? dependencies.accountOf(client) : dependencies.namedAccount(use.account);
  if (used === null) {
    const missing = `It would be refused: the rule names the account “${use.account}”, which can’t be used.`;
    return { ...none, sentences: [first, missing], remedy: 'Add an account of this name, or change the rule.' };
  }
  const models = await used.catalog.models();
  const answer = explain(use.model ?? name, use.model === undefined ? modelOverrides : null, models, used);
  const second = use.fallback === undefined ? null : explain(use.fallback, null, models, used);
  const model = models.find(({ id }) => id === answer.model) ?? null;
  const isOff = answer.kind === 'policy' && second !== null;
  const sentences = [
    first,
    use.model !== undefined && answer.kind === 'here' ? `It would run on ${answer.model}.` : answer.text,
    ...(use.effort === undefined ? [] : [effortWords(use.effort, model)]),
    ...(used.name === null ? [] : [`It would be sent with the account ${used.name}.`]),
    ...(second === null ? [] : [fallbackWords(second, isOff)]),
  ];
  const isServed = answer.kind === 'here' || isSentAllTheSame(answer);
  return {
    rule: rule?.place ?? null,
    model: isServed ? (answer.model ?? answer.asked) : null,
    effort: use.effort ?? null,
    account: used.name,
    fallback: second?.model ?? null,
    sentences,
    remedy: isServed ? null : use.model === undefined ? answer.remedy : changeRule,
  };
}

const noRule = 'No rule is for this request.';

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
  if (model === null || sent === effort) return `Its effort would be ${effort}.`;
  if (sent === null) return `${model.id} has no effort setting, so ${effort} would be left out.`;
  return `Its effort would be ${sent}: ${model.id} can’t be asked for ${effort}.`;
}

function fallbackWords({ kind, model, text }: ModelAnswer, isUsed: boolean): string {
  if (kind !== 'here') return `Its fallback can’t be used: ${text}`;
  if (isUsed) return `Its fallback would be used: ${model}.`;
  return `If Copilot refuses that model or your limit for it is used up, ${model} would be asked.`;
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
    const name = capital(ruleInWords(rule));
    const second = use.fallback === undefined ? '' : ` with ${use.fallback} as its fallback`;
    const refused = use.model === undefined || isForAll ? null : refusal(use.model);
    if (refused !== null) sentences.push(`${name} names ${use.model}, so its requests are refused: ${refused}`);
    else if (use.model !== undefined && !isForAll) sentences.push(`${name} runs it on ${use.model}${second}.`);
    else if (second !== '') sentences.push(`${name} runs it${second}.`);
    if (isForAll) return { sentences, decides: rule };
  }
  return { sentences, decides: null };
}
