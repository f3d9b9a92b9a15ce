import { useEffect, useRef } from 'react';
import type { Session } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { announce } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import type { WindowState } from '../state/window-state.ts';
import { titleOf } from './list/list-rows.ts';
import { sessionsOf } from './state/sessions-feed.ts';

/** The session after the open one that waits for an answer, round and round; null if no other does. */
export function nextWaiting(sessions: Iterable<Session>, open: string | null): string | null {
  const waiting = [...sessions]
    .filter(({ id, state }) => state === 'waiting' || id === open)
    .toSorted((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0) || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id);
  const at = open === null ? -1 : waiting.indexOf(open);
  const next = waiting[(at + 1) % Math.max(1, waiting.length)];
  return next === undefined || next === open ? null : next;
}

/** Least time between two sentences, in ms. */
const quietMs = 10_000;

/** Says that another session than the one that is open waits for the person: `Move all dates waits for you`. */
export function useSpokenWaiting(open: string | null): void {
  const services = useServices();
  const { store } = services;
  const listed = sessionsOf(services).store;
  const opened = useRef(open);
  opened.current = open;
  useEffect(() => {
    let before = waitingIn(store.getState().sessions);
    let saidAt = Number.NEGATIVE_INFINITY;
    /** Sessions added since the last sentence. */
    let due = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const say = (): void => {
      timer = null;
      const { sessions } = store.getState();
      const waiting = waitingIn(sessions);
      const known = listed.getState().listed;
      const names = [...due].flatMap((id) =>
        waiting.has(id) ? titleOf(id, sessions.get(id) ?? null, known?.get(id) ?? null) : [],
      );
      due = new Set();
      const [first, ...others] = names;
      if (first === undefined) return;
      saidAt = performance.now();
      announce(
        store,
        others.length === 0
          ? t('{session} waits for you', { session: first })
          : t('{count, plural, one {# session waits for you} other {# sessions wait for you}}', {
              count: names.length,
            }),
      );
    };
    const stop = store.subscribe(({ sessions }) => {
      const waiting = waitingIn(sessions);
      for (const id of waiting) if (!before.has(id) && id !== opened.current) due.add(id);
      before = waiting;
      if (due.size > 0) timer ??= setTimeout(say, Math.max(0, saidAt + quietMs - performance.now()));
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [store, listed]);
}

function waitingIn(sessions: WindowState['sessions']): ReadonlySet<string> {
  return new Set([...sessions.values()].flatMap(({ id, state }) => (state === 'waiting' ? [id] : [])));
}
