import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { licensesText, writeLicenses } from '../../scripts/lib/licenses.ts';

it('the licences of every part of the build and of keytar are one text, each package once, in order', () => {
  const dist = mkdtempSync(join(tmpdir(), 'jumpseat-licences-'));
  const list = (room: string, packages: unknown) => {
    mkdirSync(join(dist, room));
    writeFileSync(join(dist, room, 'licenses.json'), JSON.stringify(packages));
  };
  const zod = { name: 'zod', version: '4.6.7', identifier: 'MIT', text: 'Of zod\n' };
  list('renderer', [{ name: 'react', version: '19.3.1', identifier: 'MIT', text: 'Of React' }, zod]);
  list('main', [zod, { name: 'bare', version: '1.0.0', identifier: 'ISC' }]);
  mkdirSync(join(dist, 'preload'));
  const keytar = join(dist, 'modules', 'keytar');
  mkdirSync(keytar, { recursive: true });
  writeFileSync(
    join(keytar, 'package.json'),
    JSON.stringify({ name: '@github/keytar', version: '7.10.6', license: 'MIT' }),
  );
  writeFileSync(join(keytar, 'LICENSE.md'), 'Of keytar');
  writeLicenses(dist, join(dist, 'modules'));
  const [intro, ...parts] = readFileSync(join(dist, 'renderer', 'licenses.txt'), 'utf8').split(/\n\n-{72}\n\n/);
  expect(intro).toContain('Electron');
  expect(parts).toEqual([
    '@github/keytar 7.10.6 (MIT)\n\nOf keytar',
    'bare 1.0.0 (ISC)',
    'react 19.3.1 (MIT)\n\nOf React',
    'zod 4.6.7 (MIT)\n\nOf zod\n',
  ]);
  rmSync(dist, { recursive: true, force: true });
});

it('a package that says nothing of its licence stops the build', () => {
  expect(() => licensesText([{ name: 'silent', version: '1.0.0' }])).toThrow('No licence is known of silent.');
});
