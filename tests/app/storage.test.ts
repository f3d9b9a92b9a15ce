import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { movableSecrets } from '../../app/adapters/movable-secrets.ts';
import type { AppState } from '../../app/api/state.ts';
import { SettingsStore } from '../../app/settings/settings.ts';
import { FaultySecrets, lockedKeychain, noKeychain } from './adapters/faulty-secrets.ts';
import { prompt, type Stack, type StackOptions, sendTo } from './stack.ts';
import { StacksOfTest } from './stacks-of-test.ts';

/** Where the token and the local key are kept, chosen and changed while everything runs. */

let home: string;
let keychain: FaultySecrets;
let file: FaultySecrets;
let memory: FaultySecrets;
const stacks = new StacksOfTest('storage');

beforeEach(() => {
  home = stacks.home;
  keychain = new FaultySecrets('keychain');
  file = new FaultySecrets('file');
  memory = new FaultySecrets('memory');
});

function start(options: StackOptions = {}): Promise<Stack> {
  const secrets = movableSecrets(keychain, (storage) => ({ keychain, file, memory })[storage]);
  return stacks.start({ secrets, simulator: { deviceInterval: 1, approveAfterPolls: 1 }, ...options });
}
async function signedIn(): Promise<Stack> {
  const stack = await start();
  keychain.values.set('github-token', entryOf(stack));
  await stack.app.refresh();
  return stack;
}
const consent = () => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).secretsStorage;
const held = () => ({ keychain: keychain.held, file: file.held, memory: memory.held });
const secretsOf = (stack: Stack): AppState['secrets'] => stack.app.state().secrets;

describe('moving', () => {
  it('to a file and back: the consent is kept, sign-in and key stay, the old store is empty', async () => {
    const stack = await signedIn();
    const both = { 'github-token': entryOf(stack), 'local-key': stack.key };
    expect(held()).toEqual({ keychain: both, file: {}, memory: {} });

    await stack.app.moveSecrets('file');
    expect([held(), consent(), secretsOf(stack), stack.app.state().status]).toEqual([
      { keychain: {}, file: both, memory: {} },
      'file',
      { storage: 'file', problem: null, needsFile: false },
      'on',
    ]);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);

    await stack.app.moveSecrets('keychain');
    expect([held(), consent()]).toEqual([{ keychain: both, file: {}, memory: {} }, 'keychain']);
  });

  it('to memory: signed in until it ends, as at every start from now on, and a consent to a file is over', async () => {
    const stack = await signedIn();
    await stack.app.moveSecrets('file');
    await stack.app.moveSecrets('memory');
    expect([stack.app.state().status, consent(), held()]).toEqual([
      'on',
      'memory',
      { keychain: {}, file: {}, memory: { 'github-token': entryOf(stack), 'local-key': stack.key } },
    ]);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
  });

  it('to a store that does not take it: says why, and nothing has changed', async () => {
    const stack = await signedIn();
    const before = held();
    file.refused = 'local-key';
    await expect(stack.app.moveSecrets('file')).rejects.toThrow('The disk is full.');
    expect([held(), secretsOf(stack).storage, stack.app.state().status]).toEqual([before, 'keychain', 'on']);
    await stack.app.signOut();
    expect(keychain.held).toEqual({ 'local-key': stack.key });
  });

  it('signing out afterwards empties the new one', async () => {
    const stack = await signedIn();
    await stack.app.moveSecrets('file');
    await stack.app.signOut();
    expect(file.held).toEqual({ 'local-key': stack.key });
  });

  it('is refused where a variable chose', async () => {
    const stack = await start({ secrets: new FaultySecrets('memory') });
    await expect(stack.app.moveSecrets('file')).rejects.toMatchObject({
      message: 'JUMPSEAT_SECRETS sets where secrets are stored.',
      remedy: 'Unset it, and start Jumpseat again.',
    });
  });
});

