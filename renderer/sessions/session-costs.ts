import { useEffect, useMemo, useRef } from 'react';
import type { RunningAnswer } from '../../app/api/events.ts';
import { sumOfCosts } from '../../app/api/figures.ts';
import type { TotalsRow } from '../../app/api/history.ts';
import type { SessionCost } from '../../app/api/session-list.ts';
import type { TurnCost } from '../../app/api/sessions.ts';
import { asSentence, sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import {
  costSoFarWords,
  costUnknown,
  costWithUnit,
  costWords,
  isPartEstimated,
  partEstimated,
  shortCostWords,
} from '../../app/words/charge.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { roundedParts } from '../../app/words/numbers.ts';
import { hourAndMinute, timeOf, timeParts } from '../../app/words/times.ts';
import { useMinute } from '../parts/now.ts';
import { useWindow } from '../state/services.ts';
import type { ListRow } from './list/list-rows.ts';
import { useSessionActions, useSessions } from './state/hooks.ts';

/** What all requests of today cost; null: there are none. */
interface CostOfToday {
  cost: Pick<TotalsRow, 'nanoAiu' | 'premiumRequests' | 'unknown' | 'estimate' | 'unestimated'> | null;
  /** End of the period if it isn't now; ms since the epoch. */
  until: number | null;
}

/** `182.40 credits today, all clients`; `182.40 credits by 10:41, …`: what came after that can’t be asked for. */
export function todayWords(world: World, today: CostOfToday): string {
  const cost = sumOfToday(world, today);
  return today.until === null
    ? t('{cost} today, all clients', { cost })
    : t('{cost} by {time}, all clients', { cost, time: hourAndMinute(today.until) });
}

/** The same, and that a part is estimated where more is unknown beside it. */
export function todayTitle(world: World, today: CostOfToday): string {
  const words = todayWords(world, today);
  return isPartEstimated(world, today.cost ?? {}) ? sentences(asSentence(words), partEstimated()) : words;
}

/** The same where there is little room: `≥ 182 credits today`. */
export function shortTodayWords(world: World, today: CostOfToday): string {
  const cost = sumOfToday(world, today, shortCostWords);
  return today.until === null
    ? t('{cost} today', { cost })
    : t('{cost} by {time}', { cost, time: hourAndMinute(today.until) });
}

function sumOfToday(world: World, { cost }: CostOfToday, inWords?: typeof shortCostWords): string {
  const { unknown, ...sum } = cost ?? { nanoAiu: 0, premiumRequests: 0, unknown: 0 };
  return costWithUnit(world, { ...sum, isPartlyUnknown: unknown > 0 }, inWords);
}

/** Where nothing of a session is known: it was made elsewhere, and no request of it came through the proxy. */
export const unknownCost = '–';

/** What sessions cost, as it was asked last; null: not yet. */
type Costs = ReadonlyMap<string, SessionCost> | null;

/** What a session cost: of one that is held, up to now. Null if nothing is known. */
export function costOf({ id, held }: Pick<ListRow, 'id' | 'held'>, costs: Costs): TurnCost | null {
  const known = costs?.get(id) ?? null;
  // One that was made elsewhere may be held as well: then nothing was sent in it here.
  if (held === null || held.sentAt === null) return known?.cost ?? null;
  const elsewhere = known?.elsewhere ?? null;
  return elsewhere === null ? held.cost : sumOfCosts(held.cost, elsewhere);
}

/** What a session cost beside these turns of it: those that were cut off, and such as are not among them. */
export function costBeside(whole: TurnCost, turns: readonly TurnCost[]): TurnCost | null {
  const shown = turns.reduce(sumOfCosts, noCost);
  const user = whole.user - shown.user;
  const agent = whole.agent - shown.agent;
  // A turn that runs may have grown since its cost was asked for.
  if (user + agent <= 0 || whole.running > 0) return null;
  const nanoAiu = whole.nanoAiu - shown.nanoAiu;
  const premiumRequests = Math.round((whole.premiumRequests - shown.premiumRequests) * 1e6) / 1e6;
  const isPartlyUnknown = whole.isPartlyUnknown && !shown.isPartlyUnknown;
  const estimate = (whole.estimate ?? 0) - (shown.estimate ?? 0);
  const unestimated = (whole.unestimated ?? 0) - (shown.unestimated ?? 0);
  return {
    ...{ ...noCost, nanoAiu, premiumRequests, isPartlyUnknown, user, agent },
    ...(estimate > 0 && { estimate }),
    ...(unestimated > 0 && { unestimated }),
  };
}

/** What the parts of a sum cost, rounded so that they add up to it as it is shown. */
export function partsInWords(world: World, parts: readonly TurnCost[]): string[] {
  const rounded = roundedParts(parts.map(({ nanoAiu }) => nanoAiu / 1e9));
  return parts.map((cost, at) => costWords(world, { ...cost, nanoAiu: (rounded[at] ?? 0) * 1e9 }));
}

const noCost: TurnCost = {
  ...{ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 0, agent: 0 },
  ...{ input: 0, cached: 0, output: 0 },
};

/** Our estimate of what the running answers of a session cost so far, in nano-AIU; 0: none, or not known. */
export function estimateOf(running: readonly RunningAnswer[], id: string): number {
  const own = running.filter(({ client, session }) => client === id || session === id);
  return own.reduce((sum, { nanoAiu }) => sum + (nanoAiu ?? 0), 0);
}

/** `≈ 4.10 credits`, what a running turn cost so far; null: nothing of it is known yet. */
export function turnSoFar(world: World, cost: TurnCost, estimate: number): string | null {
  if (estimate > 0 && world !== 'premium')
    return t('{cost} {world, select, premium {premium requests} other {credits}}', {
      cost: costSoFarWords(world, cost, estimate),
      world,
    });
  return cost.user + cost.agent === 0 ? null : costWithUnit(world, cost);
}

/**
 * What the row of a session says it cost; empty: not known yet, or nothing was asked. `inFull`: as there is room for it
 * elsewhere.
 */
export function rowCost(
  world: World,
  row: Pick<ListRow, 'id' | 'held' | 'listed'>,
  costs: Costs,
  running: readonly RunningAnswer[] = [],
  inFull = false,
): string {
  const cost = costOf(row, costs);
  const estimate = estimateOf(running, row.id);
  const words = inFull ? costSoFarWords : shortCostWords;
  if (cost !== null && estimate > 0) return words(world, cost, estimate);
  if (cost !== null && cost.user + cost.agent === 0 && cost.running === 0) return '';
  if (cost !== null) return costWithUnit(world, cost) === costUnknown() ? costUnknown() : words(world, cost, 0);
  if (costs === null) return '';
  // A copy that was made here, too: its turns are charged to the session that it was copied from.
  const isOurs = row.listed?.hosted === true || (row.held !== null && row.held.parent !== null);
  return isOurs ? '' : unknownCost;
}

/** The costs are read no oftener, in ms, beside a running turn's. */
const soonestMs = 1_000;
/** Those of all days, which may take many rows: this many times as rarely as a reading takes, up to so many ms. */
const restsPerReading = 20;
const latestMs = 10_000;

/** Keeps what sessions cost in step while they change. Once in the view. */
export function useSessionCosts(): void {
  const listed = useSessions((state) => state.listed);
  // Not their price, which a plan of premium requests does not have.
  const sent = useWindow(({ sessions }) =>
    [...sessions.values()].reduce((sum, { cost }) => sum + cost.user + cost.agent, 0),
  );
  const { readCosts, readToday } = useSessionActions();
  useReading(readCosts, 0, listed);
  useReading(
    readToday,
    startOfDay(useMinute()),
    useMemo(() => ({ sent, listed }), [sent, listed]),
  );
}

/** Null if unknown. */
export function useCostOfToday(): CostOfToday | null {
  const ofDay = useSessions((state) => state.costOfDay);
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const today = startOfDay(useMinute());
  return useMemo(() => {
    if (ofDay?.since !== today) return null;
    return { cost: ofDay.cost, until: ofDay.isOld || isLost ? ofDay.at : null };
  }, [ofDay, today, isLost]);
}

/** How long nothing is read after a reading that took so long, in ms. */
export function restAfter(tookMs: number): number {
  return Math.min(latestMs, Math.max(soonestMs, tookMs * restsPerReading));
}

/** @param changed another one: what was read before may not hold any more */
function useReading(read: (since: number) => Promise<void>, since: number, changed: unknown): void {
  const asked = useRef({ since: -1, at: Number.NEGATIVE_INFINITY, restMs: soonestMs });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed is no part of the question.
  useEffect(() => {
    const { restMs } = asked.current;
    const waited = asked.current.since === since ? performance.now() - asked.current.at : restMs;
    const timer = setTimeout(
      () => {
        const at = performance.now();
        asked.current = { since, at, restMs };
        void read(since).finally(() => {
          if (asked.current.at === at) asked.current.restMs = restAfter(performance.now() - at);
        });
      },
      Math.max(0, restMs - waited),
    );
    return () => clearTimeout(timer);
  }, [read, since, changed]);
}

function startOfDay(now: number): number {
  const { year, month, day } = timeParts(now);
  return timeOf(year, month, day);
}
