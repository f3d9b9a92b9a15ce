import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder, homeFolder, nodePaths } from '../../../app/adapters/paths.ts';
import { temporaryFolder } from './folder.ts';

describe('paths', () => {
  it.each([
    ['linux', {}, '/home/me/.local/share/jumpseat'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/jumpseat'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/jumpseat'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/me/.local/share/jumpseat'],
    ['freebsd', {}, '/home/me/.local/share/jumpseat'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/me/Library/Application Support/Jumpseat'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/Jumpseat'],
    ['win32', {}, '/home/me/AppData/Roaming/Jumpseat'],
    ['darwin', { JUMPSEAT_HOME: '/own place' }, '/own place'],
    ['linux', { JUMPSEAT_HOME: '' }, '/home/me/.local/share/jumpseat'],
    ['linux', { JUMPSEAT_HOME: 'here' }, resolve('here')],
  ] as const)('on %s with %j are in %s', (platform, env, home) => {
    expect(homeFolder(env, platform, '/home/me')).toBe(home);
  });

  it.each([
    ['linux', {}, '/home/me/.cache/jumpseat'],
    ['linux', { XDG_CACHE_HOME: '/fast' }, '/fast/jumpseat'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/me/.cache/jumpseat'],
    ['darwin', {}, '/home/me/Library/Caches/Jumpseat'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Jumpseat/Cache'],
    ['win32', {}, '/home/me/AppData/Local/Jumpseat/Cache'],
    ['darwin', { JUMPSEAT_HOME: '/own place' }, '/own place/cache'],
  ] as const)('on %s with %j keep what can be fetched again in %s', (platform, env, cache) => {
    expect(cacheFolder(env, platform, '/home/me')).toBe(cache);
  });

  it('are named in one folder, which is made for this user alone', () => {
    const home = join(temporaryFolder(), 'a', 'b');
    expect(nodePaths({ JUMPSEAT_HOME: home })).toEqual({
      home,
      settings: join(home, 'settings.json'),
      history: join(home, 'history.db'),
      sessions: join(home, 'sessions.db'),
      transcripts: join(home, 'transcripts.db'),
      logs: join(home, 'logs'),
      lock: join(home, 'lock'),
      backups: join(home, 'backups'),
      cache: join(home, 'cache'),
    });
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it('leave a folder that is there as it is', () => {
    const home = join(temporaryFolder(), 'home');
    mkdirSync(home);
    chmodSync(home, 0o750);
    nodePaths({ JUMPSEAT_HOME: home });
    expect(statSync(home).mode & 0o777).toBe(0o750);
  });

  it('say which folder cannot be made, and what to do', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    // Says of a new folder that its parent is missing.
    const endless = process.platform === 'linux' ? ['/proc/x', '/proc/x/home'] : [];
    for (const home of [join(folder, 'file'), join(folder, 'file', 'home'), ...endless]) {
      let thrown: unknown;
      try {
        nodePaths({ JUMPSEAT_HOME: home });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({
        name: 'PathsError',
        message: expect.stringContaining(home),
        remedy: expect.stringContaining('JUMPSEAT_HOME'),
      });
    }
  });
});
