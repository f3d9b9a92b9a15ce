import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { budget } from '../../../app/cli/commands/budget.ts';
import { log, totalWords } from '../../../app/cli/commands/log.ts';
import { usage, usageLines } from '../../../app/cli/commands/usage.ts';
import { openApp } from '../../../app/cli/compose.ts';
import type { Surroundings } from '../../../app/cli/surroundings.ts';
import { creditsOf } from '../../../app/words/numbers.ts';
import { budgetLines } from '../../../app/words/usage.ts';
import { soon } from '../../soon.ts';
import { temporaryFolder } from '../history/surroundings.ts';
import { prompt, type Stack, startStack } from '../stack.ts';
import { paper } from './paper.ts';

let stack: Stack;
const session = '0f8fad5b-d9cb-469f-a165-70867728950e';
beforeEach(async () => {
  const home = temporaryFolder();
  stack = await startStack({ home, app: { environment: { CLAUDE_CONFIG_DIR: join(home, '.claude') } } });
  await stack.app.refresh();
  await stack.messages(prompt('one'), { 'x-claude-code-session-id': session });
  await stack.messages(prompt('two', { model: 'claude-haiku-4.5' }), { 'x-claude-code-session-id': session });
  await stack.messages(prompt('three', { model: 'no-such-model' }));
  await stack.rows(3);
});
afterEach(() => stack.close());

async function printed(command: (surroundings: Surroundings) => Promise<number>, columns?: number): Promise<string> {
  const { simulator, home } = stack;
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    HOME: home,
    PATH: '',
  };
  const terminal = { ...paper(), ...(columns !== undefined && { columns }) };
  await command({ terminal, env, open: (options) => openApp(env, options) });
  return terminal.text;
}
const cacheSaved = /^Nothing was read from the cache\.$/m;
const table = async (by: string, columns?: number) => {
  const text = await printed((surroundings) => usage(surroundings, { by }), columns);
  // Nothing missed the cache.
  expect(text).toMatch(cacheSaved);
  return text.slice(0, text.search(cacheSaved)).trimEnd().split('\n');
};
/** The figures of a line behind its name. */
const figures = (line = '') =>
  line
    .split(/ {2,}/)
    .slice(1)
    .map((cell) => Number(cell.replaceAll(',', '')));

it('counts add up to the last line and to all requests, by each way; credits are rounded each by itself', async () => {
  for (const by of ['day', 'model', 'client', 'account', 'purpose']) {
    const [head = '', ...lines] = await table(by);
    const heads = head.split(/ {2,}/).slice(1);
    const total = figures(lines.at(-1));
    const [requests = 0, ...rest] = total;
    expect([by, requests, heads.at(-1)]).toEqual([by, 3, 'Credits']);
    const part = (...names: string[]) => names.reduce((sum, name) => sum + (rest[heads.indexOf(name) - 1] ?? 0), 0);
    // The one that was refused is nobody's.
    expect(part('User', 'Agent', 'Neither')).toBe(2);
    expect(part('Billed', 'Free', 'Unknown', 'No charge')).toBe(3);
    const billed = lines.slice(0, -1).map((line) => figures(line.replace(/–$/, '0')));
    for (const [column, sum] of total.entries()) {
      const rounding = column === total.length - 1 ? 0.005 * billed.length + 0.005 : 0;
      expect(Math.abs(billed.reduce((all, row) => all + (row[column] ?? 0), 0) - sum)).toBeLessThanOrEqual(
        rounding + 1e-9,
      );
    }
  }
  const [today] = await stack.app.totals('day', 0);
  const json = JSON.parse(await printed((surroundings) => usage(surroundings, { json: true })));
  expect(json.cacheSavings).toEqual(await stack.app.cacheSavings(0));
  expect(json.rows).toMatchObject([{ ...today }]);
  expect(json.total).toMatchObject({ requests: 3, failed: 1, nanoAiu: today?.nanoAiu });
  for (const row of [...json.rows, json.total]) {
    expect(row.user + row.agent + row.neither).toBe(row.requests - row.noCharge);
    expect(row.billed + row.free + row.unknown + row.noCharge).toBe(row.requests);
  }
});

