import { describe, expect, it } from 'vitest';
import type { Origin } from '../../../../app/api/session-surroundings.ts';
import { extraMethods } from '../../../../app/sessions/agents/agent-extras.ts';
import { until } from '../../../soon.ts';
import { Hosted, text } from './hosted.ts';

const origin = (kind: Origin['kind']) => ({ kind, name: null, path: null });
const command = (name: string, kind: Origin['kind'] = 'agent') => ({
  ...{ name, description: `Does ${name}`, hint: null, isSkill: false, origin: origin(kind) },
});
const reported = (...names: string[]) => ({
  sessionUpdate: 'available_commands_update' as const,
  availableCommands: names.map((name) => ({ name, description: 'As told', input: { hint: 'words' } })),
});

/** With an agent that tells what is in force. */
function telling(): Hosted {
  const hosted = new Hosted();
  hosted.agent.extras.add('inventory').add('stop-task');
  hosted.agent.inventory = {
    ...{ agents: [], skills: [], hooks: [], memory: [], context: null },
    models: [
      { id: 'opus', model: 'claude-opus-4.8', efforts: [] },
      { id: 'fable', model: 'claude-fable-5-2', efforts: [] },
    ],
    commands: [command('compact'), command('deploy', 'project'), command('terminal-setup'), command('own', 'user')],
    servers: [
      {
        name: 'jumpseat',
        state: 'connected',
        error: null,
        tools: ['web_search'],
        origin: origin('front'),
      },
    ],
  };
  hosted.agent.script = async (turn) => {
    await turn.update(reported('compact', 'deploy', 'own', 'mcp'));
    await turn.say('Done.');
    return 'end_turn';
  };
  return hosted;
}

async function begun(hosted: Hosted) {
  const session = hosted.create();
  const { turnId } = await session.send(text('Begin'));
  await hosted.ended(turnId);
  return session;
}

describe('what is offered for a session', () => {
  it('is what its agent is known for, before it has a process', async () => {
    const session = new Hosted().create();
    expect(await session.surroundings.offers()).toEqual({
      ...{ commands: [], areCommandsCurrent: false },
      models: [{ id: 'claude-opus-4.8', model: 'claude-opus-4.8', efforts: ['low', 'high'] }],
      modes: [
        ...['default', 'acceptEdits', 'plan', 'auto'].map((id) => ({
          ...{ id, name: `Mode ${id}`, asksNothing: false, refusal: null },
        })),
        { id: 'bypassPermissions', name: 'Never ask', asksNothing: true, refusal: null },
      ],
    });
  });

  it('is what its process offers, each command with where it is from, and no mode that it lacks', async () => {
    const session = await begun(telling());
    const { commands, areCommandsCurrent, modes } = await session.surroundings.offers();
    expect(areCommandsCurrent).toBe(true);
    expect(commands).toEqual([
      ...[command('compact'), command('deploy', 'project'), command('own', 'user')],
      { name: 'mcp', description: 'As told', hint: 'words', isSkill: false, origin: origin('agent') },
    ]);
    expect(modes.filter(({ refusal }) => refusal !== null).map(({ id }) => id)).toEqual(['auto']);
  });

  it('stays known for the folder, and without what is the folder’s own for others', async () => {
    const hosted = telling();
    const session = await begun(hosted);
    const { commands } = await session.surroundings.offers();
    await session.unload();
    expect(await session.surroundings.offers()).toMatchObject({ commands, areCommandsCurrent: false });
    hosted.restart();
    expect((await hosted.create().surroundings.offers()).commands).toEqual(commands);
    const elsewhere = hosted.host.create({ cwd: hosted.folder });
    const { commands: others } = await elsewhere.surroundings.offers();
    expect(others.map(({ name }) => name)).toEqual(['compact', 'own', 'mcp']);
  });

  it('is what was told where an agent can’t say more', async () => {
    const hosted = telling();
    hosted.agent.extras.delete('inventory');
    const session = await begun(hosted);
    const { commands } = await session.surroundings.offers();
    expect(commands[0]).toEqual({ ...command('compact'), description: 'As told', hint: 'words' });
  });

  it('is asked of the agent once, until it tells of other commands', async () => {
    const hosted = telling();
    const session = await begun(hosted);
    await session.surroundings.offers();
    await session.surroundings.offers();
    const asked = () => hosted.agent.methods().filter((method) => method === extraMethods.inventory).length;
    expect(asked()).toBe(1);
    const { turnId } = await session.send(text('Again'));
    await hosted.ended(turnId);
    await session.surroundings.offers();
    expect(asked()).toBe(2);
  });
});

