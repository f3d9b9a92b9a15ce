import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it, vi } from 'vitest';
import { AgentError } from '../../../../app/sessions/agents/agent.ts';
import { extraMethods } from '../../../../app/sessions/agents/agent-extras.ts';
import type { HostedSession } from '../../../../app/sessions/host/hosted-session.ts';
import { SessionStoreError } from '../../../../app/sessions/store/session-database.ts';
import { until } from '../../../soon.ts';
import type { FakeTurn } from '../host/fake-agent.ts';
import { Hosted, text } from '../host/hosted.ts';

describe('a turn', () => {
  it('has one id in the queue, on record and in every event', async () => {
    const hosted = new Hosted();
    const { turnId } = await hosted.create().send(text('Hello'));
    await hosted.ended(turnId);
    const turns = hosted.events.filter(({ kind }) => kind !== 'applied').map((event) => event.turnId);
    expect(new Set(turns)).toEqual(new Set([turnId]));
    expect(hosted.store.turns.find(turnId)).toMatchObject({ prompt: text('Hello'), state: 'done' });
  });

  it('is on record before anything is sent', async () => {
    const hosted = new Hosted();
    const sending = hosted.agent.hold('session/prompt');
    const session = hosted.create();
    const { turnId } = await session.send(text('Hello'));
    await sending.reached;
    expect(hosted.store.turns.find(turnId)).toMatchObject({ state: 'running', prompt: text('Hello') });
    expect(hosted.store.queue.of(session.id)).toEqual([]);
    sending.go();
    await hosted.ended(turnId);
  });

  it('passes updates on as they came, unknown ones too', async () => {
    const hosted = new Hosted();
    const plan = { sessionUpdate: 'plan' as const, entries: [], _meta: { unknown: { deep: [1, 'two'] } } };
    hosted.agent.script = async (turn) => {
      await turn.update(plan);
      return 'end_turn';
    };
    await hosted.ended((await hosted.create().send(text('x'))).turnId);
    expect(hosted.of('update')).toEqual([{ child: null, update: plan }]);
  });

  it('gives a front that comes back what it missed, from its cursor on', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    const cursor = hosted.events.at(-1)!.seq;
    await hosted.ended((await session.send(text('two'))).turnId);
    const missed = hosted.store.record.read(cursor, { session: 's' });
    expect(missed).toMatchObject({ more: false, gap: false });
    expect(missed.entries.map(({ seq }) => seq)).toEqual(
      hosted.events.map(({ seq }) => seq).filter((seq) => seq > cursor),
    );
    expect(missed.entries.map(({ event }) => event)).toEqual(
      hosted.events.filter(({ seq }) => seq > cursor).map(({ event }) => event),
    );
  });

  it('keeps an enormous output cut, with its size', async () => {
    const hosted = new Hosted();
    const output = 'x'.repeat(20 * 1024 * 1024);
    hosted.agent.script = async (turn) => {
      await turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', rawOutput: output });
      return 'end_turn';
    };
    await hosted.ended((await hosted.create().send(text('x'))).turnId);
    const event = hosted.events.find(({ kind }) => kind === 'update')!;
    expect(event.cuts).toEqual([{ at: '/update/rawOutput', length: output.length, kept: 65536 }]);
    expect(JSON.stringify(event.event).length).toBeLessThan(70_000);
  });

  it('strikes out what a cut stream had shown, when the whole answer comes in its place', async () => {
    const hosted = new Hosted();
    hosted.agent.script = async (turn) => {
      await turn.say('half of an answer that', 'cut');
      await turn.raw({ type: 'assistant', message: { id: 'whole' }, uuid: 'u2', request_id: 'req_2' });
      await turn.say('The whole answer.', 'whole');
      return 'end_turn';
    };
    const { turnId } = await hosted.create().send(text('x'));
    await hosted.ended(turnId);
    expect(hosted.of('void')).toEqual([{ messageId: 'cut' }]);
    expect(hosted.store.turns.find(turnId)).toMatchObject({ lastMessage: 'u2' });
  });

  it('of a subagent strikes nothing out', async () => {
    const hosted = new Hosted();
    hosted.agent.script = async (turn) => {
      await turn.say('I begin', 'main');
      await turn.raw({ type: 'assistant', message: { id: 'sub' }, uuid: 'u1', parent_tool_use_id: 'tool' });
      await turn.raw({ type: 'assistant', message: { id: 'main' }, uuid: 'u2' });
      return 'end_turn';
    };
    await hosted.ended((await hosted.create().send(text('x'))).turnId);
    expect(hosted.of('void')).toEqual([]);
  });

  it('E10 goes on when one of its messages can’t be handled', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    let broke = false;
    hosted.host.listen((event) => {
      if (event.event !== 'session-event' || event.entry.kind !== 'update' || broke) return;
      broke = true;
      throw new Error('a front broke');
    });
    hosted.agent.script = async (turn) => {
      await turn.say('one');
      await turn.say('two');
      return 'end_turn';
    };
    expect(await hosted.ended((await session.send(text('x'))).turnId)).toMatchObject({ state: 'done' });
    expect(broke).toBe(true);
    expect(hosted.of('update')).toHaveLength(2);
  });

  it('E9 tells its usage with its end', async () => {
    const hosted = new Hosted();
    const usage = { inputTokens: 640, outputTokens: 42, totalTokens: 682 };
    hosted.agent.script = async (turn) => {
      await turn.update({ sessionUpdate: 'usage_update', used: 1194, size: 200_000 });
      return { stopReason: 'end_turn', usage };
    };
    const session = hosted.create();
    expect(await hosted.ended((await session.send(text('x'))).turnId)).toMatchObject({ usage });
    expect(session.view().context).toEqual({ used: 1194, size: 200_000 });
  });

  it('E24 that the agent begins by itself is a turn without a prompt, and ends with its work', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let say: ((words: string) => Promise<void>) | null = null;
    let raw: ((message: Record<string, unknown>) => Promise<void>) | null = null;
    hosted.agent.script = async (turn) => {
      say = (words) => turn.say(words, 'own');
      raw = turn.raw;
      return 'end_turn';
    };
    const { turnId } = await session.send(text('start it in the background'));
    await hosted.ended(turnId);
    await say!('The background task is done.');
    await until(() => session.view().state === 'running');
    const own = session.view().turnId!;
    expect(hosted.store.turns.find(own)).toMatchObject({ initiator: 'agent', prompt: null, state: 'running' });
    // A message waits until that is over.
    const next = await session.send(text('and now?'));
    expect(session.view().queue.map(({ id }) => id)).toEqual([next.turnId]);
    await raw!({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
    expect(await hosted.ended(own)).toMatchObject({ state: 'done' });
    await hosted.ended(next.turnId);
  });

  it('that reports the end of a background task names it', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let report: (() => Promise<void>) | null = null;
    hosted.agent.script = async (turn) => {
      const running = { task_id: 't1', task_type: 'local_bash', description: 'npm run dev' };
      const tasks = (some: object[]) => turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: some });
      await tasks([running]);
      report = async () => {
        await tasks([]);
        await turn.say('It has finished.', 'own');
      };
      return 'end_turn';
    };
    await hosted.ended((await session.send(text('start it in the background'))).turnId);
    await report!();
    await until(() => hosted.of('turn-started').length === 2);
    expect(hosted.of('turn-started').at(-1)).toEqual({ initiator: 'agent', prompt: null, task: 'npm run dev' });
  });

  it('that the agent begins by itself is over when nothing more comes of it', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let say: ((words: string) => Promise<void>) | null = null;
    hosted.agent.script = async (turn) => {
      say = (words) => turn.say(words, 'own');
      return 'end_turn';
    };
    await hosted.ended((await session.send(text('x'))).turnId);
    await say!('one more word');
    const own = await until(() => session.view().turnId);
    await hosted.clock.advance(40_000);
    await say!('and another');
    await until(() => hosted.of('update').length === 2);
    await hosted.clock.advance(40_000);
    expect(session.view().turnId).toBe(own);
    await hosted.clock.advance(20_000);
    expect(await hosted.ended(own)).toMatchObject({ state: 'done' });
    await hosted.clock.advance(15 * 60_000);
    await until(() => session.view().state === 'unloaded');
  });

  it('waits in line when as many as wanted run, and can be stopped there', async () => {
    const hosted = new Hosted();
    hosted.settings = { ...hosted.settings, atOnce: 1 };
    const go = Promise.withResolvers<void>();
    hosted.agent.script = async () => {
      await go.promise;
      return 'end_turn';
    };
    const [first, second, third] = [hosted.create(), hosted.create(), hosted.create()];
    const one = await first.send(text('1'));
    const two = await second.send(text('2'));
    const three = await third.send(text('3'));
    await until(() => second.view().state === 'in-line' && third.view().state === 'in-line');
    await second.stop();
    expect(await hosted.ended(two.turnId)).toMatchObject({ state: 'cancelled' });
    expect(hosted.agent.asked.filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
    expect(third.view().state).toBe('in-line');
    hosted.settings = { ...hosted.settings, atOnce: 2 };
    hosted.host.settingsChanged();
    await until(() => hosted.agent.methods().filter((method) => method === 'session/prompt').length === 2);
    go.resolve();
    expect(await hosted.ended(one.turnId)).toMatchObject({ state: 'done' });
    expect(await hosted.ended(three.turnId)).toMatchObject({ state: 'done' });
  });

  it('that waits for a person lets others run, and goes on at once with the answer', async () => {
    const hosted = new Hosted();
    hosted.settings = { ...hosted.settings, atOnce: 1 };
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    hosted.agent.script = async (turn) => {
      const nth = Number(turn.text);
      if (nth === 0) await turn.ask({ toolCallId: 'call', name: 'Bash' });
      await turn.say(`now ${nth}`);
      await gates[nth]?.promise;
      return 'end_turn';
    };
    const [asking, next, last] = [hosted.create(), hosted.create(), hosted.create()];
    const { turnId } = await asking.send(text('0'));
    const question = await hosted.question();
    await next.send(text('1'));
    await until(() => next.view().state === 'running' && hosted.of('update').length === 1);
    expect(asking.view().state).toBe('waiting');
    const three = await last.send(text('2'));
    await until(() => last.view().state === 'in-line');
    await asking.answer(question.id, { answer: 'allow' });
    await until(() => hosted.of('update').length === 2);
    expect([asking.view().state, next.view().state, last.view().state]).toEqual(['running', 'running', 'in-line']);
    // Two run where one may: the place of the first that ends is nobody's.
    gates[0]?.resolve();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'done' });
    expect(last.view().state).toBe('in-line');
    gates[1]?.resolve();
    gates[2]?.resolve();
    expect(await hosted.ended(three.turnId)).toMatchObject({ state: 'done' });
  });

  it('that is stopped while it waits for a person gives no place back twice', async () => {
    const hosted = new Hosted();
    hosted.settings = { ...hosted.settings, atOnce: 1 };
    hosted.agent.script = async (turn) => {
      if (turn.text === 'ask') await turn.ask({ toolCallId: 'call', name: 'Bash' });
      await turn.stopped;
      return 'cancelled';
    };
    const [asking, second, third] = [hosted.create(), hosted.create(), hosted.create()];
    await asking.send(text('ask'));
    await hosted.question();
    await asking.stop();
    await second.send(text('x'));
    await until(() => second.view().state === 'running');
    await third.send(text('y'));
    await until(() => third.view().state === 'in-line');
    await third.stop();
    await second.stop();
  });
});

