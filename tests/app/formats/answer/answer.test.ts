import { describe, expect, it } from 'vitest';
import { type CopilotUsage, readCopilotUsage } from '../../../../app/formats/answer/answer.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { sampleJson } from '../sample.ts';

describe('Copilot’s bill', () => {
  function billOf(name: string): unknown {
    const whole = sampleJson(name);
    return isObject(whole) ? whole.copilot_usage : undefined;
  }

  const sumOf = ({ details }: CopilotUsage): number =>
    details.reduce((sum, { count, costPerBatch, batchSize }) => sum + (count * costPerBatch) / batchSize, 0);

  it('A11.7 reads a real bill, whose details make up its total', () => {
    const usage = readCopilotUsage(billOf('messages-native-opus48-with-copilot_usage.response.json'));
    expect(usage).toEqual({
      totalNanoAiu: 290_550_000,
      details: [
        { type: 'input', count: 9, costPerBatch: 500e9, batchSize: 1e6 },
        { type: 'cache_read', count: 5071, costPerBatch: 50e9, batchSize: 1e6 },
        { type: 'cache_write', count: 0, costPerBatch: 625e9, batchSize: 1e6 },
        { type: 'output', count: 13, costPerBatch: 2500e9, batchSize: 1e6 },
      ],
    });
    expect(usage && sumOf(usage)).toBe(290_550_000);
  });

  it('A11.7 a bill that does not add up shows it', () => {
    const detail = { token_type: 'input', token_count: 2, cost_per_batch: 10, batch_size: 1 };
    const usage = readCopilotUsage({ total_nano_aiu: 21, token_details: [detail, { token_type: 'broken' }, 'x'] });
    expect(usage && [usage.totalNanoAiu, usage.details.length, sumOf(usage)]).toEqual([21, 1, 20]);
  });

  it.each([undefined, null, {}, { total_nano_aiu: '7' }, []])(
    'A11.5 %j is no bill, which is not a bill of 0',
    (value) => {
      expect(readCopilotUsage(value)).toBeNull();
    },
  );
});
