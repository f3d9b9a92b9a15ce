import type { SessionRule } from '../api/sessions.ts';

/** What is allowed for a session, as Claude Code writes its own rules: `Bash(npm test:*)`, `WebSearch`. */
export function ruleNotation({ tool, input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return tool;
  return `${tool}(${input}${isExact ? '' : ':*'})`;
}
