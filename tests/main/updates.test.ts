import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpdateState } from '../../app/api/state.ts';
import type { Clock } from '../../app/ports.ts';
import { Updates, type UpdatesDependencies, whyNoUpdates } from '../../main/updates.ts';
import { LineLog } from '../app/account/surroundings.ts';

/** A clock that stands still until it is told to wake the sleeper. */
class WokenClock implements Clock {
  readonly slept: number[] = [];
  #wake: (() => void) | null = null;
  now(): number {
    return 1_000;
  }
  ticks(): number {
    return 0;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }
  async wake(): Promise<void> {
    this.#wake?.();
    await new Promise(setImmediate);
  }
}

/** electron-updater, as far as it is used; `answer` is what the host says. */
class FakeUpdater extends EventEmitter {
  autoDownload = false;
  autoInstallOnAppQuit = false;
  allowDowngrade = true;
  allowPrerelease = true;
  disableWebInstaller = false;
  requestHeaders: object | null = null;
  logger: unknown = console;
  readonly done: unknown[] = [];
  answer: (updater: FakeUpdater) => Promise<unknown> | unknown = (updater) => updater.emit('update-not-available');
  async checkForUpdates(): Promise<unknown> {
    this.done.push('checkForUpdates');
    return this.answer(this);
  }
  quitAndInstall(...given: unknown[]): void {
    this.done.push(['quitAndInstall', ...given]);
  }
}

const newer = (updater: FakeUpdater): void => {
  updater.emit('update-available', { version: '1.4.0' });
  updater.emit('download-progress', { percent: 41.7 });
  updater.emit('download-progress', { percent: 41.9 });
  updater.emit('update-downloaded', { version: '1.4.0' });
};

function updates(change: Partial<UpdatesDependencies> = {}) {
  const updater = new FakeUpdater();
  const clock = new WokenClock();
  const log = new LineLog();
  let loads = 0;
  const dependencies: UpdatesDependencies = {
    whyOff: null,
    load: async () => {
      loads += 1;
      return updater;
    },
    beforeRestart: async () => {
      updater.done.push('beforeRestart');
      return true;
    },
    clock,
    log,
    ...change,
  };
  const tested = new Updates(dependencies);
  const seen: UpdateState[] = [];
  tested.onChange((state) => seen.push(state));
  return { tested, updater, clock, log, seen, loads: () => loads };
}

describe('a build without a host', () => {
  it('never asks anything, and says why', async () => {
    const { tested, clock, loads, seen } = updates({
      whyOff: 'This is a development build. It doesn’t look for updates.',
    });
    await tested.start();
    expect(await tested.check()).toEqual({
      kind: 'off',
      reason: 'This is a development build. It doesn’t look for updates.',
    });
    await tested.restart();
    expect([loads(), clock.slept, seen]).toEqual([0, [], []]);
  });
});

