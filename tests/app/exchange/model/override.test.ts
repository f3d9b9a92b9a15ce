import { describe, expect, it } from 'vitest';
import type { Absence } from '../../../../app/api/models.ts';
import { readCatalog } from '../../../../app/copilot/catalog.ts';
import { claudeCodeNames, environmentModels } from '../../../../app/exchange/model/claude-code-names.ts';
import { withOverride } from '../../../../app/exchange/model/override.ts';
import { defaultModels } from '../../../../app/simulator/default-models.ts';

const models = readCatalog({ data: defaultModels() });

describe('an override', () => {
  it('is put in, gives way to another spelling of its name, and is taken out', () => {
    const one = withOverride({ sonnet: 'gpt-5.4' }, ' Opus ', 'claude-opus-4.6', { models });
    expect(one).toEqual({ sonnet: 'gpt-5.4', Opus: 'claude-opus-4.6' });
    const two = withOverride(one, 'opus', 'gpt-5.4', { models });
    expect(two).toEqual({ sonnet: 'gpt-5.4', opus: 'gpt-5.4' });
    expect(withOverride(two, 'OPUS', null, { models: [] })).toEqual({ sonnet: 'gpt-5.4' });
  });

  it('may end with a star, and may name a model that is switched off', () => {
    expect(withOverride({}, 'claude-3-*', 'claude-opus-4.5', { models })).toEqual({ 'claude-3-*': 'claude-opus-4.5' });
  });

  it.each([
    ['', 'claude-opus-4.8', 'An override needs a name.'],
    ['  ', 'claude-opus-4.8', 'An override needs a name.'],
    ['*', 'claude-opus-4.8', 'An override needs a name.'],
    ['a b', 'claude-opus-4.8', 'This isn’t a name that Claude Code could ask for.'],
    ['a*b', 'claude-opus-4.8', 'This isn’t a name that Claude Code could ask for.'],
    ['a\u0000b', 'claude-opus-4.8', 'This isn’t a name that Claude Code could ask for.'],
    ['x'.repeat(201), 'claude-opus-4.8', 'This isn’t a name that Claude Code could ask for.'],
    ['opus', 'claude-opus-9', 'Your account has no model claude-opus-9.'],
    ['opus', 'text-embedding-3-small', 'text-embedding-3-small can’t answer messages.'],
  ])('%s → %s is refused: %s', (name, model, message) => {
    expect(() => withOverride({}, name, model, { models })).toThrow(
      expect.objectContaining({ name: 'OverrideError', message, mend: expect.any(String) }),
    );
  });
});

const absence: Absence = { kind: 'policy', text: 'It is off.', mend: null };

describe('names with an override', () => {
  it('say which rule decides and what they would run on without it', () => {
    const asked = ['claude-haiku-4-5-20251001', 'claude-opus-4.5'];
    const rows = claudeCodeNames(models, { 'claude-haiku-*': 'gpt-5.4' }, asked, () => absence);
    expect(rows.find(({ asked }) => asked === 'claude-haiku-4-5-20251001')).toEqual({
      asked: 'claude-haiku-4-5-20251001',
      model: 'gpt-5.4',
      because: 'override',
      text: 'Your override.',
      absence: null,
      meant: 'gpt-5.4',
      override: { name: 'claude-haiku-*', without: { model: 'claude-haiku-4.5', because: 'same' } },
    });
    expect(rows.find(({ asked }) => asked === 'claude-opus-4.5')).toMatchObject({
      model: null,
      because: 'disabled',
      absence,
      meant: 'claude-opus-4.5',
      override: null,
    });
  });

  it('of a family reach the lines for Claude Code, which name models by their ids', () => {
    expect(environmentModels(models)).toMatchObject({ opus: 'claude-opus-4.8' });
    expect(environmentModels(models, { opus: 'claude-opus-4.6' })).toMatchObject({
      opus: 'claude-opus-4.6',
      sonnet: 'claude-sonnet-4.6',
    });
    expect(environmentModels(models, { 'claude-opus-*': 'gpt-5.4' })).toMatchObject({ opus: 'claude-opus-4.8' });
  });
});
