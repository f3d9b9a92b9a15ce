import type { Exchange } from '../../api/exchange.ts';
import { sumOfCosts } from '../../api/figures.ts';
import { type TurnCost, turnCostSchema } from '../../api/sessions.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import { type FailedRequest, failedAfter } from './failure-cause.ts';

interface TurnCostsDependencies {
  sessionId: string;
  store: SessionStore;
  /** The turn under way; null if none is. */
  current(): { id: string; initiator: 'user' | 'agent' } | null;
  changed(turnId: string, cost: TurnCost): void;
  /** A request of the conversation itself began. */
  began(): void;
}

/** Turns of a session that are searched for a row's turn. */
const lookedAt = 50;

/**
 * What the turns of one session cost: the sum of the rows of the log that belong to each, also of those that were
 * cancelled. Rows carry the session as their client; the turn is the one under way when a row of a prompt began.
 */
export class TurnCosts {
  readonly #given: TurnCostsDependencies;
  /** Rows that run, with their turn. */
  readonly #running = new Map<string, string>();
  /** Rows of a turn that the agent has begun and not yet shown. */
  readonly #early = new Map<string, Exchange>();
  /** The agent's own ids of its prompts on the wire, with the turn that each belongs to. */
  readonly #prompts = new Map<string, string>();
  readonly #failed = new Map<string, FailedRequest>();
  #last: string | null = null;
  /** Cost of the ended rows; null until it is added up. */
  #total: TurnCost | null = null;

  constructor(given: TurnCostsDependencies) {
    this.#given = given;
  }

  /** A row of this session began, moved on or ended. */
  seen(exchange: Exchange): void {
    const turnId = this.#turnOf(exchange);
    if (turnId === null) this.#early.set(exchange.id, exchange);
    else this.#count(exchange, turnId);
  }

  /** A turn begins: what came before it was shown is its own, where the agent began it. */
  begins(turn: { id: string; initiator: 'user' | 'agent' }): void {
    const early = [...this.#early.values()];
    this.#early.clear();
    const owner = turn.initiator === 'agent' ? turn.id : this.#last;
    this.#last = turn.id;
    for (const exchange of early) {
      if (owner === null) continue;
      if (exchange.prompt !== null) this.#prompts.set(exchange.prompt, owner);
      this.#count(exchange, owner);
    }
  }

  #turnOf({ id, prompt }: Exchange): string | null {
    const ofPrompt = prompt === null ? undefined : (this.#prompts.get(prompt) ?? this.#keptTurnOf(prompt));
    const turnId = ofPrompt ?? this.#running.get(id) ?? this.#given.current()?.id ?? null;
    if (turnId !== null && prompt !== null) this.#prompts.set(prompt, turnId);
    return turnId;
  }

  /** A subagent may go on with a prompt of a turn from before this session was held last. */
  #keptTurnOf(prompt: string): string | undefined {
    const { store, sessionId } = this.#given;
    return store.turns.of(sessionId, { limit: lookedAt }).findLast(({ promptIds }) => promptIds.includes(prompt))?.id;
  }

  #count(exchange: Exchange, turnId: string): void {
    const { store } = this.#given;
    if (exchange.outcome === 'running') {
      if (this.#running.get(exchange.id) === turnId) return;
      this.#running.set(exchange.id, turnId);
      if (exchange.agentId === null) this.#given.began();
      this.#given.changed(turnId, this.of(turnId));
      return;
    }
    this.#running.delete(exchange.id);
    const turn = store.turns.find(turnId);
    if (turn === null || turn.requestIds.includes(exchange.id)) return;
    this.#lookAtEnd(exchange, turnId);
    const promptIds = [...new Set([...turn.promptIds, ...(exchange.prompt === null ? [] : [exchange.prompt])])];
    const requestIds = [...turn.requestIds, exchange.id];
    this.#total = withRow(this.#sum(), exchange);
    store.turns.change(turnId, { requestIds, promptIds, cost: withRow(readCost(turn.cost), exchange) });
    this.#given.changed(turnId, this.of(turnId));
  }

  #lookAtEnd(exchange: Exchange, turnId: string): void {
    const failed = failedAfter(this.#failed.get(turnId), exchange);
    if (failed === undefined) this.#failed.delete(turnId);
    else this.#failed.set(turnId, failed);
  }