describe('the queue', () => {
  it('E12 is on disk, can be seen, and is sent one message at a time', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let running = 0;
    let most = 0;
    const go = Promise.withResolvers<void>();
    hosted.agent.script = async () => {
      running += 1;
      most = Math.max(most, running);
      await go.promise;
      running -= 1;
      return 'end_turn';
    };
    await session.send(text('one'), 'one');
    await Promise.all([session.send(text('two'), 'two'), session.send(text('three'), 'three')]);
    await until(() => session.view().state === 'running');
    expect(session.view().queue.map(({ id }) => id)).toEqual(['two', 'three']);
    expect(hosted.store.queue.of('s').map(({ id }) => id)).toEqual(['two', 'three']);
    go.resolve();
    await hosted.ended('three');
    expect(most).toBe(1);
    expect(session.view().queue).toEqual([]);
  });

  it('waits after a turn was stopped or failed, until the person sends it', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await turn.stopped;
      return 'cancelled';
    };
    await session.send(text('one'), 'one');
    await session.send(text('two'), 'two');
    await until(() => hosted.agent.methods().includes('session/prompt'));
    await session.stop();
    expect(session.view()).toMatchObject({ state: 'idle', outcome: 'cancelled', isQueuePaused: true });
    hosted.agent.script = async () => 'end_turn';
    session.turns.resume();
    expect(await hosted.ended('two')).toMatchObject({ state: 'done' });
  });

  it('goes on only when a person says so after Jumpseat was killed, and loses nothing', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = () => new Promise(() => undefined);
    await session.send(text('one'), 'one');
    await session.send(text('two'), 'two');
    await until(() => hosted.agent.methods().includes('session/prompt'));
    hosted.restart();
    hosted.agent.script = async () => 'end_turn';
    expect(hosted.store.turns.find('one')).toMatchObject({ state: 'interrupted' });
    const again = await hosted.host.session('s');
    expect(hosted.host.held()).toMatchObject([
      { id: 's', state: 'unloaded', outcome: 'interrupted', isQueuePaused: true, queue: [{ id: 'two' }] },
    ]);
    expect(hosted.agent.methods().filter((method) => method === 'session/prompt')).toHaveLength(1);
    again.turns.resume();
    expect(await hosted.ended('two')).toMatchObject({ state: 'done' });
    const prompts = hosted.agent.asked.filter(({ method }) => method === 'session/prompt');
    expect(prompts.map(({ params }) => params.prompt)).toEqual([text('one'), text('two')]);
  });
});

