import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';
import type { SessionRule } from '../../api/sessions.ts';
import { joinsCommands } from '../../words/agents.ts';
import type { PermissionWords } from '../agents/agent-extras.ts';

/** What a person says to a permission question. */
export type PermissionAnswer =
  | {
      answer: 'allow';
      /** One of the agent's own options: how a plan is approved. Left out: once. */
      optionId?: string | undefined;
      /** Input to run in place of the agent's. */
      input?: Record<string, unknown> | undefined;
      /** The like is not asked again in this session. */
      rule?: RuleWords | undefined;
      /** Edits are accepted from here on. */
      acceptEdits?: boolean | undefined;
    }
  | { answer: 'deny'; words?: string | undefined };

/**
 * The answer in the protocol. An agent without an option to refuse is told that the question was cancelled. `isStop`:
 * the turn was stopped, so that the agent does not go on without the tool.
 */
export function toResponse(
  answer: PermissionAnswer,
  options: readonly PermissionOption[],
  isStop = false,
): RequestPermissionResponse {
  const option = answer.answer === 'allow' ? allowing(answer.optionId, options) : refusing(options);
  if (option === null) return { outcome: { outcome: 'cancelled' } };
  const words = isStop ? { isStop } : wordsOf(answer);
  return {
    outcome: { outcome: 'selected', optionId: option.optionId },
    ...(words === null ? undefined : { _meta: { jumpseat: words } }),
  };
}

function allowing(optionId: string | undefined, options: readonly PermissionOption[]): PermissionOption | null {
  if (optionId !== undefined) return options.find((option) => option.optionId === optionId) ?? null;
  return options.find(({ kind }) => kind === 'allow_once') ?? null;
}

function refusing(options: readonly PermissionOption[]): PermissionOption | null {
  return (
    options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always') ?? null
  );
}

function wordsOf(answer: PermissionAnswer): PermissionWords | null {
  if (answer.answer === 'deny') return answer.words === undefined ? null : { words: answer.words };
  return answer.input === undefined ? null : { input: answer.input };
}

export type RuleWords = Pick<SessionRule, 'tool' | 'input' | 'isExact'>;

/** The tool of a question, as its agent names it; null if it has no name. */
function toolOf({ toolCall }: Pick<RequestPermissionRequest, 'toolCall'>): string | null {
  return typeof toolCall.name === 'string' ? toolCall.name : null;
}

/** The command that a question is about; null if it is about something else. */
function commandOf({ toolCall }: Pick<RequestPermissionRequest, 'toolCall'>): string | null {
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
