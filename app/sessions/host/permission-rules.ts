import type { RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import type { SessionRule } from '../../api/sessions.ts';

export type RuleWords = Pick<SessionRule, 'tool' | 'input' | 'isExact'>;

/** With one of these a command can hold a second one. */
const joinsCommands = /[;&|<>$`(){}\n\r\\]/;

/** The tool of a question, as its agent names it; null: it has no name. */
export function toolOf({ toolCall }: Pick<RequestPermissionRequest, 'toolCall'>): string | null {
  return typeof toolCall.name === 'string' ? toolCall.name : null;
}

/** The command that a question is about; null: it is about something else. */
export function commandOf({ toolCall }: Pick<RequestPermissionRequest, 'toolCall'>): string | null {
  const { rawInput } = toolCall;
  if (typeof rawInput !== 'object' || rawInput === null || !('command' in rawInput)) return null;
  return typeof rawInput.command === 'string' ? rawInput.command : null;
}

/** Whether a command is to run outside of the sandbox that others run in: who allowed those did not allow that. */
function leavesSandbox({ rawInput }: RequestPermissionRequest['toolCall']): boolean {
  if (typeof rawInput !== 'object' || rawInput === null) return false;
  return 'dangerouslyDisableSandbox' in rawInput && rawInput.dangerouslyDisableSandbox === true;
}

/** Whether what a person allowed for this session covers a question. In doubt it does not. */
export function covers(rule: RuleWords, request: Pick<RequestPermissionRequest, 'toolCall'>): boolean {
  if (toolOf(request) !== rule.tool || leavesSandbox(request.toolCall)) return false;
  const command = commandOf(request);
  if (rule.input === null) return command === null;
  if (command === null) return false;
  if (command === rule.input) return true;
  return !rule.isExact && command.startsWith(`${rule.input} `) && !joinsCommands.test(command);
}

export function readRule(id: string, kept: unknown): SessionRule | null {
  if (typeof kept !== 'object' || kept === null || !('tool' in kept) || typeof kept.tool !== 'string') return null;
  const input = 'input' in kept && typeof kept.input === 'string' ? kept.input : null;
  return { id, tool: kept.tool, input, isExact: 'isExact' in kept && kept.isExact === true };
}
