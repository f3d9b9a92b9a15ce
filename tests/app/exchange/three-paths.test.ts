import { readdirSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatPath } from '../../../app/copilot/catalog.ts';
import { planMessages } from '../../../app/exchange/plan.ts';
import { type MessagesRequest, readMessagesRequest } from '../../../app/formats/messages/request.ts';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { soundMessages } from './fits/arbitrary-messages.ts';
import { claude } from './fits/claude.ts';
import { sample } from './initiator/claude-code-requests.ts';

/**
 * Every recorded request of Claude Code on its way to each of Copilot's three paths, read back there without the
 * translators under test: the model is told the same, word for word and in the same order.
 */

/** What a model gets to know, whichever path it is told on. */
interface Reported {
  system: string;
  /** `[role, text]`, `['call', id, name, input]`, `['result', id, text]`, `['image', data]`. */
  said: unknown[][];
  tools: unknown[];
  choice: unknown;
  mostTokens: unknown;
  stops: unknown;
}

const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const inner = (value: unknown): JsonObject => (isObject(value) ? value : {});
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => (part.type === 'tool_reference' ? `Tool loaded: ${part.tool_name}` : part.text))
        .filter((text) => text !== undefined)
        .join('\n\n');
const parsed = (json: unknown): unknown => JSON.parse(String(json));
const base64 = (url: unknown): string => String(url).replace(/^data:[^,]*,/, '');

/** Texts of one role that follow each other are one, wherever their borders are. */
function joined(said: unknown[][]): unknown[][] {
  const together: unknown[][] = [];
  for (const each of said) {
    const last = together.at(-1);
    if (each.length === 2 && each[0] !== 'image' && last?.length === 2 && last[0] === each[0])
      last[1] = `${last[1]}\n\n${each[1]}`;
    else together.push([...each]);
  }
  return together;
}

function tool({ name, description }: JsonObject, schema: unknown): unknown {
  const { $schema: _, ...rest } = inner(schema);
  return [name, description ?? null, rest];
}

function onMessages(body: JsonObject): Reported {
  const said = list(body.messages).flatMap(({ role, content }): unknown[][] => {
    if (typeof content === 'string') return [[role, content]];
    return list(content).flatMap((block): unknown[][] => {
      switch (block.type) {
        case 'text':
          return [[role, block.text]];
        case 'image':
          return [['image', inner(block.source).data]];
        case 'tool_use':
          return [['call', block.id, block.name, block.input]];
        case 'tool_result': {
          const images = list(block.content).filter(({ type }) => type === 'image');
          return [
            ['result', block.tool_use_id, textOf(block.content)],
            ...images.map(({ source }) => ['image', inner(source).data]),
          ];
        }
        default:
          return [];
      }
    });
  });
  const referenced = new Set(JSON.stringify(body.messages).match(/(?<="tool_name":")[^"]+/g));
  const choice = inner(body.tool_choice);
  return {
    system: textOf(body.system),
    said: joined(said),
    tools: list(body.tools)
      .filter(({ defer_loading, name }) => defer_loading !== true || referenced.has(String(name)))
      .map((each) => tool(each, each.input_schema)),
    choice: choice.type === 'any' ? 'required' : (choice.name ?? choice.type ?? null),
    mostTokens: body.max_tokens,
    stops: body.stop_sequences ?? [],
  };
}

function onChat(body: JsonObject): Reported {
  const [first, ...rest] = list(body.messages);
  const system = first?.role === 'system' ? textOf(first.content) : '';
  const said = (first?.role === 'system' ? rest : list(body.messages)).flatMap((message): unknown[][] => {
    const { role, content } = message;
    if (role === 'tool') return [['result', message.tool_call_id, textOf(content)]];
    const parts =
      typeof content === 'string'
        ? [[role, content]]
        : list(content).map((part) =>
            part.type === 'image_url' ? ['image', base64(inner(part.image_url).url)] : [role, part.text],
          );
    return [
      ...parts,
      ...list(message.tool_calls).map(({ id, function: call }) => [
        'call',
        id,
        inner(call).name,
        parsed(inner(call).arguments),
      ]),
    ];
  });
  return {
    system,
    said: joined(said),
    tools: list(body.tools).map(({ function: each }) => tool(inner(each), inner(each).parameters)),
    choice: isObject(body.tool_choice) ? inner(body.tool_choice.function).name : (body.tool_choice ?? null),
    mostTokens: body.max_tokens,
    stops: body.stop ?? [],
  };
}

function onResponses(body: JsonObject): Reported {
  const said = list(body.input).flatMap((item): unknown[][] => {
    switch (item.type) {
      case 'message':
        return list(item.content).map((part) =>
          part.type === 'input_image' ? ['image', base64(part.image_url)] : [item.role, part.text],
        );
      case 'function_call':
        return [['call', item.call_id, item.name, parsed(item.arguments)]];
      case 'function_call_output':
        return [['result', item.call_id, item.output]];
      default:
        return [];
    }
  });
  return {
    system: String(body.instructions ?? ''),
    said: joined(said),
    tools: list(body.tools).map((each) => tool(each, each.parameters)),
    choice: isObject(body.tool_choice) ? body.tool_choice.name : (body.tool_choice ?? null),
    mostTokens: body.max_output_tokens,
    // The API has none: they are cut from the answer.
    stops: null,
  };
}

const readers: Record<ChatPath, (body: JsonObject) => Reported> = {
  '/v1/messages': onMessages,
  '/chat/completions': onChat,
  '/responses': onResponses,
};

function reported(request: MessagesRequest, path: ChatPath, headers: IncomingHttpHeaders = {}): Reported {
  const model = claude('claude-sonnet-4.6', { limits: { images: null } });
  const plan = planMessages(request, { model, path, headers, documentModel: null, messageId: 'x' });
  if (!plan.ok) throw new Error(plan.message);
  return readers[path](inner(JSON.parse(plan.body.toString())));
}

function expectTheSame(request: MessagesRequest, headers: IncomingHttpHeaders = {}): void {
  const native = reported(request, '/v1/messages', headers);
  expect(native.said.length).toBeGreaterThan(0);
  expect(reported(request, '/chat/completions', headers)).toEqual(native);
  // That API takes no less than 16 tokens.
  const mostTokens = Math.max(16, Number(native.mostTokens));
  expect(reported(request, '/responses', headers)).toEqual({ ...native, mostTokens, stops: null });
}

const names = readdirSync(new URL('../../samples/', import.meta.url))
  .map((file) => /^claude-code-2\.1\.328-((?:main|subagent|auxiliary).*)\.request\.json$/.exec(file)?.[1] ?? '')
  .filter((name) => name !== '' && !/safeguards|web-search/.test(name));

describe('B9.13 a recorded request of Claude Code says the same on all three paths', () => {
  it('there are recorded requests', () => expect(names.length).toBe(17));

  it.each(names)('%s', (name) => {
    const { headers, body } = sample(name);
    const read = readMessagesRequest(body);
    if (!read.ok) throw new Error(read.message);
    expectTheSame(read.request, headers);
  });
});

it('B9.13 a conversation of any kind says the same on all three paths', () => {
  fc.assert(
    fc.property(soundMessages, (messages) => expectTheSame({ model: 'any', max_tokens: 4000, messages })),
    { numRuns: 300 },
  );
});
