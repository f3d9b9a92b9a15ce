import { isObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText, roughTokens } from '../json.ts';
import { codeRefusal, extraInput, flatRefusal, type Refusal } from '../refusal.ts';
import { checkTokens, firstRefusal, hasBeta, type Look, type MessagesCheck, messagesOf } from './check.ts';
import { checkBlocks, checkTools } from './strict-blocks.ts';
import { checkPairs, checkThinking } from './strict-pairs.ts';

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
