import { expect, it } from 'vitest';
import { WaitingSessions } from '../../../app/sessions/sessions.ts';
import { session } from '../../main/watched-sessions.ts';

it('sessions that wait are counted, and it is said when it is another number', () => {
  const waiting = new WaitingSessions();
  const is = (id: string, state: 'waiting' | 'running') =>
    waiting.hear({ kind: 'session', session: session(id, { state }) });
  const received = [is('a', 'running'), is('a', 'waiting'), is('a', 'waiting'), is('b', 'waiting'), is('a', 'running')];
  expect(received).toEqual([false, true, false, true, true]);
  expect(waiting.count).toBe(1);
  expect(waiting.hear({ kind: 'gone', sessionId: 'b' })).toBe(true);
  expect(waiting.hear({ kind: 'deleted', sessionId: 'b' })).toBe(false);
  expect(waiting.count).toBe(0);
});
