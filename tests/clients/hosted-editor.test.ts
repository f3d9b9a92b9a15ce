import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  type ClientConnection,
  client,
  type McpOperationContext,
  type McpOutcome,
  McpOverAcpProvider,
  type McpServer,
  type McpServerRegistration,
  ndJsonStream,
} from '@agentclientprotocol/sdk/unstable';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { webReadable, webWritable } from '../../app/sessions/agents/stdio.ts';
import { until } from '../soon.ts';
import { type ClientTools, clientTools } from './client-tools.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront } from './hosted-front.ts';
import { markedProcesses } from './marked-processes.ts';

/** An editor that brings tools of its own to a session of the real Claude Code. */
let front: HostedFront;
let first: ClientTools;
let second: ClientTools;
let editor: ClientConnection;
/** Tools that run in the editor. */
let provider: McpOverAcpProvider;
let asked: string[];
/** The kind of the option that the editor chooses. */
let answers: 'allow_once' | 'allow_always' | 'reject_once';
/** Closes its end, and waits until it is let go. */
let leave: () => Promise<void>;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  // All tools are in the first request then, where no model would look for them.
  front.write('.claude/settings.json', JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } }));
  [first, second] = await Promise.all([clientTools('lookup'), clientTools('other')]);
  asked = [];
  answers = 'allow_once';
  provider = new McpOverAcpProvider();
  const [there, back] = [new PassThrough(), new PassThrough()];
  const served = front.app.serveEditor('claude', { input: there, output: back });
  leave = () => {
    there.end();
    return served;
  };
  editor = client({ name: 'editor' })
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(String(params.toolCall.name));
      const option = params.options.find(({ kind }) => kind === answers);
      return { outcome: { outcome: 'selected', optionId: option?.optionId ?? 'none' } };
    })
    .onNotification('session/update', () => undefined)
    .onRequest('mcp/message', provider.handleRequest)
    .connect(ndJsonStream(webWritable(there), webReadable(back)));
});
afterEach(async () => {
  await leave();
  first.close();
  second.close();
  await front.close();
});

const use = (sessionId: string, tool: string) =>
  editor.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: `use: mcp__client__${tool} {"key":"k-${tool}"}` }],
  });

/** One more editor on the same sessions, and what it is told: kinds, words and states. */
function another(): { connection: ClientConnection; reported: string[] } {
  const [there, back] = [new PassThrough(), new PassThrough()];
  void front.app.serveEditor('claude', { input: there, output: back });
  const reported: string[] = [];
  const connection = client({ name: 'another' })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'cancelled' } }))
    .onNotification('session/update', ({ params: { update } }) => {
      const text = 'content' in update ? Object(update.content).text : undefined;
      const status = 'status' in update ? update.status : undefined;
      if (text !== undefined || status != null) reported.push(`${update.sessionUpdate}: ${text ?? status}`);
    })
    .connect(ndJsonStream(webWritable(there), webReadable(back)));
  onTestFinished(() => void there.end());
  return { connection, reported };
}

describe('an editor that opens a session amid a command of the real Claude Code', () => {
  it('is told the turn once, with the command as it stands, and how it ends', async () => {
    await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { project: cwd } = front;
    const { sessionId } = await editor.agent.request('session/new', { cwd, mcpServers: [] });
    const ask = (text: string) =>
      editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await ask('say hello');
    const file = join(cwd, 'go');
    const ended = ask(`run: until [ -e ${file} ]; do sleep 0.1; done; echo jump$((40 + 2))`);
    await until(() =>
      front.ofKind('update').some(({ event }) => /tool_call_update.*jump\$/.test(JSON.stringify(event))),
    );
    const { connection, reported } = another();
    await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await connection.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
    const prompts = reported.filter((line) => line.startsWith('user_message_chunk'));
    expect(prompts).toEqual(['user_message_chunk: say hello', expect.stringContaining('jump$((40 + 2))')]);
    expect(reported).toContain('tool_call: pending');
    writeFileSync(file, '');
    expect(await ended).toMatchObject({ stopReason: 'end_turn' });
    await until(() => reported.at(-1)?.startsWith('agent_message_chunk'));
    const calls = reported.filter((line) => line.startsWith('tool_call') && line !== 'tool_call_update: in_progress');
    expect(calls).toEqual(['tool_call: pending', 'tool_call_update: completed']);
    const said = 'agent_message_chunk: ';
    const words = reported.flatMap((line) => (line.startsWith(said) ? [line.slice(said.length)] : [])).join('');
    expect(words).toMatch(/^This is the simulated Copilot.*The tool answered: “jump42”$/s);
    // It can't take back what it was told of an answer that was cut.
    const before = reported.length;
    front.stack.simulator.script.next({ kind: 'usual', cutAfter: 6 });
    await ask('count to 15');
    await until(() => reported.at(-1)?.includes('15'));
    const counted = reported.slice(before).filter((line) => line.startsWith(said));
    expect(counted.map((line) => line.slice(said.length)).join('')).toBe(
      '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15',
    );
  });
});

