import { cutTexts, withoutKeys } from './cut-texts.ts';
import { figure, json, type Row, Table, text } from './session-database.ts';

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
