import type { Block, Message } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import { addResult, callInput, contentBlocks, imageBlock, UnsupportedFieldError } from '../via-messages/content.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/** The message list of a chat request as Messages has it: a system, and turns. */
interface MessagesConversation {
  system: Block[];
  messages: Message[];
}

/**
 * Reads the messages of a chat client. What maps to what stands in request.ts. Fields that only say something about a
 * message are noted and left out; what holds a part of the conversation and has no place throws `NoPlace`.
 */
export function messagesConversation(list: readonly unknown[], notes: Notes): MessagesConversation {
  const conversation: MessagesConversation = { system: [], messages: [] };
  for (const [at, message] of list.entries()) {
    const place = `messages[${at}]`;
    if (!isObject(message)) throw new UnsupportedFieldError(place, 'an object with a role is required.');
    add(conversation, message, place, notes);
    noteFields(message, place, notes);
  }
  return conversation;
}

function add({ system, messages }: MessagesConversation, message: JsonObject, place: string, notes: Notes): void {
  switch (message.role) {
    case 'system':
    case 'developer': {
      const texts = blocks(message.content, `${place}.content`, notes);
      if (messages.length === 0) for (const text of texts) system.push(text);
      else messages.push({ role: 'system', content: texts });
      break;
    }
    case 'user':
      messages.push({ role: 'user', content: blocks(message.content, `${place}.content`, notes) });
      break;
    case 'assistant':
      messages.push({ role: 'assistant', content: assistant(message, place, notes) });
      break;
    case 'tool':
      addResult(messages, {
        type: 'tool_result',
        tool_use_id: String(message.tool_call_id ?? ''),
        content: blocks(message.content, `${place}.content`, notes),
      });
      break;
    case 'function':
      throw new UnsupportedFieldError(`${place}.role`, 'function is an old form. Send tool with its tool_call_id.');
    default:
      throw new UnsupportedFieldError(`${place}.role`, `${String(message.role)} is not a role that this model knows.`);
  }
}

const knownFields: Readonly<Record<string, ReadonlySet<string>>> = {
  assistant: new Set(['content', 'refusal', 'tool_calls', 'reasoning_text', 'reasoning_opaque']),
  tool: new Set(['content', 'tool_call_id']),
};
const contentAlone = new Set(['content']);
/** These hold a part of the conversation, in forms that the other API does not have. */
const withoutPlace: Readonly<Record<string, string>> = {
  function_call: 'an old form. Send tool_calls.',
  audio: 'this model takes text and images.',
};

function noteFields(message: JsonObject, place: string, notes: Notes): void {
  const known = knownFields[String(message.role)] ?? contentAlone;
  for (const [field, value] of Object.entries(message)) {
    if (field === 'role' || known.has(field) || isEmpty(value)) continue;
    const without = Object.hasOwn(withoutPlace, field) ? withoutPlace[field] : undefined;
    if (without !== undefined) throw new UnsupportedFieldError(`${place}.${field}`, without);
    notes.add('field-dropped', `messages.${field} removed`);
  }
}

/** Official SDKs send back what they got, with everything that was not there. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function assistant(message: JsonObject, place: string, notes: Notes): Block[] {
  const { content, refusal, reasoning_text: thought, reasoning_opaque: opaque, tool_calls: calls } = message;
  const said: Block[] = [];
  if (typeof opaque === 'string')
    said.push({ type: 'thinking', thinking: typeof thought === 'string' ? thought : '', signature: opaque });
  else if (typeof thought === 'string' && thought !== '')
    notes.add('field-dropped', 'messages.reasoning_text without reasoning_opaque removed');
  for (const block of blocks(content, `${place}.content`, notes)) said.push(block);
  if (typeof refusal === 'string' && refusal !== '') said.push({ type: 'text', text: refusal });
  if (calls === undefined || calls === null) return said;
  if (!Array.isArray(calls)) throw new UnsupportedFieldError(`${place}.tool_calls`, 'a list is required.');
  for (const [at, call] of calls.entries()) said.push(toolUse(call, `${place}.tool_calls[${at}]`));
  return said;
}

function toolUse(call: unknown, place: string): Block {
  const declared = isObject(call) && isObject(call.function) ? call.function : null;
  if (!isObject(call) || declared === null)
    throw new UnsupportedFieldError(place, 'only calls of functions are known.');
  return {
    type: 'tool_use',
    id: String(call.id ?? ''),
    name: String(declared.name ?? ''),
    input: callInput(declared.arguments, `${place}.function.arguments`),
  };
}

function blocks(content: unknown, place: string, notes: Notes): Block[] {
  return contentBlocks(content, place, (part, at) => block(part, at, notes));
}

function block(part: JsonObject, place: string, notes: Notes): Block {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: String(part.text ?? '') };
    case 'refusal':
      return { type: 'text', text: String(part.refusal ?? '') };
    case 'image_url':
      return image(part.image_url, place, notes);
    default:
      throw new UnsupportedFieldError(`${place}.type`, `${String(part.type)} is not supported by this model.`);
  }
}

/** Image from a data URL. Copilot refuses web addresses everywhere. */
function image(named: unknown, place: string, notes: Notes): Block {
  const { url, detail } = isObject(named) ? named : { url: named, detail: undefined };
  if (typeof url !== 'string' || url === '')
    throw new UnsupportedFieldError(`${place}.image_url`, 'an address is required.');
  if (detail !== undefined && detail !== null && detail !== 'auto')
    notes.add('field-dropped', 'image_url.detail removed');
  return imageBlock(url);
}
