import { type FSWatcher, mkdirSync, readFileSync, watch } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../ports.ts';
import { dayStamp, keepAside } from './keep-aside.ts';
import { migrateSettings, versionOf } from './migrations.ts';
import { type Settings, settingsSchema, settingsVersion } from './schema.ts';

export type { Settings } from './schema.ts';

/** Something about the settings that a person should know. */
export interface SettingsWarning {
  code: string;
  text: string;
  mend: string;
}

/** A change was not taken. `message` says what and why, `mend` what to do; the settings are as they were. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mend: string;
  constructor(message: string, mend: string, options?: { cause?: unknown }) {
    super(message, options);
    this.mend = mend;
  }
}

type Reading = { kind: 'missing' } | { kind: 'broken'; why: string } | { kind: 'unreadable'; why: string } | Read;
interface Read {
  kind: 'read';
  settings: Settings;
  /** What a newer version's file holds under our keys and we do not understand: the defaults are used, and the file keeps it. */
  strange: Record<string, unknown>;
}

/** How long a change of the file has to be over before it is read, in ms: an editor writes more than once. */
const settleMs = 50;

/**
 * settings.json. It is read by us, synchronously and at once, and written by `conf`: atomically, with mode 0600, also through a link. `conf` is loaded at
 * the first write only, because it brings a schema engine of its own (measured: 25 MB and 60 ms), and a start never writes.
 * `conf` would also clear a file that it cannot read; here such a file is kept aside and the defaults are used.
 */
export class SettingsStore {
  readonly #path: string;
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #current: Settings;
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  /** Never throws: what cannot be read is said in `warnings`, and the defaults are used. */
  static open(path: string, log: Log): { store: SettingsStore; warnings: SettingsWarning[] } {
    const warnings: SettingsWarning[] = [];
    const reading = readSettings(path);
    const name = basename(path);
    if (reading.kind === 'broken') warnings.push(keepBroken(path, reading.why, log));
    if (reading.kind === 'unreadable') {
      warnings.push({
        code: 'settings-unreadable',
        text: `${name} can’t be read: ${reading.why}. The defaults are used.`,
        mend: `Make ${path} readable for your user, then start Jumpseat again.`,
      });
    }
    if (reading.kind === 'read' && reading.settings.version > settingsVersion) {
      const strange = Object.keys(reading.strange);
      const unused = strange.length === 0 ? '' : ` The defaults are used for ${strange.join(', ')}.`;
      warnings.push({
        code: 'settings-newer',
        text: `${name} was written by a newer Jumpseat (version ${reading.settings.version} of the file).${unused}`,
        mend: 'Update Jumpseat. Settings that only the newer one knows are kept.',
      });
    }
    for (const warning of warnings) log.write('warn', warning.code, { text: warning.text });
    const store = new SettingsStore(path, log, reading.kind === 'read' ? reading.settings : defaults());
    return { store, warnings };
  }

  private constructor(path: string, log: Log, current: Settings) {
    this.#path = path;
    this.#log = log;
    this.#current = current;
    this.#watch();
  }

  current(): Settings {
    return this.#current;
  }

  /**
   * Merges `patch` into what the file holds now, key by key of the first level, writes it, and then calls the listeners. A key that is `undefined` goes back to its default.
   * Rejects with `SettingsError`, without any change, when a value is not allowed or the file cannot be written.
   */
  update(patch: { [Key in keyof Settings]?: Settings[Key] | undefined }): Promise<void> {
    const step = this.#writing.then(() => this.#write(patch));
    this.#writing = step.catch(() => {});
    return step;
  }

