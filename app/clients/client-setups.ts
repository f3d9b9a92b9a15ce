import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, type ClientName, type ClientPlan, type ClientUse, clientNameSchema } from '../api/setup.ts';
import {
  assertWritable,
  missingFolder,
  readSettingsFile,
  type SettingsFile,
  SetupError,
  shownPath,
} from '../claude-code/settings-file.ts';
import { KeyNotKeptError } from '../claude-code/setup/plan-setup.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import {
  type ClientRecord,
  type FileRecord,
  fileIsClosed,
  hashOf,
  openedAgain,
  openModeOf,
  readRecord,
} from './client-record.ts';
import {
  doubtfulNames,
  holdsKey,
  isOurs,
  isOwnPlace,
  isUntouched,
  placesByName,
  placesOf,
  stateOf,
  stateOfAll,
  takenBack,
  type UseState,
  underPolicy,
  withoutOurs,
} from './client-state.ts';
import { DocumentError, type Format, parseDocumentText, pathName, type Step, valueAt, withEdit } from './document.ts';
import { applyDrafts, type Draft, difference } from './drafts.ts';
import { isInstalled } from './installed.ts';
import { NoModelsError } from './lines.ts';
import type { Machine } from './machine.ts';
import type { ClientFile, ClientModel, Door, Entry, Given } from './program.ts';
import { filesOf, labelOf, programs, usesOf } from './programs.ts';

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
  /** The key that the proxy of this folder asks for, in whichever process it runs; null where that isn't known. */
  askedKey(): Promise<string | null>;
  /** Whether this is a further key that opens to a client, by its label. */
  isFurtherKey(key: string, client: string): boolean;
  isKeyKept(): boolean;
  /** Those of the account that a client can be sent to; none if they can't be read. */
  models(): Promise<readonly ClientModel[]>;
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
    const { machine, askedKey } = this.#dependencies;
    const [record, door, key] = await Promise.all([readRecord(this.#home), this.#door(), askedKey()]);
    return Promise.all(
      clientNameSchema.options.map(async (name) => {
        const uses = await Promise.all(usesOf(name).map((use) => this.#stateOf(record, name, use, door, key)));
        return {
          name,
          title: programs[name].title,
          label: labelOf[name],
          uses,
          isInstalled: isInstalled(name, machine),
        };
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
      action === 'setup' ? await this.#draftSetup(record, name, use) : await this.#draftUndo(record, name, use);
    const id = randomBytes(12).toString('base64url');
    this.#plans.set(id, { name, action, drafts });
    for (const oldest of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(oldest);
    const key = await this.#dependencies.key();
    const { machine } = this.#dependencies;
    const { uses, profiles, managedBy } = programs[name];
    const planned = usesOf(name).filter((one) => drafts.some((draft) => draft.uses.includes(one)));
    const words = planned.map((one) => (action === 'setup' ? uses[one]?.next : uses[one]?.afterUndo));
    const next = words.find((word) => word !== undefined);
    const isModels = action === 'setup' && planned.includes('models');
    const policy = isModels ? (managedBy?.(machine) ?? null) : null;
    return {
      ...{ id, name, title: programs[name].title, action },
      files: drafts.map(({ file, shown, text, left, isBackupGone, isUnrecorded }) => ({
        ...{ shown, left, isBackupGone, isUnrecorded, difference: difference(file.text ?? '', text ?? '', key) },
        change: text === file.text ? 'none' : file.text === null ? 'create' : text === null ? 'remove' : 'write',
      })),
      backupFolder: drafts.some(({ backup }) => backup !== null) ? shownPath(this.#backups) : null,
      modeNote: drafts.map(({ modeNote }) => modeNote).find((note) => note !== null) ?? null,
      next: next === undefined ? null : translated(next),
      profiles: isModels ? (profiles?.(machine) ?? []) : [],
      managedBy: policy === null ? null : this.#shown(policy),
    };
  }

  /** Does what the plan says. Returns the paths of new backups. Throws `SetupError`. */
  async apply(id: string): Promise<{ backups: string[] }> {
    const plan = this.#plans.get(id);
    if (plan === undefined)
      throw new SetupError(
        'changed',
        t('Other changes were shown meanwhile. Nothing was written.'),
        t('Look at them again.'),
      );
    this.#plans.clear();
    return { backups: await applyDrafts(plan, { home: this.#home, backups: this.#backups }) };
  }

  get #home(): string {
    return this.#dependencies.paths.home;
  }

  get #backups(): string {
    return join(this.#dependencies.paths.backups, 'clients');
  }

  async #draftSetup(record: ClientRecord, name: ClientName, use: ClientUse | null): Promise<Draft[]> {
    const { machine, isKeyKept, models } = this.#dependencies;
    const chosen = use ?? usesOf(name)[0] ?? 'models';
    const wanted = filesOf(name, chosen);
    if (wanted.length === 0) throw new Error(`${name} has no ${chosen}.`);
    const door = { ...(await this.#door()), label: labelOf[name] };
    const isSecret = wanted.some((file) => holdsKey(this.#placesOf(file, door), door));
    if (isSecret && !isKeyKept()) throw new KeyNotKeptError();
    const offered = chosen === 'models' ? await models() : [];
    if (chosen === 'models' && offered.length === 0) throw new NoModelsError();
    const given = { door, models: offered, command: this.#command, machine };
    return Promise.all(wanted.map((file) => this.#draftFile(record, name, chosen, file, given)));
  }

  async #draftFile(
    record: ClientRecord,
    name: ClientName,
    chosen: ClientUse,
    wanted: ClientFile,
    given: Given,
  ): Promise<Draft> {
    const { machine, door } = given;
    const isSecret = holdsKey(this.#placesOf(wanted, door), door);
    const { path, format } = wanted;
    const file = await readSettingsFile(path(machine));
    const shown = this.#shown(path(machine));
    await assertMayWrite(file, shown);
    const known = record.files[file.target] ?? null;
    const text = file.text ?? '';
    const before = guarded(shown, () => parseDocumentText(format, text));
    const isWritten = known?.entries.some((one) => isOurs(known, before, one)) === true;
    if (wanted.isOwnFile && !isBlank(format, text) && !isWritten && !this.#bearsUs(wanted, before, door))
      throw new SetupError(
        'invalid',
        t('{file} is there already, and isn’t Jumpseat’s. Nothing was changed.', { file: shown }),
        t('Rename it, then try again.'),
      );
    const entries = wanted
      .entries(given)
      .filter(({ at, isDefault, value }) => !isDefault || isUnset(known, before, at, value));
    const salt = known?.salt ?? randomBytes(16).toString('hex');
    const next = guarded(shown, () => entries.reduce((now, { at, value }) => withEdit(format, now, at, value), text));
    // What another use wrote there, too, stays until that one is undone.
    const others = (known?.entries ?? []).filter(
      (one) => one.use !== chosen || !entries.some(({ at }) => isSamePath(at, one.at)),
    );
    const stale = others.filter((one) => one.use === chosen && isOurs(known, before, one));
    const earlier = await this.#backedUp(known?.before ?? null);
    // Of a model that the account has no more, say. What it replaced comes back.
    const without = guarded(shown, () =>
      known === null ? next : withoutOurs({ ...known, entries: stale }, next, earlier),
    );
    const folder = known?.folder ?? (file.text === null ? await missingFolder(file.target) : null);
    const openMode = !isSecret || file.text === null ? null : await openModeOf(file.target);
    const mode = known?.mode ?? (openMode === null ? undefined : Number.parseInt(openMode, 8));
    return {
      ...{ uses: [chosen], file, shown, text: without, left: [], isBackupGone: false, isUnrecorded: false },
      ...{ closed: openMode !== null, mode: null, folder: null },
      modeNote: openMode === null ? null : fileIsClosed(shown, openMode),
      backup:
        file.text === null || isUntouched(known, text)
          ? null
          : known === null
            ? text
            : withoutOurs(known, text, earlier),
      // Entries that somebody else wrote stay as they are.
      record:
        known === null && without === text
          ? null
          : {
              ...{ client: name, format, salt, before: isUntouched(known, text) ? (known?.before ?? null) : null },
              ...{ after: hashOf('', without), written: '' },
              ...(mode !== undefined && { mode }),
              ...(folder !== null && { folder }),
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
    if (files.length === 0) return this.#draftUnrecorded(record, name, use);
    // What names a file goes before the file.
    return Promise.all(
      files.toReversed().map(async ([target, known]): Promise<Draft> => {
        const file = await readSettingsFile(target);
        const shown = this.#shown(target);
        const rest = known.entries.filter((one) => use !== null && one.use !== use);
        const uses = [...new Set(known.entries.filter((one) => !rest.includes(one)).map((one) => one.use))];
        // Another use needs the others still.
        const undone = known.entries.filter((one) => !rest.some(({ at }) => isSamePath(at, one.at)));
        const forgotten = {
          ...{ uses, file, shown, backup: null, record: null, closed: false, folder: known.folder ?? null },
          ...{ mode: null, modeNote: null, isBackupGone: false, isUnrecorded: false },
        };
        if (file.text === null) return { ...forgotten, text: null, left: [] };
        await assertMayWrite(file, shown);
        const { format, before } = known;
        const { text } = file;
        const whole = await this.#backedUp(before);
        const isBackupGone = before !== null && whole === null;
        const isWhole = rest.length === 0;
        const opened = isWhole ? await openedAgain(known, target, shown) : {};
        if (isWhole && isUntouched(known, text) && !isBackupGone)
          return { ...forgotten, ...opened, text: whole, left: [] };
        const now = guarded(shown, () => parseDocumentText(format, text));
        const left = undone.filter(
          (one) => !isOwnPlace(one) && valueAt(now, one.at) !== undefined && !isOurs(known, now, one),
        );
        const without = guarded(shown, () => withoutOurs({ ...known, entries: undone }, text, whole));
        const taken = isWhole
          ? (takenBack(known, text, whole, await this.#backedUp(known.written)) ?? without)
          : without;
        const own = await this.#rowOf(name, target);
        const isOwn = own?.isOwnFile === true;
        // Somebody else's by now.
        if (isOwn && !this.#bearsUs(own, now, { ...(await this.#door()), label: labelOf[name] }))
          return { ...forgotten, text, left: [] };
        const isGone = isWhole && before === null && (isOwn || isBlank(format, taken));
        return {
          ...{
            ...forgotten,
            ...opened,
            text: isGone ? null : taken,
            left: isGone ? [] : left.map(({ at }) => pathName(at)),
            isBackupGone,
          },
          // A person's own edits are in no other copy.
          backup: isUntouched(known, text) ? null : text,
          record: isWhole ? null : { ...known, after: hashOf('', taken), entries: rest },
        };
      }),
    );
  }

  /** Takes out what bears our name or leads here, where no record says so: it is lost, or a person wrote them. */
  async #draftUnrecorded(record: ClientRecord, name: ClientName, use: ClientUse | null): Promise<Draft[]> {
    const { machine, askedKey } = this.#dependencies;
    const door = { ...(await this.#door()), label: labelOf[name] };
    const key = await askedKey();
    const uses = usesOf(name).filter((one) => use === null || one === use);
    const rows = uses.flatMap((one) => filesOf(name, one).map((row) => ({ use: one, row, path: row.path(machine) })));
    const files = [...Map.groupBy(rows, ({ path }) => path)].map(async ([path, same]) => {
      const file = await readSettingsFile(path);
      const shown = this.#shown(path);
      const { format, isOwnFile = false } = same[0]?.row ?? { format: 'json' as const };
      const now = guarded(shown, () => parseDocumentText(format, file.text ?? ''));
      const seen = same.map(({ use, row }) => {
        const one = { now, door, key, entries: this.#placesOf(row, door) };
        return { use, places: placesByName(one), doubtful: doubtfulNames(one) };
      });
      return { file, shown, format, isOwnFile, now, seen };
    });
    const read = await Promise.all(files);
    const ours = new Set(
      read.flatMap(({ seen }) => seen.filter(({ places }) => places.length > 0)).map(({ use }) => use),
    );
    const drafts = read.map(async ({ file, shown, format, isOwnFile, now, seen }): Promise<Draft[]> => {
      const { text } = file;
      const entries = seen.flatMap(({ use: one, places }) =>
        places.map((at) => ({ use: one, at: [...at], wrote: hashOf('', valueAt(now, at)) })),
      );
      const left = isOwnFile ? [] : seen.filter((one) => ours.has(one.use)).flatMap(({ doubtful }) => doubtful);
      if (text === null || (entries.length === 0 && left.length === 0)) return [];
      if (entries.length > 0) await assertMayWrite(file, shown);
      const made = { client: name, format, salt: '', before: null, after: '', written: '', entries };
      const without = guarded(shown, () => withoutOurs(made, text, null));
      return [
        {
          ...{ uses: seen.map(({ use: one }) => one), file, shown, left },
          ...{ text: isOwnFile ? null : without, backup: entries.length === 0 ? null : text },
          ...{ closed: false, mode: null, modeNote: null, folder: null },
          ...{ isBackupGone: false, isUnrecorded: true, record: record.files[file.target] ?? null },
        },
      ];
    });
    return (await Promise.all(drafts)).flat();
  }

  async #stateOf(
    record: ClientRecord,
    name: ClientName,
    use: ClientUse,
    door: Omit<Door, 'label'>,
    key: string | null,
  ): Promise<Client['uses'][number]> {
    const { machine } = this.#dependencies;
    const labelled = { ...door, label: labelOf[name] };
    const rows = filesOf(name, use);
    const found = await Promise.all(rows.map((row) => this.#stateOfFile(record, use, row, labelled, key)));
    const policy = use === 'models' ? (programs[name].managedBy?.(machine) ?? null) : null;
    return {
      ...{ use, files: rows.map((row) => this.#shown(row.path(machine))) },
      ...underPolicy(stateOfAll(found), policy === null ? null : this.#shown(policy)),
    };
  }

  async #stateOfFile(
    record: ClientRecord,
    use: ClientUse,
    row: ClientFile,
    door: Door,
    key: string | null,
  ): Promise<UseState> {
    const path = row.path(this.#dependencies.machine);
    const shown = this.#shown(path);
    let known: FileRecord | null = null;
    try {
      const { target, text } = await readSettingsFile(path);
      known = record.files[target] ?? null;
      const isFurtherKey = (one: string) => this.#dependencies.isFurtherKey(one, door.label);
      const entries = this.#placesOf(row, door);
      const now = parseDocumentText(row.format, text ?? '');
      return stateOf({ use, shown, now, entries, door, key, isFurtherKey, known });
    } catch (error) {
      const isRecorded = known?.entries.some((one) => one.use === use) === true;
      const trouble =
        error instanceof SetupError
          ? error.message
          : t('{file} {problem}.', { file: shown, problem: messageOf(error) });
      return { state: 'unreadable', by: isRecorded ? 'jumpseat' : null, trouble };
    }
  }

  /** The row of the table that writes a file. */
  async #rowOf(name: ClientName, target: string): Promise<ClientFile | null> {
    for (const row of usesOf(name).flatMap((use) => filesOf(name, use)))
      if ((await readSettingsFile(row.path(this.#dependencies.machine))).target === target) return row;
    return null;
  }

  #placesOf(file: ClientFile, door: Door): Entry[] {
    return placesOf(file, { door, command: this.#command, machine: this.#dependencies.machine });
  }

  /** Whether anything in a file has our name or leads here. */
  #bearsUs(file: ClientFile, now: unknown, door: Door): boolean {
    const entries = this.#placesOf(file, door);
    return placesByName({ now, entries, door, key: door.key }).length > 0;
  }

  async #door(): Promise<Omit<Door, 'label'>> {
    const { baseUrl, key } = this.#dependencies;
    return { baseUrl: await baseUrl(), key: await key() };
  }

  get #command(): readonly string[] {
    return this.#dependencies.command ?? ['jumpseat'];
  }

  #shown(path: string): string {
    return shownPath(path, this.#dependencies.machine.home);
  }

  async #backedUp(name: string | null): Promise<string | null> {
    return name === null ? null : readFile(join(this.#backups, name), 'utf8').catch(() => null);
  }
}

function isSamePath(one: readonly Step[], other: readonly Step[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function messageOf(error: unknown): string {
  return error instanceof DocumentError ? error.message : t('can’t be looked at');
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
    throw new SetupError(error.code, error.message, t('Allow writing to it, then try again.'));
  }
}

function guarded<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new SetupError(
      'invalid',
      sentences(t('{file} {problem}.', { file: shown, problem: error.message }), t('Nothing was changed.')),
      t('Fix the file, then try again.'),
    );
  }
}
