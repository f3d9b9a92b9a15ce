import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText, roughTokens } from '../json.ts';
import { isHostedSearch } from '../pages.ts';
import { inputItems, isAnswer } from '../prompt.ts';
import type { Refusal } from '../refusal.ts';
import { isEncryptedBy } from '../signatures.ts';
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

/** The first thing that Copilot's `/responses` would refuse. */
export function checkResponses(check: Check): Refusal | null {
  return firstRefusal(looks, check);
}

const looks: readonly Look[] = [
  checkFields,
  checkLimits,
  checkTools,
  checkItems,
  checkPairs,
  checkReasoning,
  checkPictures,
  checkSize,
];

/** Fields of the other two APIs have no business here. */
const foreignFields = [
  'messages',
  'system',
  'thinking',
  'output_config',
  'context_management',
  'stop_sequences',
  'stop',
  'max_tokens',
  'response_format',
  'reasoning_effort',
  'safeguards',
  'cache_control',
] as const;

function checkFields({ body }: Check): Refusal | null {
  const foreign = foreignFields.find((field) => body[field] !== undefined);
  if (foreign !== undefined) return invalid(`Unknown parameter: '${foreign}'.`);
  if (inputItems(body).length === 0) return invalid("Missing required parameter: 'input'.");
  if (body.previous_response_id !== undefined && body.previous_response_id !== null)
    return invalid('previous_response_id is not supported');
  return body.store === true ? invalid('store is not supported') : null;
}

const leastOutputTokens = 16;

