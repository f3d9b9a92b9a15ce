import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Absence } from '../../../../app/api/models.ts';
import { type CatalogModel, readCatalog } from '../../../../app/copilot/model-entry.ts';
import { withOverride } from '../../../../app/exchange/model/change-override.ts';
import { claudeCodeNames, environmentModels } from '../../../../app/exchange/model/claude-code-names.ts';
import { type ModelChoice, resolveModel } from '../../../../app/exchange/model/resolve.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';

const recorded = new URL('../../../samples/models-full-catalog-2026-03-28.json', import.meta.url);
const catalog = readCatalog(JSON.parse(readFileSync(recorded, 'utf8')));

type Asked = { models?: CatalogModel[]; overrides?: Record<string, string>; longContext?: boolean };

function ask(asked: string, { models = catalog, overrides = {}, longContext = false }: Asked = {}): ModelChoice {
  return resolveModel(asked, models, { overrides, longContext });
}

/** What it ran on and why, or why not. */
function answer(asked: string, options?: Asked): [string | null, string, string | null] {
  const choice = ask(asked, options);
  return choice.ok ? [choice.model.id, choice.because, choice.note] : [choice.model?.id ?? null, choice.because, null];
}

const spelled = 'The same model, spelled Copilot’s way.';
const no1m = '1M context not available.';
const missing = [null, 'missing', null];
const without = (...ids: string[]) => catalog.filter((model) => !ids.includes(model.id));
const disabled = (...ids: string[]): CatalogModel[] =>
  catalog.map((model) => (ids.includes(model.id) ? { ...model, policy: 'disabled' } : model));
const like = (id: string, fields: Partial<CatalogModel> = {}): CatalogModel => {
  const model = catalog.find((candidate) => candidate.id === 'claude-sonnet-4.6');
  if (model === undefined) throw new Error('the sample holds claude-sonnet-4.6');
  return { ...model, id, ...fields };
};

