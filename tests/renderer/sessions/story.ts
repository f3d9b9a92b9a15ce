import fc from 'fast-check';
import type { SessionEvent } from '../../../app/api/sessions.ts';
import type { Line } from '../../../app/sessions/transcripts/line.ts';
import { turnsOf } from '../../../app/sessions/transcripts/transcript-turns.ts';

/** What happened in a session, to be told as its host tells it live, and as Claude Code's transcript has it. */
export interface Story {
  turns: { prompt: string; acts: Act[]; end: 'done' | 'cancelled' | 'failed' }[];
}

interface Words {
  act: 'text' | 'thinking';
  text: string;
  cut: number;
  isVoid: boolean;
}

function isWords(one: Act): one is Words {
  return one.act === 'text' || one.act === 'thinking';
}

type Act =
  | Words
  | { act: 'shell'; command: string; output: string; exit: number }
  | { act: 'denied'; command: string }
  | { act: 'read'; path: string; text: string }
  | { act: 'edit'; path: string; before: string; after: string }
  | { act: 'create'; path: string; text: string }
  | { act: 'mcp'; server: string; text: string }
  | { act: 'todo'; texts: string[]; done: number }
  | { act: 'agent'; task: string; answer: string };

const word = fc.stringMatching(/^[a-z]{1,9}$/);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '));
const path = word.map((name) => `/home/me/project/${name}.ts`);

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constantFrom('text' as const, 'thinking' as const),
    text: words,
    cut: fc.nat(20),
    isVoid: fc.boolean(),
  }),
  fc.record({ act: fc.constant('shell' as const), command: words, output: words, exit: fc.constantFrom(0, 0, 1, 127) }),
  fc.record({ act: fc.constant('denied' as const), command: words }),
  fc.record({ act: fc.constant('read' as const), path, text: words }),
  fc.record({ act: fc.constant('edit' as const), path, before: words, after: words }),
  fc.record({ act: fc.constant('create' as const), path, text: words }),
  fc.record({ act: fc.constant('mcp' as const), server: word, text: words }),
  fc.record({
    act: fc.constant('todo' as const),
    texts: fc.array(words, { minLength: 1, maxLength: 3 }),
    done: fc.nat(3),
  }),
  fc.record({ act: fc.constant('agent' as const), task: words, answer: words }),
);

export const story: fc.Arbitrary<Story> = fc.record({
  turns: fc.array(
    fc
      .record({
        prompt: words,
        acts: fc.array(act, { maxLength: 6 }),
        end: fc.constantFrom('done' as const, 'cancelled' as const, 'failed' as const),
      })
      // A transcript does not tell whether a turn was stopped over a question, or after a refusal.
      .map((turn) => (turn.acts.some((one) => one.act === 'denied') ? { ...turn, end: 'done' as const } : turn)),
    { minLength: 1, maxLength: 4 },
  ),
});

const begunAt = Date.parse('2026-11-22T10:00:00Z');
/** From one turn to the next. */
const anHour = 3_600_000;

/** The events of a host, in the shapes that claude-agent-acp gives its updates. */
export function reportedLive({ turns }: Story): SessionEvent[] {
  const reported: SessionEvent[] = [];
  turns.forEach(({ prompt, acts, end }, number) => {
    const turnId = `turn-${number}`;
    let at = begunAt + number * anHour;
    const tell = (kind: SessionEvent['kind'], event: unknown): void => {
      reported.push({ seq: reported.length + 1, sessionId: 's', turnId, at, kind, event, cuts: null });
      at += 1_000;
    };
    const update = (reported: object, child: string | null = null): void => tell('update', { child, update: reported });
    tell('turn-started', { initiator: 'user', prompt: [{ type: 'text', text: prompt }] });
    for (const [index, one] of acts.entries()) tellAct(one, `${number}-${index}`, update, tell);
    tell('turn-ended', { state: end, stopReason: null, problem: null, usage: null, lastMessage: null });
  });
  return reported;
}

type Update = (update: object, child?: string | null) => void;

