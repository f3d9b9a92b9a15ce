import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

interface Entry {
  version?: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Record<string, Entry>;
}

const { agrees } = await script<{ agrees(lock: LockFile, installed: LockFile): boolean }>('dependencies');
const project = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8'));

describe('what is installed', () => {
  const lock: LockFile = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-b', optional: true },
    },
  };
  const a = { version: '1.0.0', integrity: 'sha512-a' };

  it.each([
    { title: 'the same', installed: { 'node_modules/a': a }, agree: true },
    { title: 'more than asked for', installed: { 'node_modules/a': a, 'node_modules/b': a }, agree: true },
    { title: 'another version', installed: { 'node_modules/a': { ...a, version: '1.0.1' } }, agree: false },
    { title: 'another integrity', installed: { 'node_modules/a': { ...a, integrity: 'sha512-c' } }, agree: false },
    { title: 'less than asked for', installed: {}, agree: false },
  ])('$title → agrees: $agree', ({ installed, agree }) => {
    expect(agrees(lock, { packages: installed })).toBe(agree);
  });
});

describe('package-lock.json', () => {
  const lock: LockFile = read('package-lock.json');
  const entries = Object.entries(lock.packages);

  it('names the packages of every system, without which npm ci fails elsewhere', () => {
    const names = new Set(
      entries.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
    );
    const missing = entries.flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  // A folder of ours in the place of a package that may not be passed on: nothing is fetched for it.
  const standIn = 'app/sessions/agents/claude/agent-sdk';
  const link = 'node_modules/@anthropic-ai/claude-agent-sdk';

  it('gives the adapter the folder for being of its version: an override to a folder ends npm 9 at "npm ci"', () => {
    const adapter = lock.packages['node_modules/@agentclientprotocol/claude-agent-acp'];
    const name = '@anthropic-ai/claude-agent-sdk';
    expect(adapter?.dependencies?.[name]).toBe(read(join(standIn, 'package.json')).version);
    expect(entries.map(([path]) => path).filter((path) => path.endsWith(name))).toEqual([link]);
    expect(JSON.stringify(read('package.json').overrides)).not.toContain('$');
  });

  it('holds an integrity for everything and the address of no registry', () => {
    expect(lock.packages[link]).toEqual({ resolved: standIn, link: true });
    const packages = entries.filter(([path]) => path !== '' && path !== standIn && path !== link);
    expect(packages.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('pins what package.json names exactly', () => {
    const { dependencies, devDependencies } = read('package.json');
    const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([['@anthropic-ai/claude-agent-sdk', `file:${standIn}`]]);
  });
});
