import type { LmTool } from '../lm/request.ts';
import { isFiniteNumber, type JsonObject } from '../wire/json.ts';

export interface LmEnding {
  /** Calls of the answer, with what they were called with. */
  calls: readonly { name: string; input: JsonObject }[];
  tools: readonly LmTool[];
  /** The part `usage`, which a finished answer of Copilot's has. */
  usage: JsonObject | null;
  maxTokens: number | null;
  /** Tokens of the answer as VS Code counts them; null: not counted. */
  counted: number | null;
}

/** VS Code counts with OpenAI's tokenizer, and a Claude has up to a third more. */
const nearlyAll = 0.75;

/**
 * How an answer ended. The API has no stop reason: an answer that was cut at `max_tokens` ends like a finished one,
 * without its `usage`, and a call that was cut has lost its arguments. Where it is not sure, it counts as finished.
 */
export function lmFinishReason(ending: LmEnding): 'stop' | 'tool_calls' | 'length' {
  if (isCut(ending)) return 'length';
  return ending.calls.length > 0 ? 'tool_calls' : 'stop';
}

function isCut({ calls, tools, usage, maxTokens, counted }: LmEnding): boolean {
  const completion = usage?.completion_tokens;
  if (isFiniteNumber(completion)) return maxTokens !== null && completion >= maxTokens;
  if (maxTokens !== null && counted !== null && counted >= maxTokens * nearlyAll) return true;
  const last = calls.at(-1);
  return last !== undefined && Object.keys(last.input).length === 0 && needsInput(tools, last.name);
}

function needsInput(tools: readonly LmTool[], name: string): boolean {
  const required = tools.find((tool) => tool.name === name)?.inputSchema?.required;
  return Array.isArray(required) && required.length > 0;
}
