import type { SessionStore } from '../store/session-store.ts';

/**
 * What was under way when the process before this one ended is on record as interrupted, and its questions as denied:
 * nothing goes on by itself, and no old answer is ever given.
 */
export function closeInterrupted(store: SessionStore, now: number): void {
  store.atOnce(() => {
    for (const { id, sessionId, turnId, kind } of store.questions.open()) {
      const answer = kind === 'permission' ? { answer: 'deny' } : { answer: 'form', action: 'cancel' };
      store.questions.answer(id, answer);
      store.record.append({ sessionId, turnId, kind: 'answered', event: { id, by: 'stopped', rule: null, answer } });
    }
    for (const { id, sessionId } of store.turns.underWay()) {
      store.turns.change(id, { state: 'interrupted', endedAt: now });
      store.sessions.decorate(sessionId, { outcome: 'interrupted', endedAt: now });
      const event = { state: 'interrupted', stopReason: null, problem: null, usage: null };
      store.record.append({ sessionId, turnId: id, kind: 'turn-ended', event });
    }
  });
}
