import { beforeEach, describe, expect, it } from 'vitest';
import type { AutoSession } from '../../../../app/account/sdk/endpoint.ts';
import { AutoModels } from '../../../../app/exchange/features/auto.ts';

let now: number;
/** What GitHub is asked for, and how it answers: one after the other. */
let asked: PromiseWithResolvers<AutoSession | null>[];
let models: AutoModels;
beforeEach(() => {
  now = 1_000_000;
  asked = [];
  const chooseAuto = () => {
    asked.push(Promise.withResolvers());
    return asked.at(-1)?.promise ?? Promise.resolve(null);
  };
  models = new AutoModels({ account: { chooseAuto }, clock: { now: () => now } });
});

const session = (token: string, forMs = 3_600_000): AutoSession => {
  return { header: 'Copilot-Session-Token', token, model: 'claude-sonnet-4.6', expiresAt: now + forMs };
};
async function chosen(conversation: string, token: string, forMs?: number): Promise<AutoSession> {
  const waiting = models.of(conversation);
  asked.at(-1)?.resolve(session(token, forMs));
  const found = await waiting;
  expect(found?.isNew).toBe(true);
  return found?.session ?? session('none');
}

describe('a choice of GitHub’s', () => {
  it('is asked for once where several wait, and fails for all of them without being kept', async () => {
    const waiting = [models.of('one'), models.of('one')];
    expect(asked).toHaveLength(1);
    asked[0]?.reject(new Error('offline'));
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await chosen('one', 'a');
    expect(await models.of('one')).toMatchObject({ isNew: false, session: { token: 'a' } });
  });

  it('that was asked for another account is not kept', async () => {
    const before = models.of('one');
    models.forget();
    const after = models.of('one');
    asked[1]?.resolve(session('new'));
    asked[0]?.resolve(session('old'));
    expect((await before)?.session.token).toBe('old');
    expect((await after)?.session.token).toBe('new');
    expect((await models.of('one'))?.session.token).toBe('new');
    expect(asked).toHaveLength(2);
  });

  it('is ended by its own end alone, and a minute before its time', async () => {
    const first = await chosen('one', 'a', 100_000);
    models.end('one', session('another'));
    expect((await models.of('one'))?.session.token).toBe('a');
    models.end('one', first);
    await chosen('one', 'b', 100_000);
    now += 40_000;
    await chosen('one', 'c');
    expect(asked).toHaveLength(3);
  });

  it('that there is none is asked again after half a minute, and at once for another account', async () => {
    const none = models.of('one');
    // It takes that long where GitHub is out of reach.
    now += 30_000;
    asked[0]?.resolve(null);
    expect([await none, await models.of('two')]).toEqual([null, null]);
    expect(asked).toHaveLength(1);
    now += 30_000;
    const again = models.of('one');
    asked[1]?.resolve(null);
    expect(await again).toBeNull();
    models.forget();
    await chosen('one', 'a');
  });

  it('is forgotten for conversations that were not used for the longest', async () => {
    for (let count = 0; count < 1000; count += 1) await chosen(`c${count}`, `t${count}`);
    await models.of('c0');
    await chosen('one more', 'x');
    expect((await models.of('c0'))?.isNew).toBe(false);
    await chosen('c1', 'again');
  });
});
