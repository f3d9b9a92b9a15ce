import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../app/formats/wire/json.ts';
import { findModel } from '../../../app/simulator/catalog.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { sample } from './sample.ts';

const models = defaultModels() as JsonObject[];

/** The fields of an object, deep, without billing and values. */
function fields(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, one]) => (key === 'billing' ? [] : fields(one, `${path}.${key}`)));
}

describe('default catalog', () => {
  it.each([
    'claude-sonnet-4.6',
    'claude-haiku-4.5',
    'gpt-5.4',
    'gpt-5-mini',
    'gpt-4.1',
    'gemini-3.1-pro-preview',
    'text-embedding-3-small',
  ])('%s has the fields of the recorded object', (id) => {
    const ours = models.find((model) => model.id === id);
    const withoutNewer = fields(ours).filter((field) => field !== '.model_picker_price_category');
    expect(withoutNewer.sort()).toEqual(fields(sample(`model-${id}.json`)).sort());
    const recorded = sample(`model-${id}.json`) as JsonObject;
    expect(ours?.supported_endpoints).toEqual(recorded.supported_endpoints);
  });

  it('offers what the tests and the demo count on', () => {
    const facts = models.map((model) => {
      const read = findModel(models, String(model.id));
      return [read?.id, read?.enabled, read?.endpoints.includes('/v1/messages')];
    });
    expect(facts).toEqual([
      ['claude-opus-4.8', true, true],
      ['claude-opus-4.6', true, true],
      ['claude-opus-4.5', false, true],
      ['claude-sonnet-4.6', true, true],
      ['claude-sonnet-4.5', true, true],
      ['claude-haiku-4.5', true, true],
      ['gpt-5.4', true, false],
      ['gpt-5-mini', true, false],
      ['gpt-4.1', true, false],
      ['gemini-3.1-pro-preview', true, false],
      ['text-embedding-3-small', true, false],
    ]);
  });

  it('prices are credits for a million tokens', () => {
    expect(findModel(models, 'claude-opus-4.8')?.prices).toEqual({
      batchSize: 1_000_000,
      input: 500e9,
      cacheRead: 50e9,
      cacheWrite: 625e9,
      output: 2500e9,
    });
  });
});
