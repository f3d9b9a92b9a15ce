import { describe, expect, it } from 'vitest';
import type { Way } from '../../../app/api/account.ts';
import { Catalog, CatalogError, pathFor, readCatalog } from '../../../app/copilot/catalog.ts';
import { type CopilotFailure, readFailure } from '../../../app/copilot/failures.ts';
import { isOffered } from '../../../app/copilot/model-entry.ts';
import { gate } from '../account/fake-server.ts';
import { HandClock } from '../account/hand-clock.ts';
import { jsonSample, LineLog, sample } from '../account/surroundings.ts';

const recorded = 'models-full-catalog-2026-03-28.json';
const only = (entry: Record<string, unknown>) => {
  const [model] = readCatalog({ data: [entry] });
  if (!model) throw new Error('no model');
  return model;
};

describe('the list of models', () => {
  it('B7.1 one entry, whole', () => {
    expect(only(jsonSample('model-claude-sonnet-4.6.json'))).toEqual({
      id: 'claude-sonnet-4.6',
      name: 'Claude Sonnet 4.6',
      vendor: 'Anthropic',
      version: 'claude-sonnet-4.6',
      family: 'claude-sonnet-4.6',
      preview: false,
      type: 'chat',
      endpoints: ['/chat/completions', '/v1/messages'],
      policy: 'enabled',
      pickerEnabled: true,
      plans: ['pro', 'pro_plus', 'individual_trial', 'business', 'enterprise'],
      limits: {
        promptTokens: 168_000,
        outputTokens: 32_000,
        contextTokens: 200_000,
        images: 5,
        imageBytes: 3_145_728,
        imageTypes: ['image/jpeg', 'image/png', 'image/webp'],
        inputs: null,
      },
      supports: {
        toolCalls: true,
        parallelToolCalls: true,
        streaming: true,
        vision: true,
        structuredOutputs: true,
        adaptiveThinking: 'optional',
        minThinkingBudget: 1024,
        maxThinkingBudget: 32_000,
        efforts: ['low', 'medium', 'high'],
      },
      price: { kind: 'multiplier', multiplier: 1, premium: true },
      warnings: [],
    });
  });

  it('B7.1 the recorded catalog: 41 objects, of two that share an id the first', () => {
    const models = readCatalog(jsonSample(recorded));
    expect(models).toHaveLength(39);
    expect(new Set(models.map((model) => model.id)).size).toBe(39);
    expect(models.filter(isOffered).map((model) => model.id)).toContain('claude-sonnet-4.6');
    expect(
      readCatalog({
        data: [
          { id: 'a', name: 'first' },
          { id: 'a', name: 'second' },
        ],
      })[0]?.name,
    ).toBe('first');
  });

  it('B7.1 an empty list is one; anything else is an error, never an empty list', () => {
    expect(readCatalog({ object: 'list', data: [] })).toEqual([]);
    for (const odd of [null, [], {}, { data: {} }, { data: null }, 'list', { data: [1, { name: 'no id' }] }]) {
      expect(() => readCatalog(odd)).toThrow();
    }
    expect(readCatalog({ data: [{ id: 'a' }, null, { id: '' }] }).map((model) => model.id)).toEqual(['a']);
  });

  it('an entry that says nothing promises nothing', () => {
    const model = only({ id: 'bare' });
    expect(model).toMatchObject({
      type: 'unknown',
      policy: 'unneeded',
      pickerEnabled: false,
      price: { kind: 'unknown' },
    });
    expect(Object.values(model.supports).filter((value) => value === true)).toEqual([]);
    expect(isOffered(model)).toBe(false);
  });

  it.each([
    [undefined, 'unneeded'],
    [{ state: 'enabled' }, 'enabled'],
    [{ state: 'disabled' }, 'disabled'],
    [{ state: 'unconfigured' }, 'disabled'],
  ])('policy %j → %s', (policy, expected) => {
    expect(only({ id: 'a', policy }).policy).toBe(expected);
  });

  it.each([
    [true, 'optional'],
    [false, 'unsupported'],
    [undefined, 'unsupported'],
    ['required', 'required'],
    ['optional', 'optional'],
    ['unsupported', 'unsupported'],
  ])('C12.3 adaptive_thinking %j → %s', (adaptive_thinking, expected) => {
    expect(only({ id: 'a', capabilities: { supports: { adaptive_thinking } } }).supports.adaptiveThinking).toBe(
      expected,
    );
  });

  it('warnings, of every kind', () => {
    const model = only({
      id: 'a',
      warning_messages: [{ code: 'client_version_deprecated', message: 'Update.' }, { message: 'Bare.' }, 'odd'],
      info_messages: [{ code: 'soon', message: 'New.' }],
      warning_text: 'Text.',
    });
    expect(model.warnings).toEqual([
      { code: 'client_version_deprecated', message: 'Update.' },
      { code: 'notice', message: 'Bare.' },
      { code: 'soon', message: 'New.' },
      { code: 'warning', message: 'Text.' },
    ]);
  });
});

