import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptPath } from './script.ts';

const run = promisify(execFile);

describe.skipIf(!existsSync('/usr/bin/dpkg-deb'))('what stands in for fpm', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-fpm-test-'));
    mkdirSync(join(folder, 'app'));
    writeFileSync(join(folder, 'app', 'program'), '#!/bin/sh\n', { mode: 0o755 });
    for (const name of ['after-install', 'before-remove', 'after-remove', 'entry'])
      writeFileSync(join(folder, name), `# ${name}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pack = (...more: string[]) => {
    const file = join(folder, 'made.deb');
    const about = ['--architecture', 'amd64', '--name', 'made', '--version', '1.2.3', '--maintainer', 'Somebody'];
    const texts = ['--description', 'In short\n In full', '--url', 'https://a.example', '--deb-compression', 'gz'];
    const scripts = ['after-install', 'before-remove', 'after-remove'].flatMap((name) => [
      `--${name}`,
      join(folder, name),
    ]);
    const needs = ['-d', 'a | b', '-d', 'c', '--deb-recommends', 'd', '--deb-priority', 'optional'];
    const inputs = [`${folder}/app/=/opt/Made`, `${folder}/entry=/usr/share/applications/made.desktop`];
    const args = ['-s', 'dir', '--force', '-t', 'deb', ...needs, ...about, ...texts, ...scripts, '--package', file];
    const program = scriptPath('../packing/fpm');
    return run(process.execPath, [program, ...args, ...more, ...inputs]).then(() => file);
  };

  it('packs for Debian what electron-builder asks for', async () => {
    const file = await pack();
    const { stdout: control } = await run('dpkg-deb', ['--field', file]);
    expect(control.replace(/Installed-Size: \d+\n/, '')).toBe(
      [
        'Package: made\nVersion: 1.2.3\nArchitecture: amd64\nMaintainer: Somebody\nDepends: a | b, c\nRecommends: d',
        'Section: devel\nPriority: optional\nHomepage: https://a.example\nDescription: In short\n In full\n',
      ].join('\n'),
    );
    const { stdout: files } = await run('dpkg-deb', ['--contents', file]);
    expect(files).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Made\/program$/m);
    expect(files).toMatch(/^-rw-r--r-- root\/root .* \.\/usr\/share\/applications\/made\.desktop$/m);
    const inside = async (name: string) => (await run('dpkg-deb', ['--info', file, name])).stdout;
    expect(await Promise.all(['postinst', 'prerm', 'postrm'].map(inside))).toEqual([
      '# after-install\n',
      '# before-remove\n',
      '# after-remove\n',
    ]);
    expect(await inside('md5sums')).toMatch(/^[0-9a-f]{32} {2}opt\/Made\/program\n[0-9a-f]{32} {2}usr\/share\/app/);
  });

  it('ends where it is asked for what it does not know', async () => {
    await expect(pack('--deb-systemd', 'unit')).rejects.toThrow("fpm's --deb-systemd is not known here.");
  });
});
