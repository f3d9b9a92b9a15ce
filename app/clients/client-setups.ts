import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyPatch, structuredPatch } from 'diff';
import { type Client, type ClientName, type ClientPlan, type ClientUse, clientNameSchema } from '../api/clients.ts';
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
  type ClientRecord,
  type FileRecord,
  hashOf,
  isOurs,
  isOwnPlace,
  isUntouched,
  readRecord,
  remember,
} from './client-record.ts';
import {
  DocumentError,
  type Format,
  isSameBut,
  parseDocumentText,
  pathName,
  type Step,
  valueAt,
  withEdit,
  withoutEmptied,
} from './document.ts';
import { NoModelsError, withoutKey } from './lines.ts';
import { type ClientFile, type Entry, labelOf, type Machine, programs, usesOf } from './programs.ts';

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
  /** Values that we replaced are lost. */
  isBackupGone: boolean;
}

interface Plan {
  name: ClientName;
  action: ClientPlan['action'];
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
    const record = await readRecord(this.#home);
    return Promise.all(
      clientNameSchema.options.map(async (name) => {
        const uses = await Promise.all(usesOf(name).map((use) => this.#stateOf(record, name, use)));
        return { name, title: programs[name].title, uses, isInstalled: this.#isInstalled(name) };
      }),
    );
  }

  /**
   * Previews a setup or its undoing, which without a use is that of all; kept for `apply`. Throws `SetupError`,
   * `NoModelsError`, `KeyNotKeptError`.
   */
  async plan(name: ClientName, use: ClientUse | null, action: ClientPlan['action']): Promise<ClientPlan> {
    const record = await readRecord(this.#home);
    const drafts =
      action === 'setup' ? [await this.#draftSetup(record, name, use)] : await this.#draftUndo(record, name, use);
    const id = randomBytes(12).toString('base64url');
    this.#plans.set(id, { name, action, drafts });
    for (const oldest of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(oldest);
    const key = await this.#dependencies.key();
    const { next = null } = fileOf(name, use) ?? {};
    return {
      ...{ id, name, title: programs[name].title, action },
      files: drafts.map(({ file, shown, text, left, isBackupGone }) => ({
        ...{ shown, left, isBackupGone, difference: difference(file.text ?? '', text ?? '', key) },
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
    const isUndo = plan.action === 'undo';
    for (const { file, shown, text, backup, record } of plan.drafts) {
      await sweepLeftOvers(file.target);
      // In this order, so that whatever stops us in between, undo still knows what is ours and where the old text is.
      const kept =
        backup === null ? null : await writeBackup(this.#backups, `${plan.name}-${basename(file.target)}`, backup);
      if (kept !== null) backups.push(kept.path);
      const former = (await readRecord(this.#home)).files[file.target]?.written ?? null;
      if (record !== null && text !== null) {
        const before = isUndo ? record.before : (kept?.name ?? record.before);
        const written = await writeBackup(this.#backups, `${plan.name}-written-${basename(file.target)}`, text);
        await remember(this.#home, file.target, { ...record, before, written: written.name });
      }
      if (text !== file.text) await writeSettingsFile(file, text, shown);
      if (record === null) await remember(this.#home, file.target, null);
      if (former !== null) await rm(join(this.#backups, former), { force: true });
    }
    return { backups };
  }

  get #home(): string {
    return this.#dependencies.paths.home;
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
    await assertMayWrite(file, shown);
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
      ...{ file, shown, text: without, left: [], isBackupGone: false, openNote: openModeNote({ openMode, shown }) },
      backup:
        file.text === null || isUntouched(known, text)
          ? null
          : known === null
            ? text
            : this.#withoutOurs(known, text, await this.#backedUp(known.before)),
      record: {
        ...{ client: name, format, salt, before: isUntouched(known, text) ? (known?.before ?? null) : null },
        ...{ after: hashOf('', without), written: '' },
        entries: [
          ...others.filter((one) => !stale.includes(one)),
          ...entries.map(({ at, value }) => ({ use: chosen, at: [...at], wrote: hashOf(salt, value) })),
        ],
      },
    };
  }

  /** @param use null: all of them */
  async #draftUndo(record: ClientRecord, name: ClientName, use: ClientUse | null): Promise<Draft[]> {
    const files = Object.entries(record.files).filter(
      ([, { client, entries }]) => client === name && entries.some((one) => use === null || one.use === use),
    );
    return Promise.all(
      files.map(async ([target, known]): Promise<Draft> => {
        const file = await readSettingsFile(target);
        const shown = this.#shown(target);
        const rest = known.entries.filter((one) => use !== null && one.use !== use);
        const undone = known.entries.filter((one) => !rest.includes(one));
        const forgotten = { ...{ file, shown, backup: null, record: null, openNote: null }, isBackupGone: false };
        if (file.text === null) return { ...forgotten, text: null, left: [] };
        await assertMayWrite(file, shown);
        const { format, before } = known;
        const { text } = file;
        const whole = await this.#backedUp(before);
        const isBackupGone = before !== null && whole === null;
        const isWhole = rest.length === 0;
        if (isWhole && isUntouched(known, text) && !isBackupGone) return { ...forgotten, text: whole, left: [] };
        const now = guarded(shown, () => parseDocumentText(format, text));
        const left = undone.filter(
          (one) => !isOwnPlace(one) && valueAt(now, one.at) !== undefined && !isOurs(known, now, one),
        );
        const without = guarded(shown, () => this.#withoutOurs({ ...known, entries: undone }, text, whole));
        const taken = isWhole ? ((await this.#takenBack(known, text, whole)) ?? without) : without;
        const isGone = isWhole && before === null && isBlank(format, taken);
        return {
          ...{ ...forgotten, text: isGone ? null : taken, left: left.map(({ at }) => pathName(at)), isBackupGone },
          // A person's own edits are in no other copy.
          backup: isUntouched(known, text) ? null : text,
          record: isWhole ? null : { ...known, after: hashOf('', taken), entries: rest },
        };
      }),
    );
  }

  /**
   * Our lines taken out of a text that a person has changed since, and what they replaced put back, line by line. Null
   * where they can't be told from the person's.
   */
  async #takenBack(known: FileRecord, text: string, whole: string | null): Promise<string | null> {
    const { format, entries } = known;
    const written = await this.#backedUp(known.written);
    if (written === null || hashOf('', written) !== known.after) return null;
    const taken = applyPatch(text, structuredPatch('', '', written, whole ?? '', '', '', { context: 1 }));
    if (taken === false) return null;
    try {
      const [now, next] = [text, taken].map((one) => parseDocumentText(format, one));
      const earlier = parseDocumentText(format, whole ?? '');
      const paths = entries.map(({ at }) => at);
      const isBack = paths.every((at) => isDeepStrictEqual(valueAt(next, at), valueAt(earlier, at)));
      return isBack && isSameBut(now, next, paths) ? taken : null;
    } catch {
      return null;
    }
  }

  /** The text with what still holds our value gone, and what it replaced back. Throws `DocumentError`. */
  #withoutOurs(known: FileRecord, text: string, whole: string | null): string {
    const { format, entries } = known;
    const earlier = parseDocumentText(format, whole ?? '');
    const now = parseDocumentText(format, text);
    // The last one first: elements of a list keep their places.
    return entries.toReversed().reduce((next, one) => {
      if (!isOurs(known, now, one) && !isOwnPlace(one)) return next;
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

function isBlank(format: Format, text: string): boolean {
  const value = parseDocumentText(format, text);
  return text.trim() === '' || (format === 'json' && Object.keys(Object(value)).length === 0);
}

async function assertMayWrite(file: SettingsFile, shown: string): Promise<void> {
  try {
    await assertWritable(file, shown);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw new SetupError(error.code, error.message, 'Allow writing to it, then try again.');
  }
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

/** A line of the person's that gets or loses nothing but the comma behind it. */
function isComma(line: string, lines: readonly string[]): boolean {
  const [sign, text] = [line.slice(0, 1), line.slice(1)];
  const twin = (other: string): boolean => lines.includes(`${sign === '+' ? '-' : '+'}${other}`);
  return twin(`${text},`) || (text.endsWith(',') && twin(text.slice(0, -1)));
}

function difference(before: string, after: string, key: string): ClientPlan['files'][number]['difference'] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  const kinds = { '+': 'added', '-': 'removed' } as const;
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [{ kind: 'skipped' as const, text: '…' }]),
    ...lines
      .filter((line) => !isComma(line, lines))
      .flatMap((line) => {
        const kind = Object.entries(kinds).find(([sign]) => line.startsWith(sign))?.[1];
        const text = withoutKey(line.slice(1), key).replace(secret, '$1••••••••');
        return kind === undefined ? [] : [{ kind, text: text.trimEnd() }];
      }),
  ]);
}
