import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../../../app/copilot/failures.ts';
import { readCatalog } from '../../../../../app/copilot/model-entry.ts';
import { withoutRefused } from '../../../../../app/exchange/clients/openai-fields.ts';
import { markOf } from '../../../../../app/exchange/features/lessons/lessons.ts';
import { readLesson, readOpenaiLesson } from '../../../../../app/exchange/features/lessons/read-lesson.ts';
import { type Learned, type OptionalParameter, optionalParameters } from '../../../../../app/exchange/fits/fit.ts';
import type { MessagesRequest } from '../../../../../app/formats/messages/request.ts';
import type { JsonObject } from '../../../../../app/formats/wire/json.ts';
import { defaultModels } from '../../../../../app/simulator/plans.ts';

const request: MessagesRequest = {
  model: 'claude-sonnet-4.6',
  stop_sequences: ['END'],
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'Be brief.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'sig' },
        { type: 'redacted_thinking', data: 'secret' },
        { type: 'text', text: 'Hello' },
      ],
    },
  ],
};
const sample = (name: string): string =>
  readFileSync(new URL(`../../../../samples/${name}.json`, import.meta.url), 'utf8');
const read = (body: string, status = 400, asked = request) => readLesson(readFailure(status, {}, body), asked);

describe('a recorded refusal', () => {
  it.each([
    ['error-400-context_management-extra-inputs', { kind: 'field', field: 'context_management' }],
    ['error-400-thinking-signature', { kind: 'thinking', marks: [markOf('sig'), markOf('secret')] }],
    ['error-400-mid-conversation-system-role', { kind: 'system-messages' }],
    ['error-400-invalid_reasoning_effort', { kind: 'efforts', listed: expect.any(Array) }],
    ['error-400-max_tokens-exceeds', { kind: 'output-tokens', most: expect.any(Number) }],
    ['error-400-model_max_prompt_tokens_exceeded', null],
    ['error-400-cache_control-scope', null],
  ])('%s', (name, lesson) => {
    expect(read(sample(name))).toEqual(lesson);
  });
});

describe('the words of a refusal', () => {
  it.each([
    ['tools.0.custom.strict: Extra inputs are not permitted', { kind: 'field', field: 'tools.strict' }],
    ['thinking.adaptive.display: Extra inputs are not permitted', { kind: 'field', field: 'thinking.display' }],
    ['messages.3.output_config: Extra inputs are not permitted', { kind: 'field', field: 'messages.output_config' }],
    ['output_config: Extra inputs are not permitted', { kind: 'field', field: 'output_config' }],
    ['output_config.task_budget: Extra inputs are not permitted', null],
    ['messages.0.content: Extra inputs are not permitted', null],
    ['max_tokens: 64000 > 32000, which is the maximum allowed', { kind: 'output-tokens', most: 32_000 }],
    ["Tool reference 'Jira' not found in available tools", { kind: 'tool', name: 'Jira' }],
    ["Unsupported parameter: 'stop' is not supported with this model.", { kind: 'stop' }],
    ['Something else', null],
  ])('%s', (message, lesson) => {
    expect(read(JSON.stringify({ message }))).toEqual(lesson);
  });

  it('says nothing about what the request does not have', () => {
    const bare: MessagesRequest = { model: 'any', messages: [{ role: 'user', content: 'hi' }] };
    expect(read(sample('error-400-thinking-signature'), 400, bare)).toBeNull();
    expect(read(sample('error-400-mid-conversation-system-role'), 400, bare)).toBeNull();
    expect(read(JSON.stringify({ message: "'stop' is not supported" }), 400, bare)).toBeNull();
  });

  it('teaches nothing with another status', () => {
    expect(read(sample('error-400-context_management-extra-inputs'), 500)).toBeNull();
  });
});

const readOpenai = (message: string, body: JsonObject = {}, status = 400) =>
  readOpenaiLesson(readFailure(status, {}, JSON.stringify({ error: { message, code: 'x' } })), body);

