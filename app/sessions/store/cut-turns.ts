import { figure, json, text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** Name under which the cut turns and record of a session are stored. */
export function cutOf(session: string): string {
  return `cut:${session}`;
}

/** Name under which deleted turns keep their costs and requests. */
function goneOf(session: string): string {
  return `gone:${session}`;
}

/** The session that turns belong to, whatever name they are stored under. */
export function sessionOfTurns(name: string): string {
  return name.replace(/^(cut|gone):/, '');
}

/** What a person cut off by going back: kept beside its session until the next message, so that it can come back. */
export class CutTurns {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** How many turns there are; what else was cut off before counts too. */
  count(session: string): number {
    const sql = 'SELECT count(*) AS count FROM turns WHERE session = ?';
    return figure(this.#database.read(() => this.#database.prepare(sql).get(cutOf(session)))?.count) ?? 0;
  }

  /** The id of the earliest of them; null if there is none. */
  first(session: string): string | null {
    const sql = 'SELECT id FROM turns WHERE session = ? ORDER BY number LIMIT 1';
    return text(this.#database.read(() => this.#database.prepare(sql).get(cutOf(session)))?.id);
  }

  /** Cuts from this number on. `SessionRecord.cutFrom` handles the events. */
  add(session: string, number: number): void {
    const sql = 'UPDATE turns SET session = ? WHERE session = ? AND number >= ?';
    this.#database.change(() => this.#database.prepare(sql).run(cutOf(session), session, number));
  }

  /** Puts all of it back where it was. */
  putBack(session: string): void {
    const { change, prepare } = this.#writing;
    change(() => {
      for (const table of ['turns', 'record']) {
        prepare(`UPDATE ${table} SET session = ? WHERE session = ?`).run(session, cutOf(session));
      }
    });
  }

  /** Deletes it for good. Its costs are kept, but nothing that was said. */
  letGo(session: string): void {
    const { change, prepare } = this.#writing;
    change(() => {
      const last = prepare('SELECT max(number) AS number FROM turns WHERE session = ?').get(goneOf(session));
      prepare(
        `UPDATE turns SET session = ?, number = number + ?, prompt = NULL, failure = NULL, last_message = NULL
        WHERE session = ?`,
      ).run(goneOf(session), figure(last?.number) ?? 0, cutOf(session));
      prepare('DELETE FROM record WHERE session = ?').run(cutOf(session));
    });
  }

  /** Nothing is left of it. */
  forget(session: string): void {
    const { change, prepare } = this.#writing;
    change(() => {
      for (const table of ['turns', 'record']) prepare(`DELETE FROM ${table} WHERE session = ?`).run(cutOf(session));
      prepare('DELETE FROM turns WHERE session = ?').run(goneOf(session));
    });
  }

  /** What each of the turns cost that were ever cut off from a session. */
  costs(session: string): unknown[] {
    const sql = 'SELECT cost FROM turns WHERE session IN (?, ?)';
    const rows = this.#database.read(() => this.#database.prepare(sql).all(cutOf(session), goneOf(session)));
    return rows.map(({ cost }) => json(cost));
  }

  get #writing() {
    return {
      change: (work: () => void) => this.#database.change(work),
      prepare: (sql: string) => this.#database.prepare(sql),
    };
  }
}