function checkLimits(check: Check): Refusal | null {
  const { body, model } = check;
  const asked = asNumber(body.max_output_tokens);
  if (asked !== null && asked < leastOutputTokens) {
    return invalid(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastOutputTokens}, ` +
        `but got ${asked} instead.`,
    );
  }
  const tooMany = checkAnswerTokens(asked, check);
  if (tooMany !== null) return tooMany;
  const sampled = ['temperature', 'top_p'].find((field) => body[field] !== undefined);
  if (sampled !== undefined && model.efforts.length > 0)
    return invalid(`Unsupported parameter: '${sampled}' is not supported with this model.`);
  return checkEffort(asObject(body.reasoning).effort, check);
}

function checkTools({ body }: Check): Refusal | null {
  const tools = asList(body.tools);
  const many = checkToolCount(tools);
  if (many !== null) return many;
  for (const [at, tool] of tools.entries()) {
    const refusal = checkTool(asObject(tool), at);
    if (refusal !== null) return refusal;
  }
  return checkChoice(body.tool_choice, tools);
}

function checkTool(tool: JsonObject, at: number): Refusal | null {
  if (isHostedSearch(tool)) return null;
  if (tool.type !== 'function') return invalid(`Invalid value for 'tools[${at}].type': expected 'function'.`);
  const misnamed = checkFunctionName(tool, `tools[${at}]`);
  if (misnamed !== null) return misnamed;
  const schema = asObject(tool.parameters);
  if (schema.type !== 'object') {
    return invalid(`Invalid schema for function '${String(tool.name)}': schema must be of 'type: "object"'.`);
  }
  // Strict unless it is said otherwise.
  return tool.strict === false || schema.additionalProperties === false
    ? null
    : invalid(
        `Invalid schema for function '${String(tool.name)}': In context=(), 'additionalProperties' is ` +
          'required to be supplied and to be false.',
      );
}

function checkChoice(choice: unknown, tools: readonly unknown[]): Refusal | null {
  if (choice === undefined || choice === 'auto' || choice === 'none') return null;
  if (tools.length === 0) return invalid("Tool choice 'required' must be specified with 'tools' parameter.");
  if (choice === 'required') return null;
  if (isHostedSearch(choice) && tools.some(isHostedSearch)) return null;
  const name = asText(asObject(choice).name);
  if (name === null) return invalid("Invalid value for 'tool_choice'.");
  return checkChosen(name, tools, "'tools' parameter");
}

const partsOf: Record<string, ReadonlySet<string>> = {
  user: new Set(['input_text', 'input_image']),
  system: new Set(['input_text']),
  developer: new Set(['input_text']),
  assistant: new Set(['output_text', 'refusal']),
};
const longestCallId = 64;

function checkItems({ body }: Check): Refusal | null {
  for (const [at, item] of inputItems(body).entries()) {
    const refusal = checkItem(item, at);
    if (refusal !== null) return refusal;
  }
  return null;
}

function checkItem(item: JsonObject, at: number): Refusal | null {
  switch (item.type ?? 'message') {
    case 'message':
      return checkMessage(item, at);
    case 'reasoning':
      return Array.isArray(item.summary) ? null : invalid(`Missing required parameter: 'input[${at}].summary'.`);
    case 'function_call':
      if (typeof item.arguments !== 'string' || typeof item.name !== 'string')
        return invalid(`Missing required parameter: 'input[${at}].arguments'.`);
      return checkCallId(item, at);
    case 'web_search_call':
      return isObject(item.action) ? null : invalid(`Missing required parameter: 'input[${at}].action'.`);
    case 'function_call_output':
      if (typeof item.output !== 'string') return invalid(`Missing required parameter: 'input[${at}].output'.`);
      return checkCallId(item, at);
    default:
      return invalid(`Invalid value: '${String(item.type)}' at 'input[${at}].type'.`);
  }
}

function checkMessage(item: JsonObject, at: number): Refusal | null {
  const role = asText(item.role) ?? '';
  const taken = partsOf[role];
  if (taken === undefined) return invalid(`Invalid value: '${role}' at 'input[${at}].role'.`);
  if (typeof item.content === 'string') return null;
  if (asList(item.content).length === 0) return invalid(`Missing required parameter: 'input[${at}].content'.`);
  for (const [index, part] of asList(item.content).entries()) {
    const type = asText(asObject(part).type) ?? '';
    if (!taken.has(type)) {
      return invalid(
        `Invalid value: '${type}' at 'input[${at}].content[${index}]'. Supported values are: ${[...taken].join(', ')}.`,
      );
    }
  }
  return null;
}

function checkCallId(item: JsonObject, at: number): Refusal | null {
  const id = asText(item.call_id) ?? '';
  if (id !== '' && id.length <= longestCallId) return null;
  return invalid(
    `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length ` +
      `${longestCallId}, but got a string with length ${id.length} instead.`,
  );
}

/** Every call has its output, and every output its call before it. */
function checkPairs({ body }: Check): Refusal | null {
  const open = new Set<string>();
  for (const item of inputItems(body)) {
    const id = asText(item.call_id) ?? '';
    if (item.type === 'function_call') open.add(id);
    if (item.type === 'function_call_output' && !open.delete(id))
      return invalid(`No tool call found for function call output with call_id ${id}.`);
  }
  const [unanswered] = open;
  return unanswered === undefined ? null : invalid(`No tool output found for function call ${unanswered}.`);
}

/** Reasoning has to come back whole, to the model that wrote it, and before what followed it. */
function checkReasoning({ body, model }: Check): Refusal | null {
  const items = inputItems(body);
  for (const [at, item] of items.entries()) {
    if (item.type !== 'reasoning') continue;
    if (!isEncryptedBy(model.id, asText(item.encrypted_content) ?? ''))
      return invalid(`The encrypted content for item rs_${at} could not be verified.`);
    if (item.id !== undefined)
      return invalid(
        `The encrypted content for item rs_${at} could not be verified. Reason: Encrypted content item_id ` +
          'did not match the target item id.',
      );
    const next = items[at + 1];
    if (next === undefined || !isAnswer(next))
      return invalid(`Item 'rs_${at}' of type 'reasoning' was provided without its required following item.`);
  }
  return null;
}

function checkPictures(check: Check): Refusal | null {
  const parts = inputItems(check.body).flatMap(({ content }) => asList(content).map(asObject));
  const images = parts.filter(({ type }) => type === 'input_image');
  return checkImages(
    images.map((part) => part.image_url),
    check,
  );
}

function checkSize({ body, model }: Check): Refusal | null {
  const answer = asNumber(body.max_output_tokens) ?? 0;
  return checkTokens(roughTokens([body.instructions, body.input, body.tools]), answer, model);
}
