import { describe, expect, it } from 'vitest';
import type { AccountState } from '../../../../app/api/account.ts';
import type { CatalogModel } from '../../../../app/copilot/model-entry.ts';
import { type AbsenceContext, absenceOf, explainName } from '../../../../app/exchange/model/absence.ts';
import { environmentModels } from '../../../../app/exchange/model/claude-code-names.ts';
import { resolveModel } from '../../../../app/exchange/model/resolve.ts';
import { autoOnlyNote } from '../../../../app/words/account.ts';
import { claude } from '../fits/claude.ts';

const account = (plan: string | null, sku: string | null = null): AccountState => ({
  kind: 'signed-in',
  login: 'octo',
  plan,
  sku,
  apiHost: null,
  token: null,
  notice: null,
});
const student = account('individual', 'free_educational_quota');
const paid = ['pro', 'pro_plus', 'business'];
const models: CatalogModel[] = [
  claude('claude-sonnet-4.6'),
  { ...claude('claude-opus-4.8'), policy: 'disabled' },
  { ...claude('claude-opus-4.6'), pickerEnabled: false, plans: paid },
  { ...claude('claude-haiku-4.5'), pickerEnabled: false },
  { ...claude('gpt-9-ws'), endpoints: ['ws:/responses'] },
  { ...claude('gpt-3'), endpoints: [] },
  { ...claude('text-embedding-3-small'), type: 'embeddings', endpoints: ['/embeddings'] },
  { ...claude('gpt-image'), type: 'image' },
  claude('talks-only', { supports: { toolCalls: false } }),
];
const elsewhere: AbsenceContext['elsewhere'] = { way: 'copilot-sdk', ids: ['claude-fable-5'] };
const explained = (
  asked: string,
  who = student,
  among = models,
  overrides: Record<string, string> = {},
  servesAuto = false,
  way: AbsenceContext['way'] = 'vscode',
) => {
  const choice = resolveModel(asked, among, { overrides, longContext: false });
  return explainName(asked, choice, { models: among, account: who, elsewhere, servesAuto, way }, overrides);
};

