import { useEffect, useMemo, useRef } from 'react';
import { timeOf, timeParts } from '../../app/words/zone.ts';
import { useMinute } from '../parts/now.ts';
import { useWindow } from '../state/services.ts';
import type { CostsOfToday } from './cost-words.ts';
import { useSessionActions, useSessions } from './state/hooks.ts';

/** The costs of all days are read no oftener, in ms: that takes many rows. */
const everMs = 10_000;
/** Those of today stand beside what a running turn costs. */
const todayMs = 1_000;

/** Keeps what sessions cost in step while they change. Once in the view. */
export function useSessionCosts(): void {
  const listed = useSessions((state) => state.listed);
  // Not their price, which a plan of premium requests does not have.
  const sent = useWindow(({ sessions }) =>
    [...sessions.values()].reduce((sum, { cost }) => sum + cost.user + cost.agent, 0),
  );
  useReading(0, listed, everMs);
  useReading(
    startOfDay(useMinute()),
    useMemo(() => ({ sent, listed }), [sent, listed]),
    todayMs,
  );
}

/** Null: not known. */
export function useCostsOfToday(): CostsOfToday | null {
  const ofDay = useSessions((state) => state.costsOfDay);
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const today = startOfDay(useMinute());
  return useMemo(() => {
    if (ofDay?.since !== today) return null;
    const costs = [...ofDay.of.values()].map(({ cost }) => cost);
    return { costs, until: ofDay.isOld || isLost ? ofDay.at : null };
  }, [ofDay, today, isLost]);
}

/**
 * @param changed another one: what was read before may not hold any more
 * @param restMs between two readings
 */
function useReading(since: number, changed: unknown, restMs: number): void {
  const { readCosts } = useSessionActions();
  const asked = useRef({ since: -1, at: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed is no part of the question.
  useEffect(() => {
    const waited = asked.current.since === since ? performance.now() - asked.current.at : restMs;
    const timer = setTimeout(
      () => {
        asked.current = { since, at: performance.now() };
        void readCosts(since);
      },
      Math.max(0, restMs - waited),
    );
    return () => clearTimeout(timer);
  }, [readCosts, since, changed, restMs]);
}

function startOfDay(now: number): number {
  const { year, month, day } = timeParts(now);
  return timeOf(year, month, day);
}
