import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refusalMarks } from '../../../../../../app/exchange/initiator/claude-code-texts.ts';
import { extraMethods, toSteering } from '../../../../../../app/sessions/agents/agent-extras.ts';
import type { Adapter } from '../../../../../../app/sessions/agents/claude/entry/adapter.ts';

/** What our entry reaches for inside of claude-agent-acp, against the very version that is in the product. */
const sdkFile = join(import.meta.dirname, 'scripted-agent-sdk.mjs');
interface Query {
  /** As far as it is looked at here of what the adapter hands to the SDK. */
  options: {
    sessionId?: string;
    resume?: string;
    resumeSessionAt?: string;
    mcpServers?: object;
    spawnClaudeCodeProcess?: unknown;
    canUseTool(
      tool: string,
      input: object,
      more: { signal: AbortSignal; toolUseID: string; agentID?: string; suggestions?: object[] },
    ): Promise<unknown>;
  };
  pushed: { uuid?: string; priority?: string; message: unknown }[];
  cancelled: string[];
  holdsWords: boolean;
  closed: boolean;
  stopped: string[];
  servers: unknown[];
}
// A module of its own for the adapter, which Node loads, and for our entry, which vitest does.
const queries: Query[] = [];
Reflect.set(globalThis, 'scriptedQueries', queries);
const id = '6f0c8d3e-8f57-4b1f-9f43-0c1f6f3a2b11';

let cwd: string;
let adapter: Adapter;
let connection: ClientConnection;
let asked: RequestPermissionRequest[];
let answer: RequestPermissionResponse;

/** Two ends of one line. What comes after the end is lost, as in a pipe whose reader is gone. */
function streams(): [Stream, Stream] {
  const line = (): Stream => {
    let reader: ReadableStreamDefaultController<AnyMessage> | null = null;
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        reader = controller;
      },
      cancel: () => {
        reader = null;
      },
    });
    return { readable, writable: new WritableStream({ write: (message) => reader?.enqueue(message) }) };
  };
  const [there, back] = [line(), line()];
  return [
    { writable: there.writable, readable: back.readable },
    { writable: back.writable, readable: there.readable },
  ];
}

beforeEach(async () => {
  vi.stubEnv('JUMPSEAT_AGENT_SDK', sdkFile);
  vi.stubEnv('CLAUDE_CODE_EXECUTABLE', '/nonexistent/claude');
  vi.stubGlobal('scriptedAccount', { apiProvider: 'firstParty', tokenSource: 'ANTHROPIC_AUTH_TOKEN' });
  queries.length = 0;
  cwd = mkdtempSync(join(tmpdir(), 'jumpseat-entry-'));
  asked = [];
  const { claudeApp } = await import('../../../../../../app/sessions/agents/claude/entry/claude-app.ts');
  const [ours, theirs] = streams();
  claudeApp((connected) => {
    adapter = connected;
  }).connect(theirs);
  connection = client({ name: 'test' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return answer;
    })
    .onNotification(methods.client.session.update, () => undefined)
    .connect(ours);
});

afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  rmSync(cwd, { recursive: true, force: true });
});

const initialize = () =>
  connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
const begin = () =>
  connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [], _meta: { jumpseat: { sessionId: id } } });

