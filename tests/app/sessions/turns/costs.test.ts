import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it } from 'vitest';
import type { Charge, Exchange } from '../../../../app/api/exchange.ts';
import { sessionCosts } from '../../../../app/sessions/session-list-answers.ts';
import { until } from '../../../soon.ts';
import { bareExchange } from '../../history/example.ts';
import { Hosted, text } from '../host/hosted.ts';

const billed = (nanoAiu: number | null, kind: Charge['kind'] = 'billed'): Charge => ({
  ...{ kind, nanoAiu, premiumRequests: null, partial: false, details: [] },
});

/** Rows of the log of one session. */
class Rows {
  readonly hosted = new Hosted();
  readonly session = this.hosted.create('s');
  #rows = 0;

  begin(change: Partial<Exchange> = {}): Exchange {
    this.#rows += 1;
    const base = { id: `row-${this.#rows}`, client: 's', session: 's', initiator: 'agent' as const };
    const exchange = bareExchange({ ...base, charge: billed(null, 'pending'), outcome: 'running', ...change });
    this.hosted.host.exchangeChanged(exchange);
    return exchange;
  }

  end(exchange: Exchange, nanoAiu: number, change: Partial<Exchange> = {}): void {
    this.hosted.host.exchangeChanged({ ...exchange, outcome: 'done', charge: billed(nanoAiu), ...change });
  }
}

