import type { LmCallPart, LmImagePart, LmMessage, LmResultPart, LmTextPart } from '../lm/language-model.ts';
import type { Notes } from '../translation/note.ts';
import { callInput, dataUrl, isGiven, listOf, textOf, UnsupportedFieldError } from '../via-messages/content.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

type ContentPart = LmTextPart | LmImagePart;

/**
 * The messages of a chat request as VS Code has them. What maps to what stands in request.ts. What holds a part of the
 * conversation and has no place throws `NoPlace`.
 * @param format words about the form of the answer, to stand behind the system
 */
export function lmConversation(list: readonly unknown[], format: LmTextPart | null, notes: Notes): LmMessage[] {
  const conversation = new Conversation(notes);
  let waiting = format;
  for (const [at, message] of list.entries()) {
    const place = `messages[${at}]`;
    if (!isObject(message)) throw new UnsupportedFieldError(place, 'an object with a role is required.');
    if (waiting !== null && !isSystem(message)) {
      conversation.system([waiting]);
      waiting = null;
    }
    conversation.add(message, place);
    noteFields(message, notes);
  }
  if (waiting !== null) conversation.system([waiting]);
  return conversation.messages;
}

class Conversation {
  readonly messages: LmMessage[] = [];
  readonly #notes: Notes;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  add(message: JsonObject, place: string): void {
    switch (message.role) {
      case 'system':
      case 'developer':
        this.#notes.add('system-as-user', `${message.role} sent as user`);
        this.system(texts(message.content, `${place}.content`));
        break;
      case 'user':
        this.#user(content(message.content, `${place}.content`));
        break;
      case 'assistant':
        this.#push({ role: 'assistant', parts: this.#assistant(message, place) });
        break;
      case 'tool':
        this.#result({
          kind: 'result',
          id: textOf(message.tool_call_id, `${place}.tool_call_id`),
          content: content(message.content, `${place}.content`),
        });
        break;
      case 'function':
        throw new UnsupportedFieldError(`${place}.role`, 'function is an old form. Send tool with its tool_call_id.');
      default:
        throw new UnsupportedFieldError(`${place}.role`, `${String(message.role)} is no role that is known here.`);
    }
  }

  system(parts: LmTextPart[]): void {
    this.#push({ role: 'user', parts });
  }

  #user(parts: ContentPart[]): void {
    this.#push({ role: 'user', parts });
  }

  #assistant(message: JsonObject, place: string): (LmTextPart | LmCallPart)[] {
    const said: (LmTextPart | LmCallPart)[] = texts(message.content, `${place}.content`);
    if (typeof message.refusal === 'string' && message.refusal !== '')
      said.push({ kind: 'text', text: message.refusal });
    for (const [at, call] of listOf(message.tool_calls, `${place}.tool_calls`).entries())
      said.push(callPart(call, `${place}.tool_calls[${at}]`));
    return said;
  }

  /** Results in a row are one turn. */
  #result(result: LmResultPart): void {
    const last = this.messages.at(-1);
    // A user's own words are never results, so the first of a message tells what all of it is.
    if (last?.role === 'user' && last.parts[0]?.kind === 'result') last.parts.push(result);
    else this.messages.push({ role: 'user', parts: [result] });
  }

  #push(message: LmMessage): void {
    if (message.parts.length > 0) this.messages.push(message);
    else this.#notes.add('empty-message', 'empty message removed');
  }
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

function callPart(call: unknown, place: string): LmCallPart {
  const declared = isObject(call) && isObject(call.function) ? call.function : null;
  if (!isObject(call) || declared === null)
    throw new UnsupportedFieldError(place, 'only calls of functions are known.');
  return {
    kind: 'call',
    id: textOf(call.id, `${place}.id`),
    name: textOf(declared.name, `${place}.function.name`),
    input: callInput(declared.arguments, `${place}.function.arguments`),
  };
}

/** Content that may be nothing but text. */
function texts(value: unknown, place: string): LmTextPart[] {
  return content(value, place).map((part, at) => {
    if (part.kind !== 'text') throw new UnsupportedFieldError(`${place}[${at}]`, 'only text is taken here.');
    return part;
  });
}

/** Empty texts vanish, as they would in VS Code. */
function content(value: unknown, place: string): ContentPart[] {
  if (!isGiven(value) || value === '') return [];
  if (typeof value === 'string') return [{ kind: 'text', text: value }];
  return listOf(value, place).flatMap((part, at): ContentPart[] => contentPart(part, `${place}[${at}]`));
}

function contentPart(part: unknown, place: string): ContentPart[] {
  if (!isObject(part)) throw new UnsupportedFieldError(place, 'a part is an object.');
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' && part.text !== '' ? [{ kind: 'text', text: part.text }] : [];
    case 'refusal':
      return typeof part.refusal === 'string' ? [{ kind: 'text', text: part.refusal }] : [];
    case 'image_url':
      return [imageOf(part.image_url, `${place}.image_url`)];
    default:
      throw new UnsupportedFieldError(
        `${place}.type`,
        `${String(part.type)} has no place in VS Code’s language-model API.`,
      );
  }
}

const knownFields: Readonly<Record<string, ReadonlySet<string>>> = {
  assistant: new Set(['content', 'refusal', 'tool_calls']),
  tool: new Set(['content', 'tool_call_id']),
};
const contentAlone: ReadonlySet<string> = new Set(['content']);

/** Official SDKs send back what they got, with everything that was not there. Cache marks are the extension's own. */
function noteFields(message: JsonObject, notes: Notes): void {
  const known = knownFields[String(message.role)] ?? contentAlone;
  for (const [field, value] of Object.entries(message)) {
    const empty = !isGiven(value) || value === '' || (Array.isArray(value) && value.length === 0);
    if (field === 'role' || field === 'copilot_cache_control' || known.has(field) || empty) continue;
    if (field === 'audio' || field === 'function_call')
      throw new UnsupportedFieldError(`messages.${field}`, 'it has no place in VS Code’s language-model API.');
    notes.add('field-dropped', `messages.${field} removed`);
  }
}

/**
 * An image of a data URL. VS Code decodes images and rejects one that it can't read with an error that has neither name
 * nor words, so what can be seen from outside is looked at here. Throws `NoPlace`.
 */
function imageOf(named: unknown, place: string): LmImagePart {
  const url = isObject(named) ? named.url : named;
  if (typeof url !== 'string' || url === '') throw new UnsupportedFieldError(place, 'an address is required.');
  const found = dataUrl(url);
  if (found === null)
    throw new UnsupportedFieldError(place, 'VS Code accepts no images by address. Send a data URL in base64.');
  const data = decoded(found.data);
  const type = data === null ? null : imageType(data);
  if (data === null || type === null)
    throw new UnsupportedFieldError(
      place,
      'it can’t be decoded: a complete PNG, JPEG, GIF, WebP or BMP image in base64 is required.',
    );
  return { kind: 'image', type, data };
}

function decoded(base64: string): Uint8Array | null {
  const text = base64.replaceAll(/\s/g, '');
  if (text === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}

/** What the bytes are, whatever the client called them. Null for no image, or a PNG or GIF that was cut. */
function imageType(data: Uint8Array): string | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const ascii = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (bytes.length < 16) return null;
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return bytes.includes('IEND') ? 'image/png' : null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return bytes.includes(0x3b) ? 'image/gif' : null;
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return ascii(0, 2) === 'BM' ? 'image/bmp' : null;
}
