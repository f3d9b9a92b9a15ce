import type { Exchange } from '../../app/api/exchange.ts';

/** How Copilot has done lately, from the requests of this machine, those before this start among them. */
export interface Pace {
  /** Requests that were sent and have ended. */
  requests: number;
  failed: number;
  /** ms from our start to the first event, of the middle one and of the slow tenth; null where none came so far. */
  firstToken: { median: number; slow: number } | null;
  /** When the last one began that worked. */
  lastSuccessAt: number | null;
}

export function paceOf(recent: readonly Exchange[]): Pace {
  const sent = recent.filter(({ path, outcome }) => path !== null && outcome !== 'running' && outcome !== 'cancelled');
  const times = sent
    .flatMap(({ times: { firstEvent } }) => (firstEvent === null ? [] : [firstEvent]))
    .sort((left, right) => left - right);
  return {
    requests: sent.length,
    failed: sent.filter(({ outcome }) => outcome === 'failed' || outcome === 'cut').length,
    firstToken: times.length === 0 ? null : { median: at(times, 0.5), slow: at(times, 0.9) },
    lastSuccessAt: sent.findLast(({ outcome }) => outcome === 'done')?.startedAt ?? null,
  };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
