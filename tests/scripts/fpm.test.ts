import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

  const pack = (...more: string[]) => packAs('deb', ...more);
  const packAs = (kind: 'deb' | 'rpm', ...more: string[]) => {
    const file = join(folder, `made.${kind}`);
    const about = [
      '--architecture',
      kind === 'deb' ? 'amd64' : 'x86_64',
      '--name',
      'made',
      '--version',
      '1.2.3',
      '--maintainer',
      'Somebody',
    ];
    const texts = ['--description', 'In short\n In full', '--url', 'https://a.example', '--deb-compression', 'gz'];
    const scripts = ['after-install', 'before-remove', 'after-remove'].flatMap((name) => [
      `--${name}`,
      join(folder, name),
    ]);
    const either = kind === 'deb' ? 'a | b' : '(a or b)';
    const needs = ['-d', either, '-d', 'c', '--deb-recommends', 'd', '--deb-priority', 'optional'];
    const inputs = [`${folder}/app/=/opt/Made`, `${folder}/entry=/usr/share/applications/made.desktop`];
    const args = ['-s', 'dir', '--force', '-t', kind, ...needs, ...about, ...texts, ...scripts, '--package', file];
    const program = scriptPath('../packing/fpm');
    const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
    return run(process.execPath, [program, ...args, ...more, ...inputs], { env }).then(() => file);
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

  it.each(['deb', 'rpm'] as const)(
    'makes the same bytes of the same files, whenever they were written: %s',
    async (kind) => {
      if (kind === 'rpm' && !existsSync('/usr/bin/rpmbuild')) return;
      const more = kind === 'rpm' ? ['--rpm-summary', 'In short', '--license', 'MIT', '--vendor', 'Somebody'] : [];
      const first = readFileSync(await packAs(kind, ...more));
      const program = join(folder, 'app', 'program');
      rmSync(program);
      writeFileSync(join(folder, 'app', 'another'), '');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      rmSync(join(folder, 'app', 'another'));
      for (const file of [program, join(folder, 'app'), join(folder, 'entry')])
        utimesSync(file, 1_790_000_000, 1_790_000_000);
      expect(readFileSync(await packAs(kind, ...more)).equals(first)).toBe(true);
    },
  );

  it('ends where it is asked for what it does not know', async () => {
    await expect(pack('--deb-systemd', 'unit')).rejects.toThrow("fpm's --deb-systemd is not known here.");
  });
});
