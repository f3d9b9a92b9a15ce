import { cutTexts, withoutKeys } from './cut-texts.ts';
import { figure, json, type Row, Table, text, texts } from './session-database.ts';

/** Something a session waits for a person to say. */
export interface KeptQuestion {
  id: string;
  sessionId: string;
  turnId: string | null;
  /** `permission`, `elicitation` … */
  kind: string;
  /** Null once it was answered: fronts have it in the record, as long as that is kept. */
  request: unknown;
  askedAt: number;
  answeredAt: number | null;
  /** Null while it is open. */
  answer: unknown;
}

/** Questions are stored before a front learns of them, and an answer counts once. */
export class Questions extends Table {
  /** The same id again changes nothing. */
  ask(question: Pick<KeptQuestion, 'id' | 'sessionId' | 'turnId' | 'kind' | 'request'>): void {
    const { id, sessionId, turnId, kind, request } = question;
    const sql = `INSERT INTO questions (id, session, turn, kind, request, asked_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    this.database.run(sql, id, sessionId, turnId, kind, withoutKeys(JSON.stringify(request)), this.database.now());
  }

  /** False: there is no such question, or it was answered before. */
  answer(id: string, answer: unknown): boolean {
    const sql = `UPDATE questions SET answered_at = ?, answer = ?, request = 'null'
      WHERE id = ? AND answered_at IS NULL`;
    const kept = JSON.stringify(cutTexts(answer ?? null).event);
    return this.database.run(sql, this.database.now(), kept, id) === 1;
  }

  find(id: string): KeptQuestion | null {
    const row = this.database.first('SELECT * FROM questions WHERE id = ?', id);
    return row === undefined ? null : toQuestion(row);
  }

  /** Questions of one session, or of all; oldest first. */
  open(session: string | null = null): KeptQuestion[] {
    const sql = `SELECT * FROM questions WHERE answered_at IS NULL AND (?1 IS NULL OR session = ?1)
      ORDER BY asked_at, rowid`;
    return this.database.all(sql, session).map(toQuestion);
  }
}

function toQuestion(row: Row): KeptQuestion {
  return {
    id: text(row.id) ?? '',
    sessionId: text(row.session) ?? '',
    turnId: text(row.turn),
    kind: text(row.kind) ?? '',
    request: json(row.request),
    askedAt: figure(row.asked_at) ?? 0,
    answeredAt: figure(row.answered_at),
    answer: json(row.answer),
  };
}

/** What a person allowed for as long as a session lasts. */
interface SessionRule {
  id: string;
  rule: unknown;
  givenAt: number;
}

export class SessionRules extends Table {
  of(session: string): SessionRule[] {
    const sql = 'SELECT * FROM rules WHERE session = ? ORDER BY given_at, rowid';
    return this.database
      .all(sql, session)
      .map((row) => ({ id: text(row.id) ?? '', rule: json(row.rule), givenAt: figure(row.given_at) ?? 0 }));
  }

  give(session: string, id: string, rule: unknown): void {
    const sql = 'INSERT OR REPLACE INTO rules (id, session, rule, given_at) VALUES (?, ?, ?, ?)';
    this.database.run(sql, id, session, JSON.stringify(rule), this.database.now());
  }

  /** False: there was no such rule. */
  takeBack(id: string): boolean {
    return this.database.run('DELETE FROM rules WHERE id = ?', id) === 1;
  }
}

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
