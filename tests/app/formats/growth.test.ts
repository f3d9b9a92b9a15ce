import { describe, expect, it } from 'vitest';
import { chatToMessages } from '../../../app/formats/chat-via-messages/request.ts';
import { MessagesCollector } from '../../../app/formats/messages/collector.ts';
import { MessagesFromChat } from '../../../app/formats/messages-via-chat/answer.ts';
import { MessagesFromResponses } from '../../../app/formats/messages-via-responses/answer.ts';
import { responsesToMessages } from '../../../app/formats/responses-via-messages/request.ts';
import { ToolNames } from '../../../app/formats/translation/tool-names.ts';
import type { JsonObject } from '../../../app/formats/wire/json.ts';
import { chatSse, responsesSse, through } from './stream.ts';

/** Each of these took minutes where the work grew with the square of what came. */
const withinMs = 15_000;
const many = 80_000;

function took(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const numbers = Array.from({ length: many }, (_, n) => n);
const options = { model: 'm', messageId: 'msg_1', toolNames: new ToolNames() };

describe('work grows no faster than its input', { timeout: 60_000 }, () => {
  const call = (id: string, index: number, json: string): JsonObject => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, id, function: { name: 'f', arguments: json } }] } }],
  });
  const end: JsonObject = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };

  it('calls of a chat stream, each with an id', () => {
    const text = chatSse(...numbers.map((n) => call(`c${n}`, n, '{}')), end, '[DONE]');
    const reader = new MessagesFromChat(options);
    expect(took(() => through(reader, text))).toBeLessThan(withinMs);
    expect(reader.facts.ended).toBe(true);
  });

  it('pieces of a call that another one follows', () => {
    const pieces = numbers.map(() => call('a', 0, '}'));
    const text = chatSse(call('a', 0, '{"x":"'), call('b', 1, '{}'), ...pieces, call('a', 0, '"}'), end, '[DONE]');
    const reader = new MessagesFromChat(options);
    expect(took(() => through(reader, text))).toBeLessThan(withinMs);
    expect(reader.facts.ended).toBe(true);
  });

  it('items of a Responses stream, and all of them once more at its end', () => {
    const item = (n: number): JsonObject => ({ type: 'function_call', call_id: `c${n}`, name: 'f', arguments: '{}' });
    const text = responsesSse(
      ...numbers.map((n) => ({ type: 'response.output_item.done', output_index: n, item: item(n) })),
      { type: 'response.completed', response: { status: 'completed', output: numbers.map(item) } },
    );
    const reader = new MessagesFromResponses({ ...options, servedModel: 'm' });
    expect(took(() => through(reader, text))).toBeLessThan(withinMs);
    expect(reader.facts.ended).toBe(true);
  });

  it('citations of a block that is collected', () => {
    const event = (data: JsonObject): Buffer => Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    const collector = new MessagesCollector();
    const citation = { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } };
    const work = (): void => {
      collector.push(event({ type: 'message_start', message: {} }));
      collector.push(event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }));
      for (const _ of numbers) collector.push(event(citation));
      collector.push(event({ type: 'content_block_stop', index: 0 }));
      collector.push(event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }));
      collector.push(event({ type: 'message_stop' }));
    };
    expect(took(work)).toBeLessThan(withinMs);
    expect(collector.message()?.content[0]).toMatchObject({ citations: { length: many } });
  });

  it('results in a row of a chat client, parts of one message, and texts of one system', () => {
    const messages: JsonObject[] = [
      { role: 'system', content: numbers.map(() => ({ type: 'text', text: 's' })) },
      { role: 'assistant', content: numbers.map(() => ({ type: 'text', text: 'a' })) },
      ...numbers.map((n) => ({ role: 'tool', tool_call_id: `c${n}`, content: 'r' })),
    ];
    const twice = { model: 'm', messages: [...messages, ...messages] };
    let read: ReturnType<typeof chatToMessages> | null = null;
    const work = (): void => {
      read = chatToMessages(twice, { onward: 'messages' });
    };
    expect(took(work)).toBeLessThan(withinMs);
    expect(read).toMatchObject({ ok: true, request: { messages: { length: 5 } } });
  });

  it('outputs in a row of a Responses client', () => {
    const input = numbers.map((n) => ({ type: 'function_call_output', call_id: `c${n}`, output: 'r' }));
    let read: ReturnType<typeof responsesToMessages> | null = null;
    const work = (): void => {
      read = responsesToMessages({ model: 'm', input });
    };
    expect(took(work)).toBeLessThan(withinMs);
    expect(read).toMatchObject({ ok: true, request: { messages: [{ content: { length: many } }] } });
  });
});
