import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { SessionDatabase } from './session-database.ts';

/** Folders whose own settings, hooks and servers count, because a person said so. Folders below are trusted too. */
export class TrustedFolders {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  all(): string[] {
    const sql = 'SELECT path FROM trusted_folders ORDER BY path';
    return this.#database.read(() => this.#database.prepare(sql).all()).map(({ path }) => String(path));
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
    const database = this.#database;
    const sql = 'INSERT INTO trusted_folders (path, trusted_at) VALUES (?, ?) ON CONFLICT DO NOTHING';
    database.change(() => database.prepare(sql).run(path, database.now()));
  }

  takeBack(path: string): boolean {
    const database = this.#database;
    return database.change(
      () => database.prepare('DELETE FROM trusted_folders WHERE path = ?').run(path).changes === 1,
    );
  }
}
