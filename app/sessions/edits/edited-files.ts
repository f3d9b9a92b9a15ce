import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileNow, FileVersions, PutBack } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import { comparable, EditError, isOutside, readGuarded, writeGuarded } from './guarded-file.ts';
import { asOneStep, byPath, stepsOf } from './three-way.ts';

interface EditedFilesDependencies {
  sessionId: string;
  store: SessionStore;
  /** The folders of the session. */
  roots(): readonly string[];
}

/** Files that an agent edited, in their current state on disk. */
export class EditedFiles {
  readonly #given: EditedFilesDependencies;

  constructor(given: EditedFilesDependencies) {
    this.#given = given;
  }

  /** How each is, beside how its edits left it. Files of which no versions are kept are left out. */
  async now(turnId: string | null): Promise<FileNow[]> {
    const { sessionId, store } = this.#given;
    const files: FileNow[] = [];
    for (const [path, edits] of byPath(store.edits.of(sessionId, turnId))) {
      const found = await this.#look(path, edits);
      if (found !== null) files.push(found);
    }
    return files;
  }

  async #look(path: string, edits: readonly FileEdit[]): Promise<FileNow | null> {
    const left = leftBy(this.#given.store, edits);
    const steps = stepsOf(this.#given.store, edits);
    if (left === undefined || steps === null) return null;
    const before = steps[0]?.from ?? null;
    const inForce = steps.filter((_, index) => edits[index]?.state !== 'undone');
    // Its own later edits undid the earlier ones: a file that a session made and removed again.
    const asLeft = inForce.length > 0 && left === before ? 'as-before' : 'as-left';
    const roots = this.#given.roots();
    const found = { path, isOutside: await isOutside(path, roots), modifiedAt: null, problem: null };
    try {
      const file = await readGuarded(path, roots);
      if (file.text === null) return { ...found, now: left === null ? asLeft : 'gone' };
      const modifiedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      );
      const isAs = (text: string | null): boolean => file.text === comparable(text, file);
      if (isAs(left)) return { ...found, now: asOneStep(inForce) === null ? 'changed-between' : asLeft, modifiedAt };
      if (isAs(before)) return { ...found, now: 'as-before', modifiedAt };
      // An undo wrote it last: what something else wrote is older.
      const isUndone = steps.some(({ from }, index) => edits[index]?.state === 'undone' && isAs(from));
      return { ...found, now: 'changed', modifiedAt: isUndone ? null : modifiedAt };
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      const { code, message, remedy } = error;
      return { ...found, now: 'unreadable', problem: { code, text: message, remedy } };
    }
  }

  /** Before the first of these edits and after the last; null if they are kept no longer, or never were. */
  versions(turnId: string | null, path: string): Omit<FileVersions, 'threeWay'> | null {
    const steps = stepsOf(this.#given.store, this.#of(turnId, path));
    const [first, last] = [steps?.at(0), steps?.at(-1)];
    return first === undefined || last === undefined ? null : { before: first.from, after: last.to };
  }

  /**
   * Writes a file that is gone as its edits left it; never over a file.
   * @param outside files outside of the session's folders that a person agreed to
   */
  async bringBack(turnId: string | null, path: string, outside: readonly string[] = []): Promise<PutBack> {
    try {
      const left = leftBy(this.#given.store, this.#of(turnId, path));
      const name = basename(path);
      if (left === undefined || left === null) {
        throw new EditError(
          'not-kept',
          t('The last version of {name} is not saved.', { name }),
          t('Write the file yourself.'),
        );
      }
      const roots = this.#given.roots();
      const file = await readGuarded(path, roots);
      if (file.text !== null)
        throw new EditError('is-there', t('{name} is there.', { name }), t('Look at its difference.'));
      await writeGuarded(path, left, file, { roots, outside });
      return { path, isDone: true, problem: null, threeWay: null };
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      const { code, message, remedy } = error;
      return { path, isDone: false, problem: { code, text: message, remedy }, threeWay: null };
    }
  }

  #of(turnId: string | null, path: string): FileEdit[] {
    const { sessionId, store } = this.#given;
    return byPath(store.edits.of(sessionId, turnId)).get(path) ?? [];
  }
}

/** What a file should be by its edits, those that were taken back left out; undefined: its versions are not kept. */
function leftBy(store: SessionStore, edits: readonly FileEdit[]): string | null | undefined {
  const steps = stepsOf(store, edits);
  const first = steps?.at(0);
  if (steps === null || first === undefined) return undefined;
  let left = first.from;
  for (const [index, { to }] of steps.entries()) if (edits[index]?.state !== 'undone') left = to;
  return left;
}

/**
 * Writes the versions of edited files that are kept of a session into a new folder, with a list of what each is. False:
 * none is kept, and nothing was written.
 */
export async function writeVersions(store: SessionStore, sessionId: string, folder: string): Promise<boolean> {
  const edits = store.edits.of(sessionId).filter(({ before, after }) => before !== null || after !== null);
  if (edits.length === 0) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (hash: string | null, name: string): Promise<string | null> => {
    const content = hash === null ? null : store.edits.content(hash);
    if (content === null) return null;
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return name;
  };
  const list: object[] = [];
  for (const [index, { path, before, after, madeAt, state }] of edits.entries()) {
    const nth = String(index + 1).padStart(String(edits.length).length, '0');
    list.push({
      ...{ path, state, madeAt: new Date(madeAt).toISOString() },
      before: await write(before, `${nth} before ${basename(path)}`),
      after: await write(after, `${nth} after ${basename(path)}`),
    });
  }
  await writeFile(join(folder, 'edits.json'), `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 });
  return true;
}
