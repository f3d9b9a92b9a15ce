import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { z } from 'zod';
import { type SessionCommand, sessionCommandSchema } from '../../api/session-surroundings.ts';
import { json, SessionStoreError, Table } from './session-database.ts';

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
