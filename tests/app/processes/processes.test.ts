import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type EndDependencies, endTree } from '../../../app/processes/launch.ts';
import { processStart, type StartDependencies } from '../../../app/processes/process-start.ts';

describe('a process that is ended', () => {
  const ended = async (platform: NodeJS.Platform, leadsGroup: boolean, given: Partial<EndDependencies> = {}) => {
    const done: unknown[] = [];
    endTree(7, leadsGroup, {
      platform,
      signal: (pid, name) => void done.push([pid, name]),
      run: async (file, args) => void done.push([file, ...args]),
      environment: { SystemRoot: 'D:\\Windows' },
      ...given,
    });
    await new Promise(setImmediate);
    return done;
  };

  it.each([
    { platform: 'linux', leadsGroup: true, does: [-7, 'SIGKILL'] },
    { platform: 'darwin', leadsGroup: true, does: [-7, 'SIGKILL'] },
    { platform: 'darwin', leadsGroup: false, does: [7, 'SIGKILL'] },
    {
      platform: 'win32',
      leadsGroup: false,
      does: ['D:\\Windows\\System32\\taskkill.exe', '/T', '/F', '/PID', '7'],
    },
  ] as const)('takes along what it started: $platform, $leadsGroup', async ({ platform, leadsGroup, does }) => {
    expect(await ended(platform, leadsGroup)).toEqual([does]);
  });

  it('is ended alone where taskkill can’t be had, and one that is gone is no failure', async () => {
    const run = () => Promise.reject(new Error('ENOENT'));
    expect(await ended('win32', false, { run })).toEqual([[7, 'SIGKILL']]);
    const signal = () => {
      throw new Error('ESRCH');
    };
    for (const platform of ['linux', 'win32'] as const)
      expect(await ended(platform, true, { run, signal })).toEqual([]);
  });
});

describe('when a process began', () => {
  const stat = `7 (a) b) ${Array.from({ length: 30 }, (_, at) => (at === 0 ? 'S' : at + 3)).join(' ')}`;
  /** As macOS prints it: in the person's language and time zone, but where it is asked for C and UTC. */
  const system = (platform: NodeJS.Platform, change: Partial<StartDependencies> = {}): StartDependencies => ({
    platform,
    read: async (path) => (path === '/proc/7/stat' ? stat : Promise.reject(new Error('ENOENT'))),
    run: async (file, args, { LC_ALL, TZ }) => {
      if (file === 'powershell.exe') return args.at(-1)?.includes('-Id 7 ') ? '134086518550000000\r\n' : '';
      if (args.at(-1) !== '7') throw new Error('1');
      return LC_ALL === 'C' && TZ === 'UTC' ? 'Thu Oct 15 11:30:55 2026    \n' : 'Do 15 Okt 13:30:55 2026\n';
    },
    ...change,
  });

  it.each([
    { platform: 'linux', start: '22' },
    { platform: 'darwin', start: 'Thu Oct 15 11:30:55 2026' },
    { platform: 'win32', start: '134086518550000000' },
  ] as const)('is said alike whatever the language and the time zone: $platform', async ({ platform, start }) => {
    expect(await processStart(7, system(platform))).toBe(start);
    expect(await processStart(8, system(platform))).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('is what this system says of this process', async () => {
    const start = await processStart(process.pid);
    expect(start).not.toBeNull();
    expect(await processStart(process.pid)).toBe(start);
    expect(await processStart(2 ** 30)).toBeNull();
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(process.pid)], {
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    const run: StartDependencies['run'] = async (file, args, variables) =>
      String(execFileSync(file, [...args], { env: { ...process.env, ...variables, LANG: 'de_DE.UTF-8' } }));
    expect(await processStart(process.pid, system('darwin', { run }))).toBe(String(printed).trim());
  });
});
