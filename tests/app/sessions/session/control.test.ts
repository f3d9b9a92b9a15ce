import { type McpServer, RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it } from 'vitest';
import { until } from '../../../soon.ts';
import { Hosted, text } from '../host/hosted.ts';

const asked = (hosted: Hosted, method: string) =>
  hosted.agent.asked.filter((one) => one.method === method).map(({ params }) => params);

describe('E17 what a session runs with', () => {
  it('is kept apart from what is wanted, and asked for once', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.choose({ model: 'sonnet', effort: 'low' });
    expect(session.view().model).toEqual({ wanted: 'sonnet', applied: null });
    await hosted.ended((await session.send(text('x'))).turnId);
    // What the agent says is shown, also where it is another.
    expect(session.view()).toMatchObject({ model: { wanted: 'sonnet', applied: 'opus' }, effort: { applied: 'high' } });
    await session.choose({ model: 'sonnet' });
    expect(session.view().model).toEqual({ wanted: 'sonnet', applied: 'sonnet' });
    await session.choose({ model: 'sonnet' });
    expect(asked(hosted, 'session/set_config_option')).toMatchObject([{ configId: 'model', value: 'sonnet' }]);
    expect(hosted.store.sessions.find('s')).toMatchObject({ model: 'sonnet', effort: 'low' });
  });

  it('is wanted again after a restart of Jumpseat', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.choose({ model: 'sonnet', effort: 'low', mode: 'plan' });
    await hosted.ended((await session.send(text('x'))).turnId);
    hosted.restart();
    const again = await hosted.host.session('s');
    expect(again.view()).toMatchObject({ model: { wanted: 'sonnet', applied: null }, mode: { wanted: 'plan' } });
    await hosted.ended((await again.send(text('y'))).turnId);
    expect(asked(hosted, 'session/resume')[0]).toMatchObject({
      _meta: { jumpseat: { model: 'sonnet', effort: 'low' } },
    });
    expect(asked(hosted, 'session/set_mode')).toHaveLength(2);
  });

  it('restarts the process before the next message for what only a start can change, never in a turn', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const go = Promise.withResolvers<void>();
    hosted.agent.script = async () => {
      await go.promise;
      return 'end_turn';
    };
    const { turnId } = await session.send(text('x'));
    await until(() => hosted.agent.methods().includes('session/prompt'));
    await session.choose({ directories: ['/elsewhere'] });
    await session.choose({ model: 'gpt-5.4' });
    expect(hosted.agent.methods()).not.toContain('session/close');
    go.resolve();
    await hosted.ended(turnId);
    const held = hosted.agent.hold('session/resume');
    const second = await session.send(text('y'));
    await held.reached;
    expect(session.view()).toMatchObject({ state: 'starting', restartsFor: ['model', 'folders'] });
    held.go();
    await hosted.ended(second.turnId);
    expect(session.view()).not.toHaveProperty('restartsFor');
    expect(hosted.agent.methods().slice(-4)).toEqual(['session/close', 'prepare', 'session/resume', 'session/prompt']);
    expect(asked(hosted, 'session/resume')[0]).toMatchObject({ _meta: { jumpseat: { model: 'gpt-5.4' } } });
    await hosted.ended((await session.send(text('z'))).turnId);
    expect(hosted.agent.methods().filter((method) => method === 'session/close')).toHaveLength(1);
  });

  it('E22 has the servers of its front, and restarts before the next message when they are others', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const server = { name: 'client', command: 'server', args: ['a'], env: [] };
    const front = {};
    session.openedBy(front, [server]);
    await hosted.ended((await session.send(text('x'))).turnId);
    expect(asked(hosted, 'session/new')[0]).toMatchObject({ mcpServers: [server] });
    session.openedBy(front, [{ ...server }]);
    await hosted.ended((await session.send(text('y'))).turnId);
    expect(hosted.agent.methods()).not.toContain('session/resume');
    session.leftBy(front);
    await hosted.ended((await session.send(text('z'))).turnId);
    expect(asked(hosted, 'session/resume')[0]).toMatchObject({ mcpServers: [] });
    expect(JSON.stringify(hosted.store.sessions.find('s'))).not.toContain('server');
  });

  it('restarts before the next message for servers, folders and a model that were chosen while it started', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const server = { name: 'client', command: 'server', args: [], env: [] };
    const held = hosted.agent.hold('session/new');
    const first = session.send(text('x'));
    await held.reached;
    session.openedBy({}, [server]);
    await session.choose({ directories: ['/more'], model: 'sonnet' });
    held.go();
    await hosted.ended((await first).turnId);
    expect(asked(hosted, 'session/new')[0]).toMatchObject({ mcpServers: [] });
    await hosted.ended((await session.send(text('y'))).turnId);
    expect(asked(hosted, 'session/resume')).toMatchObject([
      { mcpServers: [server], _meta: { jumpseat: { model: 'sonnet' } } },
    ]);
    await hosted.ended((await session.send(text('z'))).turnId);
    expect(asked(hosted, 'session/resume')).toHaveLength(1);
  });

  it('asks for a mode that is chosen while another one is asked for with the next start', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.choose({ mode: 'plan' });
    const held = hosted.agent.hold('session/set_mode');
    const first = session.send(text('x'));
    await held.reached;
    await session.choose({ mode: 'acceptEdits' });
    held.go();
    await hosted.ended((await first).turnId);
    await hosted.ended((await session.send(text('y'))).turnId);
    expect(asked(hosted, 'session/set_mode').at(-1)).toMatchObject({ modeId: 'acceptEdits' });
    expect(session.view().mode).toEqual({ wanted: 'acceptEdits', applied: 'acceptEdits' });
  });

  it('E23 restarts before the next message without the plugins that are switched off, and keeps that', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('x'))).turnId);
    await session.choose({ pluginsOff: ['demo@market'] });
    expect(hosted.agent.methods()).not.toContain('session/close');
    await hosted.ended((await session.send(text('y'))).turnId);
    const off = { _meta: { jumpseat: { pluginsOff: ['demo@market'] } } };
    expect(asked(hosted, 'session/resume')).toMatchObject([off]);
    await hosted.ended((await session.send(text('z'))).turnId);
    expect(asked(hosted, 'session/resume')).toHaveLength(1);
    hosted.restart();
    const again = await hosted.host.session('s');
    await hosted.ended((await again.send(text('again'))).turnId);
    expect(asked(hosted, 'session/resume').at(-1)).toMatchObject(off);
  });

  it('restarts before the next message where the agent’s own names stand for other models, as on another way', async () => {
    const hosted = new Hosted();
    const { agent } = hosted;
    const named = (model: string) => [{ id: 'opus', model, efforts: [] }];
    agent.offered = named('copilot/claude-opus-4.8');
    const session = hosted.create('s');
    const say = async () => hosted.ended((await session.send(text('x'))).turnId);
    await say();
    await say();
    expect(asked(hosted, 'session/resume')).toEqual([]);
    // They can't be read for a moment.
    agent.offered = [];
    await say();
    expect(asked(hosted, 'session/resume')).toEqual([]);
    agent.offered = named('claude-opus-4.8');
    await say();
    await say();
    expect(asked(hosted, 'session/resume')).toHaveLength(1);
  });

  it('has our own servers beside them, as far as its agent takes such, and a front’s of that name instead', async () => {
    const hosted = new Hosted();
    const ours: McpServer = { type: 'http', name: 'jumpseat', url: 'http://127.0.0.1:4180/mcp', headers: [] };
    hosted.servers = [ours];
    const given = async (id: string, servers: McpServer[]) => {
      const session = hosted.create(id);
      session.openedBy({}, servers);
      await hosted.ended((await session.send(text('x'))).turnId);
      return asked(hosted, 'session/new').at(-1)?.mcpServers;
    };
    const theirs = { name: 'client', command: 'server', args: [], env: [] };
    expect(await given('one', [theirs])).toEqual([ours, theirs]);
    const named = { ...theirs, name: 'jumpseat' };
    expect(await given('two', [named])).toEqual([named]);
    hosted.agent.mcpCapabilities = {};
    hosted.agent.processes[0]?.die();
    expect(await given('three', [])).toEqual([]);
  });

  it('shows the mode that is in force, also when the agent says it outside of the protocol', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      await turn.raw({ type: 'system', subtype: 'status', permissionMode: 'acceptEdits' });
      return 'end_turn';
    };
    await hosted.ended((await session.send(text('x'))).turnId);
    expect(session.view().mode).toEqual({ wanted: null, applied: 'acceptEdits' });
    expect(hosted.of('applied').at(-1)).toMatchObject({ mode: { applied: 'acceptEdits' } });
  });

  it('falls back to another mode where the wanted one is refused, and says so', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.neverAsk();
    hosted.agent.failures.set('session/set_mode', new RequestError(-32602, 'not allowed'));
    await hosted.ended((await session.send(text('x'))).turnId);
    expect(session.view().mode).toEqual({ wanted: 'bypassPermissions', applied: 'default' });
    expect(hosted.of('note')).toEqual([{ code: 'mode-refused', wanted: 'bypassPermissions', applied: 'default' }]);
    await expect(session.choose({ mode: 'plan' })).rejects.toMatchObject({ code: 'not-possible' });
    expect(session.view().mode.applied).toBe('default');
  });
});