  /** What a turn cost as far as it is known. */
  of(turnId: string): TurnCost {
    const running = [...this.#running.values()].filter((one) => one === turnId).length;
    return { ...readCost(this.#given.store.turns.find(turnId)?.cost), running };
  }

  /** What all turns cost, also those that were cut off since. */
  total(): TurnCost {
    const { agents: _ofTurns, ...sum } = this.#sum();
    return { ...sum, running: this.#running.size };
  }

  #sum(): TurnCost {
    const { store, sessionId } = this.#given;
    this.#total ??= [
      ...store.turns.of(sessionId, { limit: 100_000 }).map(({ cost }) => cost),
      ...store.cut.costs(sessionId),
    ]
      .map(readCost)
      .reduce(sumOfCosts, noCost);
    return this.#total;
  }

  /** The last request of a turn, where that failed and nothing of its conversation came after it. */
  takeFailure(turnId: string): FailedRequest | undefined {
    const failed = this.#failed.get(turnId);
    this.#failed.delete(turnId);
    return failed;
  }
}

export const noCost: TurnCost = {
  ...{ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 0, agent: 0 },
  ...{ input: 0, cached: 0, output: 0 },
};

/** Reads a cost from disk. */
export function readCost(kept: unknown): TurnCost {
  return turnCostSchema.safeParse(kept).data ?? noCost;
}

/** A cost with one more row that has ended. */
export function withRow(cost: TurnCost, row: Exchange): TurnCost {
  return { ...sumOfCosts(cost, costOf(row)), ...agentsOf(cost.agents, row.agentId, row.charge.nanoAiu ?? 0) };
}

function costOf({ charge, initiator, tokens, outcome }: Exchange): TurnCost {
  // Refused or never sent: it counts as none of a person's or an agent's.
  const counts = charge.kind !== 'none';
  // Copilot counts the output at the end; what it says at the start is a few tokens of a whole answer.
  const isCounted = charge.kind !== 'unknown' || outcome === 'done';
  const isPartlyUnknown = charge.kind === 'unknown' || (charge.partial && outcome !== 'done');
  return {
    ...{ nanoAiu: charge.nanoAiu ?? 0, premiumRequests: charge.premiumRequests ?? 0, estimate: charge.estimate ?? 0 },
    unestimated: isPartlyUnknown && charge.estimate === undefined ? 1 : 0,
    isPartlyUnknown,
    running: 0,
    user: counts && initiator === 'user' ? 1 : 0,
    agent: counts && initiator === 'agent' ? 1 : 0,
    refused: !counts && outcome === 'failed' ? 1 : 0,
    input: (tokens.input ?? 0) + (tokens.cacheWrite ?? 0),
    cached: tokens.cacheRead ?? 0,
    output: isCounted ? (tokens.output ?? 0) : 0,
  };
}

function agentsOf(before: TurnCost['agents'], agentId: string | null, nanoAiu: number): Pick<TurnCost, 'agents'> {
  if (agentId === null) return before === undefined ? {} : { agents: before };
  return { agents: { ...before, [agentId]: (before?.[agentId] ?? 0) + nanoAiu } };
}

/** A row that ended after its session was let go: of the turn of its prompt, or of the last that had begun. */
export function countLate(store: SessionStore, row: Exchange): void {
  if (row.outcome === 'running' || !store.mayWrite || store.sessions.find(row.client)?.hosted !== true) return;
  const turns = store.turns.of(row.client, { limit: lookedAt });
  const turn = ofPrompt(turns, row) ?? turns.findLast(({ startedAt }) => startedAt <= row.startedAt);
  if (turn !== undefined) count(store, turn, row);
}

/**
 * Rows of a process that was killed: those that its last turn had not counted yet, and those that ended with it, at an
 * unknown cost. Returns the turns that they were added to.
 */
export function countLeft(store: SessionStore, rows: readonly Exchange[]): TurnRow[] {
  const changed = new Map<string, TurnRow>();
  for (const row of rows) {
    const turns = store.turns.of(row.client, { limit: lookedAt });
    const ended = row.failure?.code === 'killed' ? ofPrompt(turns, row) : undefined;
    // A row of a turn that was cut off when a person went back belongs to none.
    const open = turns.find(({ state, startedAt }) => state === 'running' && startedAt <= row.startedAt);
    const turn = ended ?? open;
    const counted = turn === undefined ? null : count(store, turn, row);
    if (counted !== null) changed.set(counted.id, counted);
  }
  return [...changed.values()];
}

function ofPrompt(turns: readonly TurnRow[], { prompt }: Exchange): TurnRow | undefined {
  return prompt === null ? undefined : turns.findLast(({ promptIds }) => promptIds.includes(prompt));
}

/** Null if it was counted before. */
function count(store: SessionStore, { id, requestIds, cost }: TurnRow, row: Exchange): TurnRow | null {
  if (requestIds.includes(row.id)) return null;
  return store.turns.change(id, { requestIds: [...requestIds, row.id], cost: withRow(readCost(cost), row) });
}
