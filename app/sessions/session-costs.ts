import type { SessionCost } from '../api/session-list.ts';
import type { TurnCost } from '../api/sessions.ts';
import { sumOf } from './host/turn-cost.ts';

/** What one client's requests of one conversation cost, as the log has it. */
export interface ClientCost {
  client: string;
  /** As the client names its conversation. */
  session: string | null;
  cost: TurnCost;
}

/**
 * What each session cost. A request belongs to the session whose key it came with, else to the one that its client
 * names.
 *
 * @param turns what the turns of sessions that are led here cost, also those that the log has forgotten; null: as the
 * log has it
 */
export function sessionCosts(
  rows: readonly { id: string; hosted: boolean; agentSessionId: string }[],
  sent: readonly ClientCost[],
  turns: readonly { session: string; cost: TurnCost }[] | null,
): SessionCost[] {
  const led = new Set(rows.flatMap(({ id, hosted }) => (hosted ? [id] : [])));
  const byAgent = new Map(rows.map(({ id, agentSessionId }) => [agentSessionId, id]));
  const sums = new Map<string, TurnCost>();
  const add = (id: string, cost: TurnCost): void => {
    const before = sums.get(id);
    sums.set(id, before === undefined ? cost : sumOf(before, cost));
  };
  for (const { client, session, cost } of sent) {
    if (!led.has(client)) {
      if (session !== null) add(byAgent.get(session) ?? session, cost);
    } else if (turns === null) add(client, cost);
  }
  for (const { session, cost } of turns ?? []) add(session, cost);
  return [...sums].flatMap(([id, cost]) => (cost.user + cost.agent === 0 ? [] : [{ id, cost }]));
}
