import { json } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** What a person was writing to a session, with its attachments, as the front gave it. */
export class Drafts {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  find(session: string): unknown {
    const database = this.#database;
    return json(
      database.read(() => database.prepare('SELECT draft FROM drafts WHERE session = ?').get(session))?.draft,
    );
  }

  /** Null takes it away. */
  keep(session: string, draft: unknown): void {
    const database = this.#database;
    database.change(() => {
      if (draft === null) database.prepare('DELETE FROM drafts WHERE session = ?').run(session);
      else {
        const sql = 'INSERT OR REPLACE INTO drafts (session, draft, written_at) VALUES (?, ?, ?)';
        database.prepare(sql).run(session, JSON.stringify(draft), database.now());
      }
    });
  }

  /** Ids of sessions that have one. */
  sessions(): string[] {
    const rows = this.#database.read(() => this.#database.prepare('SELECT session FROM drafts').all());
    return rows.map(({ session }) => String(session));
  }
}