it('what is sent without a connection to Copilot waits, also as the first message, and goes out once there is one', async () => {
  const hosted = new Hosted();
  hosted.isOffline = true;
  const session = hosted.create('s');
  await session.send(text('one'), 'one');
  await session.send(text('two'), 'two');
  expect(session.view()).toMatchObject({ state: 'idle', isQueuePaused: false, queue: [{ id: 'one' }, { id: 'two' }] });
  hosted.host.connectionChanged();
  expect(hosted.agent.methods()).not.toContain('session/prompt');
  expect([hosted.awaited > 0, hosted.host.isConnectionAwaited()]).toEqual([true, true]);
  await session.stop();
  expect(hosted.host.isConnectionAwaited()).toBe(false);
  session.turns.resume();
  await expect.poll(() => hosted.host.isConnectionAwaited()).toBe(true);
  hosted.isOffline = false;
  hosted.host.connectionChanged();
  expect(await hosted.ended('two')).toMatchObject({ state: 'done' });
  expect(hosted.host.isConnectionAwaited()).toBe(false);
  const prompts = hosted.agent.asked.filter(({ method }) => method === 'session/prompt');
  expect(prompts.map(({ params }) => params.prompt)).toEqual([text('one'), text('two')]);
});

it('a queued message is shown without its images, is changed with them, and is sent with them', async () => {
  const hosted = new Hosted();
  const session = hosted.create('s');
  const go = Promise.withResolvers<void>();
  hosted.agent.script = async () => {
    await go.promise;
    return 'end_turn';
  };
  await session.send(text('one'), 'one');
  const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(5_000), _meta: { jumpseat: { name: 'a' } } };
  const pasted = { type: 'resource', resource: { uri: 'pasted:1', text: 'line\n'.repeat(900) } };
  await session.send([...text('two'), image, pasted], 'two');
  const [shown] = session.view().queue;
  expect(shown?.prompt).toEqual([
    ...text('two'),
    { ...image, data: '', _meta: { jumpseat: { name: 'a', leftOut: 1 } } },
    { ...pasted, resource: { uri: 'pasted:1', text: '' }, _meta: { jumpseat: { leftOut: 2 } } },
  ]);
  expect(session.turns.queue.change('two', [...text('TWO'), ...(shown?.prompt.slice(1) ?? [])])).toBe(true);
  go.resolve();
  await hosted.ended('two');
  const sent = hosted.agent.asked.findLast(({ method }) => method === 'session/prompt');
  expect(sent?.params.prompt).toEqual([...text('TWO'), image, pasted]);
});

