import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../../app/copilot/failures.ts';
import { readCatalog } from '../../../../app/copilot/read-catalog.ts';
import { withoutRefused } from '../../../../app/exchange/clients/openai/parameters.ts';
import type { Learned } from '../../../../app/exchange/fits/learned.ts';
import { type OptionalParameter, optionalParameters } from '../../../../app/exchange/fits/optional-parameters.ts';
import { markOf } from '../../../../app/exchange/lessons/lesson.ts';
import { readOpenaiLesson } from '../../../../app/exchange/lessons/read-openai-lesson.ts';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { defaultModels } from '../../../../app/simulator/default-models.ts';

const read = (message: string, body: JsonObject = {}, status = 400) =>
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
    expect(read(message)).toEqual(lesson);
  });

  it.each([
    "Unsupported parameter: 'stop' is not supported with this model.",
    "Unsupported parameter: 'seed' is not supported with this model.",
    "Invalid value for 'tools[4].type': expected 'function'.",
    'The following tools cannot be used with reasoning.effort minimal: web_search.',
    'Something else',
  ])('nothing that may be left out: %s', (message) => {
    expect(read(message)).toBeNull();
  });

  it('only a 400 of Copilot’s teaches', () => {
    expect(read("Unknown parameter: 'truncation'.", {}, 422)).toBeNull();
  });

  it('reasoning that cannot be read: all of the request’s, as marks', () => {
    const reasoning = (encrypted_content: string) => ({ type: 'reasoning', encrypted_content });
    const input = [reasoning('one'), { type: 'message' }, reasoning('two')];
    const message = 'The encrypted content for item rs_1 could not be verified.';
    expect(read(message, { input })).toEqual({ kind: 'thinking', marks: [markOf('one'), markOf('two')] });
    expect(read(message, { input: 'hi' })).toBeNull();
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
