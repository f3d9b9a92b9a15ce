import { figure, json, type Row, Table, text, texts } from './session-database.ts';

const states = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const;

/** A question beside a conversation, as it is kept. */
export interface SideQuestionRow {
  id: string;
  sessionId: string;
  /** Null once it was closed: its words are gone, and its cost stays. */
  question: string | null;
  answer: string | null;
  state: (typeof states)[number];
  problem: unknown;
  askedAt: number;
  endedAt: number | null;
  /** Its rows of the log. */
  requestIds: string[];
  cost: unknown;
}

type End = Pick<SideQuestionRow, 'state' | 'answer' | 'problem'>;

/** Questions beside conversations. Each is on disk before it is asked. */
export class SideQuestionRows extends Table {
  add({ id, sessionId, question }: Pick<SideQuestionRow, 'id' | 'sessionId'> & { question: string }): void {
    const sql = `INSERT INTO side_questions (id, session, question, state, asked_at, requests)
      VALUES (?, ?, ?, 'running', ?, '[]')`;
    this.database.run(sql, id, sessionId, question, this.database.now());
  }

  /** One that was closed meanwhile ends without words. */
  end(id: string, { state, answer, problem }: End): void {
    const sql = `UPDATE side_questions SET state = ?, ended_at = ?,
        answer = iif(question IS NULL, NULL, ?), problem = iif(question IS NULL, NULL, ?) WHERE id = ?`;
    this.database.run(sql, state, this.database.now(), answer, problem === null ? null : JSON.stringify(problem), id);
  }

  counted(id: string, { requestIds, cost }: Pick<SideQuestionRow, 'requestIds' | 'cost'>): void {
    const sql = 'UPDATE side_questions SET requests = ?, cost = ? WHERE id = ?';
    this.database.run(sql, JSON.stringify(requestIds), JSON.stringify(cost), id);
  }

  /** Erases the words. */
  close(id: string): void {
    this.database.run('UPDATE side_questions SET question = NULL, answer = NULL, problem = NULL WHERE id = ?', id);
  }

  find(id: string): SideQuestionRow | null {
    return this.#read('SELECT * FROM side_questions WHERE id = ?', id)[0] ?? null;
  }

  /** Those of a session that were not closed, the oldest first. */
  open(session: string): SideQuestionRow[] {
    const sql = `SELECT * FROM side_questions WHERE session = ? AND question IS NOT NULL ORDER BY asked_at, rowid`;
    return this.#read(sql, session);
  }

  /** The last one of a session that was asked before a time. */
  lastBefore(session: string, time: number): SideQuestionRow | null {
    const sql = `SELECT * FROM side_questions WHERE session = ? AND asked_at <= ?
      ORDER BY asked_at DESC, rowid DESC LIMIT 1`;
    return this.#read(sql, session, time)[0] ?? null;
  }

  /** Those that an earlier process left unfinished. */
  underWay(): SideQuestionRow[] {
    return this.#read(`SELECT * FROM side_questions WHERE state = 'running' ORDER BY asked_at`);
  }

  /** What each of a session cost, or of all, with those that were closed; null as long as that isn't known. */
  costs(session: string | null = null): { session: string; cost: unknown }[] {
    const sql = 'SELECT session, cost FROM side_questions WHERE ?1 IS NULL OR session = ?1';
    const rows = this.database.all(sql, session);
    return rows.map((row) => ({ session: text(row.session) ?? '', cost: json(row.cost) }));
  }

  #read(sql: string, ...values: (string | number)[]): SideQuestionRow[] {
    return this.database.all(sql, ...values).map(toSideQuestion);
  }
}

function toSideQuestion(row: Row): SideQuestionRow {
  return {
    id: text(row.id) ?? '',
    sessionId: text(row.session) ?? '',
    question: text(row.question),
    answer: text(row.answer),
    state: states.find((state) => state === row.state) ?? 'interrupted',
    problem: json(row.problem),
    askedAt: figure(row.asked_at) ?? 0,
    endedAt: figure(row.ended_at),
    requestIds: texts(row.requests),
    cost: json(row.cost),
  };
}