describe('no keychain', () => {
  it('is said by the state, and a sign-in asks GitHub for nothing until there is a place', async () => {
    keychain.trouble = noKeychain;
    const stack = await start();
    expect(secretsOf(stack)).toEqual({
      storage: 'keychain',
      problem: { code: 'secrets-unavailable', text: noKeychain.reason, remedy: noKeychain.remedy },
      needsFile: true,
    });
    expect(await stack.app.signIn(() => {})).toEqual({
      kind: 'no-storage',
      text: noKeychain.reason,
      remedy: noKeychain.remedy,
    });
    expect(stack.simulator.githubRequests).toEqual([]);

    await stack.app.moveSecrets('file');
    expect(await stack.app.signIn(() => {})).toMatchObject({ kind: 'signed-in' });
    expect(file.held).toEqual({ 'github-token': entryOf(stack), 'local-key': stack.key });
    expect(stack.app.state().status).toBe('on');
  });

  it('ends in memory where nothing else is left, and that is said as long as it lasts', async () => {
    keychain.trouble = noKeychain;
    const stack = await start();
    expect(secretsOf(stack).problem).not.toBeNull();
    await stack.app.moveSecrets('memory');
    expect(await stack.app.signIn(() => {})).toMatchObject({ kind: 'signed-in' });
    expect([stack.app.state().status, secretsOf(stack)]).toEqual([
      'no-keychain',
      { storage: 'memory', problem: null, needsFile: true },
    ]);
    expect(await stack.app.check('account.storage')).toMatchObject({
      verdict: 'warning',
      finding: expect.stringMatching(/^In memory until you quit; no keychain/),
    });
    // One that is there at the next start is used.
    expect(consent()).toBe('keychain');
    await stack.app.moveSecrets('file');
    expect(stack.app.state().status).toBe('on');
  });

  it('names the command that signs in without one wherever a sign-in is missing', async () => {
    keychain.trouble = noKeychain;
    const stack = await start();
    const command = 'Run "jumpseat login --insecure-storage"';
    const orFile = `${noKeychain.remedy} Or run "jumpseat login --insecure-storage" to store the token in a file`;
    expect(stack.app.state().health.problem?.remedy).toMatch(command);
    expect(await stack.app.check('account.signed-in')).toMatchObject({
      finding: 'Not signed in.',
      remedy: `${command}.`,
    });
    expect((await stack.app.check('account.storage'))?.remedy).toContain(orFile);
    expect((await stack.messages(prompt('hi'))).json()).toMatchObject({
      error: { message: expect.stringContaining(`${noKeychain.reason} ${orFile}`) },
    });

    await stack.app.moveSecrets('memory');
    expect((await stack.messages(prompt('hi'))).json()).toMatchObject({
      error: { message: expect.stringContaining(command) },
    });
  });

  it('advises nobody to leave a file for it', async () => {
    keychain.trouble = noKeychain;
    const without = await start({ idle: true });
    await without.app.moveSecrets('file');
    const stored = 'Stored in a file that only your user can read';
    expect(await without.app.check('account.storage')).toMatchObject({
      verdict: 'passed',
      finding: stored,
      remedy: null,
    });
    keychain.trouble = null;
    const beside = await start({ idle: true });
    await beside.app.moveSecrets('file');
    expect(await beside.app.check('account.storage')).toMatchObject({
      ...{ verdict: 'warning', finding: stored },
      remedy: 'This machine has a keychain. To use it, sign out and sign in again.',
    });
  });

  it('in memory by a variable is a choice, and nothing to warn of', async () => {
    const stack = await start({ secrets: new FaultySecrets('memory') });
    expect(await stack.app.signIn(() => {})).toMatchObject({ kind: 'signed-in' });
    expect(stack.app.state().status).toBe('on');
    expect(await stack.app.check('account.storage')).toMatchObject({
      verdict: 'passed',
      finding: 'In memory until you quit, as you chose',
    });
  });

  it('is known before it is asked for, with the proxy off too', async () => {
    keychain.trouble = noKeychain;
    const { app } = await start({ idle: true, app: { key: 'given' } });
    const noted = new Promise<void>((resolve) => {
      app.listen((event) => event.event === 'state' && event.state.secrets.problem !== null && resolve());
    });
    if (app.state().secrets.problem === null) await noted;
    expect(app.state().secrets.problem?.code).toBe('secrets-unavailable');
  });
});

describe('a keychain that is unlocked later', () => {
  it('signs in and lets clients in that hold the key in it', async () => {
    keychain.values.set('local-key', 'key-of-yesterday');
    keychain.trouble = lockedKeychain;
    const stack = await start();
    keychain.values.set('github-token', stack.simulator.githubToken);
    const asOf = async (key: string) => {
      const { proxy } = stack.app.state();
      const headers = { authorization: `Bearer ${key}.test` };
      return (await sendTo(proxy.kind === 'on' ? proxy.baseUrl : '', { path: '/v1/models', headers })).status;
    };
    expect([secretsOf(stack).problem?.code, stack.app.state().status]).toEqual(['secrets-locked', 'signed-out']);
    expect(await asOf('key-of-yesterday')).toBe(401);

    keychain.trouble = null;
    expect(await stack.app.trySecrets()).toBeNull();
    expect([await asOf('key-of-yesterday'), stack.app.state().status]).toEqual([200, 'on']);
    expect(await stack.app.localKey()).toBe('key-of-yesterday');
  });

  it('makes a new sign-in needless', async () => {
    keychain.trouble = lockedKeychain;
    const stack = await start();
    expect((await stack.app.signIn(() => {})).kind).toBe('no-storage');
    keychain.values.set('github-token', stack.simulator.githubToken);
    keychain.trouble = null;
    expect(await stack.app.signIn(() => {})).toEqual({ kind: 'signed-in', login: 'octo-demo' });
    expect(stack.simulator.githubRequests.map(({ path }) => path)).not.toContain('/login/device/code');
  });

  it('is given the key that it could not be given before', async () => {
    keychain.trouble = lockedKeychain;
    const stack = await start();
    keychain.trouble = null;
    await stack.app.refresh();
    expect([keychain.held, secretsOf(stack).problem]).toEqual([{ 'local-key': stack.key }, null]);
  });
});

describe('another process', () => {
  it('that moved everything is followed', async () => {
    const stack = await signedIn();
    for (const [name, value] of keychain.values) file.values.set(name, value);
    keychain.values.clear();
    const other = SettingsStore.open(join(home, 'settings.json'), { write: () => {} }).store;
    const followed = new Promise<void>((resolve) => {
      stack.app.listen((event) => event.event === 'state' && event.state.secrets.storage === 'file' && resolve());
    });
    await other.update({ secretsStorage: 'file' });
    other.close();
    await followed;
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    await stack.app.signOut();
    expect(file.held).toEqual({ 'local-key': stack.key });
  });
});

/** The token as it lies in a store: with the host that gave it. */
function entryOf({ simulator }: Stack): string {
  return `${new URL(simulator.webUrl).host} ${new URL(simulator.apiUrl).host} ${simulator.githubToken}`;
}
