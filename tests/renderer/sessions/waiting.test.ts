import { expect, it } from 'vitest';
import type { Session } from '../../../app/api/sessions.ts';
import { nextWaiting } from '../../../renderer/sessions/waiting.ts';

const session = (id: string, state: Session['state'], sentAt: number) => ({ id, state, sentAt }) as Session;

it('goes round the sessions that wait, in the order of the list', () => {
  const all = [
    session('c', 'waiting', 1),
    session('run', 'running', 5),
    session('a', 'waiting', 3),
    session('b', 'waiting', 2),
  ];
  expect(nextWaiting(all, null)).toBe('a');
  expect(nextWaiting(all, 'a')).toBe('b');
  expect(nextWaiting(all, 'c')).toBe('a');
  expect(nextWaiting(all, 'run')).toBe('a');
  expect(nextWaiting([session('a', 'waiting', 3), session('run', 'running', 5)], 'a')).toBeNull();
  expect(nextWaiting([], null)).toBeNull();
});
