import { describe, expect, it } from 'vitest';
import { howToShow } from '../../main/how-to-show.ts';

const show = (path: string, platform: string, more: { isFolder?: boolean; isExecutable?: boolean } = {}) =>
  howToShow({ path, isFolder: false, isExecutable: false, ...more }, platform);

const systems = ['linux', 'darwin', 'win32'];

describe('a path of a session', () => {
  it.each(systems)('is opened on %s where nothing can run by that', (platform) => {
    for (const path of ['/p/notes.md', '/p/data.json', '/p/main.rs', '/p/picture.PNG']) {
      expect([path, show(path, platform)]).toEqual([path, 'open']);
    }
    expect(show('/p/src', platform, { isFolder: true })).toBe('open');
  });

  /** Run, mounted, installed, or shown with scripts in them by some system; or looked into, where it has no name. */
  const mayRun = [
    ...['desktop', 'kdelnk', 'jar', 'jnlp', 'class', 'appimage', 'deb', 'rpm', 'flatpakref', 'flatpak', 'snap', 'run'],
    ...['html', 'htm', 'xhtml', 'mhtml', 'shtml', 'svg', 'xml', 'xsl', 'js', 'py', 'pyw', 'pyz', 'sh', 'ini', 'jsonc'],
    ...['command', 'tool', 'terminal', 'pkg', 'mpkg', 'dmg', 'workflow', 'scpt', 'mobileconfig', 'prefPane', 'saver'],
    ...['webloc', 'inetloc', 'fileloc', 'vncloc', 'afploc', 'ftploc', 'exe', 'msi', 'lnk', 'url', 'ps1', 'bat', 'hta'],
    ...['md.', 'md ', 'never-heard-of'],
  ];

  it.each(systems)('is only shown in its folder on %s where any system might run it', (platform) => {
    const paths = ['/p/noname', '/p/.profile', ...mayRun.map((kind) => `/p/x.${kind}`)];
    expect(paths.filter((path) => show(path, platform) !== 'reveal')).toEqual([]);
    expect(show('/p/deploy.txt', platform, { isExecutable: true })).toBe('reveal');
  });

  it('is only shown where it is a folder that the system may take for more', () => {
    const paths = ['/p/Tool.app', '/p/x.prefPane', '/p/x.kext', '/p/x.{ED7BA470-8E54-465E-825C-99712043E01C}'];
    for (const platform of ['darwin', 'win32']) {
      expect(paths.filter((path) => show(path, platform, { isFolder: true }) !== 'reveal')).toEqual([]);
    }
    expect(show('/p/my.project', 'linux', { isFolder: true })).toBe('open');
  });
});
