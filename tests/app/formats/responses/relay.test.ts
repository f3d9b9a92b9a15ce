import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../app/formats/answer/answer.ts';
import { readResponsesUsage } from '../../../../app/formats/responses/relay.ts';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';

describe('tokens of a response', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['plain', { input_tokens: 14, output_tokens: 3 }, { input: 14, output: 3 }],
    [
      'cached, and reasoning that is in the output',
      {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 30 },
      },
      { input: 40, cacheRead: 60, output: 40 },
    ],
    [
      'written to the cache',
      { input_tokens: 100, input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } },
      { input: 10, cacheRead: 60, cacheWrite: 30 },
    ],
    [
      'more cached than there was',
      { input_tokens: 1, input_tokens_details: { cached_tokens: 2 } },
      { input: 0, cacheRead: 2 },
    ],
    ['nothing', {}, {}],
    ['nonsense', { input_tokens: 'x', input_tokens_details: null, output_tokens: null }, {}],
  ])('%s', (_, usage, expected) => {
    const into = noFacts().usage;
    readResponsesUsage(usage, into);
    expect(into).toEqual({ ...noFacts().usage, ...expected });
  });
});
