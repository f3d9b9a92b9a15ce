import { describe, expect, it } from 'vitest';
import { howToShow } from '../../main/how-to-show.ts';

const show = (path: string, platform: string, more: { isFolder?: boolean; isExecutable?: boolean } = {}) =>
  howToShow({ path, isFolder: false, isExecutable: false, ...more }, platform);

describe('a path of a session', () => {
  it.each(['linux', 'darwin', 'win32'])('is opened on %s where nothing can run by that', (platform) => {
    for (const path of ['/p/notes.md', '/p/data.json', '/p/main.rs', '/p/picture.PNG']) {
      expect([path, show(path, platform)]).toEqual([path, 'open']);
    }
    expect(show('/p/src', platform, { isFolder: true })).toBe('open');
  });

  it.each([
    ['linux', ['/p/x.desktop', '/p/x.jar', '/p/x.AppImage', '/p/page.html']],
    ['darwin', ['/p/x.command', '/p/x.terminal', '/p/x.py', '/p/x.webloc']],
    ['win32', ['C:\\p\\x.exe', 'C:\\p\\x.js', 'C:\\p\\x.py', 'C:\\p\\x.lnk', 'C:\\p\\noname', 'C:\\p\\x.ps1']],
  ])('is only shown in its folder on %s where the system might run it', (platform, paths) => {
    for (const path of paths) expect([path, show(path, platform)]).toEqual([path, 'reveal']);
  });

  it('is only shown in its folder where it is marked as a program', () => {
    expect(show('/p/deploy.txt', 'linux', { isExecutable: true })).toBe('reveal');
    expect(show('/p/Tool.app', 'darwin', { isFolder: true })).toBe('reveal');
  });
});