describe('an editor that always allows what the real Claude Code asks', () => {
  it('allows it for the session alone: nothing is in the settings of the folder, and it can be taken back', async () => {
    answers = 'allow_always';
    await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { project: cwd, app } = front;
    const { sessionId } = await editor.agent.request('session/new', { cwd, mcpServers: [] });
    const ask = (text: string) =>
      editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    front.write('project/make.cjs', "require('node:fs').writeFileSync('one', '')");
    await ask('run: node make.cjs');
    expect([asked, existsSync(join(cwd, 'one'))]).toEqual([['Bash'], true]);
    const rules = await app.sessionRules(sessionId);
    expect(rules).toMatchObject([{ tool: 'Bash', input: expect.stringMatching(/^node make/) }]);
    rmSync(join(cwd, 'one'));
    await ask('run: node make.cjs');
    expect([asked, existsSync(join(cwd, 'one'))]).toEqual([['Bash'], true]);
    expect(readdirSync(cwd).toSorted()).toEqual(['make.cjs', 'one']);
    expect(await app.takeBackRule({ session: sessionId, rule: rules[0]?.id ?? '' })).toBe(true);
    await ask('run: node make.cjs');
    expect(asked).toEqual(['Bash', 'Bash']);
  });
});

describe('E22 tools of an editor in a session of the real Claude Code', () => {
  it('are called and answered, are others from the next message on, and go with the editor', async () => {
    const { agentCapabilities } = await editor.agent.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    expect(agentCapabilities?.mcpCapabilities).toEqual({ http: true, sse: true, acp: true });
    const { project: cwd, app } = front;
    const { sessionId } = await editor.agent.request('session/new', { cwd, mcpServers: [first.server] });
    await use(sessionId, 'lookup');
    expect(asked).toEqual(['mcp__client__lookup']);
    expect(first.calls).toEqual([{ name: 'lookup', given: { key: 'k-lookup' }, toolUseId: expect.any(String) }]);
    const toolCalls = front.ofKind('update').map(({ event }) => JSON.stringify(event));
    expect(toolCalls.some((event) => event.includes(String(first.calls[0]?.toolUseId)))).toBe(true);
    expect(front.said()).toContain('an answer of the client');
    // What the editor gave along reaches its server, and no command line or environment.
    expect(first.keys).toEqual(new Set(['secret-of-the-client']));
    const running = markedProcesses(front.home).map(({ args, environment }) => `${args}${environment}`);
    expect(running.length).toBeGreaterThan(0);
    expect(running.filter((line) => line.includes('secret-of-the-client'))).toEqual([]);
    const servers = async () => {
      const { inForce } = await app.sessionInForce(sessionId);
      return inForce?.servers.map(({ name, tools, origin }) => [name, tools, origin.kind]);
    };
    const ours = ['jumpseat', ['web_search', 'web_fetch'], 'jumpseat'];
    expect(await servers()).toEqual(expect.arrayContaining([ours, ['client', ['lookup'], 'front']]));

    await editor.agent.request('session/resume', { sessionId, cwd, mcpServers: [second.server] });
    await use(sessionId, 'other');
    expect(second.calls).toEqual([{ name: 'other', given: { key: 'k-other' }, toolUseId: expect.any(String) }]);
    expect(await servers()).toEqual(expect.arrayContaining([ours, ['client', ['other'], 'front']]));

    second.answer = () => null;
    await use(sessionId, 'other');
    expect(front.ofKind('turn-ended').at(-1)?.event).toMatchObject({ state: 'done' });

    await leave();
    const { turnId } = await app.sendMessage({ session: sessionId, prompt: [{ type: 'text', text: 'count to 3' }] });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    expect(await servers()).toEqual([ours]);
  });
});

