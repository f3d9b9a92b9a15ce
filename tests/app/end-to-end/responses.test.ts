import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResponsesQuirks } from '../../../app/simulator/simulator.ts';
import { type Answer, eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/**
 * A Messages client on models that Copilot serves through `/responses` alone, through the product and a strict Copilot.
 */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

interface Block {
  type: string;
  [key: string]: unknown;
}
interface Message {
  content: Block[];
  stop_reason: string;
  stop_sequence: string | null;
  [key: string]: unknown;
}

const tools = [
  { name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } },
  { name: 'mcp__a.server__a tool', input_schema: { type: 'object', properties: {} } },
];
const gpt = (words: string, more: Record<string, unknown> = {}): Record<string, unknown> =>
  prompt(words, { model: 'gpt-5.4', max_tokens: 4000, stream: false, tools, ...more });
const messageOf = (answer: Answer): Message => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as Message;
};
const sent = () => stack.simulator.requests.filter(({ path }) => path === '/responses');
const bodyOf = (at: number): Record<string, unknown> => sent().at(at)?.body as Record<string, unknown>;
const quirk = (responses: ResponsesQuirks) => stack.simulator.script.next({ kind: 'usual', responses });

describe('requests and answers', () => {
  it('A6.14 gpt-5.4 from an Anthropic client → the responses path, whole', async () => {
    const message = messageOf(await stack.messages(gpt('hello there')));
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'gpt-5.4',
      content: [{ type: 'text', text: expect.stringContaining('You asked: “hello there”') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: expect.any(Number), cache_read_input_tokens: 0, output_tokens: expect.any(Number) },
    });
    expect(stack.simulator.requests.map(({ path }) => path)).not.toContain('/chat/completions');
    expect(bodyOf(0)).toMatchObject({ store: false, stream: true, include: ['reasoning.encrypted_content'] });
    expect(await stack.rows(1)).toMatchObject([
      {
        path: '/responses',
        servedModel: 'gpt-5.4',
        initiator: 'user',
        outcome: 'done',
        stopReason: 'end_turn',
        fits: expect.arrayContaining([{ code: 'translated', count: 1, text: 'translated: messages → responses' }]),
      },
    ]);
    expect(stack.simulator.script.violations).toEqual([]);
  });

  it('A6.14 streamed, with a tool and its result: one user', async () => {
    const messages: unknown[] = [{ role: 'user', content: 'run: echo hi' }];
    const first = await stack.messages(gpt('', { messages, stream: true }));
    expect(eventsOf(first.text).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['message_start', 'content_block_start', 'message_stop']),
    );
    const call = messageOf(await stack.messages(gpt('', { messages })));
    expect(call.stop_reason).toBe('tool_use');
    const [use] = call.content;
    expect(use).toMatchObject({ type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } });
    const after = [
      ...messages,
      { role: 'assistant', content: call.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: use?.id, content: 'hi' }] },
    ];
    const answer = messageOf(await stack.messages(gpt('', { messages: after })));
    expect(answer.content).toEqual([{ type: 'text', text: 'The tool answered: “hi”' }]);
    expect(
      sent()
        .map(({ initiator }) => initiator)
        .at(-1),
    ).toBe('agent');
  });

  it('a tool whose name this API does not take', async () => {
    const message = messageOf(
      await stack.messages(
        gpt('', { messages: [{ role: 'user', content: 'x' }], tool_choice: { type: 'tool', name: tools[1]?.name } }),
      ),
    );
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'mcp__a.server__a tool' }]);
  });

  it('arguments whose deltas are encrypted', async () => {
    quirk({ encryptedArguments: true });
    const message = messageOf(await stack.messages(gpt('run: echo hi')));
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } }]);
  });

  it('an image, and one in a result', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const messages = [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [image] }] },
    ];
    messageOf(await stack.messages(gpt('', { messages })));
    expect(bodyOf(0).input).toMatchObject([
      { role: 'user' },
      { type: 'function_call' },
      { type: 'function_call_output', output: '(no content)' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }] },
    ]);
    expect(sent()[0]?.headers).not.toHaveProperty('copilot-vision-request');
  });

  it('a stop sequence, a schema, and a probe with one token', async () => {
    expect(messageOf(await stack.messages(gpt('count to 9', { stop_sequences: [', 4'] })))).toMatchObject({
      content: [{ type: 'text', text: '1, 2, 3' }],
      stop_reason: 'stop_sequence',
      stop_sequence: ', 4',
    });
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const format = { type: 'json_schema', schema };
    expect(messageOf(await stack.messages(gpt('is it?', { output_config: { format } }))).content).toEqual([
      { type: 'text', text: '{"ok":true}' },
    ]);
    messageOf(await stack.messages(gpt('quota', { max_tokens: 1 })));
    expect(bodyOf(-1).max_output_tokens).toBe(16);
  });

  it('B9.10 an answer at its token limit', async () => {
    expect(messageOf(await stack.messages(gpt('count to 900', { max_tokens: 16 }))).stop_reason).toBe('max_tokens');
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'max_tokens' }]);
  });

  it('a PDF is refused in words that name a model which reads it', async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
    const messages = [{ role: 'user', content: [{ type: 'document', source }] }];
    const answer = await stack.messages(gpt('', { messages }));
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { type: 'policy_blocked', message: expect.stringMatching(/GPT-5\.4 can’t read PDFs.*claude-/) } },
    ]);
    expect(sent()).toEqual([]);
  });
});