describe('never asking', () => {
  const modeOf = (hosted: Hosted) => asked(hosted, 'session/set_mode').map(({ modeId }) => modeId);

  it('is not chosen like other modes, and not where the agent refuses it', async () => {
    const hosted = new Hosted();
    const mode = 'bypassPermissions';
    const session = hosted.create('s');
    await expect(session.choose({ mode })).rejects.toMatchObject({ code: 'not-possible' });
    expect(() => hosted.host.create({ cwd: hosted.cwd, choices: { mode } })).toThrow('isn’t chosen like others');
    const [root] = hosted.agent.modes.filter(({ asksNothing }) => asksNothing);
    if (root !== undefined) root.refusal = 'root';
    await expect(session.neverAsk()).rejects.toMatchObject({
      message: 'Fake Agent never runs without asking as root.',
    });
    hosted.agent.modes.splice(-1);
    await expect(session.neverAsk()).rejects.toMatchObject({ code: 'not-possible' });
    expect(session.view().mode).toEqual({ wanted: null, applied: null });
  });

  it('holds for the session alone: not for its copies, not on disk, not after a restart', async () => {
    const hosted = new Hosted();
    hosted.agent.script = async (turn) => {
      await turn.raw({ type: 'assistant', message: { id: 'message-1', content: [] }, uuid: 'u1' });
      await turn.say('Done.');
      return 'end_turn';
    };
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('x'))).turnId);
    await session.neverAsk();
    // The process that runs was started as one that asks, and ends with the next message: it is in force no more.
    expect(modeOf(hosted)).toEqual([]);
    expect(session.view().mode).toEqual({ wanted: 'bypassPermissions', applied: null });
    const { turnId } = await session.send(text('y'));
    await hosted.ended(turnId);
    expect(asked(hosted, 'session/resume')).toHaveLength(1);
    expect(modeOf(hosted)).toEqual(['bypassPermissions']);
    await session.choose({ mode: 'plan' });
    await hosted.ended((await session.send(text('z'))).turnId);
    expect(asked(hosted, 'session/resume')).toHaveLength(2);
    await session.neverAsk();
    const fork = await hosted.host.fork('s', turnId);
    expect(fork.view().mode.wanted).toBeNull();
    const { copy } = await hosted.host.goBack('s', turnId, false);
    expect(hosted.store.sessions.find(copy)?.mode).toBeNull();
    expect(hosted.store.sessions.find('s')?.mode).toBeNull();
    expect(session.view().mode.wanted).toBe('bypassPermissions');
    hosted.restart();
    expect((await hosted.host.session('s')).view().mode.wanted).toBeNull();
  });

  it('is not gone on with where another program left a conversation in it', async () => {
    const hosted = new Hosted();
    hosted.agent.resumedMode = 'bypassPermissions';
    const session = hosted.create('s');
    await hosted.ended((await session.send(text('x'))).turnId);
    await session.unload();
    await hosted.ended((await session.send(text('y'))).turnId);
    const methods = hosted.agent.methods();
    expect(methods.slice(methods.lastIndexOf('session/resume'))).toEqual([
      ...['session/resume', 'session/set_mode', 'session/prompt'],
    ]);
    expect(modeOf(hosted)).toEqual(['default']);
    expect(session.view().mode).toEqual({ wanted: null, applied: 'default' });
  });
});

