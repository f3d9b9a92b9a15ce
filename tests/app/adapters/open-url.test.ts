import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Launcher, launcherFor, nodeOpenUrl, openUrl, safeAddress } from '../../../app/adapters/open-url.ts';
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
