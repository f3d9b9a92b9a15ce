import type { Session } from '../../app/api/sessions.ts';

/** The session after the open one that waits for an answer, round and round; null: no other does. */
export function nextWaiting(sessions: Iterable<Session>, open: string | null): string | null {
  const waiting = [...sessions]
    .filter(({ id, state }) => state === 'waiting' || id === open)
    .toSorted((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0) || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id);
  const at = open === null ? -1 : waiting.indexOf(open);
  const next = waiting[(at + 1) % Math.max(1, waiting.length)];
  return next === undefined || next === open ? null : next;
}
