import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sumOfCosts } from '../api/figures.ts';
import type { Conversation, ConversationPart, ConversationPrompt, ConversationSums } from '../api/history.ts';
import type { TurnCost } from '../api/sessions.ts';
import { plainId } from './packing.ts';
import { failedRows, startedByAgent, startedByUser } from './totals.ts';

/*
 * What was said in one go belongs together: a session of a client, the prompts in it, who worked on each, and what all
 * of a session cost.
 */

const sums = `count(*) AS requests,
    ${startedByUser} AS user,
    ${startedByAgent} AS agent,
    count(*) FILTER (WHERE charge_kind = 'unknown') AS unknown,
    count(*) FILTER (WHERE charge_kind = 'billed') AS billed,
    count(*) FILTER (WHERE charge_kind = 'free') AS free,
    ${failedRows} AS failed,
    min(started_at) AS started_at,
    max(started_at + coalesce(last_event_ms, headers_ms, 0)) AS ended_at,
    coalesce(sum(input_tokens), 0) AS input,
    coalesce(sum(output_tokens), 0) AS output,
    coalesce(sum(cache_read_tokens), 0) AS cache_read,
    coalesce(sum(cache_write_tokens), 0) AS cache_write,
    total(charge_nano_aiu) AS nano_aiu,
    total(charge_premium_requests) AS premium_requests,
    total(charge_nano_aiu) FILTER (WHERE initiator = 'user') AS user_nano_aiu,
    total(charge_nano_aiu) FILTER (WHERE initiator = 'agent') AS agent_nano_aiu`;

/**
 * The codes of what a person caused, whatever Copilot was told: a background task's report has a prompt id of its own
 * that nobody typed, and VS Code counts even that as the person's.
 */
const byPerson = `reason_code IN ('prompt', 'interjection', 'side-question', 'scheduled', 'hook', 'unclear')`;

/**
 * Parameters: since, limit, offset. The conversation that was last begun or taken up again comes first. What a client
 * sends without a session is one conversation of that client.
 */
export const conversationsSql = `SELECT session, client,
    count(DISTINCT prompt) FILTER (WHERE ${byPerson}) AS prompts, ${sums}
    FROM exchanges WHERE started_at >= ? GROUP BY client, session
    ORDER BY max(started_at) DESC, max(seq) DESC LIMIT ? OFFSET ?`;

/** Who of those that work on a prompt a row belongs to: `main`, `subagent`, `compaction` or `side`. */
const part = `CASE
      WHEN reason_code = 'compaction' THEN 'compaction'
      WHEN agent_id IS NOT NULL OR reason_code = 'subagent' THEN 'subagent'
      WHEN reason_code IN ('auxiliary', 'side-question', 'token-count') OR api = 'count-tokens' THEN 'side'
      ELSE 'main' END`;

/** Parameter: the session. */
export const lastOfSql = `SELECT * FROM exchanges WHERE session = ? AND input_tokens IS NOT NULL AND ${part} = 'main'
  ORDER BY started_at DESC, seq DESC LIMIT 1`;

/** Parts of one conversation that are read, the newest prompts first. */
const partsLimit = 3_000;

/**
 * Parameters: since, client, and both forms of the session where there is one. One row for each that worked on a
 * prompt, the newest prompt first.
 */
export const partsSql = (session: string | null): string => `SELECT
    prompt, ${part} AS part, agent_id,
    max(${byPerson}) AS by_person, max(reason_code = 'notification') AS notified,
    max(agent_type) AS agent_type, max(request_class) AS request_class, ${sums}
    FROM exchanges WHERE started_at >= ? AND client = ?
      AND ${session === null ? 'session IS NULL' : 'session = ?'}
    GROUP BY prompt, part, CASE WHEN part = 'subagent' THEN agent_id END
    ORDER BY min(min(started_at)) OVER (PARTITION BY prompt) DESC, prompt, min(started_at) LIMIT ${partsLimit}`;

type Row = Record<string, SQLOutputValue>;

export function toConversation(row: Row): Conversation {
  return { session: id(row.session), client: text(row.client) ?? '', prompts: figure(row.prompts), ...toSums(row) };
}