describe('E24 a subagent', () => {
  it('that another subagent starts is told below that one, and asks in the same session', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      const starts = (parent: string, child: string) =>
        turn.client.notify('session/update', {
          sessionId: parent,
          update: { sessionUpdate: 'subagent_update', sessionId: child, title: child, state: { state: 'running' } },
        });
      await starts(turn.sessionId, 'outer');
      await starts('outer', 'inner');
      const content = { type: 'text' as const, text: 'Inner looks.' };
      const update = { sessionUpdate: 'agent_message_chunk' as const, content, messageId: 'm' };
      await turn.client.notify('session/update', { sessionId: 'inner', update });
      const toolCall = { toolCallId: 't', name: 'Bash', rawInput: { command: 'touch inner' } };
      const options = [{ optionId: 'allow-once', name: 'Yes', kind: 'allow_once' as const }];
      await turn.client.request('session/request_permission', { sessionId: 'inner', toolCall, options });
      return 'end_turn';
    };
    const { turnId } = await session.send(text('delegate it'));
    const question = await hosted.question();
    expect(question).toMatchObject({ child: 'inner' });
    await session.answer(question.id, { answer: 'allow' });
    await hosted.ended(turnId);
    expect(hosted.of('update')).toMatchObject([
      { child: null, update: { sessionId: 'outer' } },
      { child: 'outer', update: { sessionId: 'inner' } },
      { child: 'inner', update: { sessionUpdate: 'agent_message_chunk' } },
    ]);
    expect(hosted.events.filter(({ kind, turnId: of }) => kind === 'update' && of !== turnId)).toEqual([]);
  });

  it('is told under its session: its start, its updates, its questions, its end', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      const of = (state: 'running' | 'idle') => ({
        sessionUpdate: 'subagent_update' as const,
        sessionId: 'child',
        title: 'Look around',
        state: state === 'idle' ? { state, stopReason: 'end_turn' as const } : { state },
      });
      await turn.update(of('running'));
      await turn.client.notify('session/update', {
        sessionId: 'child',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'Sub looks.' },
          messageId: 'sub',
        },
      });
      const toolCall = { toolCallId: 'sub-tool', name: 'Bash', rawInput: { command: 'touch sub' } };
      await turn.client.request('session/request_permission', {
        sessionId: 'child',
        toolCall,
        options: [{ optionId: 'allow-once', name: 'Yes', kind: 'allow_once' }],
      });
      await turn.update(of('idle'));
      return 'end_turn';
    };
    const { turnId } = await session.send(text('delegate it'));
    const question = await hosted.question();
    expect(question).toMatchObject({ child: 'child' });
    await session.answer(question.id, { answer: 'allow' });
    await hosted.ended(turnId);
    expect(hosted.of('update')).toMatchObject([
      { child: null, update: { sessionUpdate: 'subagent_update', state: { state: 'running' } } },
      { child: 'child', update: { sessionUpdate: 'agent_message_chunk' } },
      { child: null, update: { sessionUpdate: 'subagent_update', state: { state: 'idle' } } },
    ]);
    expect(hosted.host.held().map(({ id }) => id)).toEqual(['s']);
    expect(hosted.of('void')).toEqual([]);
  });
});