describe('model names', () => {
  const cases: [string, [string, [string | null, string, string | null], Asked?][]][] = [
    ['A6.1 a dated, dashed id', [['claude-sonnet-4-5-20250929', ['claude-sonnet-4.5', 'same', spelled]]]],
    ['A6.2 a dotted id as it is', [['claude-sonnet-4.6', ['claude-sonnet-4.6', 'exact', null]]]],
    [
      'A6.3 version before the family: the same, a lower one or none',
      [
        ['claude-3-5-sonnet-20241022', missing as [null, string, null]],
        [
          'claude-3-5-sonnet-20241022',
          ['claude-3.5-sonnet', 'same', spelled],
          { models: [...catalog, like('claude-3.5-sonnet')] },
        ],
        [
          'claude-3-7-sonnet-latest',
          ['claude-3.5-sonnet', 'lower', 'Copilot has no claude-3-7-sonnet-latest; this is the nearest lower version.'],
          { models: [...catalog, like('claude-3.5-sonnet')] },
        ],
      ],
    ],
    [
      'A6.4 the 1M context where it is, else without and said so',
      [
        ['claude-opus-4-6[1m]', ['claude-opus-4.6-1m', 'same', spelled]],
        ['claude-opus-4-6', ['claude-opus-4.6-1m', 'same', spelled], { longContext: true }],
        ['claude-opus-4.6', ['claude-opus-4.6-1m', 'same', null], { longContext: true }],
        ['claude-opus-4.6-1m', ['claude-opus-4.6-1m', 'exact', null]],
        ['opus[1m]', ['claude-opus-4.6-1m', 'newest', 'Newest enabled opus in your catalog.']],
        [
          'claude-opus-4-6[1m]',
          ['claude-opus-4.6', 'same', `${spelled} ${no1m}`],
          { models: without('claude-opus-4.6-1m') },
        ],
        [
          'claude-opus-4-6[1m]',
          ['claude-opus-4.6', 'same', `${spelled} ${no1m}`],
          { models: disabled('claude-opus-4.6-1m') },
        ],
        ['claude-sonnet-4.6[1m]', ['claude-sonnet-4.6', 'same', `${spelled} ${no1m}`]],
        ['claude-sonnet-4.6', ['claude-sonnet-4.6', 'exact', no1m], { longContext: true }],
        [
          'claude-opus-9.9[1m]',
          ['claude-opus-9.9', 'same', spelled],
          { models: [like('claude-opus-9.9', { limits: { ...like('x').limits, promptTokens: 936_000 } })] },
        ],
      ],
    ],
    [
      'A6.5 upper case',
      [
        ['CLAUDE-SONNET-4.6', ['claude-sonnet-4.6', 'exact', null]],
        ['Claude-Sonnet-4-6', ['claude-sonnet-4.6', 'same', spelled]],
        ['OPUS', ['claude-opus-4.6', 'newest', 'Newest enabled opus in your catalog.']],
      ],
    ],
    [
      'A6.6 aliases are the newest enabled of a family',
      [
        ['opus', ['claude-opus-4.6', 'newest', 'Newest enabled opus in your catalog.']],
        ['sonnet', ['claude-sonnet-4.6', 'newest', 'Newest enabled sonnet in your catalog.']],
        ['haiku', ['claude-haiku-4.5', 'newest', 'Newest enabled haiku in your catalog.']],
        ['opusplan', ['claude-sonnet-4.6', 'newest', 'Newest enabled sonnet in your catalog.']],
        ['claude-opus-latest', ['claude-opus-4.6', 'newest', 'Newest enabled opus in your catalog.']],
        ['fable', missing as [null, string, null]],
        [
          'sonnet',
          ['claude-sonnet-4.5', 'newest', 'Newest enabled sonnet in your catalog.'],
          { models: disabled('claude-sonnet-4.6') },
        ],
      ],
    ],
    [
      'A6.7 newer than the catalog: the nearest lower of the family',
      [
        [
          'claude-opus-5-5',
          ['claude-opus-4.6', 'lower', 'Copilot has no claude-opus-5-5; this is the nearest lower version.'],
        ],
        [
          'claude-sonnet-5',
          ['claude-sonnet-4.6', 'lower', 'Copilot has no claude-sonnet-5; this is the nearest lower version.'],
        ],
        [
          'claude-sonnet-5',
          ['claude-sonnet-4.5', 'lower', 'Copilot has no claude-sonnet-5; this is the nearest lower version.'],
          { models: disabled('claude-sonnet-4.6') },
        ],
      ],
    ],
    [
      'A6.8 older than all: not upwards',
      [
        ['claude-haiku-3-5', missing as [null, string, null]],
        ['claude-opus-4-20250514', missing as [null, string, null]],
      ],
    ],
    ['A6.9 an unknown family', [['claude-zebra-4-5', missing as [null, string, null]]]],
    [
      'A6.10 C3.1 switched off: named, never replaced by a lower one',
      [
        ['claude-opus-4.6', ['claude-opus-4.6', 'disabled', null], { models: disabled('claude-opus-4.6') }],
        ['claude-opus-4-6', ['claude-opus-4.6', 'disabled', null], { models: disabled('claude-opus-4.6') }],
        ['haiku', ['claude-haiku-4.5', 'disabled', null], { models: disabled('claude-haiku-4.5') }],
        ['claude-haiku-5-5', ['claude-haiku-4.5', 'disabled', null], { models: disabled('claude-haiku-4.5') }],
      ],
    ],
    [
      'A6.11 an override beats all',
      [
        [
          'claude-sonnet-4.6',
          ['gpt-5.4', 'override', 'Your override.'],
          { overrides: { 'Claude-Sonnet-4.6': 'gpt-5.4' } },
        ],
        [
          'claude-haiku-5-5',
          ['gpt-5-mini', 'override', 'Your override “claude-haiku-*”.'],
          { overrides: { 'claude-haiku-*': 'gpt-5-mini' } },
        ],
        [
          'claude-x',
          ['gpt-5.1', 'override', 'Your override “claude-*”.'],
          { overrides: { '*': 'gpt-5.4', 'claude-*': 'gpt-5.1', 'c*': 'gpt-5.2' } },
        ],
        [
          'claude-x',
          ['gpt-5.4', 'override', 'Your override.'],
          { overrides: { 'claude-*': 'gpt-5.1', 'claude-x': 'gpt-5.4' } },
        ],
        ['opusplan', ['gpt-5.4', 'override', 'Your override “sonnet”.'], { overrides: { sonnet: 'gpt-5.4' } }],
        [
          'opus[1m]',
          ['claude-opus-4.5', 'override', 'Your override “opus”.'],
          { overrides: { opus: 'claude-opus-4-5' } },
        ],
        ['opus', ['claude-sonnet-4.6', 'override', 'Your override.'], { overrides: { opus: 'sonnet' } }],
        ['opus', missing as [null, string, null], { overrides: { opus: 'claude-opus-9' } }],
        ['opus', ['gpt-5.4', 'disabled', null], { overrides: { opus: 'gpt-5.4' }, models: disabled('gpt-5.4') }],
      ],
    ],
    [
      'A6.13 bare words and worse',
      ['foo', '', ' ', '[1m]', '*', 'constructor', '__proto__', 'claude', 'claude-', '-1m', 'a/b/', '.*'].map(
        (word): [string, [null, string, null]] => [word, [null, 'missing', null]],
      ),
    ],
    ['A6.14 a GPT from an Anthropic client', [['gpt-5.4', ['gpt-5.4', 'exact', null]]]],
    [
      'C3.2 other spellings of the same model',
      [
        ['claude-sonnet-4-6', ['claude-sonnet-4.6', 'same', spelled]],
        ['claude-4-6-sonnet', ['claude-sonnet-4.6', 'same', spelled]],
        ['claude-sonnet-4', ['claude-sonnet-4', 'exact', null]],
        ['claude-4-sonnet', ['claude-sonnet-4', 'same', spelled]],
        ['claude-sonnet-4-20250514', ['claude-sonnet-4', 'same', spelled]],
        ['claude-sonnet-4-5@20250929', ['claude-sonnet-4.5', 'same', spelled]],
        ['anthropic/claude-sonnet-4.5', ['claude-sonnet-4.5', 'same', spelled]],
        ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', ['claude-sonnet-4.5', 'same', spelled]],
        ['claude-sonnet-4-5-latest', ['claude-sonnet-4.5', 'same', spelled]],
        [
          'claude-opus-4-6-fast',
          ['claude-opus-4.6', 'same', `${spelled} Copilot has no fast variant of this model for this account.`],
        ],
        [
          'claude-opus-4-6-fast',
          ['claude-opus-4.6-fast', 'same', spelled],
          { models: [...catalog, like('claude-opus-4.6-fast')] },
        ],
      ],
    ],
  ];

  for (const [name, rows] of cases) {
    it(name, () => {
      for (const [asked, expected, options] of rows)
        expect([asked, ...answer(asked, options)]).toEqual([asked, ...expected]);
    });
  }

  it('a model outside the picker is used when it is asked for by its id, and never offered', () => {
    expect(answer('gpt-4o-mini')).toEqual(['gpt-4o-mini', 'exact', null]);
    const choice = ask('foo');
    expect(choice.ok ? [] : choice.offered).toEqual([
      'claude-opus-4.6-1m',
      'claude-opus-4.6',
      'claude-sonnet-4.6',
      'gemini-3.1-pro-preview',
      'gpt-5.2-codex',
      'gpt-5.3-codex',
      'gpt-5.4-mini',
      'gpt-5.4',
      'gpt-5-mini',
      'gpt-5.1',
      'gpt-5.1-codex',
      'gpt-5.1-codex-mini',
      'gpt-5.1-codex-max',
      'claude-sonnet-4',
      'claude-sonnet-4.5',
      'claude-opus-4.5',
      'claude-haiku-4.5',
      'gemini-3-pro-preview',
      'gemini-3-flash-preview',
      'gemini-2.5-pro',
      'gpt-5.2',
      'gpt-4.1',
      'gpt-4o',
    ]);
  });

  it('other types of model are found only for their own route', () => {
    const asked = 'text-embedding-3-small';
    expect(answer(asked)).toEqual(missing);
    const embedding = resolveModel(asked, catalog, { overrides: {}, longContext: false, type: 'embeddings' });
    expect(embedding).toMatchObject({ ok: true, because: 'exact', model: { id: asked } });
    const chat = resolveModel('gpt-4o', catalog, { overrides: {}, longContext: false, type: 'embeddings' });
    expect(chat).toEqual({
      ok: false,
      because: 'missing',
      model: null,
      named: 'gpt-4o',
      offered: ['text-embedding-3-small', 'text-embedding-3-small-inference', 'text-embedding-ada-002'],
    });
  });

  it('newest is the highest version, then no preview, then no 1M', () => {
    const models = [
      like('claude-opus-4.9'),
      like('claude-opus-4.10-1m'),
      like('claude-opus-4.10-preview', { preview: true }),
      like('claude-opus-4.10'),
      like('claude-opus-4.11', { pickerEnabled: false }),
      like('claude-opus-4.12-fast'),
    ];
    expect(answer('opus', { models })[0]).toBe('claude-opus-4.10');
    expect(answer('opus', { models: models.toReversed() })[0]).toBe('claude-opus-4.10');
    expect(answer('opus', { models: models.slice(0, 3) })[0]).toBe('claude-opus-4.10-1m');
  });

  it('never leaves the family, never goes up, never uses what is switched off', () => {
    const families = fc.constantFrom('opus', 'sonnet', 'haiku');
    const version = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }));
    const off = fc.subarray(catalog.map((model) => model.id));
    fc.assert(
      fc.property(families, version, off, fc.boolean(), (family, [major, minor], ids, longContext) => {
        const choice = ask(`claude-${family}-${major}-${minor}`, { models: disabled(...ids), longContext });
        if (!choice.ok) return;
        const [, found = '', servedMajor = 0, servedMinor = 0] =
          /^claude-([a-z]+)-(\d+)(?:\.(\d+))?/.exec(choice.model.id) ?? [];
        expect(found).toBe(family);
        expect(Number(servedMajor) * 100 + Number(servedMinor)).toBeLessThanOrEqual(major * 100 + minor);
        expect(choice.model.policy).not.toBe('disabled');
      }),
    );
  });

  it('takes any name without failing', () => {
    fc.assert(
      fc.property(fc.string(), (asked) => {
        expect(ask(asked)).toHaveProperty('because');
      }),
    );
  });

  it('does not read a name as long as a book', () => {
    expect(answer(`claude-opus-4-6${'-fast'.repeat(1_000_000)}`)).toEqual(missing);
  });
});

