import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { KnownFile } from '../../../app/api/setup.ts';
import { fileOf } from '../../../app/claude-code/claude-code.ts';
import { pathsIn } from '../stack.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-files-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const look = (which: KnownFile, env: Record<string, string> = {}) =>
  fileOf(which, { paths: pathsIn(join(home, 'own')), env, project: null, variables: {}, home });

it('our settings and Claude Code’s are where they are', async () => {
  const claude = join(home, 'elsewhere');
  expect(await look('settings')).toBe(join(home, 'own', 'settings.json'));
  expect(await look('claude-code', { CLAUDE_CONFIG_DIR: claude })).toBe(join(claude, 'settings.json'));
});

it('the line that a finding names is in the file that leads Claude Code elsewhere, in full', async () => {
  expect(await look('shell-variable')).toBeNull();
  mkdirSync(join(home, 'own'));
  writeFileSync(join(home, '.bashrc'), 'export ANTHROPIC_BASE_URL=https://elsewhere.example\n');
  writeFileSync(join(home, '.profile'), 'export CLAUDE_CODE_USE_BEDROCK=1\n');
  expect(await look('shell-variable')).toBe(join(home, '.profile'));
  rmSync(join(home, '.profile'));
  expect(await look('shell-variable')).toBe(join(home, '.bashrc'));
});

it('a variable that no file sets leads to none', async () => {
  expect(await look('shell-variable', { ANTHROPIC_BASE_URL: 'https://elsewhere.example' })).toBeNull();
});
