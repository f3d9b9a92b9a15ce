import { describe, expect, it } from 'vitest';
import { DashboardDoor } from '../../../app/server/dashboard-routes.ts';
import { HandClock } from '../account/hand-clock.ts';

const tokenOf = (url: string): string => new URL(url).searchParams.get('link') ?? '';
const dayMs = 24 * 60 * 60_000;

describe('the dashboard’s link', () => {
  it('is good for a day', () => {
    const clock = new HandClock();
    const door = new DashboardDoor(clock, 'secret');
    const [early, late] = [door.link('http://x'), door.link('http://x')];
    clock.advance(dayMs);
    expect(door.enter(tokenOf(early.url), 4180)).not.toBeNull();
    clock.advance(1);
    expect(door.enter(tokenOf(late.url), 4180)).toBeNull();
  });

  it('works once and says so', async () => {
    const door = new DashboardDoor(new HandClock(), 'secret');
    const { url, used } = door.link('http://x');
    expect(door.enter(tokenOf(url), 4180)).toMatch(/^jumpseat-4180=/);
    await used;
    expect(door.enter(tokenOf(url), 4180)).toBeNull();
  });

  it('counts among the newest sixteen only, so that unused links do not pile up', () => {
    const door = new DashboardDoor(new HandClock(), 'secret');
    const urls = Array.from({ length: 17 }, () => door.link('http://x').url);
    expect(urls.map((url) => door.enter(tokenOf(url), 4180) !== null)).toEqual([false, ...Array(16).fill(true)]);
  });
});
