import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CopilotFailure } from '../../../copilot/failures.ts';
import type { MessagesRequest } from '../../../formats/messages/request.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { isOptionalField, isOptionalParameter } from '../../fits/fit.ts';
import { thinkingProof } from '../../fits/thinking.ts';
import { mayBeLeftOut } from '../../fits/unknown-fields.ts';
import { type Lesson, markOf } from './lessons.ts';

/**
 * What a refusal says that could be done without, or null if the client is told, and decides. Only words that were seen
 * are known here; whether they are about this request shows when it is fitted again.
 */
export function readLesson({ source, status, message }: CopilotFailure, request: MessagesRequest): Lesson | null {
  if (source !== 'copilot' || status !== 400) return null;
  for (const read of readers) {
    const lesson = read(message, request);
    if (lesson !== null) return lesson;
  }
  return null;
}

type Reader = (message: string, request: MessagesRequest) => Lesson | null;

const readers: readonly Reader[] = [refusedThinking, refusedSystem, readEfforts, readOutputTokens, tool, stop, field];

/** Reasoning of the translated paths that can't be read any more, being bound to account and model. */
const unreadableReasoning = [
  /encrypted content.*could not be (?:verified|decrypted)/i,
  /of type 'reasoning' was provided without its required/i,
];

/**
 * `error-400-thinking-signature`; redacted thinking has "data".
 */
const thinkingRefusals = [
  /invalid `?signature`? in `?thinking`? block/i,
  /invalid `?data`? in `?redacted_thinking`?/i,
  /`?thinking`? or `?redacted_thinking`? blocks in the latest assistant message cannot be modified/i,
  ...unreadableReasoning,
];

function refusedThinking(message: string, request: MessagesRequest): Lesson | null {
  if (!thinkingRefusals.some((words) => words.test(message))) return null;
  const marks = new Set<string>();
  for (const { role, content } of request.messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const block of content) {
      const proof = thinkingProof(block);
      if (proof !== null) marks.add(markOf(proof));
    }
  }
  return marks.size > 0 ? { kind: 'thinking', marks: [...marks] } : null;
}

/** `error-400-mid-conversation-system-role`; Anthropic's own words are the second. */
function refusedSystem(message: string, { messages }: MessagesRequest): Lesson | null {
  if (!messages.some(({ role }) => role === 'system')) return null;
  const refused = /unexpected role "system"/i.test(message) || /^messages\.\d+\.role: Input should be/.test(message);
  return refused ? { kind: 'system-messages' } : null;
}

