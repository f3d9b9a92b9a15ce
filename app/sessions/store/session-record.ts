import { z } from 'zod';
import type { AppEvent } from '../../api/events.ts';
import type { eventKinds } from '../../api/sessions.ts';
import type { Log } from '../../ports.ts';
import { type Cut, cutTexts, longestText } from './cut-texts.ts';
import { figure, json, type Row, type SessionDatabase, SessionStoreError, text } from './session-database.ts';
import { cutOf } from './turn-rows.ts';

interface NewEntry {
  sessionId: string;
  turnId: string | null;
  /** What sort of event it is, as its owner names it. */
  kind: string;
  event: unknown;
}

/** One event of a session, in the form that every front gets. */
export interface RecordEntry extends NewEntry {
  /** Counts up over all sessions and is never given twice: the cursor of a front. */
  seq: number;
  /** ms since the epoch. */
  at: number;
  /** Texts of the event that were too long to keep; null if it is whole. */
  cuts: Cut[] | null;
}

interface RecordPage {
  entries: RecordEntry[];
  /** The cursor to go on from. */
  last: number;
  /** There are more behind `last`. */
  more: boolean;
  /** Events after the cursor were dropped, or it belongs to another record: read everything again. */
  gap: boolean;
}

/** What a turn has had to give up of itself. */
interface CutTurn {
  turnId: string;
  entries: number;
  bytes: number;
}

export interface RecordLimits {
  /** Entries of one session; the oldest turns are dropped first. */
  entries: number;
  bytes: number;
  text: number;
}

const recordLimits: RecordLimits = { entries: 20_000, bytes: 64 * 1024 * 1024, text: longestText };
/** Events that wait while writing fails; then the oldest are dropped, and fronts learn of a gap. */
const waitingLimit = 5_000;
const pageEntries = 2_000;
const insertSql =
  'INSERT INTO record (seq, session, turn, at, kind, bytes, event, cut) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const ofOneSql = 'SELECT * FROM record WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?';
/** What was cut off from a session belongs to none. */
const ofAllSql = `SELECT * FROM record WHERE seq > ? AND session NOT LIKE '${cutOf('%')}' ORDER BY seq LIMIT ?`;

/**
 * What happened in every session, in order. An entry has its number at once and is written behind: all of one turn of
 * the event loop in one transaction. `flush` waits for none: what has to be on disk before it is told is there when it
 * returns.
 */
export class SessionRecord {
  readonly #database: SessionDatabase;
  readonly #limits: RecordLimits;
  readonly #numbers: RecordNumbers;
  readonly #trimming: RecordTrimming;
  #waiting: RecordEntry[] = [];
  #scheduled = false;

  constructor(database: SessionDatabase, log: Log, limits: Partial<RecordLimits> = {}) {
    this.#database = database;
    this.#limits = { ...recordLimits, ...limits };
    this.#numbers = new RecordNumbers(database);
    this.#trimming = new RecordTrimming(database, log, this.#limits);
  }

  /** The file was opened anew. */
  renewed(): void {
    this.#numbers.renewed();
  }

  /** The number of the last entry of any session. */
  get last(): number {
    return this.#numbers.last;
  }

