import type { Exchange } from '../../api/exchange.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import { readCost, withRow } from './turn-cost.ts';

/** Of the turns of a session so many are looked through for the one of a row. */
const lookedAt = 50;

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

/** Null: it was counted before. */
function count(store: SessionStore, { id, requestIds, cost }: TurnRow, row: Exchange): TurnRow | null {
  if (requestIds.includes(row.id)) return null;
  return store.turns.change(id, { requestIds: [...requestIds, row.id], cost: withRow(readCost(cost), row) });
}
