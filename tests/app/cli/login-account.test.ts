import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileSecrets } from '../../../app/adapters/file-secrets.ts';
import { movableSecrets } from '../../../app/adapters/movable-secrets.ts';
import type { App } from '../../../app/api/app.ts';
import { doctor } from '../../../app/cli/commands/doctor.ts';
import { login } from '../../../app/cli/commands/login.ts';
import { status } from '../../../app/cli/commands/status.ts';
import { openApp } from '../../../app/cli/compose.ts';
import type { Opened, OpenOptions } from '../../../app/cli/surroundings.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { FaultySecrets, noKeychain } from '../adapters/faulty-secrets.ts';
import { paper } from './paper.ts';

let home: string;
let first: Simulator;
let second: Simulator;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-login-'));
  first = await startSimulator({ approveAfterPolls: 1, deviceInterval: 1 });
  second = await startSimulator({ approveAfterPolls: 1, deviceInterval: 1, user: { login: 'alex-at-work' } });
});
afterEach(async () => {
  await first.close();
  await second.close();
  rmSync(home, { recursive: true, force: true });
});

it('without a keychain it asks whether a file may hold the token, and what was said is done', async () => {
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_GITHUB_URL: first.webUrl,
    JUMPSEAT_GITHUB_API_URL: first.apiUrl,
    HOME: home,
    PATH: '',
  };
  const keychain = new FaultySecrets('keychain');
  keychain.trouble = noKeychain;
  const file = join(home, 'secrets.json');
  const open = (more?: OpenOptions) =>
    openApp(env, {
      ...more,
      secrets: movableSecrets(keychain, (storage) => (storage === 'file' ? fileSecrets(file) : keychain)),
    });
  await expect(login({ terminal: paper(false, ''), env, open }, {})).rejects.toMatchObject({
    message: noKeychain.reason,
    remedy: expect.stringContaining('Or run "jumpseat login --insecure-storage"'),
  });
  expect(existsSync(file)).toBe(false);
  // The choice is stored with the token, and not before.
  first.script.failPoll('access_denied');
  await expect(login({ terminal: paper(false, 'y'), env, open }, {})).rejects.toThrow('No token was stored.');
  expect(existsSync(file)).toBe(false);
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toMatchObject({ secretsStorage: 'keychain' });
  const terminal = paper(false, 'y');
  expect(await login({ terminal, env, open }, {})).toBe(0);
  expect(terminal.text).toContain(`${noKeychain.reason}\n`);
  // The sign-in before, which was declined, said it, too.
  expect(terminal.text).toContain('may limit or suspend accounts');
  expect(terminal.text).toContain('The token is in a file that only your user can read.');
  expect(await fileSecrets(file).get('github-token')).toContain('gh');
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toMatchObject({ secretsStorage: 'file' });
});

it('where tokens are in memory, it asks GitHub for none that would end with the command', async () => {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, secretsStorage: 'memory' }));
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_GITHUB_URL: first.webUrl,
    JUMPSEAT_GITHUB_API_URL: first.apiUrl,
    HOME: home,
    PATH: '',
  };
  const open = (more?: OpenOptions) => openApp(env, more);
  await expect(login({ terminal: paper(), env, open }, {})).rejects.toMatchObject({
    message: expect.stringContaining('in memory until Jumpseat quits'),
    remedy: expect.stringMatching(
      /^Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard"\. Or run "jumpseat login --insecure/,
    ),
  });
  expect(first.githubRequests).toEqual([]);
  const terminal = Object.assign(paper(), { columns: 40 });
  expect(await login({ terminal, env, open }, { insecureStorage: true })).toBe(0);
  expect(terminal.text.replaceAll('\n', ' ')).toContain('The token is in a file that only your user can read.');
  // Broken between words.
  expect(terminal.text.split('\n').filter((line) => line.length > 40 && line.includes(' '))).toEqual([]);
});

