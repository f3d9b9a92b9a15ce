import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { cachedPackage } from './package-cache.mjs';
import { Stop, step } from './progress.mjs';
import { npm } from './run.mjs';

/**
 * VS Code for a browser, which the tests of the extension run in: the editor of code-server (MIT; VS Code 1.139.1), 47
 * MB to fetch and 340 MB on disk with the packages of its own lock file. Without Copilot Chat: a provider of the tests
 * plays it.
 */
export const version = '4.139.1';
const integrity = 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';

/** What no test needs, or what takes its place. */
const left = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication', 'ms-vscode.js-debug'];

/**
 * The real editor, for tests/editor.
 * @returns {Promise<{ path: string } | { reason: string }>} the folder of its server, or why there is none
 */
export async function ensureCodeServer() {
  if (process.platform === 'win32') return { reason: 'code-server does not run on Windows' };
  const folder = await cachedPackage(
    { name: 'code-server', version, integrity, files: ['lib/vscode'] },
    `VS Code for the tests (code-server ${version})`,
  );
  const path = join(folder, 'lib', 'vscode');
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return { path };
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(whole)) return { path };
    await step('Installing what it is made of (first run only)', () => install(path));
    writeFileSync(whole, '');
    return { path };
  });
}

/** As its lock file says, with the integrities that stand there; no script runs. */
async function install(path) {
  for (const name of left) rmSync(join(path, 'extensions', name), { recursive: true, force: true });
  const options = [
    '--ignore-scripts',
    '--omit=dev',
    '--omit=optional',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
  ];
  const { code, output } = await npm(['ci', ...options], { cwd: path });
  if (code !== 0)
    throw new Stop(
      `The packages of code-server could not be installed:\n${output.trim()}`,
      'Check the connection to the npm registry and run the command again.',
    );
}
