import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it, vi } from 'vitest';
import { answerCall } from '../../../../app/api/call.ts';
import { sessionCalls } from '../../../../app/api/calls/sessions.ts';
import { type SessionAnswersDependencies, sessionAnswers } from '../../../../app/sessions/host/answers.ts';
import { SessionStoreError } from '../../../../app/sessions/store/session-database.ts';
import { soon, until } from '../../../soon.ts';
import { bareExchange } from '../../history/example.ts';
import { temporaryFolder } from '../../history/surroundings.ts';
import { Hosted, text } from './hosted.ts';

describe('a new session', () => {
  it('E1 touches nothing before its first message, and the same id is the same session', async () => {
    const hosted = new Hosted();
    const session = hosted.create('11111111-1111-4111-8111-111111111111');
    expect(session.view()).toMatchObject({ id: session.id, state: 'provisional', outcome: null, queue: [] });
    expect(hosted.create(session.id)).toBe(session);
    expect(await hosted.host.session(session.id)).toBe(session);
    await session.choose({ model: 'sonnet' });
    await session.dispose();
    expect(hosted.agent.asked).toEqual([]);
    expect(hosted.store.sessions.all()).toEqual([]);
    expect(hosted.events).toEqual([]);
    expect(hosted.minted).toEqual([]);
  });

  it('is told to every front when it is made', () => {
    const hosted = new Hosted();
    hosted.create('a');
    hosted.create('a');
    expect(hosted.states).toEqual(['provisional']);
  });

  it('takes a second start of a session that is gone as a new one', async () => {
    const hosted = new Hosted();
    const session = hosted.create('a');
    await hosted.host.dispose('a');
    expect(hosted.create('a')).not.toBe(session);
  });

  it('is refused without a whole path', () => {
    const hosted = new Hosted();
    expect(() => hosted.host.create({ cwd: 'project' })).toThrow('A session needs the full path of its folder.');
  });

  it('E2 starts once with its first message, and is told when it is on disk', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let wasKept: boolean | null = null;
    hosted.host.listen((event) => {
      if (event.event === 'session' && event.session.sentAt === null && event.session.state === 'idle') {
        wasKept ??= hosted.store.sessions.find('s') !== null;
      }
    });
    const { turnId } = await session.send(text('Hello there'), 'turn-1');
    expect(turnId).toBe('turn-1');
    expect(await hosted.ended('turn-1')).toMatchObject({ state: 'done', stopReason: 'end_turn', problem: null });
    expect(wasKept).toBe(true);
    expect(hosted.agent.methods()).toEqual(['connect', 'prepare', 'session/new', 'session/prompt']);
    expect(hosted.agent.asked[1]?.params).toEqual({ how: { kind: 'new', sessionId: 's' } });
    expect(hosted.agent.asked[2]?.params).toMatchObject({
      cwd: hosted.cwd,
      _meta: { jumpseat: { sessionId: 's', title: 'Hello there', trusted: false } },
    });
    expect(hosted.agent.unreleased).toBe(0);
    expect(hosted.store.sessions.find('s')).toMatchObject({
      hosted: true,
      cwd: hosted.cwd,
      firstPrompt: 'Hello there',
    });
    expect(hosted.store.turns.of('s')).toMatchObject([{ id: 'turn-1', number: 1, state: 'done', initiator: 'user' }]);
    expect(hosted.kinds()).toEqual(['applied', 'turn-started', 'update', 'turn-ended']);
    expect(session.view()).toMatchObject({ state: 'idle', outcome: 'done', title: 'Hello there', turnId: null });
  });

  it('says its first message while its process starts, and no longer once that is on disk', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const { reached, go } = hosted.agent.hold('session/new');
    const sent = session.send(text('Hello there'), 'turn-1');
    await reached;
    expect(session.view()).toMatchObject({
      state: 'starting',
      beginsWith: { id: 'turn-1', prompt: text('Hello there') },
    });
    go();
    await sent;
    expect(session.view()).not.toHaveProperty('beginsWith');
    await hosted.ended('turn-1');
  });

  it('E30 starts with each of its folders as trusted as the person said, and with none that is gone', async () => {
    const hosted = new Hosted();
    const folder = (name: string): string => mkdtempSync(join(hosted.cwd, name));
    const [trusted, untrusted, gone] = [folder('a'), folder('b'), folder('c')];
    const link = join(trusted, 'link');
    symlinkSync(untrusted, link);
    rmSync(gone, { recursive: true });
    hosted.store.trusted.trust(realpathSync(trusted));
    hosted.store.trusted.trust(gone);
    const session = hosted.create('s');
    await session.choose({ directories: [trusted, untrusted, link, gone] });
    await hosted.ended((await session.send(text('Hello'))).turnId);
    expect(hosted.agent.asked[2]?.params).toMatchObject({
      _meta: { jumpseat: { trusted: false, untrustedDirectories: [untrusted, link, gone] } },
    });
  });

  it('starts once for two first messages, and runs them in their order', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    const start = hosted.agent.hold('session/new');
    const both = [session.send(text('first'), 'one'), session.send(text('second'), 'two')];
    await start.reached;
    start.go();
    await Promise.all(both);
    await hosted.ended('two');
    expect(hosted.agent.methods().filter((method) => method === 'session/new')).toHaveLength(1);
    const prompts = hosted.agent.asked.filter(({ method }) => method === 'session/prompt');
    expect(prompts.map(({ params }) => params.prompt)).toEqual([text('first'), text('second')]);
    expect(hosted.store.turns.of(session.id).map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('E3 leaves no process and no record where it can’t be written', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const write = vi.spyOn(hosted.store.queue, 'add').mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    await expect(session.send(text('Hello'))).rejects.toThrow('the disk is full');
    write.mockRestore();
    expect(hosted.store.sessions.all()).toEqual([]);
    await soon(() => expect(hosted.agent.processes[0]?.sessions.size).toBe(0));
    expect(session.view().state).toBe('provisional');
    await soon(() => expect(hosted.revoked).toEqual(['s']));
    const { turnId } = await session.send(text('Hello again'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'done' });
  });

  it('E7 reuses the process for the second message', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    await hosted.ended((await session.send(text('one'))).turnId);
    await hosted.ended((await session.send(text('two'))).turnId);
    expect(hosted.agent.methods()).toEqual([
      ...['connect', 'prepare', 'session/new', 'session/prompt', 'session/prompt'],
    ]);
  });

  it('takes the same message once, however often it is sent', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    const start = hosted.agent.hold('session/new');
    const sent = [session.send(text('one'), 'one'), session.send(text('one'), 'one')];
    await start.reached;
    start.go();
    await Promise.all(sent);
    await hosted.ended('one');
    await session.send(text('one'), 'one');
    expect(hosted.agent.methods().filter((method) => method === 'session/prompt')).toHaveLength(1);
  });
});

