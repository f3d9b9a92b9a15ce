import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { ChangedFile, Changes, PutBack, ThreeWay } from '../../api/sessions.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import type { ReportedEdit } from '../agents/agent-facts.ts';
import type { FileEdit } from '../store/file-edits.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';
import { comparable, EditError, largestFile, readGuarded, writeGuarded } from './guarded-file.ts';
import {
  asOneStep,
  byPath,
  comparingMs,
  countLines,
  patch,
  type Step,
  stepsOf,
  takeBack,
  threeWay,
  withoutHunk,
} from './three-way.ts';

interface SessionEditsDependencies {
  sessionId: string;
  store: SessionStore;
  /** The folders of the session. */
  roots(): readonly string[];
  /** An edit was made, or put back; or a command ran, or didn’t after all, which has no path. */
  changed(edit: ChangedEdit, turnId: string | null): void;
}

/** `lines`: all that a command changed, where that is known. */
type ChangedEdit = Pick<FileEdit, 'id' | 'toolCallId' | 'path' | 'state'> & { lines?: LineCounts };

export interface LineCounts {
  added: number;
  removed: number;
}

type Direction = 'undo' | 'redo';

/** In the id of an edit that was found after a command. */
const ofCommand = 'command';

/** Versions of a file around a command: null if there was none, undefined if it was no text or too large. */
interface CommandChange {
  toolCallId: string;
  path: string;
  before: string | null | undefined;
  after: string | null | undefined;
  /** Permissions before the command; null if there was no file. */
  mode?: number | null;
}

/**
 * What the agent changed in files, as it told itself: shown, accepted and put back file by file. Who puts back asks for
 * one thing at a time: two ways back at once would write over each other.
 */
/** What a person agreed to. */
interface Agreed {
  /** Files outside of the session's folders that may be written; others there are left alone. */
  outside?: readonly string[] | undefined;
  /** A file that something else changed in other lines is written, too: those changes stay. */
  keepOthers?: boolean | undefined;
}

export class SessionEdits {
  readonly #given: SessionEditsDependencies;
  /** A person may have taken edits back that the agent doesn't know of. */
  hasUnreported = true;

  constructor(given: SessionEditsDependencies) {
    this.#given = given;
  }

  /** Counts an edit once, however often it is reported. */
  made({ toolCallId, path, before, after }: ReportedEdit, turnId: string | null): void {
    const { sessionId, store } = this.#given;
    const id = `${sessionId}:${toolCallId}`;
    if (before === after || store.edits.find(id) !== null) return;
    const isKept = [before, after].every((version) => version === null || version.length <= largestFile);
    const versions = isKept ? { before, after } : { before: null, after: null };
    const state = isKept ? 'made' : 'untracked';
    store.edits.add({ id, sessionId, turnId, toolCallId, path, ...versions, state });
    this.#given.changed({ id, toolCallId, path, state }, turnId);
  }

  /** A command ran: what it changed is not known. */
  ran(toolCallId: string, turnId: string | null): void {
    const { sessionId, store } = this.#given;
    const id = `${sessionId}:${toolCallId}`;
    if (store.edits.find(id) !== null) return;
    const edit = { id, toolCallId, path: '', state: 'untracked' } as const;
    store.edits.add({ ...edit, sessionId, turnId, before: null, after: null });
    this.#given.changed(edit, turnId);
  }

