import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import { classNameOf } from './scripts/lib/class-names.ts';
import { listFile, writeLicenses } from './scripts/lib/licenses.ts';

/**
 * One `vite build` builds everything that exists: the window (client), the tray app (main, preload) and the terminal
 * (cli). All but Electron, Node and keytar (native code) is bundled. What is rarely used is a chunk of its own, loaded
 * when it is asked for.
 */
const root = import.meta.dirname;
const out = join(root, 'dist');
const license = { fileName: listFile };
const entries = {
  client: 'renderer/index.html',
  main: 'main/main.ts',
  preload: 'preload/preload.ts',
  cli: 'app/cli/jumpseat.ts',
  agents: 'app/sessions/agents/claude/entry/entry.ts',
  threads: 'app/history/reader-thread.ts',
  processes: 'app/web/readable-process.ts',
  vscode: 'vscode/extension.ts',
};
const codexEntry = join(root, 'app/sessions/agents/codex/entry.ts');
/** Files that threads begin from. They share nothing with who begins them: a thread loads only what it needs. */
const threads = {
  'history-reader': join(root, 'app/history/reader-thread.ts'),
  'pac-thread': join(root, 'app/adapters/pac-thread.ts'),
};

/** Files that processes begin from, those of agents aside. */
const processes = {
  'page-reader': join(root, 'app/web/readable-process.ts'),
  'image-scaler': join(root, 'app/images/scale-process.ts'),
};

/** The environments that run in the process of the proxy, on its threads included. */
const inOneProcess: readonly string[] = ['cli', 'main', 'threads'];

const isExternal = (id: string): boolean =>
  id === 'electron' || id.startsWith('electron/') || id === 'keytar' || id === 'vscode' || isBuiltin(id);

/**
 * The status line with all that it loads, what `jumpseat` loads whatever else is asked of it, what it asks a running
 * Jumpseat with, zod with the shapes of the contract, and what it loads for the app and `serve`: one file each, in
 * place of sixty that others share parts of. Measured: a tenth less CPU at a start. The entry itself is in none: it
 * waits for all that it leads to.
 */
const filesOfCli = {
  'line-format': ['app/cli/line-format.ts'],
  statusline: ['app/cli/commands/statusline.ts'],
  forward: ['app/cli/commands/forward.ts'],
  program: ['app/cli/program.ts', 'app/cli/terminal.ts', 'app/cli/terminal-language.ts', 'app/adapters/v8.ts'],
  asking: ['app/cli/commands/env.ts', 'app/cli/commands/status.ts'],
  schemas: [
    'app/api/state.ts',
    'app/api/models.ts',
    'app/api/exchange.ts',
    'app/api/history.ts',
    'app/api/recording.ts',
    'app/api/keys.ts',
    'app/api/sessions.ts',
    'app/api/session-surroundings.ts',
  ],
  app: ['app/cli/compose.ts', 'app/cli/commands/serve.ts'],
};

interface Group {
  name: string;
  test: (id: string) => boolean;
}

/** A group takes what its files import along, but for what an earlier group has taken. */
function groupsOf(files: Record<string, readonly string[]>): Group[] {
  return Object.entries(files).map(([name, paths]) => {
    const ids = paths.map((path) => join(root, path));
    return { name, test: (id) => ids.includes(id) };
  });
}

/** Code for Node: nothing but the externals is looked up at run time. */
function forNode(
  folder: string,
  input: Record<string, string>,
  output: {
    format: 'es' | 'cjs';
    extension: string;
    target?: string;
    isOneFile?: boolean;
    groups?: Group[];
  },
): EnvironmentOptions {
  return {
    consumer: 'server',
    keepProcessEnv: true,
    // No 'import' or 'require' here: which of them holds is known at each import alone.
    resolve: { noExternal: true, external: [], conditions: ['node', 'default'], builtins: [/^node:/] },
    build: {
      outDir: join(out, folder),
      emptyOutDir: false,
      ssr: true,
      target: output.target ?? 'node24',
      minify: false,
      sourcemap: false,
      copyPublicDir: false,
      license,
      rolldownOptions: {
        input,
        external: isExternal,
        output: {
          format: output.format,
          // They are a sixth of what is read at a start.
          comments: { jsdoc: false },
          ...(output.isOneFile ? { codeSplitting: false } : {}),
          ...(output.groups ? { codeSplitting: { groups: output.groups } } : {}),
          entryFileNames: `[name].${output.extension}`,
          // Beside the entry, so that a path relative to `import.meta.dirname` is the same in every chunk.
          chunkFileNames: `[name]-[hash].${output.extension}`,
        },
      },
    },
  };
}

