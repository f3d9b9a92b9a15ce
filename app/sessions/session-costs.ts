import { sumOfCosts } from '../api/figures.ts';
import type { SessionCost, TranscriptPage } from '../api/session-list.ts';
import type { TurnCost } from '../api/sessions.ts';

/** What one client's requests of one conversation cost, as the log has it. */
export interface ClientCost {
  client: string;
  /** The client's name for its conversation. */
  session: string | null;
  cost: TurnCost;
}

/** What one client's requests of one prompt cost, those of each subagent by themselves. */
export interface PromptCost {
  client: string;
  prompt: string;
  agentId: string | null;
  cost: TurnCost;
}

/**
 * Turns of a transcript with what their requests cost. Those of turns that are led here carry the key of their session:
 * their rows tell their cost.
 *
 * @param isLed whether a client is such a session
 */
export function withPromptCosts<Turn extends { promptIds: readonly string[] }>(
  turns: readonly Turn[],
  sent: readonly PromptCost[],
  isLed: (client: string) => boolean,
): (Turn & Pick<TranscriptPage['turns'][number], 'cost'>)[] {
  const elsewhere = sent.filter(({ client }) => !isLed(client));
  return turns.map((turn) => ({
    ...turn,
    cost: costOfTurn(elsewhere.filter(({ prompt }) => turn.promptIds.includes(prompt))),
  }));
}

function costOfTurn(sent: readonly PromptCost[]): TurnCost | null {
  const [first, ...others] = sent.map(({ cost }) => cost);
  if (first === undefined) return null;
  const agents: Record<string, number> = {};
  for (const { agentId, cost } of sent) {
    if (agentId !== null) agents[agentId] = (agents[agentId] ?? 0) + cost.nanoAiu;
  }
  return { ...others.reduce(sumOfCosts, first), ...(Object.keys(agents).length === 0 ? {} : { agents }) };
}

/**
 * What each session cost. A request belongs to the session whose key it came with, else to the one that its client
 * names.
 *
 * @param turns what the turns of sessions that are led here cost, also those that the log has forgotten
 */
export function sessionCosts(
  rows: readonly { id: string; hosted: boolean; agentSessionId: string }[],
  sent: readonly ClientCost[],
  turns: readonly { session: string; cost: TurnCost }[],
): SessionCost[] {
  const led = new Set(rows.flatMap(({ id, hosted }) => (hosted ? [id] : [])));
  const byAgent = new Map(rows.map(({ id, agentSessionId }) => [agentSessionId, id]));
  const sums = new Map<string, { cost: TurnCost; elsewhere: TurnCost | null }>();
  const add = (id: string, cost: TurnCost, isElsewhere: boolean): void => {
    const before = sums.get(id) ?? null;
    const elsewhere = before?.elsewhere ?? null;
    sums.set(id, {
      cost: before === null ? cost : sumOfCosts(before.cost, cost),
      elsewhere: !isElsewhere ? elsewhere : elsewhere === null ? cost : sumOfCosts(elsewhere, cost),
    });
  };
  for (const { client, session, cost } of sent) {
    if (!led.has(client) && session !== null) add(byAgent.get(session) ?? session, cost, true);
  }
  for (const { session, cost } of turns) add(session, cost, false);
  return [...sums].flatMap(([id, sum]) => (sum.cost.user + sum.cost.agent === 0 ? [] : [{ id, ...sum }]));
}
