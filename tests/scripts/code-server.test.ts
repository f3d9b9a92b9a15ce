import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { script } from './script.ts';

const { leavePackages } = await script<{ leavePackages(path: string, names: string[]): void }>('code-server');

it('installs VS Code for the tests without what its licence keeps for others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (file: string, json: object) => writeFileSync(join(folder, file), JSON.stringify(json));
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const dependencies = { '@some/kept': '1.0.0', '@some/left': '^2.0.0' };
  write('package.json', { name: 'editor', dependencies });
  write('npm-shrinkwrap.json', {
    packages: { '': { dependencies }, 'node_modules/@some/kept': {}, 'node_modules/@some/left': {} },
  });
  leavePackages(folder, ['@some/left']);
  const kept = { '@some/kept': '1.0.0' };
  expect(read('package.json')).toEqual({ name: 'editor', dependencies: kept });
  expect(read('npm-shrinkwrap.json')).toEqual({
    packages: { '': { dependencies: kept }, 'node_modules/@some/kept': {} },
  });
  // Once more, where it was done before.
  leavePackages(folder, ['@some/left']);
  expect(read('package.json').dependencies).toEqual(kept);
});
