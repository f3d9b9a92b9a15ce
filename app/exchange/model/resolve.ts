import type { Absence, NameRow } from '../../api/models.ts';
import { type CatalogModel, isAutoOnly, isOffered } from '../../copilot/model.ts';
import { autoOnlyNote, autoServedNote } from '../../words/auto-only.ts';
import { autoText } from './auto-words.ts';

/**
 * What a model name means in this account's catalog. Pure. The first rule that names a model decides: override, the id
 * itself, the same id spelled otherwise, a family's alias, the nearest lower version of the same family. Never another
 * family, and never silently.
 */
export type ModelChoice =
  | {
      ok: true;
      model: CatalogModel;
      because: ModelReason;
      /** What a person should know about it, in one or two sentences; null: asked and got. */
      note: string | null;
    }
  | {
      ok: false;
      because: 'disabled' | 'missing';
      /** The model that was meant, where it is there but switched off. */
      model: CatalogModel | null;
      /** What was looked for: the name that was asked for, or what an override makes of it. */
      named: string;
      /** Ids that can be used, in the catalog's order. */
      offered: string[];
    };

export type ModelRefusal = Extract<ModelChoice, { ok: false }>;

export type ModelReason = 'exact' | 'same' | 'newest' | 'lower' | 'override';

export interface ModelOptions {
  /** Asked name → id. A name may end with `*`. Letter case does not matter; the longest name that fits counts. */
  overrides: Record<string, string>;
  /** The client asked for the 1M context by its beta header. */
  longContext: boolean;
  /** Of what type a model has to be; `chat` unless told. */
  type?: 'chat' | 'embeddings';
}

/** As clients ask for a model that GitHub chooses. */
export const autoName = 'auto';

/** Whether GitHub is to choose: the name says so, or what an override makes of it. */
export function asksForAuto(asked: string, overrides: Record<string, string>): boolean {
  const meant = findOverride(asked, overrides)?.target ?? asked;
  return meant.trim().toLowerCase().replace(contextSuffix, '') === autoName;
}

export function resolveModel(asked: string, models: readonly CatalogModel[], options: ModelOptions): ModelChoice {
  const type = options.type ?? 'chat';
  const shelf: Shelf = { models: models.filter((model) => model.type === type) };
  const override = findOverride(asked, options.overrides);
  const found = override === null ? find(asked, shelf, options.longContext) : findOverridden(override.target, shelf);
  return found.ok ? found : { ...found, named: override?.target ?? asked, offered: offeredIds(shelf) };
}

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
export interface EnvironmentModels {
  opus: string | null;
  sonnet: string | null;
  /** Claude Code's model for background work; without a haiku the cheapest Claude, and `haikuNote` says so. */
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
  const cheapest = cheapestClaude(models);
  const none = isAutoOnly(models)
    ? autoOnlyNote
    : 'No Claude model is enabled for this account. Turn one on at github.com/settings/copilot.';
  const haikuNote =
    cheapest === null
      ? none
      : `No Haiku is enabled for this account. Claude Code’s background work goes to ${cheapest}, the ` +
        'cheapest Claude that is.';
  return { opus, sonnet, haiku: cheapest, haikuNote };
}

/** The models of the type that was asked for, switched off or not. */
interface Shelf {
  models: readonly CatalogModel[];
}

type Found =
  | Extract<ModelChoice, { ok: true }>
  | { ok: false; because: 'disabled' | 'missing'; model: CatalogModel | null };

const missing: Found = { ok: false, because: 'missing', model: null };

/** No name is longer; reading one that is costs time for nothing. */
const longestName = 200;

function find(asked: string, shelf: Shelf, longContextBeta: boolean): Found {
  if (asked.length > longestName) return missing;
  const exact = byId(asked, shelf);
  const name = readName(asked);
  const wantsLong = longContextBeta || name.longContext;
  const same = exact ?? bySpelling(name, shelf);
  if (same !== null) {
    const because = exact === null ? 'same' : 'exact';
    const note = exact === null ? withoutModifier('The same model, spelled Copilot’s way.', name, same) : null;
    return allowed(withLongContext({ ok: true, model: same, because, note }, wantsLong, shelf));
  }
  const family = byAlias(name, shelf) ?? byLowerVersion(asked, name, shelf) ?? missing;
  return allowed(withLongContext(family, wantsLong, shelf));
}

/** An override says exactly which model: no lower version, no other context. */
function findOverridden(target: string, shelf: Shelf): Found {
  const name = readName(target);
  const model = byId(target, shelf) ?? bySpelling(name, shelf);
  if (model !== null) return allowed({ ok: true, model, because: 'override', note: 'Your override.' });
  const alias = byAlias(name, shelf) ?? missing;
  return alias.ok ? { ...alias, because: 'override', note: 'Your override.' } : alias;
}

/** A model that is meant but switched off is named, so that the answer can say where to turn it on. */
function allowed(found: Found): Found {
  if (!found.ok || found.model.policy !== 'disabled') return found;
  return { ok: false, because: 'disabled', model: found.model };
}

