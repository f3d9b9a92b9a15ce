import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { inProject, manifest } from './project.mjs';

/** Where the built tray app begins. The terminal front and the simulator are no part of it. */
const entries = [
  'main/main.js',
  'preload/preload.cjs',
  'renderer/index.html',
  'agents/claude.js',
  'agents/codex.js',
  'threads/history-reader.js',
  'processes/page-reader.js',
];
const texts = new Set(['.js', '.cjs', '.mjs', '.css', '.html']);
/** Everything but keytar is bundled. Of its binaries electron-builder takes the one of each target. */
const keytar = ['package.json', 'LICENSE.md', 'lib', 'prebuilds'];

/** Lays out below `folder` what goes into a package: nothing of an older build, no sources, no tests. */
export function stageApp(folder) {
  for (const file of reached(inProject('dist'), entries)) copy(join('dist', file), folder);
  for (const path of ['LICENSE', 'resources/tray', 'resources/app/256x256.png']) copy(path, folder);
  for (const path of keytar) copy(join('node_modules', 'keytar', path), folder);
  const { name, productName, version, description, license, author, homepage, type, main, desktopName, dependencies } =
    manifest();
  const packed = { name, productName, version, description, license, author, homepage, type, main, desktopName };
  const text = JSON.stringify({ ...packed, dependencies: { keytar: dependencies.keytar } }, null, 2);
  writeFileSync(join(folder, 'package.json'), `${text}\n`);
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

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'));

function copy(path, folder) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(inProject(path), join(folder, path), { recursive: true });
}
