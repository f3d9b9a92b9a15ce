import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import { attacks, imitation, name, tooMuch, turned } from './hostile-words.ts';
import { goesOn, idle, type Play, waiting } from './play.ts';
import { asksAboutPlan, step, subagent, thinks } from './steps.ts';

/** Sessions of a model, a tool, a server or a repository that means harm, each with its words wherever words go. */

const shown = { row: '', shows: [], process: '' } as const;
const tell = (turn: FakeTurn, update: object): Promise<void> => turn.update(update as SessionUpdate);

async function says(turn: FakeTurn): Promise<void> {
  await tell(turn, { sessionUpdate: 'session_info_update', title: name });
  await thinks(turn, attacks);
  await turn.say(attacks, 'answer');
}

async function uses(turn: FakeTurn): Promise<void> {
  const path = `/w/${name}.ts`;
  await step(turn, { tool: 'Bash', kind: 'execute', input: { command: attacks }, output: attacks, exit: 0 });
  await step(turn, { tool: 'Read', kind: 'read', input: { file_path: path }, output: attacks });
  await step(turn, {
    ...{
      tool: 'Edit',
      kind: 'edit',
      input: { file_path: path, old_string: 'a', new_string: attacks },
      output: attacks,
    },
    content: [{ type: 'diff', path, oldText: 'a', newText: attacks }],
  });
  await step(turn, {
    tool: 'WebFetch',
    kind: 'fetch',
    input: { url: 'javascript:hacked=1', prompt: attacks },
    output: attacks,
  });
  await step(turn, { tool: `mcp__${name}__${name}`, input: { [name]: attacks }, output: attacks });
  await step(turn, { tool: name, input: { x: attacks }, output: attacks, isError: true });
  await step(turn, {
    ...{ tool: 'mcp__pictures__draw', input: {}, output: 'drawn' },
    content: [
      content({ type: 'image', mimeType: 'image/svg+xml', data: btoa('<svg onload="window.hacked=1"/>') }),
      content({ type: 'image', mimeType: 'image/png', data: 'AAAA', uri: 'https://evil.test/i.png' }),
      content({ type: 'resource_link', name, uri: 'https://evil.test/x', title: attacks }),
      content({ type: 'resource', resource: { uri: 'https://evil.test/x', mimeType: 'text/html', text: attacks } }),
    ],
  });
  await tell(turn, {
    sessionUpdate: 'plan',
    entries: [{ content: attacks, priority: 'medium', status: 'in_progress' }],
  });
  await subagent(turn, name);
}

const content = (block: object): object => ({ type: 'content', content: block });

/** A form of a server, with its words in every place that takes some. */
function asks(turn: FakeTurn): Promise<unknown> {
  const properties = {
    question_0: {
      ...{ type: 'string', title: name, description: attacks },
      oneOf: [
        { const: 'a', title: name, description: attacks },
        { const: 'b', title: turned, description: attacks },
      ],
    },
    question_0_custom: { type: 'string', title: name },
  };
  return turn.client.request('elicitation/create', {
    ...{ sessionId: turn.sessionId, mode: 'form', message: attacks },
    requestedSchema: { type: 'object', properties },
  } as never);
}

async function asksToUse(turn: FakeTurn): Promise<unknown> {
  const tool = `mcp__${name}__${name}`;
  const rawInput = { [name]: attacks };
  const toolCallId = await step(turn, { tool, input: rawInput });
  return turn.ask({ toolCallId, name: tool, rawInput });
}

