import type { SessionRule } from '../api/sessions.ts';
import { oneLine } from './one-line.ts';

const mostOfCommand = 80;

/** With one of these a command can hold a second one: a rule covers it as a whole or not at all. */
export const joinsCommands = /[;&|<>$`(){}\n\r\\]/;

/** What is allowed for a session, as Claude Code writes its own rules: `Bash(npm test:*)`, `WebSearch`. */
export function ruleNotation({ tool, input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return tool;
  return `${tool}(${input}${isExact ? '' : ':*'})`;
}

/** What a person agrees to with a rule, as a choice of a question. */
export function ruleOffer({ input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return 'Allow every use of this tool for this session';
  return isExact
    ? 'Allow this very command for this session'
    : `Allow ${oneLine(input, mostOfCommand)}, with any arguments, for this session`;
}
