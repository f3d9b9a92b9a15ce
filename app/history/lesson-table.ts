import { hash } from 'node:crypto';
import type { Clock } from '../ports.ts';
import type { Store, Writer } from './store.ts';

/** Something that Copilot said about a model on one of its paths, in words that only its reader knows. */
export interface LessonRow {
  /** The same whenever the same is learned: eight characters for a person to name it by. */
  id: string;
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

/** A handful is usual. What is beyond is forgotten early, the oldest first. */
const mostLessons = 500;

/**
 * What was learned from refusals, for a day. All of it is in memory, the table is there for the next start. Without a
 * table it is learned anew.
 */
export class LessonTable implements Writer {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Those that no longer hold are among them. */
  readonly rows = new Map<string, LessonRow>();
  /** Learned, or forgotten where there is no row. */
  readonly #unwritten = new Map<string, Key>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#read();
    store.join(this);
  }

  learn(lesson: Omit<LessonRow, 'id' | 'learnedAt'>): void {
    const key = keyOf(lesson);
    // What is learned again goes to the end of the line.
    this.rows.delete(key);
    this.rows.set(key, { ...lesson, id: idOf(key), learnedAt: this.#clock.now() });
    this.#unwritten.set(key, lesson);
    for (const [oldest, row] of this.rows) {
      if (this.rows.size <= mostLessons) break;
      this.rows.delete(oldest);
      this.#unwritten.set(oldest, row);
    }
    this.#store.schedule(this);
  }

  /** Takes one lesson back. Returns how many held. Throws `HistoryError` where another process owns the file. */
  forgetOne(id: string): number {
    this.#store.requireOwned();
    return this.forget(id);
  }

  /** Takes one lesson back, or all of them, so that Copilot is asked again. Returns how many held. */
  forget(id?: string): number {
    const held = this.all().filter((row) => id === undefined || row.id === id).length;
    for (const [key, row] of this.rows) {
      if (id !== undefined && row.id !== id) continue;
      this.rows.delete(key);
      this.#unwritten.set(key, row);
    }
    this.#store.schedule(this);
    return held;
  }

  /**
   * Takes back what was learned before a moment: a person chose that, perhaps in another process. Returns how many
   * of them held.
   */
  forgetBefore(moment: number): number {
    // A clock that was put back since then would take back what is yet to be learned.
    if (moment > this.#clock.now()) return 0;
    const held = this.all().filter((row) => row.learnedAt < moment).length;
    for (const [key, row] of this.rows) {
      if (row.learnedAt >= moment) continue;
      this.rows.delete(key);
      this.#unwritten.set(key, row);
    }
    if (this.#unwritten.size > 0) this.#store.schedule(this);
    return held;
  }

  /** What holds now, the oldest first. */
  all(): LessonRow[] {
    const now = this.#clock.now();
    // A clock that was put back makes nothing hold longer.
    return [...this.rows.values()].filter(({ learnedAt }) => learnedAt <= now && now - learnedAt < lessonLifeMs);
  }

  of(model: string, path: string): LessonRow[] {
    return this.all().filter((row) => row.model === model && row.path === path);
  }

  write(): void {
    const oldest = this.#clock.now() - lessonLifeMs;
    this.#store.prepare('DELETE FROM lessons WHERE learned_at <= ?').run(oldest);
    for (const [key, { learnedAt }] of this.rows) if (learnedAt <= oldest) this.rows.delete(key);
    for (const [key, { model, path, subject }] of this.#unwritten) {
      const row = this.rows.get(key);
      if (row === undefined) this.#store.prepare(dropSql).run(model, path, subject);
      else this.#store.prepare(putSql).run(model, path, subject, row.value, row.learnedAt);
    }
  }

  written(): void {
    this.#unwritten.clear();
  }

  renewed(): void {
    for (const [key, row] of this.rows) this.#unwritten.set(key, row);
  }

  /** What the owner before learned and forgot holds; what was learned or forgotten here is still to be written. */
  reopened(): void {
    const here = [...this.#unwritten.keys()].map((key) => [key, this.rows.get(key)] as const);
    this.rows.clear();
    this.#read();
    for (const [key, row] of here) {
      this.rows.delete(key);
      if (row !== undefined) this.rows.set(key, row);
    }
  }

  #read(): void {
    const rows = this.#store.read(() => this.#store.prepare('SELECT * FROM lessons ORDER BY learned_at').all(), []);
    for (const { model, path, subject, value, learned_at: learnedAt } of rows) {
      if (typeof model !== 'string' || typeof path !== 'string' || typeof subject !== 'string') continue;
      if (typeof value !== 'string' || typeof learnedAt !== 'number') continue;
      const key = keyOf({ model, path, subject });
      this.rows.set(key, { id: idOf(key), model, path, subject, value, learnedAt });
    }
  }
}

const putSql = 'INSERT OR REPLACE INTO lessons (model, path, subject, value, learned_at) VALUES (?, ?, ?, ?, ?)';
const dropSql = 'DELETE FROM lessons WHERE model = ? AND path = ? AND subject = ?';

type Key = Pick<LessonRow, 'model' | 'path' | 'subject'>;

function keyOf({ model, path, subject }: Key): string {
  return JSON.stringify([model, path, subject]);
}

function idOf(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 8);
}
