import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRule } from '../../../app/api/rules.ts';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import type { Reply } from '../../../app/simulator/script.ts';
import { soon } from '../../soon.ts';
import { eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/** A person's rules and fallbacks, over the real server and the simulator. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const set = (...rules: ModelRule[]) => stack.app.changePreferences({ models: { rules } });
const posts = () =>
  stack.simulator.requests.filter(({ method, service }) => method === 'POST' && service === 'copilot');
const sent = () => posts().map(({ path, body }) => [path, Object(body).model]);
const classed = (requestClass: string, session = 'aaaaaaaa-0000-4000-8000-000000000001') => ({
  'user-agent': 'claude-cli/2.1.328 (external, cli)',
  'x-claude-code-session-id': session,
  'x-claude-code-request-class': requestClass,
});
const refused = (status: number, code: string, message = 'no'): Reply => ({
  ...{ kind: 'answer', status },
  body: { error: { message, code } },
});
const overloaded = refused(429, 'model_overloaded');
const lastRow = async (count: number) => (await stack.rows(count)).at(-1) ?? expect.fail('no row');
const texts = (row: { fits: { code: string; text: string }[] }) =>
  row.fits.filter(({ code }) => code.includes('rule')).map(({ code, text }) => [code, text]);

describe('rules', () => {
  it('run requests of a class on a model of another family, translated, and leave the others', async () => {
    await set({ when: { class: 'subagent' }, use: { model: 'gpt-5-mini' } });
    const of = (requestClass: string) => stack.messages(prompt('hi', { model: 'opus' }), classed(requestClass));
    const answer = await of('subagent');
    expect([answer.status, eventsOf(answer.text)[0]?.data]).toEqual([
      200,
      // A rule is like an override: the client knows the name that it asked for.
      expect.objectContaining({ message: expect.objectContaining({ model: 'opus' }) }),
    ]);
    expect((await of('main')).status).toBe(200);
    expect(sent()).toEqual([
      ['/responses', 'gpt-5-mini'],
      ['/v1/messages', 'claude-opus-4.8'],
    ]);
    const rows = await stack.rows(2);
    expect(rows.map(({ askedModel, servedModel }) => [askedModel, servedModel])).toEqual([
      ['opus', 'gpt-5-mini'],
      ['opus', 'claude-opus-4.8'],
    ]);
    expect(rows.map(texts)).toEqual([[['model-rule', 'Your rule 1 (class subagent).']], []]);
  });

  it('count for each API, and for a count of tokens', async () => {
    await set({ when: { model: 'sonnet' }, use: { model: 'claude-haiku-4.5' } });
    const json = { 'content-type': 'application/json' };
    const messages = [{ role: 'user', content: 'hi' }];
    const model = 'claude-sonnet-4.6';
    const asks = [
      ['/v1/messages', { model, max_tokens: 20, messages }],
      ['/v1/chat/completions', { model, messages }],
      ['/v1/responses', { model, input: 'hi' }],
      ['/v1/messages/count_tokens', { model, messages }],
    ] as const;
    for (const [path, body] of asks) {
      const answer = await stack.send({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    }
    expect(new Set(sent().map(([, id]) => id))).toEqual(new Set(['claude-haiku-4.5']));
  });

  it('of a client’s leave its embeddings on their own model', async () => {
    await set({ when: {}, use: { model: 'claude-haiku-4.5' } });
    const answer = await stack.send({
      ...{ method: 'POST', path: '/v1/embeddings', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ model: 'text-embedding-3-small', input: 'hi' }),
    });
    expect(answer.status).toBe(200);
    expect(sent()).toEqual([['/embeddings', 'text-embedding-3-small']]);
  });

  it('of a folder count for sessions that work in it', async () => {
    await set({ when: { folder: '/nowhere' }, use: { model: 'gpt-5-mini' } });
    await stack.messages(prompt('hi'), classed('main'));
    expect(sent()).toEqual([['/v1/messages', 'claude-sonnet-4.6']]);
  });

  it('set the effort in the words of each API, and say what was asked for', async () => {
    await set({ when: {}, use: { effort: 'low' } });
    const body = prompt('hi', { model: 'claude-opus-4.8', output_config: { effort: 'high' }, of_tomorrow: { a: [1] } });
    expect((await stack.messages(body)).status).toBe(200);
    expect(posts()[0]?.body).toMatchObject({ output_config: { effort: 'low' } });
    expect(texts(await lastRow(1))).toEqual([['rule-effort', 'rule 1 (all requests): effort high → low']]);
    const chat = { model: 'gpt-5.4', reasoning_effort: 'high', messages: [{ role: 'user', content: 'hi' }] };
    await stack.send({
      ...{ method: 'POST', path: '/v1/chat/completions', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(chat),
    });
    const last = Object(posts().at(-1)?.body);
    expect(last.reasoning_effort ?? last.reasoning?.effort).toBe('low');
  });

  it('change a large body of Claude Code’s without touching the rest of it', async () => {
    await set({ when: {}, use: { effort: 'low' } });
    const long = 'words '.repeat(4_000);
    await stack.messages(prompt(long, { model: 'claude-opus-4.8', output_config: { effort: 'high' } }));
    expect(posts()[0]?.body).toMatchObject({
      ...{ model: 'claude-opus-4.8', output_config: { effort: 'low' } },
      messages: [{ role: 'user', content: long }],
    });
  });

  it('whose model is not in the catalog answer with the rule and where to change it, and send nothing', async () => {
    await set({ when: {}, use: { model: 'gpt-9', fallback: 'claude-haiku-4.5' } });
    const answer = await stack.messages(prompt('hi'));
    expect([answer.status, answer.text]).toEqual([
      404,
      expect.stringContaining(
        'Rule 1 (all requests) names “gpt-9”: Copilot has no model \\"gpt-9\\" for this account. Change the rule in ' +
          'Settings → Rules (models.rules in settings.json).',
      ),
    ]);
    expect(posts()).toEqual([]);
    await soon(() => expect(stack.app.state().goneModels).toMatchObject([{ model: 'gpt-9', rule: 1, runsOn: null }]));
    expect(await stack.app.check('copilot.models')).toMatchObject({
      verdict: 'warning',
      finding: 'gpt-9 isn’t in your catalog; rule 1 names it.',
    });
  });

  it('whose account is not there answer with that, and send nothing with another one', async () => {
    await set({ when: {}, use: { account: 'work' } });
    const answer = await stack.messages(prompt('hi'));
    expect([answer.status, answer.headers['x-should-retry'], answer.text]).toEqual([
      403,
      'false',
      expect.stringContaining('names the account “work”, but there is no account of this name.'),
    ]);
    expect(posts()).toEqual([]);
  });

  it('that were mistyped cost no other rule, and stay at their place when another setting is changed', async () => {
    const [first, second] = [
      { when: { client: 'a' }, use: { model: 'opus' } },
      { when: {}, use: { model: 'gpt-5-mini' } },
    ];
    const wrong = { when: { clint: 'b' }, use: { model: 'opus' } };
    const path = join(stack.home, 'settings.json');
    await set();
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), models: { rules: [first, wrong, second] } }),
    );
    await soon(() =>
      expect(
        stack.app
          .warnings()
          .map(({ text }) => text)
          .join(),
      ).toContain('entry 2 of models.rules can’t be used'),
    );
    expect(stack.app.preferences().models.rules).toEqual([first, second]);
    await stack.messages(prompt('hi'));
    expect(sent()).toEqual([['/responses', 'gpt-5-mini']]);
    await stack.app.changePreferences({ theme: 'dark' });
    expect(JSON.parse(readFileSync(path, 'utf8')).models.rules).toEqual([first, wrong, second]);
    const third = { when: { model: 'x' }, use: { effort: 'low' as const } };
    await set(first ?? third, second ?? third, third);
    expect(JSON.parse(readFileSync(path, 'utf8')).models.rules).toEqual([first, wrong, second, third]);
  });
});

describe('who started it', () => {
  const tool = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
  const turns = [
    { messages: [{ role: 'user', content: 'do it' }] },
    {
      messages: [
        { role: 'user', content: 'do it' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [tool] },
      ],
    },
  ];
  const tools = [{ name: 'Bash', input_schema: { type: 'object', properties: {} } }];

  const use = fc.constantFrom(
    { model: 'gpt-5-mini' },
    { model: 'claude-haiku-4.5', effort: 'low' as const },
    { model: 'gpt-5.4', fallback: 'claude-haiku-4.5' },
    { limit: { credits: 1_000, per: 'day' as const, action: 'stop' as const } },
  );
  const whens = fc.constantFrom<ModelRule['when']>(
    ...[{}, { model: 'opus' }, { class: 'subagent' as const }, { class: 'main' as const }, { client: 'test' }],
  );
  const lists = fc.array(fc.record({ when: whens, use }), { minLength: 1, maxLength: 3 });
  const asks = fc.array(
    fc.record({
      turn: fc.constantFrom(...turns),
      class: fc.constantFrom('main', 'subagent', 'auxiliary'),
      model: fc.constantFrom('opus', 'claude-sonnet-4.6'),
    }),
    { minLength: 1, maxLength: 4 },
  );

  it('is the same with and without any rule, for Copilot and in the log', async () => {
    let sessions = 0;
    const told = async (
      rules: ModelRule[],
      conversation: readonly { turn: object; class: string; model: string }[],
    ) => {
      await set(...rules);
      sessions += 1;
      const session = `aaaaaaaa-0000-4000-8000-${String(sessions).padStart(12, '0')}`;
      const before = posts().length;
      for (const { turn, model, class: requestClass } of conversation)
        await stack.messages({ model, max_tokens: 50, stream: true, tools, ...turn }, classed(requestClass, session));
      const rows = (await stack.app.exchanges({ limit: 100 })).filter((row) => row.session === session);
      const sent = posts().slice(before);
      return {
        sent: sent.map(({ initiator, headers }) => [initiator, headers['x-interaction-type']]),
        said: rows.map(({ initiator, reason }) => [initiator, reason]),
      };
    };
    const seen = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(lists, asks, async (rules, conversation) => {
        const without = await told([], conversation);
        expect(await told(rules, conversation)).toEqual(without);
        for (const [initiator] of without.sent) seen.add(initiator);
      }),
      { numRuns: 25 },
    );
    expect(seen).toEqual(new Set(['user', 'agent']));
  });

  it('stays with a fallback: a prompt that was refused is a prompt again', async () => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.next(overloaded);
    await stack.messages(prompt('hi'));
    expect(posts().map(({ initiator }) => initiator)).toEqual(['user', 'user']);
  });
});

describe('a limit of a rule', () => {
  const limit = { credits: 0.01, per: 'day', action: 'stop' } as const;
  const subagents = { when: { class: 'subagent' as const }, use: { limit } };

  it('refuses the requests that follow the rule once they used it up, and no others; their rows say which rule', async () => {
    await set(subagents);
    const of = (requestClass: string) => stack.messages(prompt('hi'), classed(requestClass));
    expect([(await of('main')).status, (await of('subagent')).status]).toEqual([200, 200]);
    const refused = await of('subagent');
    expect([refused.status, refused.headers['x-should-retry'], Number(refused.headers['retry-after']) > 60]).toEqual([
      ...[429, 'false', true],
    ]);
    expect(refused.json()).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^Jumpseat: held back because the rule for class subagent has used \d\.\d+ of its 0\.01 credits for today\. They start anew on .*\. Raise them in Settings → Rules \(models\.rules in settings\.json\) to go on now\.$/,
        ),
      },
    });
    expect((await of('main')).status).toBe(200);
    expect(posts()).toHaveLength(3);
    const rows = await stack.rows(4);
    expect(rows.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      [undefined, 'done'],
      [{ class: 'subagent' }, 'done'],
      [{ class: 'subagent' }, 'failed'],
      [undefined, 'done'],
    ]);
    // It is a limit as all others, wherever these are told.
    expect(stack.app.state().ownLimits).toMatchObject([
      { setting: 'creditsPerDay', scope: { rule: { class: 'subagent' } }, most: 0.01, stops: true, month: null },
    ]);
    expect(stack.app.state().health.problem).toBeNull();
    const tried = await stack.app.tryRules({ model: 'opus', class: 'subagent' });
    expect(tried).toMatchObject({ rule: 1, model: null, remedy: expect.stringContaining('Settings → Rules') });
    expect(tried.sentences.at(-1)).toMatch(/^It would be refused: the rule for class subagent has used /);
    expect((await stack.app.tryRules({ model: 'opus' })).sentences.join(' ')).not.toContain('limit');
  });

  it('that warns refuses nothing, and holds from what was used before it was set', async () => {
    await set({ when: {}, use: { effort: 'low' } });
    await stack.messages(prompt('one'));
    await set({ when: {}, use: { effort: 'low', limit: { ...limit, action: 'warn' } } });
    expect((await stack.messages(prompt('two'))).status).toBe(200);
    const { sentences, model } = await stack.app.tryRules({ model: 'claude-sonnet-4.6' });
    expect([sentences.join(' '), model]).toEqual([
      expect.stringMatching(
        /Your limit is used up and only warns: \d\.\d+ of 0\.01 credits used today for the rule for all req/,
      ),
      'claude-sonnet-4.6',
    ]);
    await set({ when: {}, use: { limit } });
    expect((await stack.messages(prompt('three'))).status).toBe(429);
  });

  it('holds for its fallback, for each API and for embeddings, and leaves a count of tokens', async () => {
    await set({ when: {}, use: { limit, fallback: 'claude-haiku-4.5' } });
    await stack.messages(prompt('one'));
    const headers = { 'content-type': 'application/json' };
    const messages = [{ role: 'user', content: 'hi' }];
    const asks = [
      ['/v1/messages', { model: 'opus', max_tokens: 20, messages }, 429],
      ['/v1/chat/completions', { model: 'gpt-5-mini', messages }, 429],
      ['/v1/responses', { model: 'gpt-5-mini', input: 'hi' }, 429],
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }, 429],
      ['/v1/messages/count_tokens', { model: 'opus', messages }, 200],
    ] as const;
    for (const [path, body, status] of asks) {
      const answer = await stack.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });
});

describe('a fallback', () => {
  const triggers: [string, Reply, string][] = [
    ['is overloaded (429)', overloaded, 'overloaded'],
    ['is overloaded (529)', refused(529, 'overloaded_error'), 'overloaded'],
    ['is at its limit', refused(429, 'user_model_rate_limited'), 'its limit is reached'],
    ['is refused by policy', refused(400, 'model_not_supported'), 'Copilot doesn’t serve it to this account'],
  ];
  it.each(triggers)('answers where the first model %s, and row and answer name it', async (_name, reply, why) => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.next(reply);
    const answer = await stack.messages(prompt('hi'));
    expect([answer.status, eventsOf(answer.text)[0]?.data]).toEqual([
      200,
      expect.objectContaining({ message: expect.objectContaining({ model: 'claude-haiku-4.5' }) }),
    ]);
    expect(sent()).toEqual([
      ['/v1/messages', 'claude-sonnet-4.6'],
      ['/v1/messages', 'claude-haiku-4.5'],
    ]);
    const row = await lastRow(1);
    expect(row).toMatchObject({ askedModel: 'claude-sonnet-4.6', servedModel: 'claude-haiku-4.5', outcome: 'done' });
    expect(row.attempts.map(({ retriedBecause }) => retriedBecause)).toEqual(['fallback', null]);
    expect(texts(row)).toEqual([
      ['rule-fallback', `rule 1 (all requests): model claude-sonnet-4.6 → claude-haiku-4.5 (${why})`],
    ]);
  });

  it('of another family answers each API in its words, with its name', async () => {
    await set({ when: {}, use: { fallback: 'gpt-5-mini' } });
    const json = { 'content-type': 'application/json' };
    const asks = [
      ['/v1/messages', { max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
      ['/v1/responses', { input: 'hi' }],
    ] as const;
    for (const [path, body] of asks) {
      stack.simulator.script.next(overloaded);
      const whole = JSON.stringify({ model: 'claude-sonnet-4.6', ...body });
      const answer = await stack.send({ method: 'POST', path, headers: json, body: whole });
      expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ model: 'gpt-5-mini' })]);
    }
  });

  it('is asked at once where the first model is switched off', async () => {
    stack.simulator.script.setPolicy('claude-sonnet-4.6', 'disabled');
    await stack.app.models({ refresh: true });
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect(sent()).toEqual([['/v1/messages', 'claude-haiku-4.5']]);
    expect(texts(await lastRow(1))).toEqual([
      ['rule-fallback', 'rule 1 (all requests): model claude-sonnet-4.6 → claude-haiku-4.5 (off for this account)'],
    ]);
  });

  it('is asked where a limit of the person’s for the first model is used up, and no other limit', async () => {
    const rules = [{ model: 'sonnet', credits: 0.01, per: 'day', action: 'stop' } as const];
    await stack.app.changePreferences({ limits: { rules } });
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    const tried = () => stack.app.tryRules({ model: 'claude-sonnet-4.6' });
    expect(await tried()).toMatchObject({
      model: 'claude-sonnet-4.6',
      sentences: expect.arrayContaining([
        'It counts for your limit: 0 of 0.01 credits used today for models containing sonnet.',
        'If Copilot refuses that model or your limit for it is used up, claude-haiku-4.5 would be asked.',
      ]),
    });
    await stack.messages(prompt('one'));
    const used = /^Your limit is used up: \d\.\d+ of 0\.01 credits used today for models containing sonnet\.$/;
    expect(await tried()).toMatchObject({
      ...{ model: 'claude-haiku-4.5', remedy: null },
      sentences: expect.arrayContaining([expect.stringMatching(used), 'Its fallback would be used: claude-haiku-4.5.']),
    });
    await stack.messages(prompt('two'));
    expect(sent().map(([, id]) => id)).toEqual(['claude-sonnet-4.6', 'claude-haiku-4.5']);
    await stack.app.changePreferences({ limits: { creditsPerDay: 0.01 } });
    expect(await tried()).toMatchObject({
      model: null,
      sentences: expect.arrayContaining([expect.stringMatching(/^It would be refused: .* credits you allow/)]),
      remedy: expect.stringContaining('Raise them in Settings → Limits'),
    });
    expect((await stack.messages(prompt('three'))).status).toBe(429);
    expect(posts()).toHaveLength(2);
  });

  it('does not get round a limit of the person’s for itself', async () => {
    await stack.messages(prompt('one', { model: 'claude-haiku-4.5' }));
    const rules = [{ model: 'haiku', credits: 0.001, per: 'day', action: 'stop' } as const];
    await stack.app.changePreferences({ limits: { rules } });
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.next(overloaded);
    expect((await stack.messages(prompt('two'))).status).toBe(529);
    expect(sent().map(([, id]) => id)).toEqual(['claude-haiku-4.5', 'claude-sonnet-4.6']);
  });

  it.each([500, 502, 504])('is not asked after a %i: the first model may be at work', async (status) => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.next(refused(status, 'model_overloaded'));
    expect((await stack.messages(prompt('hi'))).status).toBe(status);
    expect(posts()).toHaveLength(1);
  });

  it('is not asked once the answer has begun', async () => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    const errorEvent = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    stack.simulator.script.next({ kind: 'usual', cutAfter: 3, errorEvent });
    const answer = await stack.messages(prompt('hi'));
    expect(answer.text).toContain('event: error');
    expect(posts()).toHaveLength(1);
  });

  it('is not asked without a rule that names one', async () => {
    stack.simulator.script.next(overloaded);
    expect((await stack.messages(prompt('hi'))).status).toBe(529);
    expect(posts()).toHaveLength(1);
  });

  it('that is refused as well leaves the client the refusal of the first, and the row names that', async () => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.next(overloaded);
    stack.simulator.script.next(
      refused(400, 'model_max_prompt_tokens_exceeded', 'prompt token count of 9 exceeds the limit of 8'),
    );
    const answer = await stack.messages(prompt('hi'));
    expect([answer.status, answer.text]).toEqual([529, expect.stringContaining('overloaded')]);
    const row = await lastRow(1);
    expect(row).toMatchObject({ servedModel: 'claude-sonnet-4.6', outcome: 'failed' });
    expect(row.attempts.map(({ status }) => status)).toEqual([429, 400]);
    expect(texts(row)).toEqual([
      [
        'rule-fallback',
        'rule 1 (all requests): model claude-sonnet-4.6 → claude-haiku-4.5 (overloaded; refused as well)',
      ],
    ]);
  });

  it('is within the six requests of one of a client’s', async () => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    const fields = ['one', 'two', 'three', 'four'];
    for (const field of fields) stack.simulator.script.refuseField(field);
    const isBare = ({ body }: RecordedRequest) =>
      Object(body).model === 'claude-sonnet-4.6' && !fields.some((field) => field in Object(body));
    stack.simulator.script.always(overloaded, isBare);
    const more = Object.fromEntries(fields.map((field) => [field, 1]));
    expect((await stack.messages(prompt('hi', more))).status).toBe(529);
    expect(posts().map(({ status, body }) => [status, Object(body).model])).toEqual([
      ...fields.map(() => [400, 'claude-sonnet-4.6']),
      [429, 'claude-sonnet-4.6'],
      [400, 'claude-haiku-4.5'],
    ]);
  });

  it('learns what it refuses for itself alone', async () => {
    await set({ when: {}, use: { fallback: 'claude-haiku-4.5' } });
    stack.simulator.script.refuseField('one');
    stack.simulator.script.always(overloaded, ({ body }) => {
      return Object(body).model === 'claude-sonnet-4.6' && !('one' in Object(body));
    });
    expect((await stack.messages(prompt('hi', { one: 1 }))).status).toBe(200);
    expect((await stack.app.learned()).map(({ model }) => model)).toEqual(['claude-haiku-4.5']);
  });
});