describe('a start that is stopped', () => {
  for (const method of ['connect', 'prepare', 'session/new', 'session/set_mode']) {
    for (const how of ['stop', 'dispose'] as const) {
      it(`E4 E5 by ${how} at ${method} answers at once, and leaves nothing`, async () => {
        const hosted = new Hosted();
        const session = hosted.create('s');
        await session.choose({ mode: 'plan' });
        const step = hosted.agent.hold(method);
        const sent = session.send(text('Hello'));
        const refused = expect(sent).rejects.toMatchObject({ code: 'cancelled' });
        await step.reached;
        const ended = session[how]();
        // Although the agent still stands there.
        await refused;
        step.go();
        await ended;
        await soon(() => expect(hosted.revoked.length).toBe(hosted.minted.length));
        expect(hosted.agent.processes[0]?.sessions.size ?? 0).toBe(0);
        expect(hosted.store.sessions.all()).toEqual([]);
        expect(hosted.agent.unreleased).toBe(0);
        expect(hosted.agent.methods()).not.toContain('session/prompt');
        if (how === 'dispose') return;
        const { turnId } = await session.send(text('Again'));
        expect(await hosted.ended(turnId)).toMatchObject({ state: 'done' });
        expect(hosted.agent.processes.at(-1)?.sessions.size).toBe(1);
      });
    }
  }

  it('takes the process of the agent along, and so does one that fails', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const start = hosted.agent.hold('session/new');
    const first = expect(session.send(text('one'))).rejects.toMatchObject({ code: 'cancelled' });
    await start.reached;
    await session.stop();
    await first;
    start.go();
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
    hosted.agent.failures.set('session/new', new Error('no such model'));
    await expect(session.send(text('two'))).rejects.toThrow();
    await expect(hosted.agent.processes[1]?.exited).resolves.toMatchObject({ code: 0 });
  });

  it('never has two of one session, also when it is sent again before the first is gone', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const start = hosted.agent.hold('session/new');
    const first = expect(session.send(text('one'))).rejects.toMatchObject({ code: 'cancelled' });
    await start.reached;
    await session.stop();
    await first;
    const closing = hosted.agent.hold('session/close');
    const second = session.send(text('two'));
    start.go();
    await closing.reached;
    expect(hosted.agent.methods().filter((method) => method === 'session/new')).toHaveLength(1);
    closing.go();
    await hosted.ended((await second).turnId);
    expect(hosted.agent.methods().filter((method) => /session\/(new|close)/.test(method))).toEqual([
      ...['session/new', 'session/close', 'session/new'],
    ]);
  });
});