describe('tools that run in the editor, over its own connection, in a session of the real Claude Code', () => {
  type Answer = (context: McpOperationContext) => Promise<string>;
  const inputSchema = { type: 'object', properties: { key: { type: 'string' } } };

  /** A server of the editor with one tool. */
  function server(tool: string, answer: Answer) {
    const handler = async (context: McpOperationContext): Promise<McpOutcome> => {
      const { method } = context;
      if (method === 'server/discover') {
        const serverInfo = { name: 'client', version: '1' };
        return {
          result: {
            ...{ resultType: 'complete', supportedVersions: ['2026-07-28'] },
            ...{ serverInfo, capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' },
          },
        };
      }
      if (method === 'tools/list') {
        const listed = { name: tool, description: 'Looks up', inputSchema, _meta: { 'anthropic/alwaysLoad': true } };
        return { result: { resultType: 'complete', tools: [listed], ttlMs: 0, cacheScope: 'private' } };
      }
      if (method !== 'tools/call') return { error: { code: -32601, message: `There is no ${method}.` } };
      const text = await answer(context);
      return { result: { resultType: 'complete', content: [{ type: 'text', text }] } };
    };
    return provider.registerServer(editor.agent, { name: 'client', handler });
  }

  const begin = async (...servers: McpServerRegistration[]) => {
    await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const mcpServers: McpServer[] = servers.map(({ declaration }) => declaration);
    const { sessionId } = await editor.agent.request('session/new', { cwd: front.project, mcpServers });
    return sessionId;
  };
  const answered = () => front.said().split('The tool answered: ').slice(1);

  it('are asked about, called and answered, and are others from the next message on', async () => {
    const given: unknown[] = [];
    const tool = (name: string) =>
      server(name, async ({ params }) => {
        given.push(params?.name, params?.arguments);
        return `${name} answers from inside the editor`;
      });
    const sessionId = await begin(tool('lookup'));
    await use(sessionId, 'lookup');
    const other = tool('other');
    await editor.agent.request('session/resume', { sessionId, cwd: front.project, mcpServers: [other.declaration] });
    await use(sessionId, 'other');
    expect(asked).toEqual(['mcp__client__lookup', 'mcp__client__other']);
    expect(given).toEqual(['lookup', { key: 'k-lookup' }, 'other', { key: 'k-other' }]);
    expect(answered()).toEqual([
      expect.stringContaining('lookup answers from inside the editor'),
      expect.stringContaining('other answers from inside the editor'),
    ]);
    const { inForce } = await front.app.sessionInForce(sessionId);
    expect(inForce?.servers).toContainEqual(
      expect.objectContaining({ name: 'client', tools: ['other'], origin: expect.objectContaining({ kind: 'front' }) }),
    );
    // Each server has a key of its own, that stands in no command line.
    const running = markedProcesses(front.home).map(({ args, environment }) => `${args}${environment}`);
    expect(running.length).toBeGreaterThan(0);
    expect(running.filter((line) => line.includes('Bearer'))).toEqual([]);
  });

  it('are not called where the person denies it', async () => {
    answers = 'reject_once';
    let calls = 0;
    const sessionId = await begin(
      server('lookup', async () => {
        calls += 1;
        return '';
      }),
    );
    await use(sessionId, 'lookup');
    expect([asked, calls]).toEqual([['mcp__client__lookup'], 0]);
  });

  it('stop with their turn, also where they take long', async () => {
    let called: (() => void) | undefined;
    const isCalled = new Promise<void>((resolve) => {
      called = resolve;
    });
    let isStopped = false;
    const sessionId = await begin(
      server('lookup', async ({ signal }) => {
        signal.addEventListener('abort', () => {
          isStopped = true;
        });
        called?.();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'too late';
      }),
    );
    const turn = use(sessionId, 'lookup');
    await isCalled;
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await until(() => isStopped);
    expect(front.said()).not.toContain('too late');
  });

  it('of an editor that leaves amid a call are an error to the model, which goes on', async () => {
    const sessionId = await begin(
      server('lookup', async () => {
        void leave();
        await new Promise(() => undefined);
        return '';
      }),
    );
    void use(sessionId, 'lookup').catch(() => undefined);
    const ended = await until(() => front.ofKind('turn-ended').at(0));
    expect(ended.event).toMatchObject({ state: 'done' });
    expect(answered()).toEqual([expect.stringMatching(/closed|failed|terminated|hang up/i)]);
    const { turnId } = await front.app.sendMessage({
      session: sessionId,
      prompt: [{ type: 'text', text: 'count to 3' }],
    });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
  });
});
