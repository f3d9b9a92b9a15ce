import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';

/** What a step of a played turn is, in the shapes that claude-agent-acp gives. */
export interface PlayedStep {
  tool: string;
  input: Record<string, unknown>;
  kind?: 'read' | 'edit' | 'execute' | 'search' | 'fetch' | 'other' | 'switch_mode';
  /** Absent: it runs until the turn ends. */
  output?: string;
  isError?: boolean;
  /** Of a command. */
  exit?: number;
  /** `toolUseResult` of Claude Code's. */
  response?: object;
  content?: object[];
}

let calls = 0;

/** Plays one step; gives the id of its call. */
export async function step(turn: FakeTurn, played: PlayedStep): Promise<string> {
  const { tool, input, kind = 'other', output, isError = false, exit, response, content = [] } = played;
  const toolCallId = `toolu_${++calls}`;
  const claudeCode = { toolName: tool };
  const tell = (fields: object): Promise<void> => turn.update(fields as SessionUpdate);
  const more = (fields: object, noted: object = {}): Promise<void> =>
    tell({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      _meta: { claudeCode: { ...claudeCode, ...noted } },
      ...fields,
    });
  await tell({
    ...{ sessionUpdate: 'tool_call', toolCallId, name: tool, title: tool, kind, status: 'pending', content: [] },
    ...{ rawInput: {}, _meta: { claudeCode } },
  });
  await more({ rawInput: input, title: tool, content });
  if (output === undefined) return toolCallId;
  if (response !== undefined) await more({}, { toolResponse: response });
  if (exit === undefined) {
    await more({ status: isError ? 'failed' : 'completed', rawOutput: output });
    return toolCallId;
  }
  await tell({ sessionUpdate: 'tool_call_update', toolCallId, _meta: { terminal_output: { data: output } } });
  await tell({
    ...{ sessionUpdate: 'tool_call_update', toolCallId, status: exit === 0 ? 'completed' : 'failed' },
    _meta: { claudeCode, terminal_exit: { exit_code: exit } },
  });
  return toolCallId;
}

/** An edit that is done, of a file whose text is given whole. */
export function edit(
  turn: FakeTurn,
  path: string,
  originalFile: string,
  [from, to]: [string, string],
): Promise<string> {
  const lines = [`-${from}`, `+${to}`];
  const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }];
  return step(turn, {
    ...{ tool: 'Edit', kind: 'edit', input: { file_path: path, old_string: from, new_string: to } },
    content: [{ type: 'diff', path, oldText: from, newText: to }],
    response: { filePath: path, oldString: from, newString: to, originalFile, structuredPatch, userModified: false },
    output: `The file ${path} has been updated.`,
  });
}

export const thinks = (turn: FakeTurn, text: string): Promise<void> =>
  turn.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text }, messageId: 'thought' });

/** A question about a command; resolves with the answer. */
export async function asksToRun(turn: FakeTurn, command: string, description: string): Promise<unknown> {
  const rawInput = { command, description };
  const toolCallId = await step(turn, { tool: 'Bash', kind: 'execute', input: rawInput });
  return turn.ask({ ...{ toolCallId, name: 'Bash', rawInput }, ...{ kind: 'execute' } });
}

/** A question about an edit; resolves with the answer. */
export async function asksToEdit(turn: FakeTurn, path: string, [from, to]: [string, string]): Promise<unknown> {
  const rawInput = { file_path: path, old_string: from, new_string: to };
  const content = [{ type: 'diff' as const, path, oldText: from, newText: to }];
  const toolCallId = await step(turn, { tool: 'Edit', kind: 'edit', input: rawInput, content });
  return turn.ask({ ...{ toolCallId, name: 'Edit', rawInput }, ...{ kind: 'edit', content } });
}

/** Two questions of Claude's own. */
export async function asksForChoices(turn: FakeTurn): Promise<unknown> {
  const input = { questions: [{ header: 'Menu', question: 'Where shall the menu go?' }] };
  const toolCallId = await step(turn, { tool: 'AskUserQuestion', input });
  const properties = {
    question_0: {
      ...{ type: 'string', title: 'Menu', description: 'Where shall the menu go?' },
      oneOf: [
        { const: 'Drawer', title: 'Drawer', description: 'It slides in from the left.' },
        { const: 'Bar', title: 'Bar', description: 'It stays at the top.' },
      ],
    },
    question_0_custom: { type: 'string', title: 'Other' },
    question_1: {
      ...{ type: 'array', title: 'Browsers', description: 'Which browsers have to work?' },
      items: {
        anyOf: [
          { const: 'New', title: 'New ones' },
          { const: 'Old', title: 'Old ones' },
        ],
      },
    },
    question_1_custom: { type: 'string', title: 'Other' },
  };
  const message = 'Please answer the following questions.';
  const request = { sessionId: turn.sessionId, mode: 'form', toolCallId, message };
  return turn.client.request('elicitation/create', {
    ...request,
    requestedSchema: { type: 'object', properties },
  } as never);
}

/** A plan that waits for its approval. */
export async function asksAboutPlan(turn: FakeTurn, plan: string): Promise<unknown> {
  const toolCallId = await step(turn, { tool: 'ExitPlanMode', kind: 'switch_mode', input: { plan } });
  return turn.client.request('session/request_permission', {
    sessionId: turn.sessionId,
    toolCall: {
      ...{ toolCallId, name: 'ExitPlanMode', rawInput: { plan } },
      ...{ kind: 'switch_mode', title: 'Plan' },
    },
    options: [
      { optionId: 'exit-plan-accept-edits', name: 'Yes, and accept edits', kind: 'allow_always' },
      { optionId: 'exit-plan-default', name: 'Yes, and ask', kind: 'allow_once' },
      { optionId: 'plan', name: 'No', kind: 'reject_once' },
    ],
  });
}

/** A subagent at work. */
export async function subagent(turn: FakeTurn, title: string): Promise<void> {
  const child = `agent-${++calls}`;
  const call = `toolu_${calls}`;
  const tell = (update: object): Promise<void> => turn.update(update as SessionUpdate);
  await tell({
    ...{ sessionUpdate: 'subagent_update', sessionId: child, title, description: 'Explore' },
    state: { state: 'running' },
  });
  const message = { sessionUpdate: 'session_message', senderSessionId: turn.sessionId, recipientSessionId: child };
  await tell({ ...message, messageId: call, content: [{ type: 'text', text: 'Look around.' }] });
}