function byId(id: string, shelf: Shelf): CatalogModel | null {
  const wanted = id.trim().toLowerCase();
  return shelf.models.find((model) => model.id.toLowerCase() === wanted) ?? null;
}

interface Name {
  /** The 1M context by a suffix: `[1m]`, `-1m`. */
  longContext: boolean;
  /** Lower-case spellings, each with one thing less than the one before. */
  spellings: readonly string[];
  /** `-fast`, `-thinking` that had to go for the last spelling. */
  modifier: string | null;
}

const contextSuffix = /\[[12]m\]$/;
const bareContextSuffix = /-1m$/;
const providerPrefix = /^(?:.*\/)?(?:(?:[a-z]{2,6}\.)?anthropic\.)?/;
const bedrockVersion = /(?:-v\d+)?:\d+$/;
const date = /(?:-|@)20\d{6}$/;
const modifiers = /-(fast|thinking)$/;

function readName(asked: string): Name {
  let text = asked.trim().toLowerCase();
  let longContext = false;
  let modifier: string | null = null;
  const spellings: string[] = [];
  const keep = (next: string): void => {
    if (next !== text || spellings.length === 0) spellings.push(next);
    text = next;
  };
  if (contextSuffix.test(text)) {
    longContext = true;
    text = text.replace(contextSuffix, '');
  }
  keep(text);
  keep(text.replace(providerPrefix, '').replace(bedrockVersion, ''));
  for (let before = ''; before !== text; ) {
    before = text;
    keep(text.replace(date, '').replace(/[-@]latest$/, ''));
    if (bareContextSuffix.test(text)) {
      longContext = true;
      keep(text.replace(bareContextSuffix, ''));
    }
    const found = modifiers.exec(text)?.[1];
    if (found !== undefined) {
      modifier = found;
      keep(text.replace(modifiers, ''));
    }
  }
  return { longContext, spellings, modifier };
}

/** The same model under another spelling: date, provider, dash for dot, words in another order. */
function bySpelling(name: Name, shelf: Shelf): CatalogModel | null {
  for (const spelling of name.spellings) {
    const canonical = canonicalId(spelling);
    const model = byId(spelling, shelf) ?? shelf.models.find((candidate) => canonicalId(candidate.id) === canonical);
    if (model) return model;
  }
  return null;
}

/** A variant that was asked for and is not there is noted, never dropped without a note. */
function withoutModifier(note: string, name: Name, model: CatalogModel): string {
  const lost = name.modifier !== null && !model.id.toLowerCase().includes(`-${name.modifier}`);
  return lost ? `${note} Copilot has no ${name.modifier} variant of it for this account.` : note;
}

/** `claude-sonnet-4.6`, `claude-4-6-sonnet`, `claude-opus-4.6-1m` → family, version, and what is left behind it. */
interface ClaudeName {
  family: string;
  major: number;
  minor: number;
  /** `1m`, `fast`, `thought`, …; empty for the plain model. */
  variant: string;
}

const familyFirst = /^claude-([a-z]+)-(\d{1,2})(?:[.-](\d{1,2}))?(?:-([a-z0-9-]+))?$/;
const versionFirst = /^claude-(\d{1,2})(?:[.-](\d{1,2}))?-([a-z]+)(?:-([a-z0-9-]+))?$/;

function parseClaude(id: string): ClaudeName | null {
  const text = id.toLowerCase();
  const first = familyFirst.exec(text);
  if (first) return claudeName(first[1], first[2], first[3], first[4]);
  const second = versionFirst.exec(text);
  return second ? claudeName(second[3], second[1], second[2], second[4]) : null;
}

function claudeName(family = '', major = '', minor = '0', variant = ''): ClaudeName {
  return { family, major: Number(major), minor: Number(minor), variant };
}

function canonicalId(id: string): string {
  const name = parseClaude(id);
  if (name === null) return id.toLowerCase();
  const variant = name.variant === '' ? '' : `-${name.variant}`;
  return `claude-${name.family}-${name.major}.${name.minor}${variant}`;
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['opus', 'opus'],
  ['sonnet', 'sonnet'],
  ['haiku', 'haiku'],
  ['fable', 'fable'],
  ['opusplan', 'sonnet'],
]);

const familyAlone = /^claude-([a-z]+)$/;

/** Null: not an alias. */
function byAlias(name: Name, shelf: Shelf): Found | null {
  const last = name.spellings.at(-1) ?? '';
  const family = aliases.get(familyAlone.exec(last)?.[1] ?? last);
  if (family === undefined) return null;
  const members = familyOf(shelf.models, family);
  const newest = members.find(({ model }) => isUsable(model)) ?? members[0];
  if (newest === undefined) return missing;
  return { ok: true, model: newest.model, because: 'newest', note: `Newest enabled ${family} in your catalog.` };
}

