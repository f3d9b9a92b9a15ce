import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Built-in extensions that no test needs, or whose place is taken. */
const leftExtensions = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication', 'ms-vscode.js-debug'];
/**
 * What isn't installed, for its licence: GitHub allows `@vscode/copilot-api` with its own Copilot alone. Copilot Chat,
 * itself MIT, has it built in, and therefore runs in no test.
 */
const leftPackages = ['@vscode/copilot-api'];

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
  // One that was installed with more gets a new start.
  const whole = join(folder, 'whole-without-copilot-api');
  if (existsSync(whole)) return { path };
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(whole)) return { path };
    await step('Installing what it is made of (first run only)', () => install(path));
    writeFileSync(whole, '');
    return { path };
  });
}

/** Installs by its lock file, with the integrities in it; no script runs. */
async function install(path) {
  for (const name of leftExtensions) rmSync(join(path, 'extensions', name), { recursive: true, force: true });
  leavePackages(path, leftPackages);
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

/** Takes packages out of a program's manifest and lock file. */
export function leavePackages(path, names) {
  const changed = (file, change) => {
    const json = JSON.parse(readFileSync(join(path, file), 'utf8'));
    change(json);
    writeFileSync(join(path, file), JSON.stringify(json, null, 2));
  };
  changed('package.json', ({ dependencies }) => {
    for (const name of names) delete dependencies[name];
  });
  changed('npm-shrinkwrap.json', ({ packages }) => {
    for (const name of names) {
      delete packages[''].dependencies[name];
      delete packages[`node_modules/${name}`];
    }
  });
}