describe('steering', () => {
  it('E16 joins the running turn with priority next, and is on record', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    const go = Promise.withResolvers<void>();
    hosted.agent.script = async () => {
      await go.promise;
      return 'end_turn';
    };
    const { turnId } = await session.send(text('one'));
    await until(() => hosted.agent.methods().includes('session/prompt'));
    expect(await session.steer(text('make it about cats'), 'steer-1')).toEqual({ turnId });
    expect(hosted.agent.asked.at(-1)).toMatchObject({
      method: '_session/steering',
      params: { prompt: text('make it about cats'), _meta: { jumpseat: { priority: 'next' } } },
    });
    expect(hosted.of('steered')).toEqual([{ id: 'steer-1', prompt: text('make it about cats') }]);
    go.resolve();
    await hosted.ended(turnId);
  });

  const steered = async (hosted: Hosted) => {
    const session = hosted.create('s');
    const end = Promise.withResolvers<'end_turn'>();
    let raw: ((message: Record<string, unknown>) => Promise<void>) | undefined;
    hosted.agent.extras.add('take-back');
    hosted.agent.script = async (turn) => {
      ({ raw } = turn);
      await Promise.race([end.promise, turn.stopped]);
      return 'end_turn';
    };
    const { turnId } = await session.send(text('one'));
    await until(() => hosted.agent.methods().includes('session/prompt'));
    await session.steer(text('be brief'), 'w');
    const lifecycle = async (state: 'started' | 'cancelled') => {
      await raw?.({ type: 'command_lifecycle', state, command_uuid: hosted.agent.steered[0] });
    };
    return { session, turnId, end, lifecycle };
  };

  it('is back in the queue before the agent hears of a stop, where it waits for an answer', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.extras.add('take-back');
    hosted.agent.script = async (turn) => {
      await turn.ask({ toolCallId: 'tool-1', name: 'Bash', rawInput: { command: 'touch made' } });
      return 'cancelled';
    };
    const { turnId } = await session.send(text('one'));
    await hosted.question();
    await session.steer(text('be brief'), 'w');
    await session.stop();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled' });
    const methods = hosted.agent.methods().filter((method) => /take_back|cancel/.test(method));
    expect(methods).toEqual(['_jumpseat/take_back', 'session/cancel']);
    expect(session.turns.queue.all()).toMatchObject([{ id: 'w', prompt: text('be brief') }]);
  });

  it('is taken back until it was read, and counts no more', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    expect(session.turns.current?.said).toBe(2);
    expect(await session.turns.takeBackSteering('w')).toEqual(text('be brief'));
    expect(session.turns.current?.said).toBe(1);
    expect(hosted.of('steered').at(-1)).toEqual({ id: 'w', prompt: null });
    expect(await session.turns.takeBackSteering('w')).toBeNull();
    end.resolve('end_turn');
    await hosted.ended(turnId);
    expect(session.turns.queue.all()).toEqual([]);
  });

  it('that was read is on record as that, and is not taken back', async () => {
    const hosted = new Hosted();
    const { session, turnId, end, lifecycle } = await steered(hosted);
    await lifecycle('started');
    await until(() => hosted.of('steering-read').length > 0);
    expect(hosted.of('steering-read')).toEqual([{ id: 'w' }]);
    expect(await session.turns.takeBackSteering('w')).toBeNull();
    end.resolve('end_turn');
    await hosted.ended(turnId);
    expect(hosted.of('steered')).toHaveLength(1);
  });

  it('that the agent does not give back stays said', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    hosted.agent.steered.length = 0;
    expect(await session.turns.takeBackSteering('w')).toBeNull();
    end.resolve('end_turn');
    await hosted.ended(turnId);
    expect(hosted.of('steered')).toHaveLength(1);
  });

  it('that was not read waits in the queue once its turn is stopped', async () => {
    const hosted = new Hosted();
    const { session, turnId, lifecycle } = await steered(hosted);
    await lifecycle('cancelled');
    // As after an interrupt: the agent has forgotten it.
    hosted.agent.steered.length = 0;
    await session.stop();
    await hosted.ended(turnId);
    expect(session.view()).toMatchObject({ isQueuePaused: true, queue: [{ id: 'w', prompt: text('be brief') }] });
    expect(hosted.of('steered').at(-1)).toEqual({ id: 'w', prompt: null });
  });

  it('that was not read waits in the queue once its process has ended', async () => {
    const hosted = new Hosted();
    const { session, turnId } = await steered(hosted);
    hosted.agent.processes[0]?.die();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed' });
    expect(session.view()).toMatchObject({ isQueuePaused: true, queue: [{ id: 'w' }] });
  });

  it('says why the agent did not take it, and what to do', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    const go = Promise.withResolvers<'end_turn'>();
    hosted.agent.script = () => go.promise;
    const { turnId } = await session.send(text('one'));
    await until(() => hosted.agent.methods().includes('session/prompt'));
    const refusedWith = (error: RequestError): Promise<unknown> => {
      hosted.agent.failures.set('_session/steering', error);
      return session.steer(text('be brief')).catch((refusal: unknown) => refusal);
    };
    const exit = { code: null, signal: 'SIGKILL', stderr: '' };
    expect(await refusedWith(RequestError.internalError({ exit }, 'no process'))).toMatchObject({
      ...{ code: 'agent-ended', message: expect.stringContaining('Fake Agent stopped in the middle of this turn') },
      remedy: 'Send a message to go on with this conversation.',
    });
    const message = 'Fake Agent didn’t accept the message in the running turn';
    const refused = { code: 'not-possible', remedy: 'Send the message again.' };
    expect(await refusedWith(RequestError.internalError())).toMatchObject({ ...refused, message: `${message}.` });
    const closed = await refusedWith(RequestError.internalError(undefined, 'its input is closed'));
    expect(closed).toMatchObject({ ...refused, message: `${message}: its input is closed.` });
    expect(session.view().queue).toEqual([]);
    go.resolve('end_turn');
    await hosted.ended(turnId);
  });

  it('that was not read and can’t be kept on disk is still there to be taken back', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    const add = vi.spyOn(hosted.store.queue, 'add').mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    await session.stop();
    await hosted.ended(turnId);
    expect(session.view().queue).toEqual([]);
    expect(hosted.of('steered')).toEqual([{ id: 'w', prompt: text('be brief') }]);
    add.mockRestore();
    end.resolve('end_turn');
    await hosted.ended((await session.send(text('two'))).turnId);
    expect(await session.turns.takeBackSteering('w')).toEqual(text('be brief'));
    expect(await session.turns.takeBackSteering('w')).toBeNull();
  });

  it('waits in the queue where the turn has failed and gets its words back', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    const takesBack = hosted.agent.hold(extraMethods['take-back']);
    end.reject(new RequestError(-32603, 'Internal error: refused', { errorKind: 'invalid_request' }));
    await takesBack.reached;
    expect(await session.steer(text('and short'), 'x')).toEqual({ turnId: 'x' });
    takesBack.go();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed' });
    expect(session.view()).toMatchObject({ isQueuePaused: true, queue: [{ id: 'w' }, { id: 'x' }] });
    expect(hosted.agent.methods().filter((method) => method === '_session/steering')).toHaveLength(1);
  });

  it('that a turn of the agent’s own has not read waits in the queue once that is stopped or lost', async () => {
    for (const isLost of [false, true]) {
      const hosted = new Hosted();
      const { session, turnId, end } = await steered(hosted);
      end.resolve('end_turn');
      await hosted.ended(turnId);
      session.turns.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I' } }, null);
      const own = session.turns.current;
      if (own === null) throw new Error('no turn');
      vi.spyOn(hosted.agent.processes[0] ?? expect.fail(), 'request').mockImplementation(
        async (method) =>
          Promise.resolve(
            method === '_session/steering'
              ? { outcome: 'injected', _meta: { jumpseat: { promptId: 'p' } } }
              : { isTaken: true },
          ) as never,
      );
      expect(await session.steer(text('wait'), 'v')).toEqual({ turnId: own.id });
      if (isLost) hosted.agent.processes[0]?.die();
      else void session.stop();
      await hosted.ended(own.id);
      expect(session.view()).toMatchObject({ isQueuePaused: true, queue: [{ id: 'v', prompt: text('wait') }] });
    }
  });

  it('that was not read waits in the queue after a kill', async () => {
    const hosted = new Hosted();
    await steered(hosted);
    hosted.restart();
    const session = await hosted.host.session('s');
    expect(session.view()).toMatchObject({ isQueuePaused: true, queue: [{ id: 'w', prompt: text('be brief') }] });
  });

  it('that was not read waits in the queue after a kill with all that is attached, however long', async () => {
    const hosted = new Hosted();
    const { session } = await steered(hosted);
    const long = [...text('x'.repeat(200_000)), { type: 'image', mimeType: 'image/png', data: 'A'.repeat(100_000) }];
    await session.steer(long, 'v');
    hosted.restart();
    const again = await hosted.host.session('s');
    expect(again.turns.queue.all()).toMatchObject([{ id: 'w' }, { id: 'v', prompt: long }]);
    expect(
      hosted.store.record
        .read(0)
        .entries.filter(({ kind }) => kind === 'steered')
        .at(-1)?.event,
    ).toEqual({
      id: 'w',
      prompt: null,
    });
  });

  it('with the same id is said once: while it is said, before and after it was read, and after its turn', async () => {
    const hosted = new Hosted();
    const { session, turnId, end, lifecycle } = await steered(hosted);
    const steeredWith = () => hosted.agent.methods().filter((method) => method === '_session/steering');
    const gate = hosted.agent.hold('_session/steering');
    const first = session.steer(text('and short'), 'v');
    await gate.reached;
    const second = session.steer(text('and short'), 'v');
    gate.go();
    expect([await first, await second]).toEqual([{ turnId }, { turnId }]);
    expect(await session.steer(text('be brief'), 'w')).toEqual({ turnId });
    await lifecycle('started');
    await until(() => hosted.of('steering-read').length > 0);
    expect(await session.steer(text('be brief'), 'w')).toEqual({ turnId });
    hosted.agent.steered.length = 0;
    end.resolve('end_turn');
    await hosted.ended(turnId);
    expect(await session.steer(text('be brief'), 'w')).toEqual({ turnId });
    hosted.restart();
    const again = await hosted.host.session('s');
    expect(await again.steer(text('be brief'), 'w')).toEqual({ turnId });
    expect([steeredWith().length, hosted.store.turns.of('s').length, again.turns.queue.all()]).toEqual([2, 1, []]);
  });

  it('with the id of the message that runs, or ran, says nothing more', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    expect(await session.steer(text('one'), turnId)).toEqual({ turnId });
    hosted.agent.steered.length = 0;
    end.resolve('end_turn');
    await hosted.ended(turnId);
    expect(await session.steer(text('one'), turnId)).toEqual({ turnId });
    expect(hosted.of('steered')).toHaveLength(1);
    expect(hosted.store.turns.of('s')).toHaveLength(1);
  });

  it('that a turn of the agent’s own has ended without reading is the next message, and is sent', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    end.resolve('end_turn');
    await hosted.ended(turnId);
    session.turns.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I' } }, null);
    const own = session.turns.current ?? expect.fail();
    const [process = expect.fail()] = hosted.agent.processes;
    const request = process.request.bind(process);
    vi.spyOn(process, 'request').mockImplementation(async (method, params) =>
      method === '_session/steering'
        ? ({ outcome: 'injected', _meta: { jumpseat: { promptId: 'p' } } } as never)
        : method === extraMethods['take-back']
          ? ({ isTaken: true } as never)
          : request(method, params),
    );
    await session.steer(text('wait'), 'v');
    const working = { kind: 'working', isWorking: false } as const;
    session.turns.fact({ ...working, sessionId: 's' });
    session.turns.fact({ ...working, sessionId: 's' });
    expect(await hosted.ended(own.id)).toMatchObject({ state: 'done' });
    expect(await hosted.ended('v')).toMatchObject({ state: 'done' });
    expect(hosted.store.turns.find('v')?.prompt).toEqual(text('wait'));
  });

  it('is on disk at every moment while a message of the queue becomes it', async () => {
    const hosted = new Hosted();
    const { session } = await steered(hosted);
    await session.send(text('later'), 'r');
    const gate = hosted.agent.hold('_session/steering');
    void session.steerQueued('r').catch(() => undefined);
    await gate.reached;
    expect(session.view().queue).toEqual([]);
    hosted.restart();
    const again = await hosted.host.session('s');
    expect(again.view()).toMatchObject({
      isQueuePaused: true,
      queue: [{ id: 'w' }, { id: 'r', prompt: text('later') }],
    });
    gate.go();
  });

  it('is the next message where the running turn takes no words, and sent where none runs', async () => {
    const hosted = new Hosted();
    hosted.agent.extras.delete('steer');
    const { session, turnId, end } = await steered(hosted);
    await session.send(text('two'), 'two');
    await session.send(text('three'), 'three');
    expect(await session.steerQueued('three')).toBe(true);
    expect(session.turns.queue.all()).toMatchObject([{ id: 'three' }, { id: 'w' }, { id: 'two' }]);
    await session.stop();
    await hosted.ended(turnId);
    end.resolve('end_turn');
    expect(await session.steerQueued('two')).toBe(true);
    expect(await hosted.ended('two')).toMatchObject({ state: 'done' });
    expect(await hosted.ended('three')).toMatchObject({ state: 'done' });
  });

  it('is what waited in the queue, with all that is attached, or stays there', async () => {
    const hosted = new Hosted();
    const { session, turnId, end } = await steered(hosted);
    const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(5_000) };
    await session.send([...text('see'), image], 'q');
    expect(await session.steerQueued('q')).toBe(true);
    expect(hosted.of('steered').at(-1)).toEqual({ id: 'q', prompt: [...text('see'), image] });
    expect(session.view().queue).toEqual([]);
    expect(await session.steerQueued('q')).toBe(false);
    await session.send(text('later'), 'r');
    hosted.agent.failures.set('_session/steering', new Error('no'));
    await expect(session.steerQueued('r')).rejects.toThrow();
    expect(session.view().queue).toMatchObject([{ id: 'r', prompt: text('later') }]);
    session.turns.queue.remove('r');
    end.resolve('end_turn');
    await hosted.ended(turnId);
  });

  it('is a message of its own where nothing runs', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    await hosted.ended((await session.send(text('one'))).turnId);
    const { turnId } = await session.steer(text('two'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods()).not.toContain('_session/steering');
  });
});

