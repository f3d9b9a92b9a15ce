import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Dialer, Secrets } from '../../app/ports.ts';
import type { Reply } from '../../app/simulator/script.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { quotaLine } from '../../app/words/quota.ts';
import { soon } from '../soon.ts';
import { type Answer, prompt, type Stack, startStack } from './stack.ts';

let home: string;
let work: Simulator;
let stack: Stack;
let secrets: Secrets;

const workToken = `ghu_${'w'.repeat(36)}`;

/** Both accounts are at one GitHub, which tells them apart by their tokens: here each has a simulator of its own. */
function twoGithubs(): Dialer {
  const dialer = nodeDialer();
  return {
    close: () => dialer.close(),
    dial: (request) => {
      const { Authorization: sent = '' } = request.headers;
      if (!sent.includes(workToken)) return dialer.dial(request);
      const { pathname, search } = request.url;
      const headers = { ...request.headers, Authorization: sent.replace(workToken, work.githubToken) };
      return dialer.dial({ ...request, headers, url: new URL(`${pathname}${search}`, work.apiUrl) });
    },
  };
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-accounts-'));
  work = await startSimulator({ user: { login: 'alex-at-work' } });
  secrets = memorySecrets();
  await secrets.set('github-token-2', workToken);
  await start();
});
async function start(): Promise<void> {
  stack = await startStack({ home, secrets, ports: { dialer: twoGithubs() } });
  await secrets.set('github-token', stack.simulator.githubToken);
  await stack.app.refresh();
}
afterEach(async () => {
  await stack.close();
  await work.close();
  rmSync(home, { recursive: true, force: true });
});

async function addWork(): Promise<string> {
  const id = await stack.app.addAccount('Work');
  await stack.app.bindAccount(id, ['work']);
  return id;
}

const ask = (label: string, text: string): Promise<Answer> =>
  stack.messages(prompt(text), { authorization: `Bearer ${stack.key}.${label}` });

const asked = (simulator: Simulator): number => simulator.requests.filter(({ path }) => path === '/v1/messages').length;

