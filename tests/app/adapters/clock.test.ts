import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';

describe('the clock of this machine', () => {
  const clock = nodeClock();

  it('knows the time, and measures durations that never go back', () => {
    const [before, now, after] = [Date.now(), clock.now(), Date.now()];
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(after);
    const first = clock.ticks();
    expect(clock.ticks()).toBeGreaterThanOrEqual(first);
  });

  it('sleeps as long as told, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const before = clock.ticks();
    await clock.sleep(20, signal);
    expect(clock.ticks() - before).toBeGreaterThanOrEqual(18);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('wakes with the reason of the signal', async () => {
    const reason = new Error('up');
    await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const alarm = new AbortController();
    const sleeping = clock.sleep(60_000, alarm.signal);
    alarm.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});
