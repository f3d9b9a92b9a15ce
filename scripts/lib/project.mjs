import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Absolute path of a file of the project. */
export const inProject = (...parts) => join(root, ...parts);

/** The parsed package.json of the project. */
export const manifest = () => JSON.parse(readFileSync(inProject('package.json'), 'utf8'));

/** Where big downloads are kept between clones: the platform's cache folder of this user. */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'jumpseat');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'jumpseat');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'jumpseat', 'Cache');
  return join(homedir(), '.cache', 'jumpseat');
}

/**
 * JavaScript file behind a command of an installed package (`binOf('vite')`), so that it can be run with a chosen Node.
 */
export function binOf(packageName, command = packageName) {
  const folder = inProject('node_modules', ...packageName.split('/'));
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin?.[command];
  if (!file) throw new Error(`${packageName} brings no command "${command}".`);
  return join(folder, file);
}