describe('B7.5 prices', () => {
  it('old billing: a multiplier', () => {
    expect(only(jsonSample('model-gpt-5-mini.json')).price).toEqual({
      kind: 'multiplier',
      multiplier: 0,
      premium: false,
    });
  });

  it('new billing: credits per million tokens, the recorded object', () => {
    expect(only(jsonSample('model-gpt-image-2026-10-08.json')).price).toEqual({
      kind: 'credits',
      default: { input: 500, cacheRead: 0, cacheWrite: 0, output: 0, upToPromptTokens: 32_000 },
      longContext: null,
    });
  });

  const price = (token_prices: unknown) => only({ id: 'a', billing: { multiplier: 3, token_prices } }).price;

  it('two tiers, and the other names of cache and context', () => {
    expect(
      price({
        batch_size: 1_000_000,
        default: {
          input_price: 500,
          cache_price: 50,
          cache_write_price: 625,
          output_price: 2500,
          context_max: 200_000,
        },
        long_context: { input_price: 1000, cache_price: 100, output_price: 3750 },
      }),
    ).toEqual({
      kind: 'credits',
      default: { input: 500, cacheRead: 50, cacheWrite: 625, output: 2500, upToPromptTokens: 200_000 },
      longContext: { input: 1000, cacheRead: 100, cacheWrite: null, output: 3750, upToPromptTokens: null },
    });
  });

  it('nano-AIU for a batch, small ones among them', () => {
    expect(
      price({
        batch_size: 1_000_000,
        default: { input_price: 25e9, cache_price: 2.5e9, cache_write_price: 0, output_price: 200e9 },
      }),
    ).toMatchObject({ default: { input: 25, cacheRead: 2.5, cacheWrite: 0, output: 200 } });
    expect(price({ batch_size: 1, default: { input_price: 25_000, output_price: 3_000_000 } })).toMatchObject({
      default: { input: 25, output: 3000 },
    });
  });

  it('another batch size, and none', () => {
    expect(price({ batch_size: 1000, default: { input_price: 0.3 } })).toMatchObject({ default: { input: 300 } });
    expect(price({ default: { input_price: 300 } })).toMatchObject({ default: { input: 300 } });
  });

  it('neither shape: unknown, not free', () => {
    expect(only({ id: 'a', billing: {} }).price).toEqual({ kind: 'unknown' });
    expect(only({ id: 'a', billing: { token_prices: {} } }).price).toEqual({ kind: 'unknown' });
  });
});

