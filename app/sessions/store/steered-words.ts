import { json, text } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

/** Words that were said into a running turn, which its agent may not have read. */
interface UnreadWords {
  /** Id of the message, from its sender. */
  id: string;
  sessionId: string;
  turnId: string;
  /** Content blocks of ACP. */
  prompt: unknown;
}

/**
 * Words said into running turns. Each is on disk, whole, before it is said, and stays by its id once it was read: the
 * same id is the same words, also after a restart.
 */
export class SteeredWords {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  add({ id, sessionId, turnId, prompt }: UnreadWords): void {
    const sql = 'INSERT INTO steered (id, session, turn, prompt) VALUES (?, ?, ?, ?)';
    this.#change(sql, id, sessionId, turnId, JSON.stringify(prompt));
  }

  /** The turn that words of this id were said into; null if there are none in this session. */
  turnOf(session: string, id: string): string | null {
    const sql = 'SELECT turn FROM steered WHERE session = ? AND id = ?';
    return text(this.#database.read(() => this.#database.prepare(sql).get(session, id))?.turn);
  }

  /** Steered words of all sessions, in order. */
  unread(): UnreadWords[] {
    const sql = 'SELECT * FROM steered WHERE prompt IS NOT NULL ORDER BY place';
    return this.#database
      .read(() => this.#database.prepare(sql).all())
      .map((row) => ({
        id: text(row.id) ?? '',
        sessionId: text(row.session) ?? '',
        turnId: text(row.turn) ?? '',
        prompt: json(row.prompt),
      }));
  }

  /** The agent has them: they are kept nowhere else. */
  wasRead(id: string): void {
    this.#change('UPDATE steered SET prompt = NULL WHERE id = ?', id);
  }

  /** Removes words that were not said after all. */
  remove(id: string): void {
    this.#change('DELETE FROM steered WHERE id = ?', id);
  }

  #change(sql: string, ...values: string[]): void {
    this.#database.change(() => this.#database.prepare(sql).run(...values));
  }
}
