import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { Stop, step } from './progress.mjs';
import { cacheFolder, inProject, root } from './project.mjs';
import { npm } from './run.mjs';

const stampFile = inProject('node_modules', '.jumpseat-lock-digest');
const digest = (text) => createHash('sha256').update(text).digest('hex');

/** Where commands that change this working copy wait for each other. Outside of it: `npm ci` deletes node_modules. */
export const projectLock = (what) => join(cacheFolder(), 'locks', `${digest(root).slice(0, 16)}-${what}.lock`);

/**
 * Makes node_modules what package-lock.json says. No install script is run: the two packages that have one that matters
 * bring their files ready-made (keytar), or get them from `node24.mjs`, checked by integrity (node).
 */
export async function ensureDependencies() {
  if (areInstalled()) return;
  await withLock(projectLock('install'), async () => {
    if (areInstalled()) return;
    await step('Installing dependencies (first run only)', async () => {
      const { code, output } = await npm(['ci', '--ignore-scripts', '--no-fund', '--no-audit']);
      if (code !== 0)
        throw new Stop(
          `npm ci failed:\n${output.trim()}`,
          'Check the connection to the npm registry and run the command again.',
        );
    });
    writeFileSync(stampFile, digest(readFileSync(inProject('package-lock.json'))));
  });
}

function areInstalled() {
  const lockText = readFileSync(inProject('package-lock.json'), 'utf8');
  const wanted = digest(lockText);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true;
  const hidden = inProject('node_modules', '.package-lock.json');
  if (!existsSync(hidden) || !agrees(JSON.parse(lockText), JSON.parse(readFileSync(hidden, 'utf8')))) return false;
  writeFileSync(stampFile, wanted);
  return true;
}

/**
 * Whether what npm says it installed is what the lock file asks for, so that an `npm install` by hand is not
 * repeated.
 * @param lock package-lock.json @param installed node_modules/.package-lock.json, which npm writes last
 */
export function agrees(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed.packages[path];
    return found
      ? found.version === wanted.version && found.integrity === wanted.integrity
      : wanted.optional === true || wanted.devOptional === true;
  });
}
