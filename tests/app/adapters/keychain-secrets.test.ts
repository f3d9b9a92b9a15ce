import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain, type Keychain, keychainSecrets } from '../../../app/adapters/keychain-secrets.ts';
import { SecretsError } from '../../../app/ports.ts';
import { temporaryFolder } from './folder.ts';

const script = join(import.meta.dirname, 'fixtures/ask-keychain.ts');

/** A home of its own, and nothing of the session that the tests run in. */
function surroundings(home = temporaryFolder()): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
}

function reportOf(child: { stdout: string; stderr: string; status: number | null }): unknown {
  const line = child.stdout.trimEnd().split('\n').at(-1) ?? '';
  expect(child, child.stderr).toMatchObject({ status: 0 });
  return JSON.parse(line);
}

const installed = (program: string) => spawnSync(program, ['--version']).error === undefined;
const loads = spawnSync(process.execPath, ['-e', `require('keytar')`], { cwd: import.meta.dirname }).status === 0;
const missing = [
  ...['dbus-run-session', 'gnome-keyring-daemon'].filter((program) => !installed(program)),
  ...(loads ? [] : ['libsecret-1-0']),
];
const skipped =
  process.platform === 'linux' && missing.length === 0 ? '' : ` (skipped: not here: ${missing.join(', ') || 'Linux'})`;

const everyCall = (error: string, remedy: unknown) => {
  const failure = { error, remedy };
  return {
    before: failure,
    set: failure,
    same: false,
    other: failure,
    delete: failure,
    after: failure,
    deleteAgain: failure,
  };
};

describe.skipIf(skipped !== '')(`the Secret Service of a real session${skipped}`, () => {
  const unlock = 'echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null';
  const inSession = (command: string, home = temporaryFolder()) =>
    spawnSync('dbus-run-session', ['--', 'bash', '-c', `${command}; exec "$0" "$@"`, process.execPath, script], {
      env: surroundings(home),
      encoding: 'utf8',
      timeout: 60_000,
    });

  it('keeps, gives and forgets', () => {
    const child = inSession(unlock);
    expect(reportOf(child)).toEqual({
      status: { kind: 'available' },
      before: null,
      set: null,
      same: true,
      other: null,
      delete: null,
      after: null,
      deleteAgain: null,
    });
  });

  it('that is locked is not taken for one without our entry', () => {
    const home = temporaryFolder();
    inSession(unlock, home);
    const child = inSession('gnome-keyring-daemon --start --components=secrets >/dev/null', home);
    const reason = 'The keychain is locked.';
    const remedy = 'Unlock it, then try again.';
    expect(reportOf(child)).toEqual({ status: { kind: 'locked', reason, remedy }, ...everyCall(reason, remedy) });
  });

  it('that was never set up says what to do', () => {
    const reason = 'There’s no keychain service in this session.';
    const remedy = expect.stringContaining('sudo apt install gnome-keyring');
    expect(reportOf(inSession('true'))).toEqual({
      status: { kind: 'unavailable', reason, remedy },
      ...everyCall(reason, remedy),
    });
  });
});

describe.skipIf(skipped !== '')(`a machine without D-Bus${skipped}`, () => {
  it('is a state with a remedy, also on a display, where a bus would be started', () => {
    const folder = temporaryFolder();
    const launched = join(folder, 'launched');
    writeFileSync(join(folder, 'dbus-launch'), `#!/bin/sh\ntouch '${launched}'\nexit 1\n`, { mode: 0o755 });
    const env = { ...surroundings(), DISPLAY: ':77', PATH: `${folder}:${process.env.PATH}` };
    const child = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    expect(existsSync(launched)).toBe(false);
    const reason = 'There’s no keychain service in this session.';
    // Shown in the window as well: how to have one, and no command of a terminal for what a button does.
    const remedy =
      'To have a keychain: sudo apt install gnome-keyring (Debian, Ubuntu), then log in to the desktop again.';
    expect(reportOf(child)).toEqual({ status: { kind: 'unavailable', reason, remedy }, ...everyCall(reason, remedy) });
  });
});

describe.skipIf(process.platform !== 'linux')('a machine without libsecret', () => {
  it('is a state with a remedy', () => {
    const child = spawnSync(process.execPath, [script, 'no-libsecret'], { env: surroundings(), encoding: 'utf8' });
    const reason = 'The keychain library can’t be loaded: libsecret is missing.';
    const remedy = expect.stringContaining('sudo apt install libsecret-1-0');
    expect(reportOf(child)).toEqual({ status: { kind: 'unavailable', reason, remedy }, ...everyCall(reason, remedy) });
  });
});

function fakeKeychain(change: Partial<Keychain> = {}): Keychain & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getPassword: async (service, account) => entries.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => void entries.set(`${service}/${account}`, password),
    deletePassword: async (service, account) => entries.delete(`${service}/${account}`),
    ...change,
  };
}

