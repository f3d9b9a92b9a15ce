import type { Exchange } from '../../api/exchange.ts';
import type { SessionStore } from '../store/session-store.ts';
import { countLeft } from './left-costs.ts';
import { readCost } from './turn-cost.ts';

/** A request of a subagent may have been begun so long before the process ended, in ms. */
const looksBackMs = 24 * 60 * 60_000;

/**
 * What was under way when the process before this one ended is on record as interrupted, with what it cost, and its
 * questions as denied: nothing goes on by itself, and no old answer is ever given.
 * @param rows of the log, of these sessions since then
 */
export function closeInterrupted(
  store: SessionStore,
  now: number,
  rows: (sessionIds: readonly string[], since: number) => readonly Exchange[],
): void {
  store.atOnce(() => {
    const lastSigns = new Map(
      store.turns.underWay().map(({ id, sessionId, startedAt }) => [id, lastSign(store, sessionId) ?? startedAt]),
    );
    const since = Math.min(now - looksBackMs, ...store.turns.underWay().map(({ startedAt }) => startedAt));
    for (const { id, sessionId, cost } of countLeft(store, rows(store.turns.sessionsSince(since), since))) {
      store.record.append({ sessionId, turnId: id, kind: 'cost', event: readCost(cost) });
    }
    for (const { id, sessionId, turnId, kind } of store.questions.open()) {
      const answer = kind === 'permission' ? { answer: 'deny' } : { answer: 'form', action: 'cancel' };
      store.questions.answer(id, answer);
      store.record.append({ sessionId, turnId, kind: 'answered', event: { id, by: 'stopped', rule: null, answer } });
    }
    for (const { id, sessionId, turnId, prompt } of store.steered.unread().toReversed()) {
      store.queue.add({ id, sessionId, prompt }, 'front');
      store.steered.remove(id);
      store.record.append({ sessionId, turnId, kind: 'steered', event: { id, prompt: null } });
    }
    for (const { id, sessionId } of store.turns.underWay()) {
      const endedAt = lastSigns.get(id) ?? now;
      store.turns.change(id, { state: 'interrupted', endedAt });
      store.sessions.decorate(sessionId, { outcome: 'interrupted', endedAt });
      const event = { state: 'interrupted', stopReason: null, problem: null, usage: null };
      store.record.append({ sessionId, turnId: id, kind: 'turn-ended', event });
    }
  });
}

/** When something of a session was last told: its end came after that. */
function lastSign(store: SessionStore, sessionId: string): number | null {
  return store.record.readLast(sessionId, null, 1).entries.at(-1)?.at ?? null;
}
