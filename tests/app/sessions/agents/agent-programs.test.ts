import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Package } from '../../../../app/packages/package.ts';
import { AgentPrograms, type Needs } from '../../../../app/sessions/agents/agent-programs.ts';
import { claudePins, claudeSystem } from '../../../../app/sessions/agents/claude/claude-packages.ts';

const wanted = (name: string, bytes: number): Package => ({
  name,
  version: '2.1.328',
  integrity: '',
  bytes,
  programs: {},
});
const program = wanted('program', 1000);
const leader = wanted('leader', 10);

let bin: string;
let here: Set<string>;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'jumpseat-programs-'));
  here = new Set();
});
afterEach(() => rmSync(bin, { recursive: true, force: true }));

function installs(version: string): void {
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho '${version}'\necho asked >> ${bin}/asked\n`);
  chmodSync(join(bin, 'claude'), 0o755);
}

function programs(
  build: Needs['build'] = { package: program, program: 'claude' },
  { platform = 'linux', ...given }: Partial<Needs> & { platform?: NodeJS.Platform } = {},
): AgentPrograms {
  const needs: Needs = {
    ...{ title: 'Claude Code', command: 'claude', oldest: '2.1.273', build },
    leader: { package: leader, module: 'sdk.mjs', missing: 'The leader isn’t here.' },
    ...given,
  };
  const fetched = {
    placeOf: async ({ name }: Package) => (here.has(name) ? `/fetched/${name}` : null),
    program: async ({ name }: Package, file: string) => `/fetched/${name}/${file}`,
    versions: async ({ name }: { name: string }) => (here.has(name) ? ['2.1.328'] : []),
    fetch: async () => undefined,
    remove: async () => undefined,
  };
  return new AgentPrograms(needs, { environment: { PATH: bin }, platform, fetched });
}

describe.skipIf(process.platform === 'win32')('where the program of an agent comes from', () => {
  it('is the person’s own where it is new enough, asked for its version once', async () => {
    installs('2.1.273 (Claude Code)');
    here.add('leader');
    const found = programs();
    expect(await found.availability()).toEqual({
      ...{ available: true, version: '2.1.273', from: 'own', path: join(bin, 'claude') },
    });
    expect(await found.paths()).toEqual({ program: join(bin, 'claude'), leader: '/fetched/leader/sdk.mjs' });
    expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('asked\n');
  });

  it('is fetched where the person has none, and then that with what leads it', async () => {
    const found = programs();
    expect(await found.availability()).toEqual({
      available: false,
      kind: 'missing',
      reason: 'There is no Claude Code on the PATH.',
      remedy: 'Let Jumpseat fetch Claude Code from the npm registry, or install 2.1.273 or newer yourself.',
      fetchable: { bytes: 1010 },
    });
    await expect(found.paths()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await found.missing()).toEqual([leader, program]);
    here = new Set(['leader', 'program']);
    expect(await found.availability()).toEqual({
      ...{ available: true, version: '2.1.328', from: 'fetched', path: '/fetched/program/claude' },
    });
    expect(await found.missing()).toEqual([]);
  });

  it('says which version is too old', async () => {
    installs('2.1.272 (Claude Code)');
    expect(await programs().availability()).toMatchObject({
      kind: 'too-old',
      reason: 'Claude Code 2.1.272 on the PATH is older than 2.1.273.',
    });
  });

  it('asks only for what leads it where the person’s own will do', async () => {
    installs('2.2.0');
    expect(await programs().availability()).toMatchObject({
      kind: 'leader-missing',
      reason: 'The leader isn’t here.',
      fetchable: { bytes: 10 },
    });
  });

  it('is on Windows what npm’s script for cmd.exe names; one that names nothing begins no session', async () => {
    here.add('leader');
    const script = join(bin, 'claude.cmd');
    /** Both shells run its first lines. */
    const installsScript = (last: string): void => {
      writeFileSync(script, `echo '2.1.328 (Claude Code)'\nexit\n${last}\n`);
      chmodSync(script, 0o755);
    };
    installsScript('"%dp0%\\node_modules\\claude-code\\bin\\claude.exe"   %*');
    const found = programs(undefined, { platform: 'win32' });
    expect(await found.availability()).toMatchObject({ available: true, version: '2.1.328', path: script });
    const named = join(bin, 'node_modules', 'claude-code', 'bin', 'claude.exe');
    expect(await found.paths()).toMatchObject({ program: named });
    expect(await found.refuseFile(script)).toBeNull();

    installsScript('volta run claude %*');
    const other = programs(undefined, { platform: 'win32' });
    const reason = `${script} can’t be used: cmd.exe alone can run this script.`;
    expect(await other.availability()).toMatchObject({ available: false, reason });
    expect(await other.refuseFile(script)).toMatchObject({ text: 'cmd.exe alone can run this script.' });
    const able = programs(undefined, { platform: 'win32', startsScripts: true });
    expect(await able.paths()).toMatchObject({ program: script });
  });

  it('says where nothing can be fetched', async () => {
    expect(await programs(null).availability()).toMatchObject({ kind: 'unsupported-system', fetchable: null });
  });
});

it('knows each system that Anthropic builds for', () => {
  const systems = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
    ['x64', 'arm64'].flatMap((arch) => [claudeSystem(platform, arch, false), claudeSystem(platform, arch, true)]),
  );
  const known = new Set(systems);
  expect(known.size).toBe(8);
  for (const system of known) expect(claudePins(system)?.[0].package.integrity, system).toMatch(/^sha512-.{86}==$/);
  expect(claudePins('freebsd-x64')).toBeNull();
});
