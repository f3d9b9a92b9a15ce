import type { CatalogModel } from '../../copilot/model-entry.ts';

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

/** Names of Claude Code's that mean the newest model of a family. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['opus', 'opus'],
  ['sonnet', 'sonnet'],
  ['haiku', 'haiku'],
  ['fable', 'fable'],
  ['opusplan', 'sonnet'],
]);
