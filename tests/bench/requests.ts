import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Body {
  headers: Record<string, string>;
  bytes: Buffer;
}

export const nativeModel = 'claude-sonnet-4.6';
/** Served by Copilot through Chat Completions alone. */
export const chatModel = 'gpt-4.1';
/** And through Responses alone. */
export const responsesModel = 'gpt-5.4';

const mark = '%PROMPT%';
const recorded: { body: { messages: object[]; tools: { description: string }[]; [key: string]: unknown } } = JSON.parse(
  readFileSync(
    new URL('../samples/claude-code-2.1.328-main-tool-result-turn.sonnet-4.6.request.json', import.meta.url),
    'utf8',
  ),
);

const betas =
  'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,advanced-tool-use-2025-11-20,effort-2025-11-24';

/** A body of which every copy is another prompt of another session, as the work of many people would be. */
function template(body: object): () => Body {
  const [before = '', after = ''] = JSON.stringify(body).split(mark);
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  return () => ({
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': betas,
      'user-agent': 'claude-cli/2.1.328 (external, sdk-cli)',
      'x-app': 'cli',
      'x-claude-code-session-id': randomUUID(),
    },
    bytes: Buffer.concat([head, Buffer.from(randomUUID()), tail]),
  });
}

/** One prompt, a few hundred bytes. */
export function smallRequest(model: string): () => Body {
  return small(model, true);
}

/** The same for an answer in one piece. */
export function wholeRequest(model: string): () => Body {
  return small(model, false);
}

function small(model: string, stream: boolean): () => Body {
  return template({
    model,
    max_tokens: 1024,
    stream,
    system: [{ type: 'text', text: 'You are a helpful assistant.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: `Count to five. ${mark}` }] }],
  });
}

/** The same prompt in the words of OpenAI's Chat Completions. */
export function smallChat(model: string): () => Body {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: `Count to five. ${mark}` },
  ];
  return template({ model, max_tokens: 1024, stream: true, messages });
}

/** And of its Responses. */
export function smallResponses(model: string): () => Body {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Count to five. ${mark}` }] }];
  return template({
    model,
    max_output_tokens: 1024,
    stream: true,
    instructions: 'You are a helpful assistant.',
    input,
  });
}

/**
 * A turn of Claude Code as it was recorded, with what was abridged filled up and more turns before it: `bytes` long.
 */
export function largeRequest(model: string, bytes: number): () => Body {
  const filler = (length: number): string =>
    'Use the tool when the task asks for it; say why. "Quoted"\n'.repeat(length / 58);
  const tools = recorded.body.tools.map((tool) => ({ ...tool, description: filler(1800) }));
  const messages: object[] = [{ role: 'user', content: [{ type: 'text', text: `Fix the parser. ${mark}` }] }];
  const body = (): object => ({
    ...recorded.body,
    model,
    stream: true,
    system: [{ type: 'text', text: filler(27_000), cache_control: { type: 'ephemeral' } }],
    tools,
    messages: [...messages, ...recorded.body.messages.slice(1)],
  });
  for (let turn = 0; JSON.stringify(body()).length < bytes; turn++) {
    const id = `toolu_${turn}`;
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: filler(300) },
          {
            type: 'tool_use',
            id,
            name: 'Bash',
            input: { command: 'sed -n 1,80p parser.ts', description: 'Read a file' },
          },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: filler(2500), is_error: false }] },
    );
  }
  return template(body());
}