describe('the endpoint for a model', () => {
  const models = readCatalog(jsonSample(recorded));
  const paths = (id: string) => {
    const model = models.find((candidate) => candidate.id === id);
    if (!model) throw new Error(id);
    return [pathFor(model, 'messages'), pathFor(model, 'chat'), pathFor(model, 'responses')];
  };

  it.each([
    ['claude-sonnet-4.6', ['/v1/messages', '/chat/completions', '/v1/messages']],
    ['gpt-5.4', ['/responses', '/responses', '/responses']],
    ['gpt-5.3-codex', ['/responses', '/responses', '/responses']],
    ['gpt-5-mini', ['/responses', '/chat/completions', '/responses']],
    ['gemini-3.1-pro-preview', ['/chat/completions', '/chat/completions', '/chat/completions']],
    ['gpt-4o', ['/chat/completions', '/chat/completions', '/chat/completions']],
    ['text-embedding-3-small', [null, null, null]],
  ])('B7.6 A6.14 %s', (id, expected) => {
    expect(paths(id)).toEqual(expected);
  });

  it('B7.6 every Claude of the recorded catalog goes the native way', () => {
    const claudes = models.filter((model) => model.id.startsWith('claude-'));
    expect(claudes.length).toBeGreaterThanOrEqual(7);
    expect(new Set(claudes.map((model) => pathFor(model, 'messages')))).toEqual(new Set(['/v1/messages']));
  });

  it('the best of the ones that can be spoken', () => {
    const mini = models.find((model) => model.id === 'gpt-5-mini');
    const codex = models.find((model) => model.id === 'gpt-5.3-codex');
    if (!mini || !codex) throw new Error('not recorded');
    expect(pathFor(mini, 'messages', { without: ['/responses'] })).toBe('/chat/completions');
    expect(pathFor(codex, 'messages', { without: ['/responses'] })).toBeNull();
  });

  it('an image model has none', () => {
    expect(pathFor(only(jsonSample('model-gpt-image-2026-10-08.json')), 'messages')).toBeNull();
  });
});

