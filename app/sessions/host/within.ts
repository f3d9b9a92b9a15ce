import type { Clock } from '../../ports.ts';

/** Resolves with `work`, or after so many ms. Rejects where `work` does so before. */
export async function within(ms: number, clock: Pick<Clock, 'sleep'>, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
}