function tellAct(
  one: Act,
  id: string,
  update: Update,
  tell: (kind: SessionEvent['kind'], event: unknown) => void,
): void {
  if (isWords(one)) {
    const sessionUpdate = one.act === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
    const chunk = (text: string, messageId: string): void =>
      update({ sessionUpdate, content: { type: 'text', text }, messageId });
    if (one.isVoid) {
      // The stream was cut: its answer comes again, whole, as another message.
      chunk(one.text.slice(0, one.cut), `cut-${id}`);
      tell('void', { messageId: `cut-${id}` });
    }
    chunk(one.text.slice(0, one.cut), `m-${id}`);
    update({ sessionUpdate: 'usage_update', used: 1, size: 2, _meta: { '_claude/model': 'claude-x' } });
    if (one.text.length > one.cut) chunk(one.text.slice(one.cut), `m-${id}`);
    return;
  }
  if (one.act === 'todo') {
    const entries = one.texts.map((content, place) => ({
      ...{ content, priority: 'medium', status: place < one.done ? 'completed' : 'pending' },
    }));
    update({ sessionUpdate: 'plan', entries });
    return;
  }
  if (one.act === 'agent') {
    tellAgent(one, id, update);
    return;
  }
  const { name, input, response, output, isError } = callOf(one);
  const toolCallId = `call-${id}`;
  const claude = { toolName: name };
  const more = (fields: object, noted: object = {}): void =>
    update({
      ...{ sessionUpdate: 'tool_call_update', toolCallId, _meta: { claudeCode: { ...claude, ...noted } } },
      ...fields,
    });
  update({
    ...{ sessionUpdate: 'tool_call', toolCallId, name, title: name, kind: 'other', status: 'pending', content: [] },
    ...{ rawInput: {}, _meta: { claudeCode: claude } },
  });
  more({ rawInput: input, title: `${name}…`, ...proposal(one) });
  if (one.act === 'denied') {
    const request = { sessionId: 's', toolCall: { toolCallId, name, rawInput: input }, options: [] };
    tell('question', { id: `q-${id}`, kind: 'permission', child: null, request });
    tell('answered', { id: `q-${id}`, by: 'person', rule: null, answer: { answer: 'deny' } });
    update({ sessionUpdate: 'tool_call_update', toolCallId, _meta: { terminal_output: { data: output } } });
    more({ status: 'failed' }, { nonExecutionKind: 'user-rejected' });
    return;
  }
  if (response !== null) more({}, { toolResponse: response });
  if (one.act === 'shell') {
    update({ sessionUpdate: 'tool_call_update', toolCallId, _meta: { terminal_output: { data: output } } });
    update({
      ...{ sessionUpdate: 'tool_call_update', toolCallId, status: isError ? 'failed' : 'completed' },
      _meta: { claudeCode: claude, terminal_exit: { exit_code: one.exit } },
    });
    return;
  }
  const fenced = [{ type: 'content', content: { type: 'text', text: `\`\`\`\n${output}\n\`\`\`` } }];
  more({ status: 'completed', rawOutput: output, ...(one.act === 'read' ? { content: fenced } : {}) });
}

/** What an edit is about to do. */
function proposal(one: Act): object {
  if (one.act === 'create') return { content: [{ type: 'diff', path: one.path, oldText: null, newText: one.text }] };
  if (one.act !== 'edit') return {};
  return { content: [{ type: 'diff', path: one.path, oldText: one.before, newText: one.after }] };
}

function tellAgent({ task, answer }: Act & { act: 'agent' }, id: string, update: Update): void {
  const child = `agent-${id}`;
  const call = `call-${id}`;
  const said = (text: string): object[] => [{ type: 'text', text }];
  update({
    ...{ sessionUpdate: 'subagent_update', sessionId: child, title: 'Look around', description: 'Explore' },
    state: { state: 'running' },
  });
  const message = { sessionUpdate: 'session_message', senderSessionId: 's', recipientSessionId: child };
  update({ ...message, messageId: call, content: said(task) });
  update({ ...message, messageId: call, content: said(task) }, child);
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Looking' }, messageId: 'sub' }, child);
  update({
    ...{ sessionUpdate: 'session_message', messageId: `${call}:reply`, senderSessionId: child },
    ...{ recipientSessionId: 's', content: said(answer) },
  });
  update({ sessionUpdate: 'subagent_update', sessionId: child, state: { state: 'idle', stopReason: 'end_turn' } });
}

interface Call {
  name: string;
  input: Record<string, unknown>;
  response: object | null;
  output: string;
  isError: boolean;
}

