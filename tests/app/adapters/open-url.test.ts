import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Launcher,
  launcherFor,
  nodeOpenUrl,
  openUrl,
  safeAddress,
  sweepLinkPages,
  writeLinkPage,
} from '../../../app/adapters/open-url.ts';
import { temporaryFolder } from './folder.ts';

/** Stands in for the system's launcher: writes its arguments to a file and ends with a code. */
function launcher(file: string, code = 0): Launcher {
  const script =
    `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(1))); ` +
    `process.exit(${code})`;
  return { command: process.execPath, args: ['-e', script, '--'] };
}

describe('opening an address', () => {
  it('hands it over as one argument, whatever it holds', async () => {
    const file = join(temporaryFolder(), 'arguments');
    expect(await openUrl('https://github.com/login/device?a=1&b=$(touch x);%20"', launcher(file))).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
      'https://github.com/login/device?a=1&b=$(touch%20x);%20%22',
    ]);
  });

  it('is false where the launcher fails or is missing', async () => {
    expect(await openUrl('https://github.com/', launcher(join(temporaryFolder(), 'a'), 3))).toBe(false);
    expect(await openUrl('https://github.com/', { command: 'no-such-launcher-here', args: [] })).toBe(false);
  });

  it.each([
    'http://github.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://me:secret@github.com/',
    'http://127.0.0.1.evil.example/',
    'vscode://x',
    'http://127.0.0.1:4180/ui/?link=abc',
    'not an address',
    '',
  ])('is refused for %j', async (url) => {
    const file = join(temporaryFolder(), 'arguments');
    expect(await openUrl(url, launcher(file))).toBe(false);
    expect(existsSync(file)).toBe(false);
    await nodeOpenUrl()(url);
  });

  it.each(['https://github.com/', 'http://127.0.0.1:4180/ui/', 'http://localhost:4180/ui/', 'http://[::1]:4180/ui/'])(
    'is allowed for %s',
    (url) => {
      expect(safeAddress(url)).toBe(url);
    },
  );

  it('uses no shell on any system', () => {
    expect((['linux', 'darwin', 'win32'] as const).map(launcherFor)).toEqual([
      { command: 'xdg-open', args: [] },
      { command: 'open', args: [] },
      { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler'] },
    ]);
  });
});

const link = 'http://127.0.0.1:4181/ui/?link=abc';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

it('a page with the dashboard’s link is for its user alone, whatever the umask, and goes with its folder', async () => {
  const before = process.umask(0);
  try {
    const parent = temporaryFolder();
    const page = await writeLinkPage(link, parent);
    expect([modeOf(page.path), modeOf(dirname(page.path))]).toEqual(['600', '700']);
    expect(readFileSync(page.path, 'utf8')).toContain(`<meta http-equiv="refresh" content="0; url=${link}">`);
    expect(page.path).not.toContain('abc');
    await page.remove();
    expect(readdirSync(parent)).toEqual([]);
  } finally {
    process.umask(before);
  }
});

it('a folder that can’t be written is said, and nothing is left', async () => {
  await expect(writeLinkPage(link, join(temporaryFolder(), 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('only pages that a killed process left are swept: exact name, old, and nothing else in the folder', async () => {
  const parent = temporaryFolder();
  const long = new Date(Date.now() - 11 * 60_000);
  const make = (name: string, files: string[], at: Date = long): void => {
    mkdirSync(join(parent, name));
    for (const file of files) writeFileSync(join(parent, name, file), 'x');
    utimesSync(join(parent, name), at, at);
  };
  make('jumpseat-open-aB3dE6', ['dashboard.html']);
  make('jumpseat-open-zzzzz1', []);
  make('jumpseat-open-fresh1', ['dashboard.html'], new Date());
  make('jumpseat-open-mixed1', ['dashboard.html', 'mine.txt']);
  make('jumpseat-open-toolong', ['dashboard.html']);
  make('my-jumpseat-open-aB3dE6', ['dashboard.html']);
  make('elsewhere', ['dashboard.html']);
  symlinkSync(join(parent, 'elsewhere'), join(parent, 'jumpseat-open-linked'));
  writeFileSync(join(parent, 'jumpseat-open-afile1'), 'x');
  await sweepLinkPages(parent);
  expect(readdirSync(parent).sort()).toEqual([
    'elsewhere',
    'jumpseat-open-afile1',
    'jumpseat-open-fresh1',
    'jumpseat-open-linked',
    'jumpseat-open-mixed1',
    'jumpseat-open-toolong',
    'my-jumpseat-open-aB3dE6',
  ]);
  expect(existsSync(join(parent, 'elsewhere', 'dashboard.html'))).toBe(true);
  expect(readdirSync(join(parent, 'jumpseat-open-mixed1'))).toEqual(['mine.txt']);
});
