import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keyGroups } from '../../../renderer/sessions/session-keys.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'sessions-window.md');

beforeEach(() => {
  vi.stubGlobal('navigator', { platform: 'Linux x86_64' });
});
afterEach(() => vi.unstubAllGlobals());

it('docs/sessions-window.md has every key of the view, and no other', () => {
  const text = readFileSync(file, 'utf8').split('\n## Keys\n')[1] ?? '';
  const rows = [...text.matchAll(/^\|(.*)\|(.*)\|(.*)\|$/gm)]
    .slice(2)
    .map((row) => row.slice(1).map((cell) => cell.trim()));
  const inBrowser = keyGroups(true);
  const expected = keyGroups(false).flatMap(({ heading, keys }, group) =>
    keys.map(({ key, does }, index) => {
      const other = inBrowser[group]?.keys[index]?.key;
      return [index === 0 ? heading : '', other === key ? key : `${key}; in a browser ${other}`, does];
    }),
  );
  expect(rows).toEqual(expected);
});
