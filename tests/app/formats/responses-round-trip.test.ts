import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MessagesCollector } from '../../../app/formats/messages/collector.ts';
import type { Block, Message } from '../../../app/formats/messages/request.ts';
import { MessagesFromResponses, messagesToResponses } from '../../../app/formats/messages-via-responses/request.ts';
import type { ResponsesItem } from '../../../app/formats/responses/request.ts';
import { responsesSignature } from '../../../app/formats/translation/reasoning.ts';
import type { ToolNames } from '../../../app/formats/translation/tool-names.ts';
import { asJson, conversations, pieces } from './conversations.ts';
import { cutAt, responsesSse, through } from './stream.ts';

const model = 'gpt-5.4';
const conversation = conversations((thought) => responsesSignature(thought, model));

/** What an item says, read back without the translator under test. */
function said(item: ResponsesItem, names: ToolNames): unknown[] {
  switch (item.type) {
    case 'message':
      return item.content.map((part) => [item.role, 'text' in part ? part.text : part.image_url]);
    case 'reasoning':
      return [
        [
          'thought',
          item.summary.map(({ text }) => text).join('\n\n'),
          responsesSignature(item.encrypted_content, model),
        ],
      ];
    case 'function_call':
      return [['call', item.call_id, names.original(item.name), JSON.parse(item.arguments)]];
    case 'function_call_output':
      return [['result', item.call_id, item.output]];
  }
}
function meant({ role, content }: Message): unknown[] {
  return (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block: Block) => {
    if (block.type === 'tool_use') return ['call', block.id, block.name, block.input];
    if (block.type === 'tool_result') return ['result', block.tool_use_id, block.content];
    if (block.type === 'thinking') return ['thought', block.thinking, block.signature];
    return [role, block.text];
  });
}

function translated(messages: Message[]) {
  const result = messagesToResponses({ model, messages });
  if (!result.ok) throw new Error(result.message);
  return result;
}

it('B9.13 Messages → Responses keeps thoughts, text, calls, results and their order', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const { body, toolNames } = translated(messages);
      expect(body.input.flatMap((item) => said(item, toolNames))).toEqual(messages.flatMap(meant));
    }),
  );
});

it('B9.13 B9.9 an assistant’s message → Responses → Messages is the same message', () => {
  fc.assert(
    fc.property(conversation, fc.array(fc.nat(5000)), fc.integer({ min: 1, max: 9 }), (messages, places, step) => {
      for (const message of messages.filter(({ role }) => role === 'assistant')) {
        const { body, toolNames } = translated([message]);
        const bytes = Buffer.from(streamed(body.input, step));
        const reader = new MessagesFromResponses({ model, servedModel: model, messageId: 'msg_1', toolNames });
        const collector = new MessagesCollector();
        collector.push(through(reader, ...cutAt(bytes, places)));
        expect(collector.problem()).toBeNull();
        expect(asJson(collector.message()?.content)).toEqual(message.content);
      }
    }),
  );
});

/** As an upstream would stream the items: each announced, in pieces, and whole again. */
function streamed(items: ResponsesItem[], step: number): string {
  return responsesSse(
    ...items.flatMap((item, output_index) => {
      const done = { type: 'response.output_item.done', output_index, item: { ...item } };
      const deltas = (type: string, text: string) =>
        pieces(text, step).map((delta) => ({ type: `response.${type}.delta`, output_index, delta }));
      if (item.type === 'function_call') {
        const added = { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } };
        return [added, ...deltas('function_call_arguments', item.arguments), done];
      }
      if (item.type === 'reasoning')
        return [...deltas('reasoning_summary_text', item.summary.map(({ text }) => text).join('')), done];
      if (item.type === 'message')
        return [...item.content.flatMap((part) => ('text' in part ? deltas('output_text', part.text) : [])), done];
      return [];
    }),
    { type: 'response.completed', response: { status: 'completed' } },
  );
}
