import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenes } from './screens/scenes.ts';

const folder = join(import.meta.dirname, 'screens');
const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
/** They come along with every clone. */
const mostBytes = 5_000_000;

/** Width and height as the file's head has them. */
function sizeOf(name: string): [number, number] {
  const head = readFileSync(join(folder, name)).subarray(16, 24);
  return [head.readUInt32BE(0), head.readUInt32BE(4)];
}

it('there is a picture of every scene, in its size, and no other; `npm run screens` takes them anew', () => {
  const wanted = scenes.map(({ name, context }): [string, [number, number]] => {
    const { width, height } = context?.viewport ?? { width: 1200, height: 800 };
    const scale = context?.deviceScaleFactor ?? 1;
    return [`${name}.png`, [width * scale, height * scale]];
  });
  expect(Object.fromEntries(pictures.map((name) => [name, sizeOf(name)]))).toEqual(Object.fromEntries(wanted));
  for (const view of [
    'requests',
    'sessions',
    'detail',
    'usage',
    'models',
    'health',
    'settings',
    'sign-in',
    'first-run',
  ]) {
    expect(pictures).toEqual(expect.arrayContaining([`${view}-light.png`, `${view}-dark.png`]));
  }
  const bytes = pictures.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(mostBytes);
});

it('what takes the pictures needs no Electron', () => {
  const page = JSON.stringify(join(import.meta.dirname, 'chromium-window.ts'));
  execFileSync(process.execPath, ['--input-type=module', '--eval', `await import(${page}); process.exit()`]);
});
