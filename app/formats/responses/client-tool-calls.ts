import type { AnswerReader } from '../answer/answer.ts';
import { ReaderBehind } from '../answer/reader-behind.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { sseEvent } from '../wire/sse.ts';
import { WrittenTexts } from '../wire/written-texts.ts';
import type { ClientTool, ClientTools } from './client-tools.ts';

/**
 * The way back of `plainFunctions`: behind any reader that writes a Responses stream, this one gives calls of functions
 * the form of the tools they stand for. The input of a custom tool comes whole, in one piece: it lies in JSON until
 * then. What is no such call goes on unread.
 */
export class ClientToolCalls extends ReaderBehind {
  readonly #tools: ClientTools;
  /** By the item's place in the output. */
  readonly #calls = new Map<unknown, { tool: ClientTool; spare: unknown }>();
  readonly #written = new WrittenTexts();

  constructor(inner: AnswerReader, tools: ClientTools) {
    super(inner);
    this.#tools = tools;
  }

  protected override takeBytes(): Buffer | null {
    return this.#written.take();
  }

  protected override event(named: string | null, data: string): boolean {
    const type = named ?? '';
    const event = this.#isNamed(type) ? parseObject(data) : null;
    if (event === null) this.#written.add(sseEvent(type, data));
    else this.#named(type, event);
    return true;
  }

  #isNamed(type: string): boolean {
    switch (type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
      case 'response.completed':
      case 'response.incomplete':
        return true;
      default:
        return this.#calls.size > 0 && type.startsWith('response.function_call_arguments.');
    }
  }

  #named(type: string, event: JsonObject): void {
    const { item, output_index: at, response } = event;
    if (isObject(item)) {
      const tool = item.type === 'function_call' ? this.#tools.of(item.name) : null;
      if (tool !== null) {
        this.#calls.set(at, { spare: null, ...this.#calls.get(at), tool });
        event.item = itemOf(item, tool);
      }
    } else if (isObject(response) && Array.isArray(response.output)) {
      response.output = response.output.map((each: unknown) => {
        const tool = isObject(each) && each.type === 'function_call' ? this.#tools.of(each.name) : null;
        return isObject(each) && tool !== null ? itemOf(each, tool) : each;
      });
    } else if (type.startsWith('response.function_call_arguments.') && this.#arguments(type, event)) return;
    this.#write(type, event);
  }

  /** True: dealt with. */
  #arguments(type: string, event: JsonObject): boolean {
    const call = this.#calls.get(event.output_index);
    if (call === undefined) return false;
    if (call.tool.kind === 'function') {
      if (typeof event.name === 'string') event.name = call.tool.name;
      return false;
    }
    if (type.endsWith('.delta')) {
      // Its number is free for the one delta that stands for all.
      call.spare = event.sequence_number;
      return true;
    }
    const { item_id, output_index, sequence_number } = event;
    const input = inputOf(event.arguments);
    const common = { item_id, output_index };
    if (call.spare !== null && input !== '')
      this.#write('response.custom_tool_call_input.delta', { ...common, sequence_number: call.spare, delta: input });
    this.#write('response.custom_tool_call_input.done', { ...common, sequence_number, input });
    return true;
  }

  #write(type: string, event: JsonObject): void {
    this.#written.add(sseEvent(type, JSON.stringify({ ...event, type })));
  }
}

function itemOf(item: JsonObject, { kind, name, namespace }: ClientTool): JsonObject {
  const named = namespace === null ? { name } : { name, namespace };
  if (kind === 'function') return { ...item, ...named };
  const { arguments: json, ...rest } = item;
  return { ...rest, type: 'custom_tool_call', ...named, input: inputOf(json) };
}

/** What was cut is no JSON: it goes on as it is, and no tool takes it for its input. */
function inputOf(json: unknown): string {
  if (typeof json !== 'string') return '';
  const input = parseObject(json)?.input;
  return typeof input === 'string' ? input : json;
}