describe('a session that was let go and is opened again at once', () => {
  it('waits for the end of the process of the one before, and keeps its own key', async () => {
    let looks = 0;
    const hosted = new Hosted({
      heldElsewhere: async () => {
        looks += 1;
        return null;
      },
    });
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    const closing = hosted.agent.hold('session/close');
    const gone = hosted.host.dispose('s');
    await closing.reached;
    const again = await hosted.host.session('s');
    expect(again).not.toBe(session);
    const before = looks;
    const { turnId } = await again.send(text('two'));
    // A start looks at the disk once before it asks who holds the session.
    for (let turn = 0; turn < 50; turn += 1) await stat(hosted.cwd);
    expect(looks).toBe(before);
    closing.go();
    await gone;
    await hosted.ended(turnId);
    const ends = hosted.agent.methods().filter((method) => /session\/(resume|close)/.test(method));
    expect(ends).toEqual(['session/close', 'session/resume']);
    expect([hosted.minted, hosted.revoked]).toEqual([['s', 's'], ['s']]);
    expect(hosted.host.held().map(({ id }) => id)).toEqual(['s']);
  });

  it('does not take its own process that has just ended for another program', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    const closing = hosted.agent.hold('session/close');
    const gone = hosted.host.dispose('s');
    await closing.reached;
    const again = await hosted.host.session('s');
    hosted.holder = { pid: 4711, program: 'other' };
    const { turnId } = await again.send(text('two'));
    closing.go();
    await gone;
    await hosted.clock.advance(100);
    hosted.holder = null;
    await until(async () => {
      await hosted.clock.advance(100);
      return hosted.store.turns.find(turnId)?.state === 'done';
    });
  });

  it('takes the process of the agent along where it was the last one', async () => {
    const hosted = new Hosted();
    await hosted.ended((await hosted.create('s').send(text('one'))).turnId);
    await hosted.host.dispose('s');
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
  });
});

describe('a start that never comes to an end', () => {
  it('is ended with its process some time after it was stopped, and the next message starts anew', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const start = hosted.agent.hold('session/new');
    const first = expect(session.send(text('one'))).rejects.toMatchObject({ code: 'cancelled' });
    await start.reached;
    await session.stop();
    await first;
    const second = session.send(text('two'));
    await until(async () => {
      await hosted.clock.advance(1_000);
      return hosted.agent.processes.length === 2;
    });
    await hosted.ended((await second).turnId);
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
  });

  it('does not need the record, which is closed when Jumpseat has ended', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const start = hosted.agent.hold('session/new');
    const first = expect(session.send(text('one'))).rejects.toMatchObject({ code: 'closed' });
    await start.reached;
    const [process] = hosted.agent.processes;
    if (process === undefined) throw new Error('No process was started.');
    process.stop = () => new Promise(() => undefined);
    let isDown = false;
    void hosted.host.shutdown().then(() => {
      isDown = true;
    });
    await first;
    await until(async () => {
      await hosted.clock.advance(1_000);
      return isDown;
    });
    const read = vi.spyOn(hosted.store.turns, 'of');
    hosted.store.close();
    await hosted.clock.advance(20_000);
    expect(read).not.toHaveBeenCalled();
  });
});

