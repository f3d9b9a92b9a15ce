import { describe, expect, it } from 'vitest';
import { ClientTurns } from '../../../../app/exchange/admission/client-turns.ts';

const never = new AbortController().signal;

describe('ClientTurns', () => {
  it('8 running, 32 waiting, the 41st refused; all 40 get their turn in the order in which they came', async () => {
    const turns = new ClientTurns(() => 8);
    const order: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 41 }, (_, at) => {
      const turn = turns.take('a', never);
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
    expect(turns.take('a', never)).not.toBeNull();
  });

  it('another label has turns of its own', async () => {
    const turns = new ClientTurns(() => 1);
    await turns.take('a', never);
    await turns.take('b', never);
  });

  it('who leaves the queue makes room, and its turn is not lost', async () => {
    const turns = new ClientTurns(() => 1);
    const end = await turns.take('a', never);
    const leaving = new AbortController();
    const gone = turns.take('a', leaving.signal);
    const waiting = Array.from({ length: 31 }, () => turns.take('a', never));
    expect(turns.take('a', never)).toBeNull();
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    const last = turns.take('a', never);
    expect(last).not.toBeNull();
    end?.();
    for (const turn of [...waiting, last]) (await turn)?.();
  });

  it('a setting that changes holds for the next request', async () => {
    let atOnce = 1;
    const turns = new ClientTurns(() => atOnce);
    await turns.take('a', never);
    atOnce = 2;
    await turns.take('a', never);
  });
});
