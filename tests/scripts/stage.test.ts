import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { removeWrittenBefore } = await script<{ removeWrittenBefore(folder: string, time: number): void }>('build');
const { stageShared, fpmOptions } = await script<{
  stageShared(folder: string, node: string, time: number): Promise<void>;
  fpmOptions(folder: string, kind: string): string[];
}>('../packing/system-files');
const { reached } = await script<{ reached(dist: string, from: string[]): string[] }>('../packing/stage');

describe('what of a build goes into a package', () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'jumpseat-stage-test-'));
  });
  afterEach(() => rmSync(dist, { recursive: true, force: true }));

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

  it('fails where an entry is missing', () => {
    mkdirSync(join(dist, 'main'));
    expect(() => reached(dist, ['main/main.js'])).toThrow('ENOENT');
  });
});
