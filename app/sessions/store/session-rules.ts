import { figure, json, text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** What a person allowed for as long as a session lasts. */
export interface SessionRule {
  id: string;
  rule: unknown;
  givenAt: number;
}

export class SessionRules {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  of(session: string): SessionRule[] {
    const sql = 'SELECT * FROM rules WHERE session = ? ORDER BY given_at, rowid';
    return this.#database
      .read(() => this.#database.prepare(sql).all(session))
      .map((row) => ({ id: text(row.id) ?? '', rule: json(row.rule), givenAt: figure(row.given_at) ?? 0 }));
  }

  give(session: string, id: string, rule: unknown): void {
    const database = this.#database;
    const sql = 'INSERT OR REPLACE INTO rules (id, session, rule, given_at) VALUES (?, ?, ?, ?)';
    database.change(() => database.prepare(sql).run(id, session, JSON.stringify(rule), database.now()));
  }

  /** False: there was no such rule. */
  takeBack(id: string): boolean {
    const database = this.#database;
    return database.change(() => database.prepare('DELETE FROM rules WHERE id = ?').run(id).changes === 1);
  }
}
