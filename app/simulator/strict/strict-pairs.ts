import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from '../json.ts';
import { flatRefusal, type Refusal } from '../refusal.ts';
import { hasBeta, type MessagesCheck, messagesOf } from './check.ts';

/** Neighbours of one role as one turn; system messages do not part them. */
interface Turn {
  role: unknown;
  /** Place of its first message. */
  at: number;
  blocks: JsonObject[];
}

/** Every tool call has its result at the beginning of the very next user turn, and every result its call. */
export function checkPairs({ body }: MessagesCheck): Refusal | null {
  const turns = turnsOf(body);
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const refusal =
      turn.role === 'assistant' ? checkCalls(turn, turns[index + 1], seen) : checkResults(turn, turns[index - 1]);
    if (refusal !== null) return refusal;
  }
  return null;
}

function turnsOf(body: JsonObject): Turn[] {
  const turns: Turn[] = [];
  for (const [at, message] of messagesOf(body).entries()) {
    if (message.role === 'system') continue;
    const blocks = asList(message.content).filter(isObject);
    const last = turns.at(-1);
    if (last !== undefined && last.role === message.role) last.blocks.push(...blocks);
    else turns.push({ role: message.role, at, blocks: [...blocks] });
  }
  return turns;
}

function idsOf(turn: Turn | undefined, type: string, key: string): string[] {
  return (turn?.blocks ?? []).filter((block) => block.type === type).map((block) => asText(block[key]) ?? '');
}

function checkCalls(turn: Turn, next: Turn | undefined, seen: Set<string>): Refusal | null {
  const calls = idsOf(turn, 'tool_use', 'id');
  for (const id of calls) {
    if (seen.has(id)) return flatRefusal('messages: `tool_use` ids must be unique');
    seen.add(id);
  }
  const results = new Set(idsOf(next, 'tool_result', 'tool_use_id'));
  const missing = calls.filter((id) => !results.has(id));
  return missing.length === 0
    ? null
    : flatRefusal(
        `messages.${turn.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
          `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block ` +
          'in the next message.',
      );
}

function checkResults(turn: Turn, before: Turn | undefined): Refusal | null {
  const calls = new Set(idsOf(before, 'tool_use', 'id'));
  const results = idsOf(turn, 'tool_result', 'tool_use_id');
  const stray = results.find((id) => !calls.has(id));
  if (stray !== undefined) {
    return flatRefusal(
      `messages.${turn.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each ` +
        `\`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  if (new Set(results).size < results.length) {
    return flatRefusal(`messages.${turn.at}: each \`tool_use\` must have a single result.`);
  }
  const firstOther = turn.blocks.findIndex((block) => block.type !== 'tool_result');
  const lastResult = turn.blocks.findLastIndex((block) => block.type === 'tool_result');
  return firstOther >= 0 && firstOther < lastResult
    ? flatRefusal(`messages.${turn.at}: \`tool_result\` blocks must come before any other content.`)
    : null;
}

/** Rules about thinking: the kinds and amounts a model supports, and what excludes it. */
export function checkThinking(check: MessagesCheck): Refusal | null {
  const thinking = check.body.thinking;
  if (thinking === undefined) return null;
  const type = asText(asObject(thinking).type);
  if (type === 'disabled') return null;
  if (type !== 'enabled' && type !== 'adaptive') {
    return flatRefusal(
      `thinking: Input tag '${type ?? ''}' found using 'type' does not match any of the expected tags: ` +
        `'adaptive', 'disabled', 'enabled'`,
    );
  }
  return checkKind(check, type) ?? checkDisplay(check, type) ?? checkBudget(check, type) ?? checkCompany(check);
}

function checkKind({ model }: MessagesCheck, type: 'enabled' | 'adaptive'): Refusal | null {
  if (type === 'adaptive' && model.adaptiveThinking === 'unsupported') {
    return flatRefusal('adaptive thinking is not supported on this model');
  }
  if (type === 'enabled' && model.adaptiveThinking === 'required') {
    return flatRefusal('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".');
  }
  return null;
}

function checkDisplay(check: MessagesCheck, type: string): Refusal | null {
  const display = asObject(check.body.thinking).display;
  if (display === undefined || display === 'omitted' || display === 'summarized') return null;
  if (display === 'updates' && hasBeta(check, 'thinking-display-updates')) return null;
  return flatRefusal(`thinking.${type}.display: Input should be 'omitted' or 'summarized'`);
}

function checkBudget({ body, model, purpose }: MessagesCheck, type: string): Refusal | null {
  if (type !== 'enabled') return null;
  const budget = asNumber(asObject(body.thinking).budget_tokens);
  if (budget === null) return flatRefusal('thinking.enabled.budget_tokens: Field required');
  const least = model.minThinkingBudget ?? 1024;
  if (budget < least) {
    return flatRefusal(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${least}`);
  }
  if (model.maxThinkingBudget !== null && budget > model.maxThinkingBudget) {
    return flatRefusal(
      `thinking.enabled.budget_tokens: Input should be less than or equal to ${model.maxThinkingBudget}`,
    );
  }
  const limit = asNumber(body.max_tokens) ?? Number.POSITIVE_INFINITY;
  return purpose === 'message' && budget >= limit
    ? flatRefusal('`max_tokens` must be greater than `thinking.budget_tokens`.')
    : null;
}

function checkCompany({ body }: MessagesCheck): Refusal | null {
  const choice = asObject(body.tool_choice).type;
  if (choice === 'any' || choice === 'tool') {
    return flatRefusal('Thinking may not be enabled when tool_choice forces tool use.');
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    return flatRefusal('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (body.top_k !== undefined) return flatRefusal('`top_k` must be unset when thinking is enabled.');
  const topP = asNumber(body.top_p);
  return topP !== null && topP < 0.95
    ? flatRefusal('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.')
    : null;
}
