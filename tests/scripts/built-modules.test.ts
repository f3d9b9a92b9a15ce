import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const cli = process.env.JUMPSEAT_TEST_CLI;

/** What two plugins of vite.config.ts do for the time and the memory of a start. */
describe.skipIf(cli === undefined)('the modules of the built product', () => {
  const folder = dirname(cli ?? '');
  const reached = chunksOf(folder, 'jumpseat.js');

  it('imports none of Node’s modules by a statement, which would load its web client with node:http', () => {
    const statements = reached.flatMap((code) => code.match(/^import\b[^;]*"node:[^;]*;/gm) ?? []);
    expect(statements).toEqual([]);
  });

  it('holds one table of MIME types, though four packages bring one', () => {
    const tables = reached.join('').match(/"application\/vnd\.oasis\.opendocument\.text":/g) ?? [];
    expect(tables.length).toBe(1);
  });
});

/** The code of the entry and of every chunk that can be reached from it. */
function chunksOf(folder: string, entry: string): string[] {
  const found = new Map<string, string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    const code = readFileSync(join(folder, file), 'utf8');
    found.set(file, code);
    for (const name of readdirSync(folder)) if (code.includes(`"./${name}"`)) visit(name);
  };
  visit(entry);
  return [...found.values()];
}