/** `error-400-invalid_reasoning_effort`, which lists what the model takes. */
function readEfforts(message: string): Lesson | null {
  const [, listed] = /effort\b.*\bnot supported\b.*supported values: \[([a-z ,"']*)\]/i.exec(message) ?? [];
  return listed === undefined ? null : { kind: 'efforts', listed: listed.match(/[a-z]+/gi) ?? [] };
}

/** `error-400-max_tokens-exceeds`; then the words of Anthropic's and of OpenAI's API. */
const outputLimits = [
  /maximum tokens you requested exceeds the model limit of (\d+)/,
  /max_tokens: \d+ > (\d+), which is the maximum allowed/,
  /max_tokens is too large: \d+\. This model supports at most (\d+)/,
];

function readOutputTokens(message: string): Lesson | null {
  for (const words of outputLimits) {
    const most = Number(words.exec(message)?.[1]);
    if (most > 0) return { kind: 'output-tokens', most };
  }
  return null;
}

function tool(message: string): Lesson | null {
  const [, name] = /Tool reference '([^']+)' not found in available tools/.exec(message) ?? [];
  return name === undefined ? null : { kind: 'tool', name };
}

/** OpenAI's words for a parameter that a model does not take, and those of gateways before it. */
const stopRefusals = [
  /unsupported parameter:? ['"`]?stop\b/i,
  /['"`]stop['"`] (?:parameter )?is not supported/i,
  /unrecognized request argument supplied: stop\b/i,
];

function stop(message: string, request: MessagesRequest): Lesson | null {
  const sent = (request.stop_sequences ?? []).length > 0;
  return sent && stopRefusals.some((words) => words.test(message)) ? { kind: 'stop' } : null;
}

/**
 * `error-400-context_management-extra-inputs` and its like: `tools.0.custom.strict: Extra inputs are not permitted`.
 */
function field(message: string): Lesson | null {
  for (const [, path = ''] of message.matchAll(/([\w.]+): Extra inputs are not permitted/g)) {
    const named = optionalFieldOf(path);
    if (named !== null) return named;
  }
  return null;
}

/** Leaves places in lists and tags of unions out of the name; a nested field counts as its outer one. */
function optionalFieldOf(path: string): Lesson | null {
  const keys = path.split('.').filter((key) => !/^\d+$/.test(key));
  const plain = keys.filter((key, at) => !(at === 1 && tags.has(key)));
  for (let length = Math.min(plain.length, 2); length > 0; length--) {
    const name = plain.slice(0, length).join('.');
    // `output_config.task_budget` does not mean all of `output_config`.
    if (isOptionalField(name) && (name !== 'output_config' || plain.length === 1))
      return { kind: 'field', field: name };
  }
  return null;
}

const tags: ReadonlySet<string> = new Set(['custom', 'adaptive', 'enabled', 'disabled']);

/** Like `readLesson`, for a request that is passed through in OpenAI's words. */
export function readOpenaiLesson({ source, status, message }: CopilotFailure, body: JsonObject): Lesson | null {
  if (source !== 'copilot' || status !== 400) return null;
  return reasoning(message, body) ?? readEfforts(message) ?? readOutputTokens(message) ?? parameter(message);
}

/** Bound to the account and the model that wrote it. */
function reasoning(message: string, { input }: JsonObject): Lesson | null {
  if (!unreadableReasoning.some((words) => words.test(message)) || !Array.isArray(input)) return null;
  const marks = new Set<string>();
  for (const item of input as unknown[]) {
    if (isObject(item) && item.type === 'reasoning' && typeof item.encrypted_content === 'string')
      marks.add(markOf(item.encrypted_content));
  }
  return marks.size > 0 ? { kind: 'thinking', marks: [...marks] } : null;
}

/**
 * OpenAI's words for a parameter that a model does not take or takes with one value alone, those of gateways before it,
 * and Anthropic's, which stand behind a Claude's Chat Completions.
 */
const refusals = [
  /Unsupported parameter: ['"]?([\w.[\]]+)['"]? is not supported/i,
  /Unsupported value: ['"]?([\w.[\]]+)['"]? does not support/i,
  /Unknown parameter: ['"]?([\w.[\]]+)/i,
  /Unrecognized request argument supplied: ([\w.[\]]+)/i,
  /([\w.]+): Extra inputs are not permitted/,
];

/** "Hosted tool 'web_search_preview' is not supported with …", "The use of the web search tool is not supported." */
const searchRefused = /web[ _]search\S*(?: tool)? is not supported/i;

function parameter(message: string): Lesson | null {
  if (searchRefused.test(message)) return { kind: 'parameter', name: 'tools.web_search' };
  for (const words of refusals) {
    const [, named = ''] = words.exec(message) ?? [];
    const name = plainName(named);
    if (isOptionalParameter(name)) return { kind: 'parameter', name };
  }
  return null;
}

/** `tools[0].function.strict`, `tools.0.custom.strict` */
function plainName(named: string): string {
  return named
    .replace(/\[\d+\]/g, '')
    .split('.')
    .filter((key) => !/^\d+$/.test(key) && key !== 'custom')
    .join('.');
}

/**
 * How an unknown field is refused: by Anthropic (`error-400-context_management-extra-inputs`), then by OpenAI's APIs.
 */
const unknownFieldWords = [
  /([\w.[\]-]+): Extra inputs are not permitted/g,
  /Unknown parameter: ['"`]?([\w.[\]-]+)/gi,
  /Unrecognized request arguments? supplied: ([\w.[\], -]+)/gi,
];

/**
 * The field that a refusal calls unknown, where the body that was sent has it and can do without; null if the client is
 * told. A parameter that is known and "not supported" is another thing.
 */
export function readUnknownField(
  { source, status, message }: CopilotFailure,
  { path, body }: { path: ChatPath; body: Buffer },
): Lesson | null {
  if (source !== 'copilot' || (status !== 400 && status !== 422)) return null;
  const named = unknownFieldWords.flatMap((words) =>
    Array.from(message.matchAll(words), ([, found = '']) => found.split(/,\s*/)),
  );
  if (named.length === 0) return null;
  const sent: unknown = JSON.parse(body.toString('utf8'));
  for (const place of named.flat()) {
    const name = nameIn(sent, place);
    if (name !== null && mayBeLeftOut(path, name)) return { kind: 'unknown-field', name };
  }
  return null;
}

/**
 * `tools.1.custom.defer_loading`, `tools[1].defer_loading` → `tools.defer_loading`: without places in lists and without
 * the tags of unions, which no body has. Null if it was not sent.
 */
function nameIn(sent: unknown, place: string): string | null {
  const keys = place
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/\.+$/, '')
    .split('.');
  const names: string[] = [];
  let at = sent;
  for (const [index, key] of keys.entries()) {
    if (Array.isArray(at)) {
      at = at[Number(key)];
      continue;
    }
    if (!isObject(at)) return null;
    if (Object.hasOwn(at, key)) {
      names.push(key);
      at = at[key];
    } else if (names.length === 0 || index === keys.length - 1) return null;
  }
  return names.join('.');
}
