import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRule, RuleScope } from '../../../../app/api/rules.ts';
import { readCatalog } from '../../../../app/copilot/catalog.ts';
import { failureFromNetwork, readFailure, unusableAnswer } from '../../../../app/copilot/failures.ts';
import { scopeHolds } from '../../../../app/exchange/limits/scope.ts';
import {
  classOf,
  effortOf,
  isRefusal,
  reasonToFallBack,
  ruleFor,
  ruleNote,
  withEffort,
} from '../../../../app/exchange/model/rules.ts';
import { NetworkError } from '../../../../app/ports.ts';
import { isWithin } from '../../../../app/settings/files.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';
import { changes } from '../../../../app/words/request-changes.ts';

const models = readCatalog({ data: defaultModels() });
const modelOf = (id: string) => models.find((model) => model.id === id) ?? expect.fail(`${id} is not in the catalog`);

const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const scopes: fc.Arbitrary<RuleScope> = fc
  .record({
    client: some('codex', 'claude-code'),
    key: some('ci'),
    folder: some('/srv', '/home/me/shop'),
    class: some('main' as const, 'subagent' as const, 'auxiliary' as const),
    model: some('opus', 'SONNET', 'claude'),
  })
  .map((parts) => Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)));
const rules: fc.Arbitrary<ModelRule[]> = fc.array(fc.record({ when: scopes, use: fc.constant({ model: 'x' }) }), {
  maxLength: 6,
});
const requests = fc.record({
  client: fc.constantFrom('codex', 'claude-code', 'test'),
  key: fc.constantFrom('ci', 'other'),
  session: fc.constantFrom('/srv/a', '/home/me', null),
  class: fc.constantFrom('main', 'subagent', 'compaction', 'auxiliary'),
  model: fc.constantFrom('opus', 'claude-sonnet-4-6', 'gpt-5.4', 'Claude-Opus'),
});
/** Sessions are called after their folders here. */
const folders = {
  isIn: ({ session }: { session: string | null }, folder: string) => session !== null && isWithin(session, folder),
};

describe('the rule of a request', () => {
  it('is the first one of which every part holds, and none where none does', () => {
    fc.assert(
      fc.property(rules, requests, (list, request) => {
        const found = ruleFor(list, request, folders);
        const before = list.slice(0, found === null ? list.length : found.place - 1);
        expect(before.filter(({ when }) => scopeHolds(when, request, folders))).toEqual([]);
        if (found === null) return;
        expect(list[found.place - 1]).toEqual({ when: found.when, use: found.use });
        expect(scopeHolds(found.when, request, folders)).toBe(true);
      }),
    );
  });

  it('is the same whatever stands behind it', () => {
    fc.assert(
      fc.property(rules, rules, requests, (list, more, request) => {
        const found = ruleFor(list, request, folders);
        if (found !== null) expect(ruleFor([...list, ...more], request, folders)).toEqual(found);
      }),
    );
  });

  it('with nothing named is for every request, and each named part makes it for fewer', () => {
    fc.assert(
      fc.property(scopes, requests, (when, request) => {
        expect(scopeHolds({}, request, folders)).toBe(true);
        const parts = Object.entries(when).map(([name, value]) => scopeHolds({ [name]: value }, request, folders));
        expect(scopeHolds(when, request, folders)).toBe(parts.every(Boolean));
      }),
    );
  });
});

describe('the class that a rule sees', () => {
  const shown = { requestClass: null, hasSubagentSystem: false, side: null, newContent: { endsWithCompaction: false } };
  const read = (more: object) => classOf({ ...shown, ...more } as Parameters<typeof classOf>[0]);
  it('is what Claude Code names', () => {
    const named = ['main', 'subagent', 'workflow', 'compaction', 'auxiliary', 'side_reply', 'of a later release'];
    expect(named.map((requestClass) => read({ requestClass }))).toEqual([
      ...['main', 'subagent', 'subagent', 'compaction', 'auxiliary', 'auxiliary', 'main'],
    ]);
  });
  it('is read from the request where nothing is named', () => {
    expect(read({})).toBe('main');
    expect(read({ hasSubagentSystem: true })).toBe('subagent');
    expect(read({ newContent: { endsWithCompaction: true } })).toBe('compaction');
    expect(read({ side: { kind: 'title', proof: 'shape' } })).toBe('auxiliary');
    expect(read({ side: { kind: 'title', proof: 'name' } })).toBe('main');
  });
});