/**
 * The file that `jumpseat` runs, also on a Node that is too old for the rest: it imports nothing. It prints the version
 * by itself, because loading the rest takes longer than Node's own start. Otherwise it turns Node's compile cache on
 * before anything large is loaded. A status line is asked for with every answer of a model, and waited for: it is in a
 * file of its own, and loads no other. So is `forward`, which runs where nothing else of Jumpseat does. The cache is in
 * the user's cache folder; NODE_COMPILE_CACHE moves it and NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
const start = 'virtual:start-cli';
const { dependencies, devDependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const leastNode = Number.parseInt(devDependencies.node, 10);
const startCode = `
const { argv, env, platform, versions } = process;
if (parseInt(versions.node) < ${leastNode}) {
  console.error('jumpseat: Jumpseat needs Node ${leastNode} or newer, and this is Node ' + versions.node +
    ': install a newer one from https://nodejs.org and run it again.');
  process.exitCode = 1;
} else if (argv.length === 3 && ['--version', '-V'].includes(argv[2])) {
  try {
    process.getBuiltinModule('node:fs').writeSync(1, '${version}\\n');
  } catch {
    process.exitCode = 1;
  }
} else {
  const { join } = process.getBuiltinModule('node:path');
  const home = process.getBuiltinModule('node:os').homedir();
  const cache = env.XDG_CACHE_HOME ? join(env.XDG_CACHE_HOME, 'jumpseat')
    : platform === 'darwin' ? join(home, 'Library', 'Caches', 'jumpseat')
    : platform === 'win32' ? join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'jumpseat', 'Cache')
    : join(home, '.cache', 'jumpseat');
  process.getBuiltinModule('node:module').enableCompileCache(env.NODE_COMPILE_CACHE ?? join(cache, 'compiled'));
  const isAlone = (argv[2] === 'statusline' &&
    (await (await import(${JSON.stringify(join(root, 'app/cli/commands/statusline.ts'))})).runAlone(argv.slice(3)))) ||
    (argv[2] === 'forward' &&
    (await (await import(${JSON.stringify(join(root, 'app/cli/commands/forward.ts'))})).runAlone(argv.slice(3))));
  if (!isAlone) await import(${JSON.stringify(join(root, entries.cli))});
}
`;

function terminalEntry(): Plugin {
  return {
    name: 'terminal-entry',
    applyToEnvironment: (environment) => environment.name === 'cli',
    resolveId: (id) => (id === start ? `\0${start}` : null),
    load: (id) => (id === `\0${start}` ? startCode : null),
    generateBundle(_options, bundle) {
      const entry = bundle['jumpseat.js'];
      if (entry?.type === 'chunk') entry.code = `#!/usr/bin/env node\n${entry.code}`;
    },
    writeBundle: () => chmodSync(join(out, 'cli', 'jumpseat.js'), 0o755),
  };
}

/**
 * Node’s own modules by `process.getBuiltinModule` (a chunk may have a `process` of its own). An `import` of one reads
 * every export it has, the lazy ones among them: `node:http` then loads Node’s web client, which nothing here uses
 * (measured: 13 MiB and 15 to 30 ms of every start).
 */