it('has the biggest amount first, as the window', async () => {
  for (const text of ['four', 'five']) await stack.messages(prompt(text, { model: 'no-such-model' }));
  await stack.rows(5);
  const names = (await table('model')).slice(1).map((line) => line.split(/ {2,}/)[0]);
  expect(names).toEqual([expect.stringMatching(/^claude-/), expect.stringMatching(/^claude-/), 'no-such-model', 'All']);
});

it('sessions have their title and folder, and a narrow terminal the columns that fit', async () => {
  const folder = join(stack.home, '.claude', 'projects', '-srv-shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${session}.jsonl`),
    `${JSON.stringify({
      ...{ type: 'user', uuid: 'a', parentUuid: null, sessionId: session, cwd: '/srv/shop', version: '2.1.328' },
      ...{ timestamp: new Date().toISOString(), message: { role: 'user', content: 'mend the till' } },
    })}\n`,
  );
  const lines = await table('session');
  expect(lines[0]).toMatch(/^Session +Folder +Requests /);
  expect(lines.find((line) => line.startsWith('mend the till'))).toMatch(/^mend the till +\/srv\/shop +2 /);
  // It was refused, and not free.
  expect(lines.find((line) => line.includes('without a session'))).toMatch(/^test, without a session +– +1 .* –$/);
  expect(lines.join('\n')).not.toContain(session.slice(0, 8));
  const folders = await table('folder');
  expect(folders.find((line) => line.startsWith('/srv/shop'))).toMatch(/^\/srv\/shop +2 /);
  expect(folders.find((line) => line.startsWith('No folder'))).toMatch(/^No folder, or not known +1 /);
  expect(folders.at(-1)).toMatch(/^All +3 /);
  const byFolder = JSON.parse(await printed((surroundings) => usage(surroundings, { by: 'folder', json: true })));
  // The refused one came last, and is the folder with fewer requests.
  expect(byFolder.rows.map(({ key, failed }: { key: string; failed: number }) => [key, failed])).toEqual([
    ['/srv/shop', 0],
    ['', 1],
  ]);
  const narrow = await table('session', 60);
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(narrow.at(-1)).toMatch(/^All .* 3 /);
});

it('a time and a way that mean nothing are wrong usage; the CSV is that of the window', async () => {
  const csv = await printed((surroundings) => usage(surroundings, { csv: true, by: 'model' }));
  expect(csv.split('\r\n')[0]).toMatch(
    /^by,key,requests,user,agent,neither,billed,free,unknown,no_charge,failed,credits_reported/,
  );
  expect(csv).toContain('model,claude-haiku-4.5,1,');
  expect(await printed((surroundings) => usage(surroundings, { since: '2999-01-01' }))).toBe(
    'No requests since 1 Jan 2999.\n',
  );
  // Each way has what a person and what an agent caused.
  const [head = '', ...ofFolders] = (await printed((surroundings) => usage(surroundings, { csv: true, by: 'folder' })))
    .trimEnd()
    .split('\r\n');
  const at = (name: string) => ofFolders.map((line) => Number(line.split(',')[head.split(',').indexOf(name)] || NaN));
  const whole = at('credits_reported');
  expect(whole.some((credits) => credits > 0)).toBe(true);
  expect(at('credits_user').map((credits, row) => credits + (at('credits_agent')[row] ?? 0))).toEqual(
    whole.map((credits) => expect.closeTo(credits, 6)),
  );
  for (const wrong of [{ since: 'yesterday' }, { since: '0d' }, { by: 'moon' }, { json: true, csv: true }])
    await expect(printed((surroundings) => usage(surroundings, wrong))).rejects.toMatchObject({ exitCode: 2 });
});

it('log ends with the sum of its rows, and not as JSON', async () => {
  const [today] = await stack.app.totals('day', 0);
  const text = await printed((surroundings) => log(surroundings, {}));
  expect(text.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(`^3 requests: 2 user, 1 without a charge; 2 billed; ${creditsOf(today?.nanoAiu ?? 0)} credits$`),
  );
  expect(await printed((surroundings) => log(surroundings, { json: true }))).not.toContain('requests:');
  const newest = await printed((surroundings) => log(surroundings, { limit: '2' }));
  expect(newest.trimEnd().split('\n').at(-1)).toMatch(/^The last 2 requests: /);
});