describe('the effort of a rule', () => {
  const apis = ['messages', 'chat', 'responses'] as const;
  it('is the only thing that changes: unknown fields pass, and the request that was given stays', () => {
    const known = ['output_config', 'reasoning', 'reasoning_effort', 'messages'];
    const bodies = fc.dictionary(
      fc.string().filter((name) => !known.includes(name) && name !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(bodies, fc.constantFrom(...apis), (body, api) => {
        const before = structuredClone(body);
        const changed = withEffort(body, api, 'low');
        expect(effortOf(changed, api)).toBe('low');
        expect(body).toEqual(before);
        const field = { messages: 'output_config', chat: 'reasoning_effort', responses: 'reasoning' }[api];
        const { [field]: _effort, ...rest } = changed;
        expect(rest).toEqual(before);
      }),
    );
  });

  it('leaves what else its field holds, and counts more than the effort of a single message', () => {
    const format = { type: 'json_schema' };
    const messages = [{ role: 'system', content: 'x', output_config: { effort: 'max', format } }];
    expect(withEffort({ output_config: { effort: 'high', format }, messages }, 'messages', 'low')).toEqual({
      output_config: { effort: 'low', format },
      messages: [{ role: 'system', content: 'x', output_config: { format } }],
    });
    const reasoning = { summary: 'auto', effort: 'high' };
    expect(withEffort({ reasoning }, 'responses', 'low')).toEqual({ reasoning: { summary: 'auto', effort: 'low' } });
  });
});

describe('the second model', () => {
  const github = { 'x-github-request-id': 'A:1' };
  const refusal = (status: number, code: string | null, headers: Record<string, string> = github) =>
    readFailure(status, headers, JSON.stringify({ error: { message: 'no', ...(code !== null && { code }) } }));
  const haiku = modelOf('claude-haiku-4.5');

  it('is asked where Copilot refused the first for a reason of its own', () => {
    const told = [
      [429, 'model_overloaded', 'overloaded'],
      [429, 'user_model_rate_limited', 'its limit is reached'],
      [429, 'upstream_provider_rate_limit', 'its provider is at its limit'],
      [503, 'model_overloaded', 'overloaded'],
      [529, 'overloaded_error', 'overloaded'],
      [529, null, 'overloaded'],
      [400, 'model_not_supported', 'Copilot doesn’t serve it to this account'],
    ] as const;
    for (const [status, code, why] of told) expect(reasonToFallBack(refusal(status, code), haiku)).toBe(why);
  });

  it('is not asked where the first may have been at work, nor where a limit is the account’s', () => {
    const kept = [
      ...[500, 502, 503, 504].map((status) => refusal(status, null)),
      readFailure(503, {}, '<html><title>Service unavailable</title></html>'),
      refusal(504, 'model_overloaded'),
      failureFromNetwork(new NetworkError('host', 'ECONNRESET', 'reset')),
      failureFromNetwork(new NetworkError('host', 'TIMEOUT', 'silence')),
      unusableAnswer(200, 'broken', 'x'),
      refusal(503, 'some_error'),
      ...['user_global_rate_limited', 'user_weekly_rate_limited', 'integration_rate_limited'].map((code) =>
        refusal(429, code),
      ),
      ...['agent_mode_limit_exceeded', 'extension_blocked', 'rate_limited'].map((code) => refusal(429, code)),
      refusal(402, 'quota_exceeded'),
      refusal(400, 'invalid_request_body'),
      refusal(403, null),
    ].flat();
    for (const failure of kept) expect(reasonToFallBack(failure, haiku)).toBeNull();
  });

  it('is asked where no premium requests are left only if it needs none', () => {
    const included = { ...haiku, price: { kind: 'multiplier', multiplier: 0, premium: false } as const };
    const other = { ...haiku, price: { kind: 'multiplier', multiplier: 0.33, premium: true } as const };
    expect(reasonToFallBack(refusal(402, 'quota_exceeded'), included)).toBe('no premium requests are left');
    expect(reasonToFallBack(refusal(402, 'quota_exceeded'), other)).toBeNull();
  });

  it('gives its place back only where it refused as well', () => {
    expect([400, 404, 413, 429, 529].map((status) => isRefusal(refusal(status, null)))).toEqual(Array(5).fill(true));
    expect(isRefusal(refusal(503, 'model_overloaded'))).toBe(true);
    expect([500, 502, 503, 504].map((status) => isRefusal(refusal(status, null)))).toEqual(Array(4).fill(false));
    expect(isRefusal(failureFromNetwork(new NetworkError('host', 'TIMEOUT', 'silence')))).toBe(false);
  });
});

it('what a rule changed is said with its place and what it is for', () => {
  const rule = { place: 2, when: { client: 'codex', class: 'subagent', folder: '/a (b)' }, use: {} } as const;
  const said = changes([
    { code: 'model-rule', count: 1, text: 'Your rule 2 (client codex).' },
    { code: 'model', count: 1, text: 'model opus → gpt-5.4' },
    ruleNote(rule, 'effort', 'effort high → low'),
    ruleNote(rule, 'effort', 'effort low'),
    ruleNote(rule, 'account', 'account work at home'),
    ruleNote(rule, 'fallback', 'model claude-opus-4.8 → gpt-5.4 (overloaded)'),
  ]);
  const of = 'rule 2 (client codex, folder /a (b), class subagent)';
  expect(said.map(({ verb, field, before, after, because }) => [verb, field, before, after, because])).toEqual([
    ['Replaced', 'model', 'opus', 'gpt-5.4', 'Your rule 2 (client codex).'],
    ['Replaced', 'effort', 'high', 'low', `Your ${of}.`],
    ['Changed', 'effort: low', null, null, `Your ${of}.`],
    ['Changed', 'account: work at home', null, null, `Your ${of}.`],
    ['Replaced', 'model', 'claude-opus-4.8', 'gpt-5.4', `The fallback of your ${of}: overloaded.`],
  ]);
});
