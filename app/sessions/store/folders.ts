import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { z } from 'zod';
import { type SessionCommand, sessionCommandSchema } from '../../api/session-surroundings.ts';
import { json, SessionStoreError, Table, text } from './session-database.ts';

/** Folders whose own settings, hooks and servers count, because a person said so. Folders below are trusted too. */
export class TrustedFolders extends Table {
  all(): string[] {
    const sql = 'SELECT path FROM trusted_folders ORDER BY path';
    return this.database.all(sql).map(({ path }) => String(path));
  }

  /** @param path absolute, as the system resolves it: a link into a trusted folder is none of its folders */
  has(path: string): boolean {
    return this.all().some((trusted) => {
      const below = relative(trusted, path);
      return !isAbsolute(below) && below.split(/[\\/]/, 1)[0] !== '..';
    });
  }

  /** The same of a folder by any path; false for one that is gone or can't be read. */
  async hasNow(folder: string): Promise<boolean> {
    const path = await realpath(folder).catch(() => null);
    return path !== null && this.has(path);
  }

  trust(path: string): void {
    const sql = 'INSERT INTO trusted_folders (path, trusted_at) VALUES (?, ?) ON CONFLICT DO NOTHING';
    this.database.run(sql, path, this.database.now());
  }

  takeBack(path: string): boolean {
    return this.database.run('DELETE FROM trusted_folders WHERE path = ?', path) === 1;
  }
}

const keptSchema = z.array(sessionCommandSchema);
const mostFolders = 100;
/** Where a command comes from that one folder alone has. */
const local: ReadonlySet<string> = new Set(['project', 'local', 'server', 'front', 'other']);

/** The commands that an agent last offered in a folder, for sessions that have no process yet. */
export class OfferedCommands extends Table {
  /** Commands of this folder; otherwise of another one, without its own. Empty if the agent never ran. */
  find(agent: string, cwd: string): SessionCommand[] {
    const here = this.#read('SELECT commands FROM told_commands WHERE agent = ? AND cwd = ?', agent, cwd);
    if (here !== null) return here;
    const sql = 'SELECT commands FROM told_commands WHERE agent = ? ORDER BY told_at DESC LIMIT 1';
    return this.#read(sql, agent)?.filter(({ origin }) => !local.has(origin.kind)) ?? [];
  }

  /** Whether it can be written makes no difference to who asked. */
  keep(agent: string, cwd: string, commands: readonly SessionCommand[]): void {
    const database = this.database;
    try {
      database.change(() => {
        const sql = 'INSERT OR REPLACE INTO told_commands (agent, cwd, commands, told_at) VALUES (?, ?, ?, ?)';
        database.run(sql, agent, cwd, JSON.stringify(commands), database.now());
        const newest = 'SELECT rowid FROM told_commands ORDER BY told_at DESC LIMIT ?';
        database.run(`DELETE FROM told_commands WHERE rowid NOT IN (${newest})`, mostFolders);
      });
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  #read(sql: string, ...given: string[]): SessionCommand[] | null {
    const row = this.database.first(sql, ...given);
    return row === undefined ? null : (keptSchema.safeParse(json(row.commands)).data ?? null);
  }
}

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
