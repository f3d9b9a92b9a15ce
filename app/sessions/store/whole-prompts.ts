import { json } from './columns.ts';
import { cutTexts } from './cut-texts.ts';
import type { SessionDatabase } from './session-database.ts';

/** Whole prompts are kept so long after they were sent, in days, and so many bytes of them over all sessions. */
const promptDays = 30;
const promptBytes = 64 * 1024 * 1024;

const dayMs = 24 * 60 * 60_000;
/** The newest go on being kept, and the last one always, however large it is. */
const trimSql = `DELETE FROM prompts WHERE turn <> ?1 AND turn IN (
  SELECT turn FROM (SELECT turn, sum(bytes) OVER (ORDER BY kept_at DESC, rowid DESC) AS sum FROM prompts) WHERE sum > ?2
)`;

/**
 * Prompts with images and long texts, which a turn's own row has only in short: turns are read often, and these are
 * needed only where a person takes one of them up again. They go with their turn, and earlier with age and size.
 */
export class WholePrompts {
  readonly #database: SessionDatabase;
  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  /** Returns what the row of the turn has of it. The same turn again changes nothing. */
  keep(turn: string, prompt: unknown): unknown {
    const { event: short, cuts } = cutTexts(prompt);
    if (cuts.length === 0) return prompt;
    const database = this.#database;
    const written = JSON.stringify(prompt);
    database
      .prepare('INSERT INTO prompts (turn, bytes, kept_at, prompt) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(turn, written.length, database.now(), written);
    database.prepare(trimSql).run(turn, promptBytes);
    return short;
  }

  /** Null if the row of the turn has all of it, or it is kept no longer. */
  find(turn: string): unknown {
    const sql = 'SELECT prompt FROM prompts WHERE turn = ?';
    return json(this.#database.read(() => this.#database.prepare(sql).get(turn))?.prompt);
  }

  /** Deletes prompts that are too old. */
  forgetOld(): void {
    const database = this.#database;
    const before = database.now() - promptDays * dayMs;
    database.change(() => database.prepare('DELETE FROM prompts WHERE kept_at < ?').run(before));
  }
}
