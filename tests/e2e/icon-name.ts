import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { script } from '../scripts/script.ts';
import { until } from '../soon.ts';
import type { Picture, TrayIcon } from './status-notifier.ts';

const { readPng } = await script<{ readPng(png: Buffer): { width: number; rgba: Buffer } }>('png');
const folder = join(import.meta.dirname, '..', '..', 'resources', 'tray');

/** White drawings by what of them is to be seen. */
const drawings = new Map(
  readdirSync(folder)
    .filter((file) => /-white-\d+\.png$/.test(file))
    .map((file) => {
      const { width, rgba } = readPng(readFileSync(join(folder, file)));
      return [seen(width, rgba, 3), file.replace(/-white-\d+\.png$/, '')];
    }),
);

/** Which of our icons the desktop was given. */
export async function iconName(icon: TrayIcon): Promise<string> {
  const names = (await icon.pictures()).map(({ width, argb }: Picture) => drawings.get(seen(width, argb, 0)));
  return [...new Set(names)].map((name) => name ?? 'another picture').join(', ');
}

export async function showsIcon(icon: TrayIcon, name: string): Promise<void> {
  await until(
    async () => (await iconName(icon)) === name,
    async () => ({ wanted: name, icon: await iconName(icon) }),
  );
}

/** The alpha of each pixel: colours come multiplied by it, or not. */
function seen(width: number, pixels: Buffer, alphaAt: number): string {
  return `${width}:${Buffer.from(pixels.filter((_, index) => index % 4 === alphaAt)).toString('latin1')}`;
}
