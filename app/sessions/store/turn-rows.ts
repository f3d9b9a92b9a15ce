import { setImmediate as othersTurn } from 'node:timers/promises';
import type { TurnCost } from '../../api/sessions.ts';
import { figure, json, type Row, text, texts, toColumn } from './columns.ts';
import { sessionOfTurns } from './cut-turns.ts';
import type { SessionDatabase } from './session-database.ts';
import type { WholePrompts } from './whole-prompts.ts';

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
const figures = ['nanoAiu', 'premiumRequests', 'user', 'agent', 'input', 'cached', 'output', 'estimate'];
/** Word for word as the index of them has it: their figures come from that. Parameters: after, how many. */
export const costsSql = `SELECT session, max(json_extract(cost, '$.isPartlyUnknown')) AS isPartlyUnknown,
  ${figures.map((name) => `total(json_extract(cost, '$.${name}')) AS ${name}`).join(', ')}
  FROM turns WHERE json_valid(cost) AND session > ? GROUP BY session ORDER BY session LIMIT ?`;
/** Sessions added up (measured with 25 turns each: 1 ms) before other work gets its turn. */
const sessionsAtOnce = 100;
const asJson: ReadonlySet<keyof TurnPatch> = new Set(['prompt', 'failure', 'cost']);

export class TurnRows {
  readonly #database: SessionDatabase;
  readonly #prompts: WholePrompts;
  constructor(database: SessionDatabase, prompts: WholePrompts) {
    this.#database = database;
    this.#prompts = prompts;
  }

  /** Begins one. The same id again is the same turn, as it is. */
  begin(turn: { id: string; sessionId: string; prompt: unknown; initiator: TurnRow['initiator'] }): TurnRow {
    const database = this.#database;
    const { id, sessionId, prompt, initiator } = turn;
    return database.change(() => {
      const short = this.#prompts.keep(id, prompt);
      database
        .prepare(
          `INSERT INTO turns (id, session, number, state, prompt, initiator, started_at, requests, prompt_ids)
          VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM turns WHERE session = ?2), 'running', ?3, ?4, ?5,
            '[]', '[]') ON CONFLICT DO NOTHING`,
        )
        .run(id, sessionId, columnOf('prompt', short), initiator, database.now());
      const begun = this.find(id);
      if (begun === null) throw new Error(`turn ${id} of session ${sessionId} was not kept`);
      return begun;
    });
  }

  /** Null if there is no such turn. */
  change(id: string, patch: TurnPatch): TurnRow | null {
    const database = this.#database;
    return database.change(() => {
      const changed = names.filter((name) => patch[name] !== undefined);
      if (changed.length > 0) {
        const assignments = changed.map((name) => `${columns[name]} = ?`).join(', ');
        database
          .prepare(`UPDATE turns SET ${assignments} WHERE id = ?`)
          .run(...changed.map((name) => columnOf(name, patch[name])), id);
      }
      return this.find(id);
    });
  }

  find(id: string): TurnRow | null {
    const row = this.#database.read(() => this.#database.prepare('SELECT * FROM turns WHERE id = ?').get(id));
    return row === undefined ? null : toTurn(row);
  }

  /** The prompt of a turn, whole as long as that is kept; null if it has none. */
  promptOf(id: string): unknown {
    return this.#prompts.find(id) ?? this.find(id)?.prompt ?? null;
  }

  /** The turns of a session, the newest last: at most `limit` that are older than the one of a number. */
  of(session: string, { before = Number.MAX_SAFE_INTEGER, limit = 1_000 } = {}): TurnRow[] {
    const sql = 'SELECT * FROM turns WHERE session = ? AND number < ? ORDER BY number DESC LIMIT ?';
    const rows = this.#database.read(() => this.#database.prepare(sql).all(session, before, limit));
    return rows.map(toTurn).reverse();
  }

  /** What its last turn failed with, as it was kept, and whether it waited for an answer when it was cut off. */
  lastEnd(session: string): { failure: unknown; wasAsking: boolean } {
    const sql = `SELECT failure, EXISTS (SELECT 1 FROM questions
        WHERE questions.turn = turns.id AND answered_at > turns.ended_at) AS was_asking
      FROM turns WHERE session = ? ORDER BY number DESC LIMIT 1`;
    const row = this.#database.read(() => this.#database.prepare(sql).get(session));
    return { failure: json(row?.failure), wasAsking: row?.was_asking === 1 };
  }

  /**
   * Sums of the costs of all turns that are kept, by session; those that were cut off are a sum of their own. Holds
   * nothing up, however many there are.
   */
  async costs(): Promise<{ session: string; cost: TurnCost }[]> {
    const sums: { session: string; cost: TurnCost }[] = [];
    for (let after = ''; ; await othersTurn()) {
      const rows = this.#database.read(() => this.#database.prepare(costsSql).all(after, sessionsAtOnce));
      sums.push(...rows.map(toSum));
      if (rows.length < sessionsAtOnce) return sums;
      after = text(rows.at(-1)?.session) ?? '';
    }
  }

  /** Turns that an earlier process left unfinished. */
  underWay(): TurnRow[] {
    const sql = `SELECT * FROM turns WHERE ended_at IS NULL AND state = 'running' ORDER BY started_at`;
    return this.#database.read(() => this.#database.prepare(sql).all()).map(toTurn);
  }

  /** The sessions that had one under way after a time. */
  sessionsSince(since: number): string[] {
    const sql = 'SELECT DISTINCT session FROM turns WHERE coalesce(ended_at, ?1) >= ?1';
    const rows = this.#database.read(() => this.#database.prepare(sql).all(since));
    return [...new Set(rows.map((row) => sessionOfTurns(text(row.session) ?? '')))];
  }
}

function toSum(row: Row): { session: string; cost: TurnCost } {
  const estimate = figure(row.estimate) ?? 0;
  return {
    session: sessionOfTurns(text(row.session) ?? ''),
    cost: {
      nanoAiu: figure(row.nanoAiu) ?? 0,
      // Multipliers have two decimals; 0.33 three times is 0.99.
      premiumRequests: Math.round((figure(row.premiumRequests) ?? 0) * 1e6) / 1e6,
      ...(estimate > 0 && { estimate }),
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
