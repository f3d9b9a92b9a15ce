import { expect, it } from 'vitest';
import { insteadWords } from '../../../../renderer/sessions/composer/composer-bar.tsx';

it('a mode that was not taken is said with what is known of why', () => {
  const named = { agent: 'Claude Code', model: 'claude-haiku-4.5' };
  const words = (wanted: string | null, applied: string | null) => insteadWords({ wanted, applied }, null, named);
  expect(words('auto', 'acceptEdits')).toBe('You chose Auto; claude-haiku-4.5 doesn’t offer this.');
  expect(words('auto', 'default')).toContain('; Claude Code took another.');
  expect(words('plan', 'acceptEdits')).toMatch(/^You chose .+; Claude Code took another\.$/);
  expect([words('plan', 'plan'), words(null, 'plan'), words('plan', null)]).toEqual([undefined, undefined, undefined]);
});
