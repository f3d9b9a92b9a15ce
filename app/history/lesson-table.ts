import type { Clock } from '../ports.ts';
import type { Store, Writer } from './store.ts';

/** Something that Copilot said about a model on one of its paths, in words that only its reader knows. */
export interface LessonRow {
  model: string;
  path: string;
  /** One row for each: `field:context_management`. */
  subject: string;
  value: string;
  /** ms since the epoch. */
  learnedAt: number;
}

/** Copilot changes: what it refuses today it may take tomorrow, and is asked again then. */
export const lessonLifeMs = 24 * 60 * 60 * 1000;

/**
 * What was learned from refusals, for a day. All of it is in memory (a handful of rows), the table is there for the next start. Without a table
 * it is learned anew.
 */
export class LessonTable implements Writer {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #rows = new Map<string, LessonRow>();
  readonly #unwritten = new Set<string>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    for (const row of store.read(() => store.prepare('SELECT * FROM lessons').all(), [])) {
      const { model, path, subject, value, learned_at: learnedAt } = row;
      if (typeof model !== 'string' || typeof path !== 'string' || typeof subject !== 'string') continue;
      if (typeof value !== 'string' || typeof learnedAt !== 'number') continue;
      this.#rows.set(keyOf({ model, path, subject }), { model, path, subject, value, learnedAt });
    }
    store.join(this);
  }

  learn(lesson: Omit<LessonRow, 'learnedAt'>): void {
    const key = keyOf(lesson);
    this.#rows.set(key, { ...lesson, learnedAt: this.#clock.now() });
    this.#unwritten.add(key);
    this.#store.schedule();
  }

  /** What holds now, the oldest first. */
  all(): LessonRow[] {
    const now = this.#clock.now();
    // A clock that was put back makes nothing hold longer.
    return [...this.#rows.values()].filter(({ learnedAt }) => learnedAt <= now && now - learnedAt < lessonLifeMs);
  }

  of(model: string, path: string): LessonRow[] {
    return this.#rows.size === 0 ? [] : this.all().filter((row) => row.model === model && row.path === path);
  }

  pending(): number {
    return this.#unwritten.size;
  }

  write(): void {
    const oldest = this.#clock.now() - lessonLifeMs;
    this.#store.prepare('DELETE FROM lessons WHERE learned_at <= ?').run(oldest);
    for (const [key, { model, path, subject, value, learnedAt }] of this.#rows) {
      if (learnedAt <= oldest) this.#rows.delete(key);
      else if (this.#unwritten.has(key)) this.#store.prepare(putSql).run(model, path, subject, value, learnedAt);
    }
  }

  written(): void {
    this.#unwritten.clear();
  }

  renewed(): void {
    for (const key of this.#rows.keys()) this.#unwritten.add(key);
  }
}

const putSql = 'INSERT OR REPLACE INTO lessons (model, path, subject, value, learned_at) VALUES (?, ?, ?, ?, ?)';

function keyOf({ model, path, subject }: Pick<LessonRow, 'model' | 'path' | 'subject'>): string {
  return JSON.stringify([model, path, subject]);
}