  /** Numbers an event and writes it soon. Returns the stored form, which fronts get too. */
  append(entry: NewEntry): RecordEntry {
    const { event, cuts } = cutTexts(entry.event, this.#limits.text);
    const seq = this.#numbers.next();
    const kept = { ...entry, event, seq, at: this.#database.now(), cuts: cuts.length === 0 ? null : cuts };
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
        this.#trimming.grow(sessionId, written.length);
      }
    });
    this.#waiting = [];
  }

  /** True if enough was written since the session was last held to its limits. */
  hasGrown(session: string): boolean {
    return this.#trimming.hasGrown(session);
  }

  /** Has all on disk, and gives numbers back that were taken and not given. */
  close(): void {
    this.flush();
    this.#numbers.close();
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
    const rows =
      session === undefined
        ? this.#database.all(ofAllSql, after, limit + 1)
        : this.#database.all(ofOneSql, session, after, limit + 1);
    const entries = rows.slice(0, limit).map(toEntry);
    const more = rows.length > limit;
    const last = entries.at(-1)?.seq ?? this.last;
    // Beyond the last one: a cursor of a record that is gone.
    const isBeyond = entries.length === 0 && after > last;
    return { entries, last, more, gap: isBeyond || (after > 0 && after < this.#trimming.forgotten(session)) };
  }

  /**
   * The last entries of a session before a number, in their order; null for up to now. `more`: there are older ones;
   * `gap`: some that were older are kept no longer.
   */
  readLast(session: string, before: number | null, limit = pageEntries): RecordPage {
    this.#flushQuietly();
    const { last } = this;
    const sql = 'SELECT * FROM record WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?';
    const rows = this.#database.all(sql, session, before ?? last + 1, limit + 1);
    const entries = rows.slice(0, limit).map(toEntry).reverse();
    return { entries, last, more: rows.length > limit, gap: this.#trimming.forgotten(session) > 0 };
  }

  /** All of one turn, up to a limit. */
  turn(session: string, turn: string, limit = pageEntries): RecordEntry[] {
    this.#flushQuietly();
    const sql = 'SELECT * FROM record WHERE session = ? AND turn = ? ORDER BY seq LIMIT ?';
    return this.#database.all(sql, session, turn, limit).map(toEntry);
  }

  /** How questions about tool calls of a session were answered, as far as that is kept. */
  answers(session: string): { toolCallId: string; by: string; answer: unknown; rule: string | null }[] {
    this.#flushQuietly();
    const sql = `SELECT * FROM record WHERE session = ? AND kind IN ('question', 'answered') ORDER BY seq`;
    const rows = this.#database.all(sql, session).map(toEntry);
    const asked = new Map<string, string>();
    return rows.flatMap(({ kind, event }) => {
      const { id, request, toolCallId: named, by, answer = null, rule } = eventSchema.parse(event);
      if (kind === 'question' && id != null && request?.toolCall !== undefined) {
        asked.set(id, request.toolCall.toolCallId);
      }
      const toolCallId = named ?? asked.get(id ?? '');
      if (kind !== 'answered' || toolCallId === undefined || by === undefined) return [];
      return [{ toolCallId, by, answer, rule: rule ?? null }];
    });
  }

  /** Holds a session to its limits. Returns what of its last turn had to go; null if nothing. */
  trim(session: string): CutTurn | null {
    this.flush();
    return this.#trimming.trim(session);
  }

  /** Takes out a turn and all that came after it: a person went back. */
  cutFrom(session: string, turn: string): void {
    this.flush();
    this.#trimming.cutFrom(session, turn, this.#numbers.last);
  }
}

/** A question, or what was answered; other shapes have none of these. */
const eventSchema = z
  .looseObject({
    id: z.string().nullish(),
    request: z.looseObject({ toolCall: z.looseObject({ toolCallId: z.string() }).optional() }).optional(),
    toolCallId: z.string().optional(),
    by: z.string().optional(),
    answer: z.unknown().optional(),
    rule: z.string().nullish(),
  })
  .catch({});

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

const lastSql = `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'record'), 0),
    coalesce((SELECT max(forgotten) FROM record_ends), 0)) AS seq`;
/** Numbers reserved at once, on disk before the first of them is used. */
const reservedAtOnce = 1_000;
const hasReservedSql = `SELECT seq FROM sqlite_sequence WHERE name = 'record'`;

/** The numbers of the record's entries: each is given once, over all sessions and processes. */
class RecordNumbers {
  readonly #database: SessionDatabase;
  #last: number;
  /** Numbers up to here are on disk as given, so that no process after this one gives them again. */
  #reserved = 0;

  constructor(database: SessionDatabase) {
    this.#database = database;
    this.#last = this.#lastWritten();
  }

  /** The file was opened anew. */
  renewed(): void {
    this.#reserved = 0;
    this.#last = Math.max(this.#last, this.#lastWritten());
  }

  /** The last one that was given. */
  get last(): number {
    // The process that owns the file goes on writing.
    return this.#database.mayWrite ? this.#last : Math.max(this.#last, this.#lastWritten());
  }

  next(): number {
    if (this.#last >= this.#reserved) this.#reserve();
    this.#last += 1;
    return this.#last;
  }

  /** Gives those back that were taken and not given. */
  close(): void {
    if (this.#reserved > this.#last) this.#writeReserved(this.#last);
    this.#reserved = 0;
  }

  #lastWritten(): number {
    return figure(this.#database.first(lastSql)?.seq) ?? 0;
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
      database.run(sql, upTo);
    });
  }
}

/** A session is over its limits by no more than this part of them, while a turn runs. */
const slack = 8;

const forgetSql = `INSERT INTO record_ends (session, forgotten) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET forgotten = max(forgotten, ?2)`;

/** Holds the record of each session to its limits. Entries that wait are written before it is asked to. */
class RecordTrimming {
  readonly #database: SessionDatabase;
  readonly #log: Log;
  readonly #limits: RecordLimits;
  /** What was written since the last check of the limits, by session. */
  readonly #grown = new Map<string, { entries: number; bytes: number }>();

  constructor(database: SessionDatabase, log: Log, limits: RecordLimits) {
    this.#database = database;
    this.#log = log;
    this.#limits = limits;
  }

  /** An entry of so many bytes was written. */
  grow(session: string, bytes: number): void {
    const grown = this.#grown.get(session) ?? { entries: 0, bytes: 0 };
    this.#grown.set(session, { entries: grown.entries + 1, bytes: grown.bytes + bytes });
  }

  /** True if enough was written since the session was last held to its limits. */
  hasGrown(session: string): boolean {
    const grown = this.#grown.get(session);
    const { entries, bytes } = this.#limits;
    return grown !== undefined && (grown.entries > entries / slack || grown.bytes > bytes / slack);
  }

  /** The number of the last entry that was forgotten. */
  forgotten(session: string | undefined): number {
    const row =
      session === undefined
        ? this.#database.first('SELECT max(forgotten) AS forgotten FROM record_ends')
        : this.#database.first('SELECT forgotten FROM record_ends WHERE session = ?', session);
    return figure(row?.forgotten) ?? 0;
  }

  /** The oldest turns go, but never the last one. */
  #trimTurns(session: string): void {
    const database = this.#database;
    const { entries: most, bytes: mostBytes } = this.#limits;
    const sql = 'SELECT seq, bytes FROM record WHERE session = ? ORDER BY seq DESC LIMIT ?';
    let entries = 0;
    let bytes = 0;
    let from = 0;
    for (const row of database.all(sql, session, most + 1)) {
      entries += 1;
      bytes += figure(row.bytes) ?? 0;
      if (entries > most || bytes > mostBytes) {
        from = figure(row.seq) ?? 0;
        break;
      }
    }
    if (from === 0) return;
    database.change(() => {
      // The whole of the turn that the limit cuts goes, unless it is the last one.
      const turn = `SELECT turn FROM record WHERE seq = ?2`;
      const last = 'SELECT turn FROM record WHERE session = ?1 AND turn IS NOT NULL ORDER BY seq DESC LIMIT 1';
      const upTo = database
        .prepare(
          `SELECT max(seq) AS seq FROM record WHERE session = ?1
          AND (seq <= ?2 OR turn = (${turn})) AND (turn IS NULL OR turn IS NOT (${last}))`,
        )
        .get(session, from)?.seq;
      if (typeof upTo === 'number') this.#forget(session, upTo);
    });
  }

  #isOver(session: string): boolean {
    const sql = 'SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM record WHERE session = ?';
    const held = this.#database.first(sql, session);
    return (figure(held?.entries) ?? 0) > this.#limits.entries || (figure(held?.bytes) ?? 0) > this.#limits.bytes;
  }

  /**
   * Holds a session to its limits: the oldest turns go; where the last one alone is over them, its oldest entries too,
   * and a quarter more than must. Returns what went of the last turn; null if nothing.
   */
  trim(session: string): CutTurn | null {
    this.#grown.delete(session);
    if (!this.#isOver(session)) return null;
    this.#trimTurns(session);
    if (!this.#isOver(session)) return null;
    const { entries: most, bytes: mostBytes } = this.#limits;
    const sql = 'SELECT seq, bytes, turn FROM record WHERE session = ? ORDER BY seq DESC';
    const sums = { entries: 0, bytes: 0 };
    let upTo = 0;
    let turnId: string | null = null;
    const gone = { entries: 0, bytes: 0 };
    for (const row of this.#database.all(sql, session)) {
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
    this.#database.change(() => this.#forget(session, upTo));
    return turnId === null ? null : { turnId, ...gone };
  }

  #forget(session: string, upTo: number): void {
    const deleted = this.#database.run('DELETE FROM record WHERE session = ? AND seq <= ?', session, upTo);
    this.#database.run(forgetSql, session, upTo);
    if (deleted > 0) this.#log.write('debug', 'session-record-trimmed', { session });
  }

  /** Puts a turn and all that came after it, up to the last entry of all, aside; `CutTurns` has them. */
  cutFrom(session: string, turn: string, last: number): void {
    const database = this.#database;
    database.change(() => {
      const first = 'SELECT min(seq) AS seq FROM record WHERE session = ? AND turn = ?';
      const seq = database.prepare(first).get(session, turn)?.seq;
      if (typeof seq !== 'number') return;
      const cut = 'UPDATE record SET session = ? WHERE session = ? AND seq >= ?';
      database.run(cut, cutOf(session), session, seq);
      database.run(forgetSql, session, last);
    });
  }
}

type EventKind = (typeof eventKinds)[number];

interface RecorderDependencies {
  store: { readonly record: SessionRecord };
  tell(event: AppEvent): void;
}

/** Records what happens in one session, and reports it to the fronts. */
export class Recorder {
  readonly #sessionId: string;
  readonly #dependencies: RecorderDependencies;
  /** What the turn under way has had to give up, so far. */
  #cut: CutTurn | null = null;

  constructor(sessionId: string, dependencies: RecorderDependencies) {
    this.#sessionId = sessionId;
    this.#dependencies = dependencies;
  }

  /** Told at once and written within the turn of the event loop. */
  add(kind: EventKind, event: unknown, turnId: string | null): void {
    this.#tell(this.#append(kind, event, turnId), kind);
    if (this.#dependencies.store.record.hasGrown(this.#sessionId)) this.trim();
  }

  /** Writes to disk, then reports. Throws `SessionStoreError` if that fails, and reports nothing. */
  addNow(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    this.#dependencies.store.record.flush();
    this.#tell(entry, kind);
  }

  /** Like `addNow`, but always reported: a turn that ended has ended, whether that can be written or not. */
  addEnd(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    try {
      this.#dependencies.store.record.flush();
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
    }
    this.#tell(entry, kind);
  }

  /** Holds the record of the session to its limits, and says what a turn gave up of itself. */
  trim(): void {
    try {
      const cut = this.#dependencies.store.record.trim(this.#sessionId);
      if (cut === null) return;
      const { turnId } = cut;
      const before = this.#cut?.turnId === turnId ? this.#cut : { entries: 0, bytes: 0 };
      const sum = { entries: before.entries + cut.entries, bytes: before.bytes + cut.bytes };
      this.#cut = { turnId, ...sum };
      this.add('note', { code: 'turn-cut', ...sum }, turnId);
    } catch (error) {
      // The next turn tries it again.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  #append(kind: EventKind, event: unknown, turnId: string | null) {
    return this.#dependencies.store.record.append({ sessionId: this.#sessionId, turnId, kind, event });
  }

  #tell(entry: RecordEntry, kind: EventKind): void {
    this.#dependencies.tell({ event: 'session-event', entry: { ...entry, kind } });
  }
}
