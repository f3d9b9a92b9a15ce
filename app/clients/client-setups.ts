import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import { z } from 'zod';
import {
  type Client,
  type ClientName,
  type ClientPlan,
  type ClientUse,
  clientNameSchema,
  clientUseSchema,
} from '../api/clients.ts';
import {
  assertWritable,
  readSettingsFile,
  type SettingsFile,
  SetupError,
  shownPath,
  sweepLeftOvers,
  writeSettingsFile,
} from '../claude-code/settings-file.ts';
import { writeBackup } from '../claude-code/setup/apply.ts';
import { KeyNotKeptError } from '../claude-code/setup/plan-setup.ts';
import { modeReadByOthers, openModeNote } from '../claude-code/setup/read-setup.ts';
import type { ClientModel } from './client-model.ts';
import {
  DocumentError,
  type Format,
  parseDocumentText,
  type Step,
  valueAt,
  withEdit,
  withoutEmptied,
} from './document.ts';
import { NoModelsError, withoutKey } from './lines.ts';
import { type ClientFile, type Entry, labelOf, type Machine, programs, usesOf } from './programs.ts';

/**
 * What we wrote into which file of which program. Values are kept as keyed hashes (one of them is the local key); the
 * file as it would be without us is in the named backup.
 */
const recordSchema = z.object({
  version: z.literal(1),
  files: z.record(
    z.string(),
    z.object({
      client: clientNameSchema,
      format: z.enum(['json', 'toml', 'yaml']),
      salt: z.string(),
      /** The name of the backup; null: there was no file. */
      before: z.string().nullable(),
      /** Hash of the whole text that we wrote: where it is still there, undo puts the backup back to the byte. */
      after: z.string(),
      entries: z.array(
        z.object({
          use: clientUseSchema,
          at: z.array(z.union([z.string(), z.record(z.string(), z.string())])),
          wrote: z.string(),
        }),
      ),
    }),
  ),
});
type ClientRecord = z.infer<typeof recordSchema>;
type FileRecord = ClientRecord['files'][string];

/** Windows may ask at the same time. */
const mostPlans = 16;

export interface ClientSetupsDependencies {
  machine: Machine;
  paths: { home: string; backups: string };
  /** How this Jumpseat is started, word by word; `jumpseat` unless given. */
  command: readonly string[] | undefined;
  /** Where clients find the proxy, or would. */
  baseUrl(): Promise<string>;
  key(): Promise<string>;
  isKeyKept(): boolean;
  /** Those of the account that a client can be sent to; none if they can't be read. */
  models(): Promise<readonly ClientModel[]>;
}

/** One file and what becomes of it. */
interface Draft {
  file: SettingsFile;
  shown: string;
  /** Null: it is removed. */
  text: string | null;
  left: string[];
  /** The file without us, for a new backup; null: the one that is there stays good, or none is needed. */
  backup: string | null;
  record: FileRecord | null;
  openNote: string | null;
}

interface Plan {
  name: ClientName;
  drafts: Draft[];
}

/** Programs whose own settings lead them to the proxy: written into their files, and taken out of them. */
export class ClientSetups {
  readonly #dependencies: ClientSetupsDependencies;
  readonly #plans = new Map<string, Plan>();

  constructor(dependencies: ClientSetupsDependencies) {
    this.#dependencies = dependencies;
  }