it('a budget is the quota and the limits that are set, and its check fails where one is used up', async () => {
  const limited = async (limits: object) => {
    writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, limits }));
    await soon(async () =>
      expect(stack.app.state().ownLimits.map(({ setting }) => setting)).toEqual(Object.keys(limits)),
    );
  };
  const asked = async (options: { check?: boolean; json?: boolean }) => {
    let code = 0;
    let errors = '';
    const text = await printed(async (surroundings) => {
      surroundings.terminal.err = (line) => {
        errors += line;
      };
      code = await budget(surroundings, options);
      return code;
    });
    return { code, text, errors };
  };
  expect(await asked({ check: true })).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /^Limit +Used +Of +Share +Action\nIncluded credits +[\d.,]+ +7,000 +\d+\.\d% +resets \d+ \w+; by GitHub’s count\n/,
    ),
  });
  await limited({ creditsPerDay: 0.01, requestsPerMinute: 600 });
  const { code, text } = await asked({ check: true });
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/\nCredits per day +0\.\d\d +0\.01 .* stops +used up, until midnight\n/),
  ]);
  expect(text).toMatch(/\nRequests per minute +\d+ +600 /);
  // What can't be used isn't in force: the check fails though nothing is used up.
  writeFileSync(
    join(stack.home, 'settings.json'),
    JSON.stringify({ limits: { rules: [{ client: 'x', per: 'day' }] } }),
  );
  await soon(async () => expect(stack.app.state().ownLimits).toEqual([]));
  expect(await asked({ check: true })).toMatchObject({
    code: 1,
    errors: expect.stringContaining(
      'entry 1 of limits.rules (client x) can’t be used: action has to be "warn" or "stop". It is left out; ',
    ),
  });
  await limited({ creditsPerDay: 0.01, requestsPerMinute: 600 });
  expect(JSON.parse((await asked({ json: true })).text).limits[1]).toMatchObject({
    ...{ name: 'Credits per day', of: 0.01, unit: 'credits', isUsedUp: true },
  });
  // And costs no other limit.
  writeFileSync(
    join(stack.home, 'settings.json'),
    JSON.stringify({ limits: { creditsPerDay: -3, creditsPerMonth: 'lots', requestsPerMinute: 600 } }),
  );
  await soon(async () => expect(stack.app.state().ownLimits).toMatchObject([{ setting: 'requestsPerMinute' }]));
  expect((await asked({ json: true })).errors).toMatch(
    /creditsPerDay has to be more than 0, and limits\.creditsPerMonth has to be a number.* Not in force: limits\.creditsPerDay, limits\.creditsPerMonth\./,
  );
  await limited({ creditsPerMonth: 0.01 });
  // It only warns, and is used up all the same.
  const month = await asked({ check: true });
  expect([month.code, month.text]).toEqual([1, expect.stringMatching(/\nCredits per month +0\.\d\d +0\.01 /)]);
  expect(month.text).toMatch(/used up, resets 1 \w+\n/);
  const fraction = {
    setting: 'creditsPerDay',
    scope: null,
    used: 0.1 + 0.2,
    most: 1,
    stops: true,
    month: null,
    said: 0,
  } as const;
  expect(budgetLines({ ...stack.app.state(), ownLimits: [fraction] }, Date.now(), [])).toMatchObject([
    { name: 'Included credits' },
    { used: 0.3, until: 'until midnight' },
  ]);
  const [, metrics = ''] = (await stack.send({ path: '/metrics' })).text.split(
    '# TYPE jumpseat_own_limit_used gauge\n',
  );
  expect(metrics).toMatch(
    /^jumpseat_own_limit_used\{limit="creditsPerMonth"\} 0\.\d+\n[\s\S]*\{limit="creditsPerMonth"\} 0\.01\n/,
  );
});