describe('claude-agent-acp with what it lacks', () => {
  it('says what it can do beyond the protocol', async () => {
    expect((await initialize())._meta).toEqual({
      steering: { supported: true },
      jumpseat: { extras: ['choose-id', 'permission-words', 'steer', ...Object.keys(extraMethods)] },
    });
  });

  it('takes the servers that editors are told of', async () => {
    const { claudeAgent } = await import('../../../../../../app/sessions/agents/claude/claude.ts');
    const { mcp } = claudeAgent({ environment: {}, system: 'none', isRoot: false } as never);
    // Tools that run in the editor reach it as servers of the type http.
    const { acp: _acp, ...taken } = mcp;
    expect((await initialize()).agentCapabilities?.mcpCapabilities).toEqual(taken);
  });

  it('begins a session under the id that was chosen, in a process of our own spawning', async () => {
    await initialize();
    expect((await begin()).sessionId).toBe(id);
    expect(queries[0]?.options).toMatchObject({ sessionId: id, spawnClaudeCodeProcess: expect.any(Function) });
    expect(queries[0]?.options.resume).toBeUndefined();
  });

  it('gives a session its servers over the pipe, which every Claude Code takes, and never with its start', async () => {
    await initialize();
    const headers = [{ name: 'Authorization', value: 'Bearer key' }];
    const mcpServers = [
      { type: 'http' as const, name: 'far', url: 'http://127.0.0.1:1/mcp', headers },
      { name: 'near', command: '/bin/server', args: ['a'], env: [{ name: 'KEY', value: 'k' }] },
    ];
    await connection.agent.request(methods.agent.session.new, { cwd, mcpServers });
    expect(queries[0]?.options.mcpServers).toEqual({});
    expect(queries[0]?.servers).toEqual([
      {
        far: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer key' } },
        near: { type: 'stdio', command: '/bin/server', args: ['a'], env: { KEY: 'k' } },
      },
    ]);
    await begin();
    expect(queries[1]?.servers).toEqual([]);
  });

  it('ends a session that speaks to another provider before anything is sent', async () => {
    vi.stubGlobal('scriptedAccount', { apiProvider: 'bedrock', tokenSource: 'none' });
    await initialize();
    await expect(begin()).rejects.toMatchObject({ data: { kind: 'wrong-provider', apiProvider: 'bedrock' } });
    expect(queries[0]).toMatchObject({ pushed: [], closed: true });
    expect(adapter.sessions[id]).toBeUndefined();
  });

  it('ends a session whose token is not the one it was given', async () => {
    vi.stubGlobal('scriptedAccount', { apiProvider: 'firstParty', tokenSource: 'apiKeyHelper' });
    await initialize();
    await expect(begin()).rejects.toMatchObject({ data: { kind: 'wrong-provider', tokenSource: 'apiKeyHelper' } });
  });

  it('ends a session whose settings are overridden, before it begins or before its next prompt', async () => {
    const theirs = { env: { ANTHROPIC_BASE_URL: 'https://example.com' } };
    vi.stubGlobal('scriptedSettings', theirs);
    await initialize();
    await expect(begin()).rejects.toMatchObject({ data: { kind: 'wrong-provider', setting: 'ANTHROPIC_BASE_URL' } });
    vi.stubGlobal('scriptedSettings', { env: { HTTPS_PROXY: '', ANTHROPIC_MODEL: 'opus' } });
    await begin();
    vi.stubGlobal('scriptedSettings', theirs);
    const prompt = [{ type: 'text' as const, text: 'go' }];
    const sent = connection.agent.request(methods.agent.session.prompt, { sessionId: id, prompt });
    await expect(sent).rejects.toMatchObject({ code: -32002 });
    expect(queries.map(({ pushed, closed }) => [pushed, closed])).toEqual([
      [[], true],
      [[], true],
    ]);
    expect(adapter.sessions[id]).toBeUndefined();
  });

  it('sends no prompt that is cancelled while settings are looked at', async () => {
    await initialize();
    await begin();
    const settings = Promise.withResolvers<object>();
    vi.stubGlobal('scriptedSettings', settings.promise);
    const prompt = [{ type: 'text' as const, text: 'go' }];
    const sent = connection.agent.request(methods.agent.session.prompt, { sessionId: id, prompt });
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: id });
    // Read after the notification, on the same line.
    await connection.agent.request(extraMethods['stop-task'], { sessionId: id, taskId: 't' });
    settings.resolve({});
    expect(await sent).toEqual({ stopReason: 'cancelled' });
    expect(queries[0]?.pushed).toEqual([]);
  });

  it('resumes a session once where two ask for it together, after the message that is named', async () => {
    await initialize();
    const resume = () =>
      connection.agent.request(methods.agent.session.resume, {
        sessionId: id,
        cwd,
        mcpServers: [],
        _meta: { jumpseat: { resumeAt: 'msg_a1' } },
      });
    await Promise.all([resume(), resume(), resume()]);
    expect(queries.map(({ options }) => [options.resume, options.resumeSessionAt])).toEqual([[id, 'a1']]);
  });

  it('lets words join a running turn instead of ending it', async () => {
    await initialize();
    await begin();
    connection.agent
      .request(methods.agent.session.prompt, { sessionId: id, prompt: [{ type: 'text', text: 'go' }] })
      .catch(() => undefined);
    await expect.poll(() => queries[0]?.pushed.length).toBe(1);
    const words = toSteering(id, [{ type: 'text', text: 'faster' }]);
    const more = toSteering(id, [{ type: 'text', text: 'much faster' }]);
    const steer = (words: object) => connection.agent.request('_session/steering', words);
    const answers = await Promise.all([steer(words), steer(more)]);
    await expect.poll(() => queries[0]?.pushed.map(({ priority }) => priority)).toEqual([undefined, 'next', 'next']);
    const [first, second] = queries[0]?.pushed.slice(1).map(({ uuid }) => uuid) ?? [];
    expect(answers).toEqual(
      [first, second].map((promptId) => ({ outcome: 'injected', _meta: { jumpseat: { promptId } } })),
    );
    const takeBack = (promptId = '') =>
      connection.agent.request(extraMethods['take-back'], { sessionId: id, promptId });
    expect(await takeBack(second)).toEqual({ isTaken: true });
    expect(queries[0]?.cancelled).toEqual([second]);
    expect([...(adapter.sessions[id]?.turnQueue?.[0]?.steeredEchoes ?? [])]).toEqual([first]);
    if (queries[0] !== undefined) queries[0].holdsWords = false;
    expect(await takeBack(first)).toEqual({ isTaken: false });
  });

  it('takes no probe of a sign-in that we have not', async () => {
    expect(await adapter.probeCliAuthStatus()).toBeUndefined();
  });
});

