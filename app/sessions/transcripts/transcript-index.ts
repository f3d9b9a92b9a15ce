import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { reasonOf } from '../../database/sqlite-error.ts';
import type { Log } from '../../ports.ts';

/** An index of another version is deleted and built again. */
const version = 4;
const schema = `
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    facts TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE read_up_to (
    path TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE said USING fts5 (
    path UNINDEXED, message UNINDEXED, who UNINDEXED, at UNINDEXED, words,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '3'
  );
  CREATE TABLE said_rows (
    row INTEGER PRIMARY KEY,
    path TEXT NOT NULL
  ) STRICT;
  CREATE INDEX said_rows_by_path ON said_rows (path);
  PRAGMA user_version = ${version};
`;
/** Two processes may write: one that finds it locked goes on without it. */
const patienceMs = 100;

/**
 * transcripts.db: what was read of transcripts, so that it is read once. Nothing in it is the truth about anything: it
 * may be deleted at any time, and a damaged one is begun anew. Where no file can be used it lives in memory.
 */
export class TranscriptIndex {
  readonly #path: string;
  readonly #log: Log;
  readonly #readOnly: boolean;
  readonly #statements = new Map<string, StatementSync>();
  #database: DatabaseSync;
  #closed = false;

  constructor(path: string, { log, readOnly = false }: { log: Log; readOnly?: boolean }) {
    this.#path = path;
    this.#log = log;
    this.#readOnly = readOnly;
    this.#database = this.#open();
  }

  /** Answers, or `otherwise` where the index can't. */
  use<Answer>(question: (prepare: (sql: string) => StatementSync) => Answer, otherwise: Answer): Answer {
    if (this.#closed) return otherwise;
    try {
      return question((sql) => this.#prepare(sql));
    } catch (error) {
      this.#failed(error);
      return otherwise;
    }
  }

  /** Changes that are made together or not at all; false: they were not made. */
  change(work: (prepare: (sql: string) => StatementSync) => void): boolean {
    const changed = this.use((prepare) => {
      prepare('BEGIN IMMEDIATE').run();
      work(prepare);
      prepare('COMMIT').run();
      return true;
    }, false);
    if (!changed) this.#rollBack();
    return changed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #rollBack(): void {
    try {
      if (!this.#closed && this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The error that led here was said.
    }
  }

  #open(): DatabaseSync {
    if (this.#readOnly) return this.#inMemory();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        return openFile(this.#path);
      } catch (error) {
        this.#log.write('warn', 'transcript-index-begun-anew', { why: reasonOf(error) });
        if (!remove(this.#path)) break;
      }
    }
    return this.#inMemory();
  }

  #inMemory(): DatabaseSync {
    const database = new DatabaseSync(':memory:');
    database.exec(schema);
    return database;
  }

  #failed(error: unknown): void {
    this.#log.write('warn', 'transcript-index-failed', { why: reasonOf(error) });
  }
}

function openFile(path: string): DatabaseSync {
  // SQLite gives -wal and -shm the mode of the file: titles and words are for this user alone.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    const found = database.prepare('PRAGMA user_version').get()?.user_version;
    if (found !== 0 && found !== version) throw new Error(`version ${found} of the schema`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA journal_size_limit = 8000000');
    if (found === 0) database.exec(schema);
    database.prepare('SELECT 1 FROM files, read_up_to, said, said_rows');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** False: the file could not be removed. */
function remove(path: string): boolean {
  try {
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
    return true;
  } catch {
    return false;
  }
}
