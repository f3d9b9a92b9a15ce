import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import type { PermissionWords } from '../agents/agent-extras.ts';
import type { RuleWords } from './permission-rules.ts';

/** What a person says to a permission question. */
export type PermissionAnswer =
  | {
      answer: 'allow';
      /** One of the agent's own options: how a plan is approved. Left out: once. */
      optionId?: string | undefined;
      /** Run instead of what the agent wanted. */
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
