import { expect, it } from 'vitest';
import { changes, changesByOrigin } from '../../../app/words/request-changes.ts';

it('the model comes first, with what was sent and why', () => {
  expect(
    changes([
      { code: 'model-newest', count: 1, text: 'Newest enabled Opus in your catalog.' },
      { code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' },
      { code: 'model', count: 1, text: 'model: opus → claude-opus-4.8' },
    ]),
  ).toEqual([
    {
      verb: 'Replaced',
      field: 'model',
      before: 'opus',
      after: 'claude-opus-4.8',
      count: 1,
      because: 'Newest enabled Opus in your catalog.',
    },
    {
      verb: 'Lowered',
      field: 'max_tokens',
      before: '128000',
      after: '64000',
      count: 1,
      because: 'The most this model may write.',
    },
  ]);
});

it.each([
  [{ code: 'model', count: 1, text: 'model: a-1 → a.1' }, 'Replaced', 'model', 'a-1', 'a.1'],
  [{ code: 'field-removed', count: 2, text: 'inference_geo removed' }, 'Removed', 'inference_geo', null, null],
  [
    { code: 'cache-scope-removed', count: 3, text: 'cache scope removed' },
    'Removed',
    'cache_control.scope',
    null,
    null,
  ],
  [
    { code: 'thinking-to-budget', count: 1, text: 'thinking: adaptive → enabled 8000' },
    'Replaced',
    'thinking',
    'adaptive',
    'enabled 8000',
  ],
  [{ code: 'effort-clamped', count: 1, text: 'effort max → high' }, 'Lowered', 'effort', 'max', 'high'],
  [{ code: 'of-tomorrow', count: 1, text: 'beards shaved' }, 'Changed', 'beards shaved', null, null],
])('%j', (note, verb, field, before, after) => {
  expect(changes([note])).toEqual([expect.objectContaining({ verb, field, before, after, count: note.count })]);
});

it('tells what a rule of the person’s changed from what was changed to fit', () => {
  const { ofRules, toFit } = changesByOrigin([
    { code: 'model-rule', count: 1, text: 'Your rule 1.' },
    { code: 'model', count: 1, text: 'model: opus → gpt-5.4' },
    { code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' },
  ]);
  expect([ofRules.map(({ field, after }) => [field, after]), toFit.map(({ field, after }) => [field, after])]).toEqual([
    [['model', 'gpt-5.4']],
    [['max_tokens', '64000']],
  ]);
});

it('nothing changed is nothing', () => {
  expect(changes([])).toEqual([]);
});

it('names the betas that were removed, and still reads rows that name none', () => {
  const removed = (text: string, count: number) => changes([{ code: 'betas-removed', count, text }])[0];
  expect(removed('beta removed: context-1m-2025-08-07, afk-mode-2026-01-31 ×2', 2)).toMatchObject({
    verb: 'Removed',
    field: 'anthropic-beta: context-1m-2025-08-07, afk-mode-2026-01-31',
    because: 'Copilot doesn’t know these betas. If a field had to go with them, it is listed here too.',
  });
  expect(removed('beta removed', 1)).toMatchObject({
    field: 'anthropic-beta',
    because: 'Copilot doesn’t know this beta. If a field had to go with it, it is listed here too.',
  });
});
