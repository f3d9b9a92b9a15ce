import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../environment.ts';
import type { Surroundings } from '../surroundings.ts';
import { serve } from './serve.ts';

/**
 * `jumpseat` alone: the tray app, or the proxy where it cannot be: no display, no build of it, no Electron, or root.
 */
export async function tray(surroundings: Surroundings): Promise<number> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const program = canShowTray(surroundings.env) ? (packedTray(root) ?? electronWith(root)) : null;
  if (program === null) return serve(surroundings, {});
  return new Promise((resolve, reject) => {
    const [command, ...args] = program;
    const child = spawn(command, args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0 ? 0 : 1));
  });
}

/** Whether Electron can run here. As root it needs its sandbox off, which we don't do. */
export function canShowTray(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
  userId: number | undefined = process.getuid?.(),
): boolean {
  return platform !== 'linux' || (userId !== 0 && Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));
}

type Program = [command: string, ...args: string[]];

/** The tray app of a desktop package, whose terminal front is in resources/cli (electron-builder.yml). */
export function packedTray(root: string): Program | null {
  const files = ['../../jumpseat-tray', '../../MacOS/Jumpseat', '../../Jumpseat.exe'];
  const file = files.map((path) => join(root, path)).find((path) => existsSync(path));
  return file === undefined ? null : [file];
}

/** The Electron beside a built tray app; null if either is missing. */
function electronWith(root: string): Program | null {
  if (!existsSync(join(root, 'dist', 'main', 'main.js'))) return null;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
    const binary = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(binary) ? [binary, root] : null;
  } catch {
    return null;
  }
}
