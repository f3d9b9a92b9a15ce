import { pathFor } from '../../copilot/catalog.ts';
import { type CatalogModel, hiddenBeside, isOffered } from '../../copilot/model-entry.ts';
import { altered } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { notAllowedWords } from '../../words/models.ts';
import { aliases, canonicalId, compareVersions, familyOf, membersOf, parseClaude } from './families.ts';
import { type AskedName, contextSuffix, readName } from './names.ts';

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
      /** The override that named it; absent: none did. */
      override?: Override;
      /** Ids that can be used, in the catalog's order. */
      offered: string[];
    };

export type ModelRefusal = Extract<ModelChoice, { ok: false }>;

type ModelReason = 'exact' | 'same' | 'newest' | 'lower' | 'override';

export interface ModelOptions {
  /** Asked name → id. A name may end with `*`. Letter case does not matter; the longest name that fits counts. */
  overrides: Record<string, string>;
  /** The client asked for the 1M context by its beta header. */
  longContext: boolean;
  /** Type that the model must have. Default `chat`. */
  type?: 'chat' | 'embeddings';
}

/** The name by which clients ask for GitHub's choice of model. */
export const autoName = 'auto';

/** Whether GitHub is to choose: the name says so, or what an override makes of it. */
export function asksForAuto(asked: string, overrides: Record<string, string>): boolean {
  const meant = findOverride(asked, overrides)?.target ?? asked;
  return meant.trim().toLowerCase().replace(contextSuffix, '') === autoName;
}

export function resolveModel(asked: string, models: readonly CatalogModel[], options: ModelOptions): ModelChoice {
  const type = options.type ?? 'chat';
  const override = findOverride(asked, options.overrides);
  if (override !== null) return byOverride(asked, override, resolveTarget(override.target, models, type));
  const shelf: Candidates = { models: models.filter((model) => model.type === type), catalog: models };
  const found = find(asked, shelf, options.longContext);
  return found.ok ? found : { ...found, named: asked, offered: offeredIds(shelf) };
}

/** Adds a note that names the override, if its name differs from the one that was asked for. */
function byOverride(asked: string, override: Override, choice: ModelChoice): ModelChoice {
  if (!choice.ok) return { ...choice, override };
  const isSame = override.name.trim().toLowerCase() === asked.trim().toLowerCase();
  return isSame ? choice : { ...choice, note: t('Your override “{name}”.', { name: override.name }) };
}

/** What a person wrote as the model of an override or of a rule. */
export function resolveTarget(
  target: string,
  models: readonly CatalogModel[],
  type: ModelOptions['type'] = 'chat',
): ModelChoice {
  const shelf: Candidates = { models: models.filter((model) => model.type === type), catalog: models };
  const found = findOverridden(target, shelf);
  return found.ok ? found : { ...found, named: target, offered: offeredIds(shelf) };
}

/** The models of the type that was asked for, switched off or not. */
interface Candidates {
  models: readonly CatalogModel[];
  /** The whole list. */
  catalog: readonly CatalogModel[];
}

/** The model that a name would mean if the settings hid none, with who hides it; null if that changes nothing. */
export function hiddenMeant(asked: string, models: readonly CatalogModel[]): { id: string; by: string } | null {
  const hidden = hiddenBeside(models);
  if (hidden === null || asked.length > longestName) return null;
  const shelf = { models: hidden.models, catalog: hidden.models };
  const name = readName(asked);
  const model = byId(asked, shelf) ?? bySpelling(name, shelf) ?? nearestOf(asked, hidden.models);
  return model === null ? null : { id: model.id, by: hidden.by };
}

type Found =
  | Extract<ModelChoice, { ok: true }>
  | { ok: false; because: 'disabled' | 'missing'; model: CatalogModel | null };

const missing: Found = { ok: false, because: 'missing', model: null };

/** Names are never longer; reading a longer one would waste time. */
export const longestName = 200;

function find(asked: string, shelf: Candidates, longContextBeta: boolean): Found {
  if (asked.length > longestName) return missing;
  const exact = byId(asked, shelf);
  if (exact !== null)
    return allowed(withLongContext({ ok: true, model: exact, because: 'exact', note: null }, longContextBeta, shelf));
  const name = readName(asked);
  const wantsLong = longContextBeta || name.longContext;
  const same = bySpelling(name, shelf);
  if (same !== null) {
    const note = withoutModifier(t('The same model, spelled Copilot’s way.'), name, same);
    return allowed(withLongContext({ ok: true, model: same, because: 'same', note }, wantsLong, shelf));
  }
  const family = byAlias(name, shelf) ?? byLowerVersion(asked, name, shelf) ?? missing;
  return allowed(withLongContext(family, wantsLong, shelf));
}

/** An override says exactly which model: no lower version, no other context. */
function findOverridden(target: string, shelf: Candidates): Found {
  const name = readName(target);
  const model = byId(target, shelf) ?? bySpelling(name, shelf);
  if (model !== null) return allowed({ ok: true, model, because: 'override', note: t('Your override.') });
  const alias = byAlias(name, shelf) ?? missing;
  return alias.ok ? { ...alias, because: 'override', note: t('Your override.') } : alias;
}

