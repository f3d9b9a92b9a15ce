import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { minifySync } from 'vite';
import { nodeFiles } from '../lib/node24.mjs';
import { Stop } from '../lib/progress.mjs';
import { inProject, manifest } from '../lib/project.mjs';
import { npm } from '../lib/run.mjs';

/** Where begins what both fronts have: the window or dashboard, agents, threads and processes. */
const shared = [
  'renderer/index.html',
  'agents/claude.js',
  'agents/codex.js',
  'threads/history-reader.js',
  'threads/pac-thread.js',
  'threads/quickjs.wasm.br',
  'processes/page-reader.js',
  'processes/image-scaler.js',
];
/** Where the built tray app begins. The terminal front and the simulator are no part of it. */
const entries = ['main/main.js', 'preload/preload.cjs', ...shared];
const texts = new Set(['.js', '.cjs', '.mjs', '.css', '.html']);
/** Everything but keytar is bundled. Of its binaries electron-builder takes the one of each target. */
const keytar = ['package.json', 'LICENSE.md', 'lib', 'prebuilds'];
/** What npm's package has keytar's binaries for, beside what it has without a keychain. */
const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/** Lays out below `folder` what goes into a package: nothing of an older build, no sources, no tests. */
export function stageApp(folder) {
  for (const file of reached(inProject('dist'), entries)) copy(join('dist', file), folder);
  for (const path of ['LICENSE', 'resources/tray', 'resources/app/256x256.png']) copy(path, folder);
  for (const path of keytar) copy(join('node_modules', 'keytar', path), folder);
  const { name, productName, version, description, license, author, homepage, type, main, desktopName, dependencies } =
    manifest();
  const packed = { name, productName, version, description, license, author, homepage, type, main, desktopName };
  writeJson(join(folder, 'package.json'), { ...packed, dependencies: { keytar: dependencies.keytar } });
}

/**
 * Lays out the terminal front with its dashboard, as npm packs it. It needs nothing but Node: keytar is packed with it,
 * without its install script, which would only look for what is there.
 */
export function stageTerminal(folder) {
  const dist = inProject('dist');
  const files = reached(dist, ['cli/jumpseat.js', ...shared]);
  const imported = importedParts(dist, files);
  for (const file of files) {
    copy(join('dist', file), folder);
    const copied = join(folder, 'dist', file);
    if (file.endsWith('.js') && !file.startsWith('renderer/')) shortened(copied);
    else if (/^renderer\/assets\/.*\.(?:js|css)$/.test(file) && !imported.has(file)) packWithBrotli(copied);
  }
  copy('LICENSE', folder);
  cpSync(inProject('resources', 'npm', 'README.md'), join(folder, 'README.md'));
  for (const path of keytar.slice(0, -1)) copy(join('node_modules', 'keytar', path), folder);
  for (const system of systems) copy(join('node_modules', 'keytar', 'prebuilds', system), folder);
  const ofKeytar = join(folder, 'node_modules', 'keytar', 'package.json');
  const { scripts: _scripts, dependencies: _dependencies, ...packed } = JSON.parse(readFileSync(ofKeytar, 'utf8'));
  writeJson(ofKeytar, packed);
  const { npmName, version, description, license, author, homepage, repository, type, bin, ...rest } = manifest();
  writeJson(join(folder, 'package.json'), {
    ...{ name: npmName, version, description, license, author, homepage, repository, type, bin },
    // The MCP registry accepts a server only if its package names it.
    mcpName: JSON.parse(readFileSync(inProject('resources', 'registries', 'mcp', 'server.json'), 'utf8')).name,
    // The one that it is built for and tested with, which the built command asks for too (vite.config.ts).
    engines: { node: `>=${Number.parseInt(rest.devDependencies.node, 10)}` },
    ...{ dependencies: { keytar: rest.dependencies.keytar }, bundleDependencies: ['keytar'] },
  });
}

/** Lays out a Node for the terminal front of a desktop package, with its licence: `linux-x64/node`, one per system. */
export async function stageNodes(folder, ofSystems) {
  for (const system of ofSystems) {
    const { program, license } = await nodeFiles(system);
    mkdirSync(join(folder, system), { recursive: true });
    cpSync(program, join(folder, system, basename(program)));
    cpSync(license, join(folder, system, 'LICENSE.node.txt'));
  }
}

/**
 * The files that the entries need: those whose names they mention, and so on. Names hold a hash of their content, so
 * that a mention is an import; what older builds left behind is mentioned nowhere.
 * @param {string} dist @param {string[]} from paths below it
 * @returns {string[]} paths below it
 */
export function reached(dist, from) {
  const found = new Set(from);
  for (const file of found) {
    if (!texts.has(extname(file))) continue;
    const text = readFileSync(join(dist, file), 'utf8');
    const [room] = file.split('/');
    for (const name of filesBelow(join(dist, room))) if (text.includes(basename(name))) found.add(`${room}/${name}`);
  }
  return [...found];
}

/** The window's parts that the terminal front's own process imports: the catalogs, and what they import. */
function importedParts(dist, files) {
  const own = files.filter((file) => file.startsWith('cli/') && file.endsWith('.js'));
  const code = own.map((file) => readFileSync(join(dist, file), 'utf8'));
  const named = files.filter((file) => file.startsWith('renderer/') && code.some((text) => text.includes(file)));
  return new Set(reached(dist, named));
}

/** Served unpacked by `dashboard-routes.ts`: a fifth less to fetch than as npm packs it. */
function packWithBrotli(file) {
  const text = readFileSync(file);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(`${file}.br`, brotliCompressSync(text, { params }));
  rmSync(file);
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'));

/** A sixth of what is fetched. Functions and classes keep their names, so that a stack trace still has them. */
function shortened(file) {
  const keepNames = { function: true, class: true };
  const [compress, mangle] = [{ keepNames }, { toplevel: true, keepNames }];
  const options = { module: true, compress, mangle, codegen: { removeWhitespace: true } };
  const { code, errors } = minifySync(basename(file), readFileSync(file, 'utf8'), options);
  if (errors.length > 0) throw new Error(`${basename(file)} could not be read: ${errors[0].message}`);
  writeFileSync(file, code);
}

function copy(path, folder) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(inProject(path), join(folder, path), { recursive: true });
}

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Packs the terminal front as npm publishes it. Its name is `npmName` in package.json.
 * @param {string} folder where the .tgz is to be
 * @returns {Promise<string>} the .tgz
 */
export async function packNpm(folder) {
  const stage = mkdtempSync(join(tmpdir(), 'jumpseat-npm-'));
  try {
    stageTerminal(stage);
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { code, stdout, output } = await npm(args, { cwd: stage });
    if (code !== 0) throw new Stop(`The npm package could not be packed:\n${output.trim()}`);
    return join(folder, Object.values(JSON.parse(stdout))[0].filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