it('a turn ends with the process of its session, although the agent has others that run on', async () => {
  const hosted = new Hosted();
  const session = hosted.create('s');
  await hosted.ended((await session.send(text('one'))).turnId);
  const [process] = hosted.agent.processes;
  if (process === undefined) throw new Error('no process');
  const request = process.request.bind(process);
  const exit = { code: null, signal: 'SIGKILL', stderr: 'last words' };
  const spy = vi.spyOn(process, 'request').mockImplementation(async (method: string, params: unknown) => {
    if (method === 'session/prompt') throw new AgentError('ended', 'Its process ended.', 'Send it again.', { exit });
    return request(method, params);
  });
  const { turnId } = await session.send(text('two'));
  expect(await hosted.ended(turnId)).toMatchObject({
    state: 'failed',
    problem: { code: 'agent-ended', stderr: 'last words' },
  });
  spy.mockRestore();
  expect(await hosted.ended((await session.send(text('three'))).turnId)).toMatchObject({ state: 'done' });
});

describe('a stop', () => {
  it('E15 in mid-stream tells the agent, and keeps its process for the next message', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    hosted.agent.script = async (turn) => {
      await turn.say('word word word');
      await turn.stopped;
      return 'cancelled';
    };
    const { turnId } = await session.send(text('a long story'));
    await until(() => hosted.of('update').length > 0);
    await session.stop();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled', problem: null });
    await session.stop();
    expect(session.view().state).toBe('idle');
    hosted.agent.script = async () => 'end_turn';
    expect(await hosted.ended((await session.send(text('and?'))).turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods()).not.toContain('session/resume');
  });

  it('that is not obeyed ends the process within two seconds, and the next message resumes', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await turn.say('on and on');
      return new Promise(() => undefined);
    };
    const { turnId } = await session.send(text('x'));
    await until(() => hosted.of('update').length > 0);
    const began = hosted.clock.now();
    void session.stop();
    await until(async () => {
      await hosted.clock.advance(100);
      return hosted.agent.methods().includes('session/close');
    });
    expect(hosted.clock.now() - began).toBeLessThanOrEqual(2_000);
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled' });
    hosted.agent.script = async () => 'end_turn';
    await hosted.ended((await session.send(text('again'))).turnId);
    expect(hosted.agent.methods().at(-2)).toBe('session/resume');
  });
});