export const hostilePlays: readonly Play[] = [
  {
    ...{ ...shown, name: 'restored', prompt: '' },
    before: (stage, id) => {
      const project = join(stage.folder('..'), '.claude', 'projects', '-w');
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, `${id}.jsonl`), transcript(id));
    },
    after: async () => undefined,
  },
  {
    ...{ ...shown, name: 'done', prompt: `Done ${name}`, project: '<img src=x onerror=hacked=1>\u202egnp' },
    play: async (turn) => {
      await says(turn);
      await uses(turn);
      await turn.say(imitation, 'end');
      return 'end_turn';
    },
    after: idle('done'),
  },
  {
    ...{ ...shown, name: 'failed', prompt: `Failed ${name}` },
    play: () => Promise.reject(new RequestError(-32603, attacks, { errorKind: 'rate_limit' })),
    after: idle('failed'),
  },
  {
    ...{ ...shown, name: 'at work', prompt: `At work ${name}` },
    play: async (turn) => {
      await says(turn);
      await uses(turn);
      await step(turn, { tool: 'Bash', kind: 'execute', input: { command: `${name}${'x'.repeat(100_000)}` } });
      return goesOn(turn);
    },
    after: async (stage, id) => {
      await stage.reaches('at work', 'running');
      await stage.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text: attacks }] });
    },
  },
  {
    ...{ ...shown, name: 'permission', prompt: `Permission ${name}` },
    play: async (turn) => {
      await asksToUse(turn);
      return 'end_turn';
    },
    after: waiting('permission'),
  },
  {
    ...{ ...shown, name: 'choices', prompt: `Choices ${name}` },
    play: async (turn) => {
      await asks(turn);
      return 'end_turn';
    },
    after: waiting('choices'),
  },
  {
    ...{ ...shown, name: 'plan', prompt: `Plan ${name}` },
    play: async (turn) => {
      await asksAboutPlan(turn, attacks);
      return 'end_turn';
    },
    after: waiting('plan'),
  },
  {
    ...{ ...shown, name: 'too much', prompt: 'Too much' },
    play: async (turn) => {
      for (const [at, text] of tooMuch.entries()) await turn.say(text, `much-${at}`);
      const line = 'y'.repeat(5_000_000);
      await step(turn, { tool: 'Bash', kind: 'execute', input: { command: 'cat big' }, output: line, exit: 0 });
      await step(turn, {
        tool: 'Write',
        kind: 'edit',
        input: { file_path: '/w/big.ts', content: line },
        output: 'written',
      });
      await turn.say('The end of too much.', 'end');
      return 'end_turn';
    },
    after: idle('too much'),
  },
  {
    ...{ ...shown, name: 'ten thousand', prompt: 'Ten thousand' },
    play: async (turn) => {
      for (let at = 0; at < 10_000; at += 1) {
        const toolCallId = `many-${at}`;
        const claudeCode = { toolName: 'Bash', toolResponse: { stdout: `out ${at}`, stderr: '' } };
        await tell(turn, {
          ...{ sessionUpdate: 'tool_call', toolCallId, name: 'Bash', title: 'Bash', kind: 'execute', content: [] },
          ...{ status: 'pending', rawInput: { command: `run ${at}` }, _meta: { claudeCode } },
        });
        await tell(turn, {
          ...{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', _meta: { claudeCode } },
        });
      }
      return 'end_turn';
    },
    after: idle('ten thousand'),
  },
];

/** What Claude Code wrote about it, as it lies on the disk. */
function transcript(id: string): string {
  let parent: string | null = null;
  let nth = 0;
  const line = (type: 'user' | 'assistant', body: object, more: object = {}): string => {
    const uuid = `00000000-0000-4000-8000-${String(++nth).padStart(12, '0')}`;
    const reported = {
      parentUuid: parent,
      isSidechain: false,
      type,
      message: body,
      uuid,
      sessionId: id,
      cwd: `/w/${name}`,
    };
    parent = uuid;
    return JSON.stringify({
      ...reported,
      timestamp: '2026-11-22T11:42:08.000Z',
      version: name,
      gitBranch: name,
      ...more,
    });
  };
  const reported = (blocks: object[]): string =>
    line('assistant', { id: `msg_${nth}`, model: name, role: 'assistant', type: 'message', content: blocks });
  const used = (tool: string, input: object): string[] => [
    reported([{ type: 'tool_use', id: `toolu_r${nth}`, name: tool, input }]),
    line('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_r${nth - 1}`, content: [{ type: 'text', text: attacks }] }],
    }),
  ];
  return [
    line('user', { role: 'user', content: attacks }),
    reported([{ type: 'thinking', thinking: attacks, signature: 'x' }]),
    reported([{ type: 'text', text: attacks }]),
    ...used('Bash', { command: attacks }),
    ...used('Read', { file_path: `/w/${name}` }),
    ...used(`mcp__${name}__${name}`, { [name]: attacks }),
    ...used('Agent', { description: name, subagent_type: name, prompt: attacks }),
    ...used('TodoWrite', { todos: [{ content: attacks, status: 'pending', activeForm: attacks }] }),
    ...used('AskUserQuestion', { questions: [{ header: name, question: attacks, options: [{ label: name }] }] }),
    ...used('ExitPlanMode', { plan: attacks }),
    reported([{ type: 'text', text: 'The end of what was restored.' }]),
    JSON.stringify({ type: 'custom-title', customTitle: name, sessionId: id }),
    '',
  ].join('\n');
}