describe('what can’t be started', () => {
  it('says that the proxy is off, that the folder is gone, and that another program has it', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    hosted.baseUrl = null;
    await expect(session.send(text('x'))).rejects.toMatchObject({ code: 'proxy-off' });
    hosted.baseUrl = 'http://127.0.0.1:1';
    hosted.holder = { pid: 51877, program: 'other' };
    await expect(session.send(text('x'))).rejects.toMatchObject({ code: 'elsewhere' });
    hosted.holder = null;
    rmSync(hosted.cwd, { recursive: true });
    await expect(session.send(text('x'))).rejects.toMatchObject({ code: 'folder-gone' });
    expect(hosted.store.sessions.all()).toEqual([]);
    expect(hosted.agent.methods()).toEqual([]);
  });

  it('sends nothing once a terminal has opened what runs here, and goes on with what was said there when it left', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    hosted.holder = { pid: 51877, program: 'terminal' };
    const refused = await hosted.ended((await session.send(text('two'))).turnId);
    expect(refused).toMatchObject({ state: 'failed', problem: { text: expect.stringContaining('process 51877') } });
    expect(hosted.agent.methods().filter((method) => method === 'session/prompt')).toHaveLength(1);
    expect(hosted.agent.methods()).toContain('session/close');
    hosted.holder = null;
    expect(await hosted.ended((await session.send(text('three'))).turnId)).toMatchObject({ state: 'done' });
    expect(hosted.agent.methods().slice(-2)).toEqual(['session/resume', 'session/prompt']);
    hosted.host.openedInTerminal('s');
    await until(() => session.view().state === 'unloaded');
  });

  it('waits for our own process that is noted a moment longer, and for no other', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    hosted.holder = { pid: 4711, program: 'other' };
    await session.unload();
    const { turnId } = await session.send(text('two'));
    await until(async () => {
      await hosted.clock.advance(100);
      return hosted.clock.ticks() >= 300;
    });
    hosted.holder = null;
    await until(async () => {
      await hosted.clock.advance(100);
      return hosted.store.turns.find(turnId)?.state === 'done';
    });
  });

  it('says why the agent refused to begin it and what to do, whoever asks for it', async () => {
    const cwd = temporaryFolder();
    const hosted = new Hosted({ foreign: async () => ({ agent: 'claude' as const, cwd }) });
    const calls = sessionAnswers(
      async () => ({ host: hosted.host, store: hosted.store }) as SessionAnswersDependencies,
    );
    const ask = (name: string, ...given: unknown[]) =>
      answerCall({ table: sessionCalls, answers: [calls], redact: (words) => words }, name, given);
    const remedy = 'Remove it.';
    const refusal = RequestError.internalError({ remedy }, 'Another provider is set in /etc/x.');
    for (const method of ['session/new', 'session/resume']) hosted.agent.failures.set(method, refusal);
    const problem = { code: 'not-started', text: 'Another provider is set in /etc/x.', remedy };
    const said = { session: hosted.create().id, prompt: text('x') };
    expect(await ask('sendMessage', said)).toEqual({ ok: false, problem });
    expect(await ask('steerSession', said)).toEqual({ ok: false, problem });
    const elsewhere = '22222222-2222-4222-8222-222222222222';
    hosted.agent.conversations.add(elsewhere);
    expect(await ask('compactSession', elsewhere)).toEqual({ ok: false, problem });
    const died = RequestError.internalError({ stderr: 'a line\nThe setting x is wrong\n' }, 'exited with code 1');
    hosted.agent.failures.set('session/new', died);
    expect(await ask('sendMessage', said)).toEqual({
      ok: false,
      problem: {
        code: 'not-started',
        text: 'Fake Agent didn’t start the session: exited with code 1. The setting x is wrong.',
        remedy: 'Send the message again.',
      },
    });
  });

  it('passes on why the agent did not start, and tries again with the next message', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    hosted.agent.failures.set('connect', new Error('no such binary'));
    await expect(session.send(text('x'))).rejects.toThrow('no such binary');
    hosted.agent.failures.clear();
    expect(await hosted.ended((await session.send(text('x'))).turnId)).toMatchObject({ state: 'done' });
  });
});

