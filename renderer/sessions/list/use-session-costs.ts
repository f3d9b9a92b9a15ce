import { useEffect, useMemo, useRef, useState } from 'react';
import type { TurnCost } from '../../../app/api/sessions.ts';
import { timeOf, timeParts } from '../../../app/words/zone.ts';
import { useMinute } from '../../parts/now.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { useSessions } from '../state/hooks.ts';

/** What is asked of many rows is asked no oftener, in ms. */
const restMs = 10_000;

export interface SessionCosts {
  /** What each session cost that is not held; null: not known yet. */
  all: ReadonlyMap<string, TurnCost> | null;
  /** Of the requests of today; null: not known. */
  today: readonly TurnCost[] | null;
}

/** What the sessions of the list cost, now and then asked anew while they change. */
export function useSessionCosts(): SessionCosts {
  const listed = useSessions((state) => state.listed);
  const spent = useWindow(({ sessions }) => [...sessions.values()].reduce((sum, { cost }) => sum + cost.nanoAiu, 0));
  const midnight = startOfDay(useMinute());
  const all = useCosts(0, listed);
  const ofToday = useCosts(
    midnight,
    useMemo(() => ({ spent, listed }), [spent, listed]),
  );
  const today = useMemo(() => (ofToday === null ? null : [...ofToday.values()]), [ofToday]);
  return { all, today };
}

/** @param changed another one: what was asked before may not hold any more */
function useCosts(since: number, changed: unknown): ReadonlyMap<string, TurnCost> | null {
  const { bridge } = useServices();
  const [costs, setCosts] = useState<{ since: number; of: ReadonlyMap<string, TurnCost> } | null>(null);
  const asked = useRef({ since: -1, at: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed is no part of the question.
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      asked.current = { since, at: performance.now() };
      const found = await bridge.sessionCosts(since).catch(() => null);
      if (isWanted && found !== null) setCosts({ since, of: new Map(found.map(({ id, cost }) => [id, cost])) });
    };
    const waited = asked.current.since === since ? performance.now() - asked.current.at : restMs;
    const timer = setTimeout(() => void ask(), Math.max(0, restMs - waited));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [bridge, since, changed]);
  return costs?.since === since ? costs.of : null;
}

function startOfDay(now: number): number {
  const { year, month, day } = timeParts(now);
  return timeOf(year, month, day);
}
