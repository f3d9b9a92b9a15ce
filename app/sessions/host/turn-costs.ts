import type { Exchange } from '../../api/exchange.ts';
import type { TurnCost } from '../../api/sessions.ts';
import { sumOfCosts } from '../../api/sum-of-costs.ts';
import type { SessionStore } from '../store/session-store.ts';
import { type FailedRequest, failedAfter } from './failure-cause.ts';
import { noCost, readCost, withRow } from './turn-cost.ts';

export interface TurnCostsDependencies {
  sessionId: string;
  store: SessionStore;
  /** The turn under way; null: none is. */
  current(): { id: string; initiator: 'user' | 'agent' } | null;
  changed(turnId: string, cost: TurnCost): void;
  /** A request of the conversation itself began. */
  began(): void;
}

/** Of the turns of a session so many are looked through for a prompt that is not known. */
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
  /** Of the rows that have ended; null: not added up yet. */
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
