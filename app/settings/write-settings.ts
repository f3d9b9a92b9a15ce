import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { t } from '../language/translate.ts';
import { fullDisk, type Log, RemedyError, readOnlyFile } from '../ports.ts';
import { type Policy, type PolicyError, policyRows, underRule } from './policy.ts';
import { type Reading, reasonOf } from './read-settings.ts';
import { type Settings, settingsSchema } from './schema.ts';

/** A change was not taken. `message` says what and why, `remedy` what to do; the settings are as they were. */
export class SettingsError extends RemedyError {
  override readonly name = 'SettingsError';
}

/** How settings.json names its schema, which is saved beside it. */
const ownSchema = './settings.schema.json';

/** A change that depends on what was there. `unusable`: keys whose value in the file can't be used. */
export type PatchOf = (before: Settings, unusable: ReadonlySet<string>) => SettingsPatch;

export type SettingsPatch = { [Key in keyof Settings]?: Settings[Key] | undefined };

/**
 * The settings as a change makes them, and what the file keeps beside them that can't be used. Throws `SettingsError`
 * where a value is not allowed, by its shape or by the organization.
 */
export function changedSettings(
  patch: SettingsPatch | PatchOf,
  before: Settings,
  reading: Reading,
  { policy, policyProblem }: { policy: Policy | null; policyProblem: PolicyError | null },
): { settings: Settings; kept: Record<string, unknown> } {
  const changed = typeof patch === 'function' ? patch(before, new Set(Object.keys(reading.strange))) : patch;
  const wanted: Record<string, unknown> = { ...before, ...changed };
  for (const [key, value] of Object.entries(wanted)) if (value === undefined) delete wanted[key];
  const parsed = settingsSchema.safeParse(wanted, { jitless: true });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SettingsError(
      t('The setting {path} was not changed: {message}.', {
        path: issue?.path.join('.') ?? '',
        message: issue?.message ?? t('the value is not allowed'),
      }),
      t('Choose another value.'),
    );
  }
  const { data: settings } = parsed;
  refuseUnderBroken(policyProblem, before, settings);
  refuseManaged(policy, before, settings);
  const kept = { ...without(reading.strange, changed), ...withUnusable(reading, before, settings, changed) };
  return { settings, kept };
}

/**
 * Writes them with `conf`. Rejects with `SettingsError`.
 * @param schema what the file names as its schema, for editors
 */
export async function writeSettings(
  { path, log }: { path: string; log: Log },
  schema: unknown,
  settings: Settings,
  kept: Record<string, unknown>,
): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const { default: Conf } = await import('conf');
    const ending = extname(path);
    const file = new Conf<Record<string, unknown>>({
      cwd: dirname(path),
      configName: basename(path, ending),
      fileExtension: ending.slice(1),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    const $schema = schema ?? ownSchema;
    if ($schema === ownSchema) await writeSchema(path, log);
    file.store = { $schema, ...settings, ...kept };
  } catch (error) {
    const full = fullDisk(error, dirname(path));
    const readOnly = readOnlyFile(error, path);
    throw new SettingsError(
      full === null
        ? t('The settings can’t be saved: {why}.', { why: readOnly?.why ?? reasonOf(error) })
        : t('The settings can’t be saved. {text}', { text: full.text }),
      full?.remedy ??
        (readOnly === null
          ? t('Make {folder} writable for your user.', { folder: dirname(path) })
          : t('{words}.', { words: readOnly.remedy })),
      { cause: error },
    );
  }
}

/** Writes the schema, which is loaded with the first change. A failure is logged: only editors miss it. */
async function writeSchema(settingsPath: string, log: Log): Promise<void> {
  try {
    const { default: schema } = await import('../../docs/settings.schema.json', { with: { type: 'json' } });
    const path = join(dirname(settingsPath), ownSchema);
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (textOf(path) !== text) writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    log.write('debug', 'settings-schema-not-written', { why: reasonOf(error) });
  }
}

/** Throws `SettingsError` where a change is one of what the organization may have decided: its rules can't be read. */
function refuseUnderBroken(problem: PolicyError | null, before: object, wanted: object): void {
  if (problem === null) return;
  const changed = [...policyRows.keys()].some((name) => !isDeepStrictEqual(at(before, name), at(wanted, name)));
  if (changed)
    throw new SettingsError(
      t('Settings can’t be changed until the organization’s policy is corrected. {message}', {
        message: problem.message,
      }),
      t('Ask those who manage this machine to correct it.'),
    );
}

function at(settings: object, name: string): unknown {
  return name.split('.').reduce<unknown>((held, key) => Reflect.get(Object(held), key), settings);
}

/** Throws `SettingsError` where a change would be none, because of the organization's rules. */
function refuseManaged(policy: Policy | null, before: object, wanted: object): void {
  for (const [name, rule] of Object.entries(policy?.rules ?? {})) {
    const row = policyRows.get(name);
    const [was, is] = [at(before, name), at(wanted, name)];
    if (row === undefined || isDeepStrictEqual(was, is) || isDeepStrictEqual(is, underRule(rule, row, is))) continue;
    throw new SettingsError(
      'value' in rule
        ? t('“{label}” is set by your organization.', { label: row.label ?? name })
        : t('“{label}” is limited by your organization.', { label: row.label ?? name }),
      t('Ask those who manage this machine.'),
    );
  }
}

/**
 * Changed groups, with what of them can't be used: a wrong value that this change leaves alone, and wrong entries of a
 * list. A person may have mistyped them, and is told of them until they are mended.
 */
function withUnusable(
  { strange, unused }: Pick<Reading, 'strange' | 'unused'>,
  before: object,
  after: object,
  changed: object,
): Record<string, unknown> {
  const groups: Record<string, unknown> = {};
  for (const name of unused) {
    const [key = '', part = '', place] = name.split('.');
    const raw: unknown = Reflect.get(Object(strange[key]), part);
    if (part === '' || !Object.hasOwn(changed, key)) continue;
    const group = { ...Object(groups[key] ?? Reflect.get(after, key)) };
    const now: unknown = group[part];
    if (place === undefined) {
      if (isDeepStrictEqual(now, Reflect.get(Object(Reflect.get(before, key)), part))) group[part] = raw;
    } else if (Array.isArray(now) && Array.isArray(raw))
      // At its place: the order of rules counts.
      group[part] = now.toSpliced(Number(place), 0, raw[Number(place)]);
    groups[key] = group;
  }
  return groups;
}

function without(values: Record<string, unknown>, replaced: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(replaced, key)));
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What an environment variable decides can't be changed here. */
export class FixedFromOutsideError extends RemedyError {
  override readonly name = 'FixedFromOutsideError';
}
