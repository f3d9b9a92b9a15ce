import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCodeChecks, shellCheck, versionCheck } from '../../../app/claude-code/checks.ts';
import { applySetup } from '../../../app/claude-code/setup/apply.ts';
import type { SetupPlace } from '../../../app/claude-code/setup/plan.ts';
import { planSetup } from '../../../app/claude-code/setup/plan-setup.ts';
import { claudeVersion, compareVersions } from '../../../app/claude-code/version.ts';

let folder: string;
let place: SetupPlace;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-checks-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, '.claude'));
  place = {
    settings: join(folder, '.claude', 'settings.json'),
    paths: { home: join(folder, 'home'), backups: join(folder, 'home', 'backups') },
    port: () => 4180,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lines = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
  ANTHROPIC_AUTH_TOKEN: 'KEY.claude-code',
  ANTHROPIC_API_KEY: '',
};
const check = async (
  env: Record<string, string> = {},
  more: { variables?: typeof lines | null; key?: string | null; isKeyKept?: boolean; upstreams?: string[] } = {},
) => {
  const checks = await claudeCodeChecks({
    place,
    env,
    variables: lines,
    key: 'KEY',
    isKeyKept: true,
    port: 4180,
    upstreams: ['https://github.com/', 'https://api.github.com/'],
    home: folder,
    ...more,
  });
  return Object.fromEntries(checks.map(({ id, verdict, finding, remedy }) => [id, { verdict, finding, remedy }]));
};
const settings = async (...input: Parameters<typeof check>) => (await check(...input))['claude-code.settings'];
const program = (script: string) => {
  writeFileSync(join(folder, 'bin', 'claude'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', 'claude'), 0o755);
};

describe('settings', () => {
  it('not set up where the key ends with Jumpseat: says what works there, since a setup is refused', async () => {
    expect(await settings({}, { isKeyKept: false })).toMatchObject({
      finding: 'Not set up.',
      remedy:
        'The local key isn’t stored here: set JUMPSEAT_KEY, then run "jumpseat setup claude-code". ' +
        'For one terminal, use the lines of "jumpseat env".',
    });
  });

  it('not set up, set up, changed since', async () => {
    expect(await settings()).toEqual({
      verdict: 'warning',
      finding: 'Not set up.',
      remedy: 'Run "jumpseat setup claude-code".',
    });
    await applySetup(place, await planSetup(place, lines));
    expect(await settings()).toEqual({
      verdict: 'passed',
      finding: '3 keys set in ~/.claude/settings.json',
      remedy: null,
    });
    expect(await settings({}, { variables: null })).toMatchObject({
      verdict: 'passed',
      finding: '3 keys set in ~/.claude/settings.json',
    });
    writeFileSync(place.settings, JSON.stringify({ env: { ...lines, ANTHROPIC_BASE_URL: 'https://other.example' } }));
    for (const variables of [lines, null])
      expect(await settings({}, { variables })).toEqual({
        verdict: 'failed',
        finding:
          '~/.claude/settings.json sends Claude Code to https://other.example, and Jumpseat is at http://127.0.0.1:4180.',
        remedy: 'Run "jumpseat setup claude-code".',
      });
    writeFileSync(
      place.settings,
      JSON.stringify({ env: { ANTHROPIC_BASE_URL: lines.ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN: 'KEY.other' } }),
    );
    expect(await settings()).toMatchObject({
      finding: '2 of 3 keys have other values: ANTHROPIC_AUTH_TOKEN has another value; ANTHROPIC_API_KEY is missing.',
    });
  });

  it('another key at our address: each request would be refused, unless it isn’t known which is asked for', async () => {
    await applySetup(place, await planSetup(place, { ...lines, ANTHROPIC_AUTH_TOKEN: 'OLD.claude-code' }));
    for (const variables of [lines, null]) {
      expect(await settings({}, { variables })).toEqual({
        verdict: 'failed',
        finding:
          'The key in ~/.claude/settings.json isn’t the one that Jumpseat asks for, so Claude Code gets error 401.',
        remedy: 'Run "jumpseat setup claude-code".',
      });
    }
    expect(await settings({}, { variables: null, key: null })).toMatchObject({ verdict: 'passed' });
    const elsewhere = { ...lines, ANTHROPIC_BASE_URL: 'https://other.example', ANTHROPIC_AUTH_TOKEN: 'THEIRS' };
    writeFileSync(place.settings, JSON.stringify({ env: elsewhere }));
    expect(await settings()).toMatchObject({ finding: expect.stringContaining('https://other.example') });
  });

  it('without an address or a key for it Claude Code can’t work, unless the environment has what is missing', async () => {
    await applySetup(place, await planSetup(place, lines));
    const without = (name: string) => {
      const { env } = JSON.parse(readFileSync(place.settings, 'utf8'));
      writeFileSync(place.settings, JSON.stringify({ env: { ...env, ...lines, [name]: undefined } }));
    };
    for (const [name, text] of [
      ['ANTHROPIC_AUTH_TOKEN', 'has no ANTHROPIC_AUTH_TOKEN, so Claude Code has no key for Jumpseat.'],
      ['ANTHROPIC_BASE_URL', 'has no ANTHROPIC_BASE_URL, so Claude Code sends its requests to Anthropic.'],
    ] as const) {
      without(name);
      expect(await settings()).toEqual({
        verdict: 'failed',
        finding: `~/.claude/settings.json ${text}`,
        remedy: 'Run "jumpseat setup claude-code".',
      });
      expect(await settings({ [name]: lines[name] })).toMatchObject({ verdict: 'warning' });
    }
    writeFileSync(
      place.settings,
      JSON.stringify({ apiKeyHelper: 'mine', env: { ...lines, ANTHROPIC_AUTH_TOKEN: undefined } }),
    );
    expect(await settings()).toMatchObject({ verdict: 'warning' });
  });

  it('set up by a setup whose record is lost, whether our lines are known or not', async () => {
    await applySetup(place, await planSetup(place, lines));
    rmSync(join(place.paths.home, 'claude-code.json'));
    expect(await settings()).toMatchObject({ verdict: 'passed', finding: '3 keys set in ~/.claude/settings.json' });
    expect(await settings({}, { variables: null })).toMatchObject({
      verdict: 'passed',
      finding: '2 keys set in ~/.claude/settings.json',
    });
  });

  it('set by the shell instead', async () => {
    expect(await settings(lines)).toMatchObject({
      verdict: 'passed',
      finding: 'Set by the variables of this shell, not by settings.json',
    });
  });

  it('by lines of the shell, with no word of them where it isn’t known what they say now', async () => {
    expect((await check({ ...lines, ANTHROPIC_API_KEY: 'x' }, { variables: null }))['claude-code.shell']).toMatchObject(
      {
        finding: 'No conflicts',
      },
    );
    expect((await check({ ...lines, ANTHROPIC_API_KEY: 'x' }))['claude-code.shell']).toMatchObject({
      finding: 'Not what the lines for Claude Code say now: ANTHROPIC_API_KEY.',
    });
  });

  it('broken', async () => {
    writeFileSync(place.settings, '{\n\n  oops');
    expect(await settings()).toMatchObject({
      verdict: 'failed',
      finding: expect.stringContaining('isn’t valid JSON (line 3'),
    });
  });
});

describe('version', () => {
  it('of the claude on the PATH', async () => {
    const env = { PATH: join(folder, 'bin') };
    expect((await check(env))['claude-code.version']).toEqual({
      verdict: 'skipped',
      finding: 'No "claude" on the PATH',
      remedy: null,
    });
    program('echo "2.1.328 (Claude Code)"');
    expect((await check(env))['claude-code.version']).toEqual({
      verdict: 'passed',
      finding: '2.1.328, sends request classes',
      remedy: null,
    });
    program('echo "2.1.240 (Claude Code)"');
    expect((await check(env))['claude-code.version']).toEqual({
      verdict: 'warning',
      finding: '2.1.240 sends no request classes. Jumpseat then judges by the messages.',
      remedy: 'Run "claude update".',
    });
  });

  it('of one that answers with something else', async () => {
    program('echo "Welcome"');
    expect((await check({ PATH: `${join(folder, 'bin')}:${process.env.PATH}` }))['claude-code.version']).toMatchObject({
      verdict: 'warning',
      finding: '"claude --version" named no version.',
    });
  });

  it('of one that says nothing is given up after a while', async () => {
    program('exec sleep 60');
    const found = await claudeVersion({ PATH: `${join(folder, 'bin')}:${process.env.PATH}` }, { timeoutMs: 200 });
    expect(found).toEqual({ kind: 'silent', path: join(folder, 'bin', 'claude'), reason: 'it said nothing in 0.2 s' });
    expect(versionCheck(found).verdict).toBe('warning');
  });

  it('compares as numbers', () => {
    expect(
      [
        compareVersions('2.1.273', '2.1.273'),
        compareVersions('2.1.9', '2.1.10'),
        compareVersions('3.0.0', '2.9.9'),
      ].map(Math.sign),
    ).toEqual([0, -1, 1]);
  });
});

describe('shell variables', () => {
  it('C16.6 no conflict, a harmless one, one that stays, one that wins', () => {
    const one = { name: 'ANTHROPIC_API_KEY', file: '~/.bashrc', line: 3, force: 'harmless' } as const;
    expect(shellCheck([{ ...one, file: null, line: null }], 'shell')).toMatchObject({
      verdict: 'warning',
      finding: `Not what the lines for Claude Code say now: ${one.name}.`,
      remedy: 'Copy the lines again, and paste them into this terminal.',
      found: 'outdated',
    });
    expect(shellCheck([], 'settings')).toMatchObject({ verdict: 'passed', finding: 'No conflicts' });
    expect(shellCheck([one], 'settings')).toMatchObject({
      verdict: 'warning',
      finding: 'ANTHROPIC_API_KEY is also set in ~/.bashrc, line 3. settings.json wins, so this does no harm now.',
      remedy: 'Remove the line to avoid surprises.',
    });
    expect(
      shellCheck([{ ...one, file: null, line: null, name: 'ANTHROPIC_MODEL', force: 'remains' }], 'settings'),
    ).toMatchObject({
      verdict: 'warning',
      finding: 'ANTHROPIC_MODEL is set in this shell’s environment, and still applies.',
    });
    expect(
      shellCheck([one, { ...one, name: 'CLAUDE_CODE_USE_BEDROCK', force: 'stronger', line: 9 }], 'settings'),
    ).toMatchObject({
      verdict: 'failed',
      finding:
        'CLAUDE_CODE_USE_BEDROCK is set in ~/.bashrc, line 9, and wins over your settings.json, so Claude ' +
        'Code doesn’t use Jumpseat. Also: ANTHROPIC_API_KEY (~/.bashrc, line 3).',
    });
  });
});

describe('circle', () => {
  it('C16.5 HTTPS_PROXY or an upstream that is ourselves', async () => {
    expect((await check())['claude-code.circle']).toEqual({
      verdict: 'passed',
      finding: 'Copilot’s address isn’t ours',
      remedy: null,
    });
    expect((await check({ HTTPS_PROXY: 'http://localhost:4180' }))['claude-code.circle']).toMatchObject({
      verdict: 'failed',
      finding: 'HTTPS_PROXY points at Jumpseat itself.',
    });
    expect((await check({}, { upstreams: ['http://127.0.0.1:4180/'] }))['claude-code.circle']).toMatchObject({
      verdict: 'failed',
    });
  });
});
