import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLinkDependencies, commandLink } from '../../main/command-link.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-link-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resources = '/Applications/Jumpseat.app/Contents/Resources';
const command = `${resources}/bin/jumpseat`;
const place = () => join(folder, 'bin', 'jumpseat');
const linked = (change: Partial<CommandLinkDependencies> = {}) =>
  commandLink({
    ...{ platform: 'darwin', packaged: true, resources, place: place() },
    run: () => Promise.reject(new Error('No password is needed here.')),
    ...change,
  });
const to = (target: string) => {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(target, place());
};

describe.skipIf(process.platform === 'win32')('the link to the command on macOS', () => {
  it('is set, and then no longer offered', async () => {
    const link = linked();
    expect(link.isOffered()).toBe(true);
    expect(await link.set()).toBe(true);
    expect([readlinkSync(place()), link.isOffered(), link.remedy()]).toEqual([command, false, false]);
  });

  it.each<[string, Partial<CommandLinkDependencies>]>([
    ['on Linux', { platform: 'linux' }],
    ['on Windows', { platform: 'win32' }],
    ['in development', { packaged: false }],
    ['from the disk image', { resources: '/Volumes/Jumpseat 1.2.3/Jumpseat.app/Contents/Resources' }],
    [
      'where macOS has put it for one start',
      { resources: '/private/var/folders/x/T/AppTranslocation/1A2B/d/Jumpseat.app/Contents/Resources' },
    ],
  ])('is no matter of ours %s', (_where, change) => {
    const link = linked(change);
    expect([link.isOffered(), link.remedy()]).toEqual([false, false]);
  });

  it('follows the app to where it is now, at its start', () => {
    to('/Users/me/Downloads/Jumpseat.app/Contents/Resources/bin/jumpseat');
    const link = linked();
    expect([link.isOffered(), link.remedy(), readlinkSync(place()), link.isOffered()]).toEqual([
      ...[true, true, command, false],
    ]);
  });

  it('leaves the command of another program alone: npm’s link, or a file', () => {
    to('../lib/node_modules/@jumpseat/cli/dist/cli/jumpseat.js');
    expect([linked().isOffered(), linked().remedy()]).toEqual([false, false]);
    rmSync(place());
    writeFileSync(place(), '');
    expect([linked().isOffered(), linked().remedy(), lstatSync(place()).isFile()]).toEqual([false, false, true]);
  });

  describe('in a folder of the system’s', () => {
    // No user can make a folder below a file.
    const closed = () => {
      writeFileSync(join(folder, 'bin'), '');
      return place();
    };

    it('is set with a password, and no path is read as a script', async () => {
      const ran: string[][] = [];
      const run = async (program: string, args: readonly string[]) => ran.push([program, ...args]);
      const inOdd = `/Applications/" & (do shell script "x") & ".app/Contents/Resources`;
      expect(await linked({ place: closed(), run, resources: inOdd }).set()).toBe(true);
      const [[program, ...args] = []] = ran;
      expect([program, args.slice(-4)]).toEqual([
        '/usr/bin/osascript',
        [...[`${inOdd}/bin/jumpseat`, place(), join(folder, 'bin')], 'Jumpseat sets a link for the command jumpseat.'],
      ]);
      expect(args.slice(0, -4).join('\n')).not.toContain('Applications');
    });

    it('is not set where the person declines, and otherwise says what to type', async () => {
      const failing = (stderr: string) => () => Promise.reject(Object.assign(new Error('1'), { stderr }));
      const at = closed();
      expect(await linked({ place: at, run: failing('execution error: User canceled. (-128)') }).set()).toBe(false);
      await expect(linked({ place: at, run: failing('osascript: broken') }).set()).rejects.toMatchObject({
        message: 'The command “jumpseat” can’t be installed.',
        remedy: `In a terminal: sudo ln -sfh ${command} ${at}`,
      });
    });
  });
});
