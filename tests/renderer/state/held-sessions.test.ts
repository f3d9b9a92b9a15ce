import { expect, it } from 'vitest';
import type { Session } from '../../../app/api/sessions.ts';
import type { SessionListener } from '../../../renderer/state/feed.ts';
import { HeldSessions, waitingSessions } from '../../../renderer/state/held-sessions.ts';
import { createWindowStore } from '../../../renderer/state/window-state.ts';
import { soon } from '../../soon.ts';

const session = (id: string, state: Session['state']) => ({ id, state }) as Session;

function open(answer: () => Promise<Session[]>) {
  const store = createWindowStore();
  let listener: SessionListener | null = null;
  new HeldSessions({
    ...{ store, bridge: { heldSessions: answer } },
    feed: {
      listenToSessions: (one) => {
        listener = one;
        return () => undefined;
      },
    },
  }).start();
  const held = () => [...store.getState().sessions.values()].map(({ id, state }) => `${id} ${state}`);
  return {
    store,
    held,
    hear: (news: Parameters<SessionListener['hear']>[0]) => listener?.hear(news),
    listener: () => listener,
  };
}

it('knows those that are held, and counts those that wait', async () => {
  const { store, held, hear } = open(async () => [session('a', 'running'), session('b', 'waiting')]);
  await soon(() => expect(held()).toEqual(['a running', 'b waiting']));
  hear({ event: 'session', session: session('a', 'waiting') });
  await soon(() => expect(waitingSessions(store.getState().sessions)).toBe(2));
  hear({ event: 'session-gone', id: 'b' });
  await soon(() => expect(held()).toEqual(['a waiting']));
});

it('takes what it heard over an answer that was on its way', async () => {
  const answer = Promise.withResolvers<Session[]>();
  const { held, hear } = open(() => answer.promise);
  hear({ event: 'session', session: session('a', 'waiting') });
  hear({ event: 'session-gone', id: 'b' });
  answer.resolve([session('a', 'running'), session('b', 'running')]);
  await soon(() => expect(held()).toEqual(['a waiting']));
});

it('asks again for what it may have missed', async () => {
  let now = [session('a', 'running')];
  const { held, listener } = open(async () => now);
  await soon(() => expect(held()).toEqual(['a running']));
  now = [session('c', 'idle')];
  listener()?.missed();
  await soon(() => expect(held()).toEqual(['c idle']));
});
