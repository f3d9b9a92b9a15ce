import { describe, expect, it } from 'vitest';
import { BusySign } from '../../../main/tray/busy-sign.ts';
import { HandClock } from '../hand-clock.ts';

function sign() {
  const clock = new HandClock();
  const changes: [number, number][] = [];
  const busy: BusySign = new BusySign(clock, () => changes.push([clock.ticks(), busy.shown]));
  return { clock, busy, changes };
}

describe('the busy sign', () => {
  it('comes with the 300th millisecond and not before', async () => {
    const { clock, busy, changes } = sign();
    busy.see(2);
    await clock.to(299);
    expect(busy.shown).toBe(0);
    await clock.to(300);
    expect({ shown: busy.shown, changes }).toEqual({ shown: 2, changes: [[300, 2]] });
  });

  it('a short request never shows', async () => {
    const { clock, busy, changes } = sign();
    busy.see(1);
    await clock.to(200);
    busy.see(0);
    await clock.to(5000);
    expect(changes).toEqual([]);
  });

  it('stays a second at least', async () => {
    const { clock, busy, changes } = sign();
    busy.see(1);
    await clock.to(400);
    busy.see(0);
    expect(busy.shown).toBe(1);
    await clock.to(1299);
    expect(busy.shown).toBe(1);
    await clock.to(1300);
    expect(changes).toEqual([
      [300, 1],
      [1300, 0],
    ]);
  });

  it('goes at once after its second', async () => {
    const { clock, busy } = sign();
    busy.see(1);
    await clock.to(2000);
    busy.see(0);
    expect(busy.shown).toBe(0);
  });

  it('a next request within the second keeps it, with the new count', async () => {
    const { clock, busy, changes } = sign();
    busy.see(1);
    await clock.to(400);
    busy.see(0);
    await clock.to(800);
    busy.see(3);
    await clock.to(5000);
    expect({ shown: busy.shown, changes }).toEqual({ shown: 3, changes: [[300, 1]] });
  });

  it('a second request does not begin the wait anew, and says nothing after the end', async () => {
    const { clock, busy, changes } = sign();
    busy.see(1);
    await clock.to(200);
    busy.see(2);
    await clock.to(300);
    expect(busy.shown).toBe(2);
    busy.see(0);
    busy.close();
    await clock.to(9000);
    expect(changes).toEqual([[300, 2]]);
  });
});
