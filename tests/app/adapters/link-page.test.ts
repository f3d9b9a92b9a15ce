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
import { expect, it } from 'vitest';
import { sweepLinkPages, writeLinkPage } from '../../../app/adapters/link-page.ts';
import { temporaryFolder } from './folder.ts';

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