describe('names for Claude Code', () => {
  it('are its aliases, the dashed names and the overrides, with what they run on', () => {
    const absence = (text: string): Absence => ({ kind: 'not-in-catalog', text, remedy: null });
    const overrides = { 'claude-haiku-*': 'gpt-5-mini', opus: 'nothing' };
    const rows = claudeCodeNames(disabled('claude-haiku-4.5'), overrides, [], ({ because, named }) =>
      absence(`${because}: ${named}`),
    );
    const newest = 'Newest enabled sonnet in your catalog.';
    for (const row of rows) expect(row.absence).toEqual(row.model === null ? absence(row.text) : null);
    expect(rows.map(({ meant: _meant, override: _override, absence: _absence, ...row }) => row)).toEqual([
      {
        asked: 'opus',
        model: null,
        because: 'missing',
        text: 'missing: nothing',
      },
      { asked: 'sonnet', model: 'claude-sonnet-4.6', because: 'newest', text: newest },
      {
        asked: 'haiku',
        model: null,
        because: 'disabled',
        text: 'disabled: haiku',
      },
      { asked: 'fable', model: null, because: 'missing', text: 'missing: fable' },
      { asked: 'opusplan', model: 'claude-sonnet-4.6', because: 'newest', text: newest },
      { asked: 'claude-opus-4-6-1m', model: 'claude-opus-4.6-1m', because: 'same', text: spelled },
      { asked: 'claude-opus-4-6', model: 'claude-opus-4.6', because: 'same', text: spelled },
      { asked: 'claude-sonnet-4-6', model: 'claude-sonnet-4.6', because: 'same', text: spelled },
      { asked: 'claude-sonnet-4', model: 'claude-sonnet-4', because: 'exact', text: 'The id itself.' },
      { asked: 'claude-sonnet-4-5', model: 'claude-sonnet-4.5', because: 'same', text: spelled },
      { asked: 'claude-opus-4-5', model: 'claude-opus-4.5', because: 'same', text: spelled },
      { asked: 'claude-haiku-*', model: 'gpt-5-mini', because: 'override', text: 'Your override.' },
    ]);
  });
});

