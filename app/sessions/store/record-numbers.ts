import { figure } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

const lastSql = `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'record'), 0),
    coalesce((SELECT max(forgotten) FROM record_ends), 0)) AS seq`;
/** So many numbers are taken at once, on disk before the first of them is given. */
const reservedAtOnce = 1_000;
const hasReservedSql = `SELECT seq FROM sqlite_sequence WHERE name = 'record'`;

/** The numbers of the record's entries: each is given once, over all sessions and processes. */
export class RecordNumbers {
  readonly #database: SessionDatabase;
  #last: number;
  /** Numbers up to here are on disk as given, so that no process after this one gives them again. */
  #reserved = 0;

  constructor(database: SessionDatabase) {
    this.#database = database;
    this.#last = this.#lastWritten();
  }

  /** The file was opened anew. */
  renewed(): void {
    this.#reserved = 0;
    this.#last = Math.max(this.#last, this.#lastWritten());
  }

  /** The last one that was given. */
  get last(): number {
    // The process that owns the file goes on writing.
    return this.#database.mayWrite ? this.#last : Math.max(this.#last, this.#lastWritten());
  }

  next(): number {
    if (this.#last >= this.#reserved) this.#reserve();
    this.#last += 1;
    return this.#last;
  }

  /** Gives those back that were taken and not given. */
  close(): void {
    if (this.#reserved > this.#last) this.#writeReserved(this.#last);
    this.#reserved = 0;
  }

  #lastWritten(): number {
    return figure(this.#database.read(() => this.#database.prepare(lastSql).get())?.seq) ?? 0;
  }

  /** A killed process may have told entries that it had not written: their numbers are not given to others. */
  #reserve(): void {
    if (!this.#database.mayWrite) return;
    const upTo = this.#last + reservedAtOnce;
    try {
      this.#writeReserved(upTo);
      this.#reserved = upTo;
    } catch {
      // Said by the database. Until it can be written, `gap` tells a front whose cursor is beyond the last entry.
    }
  }

  #writeReserved(upTo: number): void {
    const database = this.#database;
    database.change(() => {
      const isThere = database.prepare(hasReservedSql).get() !== undefined;
      const sql = isThere
        ? `UPDATE sqlite_sequence SET seq = ? WHERE name = 'record'`
        : `INSERT INTO sqlite_sequence (seq, name) VALUES (?, 'record')`;
      database.prepare(sql).run(upTo);
    });
  }
}