/** Puts the parts of each prompt together. `rows` are in the order of `partsSql`. */
export function toPrompts(rows: readonly Row[]): ConversationPrompt[] {
  const prompts = new Map<string | null, Row[]>();
  for (const row of rows) {
    const prompt = id(row.prompt);
    prompts.set(prompt, [...(prompts.get(prompt) ?? []), row]);
  }
  return [...prompts].map(([prompt, rows]) => {
    const parts = rows.map(toPart);
    const isReport = rows.some(({ notified }) => notified === 1) && rows.every(({ by_person }) => by_person !== 1);
    return { prompt, isReport, parts, ...added(parts) };
  });
}

function toPart(row: Row): ConversationPart {
  const kind = text(row.part);
  return {
    kind: kind === 'subagent' || kind === 'compaction' || kind === 'side' ? kind : 'main',
    agentId: text(row.agent_id),
    agentType: text(row.agent_type),
    workflow: text(row.request_class) === 'workflow',
    ...toSums(row),
  };
}

function toSums(row: Row): ConversationSums {
  return {
    requests: figure(row.requests),
    user: figure(row.user),
    agent: figure(row.agent),
    billed: figure(row.billed),
    free: figure(row.free),
    unknown: figure(row.unknown),
    failed: figure(row.failed),
    startedAt: figure(row.started_at),
    endedAt: figure(row.ended_at),
    input: figure(row.input),
    output: figure(row.output),
    cacheRead: figure(row.cache_read),
    cacheWrite: figure(row.cache_write),
    nanoAiu: figure(row.nano_aiu),
    premiumRequests: roundedCount(figure(row.premium_requests)),
    userNanoAiu: figure(row.user_nano_aiu),
    agentNanoAiu: figure(row.agent_nano_aiu),
  };
}