it('a budget has the limits for a part of the requests, and a wrong one costs no other', async () => {
  const projects = join(stack.home, '.claude', 'projects', '-srv-shop');
  mkdirSync(projects, { recursive: true });
  const line = { type: 'user', uuid: 'a', parentUuid: null, sessionId: session, cwd: '/srv/shop/till' };
  writeFileSync(
    join(projects, `${session}.jsonl`),
    `${JSON.stringify({ ...line, timestamp: new Date().toISOString(), message: { role: 'user', content: 'hi' } })}\n`,
  );
  const rules = [
    { client: 'test', credits: 0.001, per: 'day', action: 'stop' },
    { client: 'test', credits: 5, premiumRequests: 5, per: 'day', action: 'stop' },
    { folder: '/srv/shop', credits: 500, per: 'month', action: 'warn' },
    { credits: 5, per: 'day', action: 'stop' },
    { model: 'haiku', credits: 500, per: 'week', action: 'stop' },
    { folder: '/srv/sho', model: 'haiku', credits: 400, per: 'day', action: 'stop' },
    { folder: '/srv', credits: 0.001, per: 'month', action: 'warn' },
    { folder: 'shop', credits: 5, per: 'day', action: 'stop' },
    { key: 'gone', credits: 5, per: 'day', action: 'warn' },
  ];
  writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, limits: { rules } }));
  await soon(async () => expect(stack.app.state().ownLimits).toHaveLength(5));
  let errors = '';
  const asked = async (options: { check?: boolean; json?: boolean }) => {
    let code = 0;
    const text = await printed(async (surroundings) => {
      surroundings.terminal.err = (said) => {
        errors += said;
      };
      code = await budget(surroundings, options);
      return code;
    });
    return { code, text };
  };
  const { code, text } = await asked({ check: true });
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/\nCredits per day, client test +\d+\.\d\d +0\.001 .* used up, until midnight\n/),
  ]);
  expect(text).toMatch(/\nCredits per month, folder \/srv\/shop +0\.\d\d +500 .* warns +resets 1 \w+\n/);
  expect(text).toMatch(/\nCredits per day, folder \/srv\/sho, models containing haiku +0 +400 +0\.0% +stops /);
  expect(text).toMatch(/\nCredits per day, key gone: There is no key “gone”: it was revoked, or never created\. /);
  expect(errors).toMatch(
    /, entry 2 of limits\.rules \(client test\) can’t be used: it has to name credits or premiumRequests, and not both, and entry 4 of limits\.rules .*client, key, account, folder, model, and entry 5 of limits\.rules \(model haiku\) can’t be used: per has to be .*, and entry 8 of limits\.rules \(folder shop\) can’t be used: folder: it has to be a whole path, such as ~\/shop\. They are left out; the rest of the file holds\. Correct it in /,
  );
  const [quota, first] = JSON.parse((await asked({ json: true })).text).limits;
  expect(first).toMatchObject({ scope: { client: 'test' }, of: 0.001, isUsedUp: true, action: 'stop' });
  expect(quota.action).toBeNull();
  expect((await stack.send({ path: '/metrics' })).text).toMatch(
    /jumpseat_own_limit_used\{limit="creditsPerDay",scope="client test"\} \d/,
  );
  // A session that has begun since, and has no transcript yet.
  const used = () => stack.app.state().ownLimits[1]?.used ?? 0;
  const before = used();
  mkdirSync(join(stack.home, '.claude', 'sessions'));
  const later = '1f8fad5b-d9cb-469f-a165-70867728950e';
  writeFileSync(
    join(stack.home, '.claude', 'sessions', '1.json'),
    JSON.stringify({ pid: 1, sessionId: later, cwd: '/srv/shop' }),
  );
  const other = { authorization: `Bearer ${stack.key}.other`, 'x-claude-code-session-id': later };
  expect((await stack.messages(prompt('five'), other)).status).toBe(200);
  await soon(async () => expect(used()).toBeGreaterThan(before));
  const refused = await stack.messages(prompt('four'));
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('client test has used')]);
  expect(await stack.app.check('account.limits')).toMatchObject({
    ...{ verdict: 'warning', remedy: '2 are used up. Settings → Limits changes them.' },
  });
});