function builtinsOnDemand(): Plugin {
  const statement = /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{ ([^}]*) \})? from "(node:[\w/]+)";$/gm;
  return {
    name: 'builtins-on-demand',
    applyToEnvironment: ({ name }) => inOneProcess.includes(name),
    renderChunk: (code) => ({
      map: null,
      code: code.replace(statement, (_, whole, all, names, id) => {
        const wanted = [whole, all, names && `{ ${names.replaceAll(' as ', ': ')} }`].filter(Boolean);
        return wanted.map((target) => `const ${target} = globalThis.process.getBuiltinModule("${id}");`).join(' ');
      }),
    }),
  };
}

/**
 * Writes the few characters beyond ASCII as escapes: for one of them V8 keeps a whole file at two bytes a character
 * (measured: 2 MiB of the idle process). Where an escape would not be read as one, the build fails.
 */
function inAscii(): Plugin {
  return {
    name: 'in-ascii',
    applyToEnvironment: ({ name }) => inOneProcess.includes(name),
    // Later than `renderChunk`, after which escapes are undone.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const [raw] = /\braw`[^`]*[^\0-\x7f`][^`]*`/.exec(chunk.code) ?? [];
        if (raw !== undefined) throw new Error(`${chunk.fileName} has a raw string beyond ASCII: ${raw}`);
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
      }
    },
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * One copy of a package for all who need the same version of it, however often the installer laid it down: express’s
 * parts each bring their own table of MIME types (measured: 0.6 MB less to read at every start).
 */
