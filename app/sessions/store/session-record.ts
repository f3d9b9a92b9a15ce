import type { Log } from '../../ports.ts';
import { figure, json, type Row, text } from './columns.ts';
import { type Cut, cutTexts, longestText } from './cut-texts.ts';
import type { SessionDatabase } from './session-database.ts';

export interface NewEntry {
  sessionId: string;
  turnId: string | null;
  /** What sort of event it is, as its owner names it. */
  kind: string;
  event: unknown;
}

/** One event of a session, as it was told to every front. */
export interface RecordEntry extends NewEntry {
  /** Counts up over all sessions and is never given twice: the cursor of a front. */
  seq: number;
  /** ms since the epoch. */
  at: number;
  /** Texts of the event that were too long to keep; null: it is whole. */
  cuts: Cut[] | null;
}

export interface RecordPage {
  entries: RecordEntry[];
  /** The cursor to go on from. */
  last: number;
  /** There are more behind `last`. */
  more: boolean;
  /** Some that came after the asked cursor are kept no longer, or it is of another record: read anew. */
  gap: boolean;
}

export interface RecordLimits {
  /** Of one session; the oldest turns give way. */
  entries: number;
  bytes: number;
  text: number;
}

/** What a turn has had to give up of itself. */
export interface CutTurn {
  turnId: string;
  entries: number;
  bytes: number;
}

const recordLimits: RecordLimits = { entries: 20_000, bytes: 64 * 1024 * 1024, text: longestText };
/** While writing fails, so many wait; then the oldest give way, and fronts are told of a gap. */
const waitingLimit = 5_000;
const pageEntries = 2_000;
/** A session is over its limits by no more than this part of them, while a turn runs. */
const slack = 8;

