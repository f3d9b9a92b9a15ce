import type { Absence, NameRow } from '../../api/models.ts';
import { type CatalogModel, isAutoOnly, isOffered } from '../../copilot/model-entry.ts';
import { t } from '../../language/translate.ts';
import { autoOnlyNote, autoServedNote } from '../../words/account.ts';
import { autoText } from './absence.ts';
import { aliases, compareVersions, familyOf, parseClaude } from './families.ts';
import {
  asksForAuto,
  autoName,
  findOverride,
  type ModelChoice,
  type ModelRefusal,
  type Override,
  resolveModel,
} from './resolve.ts';

/**
 * What Claude Code's names run on, for people to see: aliases, the names that were `asked` for of late, each offered
 * Claude model as Claude Code spells it, overrides.
 */
export function claudeCodeNames(
  models: readonly CatalogModel[],
  overrides: Record<string, string>,
  asked: readonly string[],
  absence: (refusal: ModelRefusal) => Absence,
  servesAuto = false,
): NameRow[] {
  const auto = servesAuto && isAutoOnly(models) ? [autoName] : [];
  const dashed = models.filter((model) => isOffered(model) && parseClaude(model.id) !== null).map(dashedName);
  const names = new Set([...auto, ...aliases.keys(), ...asked, ...dashed, ...Object.keys(overrides)]);
  return [...names].map((name) => {
    const choice = resolveModel(name, models, { overrides, longContext: false });
    const override = findOverride(name, overrides);
    const without = override === null ? null : resolveModel(name, models, { overrides: {}, longContext: false });
    if (servesAuto && asksForAuto(name, overrides)) return autoRow(name, override, without);
    return nameRow(name, override, choice, without, absence);
  });
}

/**
 * What Claude Code's families should mean on this account: the newest offered model of each, or what a person's
 * override says.
 */
interface EnvironmentModels {
  opus: string | null;
  sonnet: string | null;
  /** Claude Code's model for background work; without a haiku another Claude, and `haikuNote` says which and why. */
  haiku: string | null;
  haikuNote: string | null;
}

export function environmentModels(
  models: readonly CatalogModel[],
  overrides: Record<string, string> = {},
  servesAuto = false,
): EnvironmentModels {
  const isAuto = servesAuto && isAutoOnly(models);
  const meaning = (family: string): string | null => {
    if (findOverride(family, overrides) === null) return isAuto ? autoName : newestOffered(models, family);
    const choice = resolveModel(family, models, { overrides, longContext: false });
    return choice.ok ? choice.model.id : null;
  };
  const opus = meaning('opus');
  const sonnet = meaning('sonnet');
  const haiku = meaning('haiku');
  if (haiku !== null) return { opus, sonnet, haiku, haikuNote: isAuto ? autoServedNote : null };
  const standIn = standInForHaiku(models);
  const none = isAutoOnly(models)
    ? autoOnlyNote
    : t('No Claude model is enabled for this account. Turn one on at github.com/settings/copilot.');
  if (standIn === null) return { opus, sonnet, haiku: null, haikuNote: none };
  const { id } = standIn;
  const words = standIn.isCheapest
    ? t(
        'No Haiku is enabled for this account. Claude Code’s background work goes to {id}, the cheapest Claude that is.',
        { id },
      )
    : t('No Haiku is enabled for this account. Claude Code’s background work goes to {id}.', { id });
  return { opus, sonnet, haiku: standIn.id, haikuNote: words };
}

function nameRow(
  asked: string,
  rule: Override | null,
  choice: ModelChoice,
  otherwise: ModelChoice | null,
  absenceOf: (refusal: ModelRefusal) => Absence,
): NameRow {
  const { because } = choice;
  const without = otherwise === null ? null : { model: idOf(otherwise), because: otherwise.because };
  const override = rule === null || without === null ? null : { name: rule.name, without };
  const meant = choice.model?.id ?? null;
  const row = { asked, because, meant, override };
  if (choice.ok) return { ...row, model: choice.model.id, text: choice.note ?? t('The id itself.'), absence: null };
  const absence = absenceOf(choice);
  return { ...row, model: null, text: absence.text, absence };
}

function autoRow(asked: string, rule: Override | null, otherwise: ModelChoice | null): NameRow {
  const without = otherwise === null ? null : { model: idOf(otherwise), because: otherwise.because };
  const override = rule === null || without === null ? null : { name: rule.name, without };
  return { asked, because: 'auto', model: null, meant: null, override, text: autoText, absence: null };
}

function idOf(choice: ModelChoice): string | null {
  return choice.ok ? choice.model.id : null;
}

function dashedName(model: CatalogModel): string {
  return model.id.replace(/(\d)\.(?=\d)/g, '$1-');
}

function newestOffered(models: readonly CatalogModel[], family: string): string | null {
  const offered = familyOf(models, family).find(({ model }) => isOffered(model));
  return offered?.model.id ?? null;
}

/** Families whose models cost less, as a rule, come first: for models whose price is not known. */
const byRule = ['haiku', 'sonnet', 'opus'];

function standInForHaiku(models: readonly CatalogModel[]): { id: string; isCheapest: boolean } | null {
  const claudes = models.filter((model) => isOffered(model) && parseClaude(model.id) !== null);
  // Two unknown prices differ by NaN, which is no order either.
  const [first] = claudes.toSorted((a, b) => cost(a) - cost(b) || rank(a) - rank(b) || byNewest(a, b));
  if (first === undefined) return null;
  return { id: first.id, isCheapest: claudes.every((model) => Number.isFinite(cost(model))) };
}

function rank({ id }: CatalogModel): number {
  const at = byRule.indexOf(parseClaude(id)?.family ?? '');
  return at === -1 ? byRule.length : at;
}

/** Used only to sort models of one catalog. */
function cost({ price }: CatalogModel): number {
  switch (price.kind) {
    case 'credits':
      return (price.default.input ?? Number.POSITIVE_INFINITY) + (price.default.output ?? Number.POSITIVE_INFINITY);
    case 'multiplier':
      return price.multiplier;
    case 'unknown':
      return Number.POSITIVE_INFINITY;
  }
}

function byNewest(a: CatalogModel, b: CatalogModel): number {
  const [left, right] = [parseClaude(a.id), parseClaude(b.id)];
  return left === null || right === null ? 0 : compareVersions(right, left);
}