/** What a tool of Claude Code is given, what it notes, and what the model reads. */
function callOf(one: Exclude<Act, Words>): Call {
  switch (one.act) {
    case 'shell':
      return {
        ...{ name: 'Bash', input: { command: one.command, description: 'Run it' }, isError: one.exit !== 0 },
        response: one.exit === 0 ? { stdout: one.output, stderr: '', interrupted: false } : null,
        output: one.exit === 0 ? one.output : `Exit code ${one.exit}\n${one.output}`,
      };
    case 'denied':
      return {
        name: 'Bash',
        input: { command: one.command },
        response: null,
        output: 'It was rejected.',
        isError: true,
      };
    case 'read': {
      const file = { filePath: one.path, content: one.text, numLines: 1, startLine: 1, totalLines: 1 };
      const output = `1\t${one.text}`;
      return { name: 'Read', input: { file_path: one.path }, response: { type: 'text', file }, output, isError: false };
    }
    case 'edit': {
      const { path: filePath, before: oldString, after: newString } = one;
      const lines = [' first', `-${oldString}`, `+${newString}`];
      const structuredPatch = [{ oldStart: 7, oldLines: 2, newStart: 7, newLines: 2, lines }];
      const originalFile = `first\n${oldString}\n`;
      return {
        ...{ name: 'Edit', input: { file_path: filePath, old_string: oldString, new_string: newString } },
        response: { filePath, oldString, newString, originalFile, structuredPatch, userModified: false },
        ...{ output: `The file ${filePath} has been updated.`, isError: false },
      };
    }
    case 'create': {
      const { path: filePath, text: content } = one;
      return {
        ...{ name: 'Write', input: { file_path: filePath, content } },
        response: { type: 'create', filePath, content, structuredPatch: [], originalFile: null, userModified: false },
        ...{ output: `File created at: ${filePath}`, isError: false },
      };
    }
    case 'mcp':
      return {
        ...{ name: `mcp__${one.server}__look`, input: { word: one.text }, response: null, output: one.text },
        isError: false,
      };
    case 'todo': {
      const todos = one.texts.map((content, place) => ({
        ...{ content, activeForm: content, status: place < one.done ? 'completed' : 'pending' },
      }));
      return {
        name: 'TodoWrite',
        input: { todos },
        response: null,
        output: 'Todos have been modified',
        isError: false,
      };
    }
    case 'agent':
      return {
        name: 'Agent',
        input: { description: 'Look around', prompt: one.task, subagent_type: 'Explore' },
        response: { status: 'completed', prompt: one.task, content: [{ type: 'text', text: one.answer }] },
        ...{ output: one.answer, isError: false },
      };
  }
}

/** The turns as Jumpseat reads them from the lines that Claude Code would have written. */
export function reportedByTranscript({ turns }: Story) {
  const lines: Line[] = [];
  let at = begunAt;
  const write = (line: Record<string, unknown>): void => {
    const uuid = `line-${lines.length}`;
    const parentUuid = lines.length === 0 ? null : `line-${lines.length - 1}`;
    at += 1_000;
    const timestamp = new Date(at).toISOString();
    lines.push({ uuid, parentUuid, timestamp, ...line });
  };
  const assistant = (id: string, block: object): void =>
    write({
      type: 'assistant',
      message: { role: 'assistant', id, model: 'claude-x', content: [block], stop_reason: 'end_turn' },
    });
  const user = (content: unknown, more: object = {}): void =>
    write({ type: 'user', message: { role: 'user', content }, ...more });
  turns.forEach(({ prompt, acts, end }, number) => {
    at = begunAt + number * anHour;
    user(prompt);
    acts.forEach((one, index) => {
      const id = `${number}-${index}`;
      if (isWords(one)) {
        assistant(
          `m-${id}`,
          one.act === 'text' ? { type: 'text', text: one.text } : { type: 'thinking', thinking: one.text },
        );
        return;
      }
      const { name, input, response, output, isError } = callOf(one);
      assistant(`m-${id}`, { type: 'tool_use', id: `call-${id}`, name, input });
      const block = { type: 'tool_result', tool_use_id: `call-${id}`, content: output, is_error: isError };
      const denied = one.act === 'denied' ? { toolDenialKind: 'user-rejected' } : {};
      user([block], { ...(response === null ? {} : { toolUseResult: response }), ...denied });
    });
    if (end === 'cancelled') user([{ type: 'text', text: '[Request interrupted by user]' }]);
    if (end === 'failed') {
      write({
        type: 'assistant',
        isApiErrorMessage: true,
        message: { content: [{ type: 'text', text: 'It failed' }] },
      });
    }
  });
  return {
    turns: turnsOf(lines).map((turn) => ({ ...turn, cost: null })),
    from: 0,
    unreadable: 0,
    undone: [],
    answered: [],
  };
}