describe('a budget whose included credits are used up', () => {
  const asked = async (options: Parameters<typeof budget>[1]) => {
    let code = 0;
    let errors = '';
    const text = await printed(async (surroundings) => {
      surroundings.terminal.err = (line) => {
        errors += line;
      };
      code = await budget(surroundings, options);
      return code;
    });
    return [code, text, errors];
  };
  const usedUp = expect.stringMatching(/\nIncluded credits +7,000 +7,000 +100.0% +used up/);

  it('is read anew, and has nothing to allow where GitHub bills no more', async () => {
    stack.simulator.script.setRemaining(0);
    expect(await asked({ check: true })).toEqual([1, usedUp, expect.stringMatching(/^Out of credits until /)]);
    expect(await asked({ allowOverage: true })).toEqual([
      ...[1, '', expect.stringMatching(/^Nothing to allow: GitHub bills no more than what is included\. Out of/)],
    ]);
    expect(stack.app.state().health.overage).toBeNull();
    await stack.app.signOut();
    expect(await asked({ check: true })).toEqual([1, 'No limit is known.\n', expect.stringMatching(/^Not signed in/)]);
  });

  it('fails its check until more is allowed for the day, and says which', async () => {
    const asks = expect.stringContaining('\nJumpseat asks before the next prompt is billed to your GitHub budget.\n');
    await stack.close();
    stack = await startStack({ simulator: { user: { remaining: 0, overagePermitted: true } } });
    await stack.app.refresh();
    const allow = expect.stringMatching(/^Used up: Included credits\. To be billed for more today, run /);
    expect(await asked({ check: true })).toEqual([1, usedUp, allow]);
    expect(await asked({ json: true })).toEqual([
      0,
      expect.stringMatching(/"isUsedUp": true[\s\S]*"overage": "asks"/),
      '',
    ]);
    expect(await asked({})).toEqual([0, asks, '']);
    await stack.app.decideOverage(false);
    expect(await asked({ check: true })).toEqual([1, expect.stringContaining('\nPrompts are refused until'), allow]);
    expect(await asked({ allowOverage: true })).toEqual([0, expect.stringMatching(/^Until midnight, /), '']);
    expect(await asked({ check: true })).toEqual([0, expect.stringContaining(', as you allowed until midnight.'), '']);
    await expect(asked({ allowOverage: true, check: true })).rejects.toMatchObject({ exitCode: 2 });
  });
});

it('a check names no folder of the person, whose name may be in it, and an account no other', async () => {
  vi.stubEnv('HOME', stack.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(stack.home, 'settings.json'), '{ "port": ');
  await soon(async () => expect(await stack.app.check('server.settings')).toMatchObject({ verdict: 'warning' }));
  const { finding, remedy } = (await stack.app.check('server.settings')) ?? {};
  expect(`${finding} ${remedy}`).toContain(join('~', 'settings.json'));
  expect(`${finding} ${remedy}`).not.toContain(stack.home);
  expect(await table('account')).toContainEqual(expect.stringMatching(/^Before there were several accounts +3 /));
});

it('a client is told the command of this installation', async () => {
  await stack.close();
  stack = await startStack({ app: { typedCommand: 'npm run -s jumpseat --' } });
  const answer = await stack.messages(prompt('one', { model: 'no-such-model' }));
  expect([answer.status, answer.json()]).toMatchObject([
    404,
    { error: { message: expect.stringContaining('Use a name that "npm run -s jumpseat -- models" lists') } },
  ]);
});

it('a sum with an unknown part is at least that, and a name has room beside the figures', () => {
  const row = {
    ...{ key: 'claude-opus-4.8-and-more', name: 'claude-opus-4.8-and-more', folder: null },
    ...{
      requests: 3,
      user: 1,
      agent: 1,
      billed: 2,
      free: 0,
      unknown: 1,
      failed: 1,
      nanoAiu: 33_719_000_000,
      userNanoAiu: 33_719_000_000,
      agentNanoAiu: 0,
      premiumRequests: 0,
    },
    ...{ input: 9_000, cacheRead: 140_000, cacheWrite: 0, output: 3_000 },
  };
  const lines = usageLines('model', [row], 'credits', { style: (_, text) => text, columns: 110 });
  expect(lines[1]).toMatch(/^claude-opus-4\.8-and-more .* at least 33\.72$/);
  expect(lines[2]).toMatch(/^All .* at least 33\.72$/);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
});

it('log says of a sum with an unknown part that it is at least that', async () => {
  const rows = await stack.app.exchanges({ limit: 3 });
  const [first] = rows;
  if (first === undefined) throw new Error('No request was kept.');
  const unknown = { ...first, charge: { ...first.charge, kind: 'unknown' as const, nanoAiu: null } };
  expect(totalWords([...rows, unknown], 'credits')).toMatch(/; at least [\d.]+ credits$/);
});
