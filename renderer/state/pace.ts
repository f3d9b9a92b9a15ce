import type { Exchange } from '../../app/api/exchange.ts';
import { endedAt } from '../../app/words/times.ts';
import { isError } from './log/row.ts';

/** How Copilot has done lately, from the requests of this machine, those before this start among them. */
export interface Pace {
  /** Requests that have ended and that nobody left, those that were never sent among them. */
  requests: number;
  /** Requests that their client left before the end. They are in the list and in no other figure here. */
  left: number;
  /** Those that the list of requests counts as errors, too. */
  failed: number;
  /** ms from our start to the first event, of the middle one and of the slow tenth; null where none came so far. */
  firstToken: { median: number; slow: number } | null;
  /** When the last one ended that worked. */
  lastSuccessAt: number | null;
}

export function paceOf(recent: readonly Exchange[]): Pace {
  const ended = recent.filter(({ outcome }) => outcome !== 'running' && outcome !== 'cancelled');
  const sent = ended.filter(({ path }) => path !== null);
  const times = sent
    .flatMap(({ times: { firstEvent } }) => (firstEvent === null ? [] : [firstEvent]))
    .sort((left, right) => left - right);
  const success = sent.findLast(({ outcome }) => outcome === 'done');
  return {
    requests: ended.length,
    left: recent.filter(({ outcome }) => outcome === 'cancelled').length,
    failed: ended.filter(isError).length,
    firstToken: times.length === 0 ? null : { median: at(times, 0.5), slow: at(times, 0.9) },
    lastSuccessAt: success === undefined ? null : endedAt(success),
  };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
