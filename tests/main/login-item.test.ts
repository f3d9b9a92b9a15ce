import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  desktopEntry,
  type LoginItemDependencies,
  loginItem,
  rememberedLoginItem,
  startCommand,
  systemLoginItem,
} from '../../main/login-item.ts';

let userHome: string;
beforeEach(() => {
  userHome = mkdtempSync(join(tmpdir(), 'jumpseat-login-'));
});
afterEach(() => rmSync(userHome, { recursive: true, force: true }));

const nowhere = { read: () => false, write: () => {} };
const onLinux = (dependencies: Partial<LoginItemDependencies> = {}) =>
  loginItem({
    platform: 'linux',
    env: {},
    command: ['/opt/Jumpseat/jumpseat'],
    system: nowhere,
    userHome,
    ...dependencies,
  });
const file = () => join(userHome, '.config', 'autostart', 'app.jumpseat.Jumpseat.desktop');

describe('start at login on Linux', () => {
  it('is a file of its own, written and removed', () => {
    const item = onLinux();
    expect(item.read()).toBe(false);
    item.write(true);
    expect(readFileSync(file(), 'utf8')).toBe(
      '[Desktop Entry]\nType=Application\nName=Jumpseat\nComment=Claude Code on your GitHub Copilot ' +
        'subscription\nExec="/opt/Jumpseat/jumpseat" ' +
        '--hidden\nTerminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n',
    );
    expect({ on: item.read(), mode: statSync(file()).mode & 0o777 }).toEqual({ on: true, mode: 0o644 });
    item.write(false);
    item.write(false);
    expect({ on: item.read(), there: existsSync(file()) }).toEqual({ on: false, there: false });
  });

  it('lies in XDG_CONFIG_HOME where that is an absolute path', () => {
    onLinux({ env: { XDG_CONFIG_HOME: join(userHome, 'other') } }).write(true);
    onLinux({ env: { XDG_CONFIG_HOME: 'relative' } }).write(true);
    expect([
      existsSync(join(userHome, 'other', 'autostart', 'app.jumpseat.Jumpseat.desktop')),
      existsSync(file()),
    ]).toEqual([true, true]);
  });

  it('is fixed at the start when the program has moved', () => {
    onLinux().write(true);
    const moved = onLinux({ command: ['/home/me/Jumpseat 2.AppImage'] });
    expect([moved.remedy(), moved.remedy()]).toEqual([true, false]);
    expect(readFileSync(file(), 'utf8')).toContain('\nExec="/home/me/Jumpseat 2.AppImage" --hidden\n');
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('stays off where the desktop says %s', (line) => {
    mkdirSync(join(userHome, '.config', 'autostart'), { recursive: true });
    const text = `[Desktop Entry]\nExec="/old"\n${line}\n`;
    writeFileSync(file(), text);
    const item = onLinux();
    expect([item.read(), item.remedy(), readFileSync(file(), 'utf8')]).toEqual([false, false, text]);
  });

  it('fixes nothing that is not there', () => {
    expect([onLinux().remedy(), existsSync(file())]).toEqual([false, false]);
  });

  it.each([{ FLATPAK_ID: 'app.jumpseat' }, { SNAP: '/snap/jumpseat/1' }])('is left to the sandbox: %j', (env) => {
    const item = onLinux({ env });
    item.write(true);
    expect([item.isAvailable, existsSync(file())]).toEqual([false, false]);
  });
});

describe('asked with every change of the menu', () => {
  it('looks now and then only, and at once after it was written', () => {
    let time = 0;
    let asked = 0;
    let written = 0;
    let system = true;
    const item = rememberedLoginItem(
      {
        ...onLinux(),
        read: () => {
          asked += 1;
          return system;
        },
        write: (on) => {
          system = on;
        },
      },
      () => time,
      () => {
        written += 1;
      },
    );
    const first = [item.read(), item.read(), asked];
    item.write(false);
    const second = [item.read(), asked, written];
    system = true;
    time = 30_000;
    const third = [item.read(), asked];
    time = 30_001;
    expect([first, second, third, [item.read(), asked]]).toEqual([
      [true, true, 1],
      [false, 2, 1],
      [false, 2],
      [true, 3],
    ]);
  });

  it('counts as off where it cannot be read', () => {
    const failing = {
      ...onLinux(),
      read: () => {
        throw new Error('EACCES');
      },
    };
    expect(
      rememberedLoginItem(
        failing,
        () => 0,
        () => {},
      ).read(),
    ).toBe(false);
  });
});

describe('Exec', () => {
  it.each([
    ['/opt/a b/jumpseat', '"/opt/a b/jumpseat"'],
    ['/opt/100%/x', '"/opt/100%%/x"'],
    ['/opt/$HOME`id`/x', '"/opt/\\\\$HOME\\\\`id\\\\`/x"'],
    ['/opt/say "hi"/x', '"/opt/say \\\\"hi\\\\"/x"'],
    ['/opt/back\\slash', '"/opt/back\\\\\\\\slash"'],
  ])('%s', (path, quoted) => {
    expect(desktopEntry([path])).toContain(`\nExec=${quoted} --hidden\n`);
  });

  it('is the AppImage as a file, else the program, with its folder where that is not packed', () => {
    const env = { APPIMAGE: '/home/me/Jumpseat.AppImage' };
    expect([
      startCommand(env, '/tmp/.mount_x/jumpseat', null),
      startCommand({}, '/opt/Jumpseat/jumpseat', null),
      startCommand({ APPIMAGE: 'relative' }, '/usr/bin/electron', '/src/jumpseat'),
    ]).toEqual([['/home/me/Jumpseat.AppImage'], ['/opt/Jumpseat/jumpseat'], ['/usr/bin/electron', '/src/jumpseat']]);
  });
});

it('macOS and Windows keep the login item themselves, which starts Jumpseat hidden', () => {
  let kept = { openAtLogin: false, args: [''] };
  const system = systemLoginItem({
    getLoginItemSettings: ({ args }) => ({ openAtLogin: kept.openAtLogin && args.join() === kept.args.join() }),
    setLoginItemSettings: (settings) => {
      kept = settings;
    },
  });
  const item = loginItem({ platform: 'win32', env: {}, command: [], system });
  item.write(true);
  expect([item.isAvailable, item.read(), item.remedy(), kept]).toEqual([
    true,
    true,
    false,
    { openAtLogin: true, args: ['--hidden'] },
  ]);
});