describe('E28 what a turn cost', () => {
  it('is the sum of its rows, by user and agent, and is told as it grows', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = async () => {
      const first = rows.begin({ prompt: 'p1', initiator: 'user' });
      expect(rows.session.costs.of('one')).toMatchObject({ running: 1, nanoAiu: 0 });
      rows.end(first, 2e9);
      rows.end(rows.begin({ prompt: 'p1' }), 3e9);
      // A title, which belongs to no prompt.
      rows.end(rows.begin(), 1e9);
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    const cost = { nanoAiu: 6e9, user: 1, agent: 2, running: 0, isPartlyUnknown: false };
    expect(rows.session.costs.of('one')).toMatchObject(cost);
    expect(rows.hosted.store.turns.find('one')).toMatchObject({ cost, requestIds: ['row-1', 'row-2', 'row-3'] });
    expect(rows.hosted.of('cost').at(-1)).toMatchObject(cost);
    expect(rows.session.view().cost).toMatchObject(cost);
    expect(rows.hosted.of('note')).toEqual([]);
    rows.hosted.restart();
    expect((await rows.hosted.host.session('s')).view().cost).toMatchObject(cost);
  });

  it('keeps the estimate of an answer that was stopped, and not the few tokens that its beginning counts', async () => {
    const rows = new Rows();
    const tokens = { input: 85, output: 3, cacheRead: 0, cacheWrite: 0 };
    rows.hosted.agent.script = async () => {
      rows.end(rows.begin({ prompt: 'p', initiator: 'user' }), 2e9);
      const charge = { ...billed(null, 'unknown'), partial: true, estimate: 8.86e9 };
      rows.end(rows.begin({ prompt: 'p' }), 0, { charge, outcome: 'cancelled', tokens });
      rows.end(rows.begin({ prompt: 'p' }), 0, { charge: billed(null, 'unknown'), outcome: 'failed' });
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    const cost = { nanoAiu: 2e9, estimate: 8.86e9, unestimated: 1, isPartlyUnknown: true, output: 0 };
    expect(rows.session.costs.of('one')).toMatchObject(cost);
    rows.hosted.restart();
    expect((await rows.hosted.host.session('s')).view().cost).toMatchObject(cost);
    expect((await rows.hosted.store.turns.costs()).map((one) => one.cost)).toMatchObject([cost]);
  });

  it('counts requests that were refused at no charge apart, and they are of the session too', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = async () => {
      const free = { charge: billed(null, 'none'), outcome: 'failed' as const };
      rows.end(rows.begin({ prompt: 'p', initiator: 'user' }), 0, free);
      rows.end(rows.begin({ prompt: 'p', initiator: 'user' }), 0, free);
      // Stopped before it was sent.
      rows.end(rows.begin({ prompt: 'p' }), 0, { ...free, outcome: 'cancelled' });
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    expect(rows.session.costs.of('one')).toMatchObject({ user: 0, agent: 0, refused: 2 });
    expect(rows.hosted.of('cost').at(-1)).toMatchObject({ refused: 2 });
    expect(rows.session.view().cost).toMatchObject({ user: 0, refused: 2 });
  });

  it('says what each subagent of a turn cost, and no such sum of the session', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = async () => {
      rows.end(rows.begin({ prompt: 'p', initiator: 'user' }), 1e9);
      rows.end(rows.begin({ prompt: 'p', agentId: 'a' }), 2e9);
      rows.end(rows.begin({ prompt: 'p', agentId: 'b' }), 3e9);
      rows.end(rows.begin({ prompt: 'p', agentId: 'a' }), 4e9);
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    expect(rows.session.costs.of('one')).toMatchObject({ nanoAiu: 10e9, agents: { a: 6e9, b: 3e9 } });
    expect(rows.hosted.of('cost').at(-1)).toMatchObject({ agents: { a: 6e9, b: 3e9 } });
    expect(rows.session.view().cost).not.toHaveProperty('agents');
  });

  it('counts a row once, and one that was cancelled or ends after its turn all the same', async () => {
    const rows = new Rows();
    let late: Exchange | null = null;
    rows.hosted.agent.script = async (turn) => {
      late = rows.begin({ prompt: `p-${turn.text}`, initiator: 'user' });
      return 'end_turn';
    };
    await rows.session.send(text('one'), 'one');
    await rows.hosted.ended('one');
    const of = late!;
    await rows.session.send(text('two'), 'two');
    await rows.hosted.ended('two');
    rows.end(of, 5e9, { outcome: 'cancelled' });
    rows.end(of, 5e9, { outcome: 'cancelled' });
    // A subagent in the background goes on with the prompt that it was begun by.
    rows.end(rows.begin({ prompt: 'p-one', agentId: 'a' }), 1e9);
    expect(rows.session.costs.of('one')).toMatchObject({ nanoAiu: 6e9, user: 1, agent: 1 });
    expect(rows.session.costs.of('two')).toMatchObject({ nanoAiu: 0, running: 1 });
  });

  it('holds a row that ends after the session was let go, and one of a subagent after it is held again', async () => {
    const rows = new Rows();
    const begun = Promise.withResolvers<Exchange>();
    rows.hosted.agent.script = async (turn) => {
      begun.resolve(rows.begin({ prompt: 'p-one', initiator: 'user', startedAt: rows.hosted.clock.now() }));
      await turn.stopped;
      return 'cancelled';
    };
    await rows.session.send(text('x'), 'one');
    const late = await begun.promise;
    await rows.hosted.host.dispose('s');
    const one = () => rows.hosted.store.turns.find('one');
    rows.end(late, 5e9, { outcome: 'cancelled' });
    rows.end(late, 5e9, { outcome: 'cancelled' });
    expect(one()).toMatchObject({ requestIds: ['row-1'], cost: { nanoAiu: 5e9, user: 1 } });
    rows.hosted.store.turns.change('one', { promptIds: ['p-one'] });
    const again = await rows.hosted.host.session('s');
    rows.hosted.agent.script = async () => 'end_turn';
    await again.send(text('y'), 'two');
    await rows.hosted.ended('two');
    rows.end(rows.begin({ prompt: 'p-one', agentId: 'a' }), 1e9);
    expect([one()?.cost, again.costs.of('two')]).toMatchObject([{ nanoAiu: 6e9, agent: 1 }, { nanoAiu: 0 }]);
    expect(again.view().cost).toMatchObject({ nanoAiu: 6e9 });
  });

  it('holds the rows that ended with a killed process, at an unknown cost, and those not counted before', async () => {
    const rows = new Rows();
    const reached = Promise.withResolvers<void>();
    let counted: Exchange | null = null;
    rows.hosted.agent.script = async (turn) => {
      if (turn.text === 'first') return 'end_turn';
      counted = rows.begin({ prompt: 'p', initiator: 'user', startedAt: rows.hosted.clock.now() });
      rows.end(counted, 2e9);
      reached.resolve();
      await turn.stopped;
      return 'cancelled';
    };
    await rows.session.send(text('first'), 'zero');
    await rows.hosted.ended('zero');
    rows.hosted.store.turns.change('zero', { promptIds: ['p-zero'] });
    await rows.session.send(text('x'), 'one');
    await reached.promise;
    const at = { startedAt: rows.hosted.clock.now(), client: 's' };
    const killed = { source: 'jumpseat' as const, status: null, code: 'killed', message: 'ended', clientMessage: null };
    const cut = { ...at, outcome: 'cut' as const, failure: killed, charge: billed(null, 'unknown') };
    const asked: unknown[] = [];
    rows.hosted.restart({
      rowsOf: (sessionIds) => {
        asked.push(sessionIds);
        return [
          { ...counted!, outcome: 'done', charge: billed(2e9) },
          bareExchange({ ...at, id: 'title', outcome: 'done', charge: billed(1e9), initiator: 'agent' }),
          bareExchange({ ...cut, id: 'cut', prompt: 'p', initiator: 'agent' }),
          bareExchange({ ...cut, id: 'behind', prompt: 'p-zero', initiator: 'agent' }),
        ];
      },
    });
    expect(asked).toEqual([['s']]);
    const { turns, record } = rows.hosted.store;
    expect(turns.find('one')).toMatchObject({
      ...{ state: 'interrupted', requestIds: ['row-1', 'title', 'cut'] },
      cost: { nanoAiu: 3e9, user: 1, agent: 2, isPartlyUnknown: true },
    });
    expect(turns.find('zero')).toMatchObject({ requestIds: ['behind'], cost: { agent: 1, isPartlyUnknown: true } });
    const reported = record
      .read(0, { session: 's' })
      .entries.filter(({ kind, turnId }) => kind === 'cost' && turnId === 'one');
    expect(reported.at(-1)?.event).toMatchObject({ nanoAiu: 3e9, isPartlyUnknown: true });
  });

  it('stays in the sum of the session that goes back, undone or not, with its next messages and after a restart', async () => {
    const rows = new Rows();
    const { hosted } = rows;
    let turns = 0;
    hosted.agent.script = async (turn) => {
      turns += 1;
      rows.end(rows.begin({ initiator: 'user', prompt: `p-${turns}` }), turns * 1e9);
      await turn.say('ok', `message-${turns}`);
      await turn.raw({ type: 'assistant', message: { id: `message-${turns}` }, uuid: `uuid-${turns}` });
      return 'end_turn';
    };
    const send = async (id: string): Promise<void> => {
      await (await hosted.host.session('s')).send(text(id), id);
      await hosted.ended(id);
    };
    /** As the session says it, and as the list does of one that is not held. */
    const sums = async (): Promise<[number, number][]> => {
      const { cost } = (await hosted.host.session('s')).view();
      const costs = sessionCosts(
        [{ id: 's', hosted: true, agentSessionId: 's' }],
        [],
        await hosted.store.turns.costs(),
      );
      return [cost, ...costs.map((one) => one.cost)].map(({ nanoAiu, user }) => [nanoAiu / 1e9, user]);
    };
    for (const id of ['one', 'two', 'three']) await send(id);
    await hosted.host.goBack('s', 'two', false);
    expect(await sums()).toEqual([
      [6, 3],
      [6, 3],
    ]);
    await hosted.host.undoGoBack('s');
    expect(await sums()).toEqual([
      [6, 3],
      [6, 3],
    ]);
    await hosted.host.goBack('s', 'two', false);
    hosted.restart();
    expect(await sums()).toEqual([
      [6, 3],
      [6, 3],
    ]);
    await send('four');
    await send('five');
    // Numbers are given again to turns in the place of those that were cut off.
    await hosted.host.goBack('s', 'four', false);
    await send('six');
    expect(await sums()).toEqual([
      [21, 6],
      [21, 6],
    ]);
    hosted.restart();
    expect(await sums()).toEqual([
      [21, 6],
      [21, 6],
    ]);
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one', 'six']);
    expect(hosted.store.turns.find('two')).toMatchObject({ prompt: null, lastMessage: null, requestIds: ['row-2'] });
    hosted.store.forget('s');
    expect(await hosted.store.turns.costs()).toEqual([]);
  });

  it('says that a part of it is unknown, and counts nothing that was refused', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = async () => {
      rows.end(rows.begin({ initiator: 'user' }), 0, { charge: billed(null, 'none'), outcome: 'failed' });
      rows.end(rows.begin(), 0, { charge: billed(null, 'unknown') });
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    expect(rows.session.costs.of('one')).toMatchObject({ user: 0, agent: 1, isPartlyUnknown: true });
  });

  it('of one that the agent begins by itself holds the request that came before its first words', async () => {
    const rows = new Rows();
    let say: ((words: string) => Promise<void>) | null = null;
    rows.hosted.agent.script = async (turn) => {
      say = (words) => turn.say(words, 'own');
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    const row = rows.begin({ prompt: 'p-own' });
    await say!('The task is done.');
    const own = await until(() => rows.session.view().turnId);
    rows.end(row, 4e9);
    expect(rows.session.costs.of(own)).toMatchObject({ nanoAiu: 4e9, agent: 1 });
    expect(rows.session.costs.of('one')).toMatchObject({ nanoAiu: 0 });
  });

  it('that can’t be written stops no request', async () => {
    const rows = new Rows();
    const begun = Promise.withResolvers<Exchange>();
    rows.hosted.agent.script = async (turn) => {
      begun.resolve(rows.begin({ prompt: 'p', initiator: 'user' }));
      await turn.stopped;
      return 'cancelled';
    };
    await rows.session.send(text('x'), 'one');
    const row = await begun.promise;
    rows.hosted.store.close();
    expect(() => rows.end(row, 1e9)).not.toThrow();
    expect(() => rows.hosted.host.exchangeChanged(bareExchange({ client: 'other', outcome: 'done' }))).not.toThrow();
  });

  it('is not changed by a row of another session', () => {
    const rows = new Rows();
    rows.hosted.host.exchangeChanged(bareExchange({ client: 'claude-code' }));
    expect(rows.hosted.events).toEqual([]);
  });

  it('says so when Copilot counted more requests of the person’s than they said words', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = async () => {
      rows.end(rows.begin({ initiator: 'user' }), 1e9);
      await rows.session.steer(text('more'));
      rows.end(rows.begin({ initiator: 'user' }), 1e9);
      return 'end_turn';
    };
    await rows.session.send(text('x'), 'one');
    await rows.hosted.ended('one');
    expect(rows.hosted.of('note')).toEqual([]);
    rows.hosted.agent.script = async () => {
      rows.end(rows.begin({ initiator: 'user' }), 1e9);
      rows.end(rows.begin({ initiator: 'user' }), 1e9);
      return 'end_turn';
    };
    await rows.session.send(text('y'), 'two');
    await rows.hosted.ended('two');
    await until(() => rows.hosted.of('note').length > 0);
    expect(rows.hosted.of('note')).toEqual([{ code: 'more-user-requests', said: 1, user: 2 }]);
  });

  it('stops the turn at the person’s limit, and says so', async () => {
    const rows = new Rows();
    rows.hosted.settings = { ...rows.hosted.settings, creditsPerTurn: 5 };
    rows.hosted.agent.script = async (turn) => {
      rows.end(rows.begin({ initiator: 'user' }), 4.9e9);
      expect(turn.signal.aborted).toBe(false);
      rows.end(rows.begin(), 0.2e9);
      await turn.stopped;
      return 'cancelled';
    };
    await rows.session.send(text('x'), 'one');
    expect(await rows.hosted.ended('one')).toMatchObject({ state: 'failed', problem: { code: 'limit' } });
    expect(rows.session.view()).toMatchObject({ outcome: 'failed', state: 'idle' });
  });
});

describe('a turn that was refused', () => {
  it('names the row of the log, and says what that says', async () => {
    const rows = new Rows();
    rows.hosted.agent.script = () => {
      rows.end(rows.begin({ initiator: 'user' }), 0, {
        ...{ outcome: 'failed', charge: billed(null, 'none') },
        failure: {
          ...{ source: 'copilot', status: 402, code: 'quota_exceeded', message: 'quota' },
          clientMessage: 'Jumpseat: you’re out of Copilot credits.',
        },
      });
      return Promise.reject(new RequestError(-32603, 'Internal error: API Error: 402 …', { errorKind: 'unknown' }));
    };
    await rows.session.send(text('x'), 'one');
    expect(await rows.hosted.ended('one')).toMatchObject({
      state: 'failed',
      problem: { code: 'refused', requestId: 'row-1', text: 'Jumpseat: you’re out of Copilot credits.' },
    });
  });
});