describe('the catalog', () => {
  const list = (...ids: string[]) => ({ ok: true as const, body: JSON.stringify({ data: ids.map((id) => ({ id })) }) });
  const refused = (status: number, headers = {}): { ok: false; failure: CopilotFailure } => ({
    ok: false,
    failure: readFailure(status, headers, ''),
  });
  type Answer = Awaited<ReturnType<ConstructorParameters<typeof Catalog>[0]['client']['getModels']>>;

  /** A catalog whose requests are answered by `answers` in turn, the last one for ever. */
  function open(...answers: (Answer | Promise<Answer>)[]) {
    const clock = new HandClock();
    const log = new LineLog();
    const asked = { count: 0 };
    const client = {
      getModels: async () => {
        const answer = answers[Math.min(asked.count, answers.length - 1)];
        asked.count += 1;
        if (!answer) throw new Error('no answer');
        return answer;
      },
    };
    const at: { way: Way } = { way: 'vscode' };
    const lists = new Map<Way, readonly string[]>();
    const listed = {
      save: (way: Way, ids: readonly string[]) => void lists.set(way, ids),
      of: (way: Way) => lists.get(way) ?? [],
    };
    const catalog = new Catalog({ client, clock, log, way: () => at.way, listed });
    const ids = async (options?: { refresh?: boolean }) => (await catalog.models(options)).map((model) => model.id);
    return { catalog, clock, log, asked, at, ids };
  }

  it('asks again after a read that threw', async () => {
    const { catalog, asked, ids } = open();
    await expect(ids()).rejects.toThrow('no answer');
    await expect(catalog.models()).rejects.toThrow('no answer');
    expect(asked.count).toBe(2);
  });

  it('remembers what was offered on the other way in', async () => {
    const offered = (id: string) => {
      const capabilities = { type: 'chat', supports: { tool_calls: true } };
      const body = JSON.stringify({ data: [{ id, model_picker_enabled: true, capabilities }, { id: 'hidden' }] });
      return { ok: true as const, body };
    };
    const { catalog, at, ids } = open(offered('a'), offered('b'), offered('c'));
    await ids();
    expect(catalog.elsewhere()).toEqual({ way: 'copilot-sdk', ids: [] });
    at.way = 'copilot-sdk';
    catalog.forget();
    await ids();
    expect(catalog.elsewhere()).toEqual({ way: 'vscode', ids: ['a'] });
    at.way = 'vscode';
    catalog.forget();
    await ids();
    expect(catalog.elsewhere()).toEqual({ way: 'copilot-sdk', ids: ['b'] });
  });

  it('B7.2 is read once for all who ask at the same time, and kept for 10 minutes', async () => {
    const { catalog, clock, asked, ids } = open(list('a'), list('b'));
    expect(catalog.known()).toBeNull();
    expect(catalog.readAt()).toBeNull();
    expect(await Promise.all([ids(), ids(), ids()])).toEqual([['a'], ['a'], ['a']]);
    const readAt = clock.now();
    clock.advance(10 * 60_000 - 1);
    expect(await ids()).toEqual(['a']);
    expect(catalog.readAt()).toBe(readAt);
    expect(asked.count).toBe(1);
    clock.advance(1);
    expect(await ids()).toEqual(['b']);
    expect(await ids({ refresh: true })).toEqual(['b']);
    expect(asked.count).toBe(3);
  });

  it.each([
    ['429', refused(429), 60_000],
    ['429 with a wait', refused(429, { 'retry-after': '300' }), 300_000],
    ['503', refused(503), 60_000],
    ['no JSON', { ok: true as const, body: '<html>' }, 60_000],
    ['no list', { ok: true as const, body: '{"data":{}}' }, 60_000],
  ])('B7.3 A5.4 %s keeps the old list, and Copilot has its pause', async (_name, trouble, pause) => {
    const { clock, asked, ids } = open(list('old'), trouble, list('new'));
    await ids();
    clock.advance(10 * 60_000);
    expect(await ids()).toEqual(['old']);
    clock.advance(pause - 1);
    expect(await ids()).toEqual(['old']);
    expect(await ids({ refresh: true })).toEqual(['old']);
    expect(asked.count).toBe(2);
    clock.advance(1);
    expect(await ids()).toEqual(['new']);
  });

  it('B7.3 A5.4 a lost network keeps the old list for a minute; who asks for a new one is not held up', async () => {
    const lost = { ok: false as const, failure: { ...refused(500).failure, status: null } };
    const { clock, asked, ids } = open(list('old'), lost, lost, list('new'));
    await ids();
    clock.advance(10 * 60_000);
    expect([await ids(), await ids(), asked.count]).toEqual([['old'], ['old'], 2]);
    expect([await ids({ refresh: true }), asked.count]).toEqual([['old'], 3]);
    clock.advance(60_000 - 1);
    expect([await ids(), asked.count]).toEqual([['old'], 3]);
    expect(await ids({ refresh: true })).toEqual(['new']);
  });

  it('A5.4 without an old list the failure is said, and a 429 is not asked again at once', async () => {
    const { asked, clock, ids } = open(refused(429), list('new'));
    await expect(ids()).rejects.toMatchObject({ name: 'CatalogError', failure: { status: 429 } });
    await expect(ids()).rejects.toBeInstanceOf(CatalogError);
    expect(asked.count).toBe(1);
    clock.advance(60_000);
    expect(await ids()).toEqual(['new']);
  });

  it('B7.1 a malformed list without an old one is an error that names it', async () => {
    const { ids } = open({ ok: true, body: '' });
    await expect(ids()).rejects.toMatchObject({
      failure: { code: 'malformed_catalog', message: 'the list of models is no JSON' },
    });
  });

  it('a refused account is said even where there is an old list', async () => {
    const { clock, ids } = open(list('old'), refused(403));
    await ids();
    clock.advance(10 * 60_000);
    await expect(ids()).rejects.toMatchObject({ failure: { status: 403 } });
  });

  it('forgotten for another account: a list that comes late is not kept', async () => {
    const late = gate();
    const { catalog, ids } = open(
      late.opened.then(() => list('old')),
      list('new'),
    );
    const first = ids();
    catalog.forget();
    late.open();
    expect(await first).toEqual(['old']);
    expect(catalog.known()).toBeNull();
    expect(await ids()).toEqual(['new']);
  });

  it('the recorded catalog comes through', async () => {
    const { ids } = open({ ok: true, body: sample(recorded) });
    expect(await ids()).toHaveLength(39);
  });
});
