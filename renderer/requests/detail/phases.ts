import type { Exchange } from '../../../app/api/exchange.ts';
import { t } from '../../../app/language/translate.ts';
import { isOutputIncomplete } from '../../../app/words/exchange-cells.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { exactDuration } from '../../../app/words/times.ts';

/** One line of the waterfall. ms after the start. */
export interface Phase {
  name: string;
  start: number;
  end: number;
  kind: 'own' | 'wait' | 'stream';
  /** A duration, or why it took none: `cached`, `reused`. */
  took: string;
}

type Timed = Pick<Exchange, 'times' | 'attempts' | 'outcome'>;

/** What the time went into, in the order in which it passed; only what is known. `end`: now, for one that runs. */
export function phases({ times, attempts, outcome }: Timed, end: number): Phase[] {
  const found: Phase[] = [];
  const add = (
    name: string,
    start: number | null,
    until: number | null,
    kind: Phase['kind'],
    instead?: string,
  ): void => {
    if (start === null) return;
    const to = until ?? (outcome === 'running' ? end : null);
    if (to === null) return;
    const took = instead ?? exactDuration(Math.max(0, to - start));
    found.push({ name, start, end: Math.max(start, to), kind, took });
  };
  const { read = null, held = null } = times;
  const [first] = attempts;
  if (read !== null) add(t('Read request'), 0, read, 'own');
  const asked = first?.token === undefined ? null : first.at - first.token;
  const prepared = held?.from ?? asked ?? times.sent;
  if (times.sent === null && held === null) {
    if (outcome !== 'running') add(t('Answered by Jumpseat'), read ?? 0, times.lastEvent, 'own');
    return found;
  }
  add(t('Prepare for Copilot'), read ?? 0, prepared, 'own');
  if (held !== null) add(t('Held'), held.from, held.until, 'wait');
  if (times.sent === null) return found;
  if (attempts.length > 1) {
    attempts.forEach((attempt, index) => {
      const next = attempts[index + 1];
      add(
        t('Attempt {number}', { number: index + 1 }),
        attempt.at,
        next === undefined ? times.headers : next.at,
        'wait',
      );
    });
  } else {
    const at = first?.at ?? times.sent;
    const { token, connect } = first ?? {};
    if (token !== undefined) add(t('Token'), at - token, at, 'wait', token === 0 ? t('cached') : undefined);
    if (connect !== undefined) add(t('Connect'), at, at + connect, 'wait', connect === 0 ? t('reused') : undefined);
    add(t('Wait for headers'), at + (connect ?? 0), times.headers, 'wait');
  }
  if (times.headers === null) return found;
  if (times.firstEvent !== null || outcome === 'running')
    add(t('Wait for first token'), times.headers, times.firstEvent, 'wait');
  if (times.firstEvent !== null) add(t('Stream'), times.firstEvent, times.lastEvent, 'stream');
  return found;
}

/** `68.3 tokens per second`; null if there is too little to say. */
export function speed(exchange: Pick<Exchange, 'times' | 'tokens' | 'outcome' | 'status'>): string | null {
  const { times, tokens } = exchange;
  if (isOutputIncomplete(exchange) || tokens.output === null || times.firstEvent === null || times.lastEvent === null)
    return null;
  const seconds = (times.lastEvent - times.firstEvent) / 1000;
  return seconds < 0.05 ? null : t('{speed} tokens per second', { speed: grouped(tokens.output / seconds, 1) });
}