  async list(): Promise<Client[]> {
    const record = await this.#readRecord();
    return Promise.all(
      clientNameSchema.options.map(async (name) => {
        const uses = await Promise.all(usesOf(name).map((use) => this.#stateOf(record, name, use)));
        return { name, title: programs[name].title, uses, isInstalled: this.#isInstalled(name) };
      }),
    );
  }

  /**
   * What a setup would change, or undoing every setup of the program; kept for `apply`. Throws `SetupError`,
   * `NoModelsError`, `KeyNotKeptError`.
   */
  async plan(name: ClientName, use: ClientUse | null, action: ClientPlan['action']): Promise<ClientPlan> {
    const record = await this.#readRecord();
    const drafts =
      action === 'setup' ? [await this.#draftSetup(record, name, use)] : await this.#draftUndo(record, name);
    const id = randomBytes(12).toString('base64url');
    this.#plans.set(id, { name, drafts });
    for (const oldest of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(oldest);
    const key = await this.#dependencies.key();
    const { next = null } = fileOf(name, use) ?? {};
    return {
      ...{ id, name, title: programs[name].title, action },
      files: drafts.map(({ file, shown, text, left }) => ({
        ...{ shown, left, difference: difference(file.text ?? '', text ?? '', key) },
        change: text === file.text ? 'none' : file.text === null ? 'create' : text === null ? 'remove' : 'write',
      })),
      backupFolder: drafts.some(({ backup }) => backup !== null) ? shownPath(this.#backups) : null,
      openNote: drafts.map(({ openNote }) => openNote).find((note) => note !== null) ?? null,
      next: action === 'setup' ? next : null,
    };
  }

  /** Does what the plan says. Returns the paths of new backups. Throws `SetupError`. */
  async apply(id: string): Promise<{ backups: string[] }> {
    const plan = this.#plans.get(id);
    if (plan === undefined)
      throw new SetupError(
        'changed',
        'Other changes were shown meanwhile. Nothing was written.',
        'Look at them again.',
      );
    this.#plans.clear();
    const backups: string[] = [];
    for (const { file, shown, text, backup, record } of plan.drafts) {
      await sweepLeftOvers(file.target);
      // In this order, so that whatever stops us in between, undo still knows what is ours and where the old text is.
      const kept =
        backup === null ? null : await writeBackup(this.#backups, `${plan.name}-${basename(file.target)}`, backup);
      if (kept !== null) backups.push(kept.path);
      if (record !== null) await this.#remember(file.target, { ...record, before: kept?.name ?? record.before });
      if (text !== file.text) await writeSettingsFile(file, text, shown);
      if (record === null) await this.#remember(file.target, null);
    }
    return { backups };
  }

  get #backups(): string {
    return join(this.#dependencies.paths.backups, 'clients');
  }

  async #draftSetup(record: ClientRecord, name: ClientName, use: ClientUse | null): Promise<Draft> {
    const wanted = fileOf(name, use);
    if (wanted === null) throw new Error(`${name} has no ${use}.`);
    const { machine, isKeyKept, baseUrl, key, models, command = ['jumpseat'] } = this.#dependencies;
    const chosen = use ?? usesOf(name)[0] ?? 'models';
    if (chosen !== 'agent' && !isKeyKept()) throw new KeyNotKeptError();
    const offered = chosen === 'models' ? await models() : [];
    if (chosen === 'models' && offered.length === 0) throw new NoModelsError();
    const door = { baseUrl: await baseUrl(), key: await key(), label: labelOf[name] };
    const { path, format } = wanted;
    const file = await readSettingsFile(path(machine));
    const shown = this.#shown(path(machine));
    await assertWritable(file, shown);
    const known = record.files[file.target] ?? null;
    const text = file.text ?? '';
    const before = guarded(shown, () => parseDocumentText(format, text));
    const entries = wanted
      .entries({ door, models: offered, command })
      .filter(({ at, isDefault, value }) => !isDefault || isUnset(known, before, at, value));
    const salt = known?.salt ?? randomBytes(16).toString('hex');
    const next = guarded(shown, () => entries.reduce((now, { at, value }) => withEdit(format, now, at, value), text));
    const others = (known?.entries ?? []).filter((one) => !entries.some(({ at }) => isSamePath(at, one.at)));
    const stale = others.filter((one) => one.use === chosen && isOurs(known, before, one));
    // A model that the account has no more.
    const without = guarded(shown, () => stale.reduce((now, { at }) => withEdit(format, now, at, undefined), next));
    const openMode = chosen === 'agent' || file.text === null ? null : await modeReadByOthers(file.target);
    return {
      ...{ file, shown, text: without, left: [], openNote: openModeNote({ openMode, shown }) },
      backup: file.text === null || isUntouched(known, text) ? null : await this.#withoutOurs(known, format, text),
      record: {
        ...{ client: name, format, salt, before: isUntouched(known, text) ? (known?.before ?? null) : null },
        after: hashOf('', without),
        entries: [
          ...others.filter((one) => !stale.includes(one)),
          ...entries.map(({ at, value }) => ({ use: chosen, at: [...at], wrote: hashOf(salt, value) })),
        ],
      },
    };
  }

  async #draftUndo(record: ClientRecord, name: ClientName): Promise<Draft[]> {
    const files = Object.entries(record.files).filter(([, { client }]) => client === name);
    return Promise.all(
      files.map(async ([target, known]): Promise<Draft> => {
        const file = await readSettingsFile(target);
        const shown = this.#shown(target);
        const forgotten = { file, shown, backup: null, record: null, openNote: null };
        if (file.text === null) return { ...forgotten, text: null, left: [] };
        await assertWritable(file, shown);
        const { format, before } = known;
        const whole = await this.#backedUp(before);
        if (isUntouched(known, file.text) && (before === null || whole !== null))
          return { ...forgotten, text: whole, left: [] };
        const { text } = file;
        const now = guarded(shown, () => parseDocumentText(format, text));
        const left = known.entries.filter((one) => valueAt(now, one.at) !== undefined && !isOurs(known, now, one));
        const without = await this.#withoutOurs(known, format, text);
        const isEmpty = before === null && Object.keys(Object(parseDocumentText(format, without))).length === 0;
        return { ...forgotten, text: isEmpty ? null : without, left: left.map(({ at }) => pathName(at)) };
      }),
    );
  }

  /** The text with what still holds our value gone, and what it replaced back. */
  async #withoutOurs(known: FileRecord | null, format: Format, text: string): Promise<string> {
    if (known === null) return text;
    const backup = await this.#backedUp(known.before);
    const earlier = backup === null ? {} : parseDocumentText(format, backup);
    const now = parseDocumentText(format, text);
    // The last one first: elements of a list keep their places.
    return known.entries.toReversed().reduce((next, one) => {
      if (!isOurs(known, now, one)) return next;
      const old = valueAt(earlier, one.at);
      const edited = withEdit(format, next, one.at, old);
      return old === undefined ? withoutEmptied(format, edited, one.at, earlier) : edited;
    }, text);
  }

  async #stateOf(record: ClientRecord, name: ClientName, use: ClientUse): Promise<Client['uses'][number]> {
    const { path, format } = fileOf(name, use) ?? {};
    if (path === undefined || format === undefined) throw new Error(`${name} has no ${use}.`);
    const at = path(this.#dependencies.machine);
    const file = this.#shown(at);
    try {
      const { target, text } = await readSettingsFile(at);
      const known = record.files[target];
      const ours = (known?.entries ?? []).filter((one) => one.use === use);
      if (known === undefined || ours.length === 0) return { use, file, state: 'not-set-up' };
      const now = parseDocumentText(format, text ?? '');
      return { use, file, state: ours.every((one) => isOurs(known, now, one)) ? 'set-up' : 'changed' };
    } catch {
      return { use, file, state: 'unreadable' };
    }
  }

  #isInstalled(name: ClientName): boolean {
    const { machine } = this.#dependencies;
    const { platform, env } = machine;
    const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
    const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
    const { command } = programs[name];
    return (
      folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending)))) ||
      usesOf(name).some((use) => existsSync(dirname(fileOf(name, use)?.path(machine) ?? '')) && name !== 'aider')
    );
  }

  #shown(path: string): string {
    return shownPath(path, this.#dependencies.machine.home);
  }

  async #backedUp(name: string | null): Promise<string | null> {
    return name === null ? null : readFile(join(this.#backups, name), 'utf8').catch(() => null);
  }

  get #recordPath(): string {
    return join(this.#dependencies.paths.home, 'clients.json');
  }

  /** An empty one where there is none, or it can't be read. */
  async #readRecord(): Promise<ClientRecord> {
    const text = await readFile(this.#recordPath, 'utf8').catch(() => '');
    try {
      return recordSchema.parse(JSON.parse(text));
    } catch {
      return { version: 1, files: {} };
    }
  }

  async #remember(target: string, file: FileRecord | null): Promise<void> {
    const { [target]: _old, ...files } = (await this.#readRecord()).files;
    const record: ClientRecord = { version: 1, files: file === null ? files : { ...files, [target]: file } };
    const path = this.#recordPath;
    await writeSettingsFile(await readSettingsFile(path), `${JSON.stringify(record, null, 2)}\n`, shownPath(path));
  }
}