describe('keychain secrets', () => {
  it('are entries of the service Jumpseat, and the probe leaves none behind', async () => {
    const keychain = fakeKeychain();
    const secrets = keychainSecrets({ load: async () => keychain });
    expect(await secrets.status()).toEqual({ kind: 'available' });
    await secrets.set('github-token', 'a token');
    await secrets.get('local-key');
    expect([...keychain.entries]).toEqual([['Jumpseat/github-token', 'a token']]);
  });

  it('do not wait for ever for a keychain that asks its owner', async () => {
    const never = () => new Promise<never>(() => {});
    const secrets = keychainSecrets({
      load: async () => fakeKeychain({ getPassword: never, setPassword: never, deletePassword: never }),
      patienceMs: 10,
    });
    const trouble = {
      reason: expect.stringContaining('didn’t answer in time'),
      remedy: expect.stringContaining('Unlock'),
    };
    expect(await secrets.status()).toEqual({ kind: 'locked', ...trouble });
    const failure = { name: 'SecretsError', message: trouble.reason, remedy: trouble.remedy };
    await expect(secrets.get('github-token')).rejects.toMatchObject(failure);
    await expect(secrets.set('github-token', 'a')).rejects.toMatchObject(failure);
    await expect(secrets.delete('github-token')).rejects.toMatchObject(failure);
  });

  it('go to it one at a time: what came too late is not asked, and a keychain that answers again is used', async () => {
    const asked: string[] = [];
    const unlocked = Promise.withResolvers<void>();
    const keychain: Keychain = {
      getPassword: async (_service, account) => {
        asked.push(account);
        await unlocked.promise;
        return account;
      },
      setPassword: async () => undefined,
      deletePassword: async () => true,
    };
    const secrets = keychainSecrets({ load: async () => keychain, patienceMs: 20 });
    const names = ['local-key', 'github-token', 'brave-key'] as const;
    const answers = await Promise.allSettled(names.map((name) => secrets.get(name)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toEqual(['local-key']);
    unlocked.resolve();
    await expect.poll(() => secrets.get('github-token').catch(() => null)).toBe('github-token');
    expect(asked[1]).toBe('github-token');
  });

  it('do not wait for ever for a library that does not load', async () => {
    const secrets = keychainSecrets({ load: () => new Promise(() => {}), patienceMs: 10 });
    expect(await secrets.status()).toMatchObject({ kind: 'locked' });
  });

  it('try to load again after the library was installed', async () => {
    let installedNow = false;
    const load = async () => {
      if (!installedNow) throw new Error('Failed to load keytar native addon, checked …');
      return fakeKeychain();
    };
    const secrets = keychainSecrets({ load, platform: 'linux' });
    expect(await secrets.status()).toMatchObject({ kind: 'unavailable' });
    installedNow = true;
    expect(await secrets.status()).toEqual({ kind: 'available' });
  });

  it('notice a keychain that forgets', async () => {
    const secrets = keychainSecrets({ load: async () => fakeKeychain({ setPassword: async () => {} }) });
    expect(await secrets.status()).toMatchObject({
      kind: 'unavailable',
      reason: 'The keychain doesn’t store entries.',
    });
    await expect(secrets.get('github-token')).rejects.toBeInstanceOf(SecretsError);
  });

  it.each([
    ['linux', 'Failed to load keytar native addon, checked ["../build/Release"]', 'unavailable', 'libsecret'],
    ['win32', 'Failed to load keytar native addon, checked ["../build/Release"]', 'unavailable', 'can’t be loaded.'],
    ['linux', "Cannot find package 'keytar' imported from", 'unavailable', 'libsecret'],
    ['linux', 'Cannot autolaunch D-Bus without X11 $DISPLAY', 'unavailable', 'no keychain service'],
    ['linux', 'Could not connect: No such file or directory', 'unavailable', 'no keychain service'],
    [
      'linux',
      'The name org.freedesktop.secrets was not provided by any .service files',
      'unavailable',
      'no keychain service',
    ],
    [
      'linux',
      'Object does not exist at path “/org/freedesktop/secrets/collection/login”',
      'unavailable',
      'no keychain service',
    ],
    ['linux', 'Cannot create an item in a locked collection', 'locked', 'locked'],
    ['darwin', 'User interaction is not allowed.', 'locked', 'locked'],
    ['darwin', 'The user name or passphrase you entered is not correct.', 'locked', 'locked'],
    ['darwin', 'Something new', 'unavailable', 'Something new'],
  ] as const)('on %s tell “%s” apart', (platform, words, kind, reason) => {
    const trouble = explain(new Error(words), platform);
    expect(trouble).toMatchObject({ kind, reason: expect.stringContaining(reason) });
    expect(trouble.remedy).not.toBe('');
  });
});
