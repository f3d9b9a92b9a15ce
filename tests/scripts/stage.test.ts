import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { removeWrittenBefore } = await script<{ removeWrittenBefore(folder: string, time: number): void }>('build');
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

  it('fails where an entry is missing', () => {
    mkdirSync(join(dist, 'main'));
    expect(() => reached(dist, ['main/main.js'])).toThrow('ENOENT');
  });
});
