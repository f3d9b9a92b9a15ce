import { describe, expect, it } from 'vitest';
import { ChatCollector } from '../../../../app/formats/chat/collector.ts';

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 7, model: 'm' };
const collected = (...chunks: unknown[]): unknown => {
  const collector = new ChatCollector();
  for (const chunk of chunks)
    collector.push(
      Buffer.from(`data: ${chunk === '[DONE]' ? chunk : JSON.stringify({ ...head, ...Object(chunk) })}\n\n`),
    );
  return collector.answer();
};
const choice = (index: number, delta: object, more: object = {}) => ({ index, delta, finish_reason: null, ...more });
const end = (index: number, finish_reason: string) => ({ index, delta: {}, finish_reason });

describe('ChatCollector', () => {
  it('several choices, each its own, in their order; probabilities one after the other', () => {
    const token = (text: string) => ({ logprobs: { content: [{ token: text, logprob: -1 }], refusal: null } });
    expect(
      collected(
        { choices: [choice(1, { role: 'assistant', content: 'B' }, token('B'))] },
        {
          choices: [
            choice(0, { role: 'assistant', content: 'A' }, token('A')),
            choice(1, { content: 'b' }, token('b')),
          ],
        },
        { choices: [end(1, 'length')] },
        { choices: [end(0, 'stop')] },
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 } },
        '[DONE]',
      ),
    ).toEqual({
      ...head,
      object: 'chat.completion',
      usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'A', refusal: null },
          finish_reason: 'stop',
          logprobs: { content: [{ token: 'A', logprob: -1 }] },
        },
        {
          index: 1,
          message: { role: 'assistant', content: 'Bb', refusal: null },
          finish_reason: 'length',
          logprobs: {
            content: [
              { token: 'B', logprob: -1 },
              { token: 'b', logprob: -1 },
            ],
          },
        },
      ],
    });
  });

  it('calls in pieces, reasoning, a refusal, and fields of Copilot’s own', () => {
    const call = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
    expect(
      collected(
        { choices: [choice(0, { role: 'assistant', content: null, reasoning_text: 'h' })] },
        { choices: [choice(0, { reasoning_text: 'm', refusal: 'No' })] },
        { choices: [choice(0, call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }))] },
        { choices: [choice(0, call(1, { id: 'b', type: 'function', function: { name: 'g', arguments: '{' } }))] },
        { choices: [choice(0, call(0, { function: { arguments: '{}' } }))] },
        { choices: [choice(0, call(1, { function: { arguments: '}' } }))] },
        { choices: [end(0, 'tool_calls')], usage: null, copilot_usage: { total_nano_aiu: 5 } },
        '[DONE]',
      ),
    ).toMatchObject({
      copilot_usage: { total_nano_aiu: 5 },
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: null,
            refusal: 'No',
            reasoning_text: 'hm',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
              { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
          },
        },
      ],
    });
  });

  it('an index beyond all bounds is an index like any other', () => {
    const call = { index: 4_294_967_290, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(collected({ choices: [choice(4_294_967_290, { tool_calls: [call] })] }, '[DONE]')).toMatchObject({
      choices: [{ index: 4_294_967_290, message: { tool_calls: [{ id: 'a', function: { arguments: '{}' } }] } }],
    });
  });

  it('probabilities that come one by one are not copied with each', () => {
    const chunk = Buffer.from(
      `data: ${JSON.stringify({ ...head, choices: [choice(0, { content: 'a' }, { logprobs: { content: [{}] } })] })}\n\n`,
    );
    const collector = new ChatCollector();
    const began = performance.now();
    for (let n = 0; n < 60_000; n++) collector.push(chunk);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('nothing before the end', () => {
    expect(collected({ choices: [choice(0, { content: 'A' })] })).toBeNull();
  });
});
