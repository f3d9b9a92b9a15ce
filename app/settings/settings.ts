import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { t } from '../language/translate.ts';
import { type Log, readOnlyFile } from '../ports.ts';
import { FileWatch } from './files.ts';
import { noPolicy, type Policy, type PolicyError, type PolicySource, PolicyWatch, underPolicy } from './policy.ts';
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
import type { Settings } from './schema.ts';
import { asWhomOf, isOfAsWhom, saveSecondCopy } from './second-copy.ts';
import { changedSettings, type PatchOf, SettingsError, type SettingsPatch, writeSettings } from './write-settings.ts';

export type { SettingsWarning } from './read-settings.ts';
export type { Settings } from './schema.ts';

/** How long a change of the file has to be over before it is read, in ms: an editor writes more than once. */
const settleMs = 50;

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
    const rules = { policy: this.policy, policyProblem: this.policyProblem };
    const { settings, kept } = changedSettings(patch, before, reading, rules);
    await writeSettings({ path: this.#path, log: this.#log }, reading.schema, settings, kept);
    this.#watch.begin();
    this.#hadFile = true;
    const written = readSettings(this.#path);
    this.#unusable = new Set(Object.keys(written.strange));
    this.#keepCopy(written);
    this.#take(settings, warningsOf(this.#path, written));
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

function isNewsForCopy({ kind, settings, strange, copy }: Reading): boolean {
  if (kind !== 'read' || settings.lostAccounts !== null || isOfAsWhom(Object.keys(strange))) return false;
  return !isDeepStrictEqual(asWhomOf(settings), copy);
}
