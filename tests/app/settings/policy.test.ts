import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { SettingRow } from '../../../app/api/setting-table.ts';
import type { ManagedRule } from '../../../app/api/settings.ts';
import { readEnvironment } from '../../../app/environment.ts';
import { parsePolicy, policyRows, readPolicy, systemPolicy, underRule } from '../../../app/settings/policy.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { variablesUnderPolicy } from '../../../app/variables-under-policy.ts';
import { verdictSentence } from '../../../app/words/checks.ts';
import { temporaryFolder } from '../adapters/folder.ts';
import { startStack } from '../stack.ts';

const unix = it.skipIf(process.platform === 'win32');
const bare = (shape: unknown): unknown =>
  shape instanceof z.ZodNullable || shape instanceof z.ZodOptional ? bare(shape.unwrap()) : shape;
const at = (settings: object, name: string): unknown =>
  name.split('.').reduce<unknown>((held, key) => Reflect.get(Object(held), key), settings);

interface Machine {
  path: string;
  settings: string;
  write(rules: Record<string, unknown>): void;
  open(): SettingsStore;
}

/** A machine whose administrator is who runs the tests. */
function machine(): Machine {
  const folder = temporaryFolder();
  const path = join(folder, 'etc', 'policy.json');
  const settings = join(folder, 'home', 'settings.json');
  for (const one of [path, settings]) mkdirSync(dirname(one), { mode: 0o755 });
  return {
    path,
    settings,
    write: (rules) => {
      writeFileSync(`${path}.new`, JSON.stringify({ version: 1, organization: 'Octo', settings: rules }), {
        mode: 0o644,
      });
      renameSync(`${path}.new`, path);
    },
    open: () => {
      const source = { paths: [path], owner: process.getuid?.() ?? null, convert: () => '' };
      const { store } = SettingsStore.open(settings, { write: () => undefined }, null, source);
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** Two values that a row can have, and that differ. */
function twoValues(name: string, { shape }: SettingRow): [unknown, unknown] {
  const inner = bare(shape);
  if (name === 'limits.rules') return [[], [{ client: 'a', credits: 1, per: 'day', action: 'warn' }]];
  if (name === 'models.rules') return [[], [{ when: { client: 'a' }, use: { model: 'claude-sonnet-4.6' } }]];
  if (name === 'otlp.endpoint' || name === 'search.searxngUrl') return ['https://a.example', 'https://b.example'];
  if (name === 'githubHost') return ['a.ghe.com', 'b.ghe.com'];
  if (name === 'network.proxyScript') return ['https://a.example/p', 'https://b.example/p'];
  if (name === 'network.caFile') return ['/a.pem', '/b.pem'];
  if (name === 'proxy.address') return ['192.0.2.1', '192.0.2.2'];
  if (name === 'modelOverrides') return [{ a: 'b' }, { a: 'c' }];
  if (name === 'limits.noticesAt') return [[10], [20]];
  if (name === 'search.engines') return [['off'], ['github']];
  if (name === 'quotaThresholds.warning') return [50, 60];
  if (name === 'quotaThresholds.alarm') return [96, 97];
  if (inner instanceof z.ZodBoolean) return [true, false];
  if (inner instanceof z.ZodEnum) return [inner.options[0], inner.options[1]];
  if (inner instanceof z.ZodNumber) return [Number(inner.minValue ?? 1) + 1, Number(inner.minValue ?? 1) + 2];
  if (inner instanceof z.ZodArray) return [['a'], ['b']];
  return ['aa', 'bb'];
}

const changeOf = (name: string, value: unknown): object => {
  const [group = name, key] = name.split('.');
  return { [group]: key === undefined ? value : { [key]: value } };
};

describe('every setting', () => {
  it.each([...policyRows])('can be fixed, and then nothing else sets it: %s', async (name, row) => {
    const { write, settings, open } = machine();
    const [theirs, mine] = twoValues(name, row);
    for (const value of [theirs, mine]) expect([value, row.shape.safeParse(value).success]).toEqual([value, true]);
    writeFileSync(settings, JSON.stringify(changeOf(name, mine)));
    write({ [name]: { value: theirs } });
    const store = open();
    expect(store.policyProblem).toBe(null);
    expect(at(store.current(), name)).toEqual(theirs);

    const [group = name, key] = name.split('.');
    const patch = (value: unknown) => (before: object) =>
      key === undefined ? { [group]: value } : { [group]: { ...Object(Reflect.get(before, group)), [key]: value } };
    // What the person wrote stays theirs, in force again once the rule is gone.
    await store.update({ welcomedAt: 5 });
    expect(at(JSON.parse(readFileSync(settings, 'utf8')), name)).toEqual(mine);
    expect(at(store.current(), name)).toEqual(theirs);
    await store.update(patch(theirs));
    await expect(store.update(patch(mine))).rejects.toThrow('is set by your organization');
    expect(at(store.current(), name)).toEqual(theirs);
  });

  it.each([...policyRows].filter(([, { shape }]) => bare(shape) instanceof z.ZodNumber))(
    'that is a number can be bounded: %s',
    (name, row) => {
      const [least = 0, most = 0] = twoValues(name, row).map(Number);
      const rule: ManagedRule = { min: least, max: most };
      parsePolicy('p', JSON.stringify({ version: 1, settings: { [name]: rule } }));
      fc.assert(
        fc.property(fc.oneof(fc.integer(), fc.constant(null)), (value) => {
          const found = underRule(rule, row, value);
          return typeof found === 'number' && found >= least && found <= most;
        }),
      );
    },
  );

  it.each([...policyRows].filter(([, { shape }]) => bare(shape) instanceof z.ZodEnum))(
    'that is a choice can be left with some: %s',
    (name, row) => {
      const inner = bare(row.shape);
      const options = inner instanceof z.ZodEnum ? inner.options : [];
      for (const one of options) {
        const rule: ManagedRule = { allowed: [one] };
        parsePolicy('p', JSON.stringify({ version: 1, settings: { [name]: rule } }));
        for (const other of options) expect(underRule(rule, row, other)).toBe(one);
      }
    },
  );

  it('that is a list is left with what is allowed of it', () => {
    const row = policyRows.get('search.engines');
    if (row === undefined) throw new Error('There is no such row.');
    expect(underRule({ allowed: ['github', 'off'] }, row, ['copilot', 'github'])).toEqual(['github']);
    expect(underRule({ allowed: ['off'] }, row, ['copilot', 'github'])).toEqual([]);
  });
});

describe('the file', () => {
  const broken = (text: string): string => {
    try {
      parsePolicy('/etc/p.json', text);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  it.each([
    ['{\n  "version": 1,\n  oops\n}', 'it isn’t valid JSON (line 3)'],
    ['{"version":2,"settings":{}}', 'look at version'],
    ['{"version":1}', 'look at settings'],
    ['{"version":1,"settings":{},"sttings":{}}', 'which holds sttings'],
    ['{"version":1,"settings":{"no.such":{"value":1}}}', 'settings.no.such is no setting'],
    ['{"version":1,"settings":{"account":{"value":null}}}', 'settings.account is no setting'],
    ['{"version":1,"settings":{"theme":"dark"}}', 'settings.theme has to hold either "value"'],
    ['{"version":1,"settings":{"theme":{"value":"dark","max":1}}}', 'settings.theme has to hold'],
    ['{"version":1,"settings":{"theme":{"value":"pink"}}}', 'settings.theme.value is no value that theme can have'],
    ['{"version":1,"settings":{"theme":{"max":1}}}', 'settings.theme is no number'],
    ['{"version":1,"settings":{"historyDays":{"min":5,"max":4}}}', 'settings.historyDays.min is above'],
    ['{"version":1,"settings":{"historyDays":{"max":0}}}', 'settings.historyDays.max is no value'],
    ['{"version":1,"settings":{"theme":{"allowed":["dark","pink"]}}}', 'settings.theme.allowed.1 is no value'],
    ['{"version":1,"settings":{"otlp.endpoint":{"value":"http://a.example"}}}', 'settings.otlp.endpoint.value'],
    ['{"version":1,"settings":{"githubHost":{"value":"evil.example"}}}', 'settings.githubHost.value'],
  ])('that is broken names itself and the line or field (%s)', (text, why) => {
    expect(broken(text)).toContain('The policy /etc/p.json can’t be used: ');
    expect(broken(text)).toContain(why);
  });

  unix('counts only if the administrator owns it and its folder, and nobody else can write them', () => {
    const { path, write } = machine();
    write({ theme: { value: 'dark' } });
    const mine = process.getuid?.() ?? 0;
    const read = (owner: number) => readPolicy({ paths: [path], owner, convert: () => '' });
    expect(read(mine)?.rules).toEqual({ theme: { value: 'dark' } });
    expect(() => read(mine + 1)).toThrow(`belongs to uid ${mine}, and not to the administrator`);
    for (const [one, mode] of [
      [path, 0o666],
      [path, 0o664],
      [dirname(path), 0o777],
    ] as const) {
      chmodSync(one, mode);
      expect(() => read(mine)).toThrow(`others than the administrator can write ${one}`);
      chmodSync(one, 0o755);
    }
  });

  it('is in the system’s own places, which no variable changes; a property list is converted', () => {
    expect(systemPolicy('linux').paths).toEqual(['/etc/jumpseat/policy.json']);
    expect(systemPolicy('win32').paths).toEqual(['C:\\ProgramData\\Jumpseat\\policy.json']);
    expect(systemPolicy('darwin', 'octo').paths[0]).toBe(
      '/Library/Managed Preferences/octo/app.jumpseat.Jumpseat.plist',
    );
    expect(systemPolicy('darwin', '../..').paths).toHaveLength(2);
    const list = join(temporaryFolder(), 'a.plist');
    writeFileSync(list, 'bplist00');
    const convert = () => '{"version":1,"settings":{"theme":{"value":"dark"}}}';
    expect(readPolicy({ paths: [list], owner: null, convert })?.rules).toEqual({ theme: { value: 'dark' } });
  });
});

describe('variables', () => {
  const env = {
    JUMPSEAT_PORT: '5000',
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_SEARCH_ENGINES: 'github',
    JUMPSEAT_SEARXNG_URL: 'https://s.example',
    JUMPSEAT_GITHUB_URL: 'https://b.ghe.com',
    JUMPSEAT_GITHUB_TOKEN: `ghu_${'a'.repeat(36)}`,
  };
  it('change nothing that is managed, and are named', () => {
    const settings = {
      port: { value: 4180 },
      secretsStorage: { value: 'keychain' },
      'search.engines': { value: ['off'] },
      'search.searxngUrl': { value: null },
      githubHost: { value: 'a.ghe.com' },
    };
    const policy = parsePolicy('p', JSON.stringify({ version: 1, settings }));
    const found = variablesUnderPolicy(readEnvironment(env), policy);
    expect(found).toMatchObject({ port: null, storage: null, githubToken: null, githubFixedBy: null });
    expect(found.search).toMatchObject({ engines: null, addresses: {} });
    expect(found.github.web.host).toBe('github.com');
    const named = found.warnings.map(({ text }) => text.split(' ')[0]);
    expect(new Set(named)).toEqual(new Set(Object.keys(env)));
    expect(variablesUnderPolicy(readEnvironment(env), null)).toEqual(readEnvironment(env));
  });
});

describe('a Jumpseat under a policy', () => {
  async function served(rules: Record<string, unknown>, settings: object = {}) {
    const place = machine();
    place.write(rules);
    writeFileSync(place.settings, JSON.stringify(settings));
    const stack = await startStack({
      home: dirname(place.settings),
      idle: true,
      app: { settings: { store: place.open(), warnings: [] } },
    });
    onTestFinished(() => stack.close());
    return { ...place, ...stack };
  }
  const ask = (model: string) => ({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });

  it('has the models that it is left with, and no recording', async () => {
    const { app, key } = await served({ allowedModels: { value: ['claude-sonnet-4.6'] }, mayRecord: { value: false } });
    const { baseUrl } = await app.startProxy({ port: 0 });
    const post = (model: string) =>
      fetch(`${baseUrl}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}.test`, 'content-type': 'application/json' },
        body: JSON.stringify(ask(model)),
      });
    expect((await post('claude-sonnet-4.6')).status).toBe(200);
    for (const model of ['claude-opus-4.8', 'auto']) {
      const refused = await post(model);
      expect([model, refused.status]).toEqual([model, 404]);
      expect(await refused.text()).toContain('claude-sonnet-4.6');
    }
    await expect(async () => app.record(true)).rejects.toThrow('Bodies can’t be recorded');
    expect(app.state().recording.on).toBe(false);
    await expect(app.changePreferences({ theme: 'dark' })).resolves.toMatchObject({ theme: 'dark' });
    expect(await app.check('server.policy')).toMatchObject({
      verdict: 'passed',
      finding: expect.stringContaining('Set by Octo in'),
    });
  });

  it('says of a model that it hides whose rule that is, and never that Copilot lacks it', async () => {
    const rules = { allowedModels: { value: ['claude-sonnet-4.6', 'gpt-5-mini'] } };
    const { app, key, path, write } = await served(rules, {
      modelOverrides: { haiku: 'claude-haiku-4.5' },
      models: { rules: [{ when: { client: 'mytool' }, use: { model: 'claude-opus-4.8' } }] },
    });
    const { baseUrl } = await app.startProxy({ port: 0 });
    const refused = 'claude-opus-4.8 isn’t allowed by your organization (Octo).';
    for (const name of ['claude-opus-4.8', 'claude-opus-4-8-20260101', 'opus', 'claude-opus-9']) {
      const answer = await fetch(`${baseUrl}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}.test`, 'content-type': 'application/json' },
        body: JSON.stringify(ask(name)),
      });
      expect([name, answer.status, await answer.text()]).toEqual([name, 404, expect.stringContaining(refused)]);
      expect(await app.explainModel(name)).toMatchObject({
        kind: 'not-allowed',
        text: expect.stringContaining(refused),
      });
    }
    // A rule that names it: the request's own model is allowed.
    const byRule = await fetch(`${baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}.mytool`, 'content-type': 'application/json' },
      body: JSON.stringify(ask('claude-sonnet-4.6')),
    });
    expect([byRule.status, await byRule.text()]).toEqual([404, expect.stringContaining(refused)]);
    const [last] = await app.exchanges({ limit: 1 });
    expect(last?.failure).toMatchObject({
      code: 'rule-model-not-allowed',
      message: 'One of your rules names a model that your organization or your settings don’t allow.',
    });
    expect((await app.explainModel('claude-sonnet-4.6')).text).toContain(
      `Rule 1 (client mytool) names claude-opus-4.8, so its requests are refused: ${refused}`,
    );
    expect((await app.explainModel('gpt-9')).text).toContain('Copilot has no model "gpt-9"');
    const opus = (await app.models()).names.find(({ asked }) => asked === 'opus');
    expect(opus).toMatchObject({ model: null, absence: { kind: 'not-allowed', text: refused } });
    await expect(app.setOverride('opus', 'claude-opus-4.8')).rejects.toThrow(refused);
    await expect.poll(() => app.state().goneModels.length).toBe(2);
    expect((await app.check('copilot.models'))?.finding).toBe(
      'claude-haiku-4.5 isn’t allowed by your organization (Octo); “haiku” gets error 404 now. ' +
        'claude-opus-4.8 isn’t allowed by your organization (Octo); rule 1 names it.',
    );
    write({ allowedModels: { value: ['claude-sonnet-4.5'] } });
    await expect
      .poll(async () => (await app.explainModel('claude-sonnet-4.6')).text)
      .toContain(
        '"claude-sonnet-4.6" runs on claude-sonnet-4.5. claude-sonnet-4.6 isn’t allowed by your organization (Octo); ' +
          'this is the nearest lower version.',
      );
    writeFileSync(path, JSON.stringify({ version: 1, settings: rules }));
    await expect
      .poll(async () => (await app.explainModel('opus')).text)
      .toContain(`claude-opus-4.8 isn’t allowed by your organization (${path}).`);
  });

  it('asks no search engine that it hides, and says whose rule that is', async () => {
    const { app, key, write, simulator } = await served({ 'search.engines': { allowed: ['copilot', 'off'] } });
    expect(await app.search('latest node', { engine: 'tavily' })).toMatchObject({
      kind: 'failed',
      reason: 'Tavily isn’t allowed by your organization (Octo).',
    });
    expect(simulator.requests.filter(({ path }) => path.includes('search'))).toEqual([]);
    expect(await app.search('latest node')).toMatchObject({ kind: 'found', engine: 'copilot' });
    write({ 'search.engines': { value: ['off'] } });
    await expect
      .poll(async () => await app.search('latest node'))
      .toMatchObject({ kind: 'failed', reason: 'Web search isn’t allowed by your organization (Octo).' });
    const { baseUrl } = await app.startProxy({ port: 0 });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const { model, messages } = ask('claude-sonnet-4.6');
    for (const [route, body] of [
      ['/v1/messages', { ...ask('claude-sonnet-4.6'), tools }],
      ['/v1/chat/completions', { model, messages, web_search_options: {} }],
      ['/v1/chat/completions', { model: 'gpt-4.1', messages, web_search_options: {} }],
      ['/v1/alpha/search', { model, commands: { search_query: [{ q: 'x' }] } }],
    ] as const) {
      const answer = await fetch(`${baseUrl}${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}.test`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([route, answer.status, await answer.text()]).toEqual([
        route,
        400,
        expect.stringContaining(
          'Web search isn’t allowed by your organization (Octo). Ask those who manage this machine.',
        ),
      ]);
    }
  });

  it('keeps to its limits at once when they change, and says who set them', async () => {
    const { app, write } = await served({ historyDays: { max: 30 }, 'limits.creditsPerDay': { max: 100 } });
    await app.startProxy({ port: 0 });
    expect(app.preferences()).toMatchObject({ historyDays: 30, limits: { creditsPerDay: 100 } });
    await expect(app.changePreferences({ historyDays: 60 })).rejects.toThrow(
      '“Save request history” is limited by your organization.',
    );
    await expect(app.changePreferences({ historyDays: null })).rejects.toThrow('is limited by your organization.');
    expect((await app.changePreferences({ historyDays: 7 })).historyDays).toBe(7);
    write({ historyDays: { max: 5 } });
    await expect.poll(() => app.preferences().historyDays).toBe(5);
    expect(app.preferences()).toMatchObject({
      limits: { creditsPerDay: null },
      managed: { rules: { historyDays: { max: 5 } } },
    });
  });

  it('asks nothing for models, rules and searches while the policy is broken, and says why', async () => {
    const { app, path, simulator } = await served({});
    // What was known before isn't shown as usable either.
    await app.refresh();
    expect((await app.models()).models.length).toBeGreaterThan(0);
    const { quota } = app.state();
    expect(quota).not.toBe(null);
    writeFileSync(path, '{"version":1,');
    await expect.poll(() => app.warnings().map(({ code }) => code)).toContain('policy');
    const asked = simulator.requests.length;
    const reason = `The policy ${path} can’t be used: it isn’t valid JSON (line 1).`;
    const refusal = { kind: 'failed', reason };
    expect(await app.search('latest node')).toMatchObject(refusal);
    expect(await app.search('latest node', { engine: 'duckduckgo' })).toMatchObject(refusal);
    for (const ask of [
      () => app.models(),
      () => app.models({ refresh: true }),
      () => app.explainModel('opus'),
      () => app.tryRules({ model: 'opus' }),
      () => app.setOverride('opus', 'claude-sonnet-4.6'),
    ])
      await expect(ask()).rejects.toThrow(reason);
    expect(simulator.requests.slice(asked)).toEqual([]);
    expect(app.state().quota).toEqual(quota);
  });

  it('serves nothing while the policy is broken, says so, and goes on when it is mended', async () => {
    const { app, path, write, simulator } = await served({});
    await app.startProxy({ port: 0 });
    // What the start asks for has been answered.
    await app.models();
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    await expect
      .poll(() => app.state().proxy)
      .toMatchObject({
        kind: 'failed',
        code: 'policy',
        reason: `The policy ${path} can’t be used: it isn’t valid JSON (line 1).`,
      });
    expect(app.warnings().map(({ code }) => code)).toContain('policy');
    expect(await app.check('server.policy')).toMatchObject({ verdict: 'failed' });
    // It may forbid this way to Copilot.
    const asked = simulator.requests.length;
    await app.refresh();
    const checks = await app.checks();
    expect(simulator.requests.slice(asked)).toEqual([]);
    const notAsked = 'Not asked: the organization’s policy can’t be used, as the check “Organization” says.';
    const skipped = checks.flatMap(({ id, finding }) => (finding === notAsked ? [id] : []));
    expect(skipped).toEqual([
      ...['account.vscode', 'account.token', 'account.quota', 'copilot.connection', 'copilot.identity'],
      ...['copilot.models', 'copilot.policy', 'server.search', 'machine.proxy', 'machine.clock'],
    ]);
    // Health and doctor begin with the cause, and offer no switch.
    expect(verdictSentence(checks)).toContain(`Claude Code can’t work: the policy ${path} can’t be used`);
    expect(checks.find(({ id }) => id === 'server.address')).toMatchObject({ verdict: 'skipped', remedy: null });
    await expect(app.startProxy({ port: 0 })).rejects.toThrow('can’t be used');
    expect(good).toContain('Octo');
    write({ theme: { value: 'light' } });
    await expect.poll(() => app.state().proxy.kind).toBe('on');
    expect(app.preferences().theme).toBe('light');
  });

  it('leaves settings and sign-in alone while the policy is broken, and says why', async () => {
    const { app, path, settings, simulator } = await served({}, { theme: 'dark' });
    await app.models();
    const before = readFileSync(settings, 'utf8');
    writeFileSync(path, '{');
    await expect.poll(() => app.warnings().map(({ code }) => code)).toContain('policy');
    const asked = simulator.requests.length;
    const reason = `The policy ${path} can’t be used: it isn’t valid JSON (line 1).`;
    for (const change of [{ theme: 'light' }, { limits: { creditsPerDay: 9 } }] as const)
      await expect(app.changePreferences(change)).rejects.toThrow(
        `Settings can’t be changed until the organization’s policy is corrected. ${reason}`,
      );
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(await app.signIn(() => {})).toMatchObject({ kind: 'failed', text: reason });
    expect(await app.signInWith({ kind: 'vscode' }, () => {})).toMatchObject({ kind: 'failed', text: reason });
    expect(simulator.requests.slice(asked)).toEqual([]);
    // Nobody is kept signed in by it.
    await app.signOut();
    expect(app.state().account.kind).toBe('signed-out');
  });

  it('answers with its words what is still coming in when the policy breaks', async () => {
    const { app, path, key, log, simulator } = await served({});
    const { baseUrl } = await app.startProxy({ port: 0 });
    await app.models();
    const body = JSON.stringify(ask('claude-sonnet-4.6'));
    const open = (route: string, more: Record<string, string> = {}) => {
      const headers = { authorization: `Bearer ${key}.test`, 'content-type': 'application/json', ...more };
      const asked = request(`${baseUrl}${route}`, { method: 'POST', agent: false, headers });
      const answered = once(asked, 'response').then(async ([response]) => [response.statusCode, await text(response)]);
      return { asked, answered };
    };
    // The stop waits for this one, and the other ones for their bodies.
    const gate = Promise.withResolvers<void>();
    const { taken } = simulator.script.next({ kind: 'usual', gate: gate.promise });
    const running = open('/v1/messages');
    running.asked.end(body);
    await taken;
    const routes = ['/v1/messages', '/v1/messages/count_tokens', '/v1/chat/completions'];
    const coming = routes.map((route) => open(route, { expect: '100-continue' }));
    for (const { asked } of coming) asked.flushHeaders();
    await Promise.all(coming.map(({ asked }) => once(asked, 'continue')));
    writeFileSync(path, '{');
    await expect.poll(() => app.warnings().map(({ code }) => code)).toContain('policy');
    for (const { asked, answered } of coming) {
      asked.end(body);
      expect(await answered).toEqual([
        503,
        expect.stringContaining(`Jumpseat: The policy ${path} can’t be used: it isn’t valid JSON (line 1).`),
      ]);
    }
    gate.resolve();
    await running.answered;
    expect(log.filter(({ event }) => event === 'exchange.broke')).toEqual([]);
  });
});

unix('a folder of the policy that comes, goes and comes again counts at once', async () => {
  const { path, write, open } = machine();
  const folder = dirname(path);
  rmSync(folder, { recursive: true });
  const store = open();
  expect([store.policy, store.policyProblem]).toEqual([null, null]);
  for (const theme of ['dark', 'light']) {
    mkdirSync(folder, { mode: 0o755 });
    write({ theme: { value: theme } });
    await expect.poll(() => store.current().theme).toBe(theme);
    // The file in a folder that came later is watched, too.
    write({ theme: { value: 'system' } });
    await expect.poll(() => store.policy?.rules.theme).toEqual({ value: 'system' });
    rmSync(folder, { recursive: true });
    await expect.poll(() => store.policy).toBe(null);
  }
});
