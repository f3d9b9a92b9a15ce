import { describe, expect, it } from 'vitest';
import type { PathInSession } from '../../../app/api/session-surroundings.ts';
import type { FileOpener } from '../../../app/api/settings.ts';
import { type PreferenceFacts, preferencesOf } from '../../../app/settings/preference-answers.ts';
import { settingsSchema } from '../../../app/settings/schema.ts';
import { howToShow, openAddress, openKnownFile, showInSession } from '../../../main/windows/open-outside.ts';

const facts: PreferenceFacts = {
  ...{ port: 4180, portFixed: false, githubHost: 'github.com', githubFixedBy: null },
  ...{ ownShell: 'bash', storageIsFree: true, managed: null, keys: [] },
};

async function shown(
  found: Partial<PathInSession>,
  { opener = 'system', allow = false, line }: { opener?: FileOpener; allow?: boolean; line?: number } = {},
) {
  const done: string[] = [];
  const path = { path: '/p/a.py', isOutside: false, isFolder: false, isExecutable: false, ...found };
  const settings = settingsSchema.parse({ sessions: { openFilesWith: opener } });
  await showInSession(
    { session: 's', path: 'a.py', line },
    {
      app: { pathInSession: async () => path, preferences: () => preferencesOf(settings, facts) },
      openers: { open: async (...given) => void done.push(given.filter((one) => one !== undefined).join(' ')) },
      platform: 'linux',
      ask: async ({ text }) => {
        done.push(`asked ${text.split('\n')[0]}`);
        return allow;
      },
      revealPath: (file) => void done.push(`revealed ${file}`),
      openPath: async (file) => {
        done.push(`opened ${file}`);
        return '';
      },
    },
  );
  return done;
}

it('opens a file with the system, and only shows what the system might run', async () => {
  expect(await shown({ path: '/p/a.md' })).toEqual(['opened /p/a.md']);
  expect(await shown({ path: '/p/a.py' })).toEqual(['revealed /p/a.py']);
});

it('opens every file with the editor that the person chose, and no folder', async () => {
  expect(await shown({ path: '/p/a.py' }, { opener: 'zed' })).toEqual(['zed /p/a.py']);
  expect(await shown({ isExecutable: true }, { opener: 'zed' })).toEqual(['zed /p/a.py']);
  expect(await shown({ path: '/p', isFolder: true }, { opener: 'zed' })).toEqual(['opened /p']);
});

it('opens a file at the line that was named, where an editor does', async () => {
  expect(await shown({ path: '/p/a.md' }, { opener: 'zed', line: 12 })).toEqual(['zed /p/a.md 12']);
  expect(await shown({ path: '/p/a.md' }, { line: 12 })).toEqual(['opened /p/a.md']);
});

it('asks before it shows what lies outside of the session’s folder', async () => {
  for (const opener of ['system', 'zed'] as const) {
    expect(await shown({ path: '/etc/x.md', isOutside: true }, { opener })).toEqual(['asked /etc/x.md']);
  }
  const allowed = await shown({ path: '/etc/x.md', isOutside: true }, { opener: 'zed', allow: true });
  expect(allowed).toEqual(['asked /etc/x.md', 'zed /etc/x.md']);
});

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

it('a file is handed to the system; what it can’t show is said with a way out', async () => {
  const opened: string[] = [];
  await openKnownFile('/home/me/.bashrc', async (path) => {
    opened.push(path);
    return '';
  });
  expect(opened).toEqual(['/home/me/.bashrc']);
  await expect(openKnownFile('/home/me/.bashrc', async () => 'No program is set for it')).rejects.toMatchObject({
    message: '/home/me/.bashrc couldn’t be opened: No program is set for it.',
    remedy: 'Open it with an editor.',
  });
  await expect(openKnownFile(null, async () => '')).rejects.toMatchObject({
    message: 'There is nothing to show any more.',
    remedy: 'Check again.',
  });
});

it('opens exactly what was confirmed, and nothing that is not an address of the web or of mail', async () => {
  const opened: string[] = [];
  const open = async (address: string): Promise<void> => void opened.push(address);
  await openAddress('https://example.com/a?b=c', open);
  await expect(openAddress('file:///etc/passwd', open)).rejects.toMatchObject({
    message: 'This address isn’t one that is opened from here.',
    remedy: 'Copy it, and open it yourself if you trust it.',
  });
  expect(opened).toEqual(['https://example.com/a?b=c']);
});

it('says without the address that the system could not', async () => {
  const opening = openAddress('mailto:a@example.com', () => Promise.reject(new Error('mailto:a@example.com failed')));
  await expect(opening).rejects.toThrow(/^The system has no program that opens this address\.$/);
});
