import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { managedSettingsFiles } from '../../../app/claude-code/settings-file.ts';
import { programOnPath, startable } from '../../../app/claude-code/version.ts';
import { temporaryFolder } from '../history/surroundings.ts';

function file(path: string, text = ''): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe('a program on the PATH', () => {
  it.each(['linux', 'darwin', 'win32'] as const)('is found as %s finds it', async (platform) => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    for (const name of ['claude', 'claude.cmd']) file(join(second, name));
    mkdirSync(join(first, 'other'));
    const isWindows = platform === 'win32';
    const folders = [first, second].join(isWindows ? ';' : ':');
    const environment = isWindows ? { Path: folders } : { PATH: folders };
    const found = () => programOnPath('claude', environment, platform);
    expect(await found()).toBe(join(second, isWindows ? 'claude.cmd' : 'claude'));
    file(join(second, 'claude.exe'));
    expect(await found()).toBe(join(second, isWindows ? 'claude.exe' : 'claude'));
    expect(await programOnPath('claude', {}, platform)).toBeNull();
  });
});

const npm = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
`;
const npmProgram = String.raw`${npm}"%dp0%\node_modules\claude-code\bin\claude.exe"   %*`;
const npmScript = String.raw`${npm}
IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\claude-code\cli.js" %*`;
const pnpmScript = String.raw`@SETLOCAL
@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\..\claude-code\cli.mjs" %*
) ELSE (
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\..\claude-code\cli.mjs" %*
)`;

describe('what is started for a program', () => {
  it.each([
    { by: 'npm, of a program', script: npmProgram, starts: ['node_modules', 'claude-code', 'bin', 'claude.exe'] },
    { by: 'npm, of JavaScript', script: npmScript, starts: ['node_modules', 'claude-code', 'cli.js'] },
    { by: 'pnpm', script: pnpmScript, starts: ['..', 'claude-code', 'cli.mjs'] },
    { by: 'a person', script: '@echo off\r\nvolta run claude %*\r\n', starts: null },
  ])('is on Windows what a script for its shell names: $by', async ({ script, starts }) => {
    const folder = temporaryFolder();
    const path = file(join(folder, 'claude.cmd'), script.replaceAll('\n', '\r\n'));
    expect(await startable(path, 'win32')).toBe(starts === null ? null : join(folder, ...starts));
    expect(await startable(join(folder, 'claude.exe'), 'win32')).toBe(join(folder, 'claude.exe'));
    for (const platform of ['linux', 'darwin'] as const) expect(await startable(path, platform)).toBe(path);
  });
});

it('an administrator’s settings are where each system has them', async () => {
  const first = async (platform: NodeJS.Platform) => (await managedSettingsFiles(platform))[0];
  expect(await Promise.all((['linux', 'darwin', 'win32'] as const).map(first))).toEqual([
    '/etc/claude-code/managed-settings.json',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
    'C:\\Program Files\\ClaudeCode\\managed-settings.json',
  ]);
});
