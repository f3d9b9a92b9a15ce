import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import type { Stopped } from '../recover/error.ts';
import { refuseField } from './openai-fields.ts';

/**
 * A body of `POST /v1/chat/completions` in today's form: a list of messages whose content is a string, a list of parts,
 * or nothing.
 */
export interface ChatBody extends JsonObject {
  model: string;
  messages: JsonObject[];
}

/**
 * What is looked at before a model is known. Old clients send a `prompt` in the place of messages, one message without
 * its list, or a content that is one part, a list of strings, or text without its type: each is read as what it means,
 * the rest is refused by its place. Throws `Stopped`.
 */
export function readChat(body: unknown): ChatBody {
  if (!isObject(body)) throw refuseField('body', 'a JSON object is required.', 'invalid_body');
  const { model, stream } = body;
  if (typeof model !== 'string' || model === '') throw wrong('model', 'a string is required.');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw wrong('stream', 'true or false is required.');
  return { ...body, model, messages: messagesOf(body).map(readMessage) };
}

/** Absent in a body that official SDKs make. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function messagesOf({ messages, prompt }: JsonObject): unknown[] {
  if (isGiven(messages) && isGiven(prompt)) throw wrong('prompt', 'there are messages. Send one of the two.');
  if (isGiven(prompt)) return [promptMessage(prompt)];
  if (isObject(messages)) return [messages];
  if (!Array.isArray(messages) || messages.length === 0)
    throw wrong('messages', 'a list with at least one message is required.');
  return messages;
}

function promptMessage(prompt: unknown): JsonObject {
  if (isObject(prompt) && 'content' in prompt) return { ...prompt, role: prompt.role ?? 'user' };
  const content = readContent(prompt, 'prompt');
  if (content === '' || (Array.isArray(content) && content.length === 0)) throw wrong('prompt', 'it says nothing.');
  return { role: 'user', content };
}

function readMessage(message: unknown, at: number): JsonObject {
  if (!isObject(message) || typeof message.role !== 'string')
    throw wrong(`messages[${at}]`, 'an object with a role is required.');
  const { content } = message;
  if (typeof content === 'string' || !isGiven(content)) return message;
  const read = readContent(content, `messages[${at}].content`);
  return read === content ? message : { ...message, content: read };
}

/** The same value where it is in today's form already. */
function readContent(content: unknown, place: string): unknown {
  if (typeof content === 'string') return content;
  if (isObject(content)) return [readPart(content, place)];
  if (!Array.isArray(content)) throw wrong(place, 'a string, a list of parts or one part is required.');
  const parts: unknown[] = content.map((part: unknown, at) => readPart(part, `${place}[${at}]`));
  return parts.some((part, at) => part !== content[at]) ? parts : content;
}

function readPart(part: unknown, place: string): unknown {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (isObject(part) && typeof part.type === 'string') {
    return part.type === 'image_url' && typeof part.image_url === 'string'
      ? { ...part, image_url: { url: part.image_url } }
      : part;
  }
  if (isObject(part) && part.type === undefined && typeof part.text === 'string') return { ...part, type: 'text' };
  throw wrong(place, 'a string or a part with its type is required.');
}

function wrong(place: string, message: string): Stopped {
  return refuseField(place, message, 'invalid_type');
}