const insertSql =
  'INSERT INTO record (seq, session, turn, at, kind, bytes, event, cut) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const lastSql = `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'record'), 0),
    coalesce((SELECT max(forgotten) FROM record_ends), 0)) AS seq`;
/** So many numbers are taken at once, on disk before the first of them is given. */
const reservedAtOnce = 1_000;
const hasReservedSql = `SELECT seq FROM sqlite_sequence WHERE name = 'record'`;
const forgetSql = `INSERT INTO record_ends (session, forgotten) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET forgotten = max(forgotten, ?2)`;

/**
 * What happened in every session, in order. An entry has its number at once and is written behind: all of one turn of
 * the event loop in one transaction. `flush` waits for none: what has to be on disk before it is told is there when it
 * returns.
 */
export class SessionRecord {
  readonly #database: SessionDatabase;
  readonly #log: Log;
  readonly #limits: RecordLimits;
  #waiting: RecordEntry[] = [];
  /** By session, what was written since it was last held to its limits. */
  readonly #grown = new Map<string, { entries: number; bytes: number }>();
  #last: number;
  /** Numbers up to here are on disk as given, so that no process after this one gives them again. */
  #reserved = 0;
  #scheduled = false;

  constructor(database: SessionDatabase, log: Log, limits: Partial<RecordLimits> = {}) {
    this.#database = database;
    this.#log = log;
    this.#limits = { ...recordLimits, ...limits };
    this.#last = this.#lastWritten();
  }

  /** The file was opened anew. */
  renewed(): void {
    this.#reserved = 0;
    this.#last = Math.max(this.#last, this.#lastWritten());
  }

  #lastWritten(): number {
    return figure(this.#database.read(() => this.#database.prepare(lastSql).get())?.seq) ?? 0;
  }

  /** The number of the last entry of any session. */
  get last(): number {
    // The process that owns the file goes on writing.
    return this.#database.mayWrite ? this.#last : Math.max(this.#last, this.#lastWritten());
  }

  /** A killed process may have told entries that it had not written: their numbers are not given to others. */
  #reserve(): void {
    if (!this.#database.mayWrite) return;
    const upTo = this.#last + reservedAtOnce;
    try {
      this.#writeReserved(upTo);
      this.#reserved = upTo;
    } catch {
      // Said by the database. Until it can be written, `gap` tells a front whose cursor is beyond the last entry.
    }
  }

  #writeReserved(upTo: number): void {
    const database = this.#database;
    database.change(() => {
      const isThere = database.prepare(hasReservedSql).get() !== undefined;
      const sql = isThere
        ? `UPDATE sqlite_sequence SET seq = ? WHERE name = 'record'`
        : `INSERT INTO sqlite_sequence (seq, name) VALUES (?, 'record')`;
      database.prepare(sql).run(upTo);
    });
  }

  /** Numbers an event and has it written soon. Returns it as it is kept: fronts are told the same. */
  append(entry: NewEntry): RecordEntry {
    const { event, cuts } = cutTexts(entry.event, this.#limits.text);
    if (this.#last >= this.#reserved) this.#reserve();
    this.#last += 1;
    const kept = { ...entry, event, seq: this.#last, at: this.#database.now(), cuts: cuts.length === 0 ? null : cuts };
    this.#waiting.push(kept);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#flushQuietly();
      });
    }
    return kept;
  }

  /** Has what waits on disk when it returns; else throws `SessionStoreError`, and it waits on. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#database.change(() => {
      const insert = this.#database.prepare(insertSql);
      for (const { seq, sessionId, turnId, at, kind, event, cuts } of waiting) {
        const written = JSON.stringify(event) ?? 'null';
        insert.run(seq, sessionId, turnId, at, kind, written.length, written, cuts && JSON.stringify(cuts));
        this.#grow(sessionId, written.length);
      }
    });
    this.#waiting = [];
  }

  #grow(session: string, bytes: number): void {
    const grown = this.#grown.get(session) ?? { entries: 0, bytes: 0 };
    this.#grown.set(session, { entries: grown.entries + 1, bytes: grown.bytes + bytes });
  }

  /** So much was written of a session since it was last held to its limits that it is time to do so. */
  hasGrown(session: string): boolean {
    const grown = this.#grown.get(session);
    const { entries, bytes } = this.#limits;
    return grown !== undefined && (grown.entries > entries / slack || grown.bytes > bytes / slack);
  }

  /** Has all on disk, and gives numbers back that were taken and not given. */
  close(): void {
    this.flush();
    if (this.#reserved > this.#last) this.#writeReserved(this.#last);
    this.#reserved = 0;
  }

  /** A front in the same process is told at once; only one that comes back later would miss them. */
  #flushQuietly(): void {
    try {
      this.flush();
    } catch {
      const over = this.#waiting.length - waitingLimit;
      if (over > 0) this.#waiting.splice(0, over);
    }
  }

  /** Entries after a cursor, of one session or of all; 0: from the beginning. */
  read(after: number, { session, limit = pageEntries }: { session?: string; limit?: number } = {}): RecordPage {
    this.#flushQuietly();
    const rows = this.#database.read(() => this.#rows(after, limit + 1, session));
    const entries = rows.slice(0, limit).map(toEntry);
    const more = rows.length > limit;
    const last = entries.at(-1)?.seq ?? this.last;
    // Beyond the last one: a cursor of a record that is gone.
    const isBeyond = entries.length === 0 && after > last;
    return { entries, last, more, gap: isBeyond || (after > 0 && after < this.#forgotten(session)) };
  }

  /**
   * The last entries of a session before a number, in their order; null: up to now. `more`: there are older ones;
   * `gap`: some that were older are kept no longer.
   */
  readLast(session: string, before: number | null, limit = pageEntries): RecordPage {
    this.#flushQuietly();
    const { last } = this;
    const sql = 'SELECT * FROM record WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?';
    const rows = this.#database.read(() => this.#prepared.prepare(sql).all(session, before ?? last + 1, limit + 1));
    const entries = rows.slice(0, limit).map(toEntry).reverse();
    return { entries, last, more: rows.length > limit, gap: this.#forgotten(session) > 0 };
  }

  #rows(after: number, limit: number, session: string | undefined): Row[] {
    const { prepare } = this.#prepared;
    return session === undefined
      ? prepare('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?').all(after, limit)
      : prepare('SELECT * FROM record WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?').all(session, after, limit);
  }

  get #prepared() {
    return { prepare: (sql: string) => this.#database.prepare(sql) };
  }

  /** All of one turn, up to a limit. */
  turn(session: string, turn: string, limit = pageEntries): RecordEntry[] {
    this.#flushQuietly();
    const sql = 'SELECT * FROM record WHERE session = ? AND turn = ? ORDER BY seq LIMIT ?';
    return this.#database.read(() => this.#database.prepare(sql).all(session, turn, limit)).map(toEntry);
  }

  /** What of some kinds happened in a turn. */
  ofKinds(session: string, turn: string, kinds: readonly string[]): RecordEntry[] {
    this.#flushQuietly();
    const sql = `SELECT * FROM record WHERE session = ? AND turn = ?
      AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`;
    const rows = this.#database.read(() =>
      this.#database.prepare(sql).all(session, turn, JSON.stringify(kinds), pageEntries),
    );
    return rows.map(toEntry);
  }

  /** The number of the last entry that was forgotten. */
  #forgotten(session: string | undefined): number {
    const { prepare } = this.#prepared;
    const row = this.#database.read(() =>
      session === undefined
        ? prepare('SELECT max(forgotten) AS forgotten FROM record_ends').get()
        : prepare('SELECT forgotten FROM record_ends WHERE session = ?').get(session),
    );
    return figure(row?.forgotten) ?? 0;
  }

  /** Holds a session to its limits: the oldest turns go, but never the last one. Returns how many entries went. */
  trim(session: string): number {
    this.flush();
    this.#grown.delete(session);
    const database = this.#database;
    const { entries: most, bytes: mostBytes } = this.#limits;
    if (!this.#isOver(session)) return 0;
    const sql = 'SELECT seq, bytes FROM record WHERE session = ? ORDER BY seq DESC LIMIT ?';
    let entries = 0;
    let bytes = 0;
    let from = 0;
    for (const row of database.read(() => database.prepare(sql).all(session, most + 1))) {
      entries += 1;
      bytes += figure(row.bytes) ?? 0;
      if (entries > most || bytes > mostBytes) {
        from = figure(row.seq) ?? 0;
        break;
      }
    }
    if (from === 0) return 0;
    return database.change(() => {
      // The whole of the turn that the limit cuts goes, unless it is the last one.
      const turn = `SELECT turn FROM record WHERE seq = ?2`;
      const last = 'SELECT turn FROM record WHERE session = ?1 AND turn IS NOT NULL ORDER BY seq DESC LIMIT 1';
      const upTo = database
        .prepare(
          `SELECT max(seq) AS seq FROM record WHERE session = ?1
          AND (seq <= ?2 OR turn = (${turn})) AND (turn IS NULL OR turn IS NOT (${last}))`,
        )
        .get(session, from)?.seq;
      if (typeof upTo !== 'number') return 0;
      return this.#forget(session, upTo);
    });
  }

  #isOver(session: string): boolean {
    const sql = 'SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM record WHERE session = ?';
    const held = this.#database.read(() => this.#database.prepare(sql).get(session));
    return (figure(held?.entries) ?? 0) > this.#limits.entries || (figure(held?.bytes) ?? 0) > this.#limits.bytes;
  }

  /**
   * The same of a session whose last turn alone is over its limits: the oldest entries of that go too, and a quarter
   * more than must. Returns what went of the turn; null: nothing.
   */
  trimTurn(session: string): CutTurn | null {
    this.trim(session);
    if (!this.#isOver(session)) return null;
    const database = this.#database;
    const { entries: most, bytes: mostBytes } = this.#limits;
    const sql = 'SELECT seq, bytes, turn FROM record WHERE session = ? ORDER BY seq DESC';
    const sums = { entries: 0, bytes: 0 };
    let upTo = 0;
    let turnId: string | null = null;
    const gone = { entries: 0, bytes: 0 };
    for (const row of database.read(() => database.prepare(sql).all(session))) {
      const bytes = figure(row.bytes) ?? 0;
      turnId ??= text(row.turn);
      sums.entries += 1;
      sums.bytes += bytes;
      if (sums.entries <= most * 0.75 && sums.bytes <= mostBytes * 0.75) continue;
      if (upTo === 0) upTo = figure(row.seq) ?? 0;
      if (text(row.turn) !== turnId) continue;
      gone.entries += 1;
      gone.bytes += bytes;
    }
    database.change(() => this.#forget(session, upTo));
    return turnId === null ? null : { turnId, ...gone };
  }

  #forget(session: string, upTo: number): number {
    const deleted = this.#database.prepare('DELETE FROM record WHERE session = ? AND seq <= ?').run(session, upTo);
    this.#database.prepare(forgetSql).run(session, upTo);
    if (Number(deleted.changes) > 0) this.#log.write('debug', 'session-record-trimmed', { session });
    return Number(deleted.changes);
  }

  /** Takes out a turn and all that came after it: a person went back. */
  forgetFrom(session: string, turn: string): void {
    this.flush();
    const database = this.#database;
    database.change(() => {
      const first = 'SELECT min(seq) AS seq FROM record WHERE session = ? AND turn = ?';
      const seq = database.prepare(first).get(session, turn)?.seq;
      if (typeof seq !== 'number') return;
      database.prepare('DELETE FROM record WHERE session = ? AND seq >= ?').run(session, seq);
      database.prepare(forgetSql).run(session, this.#last);
    });
  }
}

function toEntry(row: Row): RecordEntry {
  const cuts = json(row.cut);
  return {
    seq: figure(row.seq) ?? 0,
    sessionId: text(row.session) ?? '',
    turnId: text(row.turn),
    at: figure(row.at) ?? 0,
    kind: text(row.kind) ?? '',
    event: json(row.event),
    cuts: Array.isArray(cuts) ? cuts.filter(isCut) : null,
  };
}

function isCut(value: unknown): value is Cut {
  return typeof value === 'object' && value !== null && 'at' in value && 'length' in value && 'kept' in value;
}
