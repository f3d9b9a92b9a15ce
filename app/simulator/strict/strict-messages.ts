import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText, roughTokens } from '../json.ts';
import { codeRefusal, extraInput, flatRefusal, type Refusal } from '../refusal.ts';
import { checkTokens, firstRefusal, hasBeta, type Look, type MessagesCheck, messagesOf } from './check.ts';
import { checkBlocks, checkTools } from './strict-blocks.ts';

/** The first thing that Copilot's `/v1/messages` would refuse, in its own body where one was recorded. */
export function checkMessages(check: MessagesCheck): Refusal | null {
  return firstRefusal(looks, check);
}

const looks: readonly Look<MessagesCheck>[] = [
  checkFields,
  checkMaxTokens,
  checkRoles,
  checkThinking,
  checkEffort,
  checkContextManagement,
  checkTools,
  checkBlocks,
  checkCacheMarks,
  checkPairs,
  checkPrefill,
  checkSize,
];

/**
 * Samples: `error-400-top-level-cache_control`, `-inference_geo`, `-fallbacks`. `safeguards` and `container` go the
 * same way.
 */
const refusedFields = [
  'cache_control',
  'inference_geo',
  'fallbacks',
  'mcp_servers',
  'advisor',
  'safeguards',
  'container',
] as const;

/** Fields that a request to count tokens may not have. */
const refusedInCounts = [
  'max_tokens',
  'stream',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'metadata',
] as const;

function checkFields({ body, purpose }: MessagesCheck): Refusal | null {
  const fields: readonly string[] = purpose === 'count' ? [...refusedFields, ...refusedInCounts] : refusedFields;
  const found = fields.find((field) => body[field] !== undefined);
  return found === undefined ? null : extraInput(found);
}

/** Sample: `error-400-max_tokens-exceeds`. */
function checkMaxTokens({ body, model, purpose }: MessagesCheck): Refusal | null {
  if (purpose === 'count') return null;
  if (body.max_tokens === undefined) return flatRefusal('max_tokens: Field required');
  const asked = asNumber(body.max_tokens);
  if (asked === null || asked < 1) return flatRefusal('max_tokens: Input should be greater than or equal to 1');
  return model.outputTokens !== null && asked > model.outputTokens
    ? flatRefusal(`The maximum tokens you requested exceeds the model limit of ${model.outputTokens}`)
    : null;
}

/**
 * Sample: `error-400-mid-conversation-system-role`. Per-message `output_config` belongs to the beta per-turn-control.
 */
function checkRoles(check: MessagesCheck): Refusal | null {
  const { body, model } = check;
  if (!Array.isArray(body.messages)) return flatRefusal('messages: Input should be a valid list');
  if (body.messages.length === 0) return flatRefusal('messages: at least one message is required');
  for (const [at, message] of body.messages.entries()) {
    if (!isObject(message)) return flatRefusal(`messages.${at}: Input should be a valid dictionary`);
    if (message.role === 'system' && !model.systemMessages) return systemRoleRefused;
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'system') {
      return flatRefusal(
        `messages: Unexpected role "${String(message.role)}". Allowed roles are "user" or "assistant". For ` +
          'more information on prompt design, see the documentation.',
      );
    }
    if (message.output_config !== undefined && !(message.role === 'system' && hasBeta(check, 'per-turn-control'))) {
      return extraInput(`messages.${at}.output_config`);
    }
  }
  const first = messagesOf(body).find((message) => message.role !== 'system');
  return first?.role === 'assistant' ? flatRefusal('messages: first message must use the "user" role') : null;
}

const systemRoleRefused = flatRefusal(
  'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not ' +
    '"system" as an input message role.',
);

/** Sample: `error-400-invalid_reasoning_effort`. */
function checkEffort({ body, model }: MessagesCheck): Refusal | null {
  const effort = asObject(body.output_config).effort;
  if (effort === undefined || (typeof effort === 'string' && model.efforts.includes(effort))) return null;
  return codeRefusal(
    `output_config.effort "${String(effort)}" is not supported by model ${model.id}; supported values: ` +
      `[${model.efforts.join(' ')}]`,
    'invalid_reasoning_effort',
  );
}

/** Sample: `error-400-context_management-extra-inputs`: the field and its beta come in pairs. */
function checkContextManagement(check: MessagesCheck): Refusal | null {
  const { context_management } = check.body;
  if (context_management === undefined) return null;
  if (!hasBeta(check, 'context-management') && !hasBeta(check, 'compact')) return extraInput('context_management');
  for (const [at, edit] of asList(asObject(context_management).edits).entries()) {
    const type = asText(asObject(edit).type);
    if (type?.startsWith('compact_') && !hasBeta(check, 'compact')) return extraInput(`context_management.edits.${at}`);
  }
  return null;
}

function checkCacheMarks({ body }: MessagesCheck): Refusal | null {
  let marks = 0;
  const count = (value: unknown): void => {
    if (isObject(value) && isObject(value.cache_control)) marks += 1;
  };
  for (const value of [...asList(body.tools), ...asList(body.system)]) count(value);
  for (const message of messagesOf(body)) {
    for (const block of asList(message.content)) {
      count(block);
      for (const part of asList(asObject(block).content)) count(part);
    }
  }
  return marks > 4 ? flatRefusal(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`) : null;
}

/** From 4.6 on, a client must not begin the answer. */
function checkPrefill({ body, model, purpose }: MessagesCheck): Refusal | null {
  const last = messagesOf(body).findLast((message) => message.role !== 'system');
  if (purpose === 'count' || last?.role !== 'assistant' || (model.claude?.version ?? 0) < 4.6) return null;
  return flatRefusal(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}

function checkSize({ body, model, purpose }: MessagesCheck): Refusal | null {
  const tokens = roughTokens([body.system, body.tools, body.messages]);
  return purpose === 'count' ? null : checkTokens(tokens, asNumber(body.max_tokens) ?? 0, model);
}

/** Neighbours of one role as one turn; system messages do not part them. */
interface Turn {
  role: unknown;
  /** Place of its first message. */
  at: number;
  blocks: JsonObject[];
}

/** Every tool call has its result at the beginning of the very next user turn, and every result its call. */
function checkPairs({ body }: MessagesCheck): Refusal | null {
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
function checkThinking(check: MessagesCheck): Refusal | null {
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
