import type { Log } from '../../ports.ts';
import { figure, type SessionDatabase, text } from './session-database.ts';
import { cutOf } from './turn-rows.ts';

export interface RecordLimits {
  /** Entries of one session; the oldest turns are dropped first. */
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

/** A session is over its limits by no more than this part of them, while a turn runs. */
const slack = 8;

const forgetSql = `INSERT INTO record_ends (session, forgotten) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET forgotten = max(forgotten, ?2)`;

/** Holds the record of each session to its limits. Entries that wait are written before it is asked to. */
export class RecordTrimming {
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