  /** The last edit of each file that was reported since a time, in ms. */
  reportedSince(at: number): ReadonlyMap<string, FileEdit> {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId).filter(({ path, madeAt }) => path !== '' && madeAt >= at);
    return new Map(edits.map((edit) => [edit.path, edit]));
  }

  /**
   * A file is another one after a command than before it; versions as `CommandChanges` has them. Returns what it was
   * changed from, which is another version where the agent reported an edit meanwhile; null: that explains all of it.
   */
  changedByCommand(
    { toolCallId, path, before, after, mode = null }: CommandChange,
    turnId: string | null,
    reported: Pick<FileEdit, 'after'> | undefined,
  ): { from: string | null | undefined } | null {
    const { sessionId, store } = this.#given;
    const left = reported?.after == null ? reported?.after : (store.edits.content(reported.after) ?? undefined);
    const from = left === undefined ? before : left;
    if (from === after && from !== undefined) return null;
    const id = `${sessionId}:${ofCommand}:${toolCallId}:${path}`;
    const isKnown = from !== undefined && after !== undefined;
    const versions = isKnown ? { before: from, after } : { before: null, after: null };
    const state = isKnown ? 'made' : 'untracked';
    store.edits.add({ id, sessionId, turnId, toolCallId, path, ...versions, state, mode });
    this.#given.changed({ id, toolCallId, path, state }, turnId);
    return { from };
  }

  /** What these commands changed is listed; with their turns. `lines`: null if they aren't known. */
  followed(commands: readonly [toolCallId: string, turnId: string | null][], lines: LineCounts | null): void {
    const { sessionId, store } = this.#given;
    const known = commands.filter(([toolCallId]) => store.edits.find(`${sessionId}:${toolCallId}`)?.path === '');
    store.atOnce(() => {
      for (const [toolCallId] of known) store.edits.change(`${sessionId}:${toolCallId}`, { state: 'made' });
    });
    const [toolCallId, turnId] = known.at(-1) ?? [];
    if (toolCallId === undefined) return;
    // Once for all: fronts ask for the list anew.
    const edit = { id: `${sessionId}:${toolCallId}`, toolCallId, path: '', state: 'made' as const };
    this.#given.changed({ ...edit, ...(lines !== null && { lines }) }, turnId ?? null);
  }

  /** A command waits for an answer, or was denied: it changed nothing. False if it is none that was counted. */
  notRun(toolCallId: string, turnId: string | null): boolean {
    const { sessionId, store } = this.#given;
    const id = `${sessionId}:${toolCallId}`;
    if (store.edits.find(id)?.path !== '') return false;
    store.edits.remove(id);
    this.#given.changed({ id, toolCallId, path: '', state: 'undone' }, turnId);
    return true;
  }

  /** Changes of one turn, or of the whole session. */
  changes(turnId: string | null): Changes {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId, turnId);
    const files = [...byPath(edits)].map(([path, ofFile]) => this.#file(path, ofFile));
    const commands = edits.filter(({ path }) => path === '');
    const untracked = commands.filter(({ state }) => state === 'untracked').length;
    return { files, commands: commands.length, untracked };
  }

  #file(path: string, edits: readonly FileEdit[]): ChangedFile {
    const inForce = edits.filter((edit) => edit.state !== 'undone');
    const steps = stepsOf(this.#given.store, inForce.length > 0 ? inForce : edits);
    const states = new Set(edits.filter((edit) => !isByHand(edit)).map(({ state }) => state));
    const state = (['made', 'untracked', 'accepted'] as const).find((one) => states.has(one)) ?? 'undone';
    const ids = edits.filter((edit) => !isByHand(edit)).map(({ id }) => id);
    const undoneHunks = edits.filter((edit) => isByHand(edit) && edit.state !== 'undone').length;
    const byCommand = edits.some(({ id }) => id.startsWith(`${this.#given.sessionId}:${ofCommand}:`));
    const none = { added: 0, removed: 0, patch: null, isNew: false, isDeleted: false };
    if (steps === null) return { path, state, edits: ids, undoneHunks, byCommand, ...none };
    const whole = asOneStep(steps);
    const before = (whole ?? steps[0])?.from ?? null;
    const after = steps.at(-1)?.to ?? null;
    const counts = countLines(before, after, comparingMs);
    const isNew = before === null;
    const shown = { patch: patch(path, before, after), ...counts, isNew, isDeleted: after === null };
    return { path, state, edits: ids, undoneHunks, byCommand, ...shown };
  }

  /** A person looked at it, or takes that back. Changes nothing on disk. */
  accept(turnId: string | null, paths: readonly string[] | null, accepted = true): void {
    const { sessionId, store } = this.#given;
    const [from, state] = accepted ? (['made', 'accepted'] as const) : (['accepted', 'made'] as const);
    for (const edit of store.edits.of(sessionId, turnId)) {
      if (edit.state !== from || isByHand(edit) || (paths !== null && !paths.includes(edit.path))) continue;
      store.edits.change(edit.id, { state });
      const { id, toolCallId, path } = edit;
      this.#given.changed({ id, toolCallId, path, state }, edit.turnId);
    }
  }

  /**
   * Takes the edits of these files back, or makes them again; null: of all. A file that something else changed since is
   * left alone, with what would have to be put together; so is each that can't be written safely. Where no edit is to
   * be made again, single places are that were taken back.
   */
  async putBack(
    direction: Direction,
    turnId: string | null,
    paths: readonly string[] | null,
    agreed: Agreed = {},
  ): Promise<PutBack[]> {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId, turnId).filter(({ path }) => paths === null || paths.includes(path));
    const files = [...byPath(edits)];
    const results = new Map<string, PutBack>();
    // What would take a file away comes last: the same text may have to be written elsewhere first.
    const goes = ([, ofFile]: [string, FileEdit[]]): number =>
      Number((direction === 'undo' ? ofFile.at(0)?.before : ofFile.at(-1)?.after) === null);
    for (const [path, ofFile] of files.toSorted((one, other) => goes(one) - goes(other)))
      results.set(path, await this.#putBackFile(direction, path, ofFile, agreed));
    return files.flatMap(([path]) => results.get(path) ?? []);
  }

  /**
   * Takes one place of a file's difference back, named by its `@@` line. It is kept as a step of its own: the place is
   * in the difference no more, and the other ones can still be taken back. `outside`: as for `putBack`.
   */
  undoHunk(turnId: string | null, path: string, hunk: string, outside: readonly string[] = []): Promise<PutBack> {
    const { sessionId, store } = this.#given;
    const edits = byPath(store.edits.of(sessionId, turnId)).get(path) ?? [];
    return this.#inWords(path, async () => {
      const last = edits.at(-1);
      const name = basename(path);
      if (last === undefined || edits.some(({ state }) => state === 'undone')) throw noHunk(name);
      const { file, known, roots } = await this.#onDisk(path, edits);
      const [before, after] = [known[0]?.from ?? null, known.at(-1)?.to ?? null];
      const text = withoutHunk(before, after, hunk);
      if (text === undefined) throw noHunk(name);
      if (file.text !== after) return changedSince('undo', path, file.text, [{ from: text, to: after }]);
      await writeGuarded(path, text, file, { roots, outside });
      const id = `${sessionId}:hunk:${randomUUID()}`;
      const step = { id, sessionId, turnId: last.turnId, toolCallId: null, path, before: after, after: text };
      store.edits.add({ ...step, state: 'accepted' });
      this.hasUnreported = true;
      this.#given.changed({ id, toolCallId: null, path, state: 'undone' }, last.turnId);
      return done(path);
    });
  }

  /** Changes by others since a file's edits, or between them; null if there are none, or the file can't be read. */
  async since(turnId: string | null, path: string): Promise<ThreeWay | null> {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId, turnId).filter((edit) => edit.path === path && edit.state !== 'undone');
    if (edits.length === 0) return null;
    try {
      const { file, known } = await this.#onDisk(path, edits);
      return known.length === 1 && file.text === known[0]?.to ? null : threeWay(path, file.text, known);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return null;
    }
  }

  async #putBackFile(
    direction: Direction,
    path: string,
    edits: readonly FileEdit[],
    { outside = [], keepOthers = false }: Agreed,
  ): Promise<PutBack> {
    const wanted = edits.filter(({ state }) => (direction === 'undo' ? state !== 'undone' : state === 'undone'));
    const hunks = direction === 'redo' && wanted.length === 0 ? edits.filter(isByHand) : [];
    if (wanted.length === 0 && hunks.length === 0) return done(path);
    return await this.#inWords(path, async () => {
      const { file, known, roots } = await this.#onDisk(path, hunks.length > 0 ? hunks : wanted);
      const isBackwards = direction === 'undo' || hunks.length > 0;
      const way = isBackwards ? known : known.map(({ from, to }) => ({ from: to, to: from })).reverse();
      const { text, isExact, isClear } = takeBack(file.text, way);
      if (direction === 'undo' && file.text === way[0]?.from && (!isExact || text === file.text))
        return putBackSince(path);
      if (!isExact && !(isClear && keepOthers)) return changedSince(direction, path, file.text, way);
      const { mode = null } = wanted.find((edit) => edit.mode !== null) ?? {};
      const as = file.text === null && mode !== null ? { ...file, mode } : file;
      await writeGuarded(path, text, as, { roots, outside });
      if (hunks.length > 0) this.#forgetHunks(hunks);
      else this.#put(direction, wanted);
      return done(path);
    });
  }

  /** The file as it is, and what these edits did to it in its own line ends. */
  async #onDisk(path: string, edits: readonly FileEdit[]) {
    const steps = stepsOf(this.#given.store, edits);
    if (steps === null) {
      const message = t('The version of {name} from before is not saved.', { name: basename(path) });
      throw new EditError('not-kept', message, t('Change the file yourself.'));
    }
    const roots = this.#given.roots();
    const file = await readGuarded(path, roots);
    const known = steps.map(({ from, to }) => ({ from: comparable(from, file), to: comparable(to, file) }));
    const whole = asOneStep(known);
    return { file, known: whole === null ? known : [whole], roots };
  }

  async #inWords(path: string, work: () => Promise<PutBack>): Promise<PutBack> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      const { code, message, remedy } = error;
      return { path, isDone: false, problem: { code, text: message, remedy }, threeWay: null };
    }
  }

  #forgetHunks(hunks: readonly FileEdit[]): void {
    this.#given.store.atOnce(() => {
      for (const { id } of hunks) this.#given.store.edits.remove(id);
    });
    for (const { id, path, turnId } of hunks) {
      this.#given.changed({ id, toolCallId: null, path, state: 'made' }, turnId);
    }
  }

  #put(direction: Direction, edits: readonly FileEdit[]): void {
    const state = direction === 'undo' ? 'undone' : 'made';
    if (state === 'undone') this.hasUnreported = true;
    // A place that was taken back before is again so after a redo of the rest, and can be made again by itself.
    const isPlaceAgain = (edit: FileEdit): boolean => state === 'made' && isByHand(edit);
    this.#given.store.atOnce(() => {
      for (const edit of edits) {
        const kept = isPlaceAgain(edit) ? 'accepted' : state;
        this.#given.store.edits.change(edit.id, { state: kept, isReported: false });
      }
    });
    for (const edit of edits) {
      const { id, toolCallId, path, turnId } = edit;
      this.#given.changed({ id, toolCallId, path, state: isPlaceAgain(edit) ? 'undone' : state }, turnId);
    }
  }

  /** Files for the agent's next turn: those of which a person undid edits since its last one, or parts of them. */
  unreported(): { paths: string[]; parts: string[]; reported: () => void } {
    const { sessionId, store } = this.#given;
    const edits = store.edits
      .of(sessionId)
      .filter((edit) => !edit.isReported && (edit.state === 'undone' || isByHand(edit)));
    this.hasUnreported = edits.length > 0;
    const paths = new Set(edits.flatMap(({ path, state }) => (state === 'undone' ? [path] : [])));
    const parts = new Set(edits.map(({ path }) => path).filter((path) => !paths.has(path)));
    return {
      ...{ paths: [...paths], parts: [...parts] },
      reported: () => {
        try {
          store.atOnce(() => {
            for (const { id } of edits) store.edits.change(id, { isReported: true });
          });
        } catch (error) {
          // It is told once more.
          if (!(error instanceof SessionStoreError)) throw error;
        }
      },
    };
  }
}

