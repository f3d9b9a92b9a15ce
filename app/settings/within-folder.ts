import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';

/** The path with the home folder for a `~` at its beginning. */
export function fromHome(path: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** True for the folder that a setting names and those below it. `~` of `wanted` is the home folder. */
export function isWithin(folder: string, wanted: string): boolean {
  const whole = resolve(fromHome(wanted));
  const own = resolve(folder);
  return own === whole || own.startsWith(whole.endsWith(sep) ? whole : whole + sep);
}
