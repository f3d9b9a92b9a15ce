import { expect, it } from 'vitest';
import { chosenModel, insteadWords } from '../../../../renderer/sessions/composer/composer-bar.tsx';

it('a mode that was not taken is said with what is known of why', () => {
  const named = { agent: 'Claude Code', model: 'claude-haiku-4.5' };
  const words = (wanted: string | null, applied: string | null) => insteadWords({ wanted, applied }, null, named);
  expect(words('auto', 'acceptEdits')).toBe('You chose Auto; claude-haiku-4.5 doesn’t offer this.');
  expect(words('auto', 'default')).toContain('; Claude Code took another.');
  expect(words('plan', 'acceptEdits')).toMatch(/^You chose .+; Claude Code took another\.$/);
  expect([words('plan', 'plan'), words(null, 'plan'), words('plan', null)]).toEqual([undefined, undefined, undefined]);
});

it('the model is named by what answered last where the agent chooses it, and never `default`', () => {
  const models = [{ id: 'claude-sonnet-4.6', model: 'claude-sonnet-4.6', efforts: ['low'] }];
  const offers = { commands: [], areCommandsCurrent: true, models, modes: [] };
  const name = (wanted: string | null, applied: string | null, used: string | null) =>
    chosenModel({ model: { wanted, applied } }, offers, used).name;
  expect(name(null, 'default', 'claude-sonnet-4.6')).toBe('claude-sonnet-4.6');
  expect([name(null, 'default', null), name(null, null, null)]).toEqual(['Model', 'Model']);
  expect(name('claude-opus-4.8', 'default', 'claude-sonnet-4.6')).toBe('claude-opus-4.8');
});