it('where JUMPSEAT_SECRETS=memory, nothing advises a sign-in in a terminal, and none is stored in vain', async () => {
  const env = { JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', HOME: home, PATH: '' };
  const github = { JUMPSEAT_GITHUB_URL: first.webUrl, JUMPSEAT_GITHUB_API_URL: first.apiUrl };
  const open = (more?: OpenOptions) => openApp({ ...env, ...github }, more);
  const terminal = paper();
  await status({ terminal, env, open }, {});
  await doctor({ terminal, env, open }, {});
  expect(terminal.text).toContain(
    'Not ready: Not signed in to GitHub. Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".',
  );
  expect(terminal.text).toMatch(
    /Not signed in\.\n +→ Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard"\.\n/,
  );
  expect(terminal.text).not.toContain('jumpseat login');
  await expect(login({ terminal, env, open }, {})).rejects.toMatchObject({
    remedy: 'Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".',
  });
  await expect(login({ terminal, env, open }, { insecureStorage: true })).rejects.toMatchObject({
    message: 'JUMPSEAT_SECRETS=memory is set, so a token in a file wouldn’t be used. Nothing was stored.',
  });
  expect(existsSync(join(home, 'secrets.json'))).toBe(false);
});

/** `jumpseat login` with the GitHub of one simulator. */
async function run(simulator: Simulator, account?: string, removeAccount?: App['removeAccount']): Promise<string> {
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'file',
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    HOME: home,
    PATH: '',
  };
  const terminal = paper();
  const options = { insecureStorage: true, ...(account !== undefined && { account }) };
  const open = async (more?: OpenOptions): Promise<Opened> => {
    const opened = await openApp(env, more);
    if (removeAccount !== undefined) opened.app.removeAccount = removeAccount;
    return opened;
  };
  await login({ terminal, env, open }, options);
  return terminal.text;
}

it('a sign-in to another account says as whom it is sent, and where its token lies', async () => {
  await run(first);
  const text = await run(first, 'Work');
  expect(text).toContain(
    'Signed in as octo-demo, Copilot Pro+. The token is in a file that only your user can read.\n' +
      'Sent as VS Code, with a sign-in of VS Code’s app; requests name ',
  );
  expect(text).toContain(
    'The account is Work.\nNext: run "jumpseat accounts use Work", or "jumpseat accounts bind Work LABEL".\n',
  );
});

it('an account that had the name of its login is found after another person signed in to it', async () => {
  await run(first);
  expect(await run(second, 'octo-demo')).toContain('The account is alex-at-work.\nNext: run "jumpseat serve".\n');
});

it('a sign-in that was declined is what is said, also where its new account can’t be taken back', async () => {
  await run(first);
  second.script.failPoll('access_denied');
  await expect(run(second, 'Work', () => Promise.reject(new Error('the disk is full')))).rejects.toThrow(
    'You declined the sign-in on GitHub.',
  );
});

it('an account that Copilot doesn’t let in fails with GitHub’s reason, and names itself in what to do', async () => {
  await run(first);
  first.script.refuseMint('subscription_ended');
  await expect(run(first, 'Work')).rejects.toMatchObject({
    message: expect.stringContaining('Your GitHub Copilot subscription has ended.'),
    remedy: expect.stringContaining('run "jumpseat login --account Work" to use another account.'),
  });
});

it('a sign-in beside a running Jumpseat does not send to another start', async () => {
  expect(await run(first)).toContain('Next: run "jumpseat serve".');
  const variables = { JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'file', JUMPSEAT_GITHUB_URL: first.webUrl, HOME: home };
  const { app, close } = await openApp(
    { ...variables, JUMPSEAT_GITHUB_API_URL: first.apiUrl, PATH: '' },
    { owner: true, insecureStorage: true },
  );
  try {
    await app.startProxy({ port: 0 });
    expect(await run(first)).toContain('Next: run "jumpseat setup claude-code". Jumpseat is already running.');
    await app.applySetup((await app.planSetup('setup')).id);
    // Nobody’s own settings are touched.
    expect(existsSync(join(home, '.claude', 'settings.json'))).toBe(true);
    expect(await run(first)).toContain('Next: run "claude". Jumpseat is already running.');
  } finally {
    await close();
  }
});
