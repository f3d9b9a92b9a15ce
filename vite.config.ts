import { chmodSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

/**
 * One `vite build` builds everything that exists: the window (client), the tray app (main, preload) and the terminal (cli).
 * All but Electron, Node and keytar (native code) is bundled. What is rarely used is a chunk of its own, loaded when it is asked for.
 */
const root = import.meta.dirname;
const out = join(root, 'dist');
const entries = {
  client: 'renderer/index.html',
  main: 'main/main.ts',
  preload: 'preload/preload.ts',
  cli: 'app/cli/jumpseat.ts',
};

const isExternal = (id: string): boolean =>
  id === 'electron' || id.startsWith('electron/') || id === 'keytar' || isBuiltin(id);

/** Code for Node: nothing but the externals is looked up at run time. */
function forNode(
  folder: string,
  input: Record<string, string>,
  output: { format: 'es' | 'cjs'; extension: string },
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
      target: 'node24',
      minify: false,
      sourcemap: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        external: isExternal,
        output: {
          format: output.format,
          entryFileNames: `[name].${output.extension}`,
          // Beside the entry, so that a path relative to `import.meta.dirname` is the same in every chunk.
          chunkFileNames: `[name]-[hash].${output.extension}`,
        },
      },
    },
  };
}

/**
 * The file that `jumpseat` runs: it switches Node's compile cache on before anything of size is loaded.
 * The cache lies in the user's cache folder; NODE_COMPILE_CACHE moves it and NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
const start = 'virtual:start-cli';
const startCode = `
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
const { env, platform } = process;
const home = homedir();
const cache = env.XDG_CACHE_HOME ? join(env.XDG_CACHE_HOME, 'jumpseat')
  : platform === 'darwin' ? join(home, 'Library', 'Caches', 'jumpseat')
  : platform === 'win32' ? join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'jumpseat', 'Cache')
  : join(home, '.cache', 'jumpseat');
enableCompileCache(env.NODE_COMPILE_CACHE ?? join(cache, 'compiled'));
await import(${JSON.stringify(join(root, entries.cli))});
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

export default defineConfig({
  root: join(root, 'renderer'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), terminalEntry()],
  environments: {
    client: { build: { outDir: join(out, 'renderer'), emptyOutDir: false, target: 'chrome140', sourcemap: false } },
    main: forNode('main', { main: join(root, entries.main) }, { format: 'es', extension: 'js' }),
    preload: forNode('preload', { preload: join(root, entries.preload) }, { format: 'cjs', extension: 'cjs' }),
    cli: forNode('cli', { jumpseat: start }, { format: 'es', extension: 'js' }),
  },
  builder: {
    async buildApp(builder) {
      for (const [name, entry] of Object.entries(entries)) {
        const environment = builder.environments[name];
        if (environment && existsSync(join(root, entry))) await builder.build(environment);
      }
    },
  },
});
