import type { Exchange } from '../../../app/api.ts';
import { exactDuration } from '../../../app/words/exact-times.ts';

/** One line of the waterfall. ms after the start. */
export interface Phase {
  name: string;
  start: number;
  end: number;
  kind: 'own' | 'wait' | 'stream';
  took: string;
}

/** What the time went into, in the order in which it passed; only what is known. `end`: now, for one that runs. */
export function phases(
  { times, attempts, outcome }: Pick<Exchange, 'times' | 'attempts' | 'outcome'>,
  end: number,
): Phase[] {
  const found: Phase[] = [];
  const add = (name: string, start: number | null, until: number | null, kind: Phase['kind']): void => {
    if (start === null) return;
    const to = until ?? (outcome === 'running' ? end : null);
    if (to !== null)
      found.push({ name, start, end: Math.max(start, to), kind, took: exactDuration(Math.max(0, to - start)) });
  };
  add('Prepare for Copilot', 0, times.sent, 'own');
  if (times.sent === null) return found;
  if (attempts.length > 1) {
    attempts.forEach((attempt, index) => {
      add(`Attempt ${index + 1}`, attempt.at, attempts[index + 1]?.at ?? times.headers, 'wait');
    });
  } else add('Wait for headers', times.sent, times.headers, 'wait');
  if (times.headers === null) return found;
  if (times.firstEvent !== null || outcome === 'running')
    add('Wait for first token', times.headers, times.firstEvent, 'wait');
  if (times.firstEvent !== null) add('Stream', times.firstEvent, times.lastEvent, 'stream');
  return found;
}

/** `68.3 tokens per second`; null where there is too little to say. */
export function speed({ times, tokens }: Pick<Exchange, 'times' | 'tokens'>): string | null {
  if (tokens.output === null || times.firstEvent === null || times.lastEvent === null) return null;
  const seconds = (times.lastEvent - times.firstEvent) / 1000;
  return seconds < 0.05 ? null : `${(tokens.output / seconds).toFixed(1)} tokens per second`;
}
