import { expect, it } from 'vitest';
import { faultFacts } from '../../../../app/exchange/recover/error.ts';

it('a fault is named by its kind and its place, and quotes nothing of what was being read', () => {
  let fault: unknown;
  try {
    JSON.parse('my words\n    at night');
  } catch (error) {
    fault = error;
  }
  const facts = faultFacts(fault);
  expect(facts.error).toBe('SyntaxError');
  expect(facts.at.length).toBeGreaterThan(0);
  expect(facts.at[0]).toMatch(/^at /);
  expect(JSON.stringify(facts)).not.toMatch(/words|night/);
});

it('whatever is thrown', () => {
  expect(faultFacts('my words')).toEqual({ error: 'string', at: [] });
  expect(faultFacts(undefined)).toEqual({ error: 'undefined', at: [] });
});
