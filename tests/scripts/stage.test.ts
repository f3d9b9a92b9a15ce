import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { script } from './script.ts';

const { removeWrittenBefore } = await script<{ removeWrittenBefore(folder: string, time: number): void }>('build');
const { stageShared, fpmOptions } = await script<{
  stageShared(folder: string, node: string, time: number): Promise<void>;
  fpmOptions(folder: string, kind: string): string[];
}>('../packing/system-files');
const { artifactBuildCompleted } = await script<{ artifactBuildCompleted(made: { file: string }): void }>(
  '../packing/same-bytes',
);
const { reached } = await script<{ reached(dist: string, from: string[]): string[] }>('../packing/stage');

describe.skipIf(process.platform === 'win32')('the command in a package', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'jumpseat command-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['linux', 'bin', 'resources/cli', 'node'],
    ['mac', 'Contents/Resources/bin', 'Contents/Resources/cli', 'node'],
    ['windows', 'resources/bin', 'resources/cli', 'node.exe'],
  ])('starts the Node beside it, by a link as well: %s', (system, bin, cli, node) => {
    mkdirSync(join(folder, bin), { recursive: true });
    mkdirSync(join(folder, cli), { recursive: true });
    mkdirSync(join(folder, 'links'));
    copyFileSync(join('resources', system, 'jumpseat'), join(folder, bin, 'jumpseat'));
    writeFileSync(join(folder, cli, node), '#!/bin/sh\nfor each in "$0" "$@"; do echo "$each"; done\n', {
      mode: 0o755,
    });
    const started = (path: string) =>
      execFileSync(path, ['a b', '--c'], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => normalize(line));
    const script = join(folder, cli, 'dist', 'cli', 'jumpseat.js');
    const flags = ['--no-concurrent-recompilation', '--no-parallel-scavenge'];
    const expected = [join(folder, cli, node), ...flags, script, 'a b', '--c'];
    expect(started(join(folder, bin, 'jumpseat'))).toEqual(expected);
    // Windows has no links; its installer puts the folder into the Path.
    if (system === 'windows') return;
    symlinkSync(join('..', bin, 'jumpseat'), join(folder, 'links', 'one'));
    symlinkSync(join(folder, 'links', 'one'), join(folder, 'links', 'two'));
    expect(started(join(folder, 'links', 'two'))).toEqual(expected);
  });

  it('is the same on Windows in its own shell', () => {
    const [sh, cmd] = ['jumpseat', 'jumpseat.cmd'].map((name) => readFileSync(join('resources/windows', name), 'utf8'));
    const flags = / (--[\w-]+(?: --[\w-]+)*) /;
    expect(flags.exec(cmd ?? '')?.[1]).toBe(flags.exec(sh ?? '')?.[1]);
    expect(cmd).toMatch(
      /^@echo off\r\n"%~dp0\.\.\\cli\\node\.exe" .* "%~dp0\.\.\\cli\\dist\\cli\\jumpseat\.js" %\*\r\n$/,
    );
  });
});