export function added(parts: readonly ConversationSums[]): ConversationSums {
  const sum = (pick: (part: ConversationSums) => number): number => parts.reduce((all, one) => all + pick(one), 0);
  return {
    requests: sum(({ requests }) => requests),
    user: sum(({ user }) => user),
    agent: sum(({ agent }) => agent),
    billed: sum(({ billed }) => billed),
    free: sum(({ free }) => free),
    unknown: sum(({ unknown }) => unknown),
    failed: sum(({ failed }) => failed),
    startedAt: Math.min(...parts.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(...parts.map(({ endedAt }) => endedAt)),
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    nanoAiu: sum(({ nanoAiu }) => nanoAiu),
    premiumRequests: roundedCount(sum(({ premiumRequests }) => premiumRequests)),
    userNanoAiu: sum(({ userNanoAiu }) => userNanoAiu),
    agentNanoAiu: sum(({ agentNanoAiu }) => agentNanoAiu),
  };
}

/** What one client's requests of one session cost. */
export interface ClientCost {
  client: string;
  session: string | null;
  cost: TurnCost;
}

const partlyUnknown = `charge_kind = 'unknown' OR (charge_partial = 1 AND outcome <> 'done')`;

const costsSql = (where: string, by: string): string => `SELECT ${by},
    total(charge_nano_aiu) AS nano_aiu,
    total(charge_premium_requests) AS premium_requests,
    count(*) FILTER (WHERE ${partlyUnknown}) AS unknown,
    count(*) FILTER (WHERE (${partlyUnknown}) AND charge_estimate IS NULL) AS unestimated,
    ${startedByUser} AS user,
    ${startedByAgent} AS agent,
    total(input_tokens) + total(cache_write_tokens) AS input,
    total(cache_read_tokens) AS cached,
    total(output_tokens) FILTER (WHERE charge_kind <> 'unknown' OR outcome = 'done') AS output,
    total(charge_estimate) AS estimate
  FROM exchanges WHERE ${where} GROUP BY ${by}`;

/** Parameter: the row that they come after. */
const laterCostsSql = costsSql('seq > ?', 'client, session');

function toClientCost(row: Row): ClientCost {
  return { client: String(row.client), session: id(row.session), cost: toCost(row) };
}

/** Cost of one client's requests for one prompt, one row per subagent. */
export interface PromptCost {
  client: string;
  prompt: string;
  /** Null if it belongs to no subagent. */
  agentId: string | null;
  cost: TurnCost;
}

/** Parameter: the session. */
export const promptCostsSql = costsSql('session = ? AND prompt IS NOT NULL', 'client, prompt, agent_id');

export function toPromptCost(row: Row): PromptCost {
  return { client: String(row.client), prompt: id(row.prompt) ?? '', agentId: text(row.agent_id), cost: toCost(row) };
}

function toCost(row: Row): TurnCost {
  const estimate = figure(row.estimate);
  const unestimated = figure(row.unestimated);
  return {
    nanoAiu: figure(row.nano_aiu),
    premiumRequests: roundedCount(figure(row.premium_requests)),
    ...(estimate > 0 && { estimate }),
    ...(unestimated > 0 && { unestimated }),
    isPartlyUnknown: figure(row.unknown) > 0,
    running: 0,
    user: figure(row.user),
    agent: figure(row.agent),
    input: figure(row.input),
    cached: figure(row.cached),
    output: figure(row.output),
  };
}

/** Up to which row sums were made, and of how many rows. Rows are numbered upwards and don't change. */
export interface CostsMark {
  seq: number;
  id: string;
  rows: number;
}

/** Sums of the rows after a mark; `isWhole`: of all there are, because one up to that mark has gone. */
export interface LaterCosts {
  costs: ClientCost[];
  isWhole: boolean;
  /** Null if there is no row. */
  mark: CostsMark | null;
}

type Rows = (sql: string, values: readonly SQLInputValue[]) => Record<string, SQLOutputValue>[];

/** The number of a row that has gone is given again where that was the last one: then its id is another. */
const markSql = `SELECT seq, id, (SELECT count(*) FROM exchanges) AS rows FROM exchanges ORDER BY seq DESC LIMIT 1`;
const holdsSql = `SELECT (SELECT count(*) FROM exchanges WHERE seq > ?1) AS later
  FROM exchanges WHERE seq = ?1 AND id = ?2`;

/** Throws what the database throws. */
export function laterCosts(rows: Rows, after: CostsMark | null): LaterCosts {
  const [last] = rows(markSql, []);
  const mark = last === undefined ? null : { seq: Number(last.seq), id: String(last.id), rows: Number(last.rows) };
  const holds = after !== null && mark !== null && mark.rows - later(rows, after) === after.rows;
  const costs = rows(laterCostsSql, [holds ? after.seq : 0]).map(toClientCost);
  return { costs, isWhole: !holds, mark };
}

/** How many rows came after a mark; NaN: its own row has gone. */
function later(rows: Rows, { seq, id }: CostsMark): number {
  return Number(rows(holdsSql, [seq, id])[0]?.later ?? Number.NaN);
}

/**
 * What all requests of each client and session cost. Sums are kept, and the rows that came since are added to them:
 * with 200 000 rows the list of sessions has its costs in 4 ms after each request, not in 700.
 */
export class KeptCosts {
  #kept: { mark: CostsMark | null; costs: ReadonlyMap<string, ClientCost> } = { mark: null, costs: new Map() };

  /** Rejects with what `ask` rejects with. */
  async all(ask: (after: CostsMark | null) => Promise<LaterCosts>): Promise<ClientCost[]> {
    // Another one may be asked meanwhile: each adds to the sums that it was asked with.
    const before = this.#kept;
    const { costs: found, isWhole, mark } = await ask(before.mark);
    const costs = new Map(isWhole ? [] : before.costs);
    for (const one of found) {
      const key = JSON.stringify([one.client, one.session]);
      const known = costs.get(key);
      costs.set(key, known === undefined ? one : { ...one, cost: sumOfCosts(known.cost, one.cost) });
    }
    this.#kept = { mark, costs };
    return [...costs.values()];
  }
}

function id(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? plainId(value) : null;
}

function text(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function figure(value: SQLOutputValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** Multipliers have two decimals; 0.33 three times is 0.99. */
function roundedCount(count: number): number {
  return Math.round(count * 1e6) / 1e6;
}
