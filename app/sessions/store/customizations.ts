import { json, Table, text } from './session-database.ts';

/** Something that was added for one session, or for a folder: one of the two is null. */
interface CustomizationRow {
  id: string;
  session: string | null;
  folder: string | null;
  /** As `addedSchema` has it. */
  added: unknown;
}

/** What a person added for sessions and for folders, and what of it is off in which session. */
export class CustomizationRows extends Table {
  /** Those of all folders and of one session, the oldest first. */
  of(session: string): CustomizationRow[] {
    const sql = `SELECT id, session, folder, added FROM customizations
      WHERE session IS NULL OR session = ? ORDER BY added_at, rowid`;
    return this.database.all(sql, session).map((row) => ({
      ...{ id: text(row.id) ?? '', session: text(row.session), folder: text(row.folder), added: json(row.added) },
    }));
  }

  off(session: string): ReadonlySet<string> {
    const sql = 'SELECT customization FROM customizations_off WHERE session = ?';
    const rows = this.database.all(sql, session);
    return new Set(rows.map(({ customization }) => text(customization) ?? ''));
  }

  add({ id, session, folder, added }: CustomizationRow): void {
    const sql = 'INSERT INTO customizations (id, session, folder, added, added_at) VALUES (?, ?, ?, ?, ?)';
    this.database.run(sql, id, session, folder, JSON.stringify(added), this.database.now());
  }

  remove(id: string): boolean {
    const database = this.database;
    return database.change(() => {
      database.run('DELETE FROM customizations_off WHERE customization = ?', id);
      return database.run('DELETE FROM customizations WHERE id = ?', id) === 1;
    });
  }

  switch(session: string, id: string, on: boolean): void {
    const sql = on
      ? 'DELETE FROM customizations_off WHERE session = ? AND customization = ?'
      : 'INSERT OR IGNORE INTO customizations_off (session, customization) VALUES (?, ?)';
    this.database.run(sql, session, id);
  }

  /** A copy of a session runs with what the session itself runs with. @param newId of each that it had alone */
  copy(from: string, to: string, newId: () => string): void {
    this.database.change(() => {
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
    this.database.change(() => {
      for (const table of ['customizations', 'customizations_off']) {
        this.database.run(
          `DELETE FROM ${table} WHERE session IS NOT NULL AND session NOT IN (SELECT id FROM sessions)`,
        );
      }
    });
  }
}
