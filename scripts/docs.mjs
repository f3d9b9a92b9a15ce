import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { chaptersOf, collected, llmsText, sidebarOf, sitePath } from './docs/site-pages.mjs';
import { withLock } from './lib/lock.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop, say, step } from './lib/progress.mjs';
import { cacheFolder, inProject, manifest } from './lib/project.mjs';
import { npm, quiet } from './lib/run.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * `npm run docs [-- --port N] [-- --build]`: builds docs/ into release/docs with VitePress, and serves it on 127.0.0.1.
 * `--build` only builds.
 */
await main(async (args) => {
  const { values } = parseArgs({
    args,
    options: { port: { type: 'string', default: '4190' }, build: { type: 'boolean', default: false } },
  });
  const out = inProject('release', 'docs');
  const node = await ensureNode24();
  const tools = await ensureVitePress();
  await withLock(`${tools}.build.lock`, () => step('Building the documentation', () => build(node, tools, out)));
  if (values.build) {
    say(out);
    return 0;
  }
  const address = await serve(out, Number(values.port));
  console.log(`${address}docs/`);
  await new Promise(() => undefined);
});

/** VitePress with its packages, as scripts/docs/site/package-lock.json names them; no script of theirs runs. */
async function ensureVitePress() {
  const lock = inProject('scripts', 'docs', 'site', 'package-lock.json');
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), 'packages', `vitepress-${hash}`);
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, async () => {
    if (!existsSync(folder)) await step('Fetching VitePress (first run only)', () => install(folder));
    return folder;
  });
}

async function install(folder) {
  const work = mkdtempSync(`${folder}.part-`);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(inProject('scripts', 'docs', 'site', name), join(work, name));
    const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: work });
    if (code !== 0)
      throw new Stop(
        `VitePress could not be installed:\n${output.trim()}`,
        'Check the connection to the npm registry and run the command again.',
      );
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The pages lie beside VitePress while it reads them, so that its packages are found. */
async function build(node, tools, out) {
  const { description, productName: title } = manifest();
  const chapters = chaptersOf(readFileSync(inProject('docs', 'README.md'), 'utf8'));
  const { pages, files } = collected(['README.md', 'docs/README.md'], (path) => readFileSync(inProject(path), 'utf8'));
  const work = mkdtempSync(join(tools, 'pages-'));
  const place = (text, ...path) => {
    mkdirSync(dirname(join(work, ...path)), { recursive: true });
    writeFileSync(join(work, ...path), text);
  };
  try {
    // Diagrams are shown as text.
    for (const [path, text] of pages) place(text.replaceAll('```mermaid', '```txt'), sitePath(path));
    for (const path of files) {
      if (path.endsWith('.png')) place(readFileSync(inProject(path)), path);
      place(readFileSync(inProject(path)), 'public', /\.\w+$/.test(path) ? path : `${path}.txt`);
    }
    place(JSON.stringify({ title, description, sidebar: sidebarOf(chapters) }), '.vitepress', 'site.json');
    place(readFileSync(inProject('scripts', 'docs', 'site', 'config.mjs')), '.vitepress', 'config.mjs');
    place(readFileSync(inProject('scripts', 'lib', 'documents.mjs')), '.vitepress', 'documents.mjs');
    const command = join(tools, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
    const { code, output } = await quiet(node, [command, 'build', work], { cwd: tools });
    if (code !== 0) throw new Stop(`VitePress could not build the pages:\n${output.trim()}`);
    rmSync(out, { recursive: true, force: true });
    cpSync(join(work, '.vitepress', 'dist'), out, { recursive: true });
    for (const [path, text] of pages) writeFileSync(join(out, sitePath(path)), text);
    writeFileSync(join(out, 'llms.txt'), llmsText(chapters, { title, description }));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Serves a folder of static files on 127.0.0.1, to this machine's own names alone.
 * @param {string} folder @param {number} port 0: a free one
 * @returns {Promise<string>} its address
 */
export function serve(folder, port) {
  const server = createServer((request, response) => {
    const { port: own } = server.address();
    const isOurs = [`127.0.0.1:${own}`, `localhost:${own}`].includes(request.headers.host ?? '');
    const file = isOurs ? fileOf(folder, request.url ?? '/') : null;
    if (file === null) return response.writeHead(isOurs ? 404 : 421).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/`));
  });
}

/** Null if there is no such file in the folder. */
function fileOf(folder, url) {
  try {
    const path = normalize(join(folder, decodeURIComponent(new URL(url, 'http://localhost').pathname)));
    if (path !== folder && !path.startsWith(`${folder}${sep}`)) return null;
    const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'index.html') : path;
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
  } catch {
    return null;
  }
}
