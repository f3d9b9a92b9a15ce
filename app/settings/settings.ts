import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { t } from '../language/translate.ts';
import { fullDisk, type Log, readOnlyFile } from '../ports.ts';
import { FileWatch } from './file-watch.ts';
import {
  noPolicy,
  type Policy,
  type PolicyError,
  type PolicySource,
  policyRows,
  underPolicy,
  underRule,
} from './policy.ts';
import { PolicyWatch } from './policy-watch.ts';
import {
  goneWarning,
  keepBroken,
  type Reading,
  readSettings,
  reasonOf,
  type SettingsWarning,
  warningsAtStart,
  warningsOf,
} from './read-settings.ts';
import { type Settings, settingsSchema } from './schema.ts';
import { asWhomOf, isOfAsWhom, saveSecondCopy } from './second-copy.ts';

export type { SettingsWarning } from './read-settings.ts';
export type { Settings } from './schema.ts';

/** A change was not taken. `message` says what and why, `remedy` what to do; the settings are as they were. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** How long a change of the file has to be over before it is read, in ms: an editor writes more than once. */
const settleMs = 50;

/** How settings.json names its schema, which is saved beside it. */
const ownSchema = './settings.schema.json';

/** A change that depends on what was there. `unusable`: keys whose value in the file can't be used. */
type PatchOf = (before: Settings, unusable: ReadonlySet<string>) => SettingsPatch;

export type SettingsPatch = { [Key in keyof Settings]?: Settings[Key] | undefined };

/**
 * settings.json. It is read by us, synchronously and at once, and written by `conf`: atomically, with mode 0600, also
 * through a link. `conf` is loaded at the first write only, because it brings a schema engine of its own (measured: 25
 * MB and 60 ms), and a start never writes it. `conf` would also clear a file that it cannot read; here such a file is
 * left as it is, and renamed before another one is written. The defaults are used in its place, but for what says as
 * whom requests go out: that has a second copy. A value that is not allowed costs only itself: the default holds in its
 * place, the file keeps it, and it is named.
 */
export class SettingsStore {
  readonly #path: string;
  readonly #log: Log;
  readonly #missesFile: (() => Promise<boolean>) | null;
  readonly #listeners = new Set<() => void>();
  /** What the person chose; with the organization's rules it is `#current`. */
  #own: Settings;
  #current: Settings;
  /** What listeners know. */
  #seen: readonly unknown[];
  readonly #policy: PolicyWatch;
  /** Files that were kept aside, until another process puts a good one in place. */
  #kept: SettingsWarning[] = [];
  /** What is wrong with the file as it is now. */
  #warnings: readonly SettingsWarning[];
  /** What the file holds in a form that can't be used. */
  #unusable: ReadonlySet<string> = new Set();
  /** There was one, of this process or of an earlier one. */
  #hadFile: boolean;
  readonly #watch: FileWatch;
  #writing: Promise<void> = Promise.resolve();

  /**
   * Never throws: what cannot be read is said in `warnings`, and the defaults are used.
   * @param policy where the organization's rules are
   * @param missesFile given by a command: whether a running Jumpseat still has the settings of a deleted file in force.
   * Then, as where the file is damaged, nothing is written.
   */
  static open(
    path: string,
    log: Log,
    missesFile: (() => Promise<boolean>) | null = null,
    policy: PolicySource = noPolicy,
  ): { store: SettingsStore; warnings: SettingsWarning[] } {
    const store = new SettingsStore(path, log, readSettings(path), missesFile, policy);
    const warnings = [...store.warnings()];
    for (const warning of warnings) log.write('warn', warning.code, { text: warning.text });
    return { store, warnings };
  }

  private constructor(
    path: string,
    log: Log,
    reading: Reading,
    missesFile: (() => Promise<boolean>) | null,
    policy: PolicySource,
  ) {
    this.#path = path;
    this.#log = log;
    this.#missesFile = missesFile;
    this.#own = reading.settings;
    this.#policy = new PolicyWatch(policy, log, () => this.#take(this.#own, this.#warnings));
    this.#current = underPolicy(this.#policy.policy, reading.settings);
    this.#unusable = new Set(Object.keys(reading.strange));
    this.#warnings = warningsAtStart(path, reading);
    this.#seen = this.#shown(this.#warnings);
    this.#hadFile = reading.kind !== 'missing';
    this.#keepCopy(reading);
    this.#watch = new FileWatch(path, () => this.reload(), { settleMs, log });
  }