/** A person took one place of a file's difference back. */
function isByHand({ path, toolCallId }: FileEdit): boolean {
  return path !== '' && toolCallId === null;
}

function done(path: string): PutBack {
  return { path, isDone: true, problem: null, threeWay: null };
}

function noHunk(name: string): EditError {
  return new EditError('no-hunk', t('The difference of {name} has changed.', { name }), t('Look at it again.'));
}

/** Something else undid the edits: nothing would be lost, and there is nothing left to undo. */
function putBackSince(path: string): PutBack {
  const problem = {
    code: 'put-back',
    text: t('{name} is as it was before.', { name: basename(path) }),
    remedy: t('Nothing is left to undo.'),
  };
  return { path, isDone: false, problem, threeWay: null };
}

function changedSince(direction: Direction, path: string, current: string | null, way: readonly Step[]): PutBack {
  const isUndo = direction === 'undo';
  const isBetween = current === way.at(-1)?.to;
  const name = basename(path);
  const wrote = !isUndo
    ? t('Something else changed {name} beside this edit.', { name })
    : isBetween
      ? t('Something else changed {name} between these edits.', { name })
      : t('Something else wrote {name} after this edit.', { name });
  const problem = {
    code: isBetween ? 'changed-between' : 'changed-since',
    text: sentences(wrote, isUndo ? t('Undo would lose that.') : t('Redo would lose that.')),
    remedy: isUndo ? t('Look at the difference, or copy the version from before.') : t('Look at the difference.'),
  };
  return { path, isDone: false, problem, threeWay: threeWay(path, current, way) };
}
