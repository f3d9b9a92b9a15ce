import type { Session } from '../api/sessions.ts';
import { clockTime } from './times.ts';

const busyStates: ReadonlySet<Session['state']> = new Set(['starting', 'in-line', 'running', 'stopping']);

/** Works by itself: no person is waited for. */
export function isWorking({ state, tasks }: Pick<Session, 'state' | 'tasks'>): boolean {
  return busyStates.has(state) || (state !== 'waiting' && tasks.length > 0);
}

/** Queued messages are sent by themselves: the end of its turn is not the end of its work. */
export function hasNext({ queue, isQueuePaused }: Pick<Session, 'queue' | 'isQueuePaused'>): boolean {
  return queue.length > 0 && !isQueuePaused;
}

/** Something of it is cut off where Jumpseat ends: a turn, what runs in the background, messages about to be sent. */
export function isAtWork(session: Pick<Session, 'state' | 'tasks' | 'queue' | 'isQueuePaused'>): boolean {
  return isWorking(session) || session.state === 'waiting' || hasNext(session);
}

/** Null: no failed request waits to be sent again. @param withReason where there is room for it */
export function retryWords({ retry }: Pick<Session, 'retry'>, withReason: boolean): string | null {
  if (retry === undefined) return null;
  const reason = retry.status === null ? ' (no connection)' : ` (status ${retry.status})`;
  return `Waiting for Copilot${withReason ? reason : ''}, retries at ${clockTime(retry.at)}`;
}
