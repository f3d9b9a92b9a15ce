import { expect, it } from 'vitest';
import { isAtWork, isWorking } from '../../../app/words/session-work.ts';
import { session } from '../../main/watched-sessions.ts';

it('a session is at work while something of it would be cut off', () => {
  const task = { id: 't', kind: 'command' as const, title: 'x' };
  const queued = { id: 'm', prompt: [], queuedAt: 0 };
  const of = (change: Parameters<typeof session>[1]) => {
    const one = session('s', change);
    return [isWorking(one), isAtWork(one)];
  };
  expect(of({ state: 'running' })).toEqual([true, true]);
  expect(of({ state: 'waiting', tasks: [task] })).toEqual([false, true]);
  expect(of({ state: 'idle', tasks: [task] })).toEqual([true, true]);
  expect(of({ state: 'idle', queue: [queued] })).toEqual([false, true]);
  expect(of({ state: 'idle', queue: [queued], isQueuePaused: true })).toEqual([false, false]);
  expect(of({ state: 'idle' })).toEqual([false, false]);
  expect(of({ state: 'provisional' })).toEqual([false, false]);
});