function fileOf(name: ClientName, use: ClientUse | null): ClientFile | null {
  const { uses } = programs[name];
  return uses[use ?? usesOf(name)[0] ?? 'models'] ?? null;
}

function isSamePath(one: readonly Step[], other: readonly Step[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A default of ours that still stands is ours to write again. */
function isUnset(known: FileRecord | null, now: unknown, at: Entry['at'], value: unknown): boolean {
  if (valueAt(now, at) === undefined) return true;
  const written = known?.entries.find((one) => isSamePath(one.at, at));
  return written !== undefined && known !== null && isOurs(known, now, written) && value !== undefined;
}

function isOurs(
  known: FileRecord | null,
  now: unknown,
  { at, wrote }: Pick<FileRecord['entries'][number], 'at' | 'wrote'>,
): boolean {
  const value = valueAt(now, at);
  return known !== null && value !== undefined && hashOf(known.salt, value) === wrote;
}

function isUntouched(known: FileRecord | null, text: string): boolean {
  return known !== null && hashOf('', text) === known.after;
}

function hashOf(salt: string, value: unknown): string {
  const hash = salt === '' ? createHash('sha256') : createHmac('sha256', salt);
  return hash.update(typeof value === 'string' ? value : JSON.stringify(sorted(value))).digest('hex');
}

/** Names in one order: a program that writes its file anew may change it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

function pathName(at: readonly Step[]): string {
  return at.map((step) => (typeof step === 'string' ? step : Object.values(step).join(' '))).join('.');
}

function guarded<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new SetupError('invalid', `${shown} ${error.message}. Nothing was changed.`, 'Fix the file, then try again.');
  }
}

/** Names whose values are nobody else's to see. */
const secret = /((?:key|token|secret|password|authorization)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}]+)/gi;

function difference(before: string, after: string, key: string): ClientPlan['files'][number]['difference'] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 1 });
  const kinds = { '+': 'added', '-': 'removed', ' ': 'same' } as const;
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [{ kind: 'skipped' as const, text: '…' }]),
    ...lines.flatMap((line) => {
      const kind = Object.entries(kinds).find(([sign]) => line.startsWith(sign))?.[1];
      const text = withoutKey(line.slice(1), key).replace(secret, '$1••••••••');
      return kind === undefined ? [] : [{ kind, text: text.trimEnd() }];
    }),
  ]);
}
