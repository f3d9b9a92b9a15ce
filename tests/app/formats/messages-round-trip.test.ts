import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChatMessage } from '../../../app/formats/chat/request.ts';
import { MessagesCollector } from '../../../app/formats/messages/collector.ts';
import type { Block, Message } from '../../../app/formats/messages/request.ts';
import { MessagesFromChat } from '../../../app/formats/messages-via-chat/answer.ts';
import { messagesToChat } from '../../../app/formats/messages-via-chat/request.ts';
import type { ToolNames } from '../../../app/formats/translation/tool-names.ts';
import { asJson, conversations, pieces } from './conversations.ts';
import { chatSse, cutAt, through } from './stream.ts';

const conversation = conversations();

/** What a chat message says, read back without the translator under test. */
function said(message: ChatMessage, names: ToolNames): unknown[] {
  if (message.role === 'tool') return [['result', message.tool_call_id, message.content]];
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    ...(message.content === null ? [] : [[message.role, message.content]]),
    ...calls.map((call) => ['call', call.id, names.original(call.function.name), JSON.parse(call.function.arguments)]),
  ];
}
function meant({ role, content }: Message): unknown[] {
  return (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block: Block) => {
    if (block.type === 'tool_use') return ['call', block.id, block.name, block.input];
    if (block.type === 'tool_result') return ['result', block.tool_use_id, block.content];
    return [role, block.text];
  });
}

it('B9.13 Messages → chat keeps text, calls, results and their order', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      const result = messagesToChat({ model: 'm', messages }, { claude: false });
      if (!result.ok) throw new Error(result.message);
      expect(result.body.messages.flatMap((message) => said(message, result.toolNames))).toEqual(
        messages.flatMap(meant),
      );
    }),
  );
});

it('B9.13 an assistant’s message → chat → Messages is the same message', () => {
  fc.assert(
    fc.property(conversation, fc.array(fc.nat(3000)), fc.integer({ min: 1, max: 9 }), (messages, places, step) => {
      const result = messagesToChat({ model: 'm', messages }, { claude: false });
      if (!result.ok) throw new Error(result.message);
      const sent = result.body.messages.filter((message) => message.role === 'assistant');
      const before = messages.filter((message) => message.role === 'assistant');
      expect(sent.length).toBe(before.length);
      for (const [at, message] of sent.entries()) {
        const bytes = Buffer.from(streamed(message, step));
        const reader = new MessagesFromChat({ model: 'm', messageId: 'msg_1', toolNames: result.toolNames });
        const collector = new MessagesCollector();
        collector.push(through(reader, ...cutAt(bytes, places)));
        expect(collector.problem()).toBeNull();
        expect(asJson(collector.message()?.content)).toEqual(before[at]?.content);
      }
    }),
  );
});

/** As an upstream would stream the message: in pieces, a call's name first. */
function streamed(message: ChatMessage, step: number): string {
  if (message.role !== 'assistant') return '';
  const delta = (fields: { [key: string]: unknown }) => ({ choices: [{ index: 0, delta: fields }] });
  return chatSse(
    ...pieces(message.content ?? '', step).map((content) => delta({ content })),
    ...(message.tool_calls ?? []).flatMap((call, index) => [
      delta({
        tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } }],
      }),
      ...pieces(call.function.arguments, step).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    { choices: [{ index: 0, delta: {}, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }] },
    '[DONE]',
  );
}
