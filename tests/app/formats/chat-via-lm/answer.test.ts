import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChatCollector } from '../../../../app/formats/chat/collector.ts';
import { ChatFromLm, type ChatFromLmOptions } from '../../../../app/formats/chat-via-lm/answer.ts';
import { readLmPart } from '../../../../app/formats/lm/language-model.ts';
import { MessagesCollector } from '../../../../app/formats/messages/collector.ts';
import { MessagesFromChat } from '../../../../app/formats/messages-via-chat/request.ts';
import { ToolNames } from '../../../../app/formats/translation/tool-names.ts';
import { CallPart, DataPart, fakeClasses, TextPart, ThinkingPart } from './fake-classes.ts';

const usage = readFileSync(join(import.meta.dirname, '../../../samples/vscode-lm-usage-with-copilot_usage.json'));
const usagePart = new DataPart(usage, 'usage');
const ended = (tokens: number) =>
  new DataPart(Buffer.from(JSON.stringify({ prompt_tokens: 1, completion_tokens: tokens })), 'usage');

const readTool = { name: 'read', description: '', inputSchema: { type: 'object', required: ['path'] } };

function answered(parts: unknown[], options: Partial<ChatFromLmOptions> = {}, counted: number | null = null): Buffer {
  const writer = new ChatFromLm({
    id: 'chatcmpl_1',
    created: 1,
    model: 'claude-sonnet-4.6',
    stops: [],
    maxTokens: null,
    tools: [readTool],
    ...options,
  });
  const bytes: Buffer[] = [];
  for (const part of parts) {
    const read = readLmPart(part, fakeClasses);
    const written = read === null ? null : writer.part(read);
    if (written !== null) bytes.push(written);
  }
  return Buffer.concat([...bytes, writer.end(counted)]);
}

function whole(bytes: Buffer) {
  const collector = new ChatCollector();
  collector.push(bytes);
  return collector.answer() as { choices: [{ finish_reason: string; message: object }]; [key: string]: unknown };
}

const finish = (bytes: Buffer): string => whole(bytes).choices[0].finish_reason;

describe('an answer of VS Code as a chat stream', () => {
  it('has text, thinking, calls, usage and the bill', () => {
    const answer = whole(
      answered([
        new ThinkingPart(['Hm', '.']),
        new TextPart('Hel'),
        new TextPart('lo'),
        new CallPart('c1', 'read', { path: 'x' }),
        usagePart,
      ]),
    );
    const { copilot_usage: bill, ...counts } = JSON.parse(usage.toString());
    expect(answer).toEqual({
      id: 'chatcmpl_1',
      object: 'chat.completion',
      created: 1,
      model: 'claude-sonnet-4.6',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          logprobs: null,
          message: {
            role: 'assistant',
            content: 'Hello',
            refusal: null,
            reasoning_text: 'Hm.',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
          },
        },
      ],
      usage: counts,
      copilot_usage: bill,
    });
  });

  it('reads as a message, with tokens and credits', () => {
    const reader = new MessagesFromChat({ model: 'sonnet', messageId: 'msg_1', toolNames: new ToolNames() });
    const collector = new MessagesCollector();
    const bytes = reader.push(answered([new TextPart('Hi'), usagePart]));
    collector.push(bytes ?? Buffer.alloc(0));
    expect(collector.message()).toMatchObject({
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 250, output_tokens: 5 },
      copilot_usage: { total_nano_aiu: 137500000 },
    });
    expect(reader.facts.copilotUsage?.totalNanoAiu).toBe(137500000);
  });

  it('says nothing of usage that did not come', () => {
    expect(whole(answered([new TextPart('Hi')]))).not.toHaveProperty('usage');
  });

  it.each([
    ['other data', new DataPart(Buffer.from('{"a":1}'), 'stateful_marker')],
    ['a usage that is no JSON', new DataPart(Buffer.from('{"prompt_'), 'usage')],
    ['a usage that is a list', new DataPart(Buffer.from('[1]'), 'usage')],
    ['data without bytes', { mimeType: 'usage', data: 'text' }],
    ['a prompt element', { value: { node: 1 } }],
    ['a part of tomorrow', { shine: true }],
    ['nothing', undefined],
    ['null', null],
  ])('is not broken by %s', (_what, part) => {
    expect(answered([part, new TextPart('Hi'), part])).toEqual(answered([new TextPart('Hi')]));
  });

  it('gives a call without an object an empty one', () => {
    expect(readLmPart({ callId: 'a', name: 'b', input: null }, fakeClasses)).toEqual({
      kind: 'call',
      id: 'a',
      name: 'b',
      input: {},
    });
  });

  it('is cut at a stop sequence that stands in two parts', () => {
    const bytes = answered([new TextPart('one E'), new TextPart('ND two'), new TextPart('three')], { stops: ['END'] });
    expect(whole(bytes).choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one ' } });
  });

  it('gives back what only began like a stop sequence', () => {
    const bytes = answered([new TextPart('one E')], { stops: ['END'] });
    expect(whole(bytes).choices[0]).toMatchObject({ message: { content: 'one E' } });
  });

  it('of nothing is an answer all the same', () => {
    expect(whole(answered([])).choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } });
  });
});

describe('an answer that was cut at max_tokens', () => {
  const said = new TextPart('words');

  it('is called so where Copilot counted', () => {
    expect(finish(answered([said, ended(100)], { maxTokens: 100 }))).toBe('length');
    expect(finish(answered([said, ended(99)], { maxTokens: 100 }))).toBe('stop');
    expect(finish(answered([said, ended(100)]))).toBe('stop');
  });

  it('is called so where tokens were not counted and nearly all was said', () => {
    expect(finish(answered([said], { maxTokens: 100 }, 80))).toBe('length');
    expect(finish(answered([said], { maxTokens: 100 }, 40))).toBe('stop');
    expect(finish(answered([said], {}, 80))).toBe('stop');
  });

  it('is called so where its last call lost what it needs', () => {
    const call = new CallPart('a', 'read', {});
    expect(finish(answered([call]))).toBe('length');
    expect(finish(answered([call, ended(5)]))).toBe('tool_calls');
    expect(finish(answered([new CallPart('a', 'list', {})]))).toBe('tool_calls');
  });

  it('is counted only where it has to be', () => {
    const writer = (maxTokens: number | null) =>
      new ChatFromLm({ id: '', created: 0, model: '', stops: [], maxTokens, tools: [] });
    const text = { kind: 'text', text: 'Hi' } as const;
    const counted = writer(5);
    counted.part(text);
    counted.part({ kind: 'call', id: 'a', name: 'go', input: { x: 1 } });
    expect(counted.uncounted).toBe('Higo{"x":1}');
    counted.part({ kind: 'usage', usage: {} });
    expect(counted.uncounted).toBeNull();
    const unlimited = writer(null);
    unlimited.part(text);
    expect(unlimited.uncounted).toBeNull();
  });
});