describe('what is in force in a session', () => {
  it('is nothing without a process, and not known where the agent doesn’t tell', async () => {
    const hosted = telling();
    expect(await hosted.create().surroundings.inForce()).toEqual({ inForce: null, why: 'no-process' });
    hosted.agent.extras.delete('inventory');
    const session = await begun(hosted);
    expect(await session.surroundings.inForce()).toEqual({ inForce: null, why: 'not-reported' });
  });

  it('is not waited for where the agent does not answer', async () => {
    const hosted = telling();
    const session = await begun(hosted);
    const held = hosted.agent.hold(extraMethods.inventory);
    const refused = expect(session.surroundings.inForce()).rejects.toMatchObject({ code: 'not-possible' });
    await held.reached;
    await hosted.clock.advance(5_000);
    await refused;
    held.go();
    expect((await session.surroundings.inForce()).why).toBeNull();
  });

  it('is what the agent tells, with its plugins, our own server and the models of the account', async () => {
    const hosted = telling();
    hosted.servers = [{ type: 'http', name: 'jumpseat', url: 'http://127.0.0.1/mcp', headers: [] }];
    const { script } = hosted.agent;
    hosted.agent.script = async (turn) => {
      const plugin = { name: 'demo', path: '/plug', source: 'demo@inline', version: '1.0.0' };
      const builtin = { name: 'own', path: 'builtin', source: 'own@builtin' };
      await turn.raw({ type: 'system', subtype: 'init', permissionMode: 'default', plugins: [plugin, builtin] });
      return script(turn);
    };
    const session = await begun(hosted);
    const { inForce } = await session.surroundings.inForce();
    const demo = { id: 'demo@inline', name: 'demo', path: '/plug', version: '1.0.0', isOn: true };
    expect(inForce?.plugins).toEqual([demo]);
    // The account has no model of the other name.
    expect(inForce?.models.map(({ id }) => id)).toEqual(['opus']);
    expect(inForce?.servers[0]?.origin.kind).toBe('jumpseat');
    expect(inForce?.commands.map(({ name }) => name)).toEqual(['compact', 'deploy', 'own', 'mcp']);
    await session.choose({ pluginsOff: ['demo@inline', 'other@market'] });
    expect((await session.surroundings.inForce()).inForce?.plugins).toEqual([
      { ...demo, isOn: false },
      { id: 'other@market', name: 'other', path: null, version: null, isOn: false },
    ]);
    await session.unload();
    expect((await session.surroundings.inForce()).why).toBe('no-process');
  });
});

describe('what runs beside the turns', () => {
  const task = { task_id: 't1', task_type: 'local_bash', description: 'npm run dev' };

  it('is told with the session, and gone with its process', async () => {
    const hosted = telling();
    hosted.agent.script = async (turn) => {
      const watcher = { task_id: 't2', task_type: 'monitor', description: 'watches', ambient: true };
      await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [task, watcher] });
      return 'end_turn';
    };
    const session = await begun(hosted);
    expect(session.view().tasks).toEqual([{ id: 't1', kind: 'command', title: 'npm run dev' }]);
    await session.unload();
    expect(session.view().tasks).toEqual([]);
  });

  it('keeps its session loaded unless it is unloaded, and is gone with a restart too', async () => {
    const hosted = telling();
    let tasks: object[] = [task];
    hosted.agent.script = async (turn) => {
      if (tasks.length > 0) await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks });
      return 'end_turn';
    };
    const session = await begun(hosted);
    await hosted.clock.advance(15 * 60_000);
    expect(session.view()).toMatchObject({ state: 'idle', tasks: [{ id: 't1' }] });
    tasks = [];
    await session.choose({ directories: ['/more'] });
    await hosted.ended((await session.send(text('Again'))).turnId);
    expect(hosted.agent.methods()).toContain('session/resume');
    expect(session.view().tasks).toEqual([]);
    await hosted.clock.advance(15 * 60_000);
    await until(() => session.view().state === 'unloaded');
  });

  it('is ended one by one, as far as the agent can', async () => {
    const hosted = telling();
    const session = await begun(hosted);
    await session.surroundings.stopTask('t1');
    expect(hosted.agent.asked.at(-1)).toEqual({
      method: extraMethods['stop-task'],
      params: { sessionId: session.live?.id, taskId: 't1' },
    });
    hosted.agent.extras.delete('stop-task');
    await session.surroundings.stopTask('child');
    await until(() => hosted.agent.asked.at(-1)?.method === 'session/cancel');
    expect(hosted.agent.asked.at(-1)?.params).toEqual({ sessionId: 'child' });
    await session.unload();
    await expect(session.surroundings.stopTask('t1')).rejects.toMatchObject({ code: 'not-possible' });
  });
});

it('a session is compacted with a turn of its own, once something was said', async () => {
  const hosted = telling();
  const session = hosted.create();
  await expect(session.compact()).rejects.toMatchObject({ code: 'not-possible' });
  const { turnId } = await session.send(text('Begin'));
  await hosted.ended(turnId);
  const compacted = await session.compact();
  await hosted.ended(compacted.turnId);
  expect(hosted.store.turns.find(compacted.turnId)?.prompt).toEqual([{ type: 'text', text: '/compact' }]);
});
