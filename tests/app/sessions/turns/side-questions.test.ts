import { beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../app/api/exchange.ts';
import type { SideQuestion } from '../../../../app/api/sessions.ts';
import { extraMethods } from '../../../../app/sessions/agents/agent-extras.ts';
import type { HostedSession } from '../../../../app/sessions/host/hosted-session.ts';
import { until } from '../../../soon.ts';
import { bareExchange } from '../../history/example.ts';
import { Hosted, text } from '../host/hosted.ts';

const method = extraMethods['side-question'];
let hosted: Hosted;
let session: HostedSession;
beforeEach(async () => {
  hosted = new Hosted();
  hosted.agent.extras.add('side-question');
  session = hosted.create('s');
  await session.send(text('hello'), 'one');
  await hosted.ended('one');
});

const ended = (id: string): Promise<SideQuestion> =>
  until(() => session.side.all().find((one) => one.id === id && one.state !== 'running'));

/** A row of the log of a side question. */
const row = (change: Partial<Exchange> = {}): Exchange =>
  bareExchange({
    ...{ id: 'row-1', client: 's', session: 's', initiator: 'user', outcome: 'done', requestClass: 'auxiliary' },
    startedAt: hosted.clock.now(),
    reason: { code: 'side-question', rule: 'side-question', sentence: 'side question you typed' },
    charge: { kind: 'billed', nanoAiu: 2e9, premiumRequests: null, partial: false, details: [] },
    ...change,
  });

describe('side questions', () => {
  it('are told to every front, follow each other, and their costs are in no turn', async () => {
    const told: SideQuestion[][] = [];
    hosted.host.listen((event) => {
      if (event.event === 'session-side-questions') told.push(event.questions);
    });
    const held = hosted.agent.hold(method);
    const { id } = session.side.ask('why?', 'q1');
    await held.reached;
    expect(told.at(-1)).toMatchObject([{ id, question: 'why?', state: 'running', answer: null }]);
    hosted.host.exchangeChanged(row({ outcome: 'running', charge: row().charge }));
    hosted.host.exchangeChanged(row());
    held.go();
    expect(await ended('q1')).toMatchObject({ state: 'done', answer: 'Beside: why?', cost: { nanoAiu: 2e9, user: 1 } });
    session.side.ask('and then?', 'q2');
    await ended('q2');
    expect(hosted.agent.asked.at(-1)?.params).toEqual({
      ...{ sessionId: 's', question: 'and then?' },
      earlier: [{ question: 'why?', answer: 'Beside: why?' }],
    });
    expect(session.costs.of('one')).toMatchObject({ nanoAiu: 0, user: 0 });
    expect(session.view()).toMatchObject({ sideQuestions: { open: 2 }, cost: { nanoAiu: 2e9, user: 1 } });
    // The same one again, as a window sends it whose connection broke.
    expect(session.side.ask('why?', 'q1')).toMatchObject({ state: 'done', answer: 'Beside: why?' });
    expect(hosted.agent.methods().filter((name) => name === method)).toHaveLength(2);
    expect(hosted.of('turn-started')).toHaveLength(1);
  });

  it('that are closed leave no words, and their cost', async () => {
    session.side.ask('why?', 'q1');
    await ended('q1');
    hosted.host.exchangeChanged(row());
    session.side.close(['q1']);
    expect(session.side.all()).toEqual([]);
    expect(hosted.store.side.find('q1')).toMatchObject({ question: null, answer: null, cost: { nanoAiu: 2e9 } });
    expect(session.view().sideQuestions).toMatchObject({ open: 0 });
    expect(session.view().cost).toMatchObject({ nanoAiu: 2e9 });
    hosted.restart();
    expect((await hosted.host.session('s')).view().cost).toMatchObject({ nanoAiu: 2e9 });
    await hosted.host.dispose('s');
    hosted.store.forget('s');
    expect(hosted.store.side.find('q1')).toBeNull();
  });

  it('one that is closed under way is stopped, and what comes of it late is not kept', async () => {
    const held = hosted.agent.hold(method);
    session.side.ask('why?', 'q1');
    await held.reached;
    session.side.close(null);
    held.go();
    await until(() => !session.side.isRunning);
    hosted.host.exchangeChanged(row({ outcome: 'cancelled' }));
    expect(session.side.all()).toEqual([]);
    expect(hosted.store.side.find('q1')).toMatchObject({
      ...{ state: 'cancelled', question: null, answer: null, cost: { nanoAiu: 2e9 } },
    });
  });

  it('one that was under way when Jumpseat was killed is interrupted, with what its request cost', async () => {
    const held = hosted.agent.hold(method);
    session.side.ask('why?', 'q1');
    await held.reached;
    hosted.restart({ rowsOf: (ids) => (ids.includes('s') ? [row()] : []) });
    const after = await hosted.host.session('s');
    expect(after.side.all()).toMatchObject([
      { id: 'q1', question: 'why?', state: 'interrupted', answer: null, cost: { nanoAiu: 2e9 } },
    ]);
    expect(after.side.isRunning).toBe(false);
    expect(after.costs.of('one')).toMatchObject({ nanoAiu: 0 });
    held.go();
  });

  it('one that is under way when its session is let go is interrupted, and a late row is its own', async () => {
    const held = hosted.agent.hold(method);
    session.side.ask('why?', 'q1');
    await held.reached;
    await hosted.host.dispose('s');
    held.go();
    hosted.host.exchangeChanged(row({ outcome: 'cancelled' }));
    expect(hosted.store.side.find('q1')).toMatchObject({ state: 'interrupted', cost: { nanoAiu: 2e9 } });
    expect(hosted.store.turns.find('one')).toMatchObject({ requestIds: [] });
  });

  it('keeps the process until it is answered, and what would end it is refused', async () => {
    hosted.settings = { ...hosted.settings, unloadAfterMinutes: 1 };
    const held = hosted.agent.hold(method);
    session.side.ask('why?', 'q1');
    await held.reached;
    await session.unload();
    expect(session.live).not.toBeNull();
    await expect(session.move(hosted.folder)).rejects.toMatchObject({ code: 'turn-running' });
    await expect(hosted.host.goBack('s', 'one', false)).rejects.toThrow('A side question is being answered.');
    held.go();
    await ended('q1');
    hosted.clock.advance(60_001);
    await until(() => session.live === null);
  });

  it('starts a process where none runs; a start that fails is its failure, and no turn’s', async () => {
    await session.unload();
    session.side.ask('why?', 'q1');
    expect(await ended('q1')).toMatchObject({ state: 'done' });
    await session.unload();
    hosted.baseUrl = null;
    session.side.ask('and?', 'q2');
    expect(await ended('q2')).toMatchObject({ state: 'failed', problem: { code: 'proxy-off' } });
    expect(session.view()).toMatchObject({ problem: null, state: 'unloaded' });
    hosted.baseUrl = 'http://127.0.0.1:1';
    hosted.holder = { pid: 1, program: 'terminal' } as typeof hosted.holder;
    session.side.ask('and?', 'q3');
    expect(await ended('q3')).toMatchObject({ state: 'failed', problem: { code: 'elsewhere' } });
  });

  it('fails where its process ends before the answer', async () => {
    const held = hosted.agent.hold(method);
    session.side.ask('why?', 'q1');
    await held.reached;
    hosted.agent.processes[0]?.die();
    expect(await ended('q1')).toMatchObject({ state: 'failed', problem: { code: 'agent-ended' } });
    held.go();
    session.side.ask('why?', 'q2');
    expect(await ended('q2')).toMatchObject({ state: 'done' });
  });

  it('are refused before there is a conversation, and by an agent that has none', async () => {
    expect(() => hosted.create('new').side.ask('why?')).toThrow('This session has no messages yet.');
    hosted.agent.extras.delete('side-question');
    session.side.ask('why?', 'q1');
    expect(await ended('q1')).toMatchObject({ state: 'failed', problem: { code: 'not-possible' } });
  });

  it('of a conversation of another program are kept with it', async () => {
    hosted.agent.conversations.add('elsewhere');
    hosted.restart({ foreign: async (id) => (id === 'elsewhere' ? { agent: 'claude', cwd: hosted.cwd } : null) });
    const foreign = await hosted.host.session('elsewhere');
    foreign.side.ask('why?', 'q1');
    await until(() => foreign.side.all().some(({ state }) => state === 'done'));
    expect(hosted.agent.methods()).toContain('session/resume');
    expect(foreign.view().sideQuestions).toMatchObject({ open: 1 });
  });
});
