import { figure, json, type Row, text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** A message that waits for its turn. */
interface QueuedMessage {
  /** The uuid that it is sent with, and the id of its turn. */
  id: string;
  sessionId: string;
  /** Content blocks of ACP. */
  prompt: unknown;
  queuedAt: number;
}

/** Messages by session, in the order in which they are sent. Each is on disk before a front learns of it. */
export class MessageQueue {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  of(session: string): QueuedMessage[] {
    const sql = 'SELECT * FROM queue WHERE session = ? ORDER BY place';
    return this.#database.read(() => this.#database.prepare(sql).all(session)).map(toMessage);
  }

  /** Adds at the end, or in front of all others. Adding the same id again changes nothing. */
  add(message: { id: string; sessionId: string; prompt: unknown }, at: 'end' | 'front' = 'end'): QueuedMessage[] {
    const database = this.#database;
    const { id, sessionId, prompt } = message;
    return database.change(() => {
      const edge = at === 'end' ? 'coalesce(max(place), 0) + 1' : 'coalesce(min(place), 0) - 1';
      database
        .prepare(
          `INSERT INTO queue (id, session, place, prompt, queued_at)
          VALUES (?1, ?2, (SELECT ${edge} FROM queue WHERE session = ?2), ?3, ?4) ON CONFLICT DO NOTHING`,
        )
        .run(id, sessionId, JSON.stringify(prompt), database.now());
      return this.of(sessionId);
    });
  }

  /** False: it is not there any more. */
  edit(id: string, prompt: unknown): boolean {
    const database = this.#database;
    const sql = 'UPDATE queue SET prompt = ? WHERE id = ?';
    return database.change(() => database.prepare(sql).run(JSON.stringify(prompt), id).changes === 1);
  }

  /** Puts the named ones first, in this order. */
  order(session: string, ids: readonly string[]): void {
    const database = this.#database;
    database.change(() => {
      const rest = this.of(session).filter(({ id }) => !ids.includes(id));
      for (const [place, id] of [...ids, ...rest.map(({ id }) => id)].entries()) {
        database.prepare('UPDATE queue SET place = ? WHERE id = ? AND session = ?').run(place, id, session);
      }
    });
  }

  /** False: it is not there any more. */
  remove(id: string): boolean {
    const database = this.#database;
    return database.change(() => database.prepare('DELETE FROM queue WHERE id = ?').run(id).changes === 1);
  }
}

function toMessage(row: Row): QueuedMessage {
  return {
    id: text(row.id) ?? '',
    sessionId: text(row.session) ?? '',
    prompt: json(row.prompt),
    queuedAt: figure(row.queued_at) ?? 0,
  };
}