/** The name is one of these ids, however it is spelled. */
export function isOneOf(asked: string, ids: readonly string[]): boolean {
  if (ids.length === 0 || asked.length > longestName) return false;
  const wanted = new Set([asked.trim(), ...readName(asked).spellings].map(canonicalId));
  return ids.some((id) => wanted.has(canonicalId(id)));
}

/** A model that is meant but switched off is named, so that the answer can say where to turn it on. */
function allowed(found: Found): Found {
  if (!found.ok || found.model.policy !== 'disabled') return found;
  return { ok: false, because: 'disabled', model: found.model };
}

function byId(id: string, shelf: Candidates): CatalogModel | null {
  const wanted = id.trim().toLowerCase();
  return shelf.models.find((model) => model.id.toLowerCase() === wanted) ?? null;
}

/** The same model under another spelling: date, provider, dash for dot, words in another order. */
function bySpelling(name: AskedName, shelf: Candidates): CatalogModel | null {
  for (const spelling of name.spellings) {
    const canonical = canonicalId(spelling);
    const model = byId(spelling, shelf) ?? shelf.models.find((candidate) => canonicalId(candidate.id) === canonical);
    if (model) return model;
  }
  return null;
}

/** A variant that was asked for and is not there is noted, never dropped without a note. */
function withoutModifier(note: string, name: AskedName, model: CatalogModel): string {
  const lost = name.modifier !== null && !model.id.toLowerCase().includes(`-${name.modifier}`);
  return lost
    ? t('{note} Copilot has no {modifier} variant of this model for this account.', {
        note,
        modifier: name.modifier ?? '',
      })
    : note;
}

const familyAlone = /^claude-([a-z]+)$/;

/** Null if it is no alias. */
function byAlias(name: AskedName, shelf: Candidates): Found | null {
  const last = name.spellings.at(-1) ?? '';
  const family = aliases.get(familyAlone.exec(last)?.[1] ?? last);
  if (family === undefined) return null;
  const members = familyOf(shelf.models, family);
  const newest = members.find(({ model }) => isUsable(model)) ?? members[0];
  if (newest === undefined) return missing;
  return {
    ok: true,
    model: newest.model,
    because: 'newest',
    note: t('Newest enabled {family} in your catalog.', { family }),
  };
}

/** For names newer than the catalog. Null for no name of a Claude family, or nothing below it. */
function byLowerVersion(asked: string, name: AskedName, shelf: Candidates): Found | null {
  const wanted = parseClaude(name.spellings.at(-1) ?? '');
  if (wanted === null || wanted.variant !== '') return null;
  const lower = familyOf(shelf.models, wanted.family).filter((member) => compareVersions(member.name, wanted) < 0);
  const nearest = lower.find(({ model }) => isUsable(model)) ?? lower[0];
  if (nearest === undefined) return null;
  const hidden = hiddenMeant(asked, shelf.catalog);
  const isHidden = hidden !== null && isOneOf(asked, [hidden.id]);
  const note = isHidden
    ? t('{why}; this is the nearest lower version.', {
        why: altered(notAllowedWords(hidden.id, hidden.by), (words) => words.replace(/[.。]$/, '')),
      })
    : t('Copilot has no {asked}; this is the nearest lower version.', { asked: asked.trim() });
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

function isUsable(model: CatalogModel): boolean {
  return model.policy !== 'disabled';
}

/** From this context on, the plain model has the long context itself. */
const longContextTokens = 900_000;

function withLongContext(found: Found, wanted: boolean, shelf: Candidates): Found {
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

export interface Override {
  /** The name as the person wrote it. */
  name: string;
  target: string;
}

export function findOverride(asked: string, overrides: Record<string, string>): Override | null {
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
  if (best !== null) return best;
  // Claude Code's `opusplan` runs on what `sonnet` means.
  const [, plain = full] = names;
  const alias = aliases.get(plain);
  return alias === undefined || alias === plain ? null : findOverride(alias, overrides);
}

function offeredIds(shelf: Candidates): string[] {
  const ids = shelf.models.filter((model) => (model.type === 'chat' ? isOffered(model) : isUsable(model)));
  return [...new Set(ids.map((model) => model.id))];
}

/** The API of a client, or its embeddings. */
type Speaks = 'messages' | 'chat' | 'responses' | 'embeddings';

const known = new WeakMap<readonly CatalogModel[], Map<Speaks, readonly string[]>>();

/** Ids of the models that a request may name. Gone through once for each list of models, not for each request. */
export function usableModels(models: readonly CatalogModel[], speaks: Speaks): readonly string[] {
  let found = known.get(models);
  if (found === undefined) {
    found = new Map();
    known.set(models, found);
  }
  let ids = found.get(speaks);
  if (ids === undefined) {
    ids = models.filter((model) => canAnswer(model, speaks)).map(({ id }) => id);
    found.set(speaks, ids);
  }
  return ids;
}

function canAnswer(model: CatalogModel, speaks: Speaks): boolean {
  if (speaks === 'embeddings') return model.type === 'embeddings' && model.policy !== 'disabled';
  return isOffered(model) && pathFor(model, speaks) !== null;
}