describe('the end', () => {
  it('E6 of one provisional and two running sessions is bounded, at once, and leaves no process', async () => {
    const hosted = new Hosted();
    const never = Promise.withResolvers<never>();
    hosted.agent.script = async (turn) => {
      await turn.say('I begin');
      return never.promise;
    };
    hosted.create();
    const running = [hosted.create('a'), hosted.create('b')];
    const turns = await Promise.all(running.map((session) => session.send(text('go on'))));
    await until(() => hosted.of('update').length === 2);
    const ended = hosted.host.shutdown();
    expect(hosted.host.shutdown()).toBe(ended);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    // An agent that does not obey has 0.8 s.
    await until(async () => {
      await hosted.clock.advance(400);
      return isOver;
    });
    expect(hosted.agent.processes[0]?.sessions.size).toBe(0);
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
    for (const { turnId } of turns) {
      expect(hosted.store.turns.find(turnId)).toMatchObject({ state: 'interrupted', failure: null });
    }
    expect(() => hosted.create()).toThrow('Jumpseat is closing.');
  });

  it('waits for the process of an agent that did not let its sessions go in time', async () => {
    const hosted = new Hosted();
    const start = hosted.agent.hold('session/new');
    const sent = expect(hosted.create('a').send(text('go on'))).rejects.toMatchObject({ code: 'closed' });
    await start.reached;
    const [process] = hosted.agent.processes;
    if (process === undefined) throw new Error('no process');
    const obeys = Promise.withResolvers<void>();
    const stopping = Promise.withResolvers<void>();
    vi.spyOn(process, 'stop').mockImplementation(async () => {
      stopping.resolve();
      await obeys.promise;
      process.die();
    });
    let isOver = false;
    const ended = hosted.host.shutdown().then(() => {
      isOver = true;
    });
    await sent;
    await hosted.clock.advance(5_000);
    await stopping.promise;
    await hosted.clock.advance(1_000);
    expect(isOver).toBe(false);
    obeys.resolve();
    await ended;
  });

  it('of a disposed session is not the end of its conversation', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    await hosted.host.dispose('s');
    await expect(session.send(text('x'))).rejects.toMatchObject({ code: 'cancelled' });
    const again = await hosted.host.session('s');
    expect(again.view()).toMatchObject({ state: 'unloaded', title: 'one' });
    await hosted.ended((await again.send(text('two'))).turnId);
    expect(hosted.agent.methods().at(-2)).toBe('session/resume');
  });
});

describe('a session that was made elsewhere', () => {
  it('keeps its name, its pin and that it was seen, before and after its first message here', async () => {
    const cwd = temporaryFolder();
    const foreign = async () => ({ agent: 'claude' as const, cwd });
    const hosted = new Hosted({ foreign });
    const id = '22222222-2222-4222-8222-222222222222';
    hosted.agent.conversations.add(id);
    const session = await hosted.host.session(id);
    session.decorate({ title: 'Mine', pinned: true });
    session.saw();
    expect(hosted.store.sessions.find(id)).toMatchObject({ hosted: false, title: 'Mine', pinned: true, cwd });
    hosted.restart({ foreign });
    const again = await hosted.host.session(id);
    expect(again.view()).toMatchObject({ title: 'Mine', pinned: true, seenAt: hosted.clock.now() });
    await hosted.ended((await again.send(text('go on'))).turnId);
    expect(hosted.agent.methods().at(-2)).toBe('session/resume');
    expect(hosted.store.sessions.find(id)).toMatchObject({ hosted: true, title: 'Mine', pinned: true });
  });
});

describe('how a turn failed', () => {
  const failed = async (hosted: Hosted, words: string): Promise<void> => {
    hosted.agent.script = async () => {
      throw new Error('it broke');
    };
    const { turnId } = await (await hosted.host.session('s')).send(text(words));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'failed' });
  };

  it('is dismissed by a person until another turn fails, also over a restart', async () => {
    const hosted = new Hosted();
    hosted.create('s');
    await failed(hosted, 'one');
    const session = await hosted.host.session('s');
    session.saw();
    expect(session.view().isDismissed).toBe(false);
    session.dismissFailure();
    expect(session.view()).toMatchObject({ isDismissed: true, outcome: 'failed', seenAt: hosted.clock.now() });
    hosted.restart();
    expect((await hosted.host.session('s')).view().isDismissed).toBe(true);
    await hosted.clock.advance(1);
    await failed(hosted, 'two');
    expect((await hosted.host.session('s')).view().isDismissed).toBe(false);
  });

  it('is said after a restart as before', async () => {
    const hosted = new Hosted();
    hosted.create('s');
    await failed(hosted, 'one');
    const { problem } = (await hosted.host.session('s')).view();
    expect(problem).not.toBeNull();
    hosted.restart();
    expect((await hosted.host.session('s')).view().problem).toEqual(problem);
  });
});