function oneCopyPerVersion(): Plugin {
  const folderOf = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)([\\/][^?]*)/;
  const first = new Map<string, string>();
  return {
    name: 'one-copy-per-version',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => [...inOneProcess, 'vscode'].includes(name),
    async resolveId(source, importer, options) {
      if (isExternal(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const [, folder, rest] = folderOf.exec(found?.id ?? '') ?? [];
      if (!found || !folder || !rest || !existsSync(join(folder, 'package.json'))) return found;
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const key = `${name}@${version}`;
      if (!first.has(key)) first.set(key, folder);
      return { ...found, id: found.id.replace(folder, first.get(key) ?? folder) };
    },
  };
}

/**
 * What packages bring and nothing here reaches. Express’s parser of bodies has the tables of a hundred charsets: 0.4 MB
 * that each start would read, while it parses the JSON of our own page. Turndown has a parser for pages that it is
 * given as text, while it is given a document. The MCP SDK makes an Ajv for answers to questions that a server asks;
 * ours asks none, and the SDK’s smaller validator takes its place (measured: 0.2 MB less to read, 50 kB less to fetch).
 */
const replaced = [
  { source: /\/(?:dbcs-data|sbcs-data-generated)$/, importer: /iconv-lite/, by: 'module.exports = {};' },
  { source: /^@mixmark-io\/domino$/, importer: /turndown/, by: 'module.exports = {};' },
  {
    source: /^@modelcontextprotocol\/server\/_shims$/,
    importer: /@modelcontextprotocol/,
    by: `
      export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from
        '@modelcontextprotocol/server/validators/cf-worker';
      export { default as process } from 'node:process';
    `,
  },
];

function withoutUnreached(): Plugin {
  const prefix = '\0replaced-';
  return {
    name: 'without-unreached',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => [...inOneProcess, 'processes', 'vscode'].includes(name),
    resolveId(source, importer = '') {
      const index = replaced.findIndex((each) => each.source.test(source) && each.importer.test(importer));
      return index < 0 ? null : `${prefix}${index}`;
    },
    load: (id) => (id.startsWith(prefix) ? replaced[Number(id.slice(prefix.length))]?.by : null),
  };
}

/**
 * Modules whose values window and preload need without what they are worked out from: zod would be most of both. The
 * build runs each once and puts its exports, as JSON, in its place.
 */
function workedOut(): Plugin {
  const files = ['call-places.ts', 'setting-fields.ts'].map((file) => join(root, 'app/api', file));
  return {
    name: 'worked-out',
    applyToEnvironment: ({ name }) => name === 'client' || name === 'preload',
    async load(id) {
      if (!files.includes(id)) return null;
      const exported: Record<string, unknown> = await import(pathToFileURL(id).href);
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

/** Puts in by what two builds know that they have the same calls: a hash of the files of the contract. */
function contractOfBuild(): Plugin {
  const folder = join(root, 'app/api');
  return {
    name: 'contract-of-build',
    applyToEnvironment: ({ name }) => inOneProcess.includes(name),
    load(id) {
      if (id !== join(root, 'app/api/contract.ts')) return null;
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
      const hash = createHash('sha256').update(dependencies.zod);
      for (const file of files.sort()) hash.update(`${file}\0${readFileSync(join(folder, file), 'utf8')}\0`);
      return `export const contract = '${hash.digest('hex').slice(0, 32)}';`;
    },
  };
}

/**
 * Large data beside the code that reads it, packed with Brotli: npm's own packing makes it a quarter larger (measured:
 * 280 kB of what `npx` fetches). That are the engine of PAC scripts, and the table of OpenAI's tokens, one a line in
 * place of a script of its size. Packing takes seconds, so that each is kept for the next build.
 */
function packedData(): Plugin {
  const table = /gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]o200k_base\.js$/;
  const tableFile = 'o200k_base.txt.br';
  let tokens: readonly (string | readonly number[])[] = [];
  return {
    name: 'packed-data',
    applyToEnvironment: ({ name }) => inOneProcess.includes(name),
    async load(id) {
      if (!table.test(id)) return null;
      tokens = (await import(pathToFileURL(id).href)).default;
      return `
        import { readFileSync } from 'node:fs';
        import { join } from 'node:path';
        import { brotliDecompressSync } from 'node:zlib';
        const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, '${tableFile}'))).toString();
        export default text.split('\\n').map((line) =>
          line.startsWith('${ofBytes}') ? line.slice(1).split(',').map(Number) : line.replaceAll('${ofLine}', '\\n'),
        );
      `;
    },
    // Vite leaves out what is emitted earlier for Node.
    generateBundle(_options, bundle) {
      const emit = (fileName: string, bytes: Buffer): void =>
        void this.emitFile({ type: 'asset', fileName, source: packed(bytes) });
      if (this.environment.name === 'threads')
        emit('quickjs.wasm.br', readFileSync(join(root, 'node_modules/quickjs-wasi/quickjs.wasm')));
      const isRead = Object.values(bundle).some((chunk) => chunk.type === 'chunk' && chunk.code.includes(tableFile));
      if (isRead) emit(tableFile, Buffer.from(tokens.map(tokenLine).join('\n')));
    },
  };
}

/** Begins a token that is no text, and stands for the end of a line in one that is; no token has either. */
const [ofBytes, ofLine] = ['\uE000', '\uE001'];

function tokenLine(token: string | readonly number[]): string {
  if (typeof token !== 'string') return `${ofBytes}${token.join(',')}`;
  if (token.includes(ofBytes) || token.includes(ofLine)) throw new Error('A token has a character of the table’s own.');
  return token.replaceAll('\n', ofLine);
}

function packed(bytes: Buffer): Buffer {
  const cache = join(root, 'node_modules', '.cache', 'packed-data');
  const file = join(cache, createHash('sha256').update(bytes).digest('hex'));
  if (existsSync(file)) return readFileSync(file);
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const made = zlib.brotliCompressSync(bytes, { params });
  mkdirSync(cache, { recursive: true });
  // Another build may read it at the same time.
  writeFileSync(`${file}.${process.pid}`, made);
  renameSync(`${file}.${process.pid}`, file);
  return made;
}

/**
 * Translations of messages, once for all fronts: terminal and tray app load the window's files. All languages share the
 * file with the English messages (measured: the package is 0.1 MB smaller).
 */
function sharedCatalogs(): Plugin {
  const folder = join(root, 'app', 'language');
  const asked = /^\.\/catalogs\/([\w-]+)\.json$/;
  const prefix = '\0catalog-';
  /** Names of the window's files, by language. It is built first. */
  const files = new Map<string, string>();
  return {
    name: 'shared-catalogs',
    // Otherwise each environment had its own, and no names of the window's files.
    sharedDuringBuild: true,
    enforce: 'pre',
    applyToEnvironment: ({ name }) => ['client', 'main', 'cli'].includes(name),
    resolveId: { filter: { id: asked }, handler: (source) => source.replace(asked, `${prefix}$1`) },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const tag = id.slice(prefix.length);
      if (this.environment.name !== 'client') {
        const file = files.get(tag);
        if (file === undefined) throw new Error(`The window has no file with the messages of ${tag}.`);
        return `export default (await import(new URL('../renderer/${file}', import.meta.url).href)).default;`;
      }
      const names: string[] = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8'));
      const catalog: Record<string, string> = JSON.parse(readFileSync(join(folder, 'catalogs', `${tag}.json`), 'utf8'));
      return `
        import names from ${JSON.stringify(join(folder, 'messages.json'))};
        const messages = ${JSON.stringify(names.map((name) => catalog[name] ?? null))};
        export default Object.fromEntries(names.map((name, at) => [name, messages[at]]));
      `;
    },
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.facadeModuleId?.startsWith(prefix)) continue;
        files.set(chunk.facadeModuleId.slice(prefix.length), chunk.fileName);
      }
    },
  };
}

