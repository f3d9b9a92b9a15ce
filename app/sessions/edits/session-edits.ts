import { basename } from 'node:path';
import { diffLines } from 'diff';
import type { ChangedFile, Changes, PutBack } from '../../api/sessions.ts';
import type { ToldEdit } from '../agents/agent-facts.ts';
import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import { SessionStoreError } from '../store/store-error.ts';
import { EditError } from './edit-error.ts';
import { comparable, largestFile, readGuarded, writeGuarded } from './guarded-file.ts';
import { patch, type Step, takeBack, threeWay } from './three-way.ts';

export interface SessionEditsDependencies {
  sessionId: string;
  store: SessionStore;
  /** The folders of the session. */
  roots(): readonly string[];
  /** An edit was made, or put back. */
  changed(edit: { id: string; path: string; state: FileEdit['state'] }, turnId: string | null): void;
}

type Direction = 'undo' | 'redo';

/** What the agent changed in files, as it told itself: shown, accepted and put back file by file. */
export class SessionEdits {
  readonly #given: SessionEditsDependencies;
  /** One file at a time: two ways back at once would write over each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(given: SessionEditsDependencies) {
    this.#given = given;
  }

  /** An edit counts once, however often it is told. */
  made({ toolCallId, path, before, after }: ToldEdit, turnId: string | null): void {
    const { sessionId, store } = this.#given;
    const id = `${sessionId}:${toolCallId}`;
    if (before === after || store.edits.find(id) !== null) return;
    const isKept = [before, after].every((version) => version === null || version.length <= largestFile);
    const versions = isKept ? { before, after } : { before: null, after: null };
    const state = isKept ? 'made' : 'untracked';
    store.edits.add({ id, sessionId, turnId, toolCallId, path, ...versions, state });
    this.#given.changed({ id, path, state }, turnId);
  }

  /** A command ran: what it changed is not known. */
  ran(toolCallId: string, turnId: string | null): void {
    const { sessionId, store } = this.#given;
    const id = `${sessionId}:${toolCallId}`;
    store.edits.add({ id, sessionId, turnId, toolCallId, path: '', before: null, after: null, state: 'untracked' });
  }

  /** Of one turn, or of the whole session. */
  changes(turnId: string | null): Changes {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId, turnId);
    const files = [...byPath(edits)].map(([path, ofFile]) => this.#file(path, ofFile));
    return { files, untracked: edits.filter(({ path }) => path === '').length };
  }

