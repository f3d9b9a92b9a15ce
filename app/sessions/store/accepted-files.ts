import { text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** Files whose difference against the branch a person accepted, each with the version that they saw. */
export class AcceptedFiles {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** Versions by path. */
  of(session: string): ReadonlyMap<string, string> {
    const sql = 'SELECT path, version FROM accepted_files WHERE session = ?';
    const rows = this.#database.read(() => this.#database.prepare(sql).all(session));
    return new Map(rows.map(({ path, version }) => [text(path) ?? '', text(version) ?? '']));
  }

  accept(session: string, files: readonly { path: string; version: string }[]): void {
    const database = this.#database;
    const sql = 'INSERT OR REPLACE INTO accepted_files (session, path, version) VALUES (?, ?, ?)';
    database.change(() => {
      for (const { path, version } of files) database.prepare(sql).run(session, path, version);
    });
  }

  takeBack(session: string, files: readonly { path: string }[]): void {
    const database = this.#database;
    const sql = 'DELETE FROM accepted_files WHERE session = ? AND path = ?';
    database.change(() => {
      for (const { path } of files) database.prepare(sql).run(session, path);
    });
  }
}
