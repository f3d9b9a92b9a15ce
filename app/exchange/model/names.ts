import type { CatalogModel } from '../../copilot/model-entry.ts';
import { t } from '../../language/translate.ts';
import { refuse, Stopped } from '../recover/error.ts';

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

export function parseClaude(id: string): ClaudeName | null {
  const text = id.toLowerCase();
  const first = familyFirst.exec(text);
  if (first) return claudeName(first[1], first[2], first[3], first[4]);
  const second = versionFirst.exec(text);
  return second ? claudeName(second[3], second[1], second[2], second[4]) : null;
}

function claudeName(family = '', major = '', minor = '0', variant = ''): ClaudeName {
  return { family, major: Number(major), minor: Number(minor), variant };
}

export function canonicalId(id: string): string {
  const name = parseClaude(id);
  if (name === null) return id.toLowerCase();
  const variant = name.variant === '' ? '' : `-${name.variant}`;
  return `claude-${name.family}-${name.major}.${name.minor}${variant}`;
}

interface Member {
  model: CatalogModel;
  name: ClaudeName;
}

/**
 * Best first: highest version, then not preview, then without `-1m`. Other variants are left out: they are another
 * price or another manner, so they have to be asked for by name. Models outside the picker are left out, too.
 */
export function familyOf(models: readonly CatalogModel[], family: string): Member[] {
  return membersOf(models, family).filter(({ model }) => model.pickerEnabled && model.supports.toolCalls);
}

/** The same with those that may not be chosen. */
export function membersOf(models: readonly CatalogModel[], family: string): Member[] {
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

export function compareVersions(a: ClaudeName, b: ClaudeName): number {
  return a.major - b.major || a.minor - b.minor;
}

/** A model name as a client asks for it. */
export interface AskedName {
  /** The 1M context by a suffix: `[1m]`, `-1m`. */
  longContext: boolean;
  /** Lower-case spellings, each with one thing less than the one before. */
  spellings: readonly string[];
  /** `-fast`, `-thinking` that had to go for the last spelling. */
  modifier: string | null;
}

export const contextSuffix = /\[[12]m\]$/;
const bareContextSuffix = /-1m$/;
const providerPrefix = /^(?:.*\/)?(?:(?:[a-z]{2,6}\.)?anthropic\.)?/;
const bedrockVersion = /(?:-v\d+)?:\d+$/;
const date = /(?:-|@)20\d{6}$/;
const modifiers = /-(fast|thinking)$/;

export function readName(asked: string): AskedName {
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

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** A model's name as a client gave it: it is shown, kept and given back. Throws `Stopped` where it can't be. */
export function checkedName(asked: string): string {
  if (modelName.test(asked)) return asked;
  throw new Stopped(
    refuse(
      400,
      'invalid_request_error',
      'invalid_body',
      t('Jumpseat: model: a name of at most 256 characters on one line is required.'),
    ),
  );
}

/** Names of Claude Code's that mean the newest model of a family. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['opus', 'opus'],
  ['sonnet', 'sonnet'],
  ['haiku', 'haiku'],
  ['fable', 'fable'],
  ['opusplan', 'sonnet'],
]);