describe('an answer to a permission request', () => {
  const decide = async (given: RequestPermissionResponse): Promise<unknown> => {
    answer = given;
    await initialize();
    await begin();
    return queries[0]?.options.canUseTool(
      'Bash',
      { command: 'npm view x' },
      {
        signal: new AbortController().signal,
        toolUseID: 'toolu_1',
        suggestions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent: 'npm view *' }],
            behavior: 'allow',
            destination: 'localSettings',
          },
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        ],
      },
    );
  };

  it('refuses with what the person said, in the words that the proxy knows as a person’s', async () => {
    const refused = { outcome: { outcome: 'selected', optionId: 'reject' } } as const;
    const result = await decide({ ...refused, _meta: { jumpseat: { words: 'use mkdir' } } });
    expect(result).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining(`${refusalMarks[0]}\nuse mkdir`),
    });
  });

  it('ends the turn that was stopped, and no subagent', async () => {
    answer = { outcome: { outcome: 'selected', optionId: 'reject' }, _meta: { jumpseat: { isStop: true } } };
    await initialize();
    await begin();
    const refused = (agentID?: string): Promise<unknown> | undefined => {
      const more = { signal: new AbortController().signal, toolUseID: 'toolu_1', ...(agentID && { agentID }) };
      return queries[0]?.options.canUseTool('Bash', { command: 'npm view x' }, more);
    };
    expect(await refused()).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(await refused('agent-1')).toMatchObject({ behavior: 'deny' });
    expect(await refused('agent-1')).not.toHaveProperty('interrupt');
  });

  it('allows with a changed input', async () => {
    const allowed = { outcome: { outcome: 'selected', optionId: 'allow-once' } } as const;
    const result = await decide({ ...allowed, _meta: { jumpseat: { input: { command: 'npm view y' } } } });
    expect(result).toMatchObject({ behavior: 'allow', updatedInput: { command: 'npm view y' } });
  });

  it('is asked for with the rules that would allow the like', async () => {
    await decide({ outcome: { outcome: 'selected', optionId: 'reject' } });
    expect(asked[0]?._meta?.jumpseat).toEqual({ rules: ['Bash(npm view *)'] });
  });
});

describe('what is asked beyond the protocol', () => {
  it('copies a session up to a message, and starts nothing', async () => {
    await initialize();
    expect(await connection.agent.request(extraMethods.fork, { sessionId: id, cwd, messageId: 'a1' })).toEqual({
      sessionId: `copy of ${id} up to a1`,
    });
    expect(queries).toEqual([]);
  });

  it('looks at what is in force in a running session, and leaves out what Claude Code doesn’t know', async () => {
    await initialize();
    await begin();
    const files = { kind: 'project', name: null, path: null };
    const greet = { kind: 'user', name: null, path: '/home/me/.claude/skills/greet/SKILL.md' };
    const shout = { kind: 'plugin', name: 'demo', path: '/plug/commands/shout.md' };
    const command = { isSkill: false, hint: null };
    expect(await connection.agent.request(extraMethods.inventory, { sessionId: id })).toEqual({
      models: [{ id: 'opus', model: 'claude-opus-4-8', efforts: ['low', 'high'] }],
      agents: [
        { name: 'Explore', description: 'Looks', origin: { kind: 'agent', name: null, path: null } },
        { name: 'tester', description: 'Tests', origin: { kind: 'project', name: null, path: '/project/tester.md' } },
      ],
      skills: [{ name: 'greet', description: 'Greets', origin: greet }],
      commands: [
        { name: 'greet', description: 'Greets', hint: null, isSkill: true, origin: greet },
        { ...command, name: 'demo:shout', description: 'Shouts', hint: '<words>', origin: shout },
        { ...command, name: 'compact', description: 'Sums up', origin: { kind: 'agent', name: null, path: null } },
        { ...command, name: 'mcp:db:ask', description: 'Asks', origin: { kind: 'server', name: 'db', path: null } },
      ],
      hooks: [],
      servers: [
        { name: 'files', state: 'connected', error: null, tools: ['read'], origin: files },
        {
          ...{ name: 'plugin:demo:db', state: 'failed', error: 'gone', tools: [] },
          origin: { kind: 'plugin', name: 'demo', path: null },
        },
      ],
      memory: [{ path: '/project/CLAUDE.md', kind: 'Project', tokens: 3 }],
      context: {
        ...{ total: 5, size: 10, model: 'claude-opus-4-6' },
        parts: [{ name: 'Messages', tokens: 5, isSent: true }],
      },
    });
  });

  it('ends one task', async () => {
    await initialize();
    await begin();
    await connection.agent.request(extraMethods['stop-task'], { sessionId: id, taskId: 'task-1' });
    expect(queries[0]?.stopped).toEqual(['task-1']);
  });

  it('refuses what it cannot read, and sessions that do not run', async () => {
    await initialize();
    await expect(connection.agent.request(extraMethods.inventory, {})).rejects.toMatchObject({ code: -32602 });
    await expect(connection.agent.request(extraMethods.inventory, { sessionId: id })).rejects.toMatchObject({
      code: -32002,
    });
  });
});
