import type { Clock } from '../../ports.ts';
import type { FileEdits } from '../store/file-edits.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { WholePrompts } from '../store/turn-rows.ts';

const dayMs = 24 * 60 * 60_000;

interface KeptVersionsDependencies {
  store: {
    readonly edits: Pick<FileEdits, 'forgetVersions'>;
    readonly prompts: Pick<WholePrompts, 'forgetOld'>;
    readonly mayWrite: boolean;
  };
  clock: Pick<Clock, 'now'>;
  outside: { readonly settings: { keepVersionsDays: number | null } };
}

/**
 * Lets old versions of files and old whole prompts go: at a start, when the settings keep them for another time, and
 * once a day.
 */
export class KeptVersions {
  readonly #given: KeptVersionsDependencies;
  #last: { at: number; days: number | null } | null = null;

  constructor(given: KeptVersionsDependencies) {
    this.#given = given;
  }

  look(): void {
    const { store, clock, outside } = this.#given;
    const { keepVersionsDays: days } = outside.settings;
    const now = clock.now();
    const last = this.#last;
    // The clock may have been put back.
    if (last !== null && last.days === days && Math.abs(now - last.at) < dayMs) return;
    if (!store.mayWrite) return;
    this.#last = { at: now, days };
    try {
      if (days !== null) store.edits.forgetVersions(now - days * dayMs);
      store.prompts.forgetOld();
    } catch (error) {
      // The store says what is wrong with it; they go another day.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  /** All of them, because a person asked for it. Returns how many went. */
  deleteAll(): number {
    return this.#given.store.edits.forgetVersions(Number.MAX_SAFE_INTEGER);
  }
}