  current(): Settings {
    return this.#current;
  }

  /** The organization's policy; null: there is none. */
  get policy(): Policy | null {
    return this.#policy.policy;
  }

  /** Why its policy can't be used: nothing is served then. */
  get policyProblem(): PolicyError | null {
    return this.#policy.problem;
  }

  /** True if the default is used because the file's value is invalid: matters where no default can replace it. */
  isUnusable(key: keyof Settings): boolean {
    return this.#unusable.has(key);
  }

  /** What a person should know about the file now. Listeners are called when it changes. */
  warnings(): readonly SettingsWarning[] {
    return [...this.#kept, ...this.#warnings];
  }

  /**
   * Merges `patch` into what the file holds now, key by key of the first level, writes it, and then calls the
   * listeners. A key that is `undefined` goes back to its default. A patch that depends on what was there is a function
   * of that: changes of the same moment come one after the other. Rejects with `SettingsError`, without any change,
   * when a value is not allowed or the file cannot be written.
   */
  update(patch: SettingsPatch | PatchOf): Promise<void> {
    const step = this.#writing.then(() => this.#write(patch));
    this.#writing = step.catch(() => {});
    return step;
  }

  /** Calls `listener` after every change, also one that another process wrote. Returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks at the file again, for systems that report no changes. */
  reload(): void {
    const reading = readSettings(this.#path);
    if (reading.kind === 'missing') {
      // Nobody chose other values: the next change writes those that hold.
      this.#take(this.#own, this.#hadFile ? [goneWarning(this.#path)] : []);
      return;
    }
    this.#hadFile = true;
    const warnings = warningsOf(this.#path, reading);
    if ('why' in reading) {
      // It may be half written: the settings stay as they are until the file can be read.
      this.#log.write('warn', 'settings-not-taken', { why: reading.why });
      this.#take(this.#own, warnings);
      return;
    }
    this.#unusable = new Set(Object.keys(reading.strange));
    const isReplaced = reading.kind === 'read' && !isDeepStrictEqual(reading.settings, this.#own);
    if (isReplaced) this.#kept = [];
    this.#take(reading.settings, warnings);
    this.#keepCopy(reading);
  }

  close(): void {
    this.#watch.close();
    this.#policy.close();
    this.#listeners.clear();
  }

  async #write(patch: SettingsPatch | PatchOf): Promise<void> {
    const reading = readSettings(this.#path);
    const before = await this.#beforeWriting(reading);
    const changed = typeof patch === 'function' ? patch(before, new Set(Object.keys(reading.strange))) : patch;
    const wanted: Record<string, unknown> = { ...before, ...changed };
    for (const [key, value] of Object.entries(wanted)) if (value === undefined) delete wanted[key];
    const parsed = settingsSchema.safeParse(wanted);
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
    refuseUnderBroken(this.policyProblem, before, parsed.data);
    refuseManaged(this.policy, before, parsed.data);
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const { default: Conf } = await import('conf');
      const ending = extname(this.#path);
      const file = new Conf<Record<string, unknown>>({
        cwd: dirname(this.#path),
        configName: basename(this.#path, ending),
        fileExtension: ending.slice(1),
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      const $schema = reading.schema ?? ownSchema;
      if ($schema === ownSchema) await this.#writeSchema();
      const kept = { ...without(reading.strange, changed), ...withUnusable(reading, before, parsed.data, changed) };
      file.store = { $schema, ...parsed.data, ...kept };
    } catch (error) {
      const full = fullDisk(error, dirname(this.#path));
      const readOnly = readOnlyFile(error, this.#path);
      throw new SettingsError(
        full === null
          ? t('The settings can’t be saved: {why}.', { why: readOnly?.why ?? reasonOf(error) })
          : t('The settings can’t be saved. {text}', { text: full.text }),
        full?.remedy ??
          (readOnly === null
            ? t('Make {folder} writable for your user.', { folder: dirname(this.#path) })
            : t('{words}.', { words: readOnly.remedy })),
        { cause: error },
      );
    }
    this.#watch.begin();
    this.#hadFile = true;
    const written = readSettings(this.#path);
    this.#unusable = new Set(Object.keys(written.strange));
    this.#keepCopy(written);
    this.#take(parsed.data, warningsOf(this.#path, written));
  }

  /** Writes the schema, which is loaded with the first change. A failure is logged: only editors miss it. */
  async #writeSchema(): Promise<void> {
    try {
      const { default: schema } = await import('../../docs/settings.schema.json', { with: { type: 'json' } });
      const path = join(dirname(this.#path), ownSchema);
      const text = `${JSON.stringify(schema, null, 2)}\n`;
      if (textOf(path) !== text) writeFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      this.#log.write('debug', 'settings-schema-not-written', { why: reasonOf(error) });
    }
  }

  /** What a change is made to. A broken file is renamed before: nothing of it is overwritten. */
  async #beforeWriting(reading: Reading): Promise<Settings> {
    if (reading.kind === 'missing' && (await this.#missesFile?.()))
      throw new SettingsError(
        t('{name} was deleted while Jumpseat ran, so nothing was changed.', { name: basename(this.#path) }),
        t(
          'Change a setting in the window of the running Jumpseat, which saves those that still apply. Or quit it to ' +
            'start from the defaults.',
        ),
      );
    if (reading.kind === 'missing' && this.#hadFile) return this.#own;
    if (!('why' in reading)) return reading.settings;
    if (reading.kind === 'unreadable') return this.#own;
    if (this.#missesFile !== null)
      throw new SettingsError(
        t('{name} is damaged ({why}), so nothing was changed.', { name: basename(this.#path), why: reading.why }),
        t(
          'Fix {path}. Or change a setting in the window of a running Jumpseat, which saves those that still ' +
            'apply. If none runs, you can also delete the file and start from the defaults.',
          { path: this.#path },
        ),
      );
    try {
      const { kept, warning } = keepBroken(this.#path, reading, this.#log);
      this.#kept.push(warning);
      return this.#own.lostAccounts === null ? this.#own : { ...this.#own, lostAccounts: kept };
    } catch (error) {
      const readOnly = readOnlyFile(error, this.#path);
      throw new SettingsError(
        t('The settings can’t be saved: {name} is damaged, and it can’t be renamed: {why}. Nothing was changed.', {
          name: basename(this.#path),
          why: readOnly?.why ?? reasonOf(error),
        }),
        readOnly === null
          ? t('Fix {path}.', { path: this.#path })
          : t('{remedy}, or fix {path}.', { remedy: readOnly.remedy, path: this.#path }),
        { cause: error },
      );
    }
  }

  /** The second copy follows a file that says something else as whom requests go out, and can be used. */
  #keepCopy(reading: Reading): void {
    if (!isNewsForCopy(reading)) return;
    // Another process may have written since: the file as it is now counts.
    const now = readSettings(this.#path);
    if (isNewsForCopy(now)) saveSecondCopy(this.#path, asWhomOf(now.settings), this.#log);
  }

  #shown(warnings: readonly SettingsWarning[]): readonly unknown[] {
    return [this.#current, warnings, this.policy, this.policyProblem?.message];
  }

  /** Listeners are also called when the policy is another one that changes no value: they may show it. */
  #take(own: Settings, warnings: readonly SettingsWarning[]): void {
    const settings = underPolicy(this.policy, own);
    this.#own = own;
    this.#current = settings;
    const seen = this.#shown(warnings);
    if (isDeepStrictEqual(seen, this.#seen)) return;
    this.#seen = seen;
    this.#warnings = warnings;
    for (const listener of [...this.#listeners]) listener();
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

function isNewsForCopy({ kind, settings, strange, copy }: Reading): boolean {
  if (kind !== 'read' || settings.lostAccounts !== null || isOfAsWhom(Object.keys(strange))) return false;
  return !isDeepStrictEqual(asWhomOf(settings), copy);
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
