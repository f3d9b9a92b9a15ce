import { describe, expect, it } from 'vitest';
import { Bursts, ClientTurns, heldAtMostMs } from '../../../../app/exchange/limits/queue.ts';
import { HandClock } from '../../account/hand-clock.ts';
import { defaults } from '../../settings/defaults.ts';

function bursts(burstPerMinute = 2, askBeforeBurst = true) {
  const clock = new HandClock();
  clock.held = true;
  const limits = { ...defaults.limits, askBeforeBurst, burstPerMinute };
  return { clock, limits, guard: new Bursts({ clock, limits: () => limits }) };
}
const never = new AbortController().signal;

it('holds nothing unless it was asked to', () => {
  const { guard, limits } = bursts(2, false);
  for (let turn = 0; turn < 500; turn++) expect(guard.enter('user')).toBeNull();
  // What came before it was turned on is not counted.
  limits.askBeforeBurst = true;
  expect([guard.enter('user'), guard.enter('user'), guard.enter('user')]).toEqual([null, null, { most: 2 }]);
});

it(
  'holds a person’s prompts when more requests than that started within a minute, and never what an agent ' +
    'makes of one',
  () => {
    const { guard, clock } = bursts(3);
    expect([guard.enter('agent'), guard.enter('agent')]).toEqual([null, null]);
    clock.advance(30_000);
    expect(guard.enter('user')).toBeNull();
    expect(guard.enter('user')).toEqual({ most: 3 });
    for (let turn = 0; turn < 100; turn++) expect(guard.enter('agent')).toBeNull();
    clock.advance(60_000);
    expect(guard.enter('user')).toBeNull();
  },
);

it('lets all of them through, and counts the minute anew', async () => {
  const { guard } = bursts(3);
  for (let turn = 0; turn < 3; turn++) guard.enter('agent');
  expect(guard.enter('user')).not.toBeNull();
  const ends = [guard.hold('one', never), guard.hold('two', never)];
  // Two that wait and one that comes: 3 within the minute.
  expect(guard.letThrough()).toBe(2);
  expect(await Promise.all(ends)).toEqual(['let-through', 'let-through']);
  expect(guard.letThrough()).toBe(0);
});

it('counts those that it let through, and lets one of several through', async () => {
  const { guard } = bursts(2);
  for (let turn = 0; turn < 2; turn++) guard.enter('agent');
  const one = guard.hold('one', never);
  const two = guard.hold('two', never);
  expect(guard.letThrough('three')).toBe(0);
  expect(guard.letThrough('two')).toBe(1);
  expect(await two).toBe('let-through');
  // One still waits; who comes later does not overtake it.
  expect(guard.enter('user')).toEqual({ most: 2 });
  expect(guard.letThrough()).toBe(1);
  expect(await one).toBe('let-through');
  expect([guard.enter('user'), guard.enter('user')]).toEqual([null, { most: 2 }]);
});

it('does not wait for ever, and not for who has left', async () => {
  const { guard, clock } = bursts();
  const gone = new AbortController();
  const left = guard.hold('one', gone.signal);
  const long = guard.hold('two', never);
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await expect(guard.hold('three', AbortSignal.abort(new Error('left before')))).rejects.toThrow('left before');
  expect(clock.slept).toEqual([heldAtMostMs, heldAtMostMs]);
  clock.wake();
  expect(await long).toBe('too-long');
  expect(guard.letThrough()).toBe(0);
});

it('holds 200 in memory, and no more', async () => {
  const { guard } = bursts();
  const waiting = Array.from({ length: 200 }, (_, at) => guard.hold(String(at), never));
  expect(await guard.hold('one more', never)).toBe('too-long');
  expect(guard.letThrough()).toBe(200);
  await Promise.all(waiting);
});

const neverAborted = new AbortController().signal;

describe('ClientTurns', () => {
  it('8 running, 32 waiting, the 41st refused; all 40 get their turn in the order in which they came', async () => {
    const turns = new ClientTurns(() => 8);
    const order: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 41 }, (_, at) => {
      const turn = turns.take('a', neverAborted);
      void turn?.then((end) => {
        order.push(at);
        ends.push(end);
      });
      return turn;
    });
    expect(all.map((turn) => turn === null)).toEqual(all.map((_, at) => at === 40));
    await Promise.all(all.slice(0, 8));
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (let at = 0; at < 40; at++) {
      await all[at];
      ends[at]?.();
    }
    expect(order).toEqual(Array.from({ length: 40 }, (_, at) => at));
    expect(turns.take('a', neverAborted)).not.toBeNull();
  });

  it('another label has turns of its own', async () => {
    const turns = new ClientTurns(() => 1);
    await turns.take('a', neverAborted);
    await turns.take('b', neverAborted);
  });

  it('who leaves the queue makes room, and its turn is not lost', async () => {
    const turns = new ClientTurns(() => 1);
    const end = await turns.take('a', neverAborted);
    const leaving = new AbortController();
    const gone = turns.take('a', leaving.signal);
    const waiting = Array.from({ length: 31 }, () => turns.take('a', neverAborted));
    expect(turns.take('a', neverAborted)).toBeNull();
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    const last = turns.take('a', neverAborted);
    expect(last).not.toBeNull();
    end?.();
    for (const turn of [...waiting, last]) (await turn)?.();
  });

  it('a setting that changes holds for the next request', async () => {
    let atOnce = 1;
    const turns = new ClientTurns(() => atOnce);
    await turns.take('a', neverAborted);
    atOnce = 2;
    await turns.take('a', neverAborted);
  });
});
