import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText, roughTokens } from '../json.ts';
import { codeRefusal, type Refusal } from '../refusal.ts';
import {
  type Check,
  checkAnswerTokens,
  checkChosen,
  checkEffort,
  checkFunctionName,
  checkImages,
  checkTokens,
  checkToolCount,
  firstRefusal,
  invalid,
  type Look,
} from './check.ts';

export interface ChatCheck extends Check {
  /** `Copilot-Vision-Request: true` was sent. Only here does VS Code say it, so only here is it missed. */
  vision: boolean;
}

/** The first thing that Copilot's `/chat/completions` would refuse. */
export function checkChat(check: ChatCheck): Refusal | null {
  return firstRefusal(looks, check);
}

const looks: readonly Look<ChatCheck>[] = [
  checkFields,
  checkLimits,
  checkTools,
  checkMessageShapes,
  checkPairs,
  checkPictures,
  checkPrefill,
  checkSize,
];

/** Fields of the Messages API have no business here. */
const foreignFields = [
  'system',
  'thinking',
  'output_config',
  'context_management',
  'stop_sequences',
  'safeguards',
  'cache_control',
  'mcp_servers',
  'container',
] as const;

function checkFields({ body }: Check): Refusal | null {
  const foreign = foreignFields.find((field) => body[field] !== undefined);
  if (foreign !== undefined) return invalid(`Unrecognized request argument supplied: ${foreign}`);
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return invalid("Invalid 'messages': empty array. Expected an array with minimum length 1.");
  }
  if (body.stream_options !== undefined && body.stream !== true) {
    return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  }
  return null;
}

function checkLimits(check: Check): Refusal | null {
  const { body, model } = check;
  if (body.stop !== undefined && !model.stop) {
    return codeRefusal("Unsupported parameter: 'stop' is not supported with this model.", 'unsupported_parameter');
  }
  const asked = asNumber(body.max_tokens) ?? asNumber(body.max_completion_tokens);
  return checkAnswerTokens(asked, check) ?? checkEffort(body.reasoning_effort, check);
}

function checkTools({ body }: Check): Refusal | null {
  const tools = asList(body.tools);
  const many = checkToolCount(tools);
  if (many !== null) return many;
  for (const [at, tool] of tools.entries()) {
    const { type, function: declared } = asObject(tool);
    if (type !== 'function' || !isObject(declared))
      return invalid(`Invalid value for 'tools[${at}].type': expected 'function'.`);
    const misnamed = checkFunctionName(declared, `tools[${at}].function`);
    if (misnamed !== null) return misnamed;
    if (declared.parameters !== undefined && asObject(declared.parameters).type !== 'object') {
      return invalid(
        `Invalid schema for function '${String(declared.name)}': schema must be a JSON Schema of 'type: "object"'.`,
      );
    }
  }
  return checkChoice(body.tool_choice, tools);
}

function checkChoice(choice: unknown, tools: readonly unknown[]): Refusal | null {
  if (choice === undefined) return null;
  if (tools.length === 0) return invalid("'tool_choice' is only allowed when 'tools' are specified.");
  if (choice === 'auto' || choice === 'none' || choice === 'required') return null;
  const name = asText(asObject(asObject(choice).function).name);
  if (name === null) return invalid("Invalid value for 'tool_choice'.");
  const declared = tools.map((tool) => asObject(tool).function);
  return checkChosen(name, declared, "'tools'");
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
const parts = new Set(['text', 'image_url']);

/** Sample: `error-400-empty-text-block.chat-completions`. */
function checkMessageShapes({ body }: Check): Refusal | null {
  for (const [at, message] of asList(body.messages).entries()) {
    if (!isObject(message) || !roles.has(asText(message.role) ?? ''))
      return invalid(`Invalid value for 'messages[${at}].role'.`);
    if (message.cache_control !== undefined) return invalid(`Unrecognized argument: messages[${at}].cache_control`);
    if ((message.reasoning_text !== undefined) !== (message.reasoning_opaque !== undefined)) {
      return invalid(`messages[${at}]: reasoning_text and reasoning_opaque belong together`);
    }
    const refusal = checkContent(message, at);
    if (refusal !== null) return refusal;
  }
  return null;
}

const emptyText = invalid('messages: text content blocks must contain non-whitespace text');

function checkContent(message: JsonObject, at: number): Refusal | null {
  const { content, role } = message;
  if (typeof content === 'string') {
    const mayBeEmpty = role === 'tool' || (role === 'assistant' && asList(message.tool_calls).length > 0);
    return content.trim() === '' && !mayBeEmpty ? emptyText : null;
  }
  if (content === null || content === undefined) {
    return role === 'assistant'
      ? null
      : invalid(`Invalid value for 'messages[${at}].content': expected a string, got null.`);
  }
  for (const [index, part] of asList(content).entries()) {
    const type = asText(asObject(part).type) ?? '';
    if (!parts.has(type)) return invalid(`Invalid value: '${type}' at 'messages[${at}].content[${index}].type'.`);
    if (asObject(part).cache_control !== undefined) {
      return invalid(`Unrecognized argument: messages[${at}].content[${index}].cache_control`);
    }
    if (type === 'text' && (asText(asObject(part).text) ?? '').trim() === '') return emptyText;
  }
  return null;
}

/** Every call is answered by a `tool` message right after it, and none comes uncalled. */
function checkPairs({ body }: Check): Refusal | null {
  let open = new Set<string>();
  for (const message of [...asList(body.messages).filter(isObject), { role: 'end' }]) {
    const isTool = message.role === 'tool';
    if (!isTool && open.size > 0) {
      return invalid(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each ` +
          `'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      );
    }
    if (isTool) {
      const id = asText('tool_call_id' in message ? message.tool_call_id : null) ?? '';
      if (!open.delete(id)) {
        return invalid("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
      }
    } else if (message.role === 'assistant') {
      const calls = asList('tool_calls' in message ? message.tool_calls : null);
      open = new Set(calls.map((call) => asText(asObject(call).id) ?? ''));
    }
  }
  return null;
}

function checkPictures(check: ChatCheck): Refusal | null {
  const parts = asList(check.body.messages).flatMap((message) => asList(asObject(message).content).map(asObject));
  const images = parts.filter(({ type }) => type === 'image_url').map((part) => asObject(part.image_url).url);
  const refusal = checkImages(images, check);
  if (refusal !== null) return refusal;
  return images.length > 0 && !check.vision
    ? codeRefusal('missing required Copilot-Vision-Request header for vision requests', '')
    : null;
}

function checkPrefill({ body, model }: Check): Refusal | null {
  const last = asList(body.messages).filter(isObject).at(-1);
  if (last?.role !== 'assistant' || (model.claude?.version ?? 0) < 4.6) return null;
  return invalid(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}

function checkSize({ body, model }: Check): Refusal | null {
  const answer = asNumber(body.max_tokens) ?? asNumber(body.max_completion_tokens) ?? 0;
  return checkTokens(roughTokens([body.messages, body.tools]), answer, model);
}
