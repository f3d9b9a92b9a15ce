import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MessagesRelay } from '../../../app/formats/messages/relay.ts';
import type { Block, Message } from '../../../app/formats/messages/request.ts';
import { messagesToChat } from '../../../app/formats/messages-via-chat/request.ts';
import { ClientToolCalls, plainFunctions } from '../../../app/formats/responses/client-tools.ts';
import { ResponsesCollector } from '../../../app/formats/responses/relay.ts';
import { ResponsesFromMessages } from '../../../app/formats/responses-via-messages/answer.ts';
import { responsesToMessages } from '../../../app/formats/responses-via-messages/request.ts';
import { encryptedRedacted, encryptedThinking } from '../../../app/formats/translation/reasoning.ts';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { asJson, pieces } from './conversations.ts';
import { responseEventsIn, responsesDisorder } from './responses-order.ts';
import { cutAt, sse, through } from './stream.ts';

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const signature = fc.base64String({ minLength: 4, maxLength: 40 });
const input = fc
  .dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));

const functionTool = { type: 'function', name: 'Bash', parameters: { type: 'object', properties: {} } };
const tools = [
  functionTool,
  { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
  { type: 'namespace', name: 'agents', tools: [{ ...functionTool, name: 'spawn' }] },
];

/** One call with its result; `custom` ones carry a text. */
const call = fc.oneof(
  fc.record({ args: input, output: words }).map(({ args, output }) => ({
    call: { type: 'function_call', name: 'Bash', arguments: JSON.stringify(args) },
    output: { type: 'function_call_output', output },
  })),
  fc.record({ args: input, output: words }).map(({ args, output }) => ({
    call: { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: JSON.stringify(args) },
    output: { type: 'function_call_output', output },
  })),
  fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 20 }), output: words }).map(({ text, output }) => ({
    call: { type: 'custom_tool_call', name: 'apply_patch', input: text },
    output: { type: 'custom_tool_call_output', output },
  })),
);

const turn = fc.record({
  ask: words,
  thoughts: fc.array(fc.oneof(fc.tuple(words, signature), signature), { maxLength: 2 }),
  say: fc.option(words),
  calls: fc.array(call, { maxLength: 3 }),
});

/** Items as a client has them, turn by turn: what the user says, what the model answers, what comes of its calls. */
const conversation = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) =>
  turns.map(({ ask, thoughts, say, calls }, at) => {
    const answered = [
      ...(say === null ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: say }] }]),
      ...calls.map((each, n) => ({ ...each.call, call_id: `call_${at}_${n}` })),
    ];
    // A thought that led to nothing is not saved.
    const thought = answered.length === 0 ? [] : thoughts.map(reasoningItem);
    return {
      asked: { type: 'message', role: 'user', content: [{ type: 'input_text', text: ask }] },
      answer: [...thought, ...answered] as JsonObject[],
      results: calls.map((each, n) => ({ ...each.output, call_id: `call_${at}_${n}` })),
    };
  }),
);

function reasoningItem(thought: string | [string, string]): JsonObject {
  return typeof thought === 'string'
    ? { type: 'reasoning', summary: [], encrypted_content: encryptedRedacted(thought) }
    : {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: thought[0] }],
        encrypted_content: encryptedThinking(thought[0], thought[1], true),
      };
}

function translated(items: unknown[]) {
  const plain = plainFunctions({ model: 'm', tools, input: items });
  const mapped = responsesToMessages(plain.body);
  if (!mapped.ok) throw new Error(`${mapped.field}: ${mapped.message}`);
  return { ...mapped, tools: plain.tools };
}

/** An assistant's message as an upstream would stream it. */
function streamed({ content }: Message, step: number): Buffer {
  const blocks: readonly Block[] = typeof content === 'string' ? [] : content;
  return Buffer.from(
    sse(
      { type: 'message_start', message: { model: 'up', usage: { input_tokens: 1 } } },
      ...blocks.flatMap((block, index): JsonObject[] => {
        const delta = (delta: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta });
        const inside = {
          text: () => pieces(String(block.text), step).map((text) => delta({ type: 'text_delta', text })),
          thinking: () => [
            ...pieces(String(block.thinking), step).map((thinking) => delta({ type: 'thinking_delta', thinking })),
            delta({ type: 'signature_delta', signature: block.signature }),
          ],
          tool_use: () =>
            pieces(JSON.stringify(block.input), step).map((json) =>
              delta({ type: 'input_json_delta', partial_json: json }),
            ),
          redacted_thinking: () => [],
        }[block.type];
        const empty = { text: '', thinking: '', signature: '', input: {} };
        const begun = Object.fromEntries(
          Object.entries(block).map(([key, value]) => [key, Object.hasOwn(empty, key) ? Object(empty)[key] : value]),
        );
        return [
          { type: 'content_block_start', index, content_block: begun },
          ...(inside?.() ?? []),
          { type: 'content_block_stop', index },
        ];
      }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ),
  );
}

