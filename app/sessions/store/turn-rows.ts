import { setImmediate as othersTurn } from 'node:timers/promises';
import type { TurnCost } from '../../api/sessions.ts';
import { cutTexts } from './cut-texts.ts';
import { figure, json, type Row, type SessionDatabase, Table, text, texts, toColumn } from './session-database.ts';

/** `interrupted`: it was under way when Jumpseat or its agent ended. */
const states = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const;
type TurnState = (typeof states)[number];

/** One turn of a session: what was asked, and how it went. Times in ms since the epoch. */
export interface TurnRow {
  /** The uuid of the message that opened it; one of its own where no message did. */
  id: string;
  sessionId: string;
  /** Counts from 1 within the session. */
  number: number;
  state: TurnState;
  /** Content blocks of ACP, without what is long in them (`cutTexts`); null if the agent began it by itself. */
  prompt: unknown;
  initiator: 'user' | 'agent';
  startedAt: number;
  endedAt: number | null;
  stopReason: string | null;
  /** What went wrong, with its cause and remedy. */
  failure: unknown;
  /** Ids of the log's rows that belong to it. */
  requestIds: string[];
  /** Ids of its prompts as the agent names them on the wire. */
  promptIds: string[];
  /** The agent's id of its last message: where a fork of it ends. */
  lastMessage: string | null;
  /** Sums of its rows, as far as they are known. */
  cost: unknown;
}

type TurnPatch = Partial<Omit<TurnRow, 'id' | 'sessionId' | 'number' | 'startedAt'>>;

const columns = {
  state: 'state',
  prompt: 'prompt',
  initiator: 'initiator',
  endedAt: 'ended_at',
  stopReason: 'stop_reason',
  failure: 'failure',
  requestIds: 'requests',
  promptIds: 'prompt_ids',
  lastMessage: 'last_message',
  cost: 'cost',
} as const satisfies Record<keyof TurnPatch, string>;
const names = Object.keys(columns).filter((name): name is keyof TurnPatch => name in columns);
const figures = ['nanoAiu', 'premiumRequests', 'user', 'agent', 'input', 'cached', 'output', 'estimate', 'unestimated'];
/** Word for word as the index of them has it: their figures come from that. Parameters: after, how many. */
export const costsSql = `SELECT session, max(json_extract(cost, '$.isPartlyUnknown')) AS isPartlyUnknown,
  ${figures.map((name) => `total(json_extract(cost, '$.${name}')) AS ${name}`).join(', ')}
  FROM turns WHERE json_valid(cost) AND session > ? GROUP BY session ORDER BY session LIMIT ?`;
/** Sessions added up (measured with 25 turns each: 1 ms) before other work gets its turn. */
const sessionsAtOnce = 100;
const asJson: ReadonlySet<keyof TurnPatch> = new Set(['prompt', 'failure', 'cost']);

export class TurnRows extends Table {
  readonly #prompts: WholePrompts;
  constructor(database: SessionDatabase, prompts: WholePrompts) {
    super(database);
    this.#prompts = prompts;
  }

  /** Begins one. The same id again is the same turn, as it is. */
  begin(turn: { id: string; sessionId: string; prompt: unknown; initiator: TurnRow['initiator'] }): TurnRow {
    const database = this.database;
    const { id, sessionId, prompt, initiator } = turn;
    return database.change(() => {
      const short = this.#prompts.keep(id, prompt);
      database.run(
        `INSERT INTO turns (id, session, number, state, prompt, initiator, started_at, requests, prompt_ids)
          VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM turns WHERE session = ?2), 'running', ?3, ?4, ?5,
            '[]', '[]') ON CONFLICT DO NOTHING`,
        id,
        sessionId,
        columnOf('prompt', short),
        initiator,
        database.now(),
      );
      const begun = this.find(id);
      if (begun === null) throw new Error(`turn ${id} of session ${sessionId} was not kept`);
      return begun;
    });
  }

  /** Null if there is no such turn. */
  change(id: string, patch: TurnPatch): TurnRow | null {
    return this.database.change(() => {
      const changed = names.filter((name) => patch[name] !== undefined);
      if (changed.length > 0) {
        const assignments = changed.map((name) => `${columns[name]} = ?`).join(', ');
        this.database.run(
          `UPDATE turns SET ${assignments} WHERE id = ?`,
          ...changed.map((name) => columnOf(name, patch[name])),
          id,
        );
      }
      return this.find(id);
    });
  }