describe('models for the environment of Claude Code', () => {
  it('are the newest enabled of each family', () => {
    expect(environmentModels(catalog)).toEqual({
      opus: 'claude-opus-4.6',
      sonnet: 'claude-sonnet-4.6',
      haiku: 'claude-haiku-4.5',
      haikuNote: null,
    });
  });

  it('C3.3 without a haiku: the cheapest Claude that is enabled, and said so', () => {
    expect(environmentModels(disabled('claude-haiku-4.5', 'claude-opus-4.6'))).toEqual({
      opus: 'claude-opus-4.6-1m',
      sonnet: 'claude-sonnet-4.6',
      haiku: 'claude-sonnet-4.6',
      haikuNote:
        'No Haiku is enabled for this account. Claude Code’s background work goes to claude-sonnet-4.6, the ' +
        'cheapest Claude that is.',
    });
  });

  it('C3.3 by token prices where the catalog has them, unknown prices last', () => {
    const price = (input: number | null, output: number | null): Partial<CatalogModel> => ({
      price: {
        kind: 'credits',
        default: { input, output, cacheRead: null, cacheWrite: null, upToPromptTokens: null },
        longContext: null,
      },
    });
    const models = [
      like('claude-sonnet-5', { price: { kind: 'unknown' } }),
      like('claude-opus-5', price(500, 2500)),
      like('claude-sonnet-4.6', price(300, 1500)),
      like('claude-sonnet-4.5', price(null, null)),
      like('gpt-5-mini', price(1, 1)),
    ];
    expect(environmentModels(models).haiku).toBe('claude-sonnet-4.6');
    expect(environmentModels(models.toReversed()).haiku).toBe('claude-sonnet-4.6');
  });

  it('where no price is known a sonnet before an opus, and nothing is said of prices', () => {
    const unknown = ['claude-opus-4.8', 'claude-sonnet-4.5', 'claude-sonnet-4.6', 'claude-fable-5'].map((id) =>
      like(id, { price: { kind: 'unknown' } }),
    );
    for (const models of [unknown, unknown.toReversed()]) {
      expect(environmentModels(models)).toMatchObject({
        haiku: 'claude-sonnet-4.6',
        haikuNote: 'No Haiku is enabled for this account. Claude Code’s background work goes to claude-sonnet-4.6.',
      });
    }
    const dear = unknown.filter(({ id }) => !id.includes('sonnet'));
    expect(environmentModels(dear).haiku).toBe('claude-opus-4.8');
  });

  it('without any Claude: none, with what to do', () => {
    expect(environmentModels(catalog.filter((model) => !model.id.startsWith('claude')))).toEqual({
      opus: null,
      sonnet: null,
      haiku: null,
      haikuNote: 'No Claude model is enabled for this account. Turn one on at github.com/settings/copilot.',
    });
  });
});

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
      expect.objectContaining({ name: 'OverrideError', message, remedy: expect.any(String) }),
    );
  });
});

const absence: Absence = { kind: 'policy', text: 'It is off.', remedy: null };

describe('names with an override', () => {
  it('say which rule decides and what they would run on without it', () => {
    const asked = ['claude-haiku-4-5-20251001', 'claude-opus-4.5'];
    const rows = claudeCodeNames(models, { 'claude-haiku-*': 'gpt-5.4' }, asked, () => absence);
    expect(rows.find(({ asked }) => asked === 'claude-haiku-4-5-20251001')).toEqual({
      asked: 'claude-haiku-4-5-20251001',
      model: 'gpt-5.4',
      because: 'override',
      text: 'Your override “claude-haiku-*”.',
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