describe('what a refusal of an OpenAI request teaches', () => {
  const parameter = (name: OptionalParameter) => ({ kind: 'parameter', name });
  it.each([
    ["Unsupported parameter: 'temperature' is not supported with this model.", parameter('temperature')],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      parameter('max_tokens'),
    ],
    [
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      parameter('temperature'),
    ],
    ["Unknown parameter: 'tools[2].strict'.", parameter('tools.strict')],
    ['Unrecognized request argument supplied: verbosity', parameter('verbosity')],
    ["Hosted tool 'web_search_preview' is not supported with gpt-x.", parameter('tools.web_search')],
    ['The use of the web search tool is not supported.', parameter('tools.web_search')],
    ['tools.0.custom.strict: Extra inputs are not permitted', parameter('tools.strict')],
    [
      'reasoning_effort "max" is not supported by model x; supported values: [low medium]',
      { kind: 'efforts', listed: ['low', 'medium'] },
    ],
    ['The maximum tokens you requested exceeds the model limit of 500', { kind: 'output-tokens', most: 500 }],
  ])('%s', (message, lesson) => {
    expect(readOpenai(message)).toEqual(lesson);
  });

  it.each([
    "Unsupported parameter: 'stop' is not supported with this model.",
    "Unsupported parameter: 'seed' is not supported with this model.",
    "Invalid value for 'tools[4].type': expected 'function'.",
    'The following tools cannot be used with reasoning.effort minimal: web_search.',
    'Something else',
  ])('nothing that may be left out: %s', (message) => {
    expect(readOpenai(message)).toBeNull();
  });

  it('only a 400 of Copilot’s teaches', () => {
    expect(readOpenai("Unknown parameter: 'truncation'.", {}, 422)).toBeNull();
  });

  it('reasoning that cannot be read: all of the request’s, as marks', () => {
    const reasoning = (encrypted_content: string) => ({ type: 'reasoning', encrypted_content });
    const input = [reasoning('one'), { type: 'message' }, reasoning('two')];
    const message = 'The encrypted content for item rs_1 could not be verified.';
    expect(readOpenai(message, { input })).toEqual({ kind: 'thinking', marks: [markOf('one'), markOf('two')] });
    expect(readOpenai(message, { input: 'hi' })).toBeNull();
  });
});

describe('leaving out what was refused', () => {
  const [model] = readCatalog({ data: defaultModels() });
  if (model === undefined) throw new Error('There is no model.');
  const learned = (...refused: OptionalParameter[]): Learned => ({
    model,
    refusedFields: new Set(),
    unknownFields: new Set(),
    refusedParameters: new Set(refused),
    refusesSystemMessages: false,
    refusesStop: false,
    refusesThinking: (proof) => proof === 'lost',
    refusesDeferred: () => false,
  });
  const out = (body: JsonObject, ...refused: OptionalParameter[]) => withoutRefused(body, learned(...refused));

  it('a body that has none of it is the very same', () => {
    const body = { model: 'm', tools: [{ type: 'function', name: 'f', strict: false }], input: [] };
    expect(out(body, ...optionalParameters)).toEqual({ body, notes: [] });
    expect(out(body, ...optionalParameters).body).toBe(body);
    expect(withoutRefused(body, null).body).toBe(body);
  });

  it.each<[OptionalParameter, JsonObject, JsonObject]>([
    ['temperature', { a: 1, temperature: 0 }, { a: 1 }],
    ['text.verbosity', { text: { verbosity: 'low', format: 1 } }, { text: { format: 1 } }],
    ['reasoning.summary', { reasoning: { summary: 'auto' }, b: 2 }, { b: 2 }],
    ['max_tokens', { max_tokens: 7 }, { max_completion_tokens: 7 }],
    ['tools.strict', { tools: [{ name: 'f', strict: true }, 1] }, { tools: [{ name: 'f', strict: false }, 1] }],
    ['tools.web_search', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' }, a: 1 }, { a: 1 }],
    [
      'tools.web_search',
      { tools: [{ type: 'web_search_preview' }, { name: 'f' }], tool_choice: 'auto' },
      { tools: [{ name: 'f' }], tool_choice: 'auto' },
    ],
    [
      'tools.function.strict',
      { tools: [{ function: { name: 'f', strict: true } }] },
      { tools: [{ function: { name: 'f' } }] },
    ],
  ])('%s', (parameter, body, expected) => {
    const before = structuredClone(body);
    const { body: fitted, notes } = out(body, parameter);
    expect([fitted, body]).toEqual([expected, before]);
    expect(notes).toHaveLength(1);
  });

  it('reasoning that can’t be decrypted', () => {
    const item = (encrypted_content: string) => ({ type: 'reasoning', encrypted_content });
    expect(out({ input: [item('lost'), item('kept'), item('lost')] })).toEqual({
      body: { input: [item('kept')] },
      notes: [{ code: 'refused-thinking-removed', count: 2, text: 'reasoning removed ×2' }],
    });
  });
});
