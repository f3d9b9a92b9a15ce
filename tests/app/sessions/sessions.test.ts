import { expect, it } from 'vitest';
import { Emitter, type HeldSession } from '../../../app/api/events.ts';
import { WaitingSessions } from '../../../app/sessions/sessions.ts';
import { session } from '../../main/watched-sessions.ts';

it('sessions that wait are counted, and it is said when it is another number', () => {
  const sessions = new Emitter<[HeldSession]>();
  let changes = 0;
  const waiting = new WaitingSessions({ onSession: sessions.listen, stateChanged: () => changes++ });
  const is = (id: string, state: 'waiting' | 'running'): number => {
    sessions.tell({ event: 'session', session: session(id, { state }) });
    return changes;
  };
  const changesAfter = [is('a', 'running'), is('a', 'waiting'), is('a', 'waiting'), is('b', 'waiting')];
  expect(changesAfter).toEqual([0, 1, 1, 2]);
  expect(is('a', 'running')).toBe(3);
  expect(waiting.count).toBe(1);
  for (const _ of [1, 2]) sessions.tell({ event: 'session-gone', id: 'b' });
  expect([changes, waiting.count]).toEqual([4, 0]);
});