describe('several accounts side by side', () => {
  it('send what a bound label asks with its account, and all else with the one in use', async () => {
    await addWork();
    expect((await ask('work', 'one')).status).toBe(200);
    expect((await ask('other', 'two')).status).toBe(200);
    expect([asked(stack.simulator), asked(work)]).toEqual([1, 1]);
    const rows = await stack.rows(2);
    expect(rows.map(({ client, account }) => [client, account])).toEqual([
      ['work', 'Work'],
      ['other', 'octo-demo'],
    ]);
    const kept = await stack.app.exchanges({ limit: 10 });
    expect(kept.map(({ account }) => account).sort()).toEqual(['Work', 'octo-demo']);
  });

  it('of the same GitHub user show what is left after a request of either', async () => {
    await work.close();
    work = await startSimulator({ user: { login: 'octo-demo' } });
    await addWork();
    await stack.app.refreshAccounts();
    const left = (): (string | null)[] => {
      const { quota, accounts } = stack.app.state();
      return [quota, ...accounts.map((account) => account.quota)].map(quotaLine);
    };
    const before = left();
    expect(before[0]).toMatch(/^[\d,.]+ credits left/);
    work.script.setRemaining(12);
    expect((await ask('work', 'one')).status).toBe(200);
    await soon(() => expect(left()[2]).not.toBe(before[2]));
    expect(left()[0]).toBe(left()[2]);
    expect(left()[1]).toBe(left()[2]);
  });

  it('tell of the account in use how its last requests ended, not how those of another one did', async () => {
    const id = await addWork();
    work.script.always({ kind: 'answer', status: 500, body: { error: { message: 'broken at work' } } });
    expect((await ask('work', 'one')).status).toBeGreaterThanOrEqual(500);
    await stack.rows(1);
    expect(stack.app.state().health).toMatchObject({ lastSuccessAt: null, lastFailure: null });
    await stack.app.switchAccount(id);
    expect(stack.app.state().health.lastFailure).toMatchObject({ text: expect.stringContaining('500') });
  });

  it('send with the one that a rule names, what is searched for it too, and count as its requests', async () => {
    await addWork();
    const rules = [{ when: { model: 'opus' }, use: { account: 'work' } }];
    await stack.app.changePreferences({ models: { rules }, search: { engines: ['copilot'] } });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const searching = prompt('use: web_search {"query":"node 24"}', { model: 'opus', tools });
    const before = stack.simulator.requests.length;
    expect((await stack.messages(searching)).status).toBe(200);
    expect(stack.simulator.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    expect(new Set(work.requests.map(({ path }) => path))).toContain('/responses');
    expect((await ask('other', 'two')).status).toBe(200);
    const rows = await stack.app.exchanges({ limit: 10 });
    expect(rows.map(({ askedModel, account }) => [askedModel, account])).toContainEqual(['opus', 'Work']);
    expect(rows.at(-1)).toMatchObject({ askedModel: 'claude-sonnet-4.6', account: 'octo-demo' });
    expect(rows[0]?.fits.map(({ text }) => text)).toContain('rule 1 (models containing opus): account work');
    expect(stack.app.state().health.lastSuccessAt).not.toBeNull();
  });

  const refusals: [string, number, Reply][] = [
    [
      'out of credits',
      402,
      { kind: 'answer', status: 402, body: { error: { message: 'quota exceeded', code: 'quota_exceeded' } } },
    ],
    [
      'at a limit',
      429,
      {
        kind: 'answer',
        status: 429,
        headers: { 'retry-after': '600' },
        body: { error: { code: 'user_weekly_rate_limited', message: 'limit' } },
      },
    ],
  ];
  it.each(refusals)('never send with another one when one is %s', async (_name, status, reply) => {
    const id = await addWork();
    await stack.app.switchAccount(id);
    work.script.always(reply);
    for (const label of ['work', 'other', 'work']) {
      const answer = await ask(label, `to ${label}`);
      expect(answer.status, answer.text).toBe(status);
    }
    expect(asked(stack.simulator)).toBe(0);
    await stack.app.switchAccount('first');
    expect((await ask('other', 'by hand')).status).toBe(200);
    // A limit of one is none of the other's, and the bound label stays where it is.
    expect((await ask('work', 'again')).status).toBe(status);
    expect(asked(stack.simulator)).toBe(1);
  });
});

describe('signing out', () => {
  it('of one account leaves the others, and what is bound to it is refused', async () => {
    const id = await addWork();
    await stack.app.signOutAccount(id);
    expect((await ask('work', 'one')).status).toBe(401);
    expect((await ask('other', 'two')).status).toBe(200);
    expect([asked(stack.simulator), asked(work)]).toEqual([1, 0]);
    expect(stack.app.state().accounts.map(({ name, state }) => [name, state.kind])).toEqual([
      ['octo-demo', 'signed-in'],
      ['Work', 'signed-out'],
    ]);
  });

  it('of the one in use is said with its name, and with the one that is signed in', async () => {
    const id = await addWork();
    await stack.app.switchAccount(id);
    await stack.app.signOutAccount(id);
    const said =
      'The account “Work” isn’t signed in to GitHub. Sign in with Jumpseat’s window, or in the ' +
      'browser: "jumpseat dashboard". Or use octo-demo, which is signed in: Settings → ' +
      'Account, or "jumpseat accounts use octo-demo".';
    expect((await ask('other', 'one')).text).toContain(JSON.stringify(`Jumpseat: ${said}`).slice(1, -1));
    const { problem } = stack.app.state().health;
    expect(`${problem?.text} ${problem?.remedy}`).toBe(said);
    const signedIn = (await stack.app.checks()).find((check) => check.id === 'account.signed-in');
    expect(signedIn?.finding).toBe('“Work” isn’t signed in.');
    // Bound to it, no other helps, and the sign-in has to name it.
    await stack.app.switchAccount('first');
    expect((await ask('work', 'two')).text).toContain(
      'The account “Work” isn’t signed in to GitHub. Sign in with Jumpseat’s window, or in the browser: ',
    );
  });
});

describe('removing an account', () => {
  it('deletes its tokens of every way, so that the next one in its place finds none', async () => {
    await secrets.set('fine-grained-token-2', `github_pat_${'w'.repeat(36)}`);
    await stack.app.removeAccount(await addWork());
    expect([await secrets.get('github-token-2'), await secrets.get('fine-grained-token-2')]).toEqual([null, null]);
    const id = await stack.app.addAccount('Work');
    expect(stack.app.state().accounts.find((account) => account.id === id)?.state.kind).toBe('signed-out');
    expect(await secrets.get('github-token')).toBe(stack.simulator.githubToken);
  });
});

describe('the list of accounts', () => {
  it('refuses what would be ambiguous', async () => {
    const id = await addWork();
    await expect(stack.app.addAccount('wORK')).rejects.toThrow('An account is named “wORK” already.');
    await expect(stack.app.renameAccount(id, ' ')).rejects.toThrow('has 1 to 40 characters');
    await expect(stack.app.bindAccount(id, ['a b'])).rejects.toThrow('can’t be a client’s label');
    await expect(stack.app.removeAccount('first')).rejects.toThrow('The first account can’t be removed.');
    // The first one has no name of its own: its login is shown.
    await expect(stack.app.renameAccount(id, 'Octo-Demo')).rejects.toThrow('An account is named “Octo-Demo” already.');
    await expect(stack.app.addAccount('octo-demo')).rejects.toThrow('An account is named “octo-demo” already.');
    await stack.app.switchAccount(id);
    await expect(stack.app.removeAccount(id)).rejects.toThrow('This account is in use.');
  });

  it('has no two of one name, also where a login becomes another one’s name', async () => {
    const id = await addWork();
    await stack.app.signOut();
    await stack.app.renameAccount(id, 'octo-demo');
    await secrets.set('github-token', stack.simulator.githubToken);
    await stack.close();
    await start();
    expect(stack.app.state().accounts.map(({ name }) => name)).toEqual(['Account 1', 'octo-demo']);
    expect(stack.app.state().account).toMatchObject({ kind: 'signed-in', login: 'octo-demo' });
  });

  it('gives a label to the account that it was bound to last, and keeps no secret in the settings', async () => {
    await addWork();
    await stack.app.bindAccount('first', ['work']);
    expect(stack.app.state().accounts.map(({ labels }) => labels)).toEqual([['work'], []]);
    expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain(workToken);
  });

  it('that was broken by hand sends nothing with any of them, until it is fixed', async () => {
    await addWork();
    const path = join(home, 'settings.json');
    const good = readFileSync(path, 'utf8');
    const settings = JSON.parse(good);
    settings.accounts[1].labels = 'work';
    writeFileSync(path, JSON.stringify(settings));
    await soon(() => expect(stack.app.state().warnings.map(({ code }) => code)).toContain('settings-values'));
    for (const label of ['work', 'other']) {
      const answer = await ask(label, `to ${label}`);
      expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('settings.json')]);
    }
    expect([asked(stack.simulator), asked(work)]).toEqual([0, 0]);
    writeFileSync(path, good);
    await soon(async () => expect((await ask('work', 'again')).status).toBe(200));
    expect([asked(stack.simulator), asked(work)]).toEqual([0, 1]);
  });

  it('start again from a file that says no usable way in: nothing of the first one is sent', async () => {
    await addWork();
    await stack.close();
    const path = join(home, 'settings.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/("admission":).*/, '$1 "copilot",'));
    await start();
    const answer = await ask('other', 'one');
    expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('“admission”')]);
    expect((await ask('work', 'two')).status).toBe(200);
    expect([asked(stack.simulator), asked(work)]).toEqual([0, 1]);
  });

  const damages: [string, (good: string) => string | null][] = [
    ['that is cut', (good) => good.slice(0, good.indexOf('"accounts"'))],
    ['that is empty', () => ''],
    ['that holds nothing', () => '{}'],
    ['that is gone', () => null],
  ];
  it.each(damages)(
    'start again, and go on, from a file %s: the account in use stays the same',
    async (_name, damaged) => {
      await stack.app.switchAccount(await addWork());
      const path = join(home, 'settings.json');
      const text = damaged(readFileSync(path, 'utf8'));
      const damage = () => (text === null ? rmSync(path) : writeFileSync(path, text));
      damage();
      expect((await ask('other', 'in the running proxy')).status).toBe(200);
      await stack.close();
      await start();
      expect((await ask('other', 'after a start')).status).toBe(200);
      expect([asked(stack.simulator), asked(work)]).toEqual([0, 2]);
      expect(await secrets.get('github-token')).not.toBeNull();
    },
  );

  it('lost along with its copy sends nothing, says why everywhere, and a choice ends that', async () => {
    await stack.app.switchAccount(await addWork());
    await stack.close();
    for (const name of ['settings.json', 'accounts.json']) writeFileSync(join(home, name), '');
    await start();
    const said = expect.stringContaining('settings.json was damaged, so it isn’t known which account to use.');
    const remedy = expect.stringContaining('jumpseat accounts use NAME');
    for (const label of ['work', 'other']) {
      const answer = await ask(label, `to ${label}`);
      expect([answer.status, answer.text]).toEqual([502, said]);
    }
    const { status, body } = await ready();
    expect([status, body]).toEqual([503, expect.objectContaining({ code: 'account-unknown', reason: said, remedy })]);
    const state = stack.app.state();
    expect([state.status, state.health.problem]).toEqual([
      'account-unknown',
      { code: 'account-unknown', text: said, remedy },
    ]);
    expect(state.warnings).toEqual([expect.objectContaining({ code: 'settings-broken' })]);
    // A change of another setting decides nothing.
    await stack.app.changePreferences({ theme: 'dark' });
    expect((await ask('other', 'still')).status).toBe(502);
    expect([asked(stack.simulator), asked(work)]).toEqual([0, 0]);
    await stack.app.switchAccount('first');
    expect((await ask('other', 'chosen')).status).toBe(200);
    expect((await ready()).status).toBe(200);
  });

  const ready = async () => {
    const answer = await stack.send({ path: '/readyz' });
    return { status: answer.status, body: answer.json() };
  };

  it.each([
    ['with another account in use than there is', (good: string) => good.replace(/("accountInUse":).*/, '$1 "gone",')],
    ['that says nothing usable of the one in use', (good: string) => good.replace(/("accountInUse":).*/, '$1 7,')],
  ])('start again from a file %s: nothing is sent with another one', async (_name, broken) => {
    await stack.app.switchAccount(await addWork());
    await stack.close();
    const path = join(home, 'settings.json');
    const good = readFileSync(path, 'utf8');
    expect(good).toContain('"accountInUse"');
    writeFileSync(path, broken(good));
    await start();
    for (const label of ['work', 'other']) {
      const answer = await ask(label, `to ${label}`);
      expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('settings.json')]);
    }
    expect([asked(stack.simulator), asked(work)]).toEqual([0, 0]);
  });
});
