import type { Block, Message } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import { opaqueOf, thinkingOf } from '../translation/reasoning.ts';
import {
  addResult,
  callInput,
  contentBlocks,
  dataUrl,
  imageBlock,
  textOf,
  UnsupportedFieldError,
} from '../via-messages/content.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/** What OpenAI's service ran by itself, for itself. */
const hostedCalls: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
]);

/**
 * The items of a Responses request as Messages has them: a system, and turns. What maps to what stands in request.ts.
 * What holds a part of the conversation and has no place throws `NoPlace`.
 */
export class ResponsesInput {
  readonly #system: Block[] = [];
  readonly #messages: Message[] = [];
  readonly #notes: Notes;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  instructions(text: string): void {
    this.#system.push({ type: 'text', text });
  }

  /** A string is one message of the user. */
  words(text: string): void {
    this.#messages.push({ role: 'user', content: blocks(text, 'input', this.#notes) });
  }

  item(item: unknown, place: string): void {
    if (!isObject(item)) throw new UnsupportedFieldError(place, 'an item is an object.');
    switch (item.type) {
      case 'message':
        this.#message(item, place);
        break;
      case 'reasoning':
        this.#reasoning(item);
        break;
      case 'function_call':
        this.#assistant([
          {
            type: 'tool_use',
            id: textOf(item.call_id, `${place}.call_id`),
            name: textOf(item.name, `${place}.name`),
            input: callInput(item.arguments, `${place}.arguments`),
          },
        ]);
        break;
      case 'function_call_output':
        addResult(this.#messages, {
          type: 'tool_result',
          tool_use_id: textOf(item.call_id, `${place}.call_id`),
          content: blocks(item.output, `${place}.output`, this.#notes),
        });
        break;
      default:
        if (item.type === undefined && typeof item.role === 'string') this.#message(item, place);
        else if (hostedCalls.has(item.type)) this.#notes.add('item-dropped', `${String(item.type)} removed`);
        else throw new UnsupportedFieldError(`${place}.type`, `${String(item.type)} is not supported by this model.`);
    }
  }

  end(): { system: Block[]; messages: Message[] } {
    const messages = this.#messages.flatMap((message): Message[] => {
      if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
      const last = message.content.findLastIndex(
        (block) => !isThinking(block) || (leads(block) && message.content.length > 1),
      );
      if (last === message.content.length - 1) return [message];
      this.#notes.add('thinking-without-answer', 'reasoning without an answer removed');
      return last === -1 ? [] : [{ ...message, content: message.content.slice(0, last + 1) }];
    });
    return { system: this.#system, messages };
  }

  #message(item: JsonObject, place: string): void {
    const content = blocks(item.content, `${place}.content`, this.#notes);
    switch (item.role) {
      case 'system':
      case 'developer':
        if (this.#messages.length === 0) for (const block of content) this.#system.push(block);
        else this.#messages.push({ role: 'system', content });
        break;
      case 'user':
        this.#messages.push({ role: 'user', content });
        break;
      case 'assistant':
        this.#assistant(content);
        break;
      default:
        throw new UnsupportedFieldError(`${place}.role`, `${String(item.role)} is not a role that this model knows.`);
    }
  }

  #reasoning(item: JsonObject): void {
    const thinking = thinkingOf(item);
    if (thinking === null) this.#notes.add('foreign-thinking', 'foreign reasoning removed');
    else this.#assistant([thinking]);
  }

  /** Everything that the model said in one turn is one message. */
  #assistant(said: Block[]): void {
    const last = this.#messages.at(-1);
    if (last?.role !== 'assistant' || !Array.isArray(last.content))
      this.#messages.push({ role: 'assistant', content: said });
    else for (const block of said) last.content.push(block);
  }
}

/**
 * Anthropic's API refuses thoughts that led to nothing at the end of an answer. Those of Chat Completions may come
 * behind the words that they led to (`sse-chat-gemini3-reasoning_opaque-on-final-text-chunk`).
 */
function leads({ signature }: Block): boolean {
  return opaqueOf(signature) !== null;
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function blocks(content: unknown, place: string, notes: Notes): Block[] {
  return contentBlocks(content, place, (part, at) => block(part, at, notes));
}

function block(part: JsonObject, place: string, notes: Notes): Block {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: String(part.text ?? '') };
    case 'refusal':
      return { type: 'text', text: String(part.refusal ?? '') };
    case 'input_image':
      if (part.detail !== undefined && part.detail !== null && part.detail !== 'auto')
        notes.add('field-dropped', 'input_image.detail removed');
      if (typeof part.image_url === 'string' && part.image_url !== '') return imageBlock(part.image_url);
      throw new UnsupportedFieldError(`${place}.image_url`, 'an address is required; no files are kept here.');
    case 'input_file':
      return file(part, place);
    default:
      throw new UnsupportedFieldError(`${place}.type`, `${String(part.type)} is not supported by this model.`);
  }
}

function file({ file_data: data, file_url: url, filename }: JsonObject, place: string): Block {
  const title = typeof filename === 'string' ? { title: filename } : {};
  if (typeof url === 'string') return { type: 'document', source: { type: 'url', url }, ...title };
  if (typeof data !== 'string')
    throw new UnsupportedFieldError(`${place}.file_data`, 'the data is required; no files are kept here.');
  const read = dataUrl(data) ?? { media_type: 'application/pdf', data };
  const source = read.media_type.startsWith('text/')
    ? { type: 'text', media_type: 'text/plain', data: Buffer.from(read.data, 'base64').toString() }
    : { type: 'base64', ...read };
  return { type: 'document', source, ...title };
}
