import { setImmediate } from 'node:timers/promises';
import type { SessionEditSum } from '../../api/session-list.ts';
import type { FileEdit } from '../store/file-edits.ts';
import type { SessionStore } from '../store/session-store.ts';
import { asOneStep, byPath, countLines, stepsOf } from './three-way.ts';

/** A longer comparison is left out of the sums, in ms: the list waits for it. */
const comparingMs = 200;
/** Sums of more sessions are forgotten, the longest unused first. */
const mostKept = 1_000;

/** How much the edits of sessions changed, for the list. Edits that were undone don't count. */
export class EditSums {
  readonly #store: () => Pick<SessionStore, 'edits'>;
  readonly #known = new Map<string, { of: string; sum: SessionEditSum }>();

  /** @param store opens the file of sessions; a command that asks for no session has none */
  constructor(store: () => Pick<SessionStore, 'edits'>) {
    this.#store = store;
  }

  async of(ids: readonly string[]): Promise<SessionEditSum[]> {
    const sums: SessionEditSum[] = [];
    for (const id of ids) sums.push(await this.#sum(id));
    return sums;
  }

  async #sum(id: string): Promise<SessionEditSum> {
    const edits = this.#store()
      .edits.of(id)
      .filter(({ state }) => state !== 'undone');
    const of = edits.map(({ id: edit, state }) => `${edit} ${state}`).join('\n');
    const known = this.#known.get(id);
    this.#known.delete(id);
    if (known?.of === of) {
      this.#known.set(id, known);
      return known.sum;
    }
    const sum = { id, files: 0, added: 0, removed: 0 };
    for (const ofFile of byPath(edits).values()) {
      const counts = this.#count(ofFile);
      sum.files += 1;
      sum.added += counts.added;
      sum.removed += counts.removed;
      // Requests go on between two files.
      await setImmediate();
    }
    this.#known.set(id, { of, sum });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
    }
    return sum;
  }

  #count(edits: readonly FileEdit[]): { added: number; removed: number } {
    const steps = stepsOf(this.#store(), edits);
    if (steps === null) return { added: 0, removed: 0 };
    const from = (asOneStep(steps) ?? steps[0])?.from ?? null;
    return countLines(from, steps.at(-1)?.to ?? null, comparingMs);
  }
}