describe('a build with a host', () => {
  it('asks after a minute and then every six hours, until it is closed', async () => {
    const { tested, clock, updater, loads } = updates();
    const running = tested.start();
    expect([clock.slept, loads()]).toEqual([[60_000], 0]);
    await clock.wake();
    await clock.wake();
    expect(clock.slept).toEqual([60_000, 21_600_000, 21_600_000]);
    expect([updater.done, loads()]).toEqual([['checkForUpdates', 'checkForUpdates'], 1]);
    tested.close();
    await running;
  });

  it('says when it looked and found nothing', async () => {
    const { tested, seen } = updates();
    expect(await tested.check()).toEqual({ kind: 'idle', checkedAt: 1_000 });
    expect(seen).toEqual([{ kind: 'checking' }, { kind: 'idle', checkedAt: 1_000 }]);
  });

  it('fetches a new version and offers it', async () => {
    const { tested, updater, seen } = updates();
    updater.answer = newer;
    await tested.check();
    expect(seen).toEqual([
      { kind: 'checking' },
      { kind: 'loading', version: '1.4.0', percent: 0 },
      { kind: 'loading', version: '1.4.0', percent: 41 },
      { kind: 'ready', version: '1.4.0' },
    ]);
    expect(tested.state()).toEqual({ kind: 'ready', version: '1.4.0' });
    await tested.check();
    expect(updater.done).toEqual(['checkForUpdates']);
  });

  it('sends no number of this machine, takes nothing older and no installers from the web', async () => {
    const { tested, updater } = updates();
    await tested.check();
    expect(updater).toMatchObject({
      autoDownload: true,
      autoInstallOnAppQuit: true,
      allowDowngrade: false,
      allowPrerelease: false,
      disableWebInstaller: true,
      requestHeaders: { 'x-user-staging-id': 'none' },
      logger: null,
    });
  });

  it('ends everything in order before the new version takes its place', async () => {
    const { tested, updater } = updates();
    await tested.restart();
    updater.answer = newer;
    await tested.check();
    await tested.restart();
    expect(updater.done).toEqual(['checkForUpdates', 'beforeRestart', ['quitAndInstall', true, true]]);
  });

  it('is not put in its place where a person goes on with what runs', async () => {
    const { tested, updater } = updates({ beforeRestart: async () => false });
    updater.answer = newer;
    await tested.check();
    await tested.restart();
    expect(updater.done).toEqual(['checkForUpdates']);
  });

  it('a failure is a state, once, and is tried again', async () => {
    const { tested, updater, seen, log } = updates();
    const error = new Error('net::ERR_INTERNET_DISCONNECTED');
    updater.answer = (fake) => {
      fake.emit('error', error);
      throw error;
    };
    expect(await tested.check()).toEqual({
      kind: 'failed',
      text: 'Looking for a new version failed.',
      remedy: 'It is tried again later. The log says why.',
    });
    expect(seen).toHaveLength(2);
    expect(log.lines).toEqual([{ level: 'warn', event: 'updates.failed', facts: { error } }]);
    updater.answer = newer;
    expect(await tested.check()).toEqual({ kind: 'ready', version: '1.4.0' });
  });

  it('a download that breaks off is a failure too', async () => {
    const { tested, updater } = updates();
    updater.answer = (fake) => fake.emit('update-available', { version: '1.4.0' });
    await tested.check();
    updater.emit('error', new Error('sha512 checksum mismatch'));
    expect(tested.state().kind).toBe('failed');
  });

  it('electron-updater that cannot be loaded is tried again the next time', async () => {
    const updater = new FakeUpdater();
    const loads = [() => Promise.reject(new Error('gone')), async () => updater];
    const { tested } = updates({ load: () => loads.shift()?.() ?? Promise.reject(new Error('asked too often')) });
    expect((await tested.check()).kind).toBe('failed');
    expect((await tested.check()).kind).toBe('idle');
    expect((await tested.check()).kind).toBe('idle');
  });
});

describe('which build asks at all', () => {
  let resources: string;
  beforeEach(() => {
    resources = mkdtempSync(join(tmpdir(), 'jumpseat-resources-'));
  });
  afterEach(() => rmSync(resources, { recursive: true }));
  const put = (name: string) => writeFileSync(join(resources, name), '');
  const why = (change: Partial<Parameters<typeof whyNoUpdates>[0]> = {}) =>
    whyNoUpdates({ packaged: true, resources, platform: 'linux', env: {}, ...change });

  it('none in development, and none without the address that the packager writes', () => {
    put('app-update.yml');
    expect(why({ packaged: false, env: { APPIMAGE: '/x' } })).toBe(
      'This is a development build. It doesn’t look for updates.',
    );
    rmSync(join(resources, 'app-update.yml'));
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(why({ platform, env: { APPIMAGE: '/x' } })).toBe('This build has no host to get updates from.');
    }
  });

  it('on Linux an AppImage alone: packages are their system’s business, an unpacked folder its owner’s', () => {
    put('app-update.yml');
    const ofSystem = 'This package is updated by your system, or when you install a newer one.';
    const reasons = () => [
      why(),
      why({ env: { APPIMAGE: '/x' } }),
      why({ platform: 'darwin' }),
      why({ platform: 'win32' }),
    ];
    expect(reasons()).toEqual([
      'Update this build the way you installed it, with your package manager or installer.',
      null,
      null,
      null,
    ]);
    put('package-type');
    expect(reasons()).toEqual([ofSystem, null, null, null]);
  });
});