describe('why is this model not here?', () => {
  it.each([
    ['claude-sonnet-4.6', 'here', 'claude-sonnet-4.6', 'claude-sonnet-4.6 is available for this account.'],
    [
      'sonnet',
      'here',
      'claude-sonnet-4.6',
      '"sonnet" runs on claude-sonnet-4.6. Newest enabled sonnet in your catalog.',
    ],
    ['claude-opus-4-8', 'policy', 'claude-opus-4.8', 'claude-opus-4.8 is off for this account.'],
    [
      'claude-opus-4.6',
      'plan',
      'claude-opus-4.6',
      'claude-opus-4.6 isn’t part of Copilot Student. GitHub lists it for Pro, Pro+, Business.',
    ],
    ['haiku', 'picker', null, 'claude-haiku-4.5 is in the catalog, but GitHub doesn’t offer it to choose.'],
    ['gpt-9-ws', 'endpoint', 'gpt-9-ws', 'gpt-9-ws has only ws:/responses, which Jumpseat doesn’t speak.'],
    ['gpt-3', 'endpoint', 'gpt-3', 'gpt-3 has no endpoint, which Jumpseat doesn’t speak.'],
    ['text-embedding-3-small', 'type', null, 'text-embedding-3-small is for embeddings, not for conversations.'],
    ['gpt-image', 'type', null, 'gpt-image is for image, not for conversations.'],
    ['talks-only', 'tools', 'talks-only', 'talks-only doesn’t support tools, which Claude Code needs.'],
    [
      'claude-fable-5',
      'other-way',
      null,
      'Copilot lists no model "claude-fable-5" for VS Code’s sign-in. It did for GitHub’s runtime, while you were ' +
        'signed in that way.',
    ],
    ['hidden', 'not-in-catalog', null, 'Copilot has no model "hidden" for this account.'],
    ['fable', 'not-in-catalog', null, 'Copilot has no model "fable" for this account.'],
    ['nothing', 'not-in-catalog', null, 'Copilot has no model "nothing" for this account.'],
  ])('%s: %s', (asked, kind, model, text) => {
    expect(explained(asked)).toMatchObject({ asked, kind, model, text });
  });

  it('Auto is there where GitHub is asked for it, and says where that is', () => {
    const overrides = { 'claude-3-*': 'auto' };
    for (const asked of ['auto', 'Auto[1m]', 'claude-3-opus']) {
      expect(explained(asked, student, models, overrides, true)).toMatchObject({ kind: 'here', model: null });
      expect(explained(asked, student, models, overrides)).toMatchObject({
        kind: 'other-way',
        remedy: expect.stringContaining('--way copilot-sdk'),
      });
    }
    const none = models.map((model) => ({ ...model, pickerEnabled: false }));
    expect(explained('sonnet', student, none, {}, true).remedy).toContain('“auto”');
    expect(explained('sonnet', student, none).remedy).toContain('Copilot SDK');
    // At a company's host on the way that has Auto: the way is not what helps.
    for (const [asked, among] of [
      ['auto', models],
      ['sonnet', none],
    ] as const) {
      const { text, remedy } = explained(asked, student, among, {}, false, 'copilot-sdk');
      expect(`${text} ${remedy}`).toContain('only for accounts of github.com');
      expect(`${text} ${remedy}`).not.toMatch(/Copilot SDK|--way/);
    }
  });

  it('a plan is a reason only where it is known and not listed', () => {
    for (const who of [account('individual_pro'), account(null), account('individual', 'trial_30_monthly')]) {
      expect(explained('claude-opus-4.6', who).kind).toBe('picker');
    }
    expect(explained('claude-opus-4.6', account('enterprise')).kind).toBe('plan');
  });

  it('a model of other plans that is off has no switch on this one', () => {
    const off = [{ ...claude('claude-opus-4.7'), policy: 'disabled' as const, plans: paid }];
    expect(explained('claude-opus-4.7', student, off)).toMatchObject({
      kind: 'plan',
      remedy: expect.stringContaining('plans'),
    });
    expect(explained('claude-opus-4.7', account('business'), off).kind).toBe('policy');
  });

  it('what an override names is what is asked about', () => {
    expect(explained('mine', student, models, { mine: 'nowhere' })).toMatchObject({
      asked: 'mine',
      kind: 'not-in-catalog',
      text: 'Your override “mine” names nowhere. Copilot has no model "nowhere" for this account.',
      remedy: 'Change or remove it in Models, or under modelOverrides in settings.json.',
    });
    expect(explained('my-own', student, models, { 'my-*': 'claude-opus-4.8' })).toMatchObject({
      text: 'Your override “my-*” names claude-opus-4.8. claude-opus-4.8 is off for this account.',
      remedy: 'Turn it on at github.com/settings/copilot.',
    });
    expect(explained('my-own', student, models, { 'my-*': 'sonnet' }).text).toBe(
      '"my-own" runs on claude-sonnet-4.6. Your override “my-*”.',
    );
  });

  it('every reason but those that can’t be fixed says what to do', () => {
    const remedies = models.map((model) => {
      const absence = absenceOf(model, { models, account: student, elsewhere, servesAuto: false, way: 'vscode' });
      return [absence?.kind ?? null, absence?.remedy != null];
    });
    expect(remedies).toEqual([
      [null, false],
      ['policy', true],
      ['plan', true],
      ['picker', true],
      ['endpoint', false],
      ['endpoint', false],
      ['type', true],
      ['type', false],
      ['tools', true],
    ]);
  });
});

describe('a plan with Auto alone', () => {
  const auto = models.map((model) => ({ ...model, pickerEnabled: false }));

  it.each(['sonnet', 'claude-sonnet-4.6', 'claude-haiku-9', 'nothing'])('%s: says so with the plan’s name', (asked) => {
    expect(explained(asked, student, auto)).toMatchObject({
      kind: 'auto-only',
      text:
        'Copilot Student has no model to choose. GitHub chooses the model there (Auto), and no model can be requested ' +
        'by name.',
      remedy: expect.stringContaining('github.com/features/copilot/plans'),
    });
  });

  it('the lines for Claude Code say so, too, not that a model could be turned on', () => {
    expect(environmentModels(auto)).toEqual({ opus: null, sonnet: null, haiku: null, haikuNote: autoOnlyNote });
  });

  it('names no plan that is not known', () => {
    expect(explained('sonnet', account(null), auto).text).toContain('This account’s plan has no model to choose.');
  });

  it('an off model is off first, and one model to choose is enough', () => {
    expect(explained('claude-opus-4.8', student, auto).kind).toBe('policy');
    expect(explained('haiku', student, models).kind).toBe('picker');
  });
});
