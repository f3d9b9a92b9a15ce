import { duration } from '../../../app/words/times.ts';
import type { PermissionSubject } from './asked.ts';

/** Claude Code's own, of a command that names none. */
const usualLimit = 120_000;
const becomesRoot = /(^|[\s;&|(`'"])(sudo|doas|pkexec|run0)(\s|$)/;

const deletes =
  /(^|[\s;&|(`'"/\\])(rm|rmdir|unlink|shred|Remove-Item)(\s|$)|\bfind\s.*\s-delete\b|\bgit\s(.*\s)?(clean|rm)(\s|$)/;
const discards = /\bgit\s(.*\s)?(reset\s(.*\s)?--hard\b|(checkout|restore)\s(.*\s)?\.(\s|$)|stash\s+(drop|clear)\b)/;

/** What a person could overlook in a command, in amber. It is read by its words: one that hides them is not known. */
export function warningsOf({ command, isUnboxed }: Extract<PermissionSubject, { kind: 'command' }>): string[] {
  return [
    ...(isUnboxed ? ['without the sandbox'] : []),
    ...(becomesRoot.test(command) ? ['as root'] : []),
    ...(deletes.test(command) ? ['deletes files'] : []),
    ...(discards.test(command) ? ['discards changes'] : []),
  ];
}

/** `10 m 00 s`; null: it goes without saying. */
export function timeLimitWords(limit: number | null): string | null {
  return limit === null || limit === usualLimit ? null : duration(limit);
}