  find(id: string): TurnRow | null {
    const row = this.database.first('SELECT * FROM turns WHERE id = ?', id);
    return row === undefined ? null : toTurn(row);
  }

  /** The prompt of a turn, whole as long as that is kept; null if it has none. */
  promptOf(id: string): unknown {
    return this.#prompts.find(id) ?? this.find(id)?.prompt ?? null;
  }

  /** The turns of a session, the newest last: at most `limit` that are older than the one of a number. */
  of(session: string, { before = Number.MAX_SAFE_INTEGER, limit = 1_000 } = {}): TurnRow[] {
    const sql = 'SELECT * FROM turns WHERE session = ? AND number < ? ORDER BY number DESC LIMIT ?';
    const rows = this.database.all(sql, session, before, limit);
    return rows.map(toTurn).reverse();
  }

  /** What its last turn failed with, as it was kept, and whether it waited for an answer when it was cut off. */
  lastEnd(session: string): { failure: unknown; wasAsking: boolean } {
    const sql = `SELECT failure, EXISTS (SELECT 1 FROM questions
        WHERE questions.turn = turns.id AND answered_at > turns.ended_at) AS was_asking
      FROM turns WHERE session = ? ORDER BY number DESC LIMIT 1`;
    const row = this.database.first(sql, session);
    return { failure: json(row?.failure), wasAsking: row?.was_asking === 1 };
  }

  /**
   * Sums of the costs of all turns that are kept, by session; those that were cut off are a sum of their own. Holds
   * nothing up, however many there are.
   */
  async costs(): Promise<{ session: string; cost: TurnCost }[]> {
    const sums: { session: string; cost: TurnCost }[] = [];
    for (let after = ''; ; await othersTurn()) {
      const rows = this.database.all(costsSql, after, sessionsAtOnce);
      sums.push(...rows.map(toSum));
      if (rows.length < sessionsAtOnce) return sums;
      after = text(rows.at(-1)?.session) ?? '';
    }
  }

  /** Turns that an earlier process left unfinished. */
  underWay(): TurnRow[] {
    const sql = `SELECT * FROM turns WHERE ended_at IS NULL AND state = 'running' ORDER BY started_at`;
    return this.database.all(sql).map(toTurn);
  }

  /** The sessions that had one under way after a time. */
  sessionsSince(since: number): string[] {
    const sql = 'SELECT DISTINCT session FROM turns WHERE coalesce(ended_at, ?1) >= ?1';
    const rows = this.database.all(sql, since);
    return [...new Set(rows.map((row) => sessionOfTurns(text(row.session) ?? '')))];
  }
}

function toSum(row: Row): { session: string; cost: TurnCost } {
  const estimate = figure(row.estimate) ?? 0;
  const unestimated = figure(row.unestimated) ?? 0;
  return {
    session: sessionOfTurns(text(row.session) ?? ''),
    cost: {
      nanoAiu: figure(row.nanoAiu) ?? 0,
      // Multipliers have two decimals; 0.33 three times is 0.99.
      premiumRequests: Math.round((figure(row.premiumRequests) ?? 0) * 1e6) / 1e6,
      ...(estimate > 0 && { estimate }),
      ...(unestimated > 0 && { unestimated }),
      isPartlyUnknown: row.isPartlyUnknown === 1,
      running: 0,
      user: figure(row.user) ?? 0,
      agent: figure(row.agent) ?? 0,
      input: figure(row.input) ?? 0,
      cached: figure(row.cached) ?? 0,
      output: figure(row.output) ?? 0,
    },
  };
}

function columnOf(name: keyof TurnPatch, value: unknown) {
  if (asJson.has(name)) return value === null || value === undefined ? null : JSON.stringify(value);
  return toColumn(value);
}

