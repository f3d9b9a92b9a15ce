import { z } from 'zod';
import { type SessionCommand, sessionCommandSchema } from '../../api/session-surroundings.ts';
import { json } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';
import { SessionStoreError } from './store-error.ts';

const keptSchema = z.array(sessionCommandSchema);
const mostFolders = 100;
/** Where a command comes from that one folder alone has. */
const local: ReadonlySet<string> = new Set(['project', 'local', 'server', 'front', 'other']);

/** The commands that an agent last offered in a folder, for sessions that have no process yet. */
export class OfferedCommands {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** Commands of this folder; otherwise of another one, without its own. Empty if the agent never ran. */
  find(agent: string, cwd: string): SessionCommand[] {
    const here = this.#read('SELECT commands FROM told_commands WHERE agent = ? AND cwd = ?', agent, cwd);
    if (here !== null) return here;
    const sql = 'SELECT commands FROM told_commands WHERE agent = ? ORDER BY told_at DESC LIMIT 1';
    return this.#read(sql, agent)?.filter(({ origin }) => !local.has(origin.kind)) ?? [];
  }

  /** Whether it can be written makes no difference to who asked. */
  keep(agent: string, cwd: string, commands: readonly SessionCommand[]): void {
    const database = this.#database;
    try {
      database.change(() => {
        const sql = 'INSERT OR REPLACE INTO told_commands (agent, cwd, commands, told_at) VALUES (?, ?, ?, ?)';
        database.prepare(sql).run(agent, cwd, JSON.stringify(commands), database.now());
        const newest = 'SELECT rowid FROM told_commands ORDER BY told_at DESC LIMIT ?';
        database.prepare(`DELETE FROM told_commands WHERE rowid NOT IN (${newest})`).run(mostFolders);
      });
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  #read(sql: string, ...given: string[]): SessionCommand[] | null {
    const row = this.#database.read(() => this.#database.prepare(sql).get(...given));
    return row === undefined ? null : (keptSchema.safeParse(json(row.commands)).data ?? null);
  }
}
