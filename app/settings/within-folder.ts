import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';

/** True for the folder that a setting names and those below it. `~` of `wanted` is the home folder. */
export function isWithin(folder: string, wanted: string): boolean {
  const whole = resolve(/^~(?=$|[/\\])/.test(wanted) ? join(homedir(), wanted.slice(1)) : wanted);
  const own = resolve(folder);
  return own === whole || own.startsWith(whole.endsWith(sep) ? whole : whole + sep);
}