it('a session is forked with all that was said in it, also elsewhere, where no turn is named', async () => {
  const cwd = temporaryFolder();
  const hosted = new Hosted({ foreign: async () => ({ agent: 'claude' as const, cwd, name: 'Dates' }) });
  const id = '44444444-4444-4444-8444-444444444444';
  hosted.agent.conversations.add(id);
  const fork = await hosted.host.fork(id, null);
  expect(fork.view()).toMatchObject({ title: 'Dates, fork', parent: id, state: 'unloaded' });
  await hosted.ended((await fork.send(text('go on'))).turnId);
  const copied = hosted.agent.asked.find(({ method }) => method === '_jumpseat/fork');
  expect(copied?.params).toEqual({ sessionId: id, cwd, messageId: null });
  await expect(hosted.host.fork(hosted.create().id, null)).rejects.toMatchObject({ code: 'no-answer' });
});

describe('a session whose folder is elsewhere now', () => {
  it('goes on there with its next message, and after a restart', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'))).turnId);
    const folder = temporaryFolder();
    rmSync(hosted.cwd, { recursive: true });
    await session.unload();
    const refused = await session.send(text('two'));
    expect(await hosted.ended(refused.turnId)).toMatchObject({ problem: { code: 'folder-gone' } });
    await session.move(folder);
    expect(session.view()).toMatchObject({ cwd: folder, state: 'unloaded' });
    await hosted.ended((await session.send(text('three'))).turnId);
    const resumed = hosted.agent.asked.findLast(({ method }) => method === 'session/resume');
    expect(resumed?.params).toMatchObject({ cwd: folder, sessionId: 's' });
    hosted.restart();
    expect((await hosted.host.session('s')).view()).toMatchObject({ cwd: folder });
  });

  it('stays where it is while a turn runs', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async ({ stopped }) => {
      await stopped;
      return 'cancelled';
    };
    await session.send(text('one'));
    await until(() => session.view().state === 'running');
    await expect(session.move(temporaryFolder())).rejects.toMatchObject({ code: 'turn-running' });
    expect(session.view().cwd).toBe(hosted.cwd);
    await session.stop();
  });

  it('goes on there where it was made elsewhere', async () => {
    const cwd = temporaryFolder();
    const foreign = async () => ({ agent: 'claude' as const, cwd });
    const hosted = new Hosted({ foreign });
    const id = '33333333-3333-4333-8333-333333333333';
    hosted.agent.conversations.add(id);
    await (await hosted.host.session(id)).move(hosted.cwd);
    hosted.restart({ foreign });
    expect((await hosted.host.session(id)).view().cwd).toBe(hosted.cwd);
  });
});

describe('the record of a session', () => {
  it('is held to its limits at the end of each turn, and a disk that is full ends no turn', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const trim = vi.spyOn(hosted.store.record, 'trim');
    await hosted.ended((await session.send(text('one'))).turnId);
    await until(() => session.view().state === 'idle');
    expect(trim.mock.calls).toEqual([['s']]);
    trim.mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    const { turnId } = await session.send(text('two'));
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'done' });
    await until(() => session.view().state === 'idle');
  });
});