/** What an item says, without what the wire adds. */
function said(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { id: _id, status: _status, content, ...rest } = item;
  return Array.isArray(content) ? { ...rest, content: content.map(({ type, text }) => ({ type, text })) } : rest;
}

it('B9.13 what a model answered: Responses → Messages → Responses is the same, custom tools and namespaces too', () => {
  fc.assert(
    fc.property(conversation, fc.array(fc.nat(5000)), fc.integer({ min: 1, max: 9 }), (turns, places, step) => {
      for (const { asked, answer } of turns) {
        if (answer.length === 0) continue;
        const { request, tools: clientTools } = translated([asked, ...answer]);
        const message = request.messages.at(-1);
        if (message === undefined) throw new Error('There is no message.');
        const head = { id: 'resp_1', model: 'm' };
        const reader = new ClientToolCalls(
          new ResponsesFromMessages(new MessagesRelay({ model: 'm' }), { head, summary: true }),
          clientTools,
        );
        const written = through(reader, ...cutAt(streamed(message, step), places));
        const collector = new ResponsesCollector();
        collector.push(written);
        const output = collector.answer()?.output;
        expect(asJson(Array.isArray(output) ? output.map(said) : output)).toEqual(asJson(answer));
        const events = responseEventsIn(written);
        // Pieces of a custom tool's input are joined, which leaves gaps in the numbers and no disorder.
        expect(responsesDisorder(events.map((event, n) => ({ ...event, sequence_number: n })))).toBeNull();
        const numbers = events.map(({ sequence_number: number }) => Number(number));
        expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      }
    }),
  );
});

it('B9.13 a whole conversation: Responses → Messages keeps thoughts, texts, calls, results and their order', () => {
  fc.assert(
    fc.property(conversation, (turns) => {
      const items = turns.flatMap(({ asked, answer, results }) => [asked, ...answer, ...results]);
      const { request } = translated(items);
      expect(asJson(request.messages.flatMap(meant))).toEqual(asJson(items.map(meaning)));
    }),
  );
});

it('B9.13 and on to Chat Completions: texts, calls, results and their order', () => {
  fc.assert(
    fc.property(conversation, (turns) => {
      const items = turns.flatMap(({ asked, answer, results }) => [asked, ...answer, ...results]);
      const chat = messagesToChat(translated(items).request, { claude: false });
      if (!chat.ok) throw new Error(chat.message);
      const received = chat.body.messages.flatMap((message): unknown[] => {
        if (message.role === 'tool') return [['result', message.tool_call_id, message.content]];
        const text = typeof message.content === 'string' ? [[message.role, message.content]] : [];
        const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
        return [...text, ...calls.map(({ id, function: f }) => ['call', id, f.name, JSON.parse(f.arguments)])];
      });
      expect(asJson(received)).toEqual(asJson(items.map(meaning).filter(([kind]) => kind !== 'thought')));
    }),
  );
});

/** What a Messages block says. */
function meant({ role, content }: Message): unknown[][] {
  return (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block: Block) => {
    if (block.type === 'tool_use') return ['call', block.id, block.name, block.input];
    if (block.type === 'tool_result') return ['result', block.tool_use_id, textOf(block.content)];
    if (block.type === 'thinking') return ['thought', block.thinking, block.signature];
    if (block.type === 'redacted_thinking') return ['thought', block.data];
    return [role, block.text];
  });
}

/** The same of a Responses item, read back without the translator under test. */
function meaning(item: JsonObject): unknown[] {
  switch (item.type) {
    case 'function_call': {
      const name = item.namespace === undefined ? item.name : `${String(item.namespace)}__${String(item.name)}`;
      return ['call', item.call_id, name, JSON.parse(String(item.arguments))];
    }
    case 'custom_tool_call':
      return ['call', item.call_id, item.name, { input: item.input }];
    case 'reasoning': {
      const [, kind, rest] = /^jumpseat-(thinking|redacted):(.*)$/s.exec(String(item.encrypted_content)) ?? [];
      return kind === 'redacted' ? ['thought', rest] : ['thought', textOf(item.summary), rest];
    }
    case 'message':
      return [item.role, textOf(item.content)];
    default:
      return ['result', item.call_id, item.output];
  }
}

function textOf(parts: unknown): string {
  return Array.isArray(parts) ? parts.map((part) => (isObject(part) ? String(part.text) : '')).join('') : String(parts);
}
