import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../../../app/api/sessions.ts';
import { takenUp } from '../../../../renderer/sessions/composer/draft-keeper.ts';
import type { WindowState } from '../../../../renderer/state/window-state.ts';

/** An app that holds one session, and a window that hears of its changes. */
function surroundings(first: Partial<Session> | null) {
  let held = first;
  const store = createStore<Pick<WindowState, 'sessions'>>(() => ({ sessions: new Map() }));
  const bridge = { heldSessions: async () => (held === null ? [] : [{ id: 's1', ...held } as Session]) };
  const becomes = (next: Partial<Session> | null): void => {
    held = next;
    store.setState({ sessions: new Map() });
  };
  return { given: { store, bridge } as never as Parameters<typeof takenUp>[0], becomes };
}

const begins = { state: 'starting' as const, beginsWith: { id: 'm1', prompt: [], queuedAt: 1 } };

it.each([
  ['it is begun', { state: 'running' as const }, true],
  ['it could not be begun', { state: 'provisional' as const }, false],
  ['Jumpseat was started anew', null, false],
])('a message that a session begins with: %s', async (_, after, isSent) => {
  const { given, becomes } = surroundings(begins);
  const taken = await takenUp(given, 'm1');
  becomes(begins);
  becomes(after);
  expect(await taken?.isSent).toBe(isSent);
});

it('no session begins with another message', async () => {
  expect(await takenUp(surroundings(begins).given, 'm2')).toBeNull();
  expect(await takenUp(surroundings(null).given, 'm1')).toBeNull();
});
