import { duration } from '../../../app/words/times.ts';
import type { PermissionSubject } from './asked.ts';

/** Claude Code's own, of a command that names none. */
const usualLimit = 120_000;
const becomesRoot = /(^|[\s;&|(`'"])(sudo|doas|pkexec|run0)(\s|$)/;

/** What a person could overlook in a command, in amber. */
export function warningsOf({ command, isUnboxed }: Extract<PermissionSubject, { kind: 'command' }>): string[] {
  return [...(isUnboxed ? ['without the sandbox'] : []), ...(becomesRoot.test(command) ? ['as root'] : [])];
}

/** `10 m 00 s`; null: it goes without saying. */
export function timeLimitWords(limit: number | null): string | null {
  return limit === null || limit === usualLimit ? null : duration(limit);
}
