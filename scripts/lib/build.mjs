import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectLock } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { ensureNode24 } from './node24.mjs';
import { Stop, step } from './progress.mjs';
import { binOf, inProject } from './project.mjs';
import { quiet } from './run.mjs';

const sources = [
  'app',
  'main',
  'preload',
  'renderer',
  'vscode',
  'resources',
  'vite.config.ts',
  'scripts/lib/licenses.ts',
  'package.json',
  'package-lock.json',
];
const stampFile = inProject('dist', '.sources');

const dayMs = 24 * 60 * 60_000;

/**
 * Builds dist/ when a source changed since it was built. Files of an older build stay for a day: a Jumpseat that runs
 * from them may still have to load one. `clean` starts from nothing.
 */
export async function ensureBuild({ clean = false } = {}) {
  const node = await ensureNode24();
  if (!clean && isFresh()) return;
  await withLock(projectLock('build'), async () => {
    if (!clean && isFresh()) return;
    const wanted = fingerprint();
    const startedAt = Date.now();
    if (clean) rmSync(inProject('dist'), { recursive: true, force: true });
    await step('Building', async () => {
      // Asked for from within a test, the surroundings say "test", and React would come in its development form.
      const { code, output } = await quiet(node, [binOf('vite'), 'build'], {
        env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      });
      if (code !== 0) throw new Stop(`The build failed:\n${output.trim()}`);
    });
    mkdirSync(inProject('dist'), { recursive: true });
    writeFileSync(stampFile, wanted);
    removeWrittenBefore(inProject('dist'), startedAt - dayMs);
  });
}

/**
 * Removes the files of a folder that were last written before a time. Every build writes all of its own.
 * @param {string} folder
 * @param {number} time in ms
 */
export function removeWrittenBefore(folder, time) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && statSync(path).mtimeMs < time) rmSync(path);
  }
}

const isFresh = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint();

/** Path, size and time of every source file. */
function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stats = statSync(inProject(path), { throwIfNoEntry: false });
    if (!stats) return;
    if (stats.isDirectory()) for (const name of readdirSync(inProject(path)).sort()) visit(join(path, name));
    else hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
  };
  for (const source of sources) visit(source);
  return hash.digest('hex');
}