/** For names newer than the catalog. Null: no name of a Claude family, or nothing below it. */
function byLowerVersion(asked: string, name: Name, shelf: Shelf): Found | null {
  const wanted = parseClaude(name.spellings.at(-1) ?? '');
  if (wanted === null || wanted.variant !== '') return null;
  const lower = familyOf(shelf.models, wanted.family).filter((member) => compareVersions(member.name, wanted) < 0);
  const nearest = lower.find(({ model }) => isUsable(model)) ?? lower[0];
  if (nearest === undefined) return null;
  const note = `Copilot has no ${asked.trim()}; this is the nearest lower version.`;
  return { ok: true, model: nearest.model, because: 'lower', note: withoutModifier(note, name, nearest.model) };
}

/** What a name of a Claude family would lead to if every model of the catalog could be chosen; null: to nothing. */
export function nearestOf(asked: string, models: readonly CatalogModel[]): CatalogModel | null {
  if (asked.length > longestName) return null;
  const last = readName(asked).spellings.at(-1) ?? '';
  const wanted = parseClaude(last);
  const family = aliases.get(familyAlone.exec(last)?.[1] ?? last) ?? wanted?.family;
  if (family === undefined) return null;
  const chat = models.filter(({ type }) => type === 'chat');
  const known = membersOf(chat, family).find(({ name }) => wanted === null || compareVersions(name, wanted) <= 0);
  return known?.model ?? null;
}

interface Member {
  model: CatalogModel;
  name: ClaudeName;
}

/**
 * Best first: highest version, then not preview, then without `-1m`. Other variants are left out: they are another
 * price or another manner, so they have to be asked for by name. Models outside the picker are left out, too.
 */
function familyOf(models: readonly CatalogModel[], family: string): Member[] {
  return membersOf(models, family).filter(({ model }) => model.pickerEnabled && model.supports.toolCalls);
}

/** The same with those that may not be chosen. */
function membersOf(models: readonly CatalogModel[], family: string): Member[] {
  const members: Member[] = [];
  for (const model of models) {
    const name = parseClaude(model.id);
    const plain = name !== null && (name.variant === '' || name.variant === '1m' || name.variant === 'preview');
    if (plain && name.family === family) members.push({ model, name });
  }
  return members.sort(
    (a, b) =>
      compareVersions(b.name, a.name) ||
      Number(a.model.preview) - Number(b.model.preview) ||
      Number(a.name.variant === '1m') - Number(b.name.variant === '1m'),
  );
}

function compareVersions(a: ClaudeName, b: ClaudeName): number {
  return a.major - b.major || a.minor - b.minor;
}

function isUsable(model: CatalogModel): boolean {
  return model.policy !== 'disabled';
}

/** From here on the plain model has the long context itself. */
const longContextTokens = 900_000;

function withLongContext(found: Found, wanted: boolean, shelf: Shelf): Found {
  if (!found.ok || !wanted) return found;
  const { model } = found;
  if (hasLongContext(model)) return found;
  const long = byId(`${model.id}-1m`, shelf);
  if (long !== null && isUsable(long)) return { ...found, model: long, because: because1m(found.because) };
  return { ...found, note: joined(found.note, '1M context not available.') };
}

/** `exact` is the id that was asked for, and this is another one. */
function because1m(because: ModelReason): ModelReason {
  return because === 'exact' ? 'same' : because;
}

function hasLongContext({ id, limits }: CatalogModel): boolean {
  return id.endsWith('-1m') || (limits.promptTokens ?? 0) >= longContextTokens;
}

function joined(note: string | null, more: string): string {
  return note === null ? more : `${note} ${more}`;
}

interface Override {
  /** As the person wrote it. */
  name: string;
  target: string;
}

function findOverride(asked: string, overrides: Record<string, string>): Override | null {
  const full = asked.trim().toLowerCase();
  const names = [full, full.replace(contextSuffix, '')];
  let best: (Override & { length: number }) | null = null;
  for (const [pattern, target] of Object.entries(overrides)) {
    const wanted = pattern.trim().toLowerCase();
    // An exact name counts more than any pattern.
    if (names.includes(wanted)) return { name: pattern, target };
    if (!wanted.endsWith('*')) continue;
    const start = wanted.slice(0, -1);
    if (full.startsWith(start) && (best === null || start.length > best.length))
      best = { length: start.length, name: pattern, target };
  }
  return best;
}

function offeredIds(shelf: Shelf): string[] {
  const ids = shelf.models.filter((model) => (model.type === 'chat' ? isOffered(model) : isUsable(model)));
  return [...new Set(ids.map((model) => model.id))];
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
  if (choice.ok) return { ...row, model: choice.model.id, text: choice.note ?? 'The id itself.', absence: null };
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

function cheapestClaude(models: readonly CatalogModel[]): string | null {
  const claudes = models.filter((model) => isOffered(model) && parseClaude(model.id) !== null);
  // Two unknown prices differ by NaN, which is no order either.
  const [first] = claudes.toSorted((a, b) => cost(a) - cost(b) || byNewest(a, b));
  return first?.id ?? null;
}

/** Only for putting models of one catalog into order. */
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