describe('what of a build goes into a package', () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'jumpseat-stage-test-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(dist, { recursive: true, force: true });
  });

  const write = (files: Record<string, string>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dist, path)), { recursive: true });
      writeFileSync(join(dist, path), text);
    }
  };

  it('lies beside files of older builds for a day alone', () => {
    write({ 'main/main.js': '', 'main/old-00000000.js': '', 'renderer/assets/old-00000000.js': '' });
    for (const file of ['main', 'renderer/assets']) utimesSync(join(dist, file, 'old-00000000.js'), 1000, 1000);
    removeWrittenBefore(dist, 2_000_000);
    const left = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left.map(({ name }) => name)).toEqual(['main.js']);
  });

  it('is what the entries mention, and what that mentions, but nothing of an older build or another entry', () => {
    write({
      'main/main.js': "import './shared-aaaaaaaa.js'; await import('./rare-bbbbbbbb.js');",
      'main/shared-aaaaaaaa.js': '',
      'main/rare-bbbbbbbb.js': "import './rarer-cccccccc.js';",
      'main/rarer-cccccccc.js': "import './main.js';",
      'main/shared-00000000.js': "import './rarer-00000000.js';",
      'main/rarer-00000000.js': '',
      'preload/preload.cjs': '',
      'renderer/index.html':
        '<script src="./assets/index-dddddddd.js"></script><link href="./assets/index-eeeeeeee.css">',
      'renderer/assets/index-dddddddd.js': '',
      'renderer/assets/index-eeeeeeee.css': 'a { background: url(./icon-ffffffff.svg) }',
      'renderer/assets/icon-ffffffff.svg': '',
      'renderer/assets/index-00000000.js': '',
      'cli/jumpseat.js': "import './shared-aaaaaaaa.js';",
    });
    expect(reached(dist, ['main/main.js', 'preload/preload.cjs', 'renderer/index.html']).sort()).toEqual([
      'main/main.js',
      'main/rare-bbbbbbbb.js',
      'main/rarer-cccccccc.js',
      'main/shared-aaaaaaaa.js',
      'preload/preload.cjs',
      'renderer/assets/icon-ffffffff.svg',
      'renderer/assets/index-dddddddd.js',
      'renderer/assets/index-eeeeeeee.css',
      'renderer/index.html',
    ]);
  });

  it('has a man page and completions of every command beside it, the same each time', async () => {
    const folders = ['one', 'two'].map((name) => join(dist, name, 'share'));
    await Promise.all(folders.map((folder) => stageShared(folder, process.execPath, 1_700_000_000)));
    const [share = '', again = ''] = folders;
    const files = ['deb', 'rpm'].flatMap((kind) => fpmOptions(share, kind).filter((option) => option.includes('=/')));
    expect(files.filter((option) => !existsSync(option.split('=')[0] ?? ''))).toEqual([]);
    const page = (folder: string) => readFileSync(join(folder, 'man/man1/jumpseat.1.gz'));
    expect(page(share).equals(page(again))).toBe(true);
    const text = gunzipSync(page(share)).toString();
    expect(text).toContain('.B jumpseat accounts bind <name> <label>');
    expect(readFileSync(join(share, 'metainfo/app.jumpseat.Jumpseat.metainfo.xml'), 'utf8')).toMatch(
      /<release version="\d+\.\d+\.\d+" date="2023-11-14"\/>/,
    );
  });

  it.runIf(process.platform === 'linux')('is the same archive in whatever order and when it was packed', () => {
    const packed = (name: string, order: string[], time: number) => {
      const place = join(dist, name);
      for (const path of order) {
        mkdirSync(dirname(join(place, 'App-1.0', path)), { recursive: true });
        writeFileSync(join(place, 'App-1.0', path), path, { mode: path === 'b/run' ? 0o775 : 0o664 });
        utimesSync(join(place, 'App-1.0', path), time, time);
      }
      const file = join(place, 'made.tar.gz');
      const files = order.map((path) => `App-1.0/${path}`);
      execFileSync('tar', ['-C', place, `--owner=${time}`, '-czf', file, ...files]);
      artifactBuildCompleted({ file });
      return file;
    };
    vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000');
    const [one, two] = [packed('one', ['a', 'b/run', 'c'], 1000), packed('two', ['c', 'b/run', 'a'], 2_000_000_000)];
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
    const listed = execFileSync('tar', ['-tvzf', one, '--numeric-owner'], { encoding: 'utf8', env: { TZ: 'UTC' } });
    expect(listed.replaceAll(/ +/g, ' ').trim().split('\n')).toEqual([
      'drwxr-xr-x 0/0 0 2023-11-14 22:13 App-1.0/',
      '-rw-r--r-- 0/0 1 2023-11-14 22:13 App-1.0/a',
      'drwxr-xr-x 0/0 0 2023-11-14 22:13 App-1.0/b/',
      '-rwxr-xr-x 0/0 5 2023-11-14 22:13 App-1.0/b/run',
      '-rw-r--r-- 0/0 1 2023-11-14 22:13 App-1.0/c',
    ]);
  });

  it('fails where an entry is missing', () => {
    mkdirSync(join(dist, 'main'));
    expect(() => reached(dist, ['main/main.js'])).toThrow('ENOENT');
  });
});
