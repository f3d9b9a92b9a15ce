import { setImmediate as later } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../../soon.ts';
import { Hosted, text } from './hosted.ts';

/** Numbers that look random and are the same in every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('kills of the agent, of its session and of Jumpseat, at any moment', () => {
  it.each([1, 2, 3, 4])('lose no message that was accepted and send none twice (seed %i)', async (seed) => {
    const number = numbersFrom(seed);
    const hosted = new Hosted();
    const asked: string[] = [];
    hosted.agent.script = async (turn) => {
      asked.push(turn.text);
      for (let step = number(6); step > 0; step--) {
        await turn.say('word ');
        await later();
        if (turn.signal.aborted) return 'cancelled';
      }
      await turn.raw({ type: 'assistant', message: { id: `m-${turn.text}` }, uuid: `u-${turn.text}` });
      return 'end_turn';
    };
    const accepted: string[] = [];
    const send = async (nth: number): Promise<void> => {
      const id = `message-${nth}`;
      const { host } = hosted;
      const session = await host.session('s').catch(() => host.create({ cwd: hosted.cwd, id: 's' }));
      // What a killed Jumpseat would have accepted, it did not.
      await session.send(text(id), id).then(
        () => hosted.host === host && accepted.push(id),
        () => undefined,
      );
    };
    const kills = [
      () => hosted.agent.processes.at(-1)?.die(),
      () => hosted.agent.processes.at(-1)?.sessions.clear(),
      () => hosted.restart(),
      () =>
        void hosted.host.session('s').then(
          (session) => session.stop(),
          () => undefined,
        ),
      () => undefined,
    ];
    let settled = 0;
    const rounds = 25;
    for (let round = 0; round < rounds; round++) {
      void send(round).finally(() => settled++);
      for (let wait = number(12); wait > 0; wait--) await later();
      kills[number(kills.length)]?.();
    }
    await until(async () => {
      await hosted.clock.advance(1_000);
      return settled === rounds;
    });
    // On a busy machine all of them may have come before the first start was over: then there is no session yet.
    for (let more = rounds; accepted.length === 0; more++) await send(more);

    hosted.restart();
    const session = await hosted.host.session('s');
    expect(hosted.store.turns.underWay()).toEqual([]);
    session.turns.resume();
    // What a stopped or failed turn left is sent when the person says so.
    await until(async () => {
      await hosted.clock.advance(1_000);
      if (session.view().isQueuePaused) session.turns.resume();
      return session.view().queue.length === 0 && session.view().state !== 'running' && session.turns.current === null;
    });
    const turns = hosted.store.turns.of('s');
    expect(turns.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
    expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
    expect(turns.filter(({ state }) => state === 'running')).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
    // What was told of a turn is on record.
    const page = hosted.store.record.read(0, { session: 's', limit: 20_000 });
    const seen = new Map(page.entries.map((entry) => [entry.seq, entry.kind]));
    const reported = hosted.events.filter(({ kind }) => kind === 'turn-started' || kind === 'turn-ended');
    expect(reported.filter(({ seq, kind }) => seen.get(seq) !== kind)).toEqual([]);
  });
});
