import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../app/copilot/catalog.ts';
import { absenceOfName } from '../../app/exchange/model/absence.ts';
import { claudeCodeNames } from '../../app/exchange/model/claude-code-names.ts';
import { modelsReport } from '../../app/exchange/model/report.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { creditPrices, endpointWords, shortPrice } from '../../app/words/models.ts';
import { checkDraft, choosable, wasWords } from '../../renderer/models/override-check.ts';

const models = readCatalog({ data: defaultModels() });
const overrides = { haiku: 'gpt-5-mini', 'claude-3-*': 'claude-sonnet-4.6' };
const context = {
  models,
  account: { kind: 'signed-out' },
  elsewhere: { way: 'copilot-sdk', ids: [] },
  way: 'vscode',
  servesAuto: false,
} as const;
const names = claudeCodeNames(models, overrides, ['claude-opus-5-5'], (refusal) => absenceOfName(refusal, context));
const report = modelsReport(context, names, 0);

describe('a draft of an override', () => {
  const check = (name: string, model: string | null, changes: string | null = null) =>
    checkDraft({ name, model, changes }, report);

  it.each([
    ['', 'gpt-5.4', 'Write a name.', true],
    ['*', 'gpt-5.4', 'A name can have * only at its end.', true],
    ['a*b', 'gpt-5.4', 'A name can have * only at its end.', true],
    ['a b', 'gpt-5.4', 'A name has no spaces.', true],
    ['HAIKU', 'gpt-5.4', 'This name already has an override.', true],
    ['claude-3-*', 'gpt-5.4', 'This name already has an override.', true],
    ['opus', null, 'Choose a model.', true],
    ['opus', 'gpt-9', 'gpt-9 is not in the catalog. Choose another model.', true],
    ['opus', 'claude-opus-4.5', 'claude-opus-4.5 is off on GitHub. Requests would get error 404.', false],
  ])('%s → %s: %s', (name, model, text, blocks) => {
    expect(check(name, model)).toMatchObject({ text, blocks });
  });

  it('is fine when it names something known, and when it changes its own rule', () => {
    expect(check('opus', 'claude-opus-4.6')).toBeNull();
    expect(check('haiku', 'claude-haiku-4.5', 'haiku')).toBeNull();
  });

  it('says what the name ran on', () => {
    expect(wasWords('haiku', report)).toBe('was claude-haiku-4.5, newest of family');
    expect(wasWords('claude-opus-5-5', report)).toBe('was claude-opus-4.8, nearest lower');
    expect(wasWords('fable', report)).toBe('was nothing, not in catalog');
    expect(wasWords('claude-3-*', report)).toBeNull();
  });

  it('offers chat models, switched-off ones last, found by any part of id, name and vendor', () => {
    const ids = (search: string) => choosable(report.models, search).map(({ id }) => id);
    expect(ids('')).not.toContain('text-embedding-3-small');
    expect(ids('opus')).toEqual(['claude-opus-4.8', 'claude-opus-4.6', 'claude-opus-4.5']);
    expect(ids('openai mini')).toEqual(['gpt-5-mini']);
    expect(ids('no such')).toEqual([]);
  });
});

describe('words of a model', () => {
  it('are its endpoints by their short names, once each', () => {
    expect(endpointWords(['/chat/completions', '/v1/messages'])).toBe('chat, messages');
    expect(endpointWords(['/responses', 'ws:/responses'])).toBe('responses');
    expect(endpointWords(['/new'])).toBe('/new');
    expect(endpointWords([])).toBe('–');
  });

  it('are its prices in the world of the account', () => {
    const credits = { kind: 'credits', input: 500, cacheRead: 50, cacheWrite: 625, output: 2500 } as const;
    expect(shortPrice({ price: credits })).toBe('500 / 50 / 2,500');
    expect(shortPrice({ price: { kind: 'multiplier', multiplier: 0.33 } })).toBe('0.33×');
    expect(shortPrice({ price: { kind: 'unknown' } })).toBe('Price not known');
    expect(creditPrices({ price: { kind: 'unknown' } })).toEqual({ input: '–', cached: '–', output: '–' });
  });
});