function toTurn(row: Row): TurnRow {
  return {
    id: text(row.id) ?? '',
    sessionId: text(row.session) ?? '',
    number: figure(row.number) ?? 0,
    state: states.find((state) => state === row.state) ?? 'interrupted',
    prompt: json(row.prompt),
    initiator: row.initiator === 'agent' ? 'agent' : 'user',
    startedAt: figure(row.started_at) ?? 0,
    endedAt: figure(row.ended_at),
    stopReason: text(row.stop_reason),
    failure: json(row.failure),
    requestIds: texts(row.requests),
    promptIds: texts(row.prompt_ids),
    lastMessage: text(row.last_message),
    cost: json(row.cost),
  };
}

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
export class WholePrompts extends Table {
  /** Returns what the row of the turn has of it. The same turn again changes nothing. */
  keep(turn: string, prompt: unknown): unknown {
    const { event: short, cuts } = cutTexts(prompt);
    if (cuts.length === 0) return prompt;
    const database = this.database;
    const written = JSON.stringify(prompt);
    database.run(
      'INSERT INTO prompts (turn, bytes, kept_at, prompt) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      turn,
      written.length,
      database.now(),
      written,
    );
    database.run(trimSql, turn, promptBytes);
    return short;
  }

  /** Null if the row of the turn has all of it, or it is kept no longer. */
  find(turn: string): unknown {
    const sql = 'SELECT prompt FROM prompts WHERE turn = ?';
    return json(this.database.first(sql, turn)?.prompt);
  }

  /** Deletes prompts that are too old. */
  forgetOld(): void {
    const before = this.database.now() - promptDays * dayMs;
    this.database.run('DELETE FROM prompts WHERE kept_at < ?', before);
  }
}

/** Name under which the cut turns and record of a session are stored. */
export function cutOf(session: string): string {
  return `cut:${session}`;
}

/** Name under which deleted turns keep their costs and requests. */
function goneOf(session: string): string {
  return `gone:${session}`;
}

/** The session that turns belong to, whatever name they are stored under. */
function sessionOfTurns(name: string): string {
  return name.replace(/^(cut|gone):/, '');
}

/** What a person cut off by going back: kept beside its session until the next message, so that it can come back. */
export class CutTurns extends Table {
  /** How many turns there are; what else was cut off before counts too. */
  count(session: string): number {
    const sql = 'SELECT count(*) AS count FROM turns WHERE session = ?';
    return figure(this.database.first(sql, cutOf(session))?.count) ?? 0;
  }

  /** The id of the earliest of them; null if there is none. */
  first(session: string): string | null {
    const sql = 'SELECT id FROM turns WHERE session = ? ORDER BY number LIMIT 1';
    return text(this.database.first(sql, cutOf(session))?.id);
  }

  /** Cuts from this number on. `SessionRecord.cutFrom` handles the events. */
  add(session: string, number: number): void {
    const sql = 'UPDATE turns SET session = ? WHERE session = ? AND number >= ?';
    this.database.run(sql, cutOf(session), session, number);
  }

  /** Puts all of it back where it was. */
  putBack(session: string): void {
    this.database.change(() => {
      for (const table of ['turns', 'record']) {
        this.database.run(`UPDATE ${table} SET session = ? WHERE session = ?`, session, cutOf(session));
      }
    });
  }

  /** Deletes it for good. Its costs are kept, but nothing that was said. */
  letGo(session: string): void {
    const sql = `UPDATE turns SET session = ?, number = number + ?, prompt = NULL, failure = NULL, last_message = NULL
      WHERE session = ?`;
    this.database.change(() => {
      const last = this.database.first('SELECT max(number) AS number FROM turns WHERE session = ?', goneOf(session));
      this.database.run(sql, goneOf(session), figure(last?.number) ?? 0, cutOf(session));
      this.database.run('DELETE FROM record WHERE session = ?', cutOf(session));
    });
  }

  /** Nothing is left of it. */
  forget(session: string): void {
    this.database.change(() => {
      for (const table of ['turns', 'record']) {
        this.database.run(`DELETE FROM ${table} WHERE session = ?`, cutOf(session));
      }
      this.database.run('DELETE FROM turns WHERE session = ?', goneOf(session));
    });
  }

  /** What each of the turns cost that were ever cut off from a session. */
  costs(session: string): unknown[] {
    const sql = 'SELECT cost FROM turns WHERE session IN (?, ?)';
    const rows = this.database.all(sql, cutOf(session), goneOf(session));
    return rows.map(({ cost }) => json(cost));
  }
}

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
