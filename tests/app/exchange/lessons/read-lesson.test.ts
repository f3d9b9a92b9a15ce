import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../../app/copilot/failures.ts';
import { markOf } from '../../../../app/exchange/lessons/lesson.ts';
import { readLesson } from '../../../../app/exchange/lessons/read-lesson.ts';
import type { MessagesRequest } from '../../../../app/formats/messages/request.ts';

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
  readFileSync(new URL(`../../../samples/${name}.json`, import.meta.url), 'utf8');
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
