import { figure, json, type Row, Table, text } from './session-database.ts';

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
export class MessageQueue extends Table {
  of(session: string): QueuedMessage[] {
    const sql = 'SELECT * FROM queue WHERE session = ? ORDER BY place';
    return this.database.all(sql, session).map(toMessage);
  }

  /** Adds at the end, or in front of all others. Adding the same id again changes nothing. */
  add(message: { id: string; sessionId: string; prompt: unknown }, at: 'end' | 'front' = 'end'): QueuedMessage[] {
    const database = this.database;
    const { id, sessionId, prompt } = message;
    return database.change(() => {
      const edge = at === 'end' ? 'coalesce(max(place), 0) + 1' : 'coalesce(min(place), 0) - 1';
      database.run(
        `INSERT INTO queue (id, session, place, prompt, queued_at)
          VALUES (?1, ?2, (SELECT ${edge} FROM queue WHERE session = ?2), ?3, ?4) ON CONFLICT DO NOTHING`,
        id,
        sessionId,
        JSON.stringify(prompt),
        database.now(),
      );
      return this.of(sessionId);
    });
  }

  /** False: it is not there any more. */
  edit(id: string, prompt: unknown): boolean {
    const sql = 'UPDATE queue SET prompt = ? WHERE id = ?';
    return this.database.run(sql, JSON.stringify(prompt), id) === 1;
  }

  /** Puts the named ones first, in this order. */
  order(session: string, ids: readonly string[]): void {
    this.database.change(() => {
      const rest = this.of(session).filter(({ id }) => !ids.includes(id));
      for (const [place, id] of [...ids, ...rest.map(({ id }) => id)].entries()) {
        this.database.run('UPDATE queue SET place = ? WHERE id = ? AND session = ?', place, id, session);
      }
    });
  }

  /** False: it is not there any more. */
  remove(id: string): boolean {
    return this.database.run('DELETE FROM queue WHERE id = ?', id) === 1;
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
export class SteeredWords extends Table {
  add({ id, sessionId, turnId, prompt }: UnreadWords): void {
    const sql = 'INSERT INTO steered (id, session, turn, prompt) VALUES (?, ?, ?, ?)';
    this.database.run(sql, id, sessionId, turnId, JSON.stringify(prompt));
  }

  /** The turn that words of this id were said into; null if there are none in this session. */
  turnOf(session: string, id: string): string | null {
    const sql = 'SELECT turn FROM steered WHERE session = ? AND id = ?';
    return text(this.database.first(sql, session, id)?.turn);
  }

  /** Steered words of all sessions, in order. */
  unread(): UnreadWords[] {
    const sql = 'SELECT * FROM steered WHERE prompt IS NOT NULL ORDER BY place';
    return this.database.all(sql).map((row) => ({
      id: text(row.id) ?? '',
      sessionId: text(row.session) ?? '',
      turnId: text(row.turn) ?? '',
      prompt: json(row.prompt),
    }));
  }

  /** The agent has them: they are kept nowhere else. */
  wasRead(id: string): void {
    this.database.run('UPDATE steered SET prompt = NULL WHERE id = ?', id);
  }

  /** Removes words that were not said after all. */
  remove(id: string): void {
    this.database.run('DELETE FROM steered WHERE id = ?', id);
  }
}

/** A draft, and the window that asks for it. */
interface DraftAsked {
  /** A session, or a folder in which one is to begin. */
  key: string;
  /** Null if it is only looked at. */
  window: string | null;
  /** Other open windows: their drafts are left alone. */
  living: readonly string[];
}

/** What a person was writing in a window, with its attachments, as the front gave it. */
export class Drafts extends Table {
  /**
   * The window's own, else the latest of the windows that are gone, which is this window's from then on. So there are
   * never more of one session than windows were open at the same time, and what a closed one left is found again.
   */
  find({ key, window, living }: DraftAsked): unknown {
    const database = this.database;
    const rows = database.all(
      'SELECT window_id, draft FROM drafts WHERE session = ? ORDER BY written_at DESC, rowid DESC',
      key,
    );
    const own = rows.find(({ window_id }) => window_id === window);
    const left = own ?? rows.find(({ window_id }) => !living.includes(String(window_id)));
    if (left === undefined) return null;
    if (window !== null && own === undefined && database.mayWrite) {
      const sql = 'UPDATE drafts SET window_id = ? WHERE session = ? AND window_id = ?';
      database.run(sql, window, key, String(left.window_id));
    }
    return json(left.draft);
  }

  /** Null takes away what this window kept. */
  keep({ key, window, draft }: { key: string; window: string; draft: unknown }): void {
    const database = this.database;
    database.change(() => {
      if (draft === null) {
        database.run('DELETE FROM drafts WHERE session = ? AND window_id = ?', key, window);
      } else {
        const sql = 'INSERT OR REPLACE INTO drafts (session, window_id, draft, written_at) VALUES (?, ?, ?, ?)';
        database.run(sql, key, window, JSON.stringify(draft), database.now());
      }
    });
  }
}
