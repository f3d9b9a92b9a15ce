import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { launchChild } from '../../app/processes/launch.ts';
import { noisePng } from '../app/images/pictures.ts';
import { Started } from '../started.ts';
import { script } from './script.ts';

const stage = await script<{ reached(dist: string, from: string[]): string[]; stageTerminal(folder: string): void }>(
  '../packing/stage',
);

const cli = process.env.JUMPSEAT_TEST_CLI;

/** What vite.config.ts makes of the terminal front. `npm test` builds it first. */
describe.skipIf(cli === undefined)('the built product', () => {
  const entry = cli ?? '';
  const folder = dirname(entry);

  it('starts with a small file that can be run', () => {
    expect(readFileSync(entry, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(entry).mode & 0o111).toBe(0o111);
    expect(statSync(entry).size).toBeLessThan(2_000);
  });

  it('says in one sentence that a Node is too old for it', async () => {
    const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const reported = new Started(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(old)}`, entry],
      {
        env: process.env,
      },
    );
    expect(await reported.ended()).toMatchObject({
      code: 1,
      out: '',
      err:
        'jumpseat: Jumpseat needs Node 24 or newer, and this is Node 20.20.2: ' +
        'install a newer one from https://nodejs.org and run it again.\n',
    });
  });

  it('runs as npm packs it: nothing else is fetched, no install script is there, and the keychain is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-npm-test-'));
    try {
      stage.stageTerminal(folder);
      const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path, 'package.json'), 'utf8'));
      const { name, mcpName, version, bin, scripts, dependencies, bundleDependencies } = read();
      expect(Object.keys(dependencies)).toEqual(bundleDependencies);
      expect([scripts, read('node_modules', 'keytar').scripts, read('node_modules', 'keytar').dependencies]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(name).toMatch(/^@[\w-]+\/[\w-]+$/);
      expect(mcpName).toBe('app.jumpseat/jumpseat');
      const run = (file: string, ...args: string[]) =>
        new Started(process.execPath, [file, ...args], { env: process.env }).ended();
      const command = join(folder, bin.jumpseat);
      expect(await run(command, '--help')).toMatchObject({
        code: 0,
        out: expect.stringContaining('run the proxy and the dashboard'),
      });
      // The version alone loads nothing else.
      const alone = join(folder, 'alone.mjs');
      copyFileSync(command, alone);
      expect(await run(alone, '--version')).toMatchObject({ code: 0, out: `${version}\n` });
      const { findPassword } = createRequire(join(folder, bin.jumpseat))('keytar');
      expect(findPassword).toBeTypeOf('function');
      // A company's PAC script runs from the package alone.
      const pac = join(folder, 'proxy.pac');
      writeFileSync(pac, 'function FindProxyForURL(url, host) { return host?.length ? "PROXY 127.0.0.1:9" : null; }');
      const checked = await new Started(process.execPath, [join(folder, bin.jumpseat), 'doctor'], {
        env: {
          ...process.env,
          JUMPSEAT_HOME: join(folder, 'home'),
          JUMPSEAT_PROXY_SCRIPT: pac,
          JUMPSEAT_SECRETS: 'memory',
        },
      }).ended();
      expect(checked.out).toMatch(/PAC script .*proxy\.pac says for api\.github\.com: PROXY 127\.0\.0\.1:9/);
      rmSync(join(folder, 'home'), { recursive: true });
      rmSync(pac);
      // As npm packs it, about: what `npx` fetches before anything starts.
      const packed = gzipSync(execFileSync('tar', ['-cf', '-', '.'], { cwd: folder, maxBuffer: 2 ** 26 }), {
        level: 9,
      });
      expect(packed.length).toBeLessThan(3_500_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('looks nothing up at run time but Node, Electron and keytar', () => {
    const dist = join(folder, '..');
    const files = stage
      .reached(dist, ['cli/jumpseat.js', 'main/main.js', 'preload/preload.cjs'])
      .filter((file) => /js$/.test(file))
      .map((file) => join(dist, file));
    expect(files.length).toBeGreaterThan(50);
    const outside = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^(?:import|export)\b[^'";]*from "([^"./][^"]*)"|^import "([^"./][^"]*)"/gm,
        ),
      ]
        .map((match) => match[1] ?? match[2] ?? '')
        .filter((name) => !name.startsWith('node:')),
    );
    expect(outside.filter((name) => name !== 'electron' && name !== 'keytar')).toEqual([]);
  });

  it('gives the window and its preload the names of the calls, and no schema', () => {
    const dist = join(folder, '..');
    // Files of older builds lie beside those of this one.
    const scripts = stage
      .reached(dist, ['preload/preload.cjs', 'renderer/index.html'])
      .filter((file) => /js$/.test(file))
      .map((file) => join(dist, file));
    expect(scripts.length).toBeGreaterThan(30);
    const texts = scripts.map((file) => readFileSync(file, 'utf8'));
    expect(texts.map((text) => /ZodError|invalid_type/.test(text))).toEqual(texts.map(() => false));
    expect(texts[0]).toContain('moveToFreePort');
    expect(texts[0]?.length).toBeLessThan(6_000);
    expect(texts.slice(1).join('')).toContain('moveToFreePort');
  });

  it('shares the window’s files with its workers: none stands in it twice, and no worker loads the window', () => {
    const renderer = join(folder, '..', 'renderer');
    const page = /src="\.\/(assets\/[^"]+\.js)"/.exec(readFileSync(join(renderer, 'index.html'), 'utf8'))?.[1] ?? '';
    const files = loaded(join(renderer, dirname(page)), basename(page));
    const workers = [...files].filter((file) => file.includes('-worker-')).sort();
    expect(workers.map((file) => file.replace(/-worker-.*/, ''))).toEqual(['difference', 'highlight']);
    const names = [...files].map((file) => file.replace(/-[\w-]{8}\.js$/, ''));
    expect(names).toContain('cpp');
    const twice = names.filter((name, at) => names.indexOf(name) !== at);
    expect(twice).toEqual([]);
    for (const worker of workers) {
      expect([...loaded(join(renderer, dirname(page)), worker)]).not.toContain(basename(page));
      const text = readFileSync(join(renderer, dirname(page), worker), 'utf8');
      expect(text.length, worker).toBeLessThan(2_000);
    }
  });

  it('brings the licences of what went into it', () => {
    const text = readFileSync(join(folder, '..', 'renderer', 'licenses.txt'), 'utf8');
    const named = (name: string): boolean => new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm').test(text);
    expect(['react', 'express', 'zod', '@github/keytar'].filter((name) => !named(name))).toEqual([]);
  });

  it('leaves out what packages bring and nothing reaches: tables of charsets, a second parser of pages', () => {
    const dist = join(folder, '..');
    const files = stage.reached(dist, ['cli/jumpseat.js', 'main/main.js', 'processes/page-reader.js']);
    const scripts = files.filter((file) => file.endsWith('js'));
    const having = (words: RegExp) => scripts.filter((file) => words.test(readFileSync(join(dist, file), 'utf8')));
    expect([having(/iconv-lite/), having(/node_modules\/turndown/)].map(({ length }) => length !== 0)).toEqual([
      true,
      true,
    ]);
    expect(having(/\bcp949_default|\bbig5_added_default|domino\/lib\//)).toEqual([]);
  });

  it('loads the tokenizer and the simulator only when they are asked for', () => {
    const eager = reached(folder, 'jumpseat.js');
    expect(eager.size).toBeGreaterThan(1);
    const words = [...eager].map((file) => readFileSync(join(folder, file), 'utf8')).join('');
    expect(words).not.toContain('gpt-tokenizer/');
    expect(words).not.toContain('app/simulator/');
    expect(words).not.toContain('node_modules/express/');
    expect(words).not.toContain('node_modules/@modelcontextprotocol/');
    expect(words).not.toContain('node_modules/linkedom/');
  });

  it('loads what `serve` needs as few files of ASCII, which share nothing with its threads', () => {
    const rooms = { cli: ['jumpseat.js'], main: ['main.js'], threads: ['history-reader.js'] };
    const files = Object.entries(rooms).flatMap(([room, begin]) =>
      begin.flatMap((entry) => [...loaded(join(folder, '..', room), entry)].map((file) => join(room, file))),
    );
    const codes = new Map(files.map((file) => [file, readFileSync(join(folder, '..', file), 'latin1')]));
    expect(codes.size).toBeGreaterThan(40);
    expect([...codes].filter(([, code]) => !/^[\0-\x7f]*$/.test(code)).map(([file]) => file)).toEqual([]);

    const app = files.find((file) => file.startsWith(join('cli', 'app-')) && codes.get(file)?.includes('AppParts'));
    const names = [...imported(folder, basename(app ?? ''))].map((file) => file.replace(/-[\w-]{8}\.js$/, ''));
    expect(names.toSorted()).toEqual([
      'app',
      'asking',
      'line-format',
      'program',
      'rolldown-runtime',
      'schemas',
      'statusline',
    ]);
    for (const file of rooms.threads) expect([...imported(join(folder, '..', 'threads'), file)]).toEqual([file]);
  });

  it('asks a running one of the same build without the shapes of its answers', async () => {
    const asking = [...loaded(folder, 'jumpseat.js')].find((file) => file.startsWith('asking-')) ?? '';
    const files = [...imported(folder, asking)].map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(files.join('')).not.toContain('ZodError');
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-built-test-'));
    const env = { PATH: process.env.PATH, HOME: home, JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory' };
    const running = new Started(process.execPath, [entry, 'serve', '--json', '--port', '0'], { env });
    try {
      const { key } = JSON.parse(await running.line());
      const asked = async (name: string): Promise<{ hasKey: boolean; shapes: number }> => {
        const covered = join(home, name);
        const asks = { ...env, JUMPSEAT_KEY: key, NODE_V8_COVERAGE: covered };
        const { out } = await new Started(process.execPath, [entry, 'env'], { env: asks }).ended();
        const report = readdirSync(covered).map((file) => readFileSync(join(covered, file), 'utf8'));
        return { hasKey: out.includes(key), shapes: report.join().match(/\/schemas-[^/]*\.js"/g)?.length ?? 0 };
      };
      expect(await asked('same')).toEqual({ hasKey: true, shapes: 0 });
      const lock = join(home, 'lock');
      const { contract, ...owner } = JSON.parse(readFileSync(lock, 'utf8'));
      expect(contract).toMatch(/^[0-9a-f]{32}$/);
      writeFileSync(lock, JSON.stringify(owner));
      expect(await asked('another')).toEqual({ hasKey: true, shapes: 1 });
    } finally {
      running.child.kill('SIGTERM');
      await running.ended();
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('makes a page readable in a process of its own', async () => {
    const reader = launchChild({ file: join(folder, '..', 'processes', 'page-reader.js'), env: {} });
    reader.stdin.end(
      JSON.stringify({ html: '<title>A title</title><p>Some <b>text</b>', address: 'https://a.example/' }),
    );
    expect(JSON.parse(await text(reader.stdout))).toEqual({ title: 'A title', markdown: 'Some **text**' });
    expect(await reader.exited).toEqual({ code: 0, signal: null, error: null });
  });

  it('scales an image in a process of its own', async () => {
    const scaler = launchChild({ file: join(folder, '..', 'processes', 'image-scaler.js'), env: {} });
    const large = { data: noisePng(60, 60).toString('base64'), type: 'image/png', most: 5_000 };
    scaler.stdin.end(JSON.stringify(large));
    expect(JSON.parse(await text(scaler.stdout)).bytes).toBeLessThanOrEqual(5_000);
    expect(await scaler.exited).toEqual({ code: 0, signal: null, error: null });
  });

  it('serves the demo and its dashboard, and ends in order', async () => {
    const demo = new Started(process.execPath, [entry, 'demo', '--json', '--port', '0'], { env: process.env });
    try {
      const { event, baseUrl, authToken, dashboardUrl } = JSON.parse(await demo.line());
      expect(event).toBe('listening');

      const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
        fetch(url, { headers, signal: AbortSignal.timeout(20_000) });
      const page = await get(dashboardUrl);
      const html = await page.text();
      const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
      const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(html)?.[1];
      const [asset, state, models] = await Promise.all([
        get(`${baseUrl}/ui/${script}`, { cookie }),
        fetch(`${baseUrl}/ui/api/call/state`, {
          method: 'POST',
          headers: { cookie, origin: baseUrl, 'content-type': 'application/json' },
          body: '[]',
          signal: AbortSignal.timeout(20_000),
        }),
        get(`${baseUrl}/v1/models`, { authorization: `Bearer ${authToken}` }),
      ]);
      await Promise.all([asset, models].map((answer) => answer.arrayBuffer()));
      expect([page, asset, state, models].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await state.json()).toMatchObject({ value: { proxy: { kind: 'on', baseUrl } } });
    } finally {
      demo.child.kill('SIGTERM');
    }
    expect(await demo.ended()).toMatchObject({ code: 0, err: '' });
  });
});

/** The files that a file of the window leads to, by any import and as a worker. */
function loaded(folder: string, entry: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, next = ''] of text.matchAll(/["'`](?:\.\/)?([\w-]+-[\w-]{8}\.js)["'`]/g)) visit(next);
  };
  visit(entry);
  return found;
}

/** The files that are loaded by static imports alone, from the entry and the one file that it loads first. */
function reached(folder: string, entry: string): Set<string> {
  const [, first = ''] = /import\("\.\/([^"]+)"\)/.exec(readFileSync(join(folder, entry), 'utf8')) ?? [];
  return new Set([entry, ...imported(folder, first)]);
}

/** The files that a file imports statically, by whatever way, and itself. */
function imported(folder: string, entry: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    const imports = /^(?:import|export)\b[^'";]*from "\.\/([^"]+)"|^import "\.\/([^"]+)"/gm;
    for (const match of text.matchAll(imports)) visit(match[1] ?? match[2] ?? '');
  };
  visit(entry);
  return found;
}
