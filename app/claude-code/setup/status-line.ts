import { setProperty } from '../settings-text.ts';

/**
 * Claude Code's `statusLine` with our command, as JSON text. A command that a person has there is given to ours, which
 * shows what it prints; everything else of it stays. Null: ours is there already, as the person has changed it.
 * @param theirs the person's own value, as text; null if they have none
 * @param jumpseat how this Jumpseat is started in a shell
 */
export function statusLineWith(theirs: { value: unknown; raw: string } | null, jumpseat: string): string | null {
  const own = `${jumpseat} statusline`;
  const command = commandIn(theirs?.value);
  if (theirs === null || command === null) return `{ "type": "command", "command": ${JSON.stringify(own)} }`;
  if (startsOurs(command)) return null;
  return setProperty(theirs.raw, 'command', JSON.stringify(`${own} --with ${quoted(command)}`));
}

/** The command of a status line, or its whole value as text, runs ours, however a person has changed it. */
export function startsOurs(command: string): boolean {
  return /\bjumpseat\b.*\bstatusline\b/s.test(command);
}

/** Command of a status line, whose object was read as a list of pairs. Null if it starts no command. */
function commandIn(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const of = (name: string): unknown => value.find((pair) => Array.isArray(pair) && pair[0] === name)?.[1];
  const command = of('command');
  return of('type') === 'command' && typeof command === 'string' && command.trim() !== '' ? command : null;
}

/** For the shells that Claude Code starts commands with: sh, and Git's bash on Windows. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
