import type { StatementSync } from 'node:sqlite';

const dayMs = 24 * 60 * 60 * 1000;
/** A few dozen are usual. */
const mostKnown = 2_000;

/** The database that they are in. */
interface Database {
  prepare(sql: string): StatementSync;
}

/** Texts that stand in many rows, each kept once: the rows hold its number. All SQL of them is here. */
export class Words {
  readonly #database: Database;
  /** A number is never given twice, so what is known stays right. */
  readonly #known = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The number of a text, inside a transaction. No row that holds it may begin more than a day after `used_at`: see
   * `forgetWordsSql`.
   */
  number(text: string, startedAt: number): number {
    const usedAt = Number.isSafeInteger(Math.ceil(startedAt)) ? Math.ceil(startedAt) : 0;
    const found = this.#database.prepare('SELECT id, used_at FROM words WHERE text = ?').get(text);
    if (found === undefined) {
      const { lastInsertRowid } = this.#database
        .prepare('INSERT INTO words (text, used_at) VALUES (?, ?)')
        .run(text, usedAt);
      return Number(lastInsertRowid);
    }
    if (usedAt > Number(found.used_at) + dayMs) {
      this.#database.prepare('UPDATE words SET used_at = ? WHERE id = ?').run(usedAt, Number(found.id));
    }
    return Number(found.id);
  }

  /** Undefined: it is not there (it was edited by hand). */
  text(number: number): string | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const text = this.#database.prepare('SELECT text FROM words WHERE id = ?').get(number)?.text;
    if (typeof text !== 'string') return undefined;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(number, text);
    return text;
  }

  /** The file is another one. */
  renewed(): void {
    this.#known.clear();
  }
}

/**
 * Takes out what no row holds any more. The parameter, twice: a time (ms) before which there are no rows; where there
 * are, nothing goes.
 */
export const forgetWordsSql = `DELETE FROM words WHERE NOT EXISTS (SELECT 1 FROM exchanges)
  OR (used_at < ? - ${dayMs} AND NOT EXISTS (SELECT 1 FROM exchanges WHERE started_at < ?))`;
