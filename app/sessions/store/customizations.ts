import { json, text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** Something that was added for one session, or for a folder: one of the two is null. */
export interface CustomizationRow {
  id: string;
  session: string | null;
  folder: string | null;
  /** As `addedSchema` has it. */
  added: unknown;
}

/** What a person added for sessions and for folders, and what of it is off in which session. */
export class CustomizationRows {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** Those of all folders and of one session, the oldest first. */
  of(session: string): CustomizationRow[] {
    const sql = `SELECT id, session, folder, added FROM customizations
      WHERE session IS NULL OR session = ? ORDER BY added_at, rowid`;
    return this.#database
      .read(() => this.#database.prepare(sql).all(session))
      .map((row) => ({
        ...{ id: text(row.id) ?? '', session: text(row.session), folder: text(row.folder), added: json(row.added) },
      }));
  }

  off(session: string): ReadonlySet<string> {
    const sql = 'SELECT customization FROM customizations_off WHERE session = ?';
    const rows = this.#database.read(() => this.#database.prepare(sql).all(session));
    return new Set(rows.map(({ customization }) => text(customization) ?? ''));
  }

  add({ id, session, folder, added }: CustomizationRow): void {
    const database = this.#database;
    const sql = 'INSERT INTO customizations (id, session, folder, added, added_at) VALUES (?, ?, ?, ?, ?)';
    database.change(() => database.prepare(sql).run(id, session, folder, JSON.stringify(added), database.now()));
  }

  remove(id: string): boolean {
    const database = this.#database;
    return database.change(() => {
      database.prepare('DELETE FROM customizations_off WHERE customization = ?').run(id);
      return database.prepare('DELETE FROM customizations WHERE id = ?').run(id).changes === 1;
    });
  }

  switch(session: string, id: string, on: boolean): void {
    const database = this.#database;
    const sql = on
      ? 'DELETE FROM customizations_off WHERE session = ? AND customization = ?'
      : 'INSERT OR IGNORE INTO customizations_off (session, customization) VALUES (?, ?)';
    database.change(() => database.prepare(sql).run(session, id));
  }

  /** A copy of a session runs with what the session itself runs with. @param newId of each that it had alone */
  copy(from: string, to: string, newId: () => string): void {
    this.#database.change(() => {
      const off = this.off(from);
      for (const row of this.of(from)) {
        const id = row.session === null ? row.id : newId();
        if (row.session !== null) this.add({ ...row, id, session: to });
        if (off.has(row.id)) this.switch(to, id, false);
      }
    });
  }

  /** What was added for sessions of which nothing was ever kept. */
  sweep(): void {
    const database = this.#database;
    database.change(() => {
      for (const table of ['customizations', 'customizations_off']) {
        database
          .prepare(`DELETE FROM ${table} WHERE session IS NOT NULL AND session NOT IN (SELECT id FROM sessions)`)
          .run();
      }
    });
  }
}