  #file(path: string, edits: readonly FileEdit[]): ChangedFile {
    const steps = this.#steps(edits);
    const before = steps?.[0]?.from ?? null;
    const after = steps?.at(-1)?.to ?? null;
    const states = new Set(edits.map(({ state }) => state));
    const state = (['made', 'untracked', 'accepted'] as const).find((one) => states.has(one)) ?? 'undone';
    const ids = edits.map(({ id }) => id);
    const none = { added: 0, removed: 0, patch: null, isNew: false, isDeleted: false };
    if (steps === null) return { path, state, edits: ids, ...none };
    const counts = { added: 0, removed: 0 };
    for (const { added, removed, count } of diffLines(before ?? '', after ?? '', { timeout: 2_000 }) ?? []) {
      if (added) counts.added += count;
      if (removed) counts.removed += count;
    }
    const isNew = before === null;
    return { path, state, edits: ids, patch: patch(path, before, after), ...counts, isNew, isDeleted: after === null };
  }

  /** A person looked at it. Changes nothing on disk. */
  accept(turnId: string | null, paths: readonly string[] | null): void {
    const { sessionId, store } = this.#given;
    for (const edit of store.edits.of(sessionId, turnId)) {
      if (edit.state !== 'made' || (paths !== null && !paths.includes(edit.path))) continue;
      store.edits.change(edit.id, { state: 'accepted' });
      this.#given.changed({ id: edit.id, path: edit.path, state: 'accepted' }, edit.turnId);
    }
  }

  /**
   * Takes the edits of these files back, or makes them again; null: of all. A file that something else changed since is
   * left alone, with what would have to be put together; so is each that can't be written safely.
   */
  putBack(direction: Direction, turnId: string | null, paths: readonly string[] | null): Promise<PutBack[]> {
    const done = this.#last.then(async () => {
      const { sessionId, store } = this.#given;
      const edits = store.edits.of(sessionId, turnId).filter(({ path }) => paths === null || paths.includes(path));
      const results: PutBack[] = [];
      for (const [path, ofFile] of byPath(edits)) results.push(await this.#putBackFile(direction, path, ofFile));
      return results;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #putBackFile(direction: Direction, path: string, edits: readonly FileEdit[]): Promise<PutBack> {
    const wanted = edits.filter(({ state }) => (direction === 'undo' ? state !== 'undone' : state === 'undone'));
    if (wanted.length === 0) return { path, isDone: true, problem: null, threeWay: null };
    try {
      const steps = this.#steps(wanted);
      if (steps === null) {
        const message = `The version of ${basename(path)} from before is not kept.`;
        throw new EditError('not-kept', message, 'Change the file yourself.');
      }
      const roots = this.#given.roots();
      const file = await readGuarded(path, roots);
      const known = steps.map(({ from, to }) => ({ from: comparable(from, file), to: comparable(to, file) }));
      const way = direction === 'undo' ? known : known.map(({ from, to }) => ({ from: to, to: from })).reverse();
      const { text, isExact } = takeBack(file.text, way);
      if (!isExact) return changedSince(path, file.text, way);
      await writeGuarded(path, text, file, roots);
      this.#put(direction, wanted);
      return { path, isDone: true, problem: null, threeWay: null };
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      const { code, message, mend } = error;
      return { path, isDone: false, problem: { code, text: message, mend }, threeWay: null };
    }
  }

  #put(direction: Direction, edits: readonly FileEdit[]): void {
    const state = direction === 'undo' ? 'undone' : 'made';
    this.#given.store.atOnce(() => {
      for (const { id } of edits) this.#given.store.edits.change(id, { state, isTold: false });
    });
    for (const { id, path, turnId } of edits) this.#given.changed({ id, path, state }, turnId);
  }

  /** What the agent has to be told: files of which a person took edits back since its last turn. */
  untold(): { paths: string[]; told: () => void } {
    const { sessionId, store } = this.#given;
    const edits = store.edits.of(sessionId).filter(({ state, isTold }) => state === 'undone' && !isTold);
    return {
      paths: [...new Set(edits.map(({ path }) => path))],
      told: () => {
        try {
          store.atOnce(() => {
            for (const { id } of edits) store.edits.change(id, { isTold: true });
          });
        } catch (error) {
          // It is told once more.
          if (!(error instanceof SessionStoreError)) throw error;
        }
      },
    };
  }

  /** Null: a version is kept no longer. */
  #steps(edits: readonly FileEdit[]): Step[] | null {
    const steps: Step[] = [];
    for (const { before, after, state } of edits) {
      if (state === 'untracked') return null;
      const from = before === null ? null : this.#given.store.edits.content(before);
      const to = after === null ? null : this.#given.store.edits.content(after);
      if ((before !== null && from === null) || (after !== null && to === null)) return null;
      steps.push({ from, to });
    }
    return steps;
  }
}

function byPath(edits: readonly FileEdit[]): Map<string, FileEdit[]> {
  return Map.groupBy(
    edits.filter(({ path }) => path !== ''),
    ({ path }) => path,
  );
}

function changedSince(path: string, current: string | null, way: readonly Step[]): PutBack {
  const problem = {
    code: 'changed-since',
    text: `Something else wrote ${basename(path)} after this edit; undoing it would lose that.`,
    mend: 'Look at the difference, or copy the version from before.',
  };
  return { path, isDone: false, problem, threeWay: threeWay(path, current, way) };
}