/**
 * Workers of the window are built with it, so that both load the same files of code: built on its own, a worker had a
 * second copy of every language that code has colours in (1.9 MB).
 */
function workersWithWindow(): Plugin {
  const begun = /new URL\('(\.\/[\w-]+-worker\.ts)', import\.meta\.url\)/g;
  return {
    name: 'workers-with-window',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!id.startsWith(join(root, 'renderer')) || !code.match(begun)) return null;
      const emit = (_: string, file: string): string => {
        const chunk = this.emitFile({ type: 'chunk', id: join(dirname(id), file) });
        return `import.meta.ROLLUP_FILE_URL_${chunk}`;
      };
      return { code: code.replace(begun, emit), map: null };
    },
  };
}

export default defineConfig({
  root: join(root, 'renderer'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  css: { modules: { generateScopedName: classNameOf } },
  plugins: [
    react(),
    workedOut(),
    workersWithWindow(),
    terminalEntry(),
    withoutUnreached(),
    oneCopyPerVersion(),
    packedData(),
    sharedCatalogs(),
    contractOfBuild(),
    builtinsOnDemand(),
    inAscii(),
  ],
  environments: {
    client: {
      build: {
        ...{ outDir: join(out, 'renderer'), emptyOutDir: false, target: 'chrome140', sourcemap: false, license },
        // Code that a worker runs too finds no document to put links into.
        modulePreload: { resolveDependencies: (_file, deps, { hostType }) => (hostType === 'html' ? deps : []) },
      },
    },
    main: forNode('main', { main: join(root, entries.main) }, { format: 'es', extension: 'js' }),
    preload: forNode('preload', { preload: join(root, entries.preload) }, { format: 'cjs', extension: 'cjs' }),
    cli: forNode('cli', { jumpseat: start }, { format: 'es', extension: 'js', groups: groupsOf(filesOfCli) }),
    threads: forNode('threads', threads, { format: 'es', extension: 'js' }),
    // Each is a process of its own.
    agents: forNode(
      'agents',
      { claude: join(root, entries.agents), codex: codexEntry },
      { format: 'es', extension: 'js' },
    ),
    processes: forNode('processes', processes, { format: 'es', extension: 'js' }),
    // VS Code 1.106 runs extensions on Node 22.
    vscode: forNode(
      'vscode',
      { extension: join(root, entries.vscode) },
      { format: 'cjs', extension: 'js', target: 'node22', isOneFile: true },
    ),
  },
  builder: {
    async buildApp(builder) {
      for (const [name, entry] of Object.entries(entries)) {
        const environment = builder.environments[name];
        if (environment && existsSync(join(root, entry))) await builder.build(environment);
      }
      writeLicenses(out, join(root, 'node_modules'));
    },
  },
});
