import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Clock } from '../../ports.ts';
import { figure, type Row, SessionStoreError, Table, text } from './session-database.ts';
import type { WholePrompts } from './turn-rows.ts';

const states = ['made', 'accepted', 'undone', 'untracked'] as const;
/** `untracked`: something else than an edit of the agent changed the file; there are no versions of it. */
type EditState = (typeof states)[number];

/** One edit that an agent made to a file. Versions are read from `content` by the hashes here. */
export interface FileEdit {
  id: string;
  sessionId: string;
  turnId: string | null;
  /** Null if a person took one place of the edits before it back. */
  toolCallId: string | null;
  path: string;
  /** Null if there was no such file. */
  before: string | null;
  /** Null if it was deleted. */
  after: string | null;
  state: EditState;
  /** True once the agent knows what a person undid. */
  isReported: boolean;
  madeAt: number;
  /** Permissions of the file before it; null if they are not known. */
  mode: number | null;
}

interface NewEdit extends Pick<FileEdit, 'id' | 'sessionId' | 'turnId' | 'toolCallId' | 'path'> {
  /** Whole texts; null for no such file. */
  before: string | null;
  after: string | null;
  state?: EditState;
  mode?: number | null;
}

/** Shorter ones are not worth packing. */
const packedFrom = 512;

/** Both versions of each file that an agent changed. Equal texts are stored once. */
export class FileEdits extends Table {
  /** The same id again changes nothing: an edit counts once. */
  add({ before, after, state = 'made', mode = null, ...edit }: NewEdit): void {
    const database = this.database;
    const sql = `INSERT INTO edits (id, session, turn, tool_call, path, before, after, state, told, made_at, mode)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`;
    const { id, sessionId, turnId, toolCallId, path } = edit;
    database.change(() => {
      if (this.find(id) !== null) return;
      const versions = [this.#keep(before), this.#keep(after)] as const;
      database.run(sql, id, sessionId, turnId, toolCallId, path, ...versions, state, database.now(), mode);
    });
  }

  /** False: there is no such edit. */
  change(id: string, patch: { state?: EditState; isReported?: boolean }): boolean {
    return this.database.change(() => {
      const found = this.find(id);
      if (found === null) return false;
      const { state = found.state, isReported = found.isReported } = patch;
      this.database.run('UPDATE edits SET state = ?, told = ? WHERE id = ?', state, isReported ? 1 : 0, id);
      return true;
    });
  }

  remove(id: string): void {
    this.database.run('DELETE FROM edits WHERE id = ?', id);
  }

  find(id: string): FileEdit | null {
    const row = this.database.first('SELECT * FROM edits WHERE id = ?', id);
    return row === undefined ? null : toEdit(row);
  }

  /** Edits in the order in which they were made; those of one turn, or of all. */
  of(session: string, turn: string | null = null): FileEdit[] {
    const sql = 'SELECT * FROM edits WHERE session = ?1 AND (?2 IS NULL OR turn = ?2) ORDER BY made_at, rowid';
    return this.database.all(sql, session, turn).map(toEdit);
  }

  /** The text of a version; null if it is kept no longer. */
  content(hash: string): string | null {
    const sql = 'SELECT packed, content FROM contents WHERE hash = ?';
    const row = this.database.first(sql, hash);
    if (!(row?.content instanceof Uint8Array)) return null;
    const bytes = Buffer.from(row.content);
    return (row.packed === 1 ? inflateSync(bytes) : bytes).toString('utf8');
  }

  /** Versions of edits made before a time go, and those of none; that edits were made stays. Returns how many went. */
  forgetVersions(olderThan: number): number {
    const sql = `DELETE FROM contents WHERE hash NOT IN (
      SELECT before FROM edits WHERE made_at >= ?1 AND before IS NOT NULL
      UNION SELECT after FROM edits WHERE made_at >= ?1 AND after IS NOT NULL)`;
    return this.database.run(sql, olderThan);
  }

  #keep(content: string | null): string | null {
    if (content === null) return null;
    const bytes = Buffer.from(content, 'utf8');
    const hash = createHash('sha256').update(bytes).digest('base64url');
    const known = this.database.prepare('SELECT 1 FROM contents WHERE hash = ?').get(hash);
    if (known === undefined) {
      const isPacked = bytes.length >= packedFrom;
      this.database.run(
        'INSERT INTO contents (hash, bytes, packed, content) VALUES (?, ?, ?, ?)',
        hash,
        bytes.length,
        isPacked ? 1 : 0,
        isPacked ? deflateSync(bytes, { level: 1 }) : bytes,
      );
    }
    return hash;
  }
}

function toEdit(row: Row): FileEdit {
  return {
    id: text(row.id) ?? '',
    sessionId: text(row.session) ?? '',
    turnId: text(row.turn),
    toolCallId: text(row.tool_call),
    path: text(row.path) ?? '',
    before: text(row.before),
    after: text(row.after),
    state: states.find((state) => state === row.state) ?? 'made',
    isReported: row.told === 1,
    madeAt: figure(row.made_at) ?? 0,
    mode: figure(row.mode),
  };
}

/** Files whose difference against the branch a person accepted, each with the version that they saw. */
export class AcceptedFiles extends Table {
  /** Versions by path. */
  of(session: string): ReadonlyMap<string, string> {
    const sql = 'SELECT path, version FROM accepted_files WHERE session = ?';
    const rows = this.database.all(sql, session);
    return new Map(rows.map(({ path, version }) => [text(path) ?? '', text(version) ?? '']));
  }

  accept(session: string, files: readonly { path: string; version: string }[]): void {
    const sql = 'INSERT OR REPLACE INTO accepted_files (session, path, version) VALUES (?, ?, ?)';
    this.database.change(() => {
      for (const { path, version } of files) this.database.run(sql, session, path, version);
    });
  }

  takeBack(session: string, files: readonly { path: string }[]): void {
    const sql = 'DELETE FROM accepted_files WHERE session = ? AND path = ?';
    this.database.change(() => {
      for (const { path } of files) this.database.run(sql, session, path);
    });
  }
}

const dayMs = 24 * 60 * 60_000;

interface KeptVersionsDependencies {
  store: {
    readonly edits: Pick<FileEdits, 'forgetVersions'>;
    readonly prompts: Pick<WholePrompts, 'forgetOld'>;
    readonly mayWrite: boolean;
  };
  clock: Pick<Clock, 'now'>;
  outside: { readonly settings: { keepVersionsDays: number | null } };
}

/**
 * Lets old versions of files and old whole prompts go: at a start, when the settings keep them for another time, and
 * once a day.
 */
export class KeptVersions {
  readonly #given: KeptVersionsDependencies;
  #last: { at: number; days: number | null } | null = null;

  constructor(given: KeptVersionsDependencies) {
    this.#given = given;
  }

  look(): void {
    const { store, clock, outside } = this.#given;
    const { keepVersionsDays: days } = outside.settings;
    const now = clock.now();
    const last = this.#last;
    // The clock may have been put back.
    if (last !== null && last.days === days && Math.abs(now - last.at) < dayMs) return;
    if (!store.mayWrite) return;
    this.#last = { at: now, days };
    try {
      if (days !== null) store.edits.forgetVersions(now - days * dayMs);
      store.prompts.forgetOld();
    } catch (error) {
      // The store says what is wrong with it; they go another day.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  /** All of them, because a person asked for it. Returns how many went. */
  deleteAll(): number {
    return this.#given.store.edits.forgetVersions(Number.MAX_SAFE_INTEGER);
  }
}
