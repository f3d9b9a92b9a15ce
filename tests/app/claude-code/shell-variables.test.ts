import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assignmentsIn, findShellVariables } from '../../../app/claude-code/shell-variables.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-shell-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
};
const find = (
  env: Record<string, string> = {},
  variables: Record<string, string> = {},
  project: string | null = null,
) => findShellVariables({ env, home, root: home, platform: 'linux', project }, variables);

describe('C16.6 conflicting variables are found and named', () => {
  it('in the start files of bash, zsh, fish and PowerShell, with file and line, never with their value', async () => {
    write('.bashrc', '# export ANTHROPIC_API_KEY=old\nalias a=b\nexport ANTHROPIC_API_KEY="sk-secret" # mine\n');
    write('.zshrc', 'FOO=1 ANTHROPIC_MODEL=opus claude\n');
    write('.config/fish/config.fish', 'set -gx ANTHROPIC_BASE_URL https://gateway.example\n');
    write('.config/fish/conf.d/claude.fish', 'set --export CLAUDE_CODE_USE_BEDROCK 1\n');
    write('.profile', 'export CLAUDE_CODE_USE_ANTHROPIC_AWS=1\n');
    write('.config/powershell/profile.ps1', "$env:CLAUDE_CODE_OAUTH_TOKEN = 'sk-oauth'\n");
    write('.config/environment.d/claude.conf', 'ANTHROPIC_AUTH_TOKEN=abc\n');
    const found = await find();
    expect(found).toEqual([
      { name: 'CLAUDE_CODE_USE_ANTHROPIC_AWS', file: '~/.profile', line: 1, force: 'stronger' },
      { name: 'ANTHROPIC_API_KEY', file: '~/.bashrc', line: 3, force: 'harmless' },
      { name: 'ANTHROPIC_MODEL', file: '~/.zshrc', line: 1, force: 'remains' },
      { name: 'ANTHROPIC_BASE_URL', file: '~/.config/fish/config.fish', line: 1, force: 'harmless' },
      { name: 'CLAUDE_CODE_USE_BEDROCK', file: '~/.config/fish/conf.d/claude.fish', line: 1, force: 'stronger' },
      { name: 'CLAUDE_CODE_OAUTH_TOKEN', file: '~/.config/powershell/profile.ps1', line: 1, force: 'harmless' },
      { name: 'ANTHROPIC_AUTH_TOKEN', file: '~/.config/environment.d/claude.conf', line: 1, force: 'harmless' },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/sk-|gateway|abc/);
  });

  it('in the system’s own files', async () => {
    write('etc/profile.d/claude.sh', 'export ANTHROPIC_AUTH_TOKEN=x\n');
    expect(await find()).toEqual([
      { name: 'ANTHROPIC_AUTH_TOKEN', file: '~/etc/profile.d/claude.sh', line: 1, force: 'harmless' },
    ]);
  });

  it('in the environment, where no file was found for it', async () => {
    write('.profile', 'export ANTHROPIC_API_KEY=x\n');
    expect(
      await find({
        ANTHROPIC_API_KEY: 'x',
        CLAUDE_CODE_USE_VERTEX: '1',
        CLAUDE_CODE_USE_FOUNDRY: '0',
        ANTHROPIC_BASE_URL: 'https://x.example',
        PATH: '/bin',
      }),
    ).toEqual([
      { name: 'CLAUDE_CODE_USE_VERTEX', file: null, line: null, force: 'stronger' },
      { name: 'ANTHROPIC_BASE_URL', file: null, line: null, force: 'harmless' },
      { name: 'ANTHROPIC_API_KEY', file: '~/.profile', line: 1, force: 'harmless' },
    ]);
  });

  it('in settings of the project, which win over the user’s', async () => {
    write(
      'project/.claude/settings.local.json',
      '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://x.example"\n  }\n}',
    );
    write('project/.claude/settings.json', '{ broken');
    expect(await find({}, {}, join(home, 'project'))).toEqual([
      { name: 'ANTHROPIC_BASE_URL', file: '~/project/.claude/settings.local.json', line: 3, force: 'stronger' },
    ]);
  });

  it('where a project only chooses a model, or leads here with our key, Claude Code works', async () => {
    const ours = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180', ANTHROPIC_AUTH_TOKEN: 'KEY' };
    const env = { ...ours, ANTHROPIC_AUTH_TOKEN: 'KEY.work', ANTHROPIC_MODEL: 'opus' };
    write('project/.claude/settings.json', `{ "env": ${JSON.stringify(env)} }`);
    expect(await find({}, ours, join(home, 'project'))).toEqual([
      { name: 'ANTHROPIC_MODEL', file: '~/project/.claude/settings.json', line: 1, force: 'remains' },
    ]);
    write('.claude/settings.json', '{ "env": { "ANTHROPIC_MODEL": "opus" } }');
    expect(await find({}, ours, home)).toEqual([]);
  });

  it('but our own lines are no conflict', async () => {
    const ours = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180', ANTHROPIC_API_KEY: '' };
    write(
      '.bashrc',
      'export ANTHROPIC_BASE_URL=http://127.0.0.1:4180\nexport ANTHROPIC_API_KEY=\neval "$(jumpseat env)"\n',
    );
    expect(await find(ours, ours)).toEqual([]);
  });
});

it('reads the assignments of every shell', () => {
  expect(
    [
      'export A=1 B="two words" C=\'x\'',
      'set -gx D four',
      'set -Ux E "five"',
      'setenv F six',
      '$env:G = "seven"',
      "[Environment]::SetEnvironmentVariable('H', 'eight', 'User')",
      'if true; then export I=nine; fi',
      '  # export J=ten',
      'echo "K is $K"',
      'unset L',
    ].map((line) => assignmentsIn(line).map(({ name, value }) => `${name}=${value}`)),
  ).toEqual([
    ['A=1', 'B=two words', 'C=x'],
    ['D=four'],
    ['E=five'],
    ['F=six'],
    ['G=seven'],
    ['H=eight'],
    ['I=nine'],
    [],
    [],
    [],
  ]);
});