describe('a turn that leaves its session without a process', () => {
  const task = { task_id: 'b1', task_type: 'local_bash', description: 'npm run dev' };
  const atWork = async (turn: FakeTurn): Promise<void> => {
    await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [task] });
    await turn.say('I begin');
  };
  const isAtRest = async (hosted: Hosted, session: HostedSession): Promise<void> => {
    expect(session.view()).toMatchObject({ state: 'unloaded', tasks: [], model: { applied: null } });
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
    expect(session.view()).toMatchObject({ state: 'unloaded', tasks: [] });
  };

  it('has failed: nothing of it works on, and the agent ends with it', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await atWork(turn);
      throw new RequestError(-32603, 'It broke.');
    };
    const { turnId } = await session.send(text('x'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed' });
    await isAtRest(hosted, session);
  });

  it('was stopped and did not obey: the same', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await atWork(turn);
      return new Promise(() => undefined);
    };
    const { turnId } = await session.send(text('x'));
    await until(() => hosted.of('update').length > 0);
    void session.stop();
    await until(async () => {
      await hosted.clock.advance(100);
      return session.turns.current === null;
    });
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled' });
    await isAtRest(hosted, session);
  });
});

describe('a process that ends', () => {
  it('E13 E14 in a turn fails it with the end of its stderr, and the next message resumes', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await turn.say('I begin');
      turn.process.die({ signal: 'SIGKILL', stderr: 'out of memory\n' });
      return 'end_turn';
    };
    const { turnId } = await session.send(text('x'));
    expect(await hosted.ended(turnId)).toMatchObject({
      state: 'failed',
      problem: { code: 'agent-ended', stderr: 'out of memory' },
    });
    expect(session.view()).toMatchObject({ state: 'unloaded', outcome: 'failed', model: { applied: null } });
    hosted.agent.script = async () => 'end_turn';
    expect(await hosted.ended((await session.send(text('again'))).turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods().slice(-4)).toEqual(['connect', 'prepare', 'session/resume', 'session/prompt']);
  });

  it('while idle, which no request reports, is resumed and sent to once', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    hosted.agent.processes[0]!.sessions.clear();
    expect(await hosted.ended((await session.send(text('two'))).turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods().slice(-4)).toEqual([
      ...['session/close', 'prepare', 'session/resume', 'session/prompt'],
    ]);
    expect(hosted.store.turns.of('s')).toHaveLength(2);
  });

  it('of a session alone while idle is seen at once, and so is what it worked on in the background', async () => {
    const hosted = new Hosted();
    const [session, other] = [hosted.create('s'), hosted.create('other')];
    await hosted.ended((await other.send(text('zero'))).turnId);
    const task = { task_id: 'b1', task_type: 'local_bash', description: 'npm run dev' };
    hosted.agent.script = async (turn) => {
      await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [task] });
      return 'end_turn';
    };
    await hosted.ended((await session.send(text('one'))).turnId);
    expect(session.view()).toMatchObject({ state: 'idle', tasks: [{ id: 'b1' }] });
    const exit = { code: null, signal: 'SIGKILL', stderr: '' };
    hosted.agent.processes[0]!.tell('_jumpseat/session_ended', { sessionId: 's', exit });
    await until(() => session.view().state === 'unloaded');
    expect(session.view()).toMatchObject({ tasks: [], outcome: 'done', problem: null });
    await until(() => hosted.agent.methods().at(-1) === 'session/close');
    expect(await hosted.ended((await session.send(text('two'))).turnId)).toMatchObject({ state: 'done' });
    expect(other.view().state).toBe('idle');
  });

  it('of a session alone ends the turn that the agent had begun by itself', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    const [process] = hosted.agent.processes;
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'By myself' } };
    process!.tell('session/update', { sessionId: 's', update });
    await until(() => session.turns.current !== null);
    const own = session.turns.current?.id ?? '';
    process!.tell('_jumpseat/session_ended', {
      sessionId: 's',
      exit: { code: null, signal: 'SIGKILL', stderr: 'last words' },
    });
    expect(await hosted.ended(own)).toMatchObject({
      state: 'interrupted',
      problem: { code: 'agent-ended', stderr: 'last words' },
    });
  });

  it('leaves its other sessions to go on with their next message', async () => {
    const hosted = new Hosted();
    const [one, two] = [hosted.create('one'), hosted.create('two')];
    await hosted.ended((await one.send(text('1'))).turnId);
    await hosted.ended((await two.send(text('2'))).turnId);
    hosted.agent.processes[0]!.die();
    await until(() => one.view().state === 'unloaded' && two.view().state === 'unloaded');
    await hosted.ended((await one.send(text('1'))).turnId);
    await hosted.ended((await two.send(text('2'))).turnId);
    expect(hosted.agent.processes).toHaveLength(2);
  });
});