describe('an idle session', () => {
  it('is unloaded after a while, and comes back with the next message, with its model and effort', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.choose({ model: 'sonnet', effort: 'low', mode: 'plan' });
    await hosted.ended((await session.send(text('one'))).turnId);
    await hosted.clock.advance(14 * 60_000);
    expect(session.view().state).toBe('idle');
    await hosted.clock.advance(60_000);
    await until(() => hosted.agent.processes[0]?.sessions.size === 0);
    // The last one takes the process of the agent along.
    await expect(hosted.agent.processes[0]?.exited).resolves.toMatchObject({ code: 0 });
    expect(session.view()).toMatchObject({ state: 'unloaded', model: { wanted: 'sonnet', applied: null } });
    expect(hosted.revoked).toEqual(['s']);
    await hosted.ended((await session.send(text('two'))).turnId);
    const resumed = hosted.agent.asked.find(({ method }) => method === 'session/resume');
    expect(resumed?.params).toMatchObject({ sessionId: 's', _meta: { jumpseat: { model: 'sonnet', effort: 'low' } } });
    expect(hosted.agent.methods().filter((method) => method === 'session/set_mode')).toHaveLength(2);
  });

  it('is unloaded later where it refused, after the same message again, and when the time was changed', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('one'), 'one')).turnId);
    const asked = new AbortController();
    const request = { sessionId: 's', toolCall: { toolCallId: 'of-the-background' }, options: [] };
    void session.agentSide.askPermission(request, asked.signal, 'child').catch(() => undefined);
    await hosted.clock.advance(15 * 60_000);
    expect(session.view().state).toBe('waiting');
    asked.abort();
    await until(() => session.view().state === 'idle');
    await hosted.clock.advance(15 * 60_000);
    await until(() => session.view().state === 'unloaded');

    await hosted.ended((await session.send(text('two'), 'two')).turnId);
    await session.send(text('two'), 'two');
    await hosted.clock.advance(15 * 60_000);
    await until(() => session.view().state === 'unloaded');

    hosted.settings = { ...hosted.settings, unloadAfterMinutes: null };
    await hosted.ended((await session.send(text('three'))).turnId);
    hosted.settings = { ...hosted.settings, unloadAfterMinutes: 1 };
    hosted.host.settingsChanged();
    await hosted.clock.advance(60_000);
    await until(() => session.view().state === 'unloaded');
  });

  it('stays while its turn runs, and for ever where the person wants that', async () => {
    const hosted = new Hosted();
    const go = Promise.withResolvers<void>();
    hosted.agent.script = async () => {
      await go.promise;
      return 'end_turn';
    };
    const session = hosted.create();
    const { turnId } = await session.send(text('one'));
    await hosted.clock.advance(60 * 60_000);
    expect(session.view().state).toBe('running');
    hosted.settings = { ...hosted.settings, unloadAfterMinutes: null };
    go.resolve();
    await hosted.ended(turnId);
    await hosted.clock.advance(24 * 60 * 60_000);
    expect(session.view().state).toBe('idle');
  });
});

describe('the versions of edited files', () => {
  const day = 24 * 60 * 60_000;
  const keeping = (hosted: Hosted) => ({
    keep: (id: string): void => {
      hosted.store.edits.add({
        ...{ id, sessionId: 's', turnId: 't', toolCallId: null, path: '/f', before: null, after: id },
      });
    },
    contents: () =>
      hosted.store.edits.of('s').map(({ after }) => (after === null ? null : hosted.store.edits.content(after))),
  });

  it('are kept for 30 days, and go with the next start', async () => {
    const hosted = new Hosted();
    const { keep, contents } = keeping(hosted);
    keep('old');
    await hosted.clock.advance(20 * day);
    keep('new');
    hosted.restart();
    expect(contents()).toEqual(['old', 'new']);
    await hosted.clock.advance(11 * day);
    hosted.restart();
    expect(contents()).toEqual([null, 'new']);
  });

  it('go at once where the person keeps them shorter, and a day later while Jumpseat runs on', async () => {
    const hosted = new Hosted();
    const { keep, contents } = keeping(hosted);
    keep('old');
    await hosted.clock.advance(8 * day);
    keep('new');
    hosted.settings = { ...hosted.settings, keepVersionsDays: 7 };
    hosted.host.settingsChanged();
    expect(contents()).toEqual([null, 'new']);
    await hosted.clock.advance(6.5 * day);
    hosted.host.exchangeChanged(bareExchange({ client: 'nobody' }));
    expect(contents()).toEqual([null, 'new']);
    await hosted.clock.advance(0.6 * day);
    hosted.host.exchangeChanged(bareExchange({ client: 'nobody' }));
    expect(contents()).toEqual([null, 'new']);
    await hosted.clock.advance(day);
    hosted.host.exchangeChanged(bareExchange({ client: 'nobody' }));
    expect(contents()).toEqual([null, null]);
  });

  it('stay for ever where the person wants that, and go all when the person says so', async () => {
    const hosted = new Hosted();
    const { keep, contents } = keeping(hosted);
    hosted.settings = { ...hosted.settings, keepVersionsDays: null };
    keep('old');
    await hosted.clock.advance(4_000 * day);
    keep('new');
    hosted.restart();
    expect(contents()).toEqual(['old', 'new']);
    expect(hosted.host.versions.deleteAll()).toBe(2);
    expect(contents()).toEqual([null, null]);
    expect(hosted.store.edits.of('s')).toHaveLength(2);
  });
});