  /** Calls `listener` after every change, also one that another process wrote. Returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks at the file again; for systems that do not tell of changes. */
  reload(): void {
    if (this.#closed) return;
    const reading = readSettings(this.#path);
    if (reading.kind === 'read') this.#take(reading.settings);
    else if (reading.kind === 'missing') this.#take(defaults());
    // Somebody may be in the middle of writing it: the settings stay as they are until the file can be read.
    else this.#log.write('warn', 'settings-not-taken', { why: reading.why });
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = null;
    this.#listeners.clear();
  }

  async #write(patch: Record<string, unknown>): Promise<void> {
    const reading = readSettings(this.#path);
    if (reading.kind === 'broken') keepBroken(this.#path, reading.why, this.#log);
    const before = reading.kind === 'read' ? reading.settings : reading.kind === 'missing' ? defaults() : this.#current;
    const wanted: Record<string, unknown> = { ...before, ...patch };
    for (const [key, value] of Object.entries(wanted)) if (value === undefined) delete wanted[key];
    const parsed = settingsSchema.safeParse(wanted);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new SettingsError(
        `The setting ${issue?.path.join('.') ?? ''} was not changed: ${issue?.message ?? 'the value is not allowed'}.`,
        'Choose another value.',
      );
    }
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
      file.store = reading.kind === 'read' ? { ...parsed.data, ...without(reading.strange, patch) } : parsed.data;
    } catch (error) {
      throw new SettingsError(
        `The settings can’t be saved: ${reasonOf(error)}.`,
        `Make ${dirname(this.#path)} writable for your user and see that the disk is not full.`,
        { cause: error },
      );
    }
    if (!this.#watcher) this.#watch();
    this.#take(parsed.data);
  }

  #take(settings: Settings): void {
    if (isDeepStrictEqual(settings, this.#current)) return;
    this.#current = settings;
    for (const listener of [...this.#listeners]) listener();
  }

  /** The folder, not the file: an atomic write puts a new file in its place. */
  #watch(): void {
    if (this.#closed) return;
    try {
      const name = basename(this.#path);
      const watcher = watch(dirname(this.#path), { persistent: false }, (_kind, changed) => {
        if (changed !== null && changed !== name) return;
        if (this.#timer) clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.reload(), settleMs);
        this.#timer.unref();
      });
      watcher.on('error', (error) => {
        this.#log.write('warn', 'settings-not-watched', { why: reasonOf(error) });
        watcher.close();
      });
      this.#watcher = watcher;
    } catch (error) {
      // No folder yet, or the system has no watches left: `reload` and our own writes still work.
      this.#log.write('debug', 'settings-not-watched', { why: reasonOf(error) });
    }
  }
}

function defaults(): Settings {
  return settingsSchema.parse({});
}

function readSettings(path: string): Reading {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', why: reasonOf(error) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own words quote the file.
    return { kind: 'broken', why: 'it isn’t valid JSON' };
  }
  if (!isRecord(value)) return { kind: 'broken', why: 'it holds no settings' };
  const strange: Record<string, unknown> = {};
  const file = migrateSettings(value);
  for (;;) {
    const parsed = settingsSchema.safeParse(file);
    if (parsed.success) return { kind: 'read', settings: parsed.data, strange };
    const issue = parsed.error.issues[0];
    const key = issue?.path[0];
    if (versionOf(file) <= settingsVersion || typeof key !== 'string' || !Object.hasOwn(file, key)) {
      return {
        kind: 'broken',
        why: `${issue?.path.join('.') ?? 'a value'} isn’t allowed (${issue?.message ?? 'invalid'})`,
      };
    }
    strange[key] = file[key];
    delete file[key];
  }
}

function keepBroken(path: string, why: string, log: Log): SettingsWarning {
  const name = basename(path);
  try {
    const kept = keepAside(path, `broken-${dayStamp(Date.now())}`);
    log.write('warn', 'settings-kept-aside', { why, kept: basename(kept) });
    return {
      code: 'settings-broken',
      text: `${name} couldn’t be used: ${why}. The defaults are used; the file was kept as ${basename(kept)}.`,
      mend: `Mend ${basename(kept)}, put it back as ${name} and start Jumpseat again, or set what you need anew.`,
    };
  } catch (error) {
    return {
      code: 'settings-broken',
      text: `${name} couldn’t be used: ${why}. The defaults are used; the file couldn’t be kept aside (${reasonOf(error)}).`,
      mend: `Mend or remove ${path}, then start Jumpseat again.`,
    };
  }
}

function without(values: Record<string, unknown>, replaced: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(replaced, key)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