describe('the end of the agent in the middle of a turn', () => {
  const ends = async (hosted: Hosted, data?: unknown) => {
    hosted.agent.script = () => Promise.reject(new RequestError(-32603, 'It exited unexpectedly.', data));
    const session = await hosted.host.session('s').catch(() => hosted.create('s'));
    const { turnId } = await session.send(text('x'));
    return hosted.ended(turnId);
  };

  it('is told with what ended it and its last lines, also where it had a process of its own', async () => {
    const exit = { code: null, signal: 'SIGKILL', stderr: 'FATAL ERROR: heap' };
    expect(await ends(new Hosted(), { exit })).toMatchObject({
      state: 'failed',
      problem: {
        ...{ code: 'agent-ended', stderr: 'FATAL ERROR: heap', facts: { signal: 9, ends: 1 } },
        text:
          'Fake Agent stopped in the middle of this turn. The system ended it (signal 9), most often because memory ' +
          'ran out. Earlier work is saved; the last command may be half done.',
      },
    });
    expect(await ends(new Hosted(), { exit: { code: 3, signal: null, stderr: '' } })).toMatchObject({
      problem: { code: 'agent-ended', stderr: null, facts: { exitCode: 3 } },
    });
  });

  it('counts how often that was within five minutes', async () => {
    const hosted = new Hosted();
    const exit = { code: 1, signal: null, stderr: '' };
    await ends(hosted, { exit });
    await hosted.clock.advance(6 * 60_000);
    expect(await ends(hosted, { exit })).toMatchObject({ problem: { facts: { ends: 1 } } });
    await ends(hosted, { exit });
    expect(await ends(hosted, { exit })).toMatchObject({
      problem: { facts: { ends: 3 }, text: expect.stringContaining('It ended 3 times in 5 minutes.') },
    });
  });
});

describe('a refusal', () => {
  it('fails the turn with its cause, and the session lives on', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    hosted.agent.script = () =>
      Promise.reject(new RequestError(-32603, 'API Error: 402 you’re out of credits', { errorKind: 'unknown' }));
    const { turnId } = await session.send(text('x'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed', problem: { code: 'refused' } });
    hosted.agent.script = async () => 'end_turn';
    expect(await hosted.ended((await session.send(text('y'))).turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods()).not.toContain('session/close');
  });

  it('of a session whose conversation is gone is said, and nothing is begun in its place', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await turn.raw({ type: 'assistant', message: { id: 'm' }, uuid: 'u' });
      return 'end_turn';
    };
    await hosted.ended((await session.send(text('x'))).turnId);
    await session.unload();
    hosted.agent.conversations.clear();
    const { turnId } = await session.send(text('y'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed' });
    expect(hosted.agent.methods().filter((method) => method === 'session/new')).toHaveLength(1);
  });
});