describe('reasoning', () => {
  it('B9.11 is carried over two turns, and only to the model that wrote it', async () => {
    const thinking = { type: 'adaptive' };
    const messages: unknown[] = [];
    for (const model of ['gpt-5.4', 'gpt-5.4', 'gpt-5-mini', 'claude-sonnet-4.6', 'gpt-5.4']) {
      messages.push({ role: 'user', content: 'think about it' });
      const { content } = messageOf(
        await stack.messages(gpt('', { model, thinking, messages, tools: tools.slice(0, 1) })),
      );
      expect([model, content.map(({ type }) => type)]).toEqual([model, ['thinking', 'text']]);
      messages.push({ role: 'assistant', content });
    }
    const reasoning = sent().map(({ body }) =>
      (body as { input: Block[] }).input.filter(({ type }) => type === 'reasoning'),
    );
    // Those of gpt-5.4 come back to gpt-5.4; gpt-5-mini and the Claude get theirs alone.
    expect(reasoning.map((items) => items.length)).toEqual([0, 1, 0, 2]);
    expect(reasoning[1]?.[0]).toEqual({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: expect.stringContaining('I am asked: think about it') }],
      encrypted_content: expect.any(String),
    });
    expect(bodyOf(0).reasoning).toEqual({ effort: 'high', summary: 'auto' });
    expect(stack.simulator.requests.filter(({ status }) => status === 400)).toEqual([]);
  });
});

describe('costs', () => {
  it.each([false, true])('A11.4 copilot_usage of a response (inside: %s)', async (billInside) => {
    quirk({ billInside });
    messageOf(await stack.messages(gpt('hello')));
    const [row] = await stack.rows(1);
    expect(row?.charge).toMatchObject({ kind: 'billed', nanoAiu: expect.any(Number), partial: false });
    expect(row?.charge.nanoAiu).toBeGreaterThan(0);
  });
});

describe('broken answers', () => {
  it.each(['clean', 'destroy'] as const)('EOF (%s) without an end is a cut', async (cut) => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 6, cut });
    const answer = await stack.messages(gpt('hello there', { stream: true }));
    expect(eventsOf(answer.text).map(({ event }) => event)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'error',
    ]);
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cut' }]);
  });

  it('B9.10 a failed response, told with a status while nothing has gone out', async () => {
    const error = { code: 'server_error', message: 'The server had an error.' };
    stack.simulator.script.next({
      kind: 'stream',
      events: [
        { event: 'response.created', data: { type: 'response.created', response: { model: 'gpt-5.4' } } },
        { event: 'response.failed', data: { type: 'response.failed', response: { status: 'failed', error } } },
      ],
    });
    const answer = await stack.messages(gpt('hello', { stream: true }));
    expect([answer.status, answer.json()]).toMatchObject([
      502,
      {
        type: 'error',
        error: {
          type: 'api_error',
          message: 'Copilot broke its answer off with server_error: The server had an error.',
        },
      },
    ]);
    expect(await stack.rows(1)).toMatchObject([
      { outcome: 'failed', charge: { kind: 'none' }, failure: { code: 'server_error' } },
    ]);
  });

  it('a model that goes on writing blank lines is stopped', async () => {
    const event = (type: string, more: Record<string, unknown>) => ({ event: type, data: { type, ...more } });
    const delta = (text: string) => event('response.function_call_arguments.delta', { output_index: 0, delta: text });
    const item = { type: 'function_call', call_id: 'call_1', name: 'Bash', arguments: '' };
    stack.simulator.script.next({
      kind: 'stream',
      events: [
        event('response.output_item.added', { output_index: 0, item }),
        delta('{"command":'),
        ...Array.from({ length: 30 }, () => delta('\n\t')),
      ],
      end: 'open',
    });
    const answer = await stack.messages(gpt('hello', { stream: true }));
    expect(eventsOf(answer.text).at(-1)).toMatchObject({ event: 'error' });
    expect(eventsOf(answer.text).map(({ event: name }) => name)).not.toContain('content_block_stop');
  });
});
