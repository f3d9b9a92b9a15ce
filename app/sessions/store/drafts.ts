import { json } from './columns.ts';
import type { SessionDatabase } from './session-database.ts';

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
export class Drafts {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /**
   * The window's own, else the latest of the windows that are gone, which is this window's from then on. So there are
   * never more of one session than windows were open at the same time, and what a closed one left is found again.
   */
  find({ key, window, living }: DraftAsked): unknown {
    const database = this.#database;
    const rows = database.read(() =>
      database
        .prepare('SELECT window_id, draft FROM drafts WHERE session = ? ORDER BY written_at DESC, rowid DESC')
        .all(key),
    );
    const own = rows.find(({ window_id }) => window_id === window);
    const left = own ?? rows.find(({ window_id }) => !living.includes(String(window_id)));
    if (left === undefined) return null;
    if (window !== null && own === undefined && database.mayWrite) {
      const sql = 'UPDATE drafts SET window_id = ? WHERE session = ? AND window_id = ?';
      database.change(() => database.prepare(sql).run(window, key, String(left.window_id)));
    }
    return json(left.draft);
  }

  /** Null takes away what this window kept. */
  keep({ key, window, draft }: { key: string; window: string; draft: unknown }): void {
    const database = this.#database;
    database.change(() => {
      if (draft === null) {
        database.prepare('DELETE FROM drafts WHERE session = ? AND window_id = ?').run(key, window);
      } else {
        const sql = 'INSERT OR REPLACE INTO drafts (session, window_id, draft, written_at) VALUES (?, ?, ?, ?)';
        database.prepare(sql).run(key, window, JSON.stringify(draft), database.now());
      }
    });
  }
}
