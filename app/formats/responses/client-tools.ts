import { type AnswerReader, ReaderBehind } from '../answer/answer.ts';
import { ToolNames } from '../translation/tool-names.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { sseEvent, WrittenTexts } from '../wire/sse.ts';

/** A tool that a Responses client runs itself, as the client knows it. */
interface ClientTool {
  kind: 'function' | 'custom';
  name: string;
  namespace: string | null;
}

/**
 * Tools of a Responses client that are no plain functions, told as functions: a custom tool becomes one with a single
 * text, a namespace as many as it holds. Lives as long as one request; `ClientToolCalls` leads the calls back.
 */
class ClientTools {
  /** Tools of the request: no other tool may take the name of a plain function. */
  readonly #given: readonly unknown[];
  /** Made for the first that is no plain function, which most requests do not have. */
  #names: ToolNames | null = null;
  readonly #tools = new Map<string, ClientTool>();

  constructor(given: readonly unknown[]) {
    this.#given = given;
  }

  get none(): boolean {
    return this.#tools.size === 0;
  }

  /** The function's name. */
  add(tool: ClientTool): string {
    const name = this.nameOf(tool.name, tool.namespace);
    this.#tools.set(name, tool);
    return name;
  }

  nameOf(name: string, namespace: string | null): string {
    this.#names ??= new ToolNames(this.#given.flatMap((tool) => (isFunction(tool) ? [tool.name] : [])));
    if (namespace === null) return this.#names.shorten(name);
    return this.#names.shorten(namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`);
  }

  /** Null for a plain function. */
  of(name: unknown): ClientTool | null {
    return typeof name === 'string' ? (this.#tools.get(name) ?? null) : null;
  }
}

/**
 * The request with functions alone, and what they stand for. The request itself where there is nothing else. Hosted
 * tools stay where they are.
 */
export function plainFunctions<T extends JsonObject>(body: T): { body: T; tools: ClientTools } {
  const given: unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const tools = new ClientTools(given);
  const changed: JsonObject = {};
  const flat = given.flatMap((tool) => (isObject(tool) ? functionsOf(tool, null, tools) : [tool]));
  if (!tools.none) changed.tools = flat;
  const { tool_choice: choice, input } = body;
  if (isObject(choice)) changed.tool_choice = plainChoice(choice, tools);
  if (Array.isArray(input) && input.some(isSpecial)) changed.input = input.map((item) => plainItem(item, tools));
  return { body: { ...body, ...changed }, tools };
}

function isFunction(tool: unknown): tool is JsonObject & { name: string } {
  return isObject(tool) && tool.type === 'function' && typeof tool.name === 'string';
}

function functionsOf(tool: JsonObject, namespace: string | null, tools: ClientTools): JsonObject[] {
  const { type, name } = tool;
  if (typeof name !== 'string') return [tool];
  if (type === 'namespace' && Array.isArray(tool.tools) && namespace === null)
    return tool.tools.flatMap((inner: unknown) => (isObject(inner) ? functionsOf(inner, name, tools) : []));
  if (type === 'custom') return [customFunction(tool, tools.add({ kind: 'custom', name, namespace }))];
  if (type !== 'function' || namespace === null) return [tool];
  return [{ ...tool, name: tools.add({ kind: 'function', name, namespace }) }];
}

/** A grammar has no counterpart but words. */
function customFunction({ description, format }: JsonObject, name: string): JsonObject {
  const said = [typeof description === 'string' ? description : ''];
  if (isObject(format) && format.type === 'grammar')
    said.push(`The input has to match this ${String(format.syntax)} grammar:\n${String(format.definition)}`);
  return {
    type: 'function',
    name,
    description: said.filter((text) => text !== '').join('\n\n'),
    strict: false,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as it is.' } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

function plainChoice(choice: JsonObject, tools: ClientTools): JsonObject {
  if (choice.type === 'allowed_tools' && Array.isArray(choice.tools))
    return {
      ...choice,
      tools: choice.tools.map((each: unknown) => (isObject(each) ? plainChoice(each, tools) : each)),
    };
  const { type, name, namespace = null } = choice;
  if (typeof name !== 'string' || (type !== 'custom' && namespace === null)) return choice;
  return { type: 'function', name: tools.nameOf(name, typeof namespace === 'string' ? namespace : null) };
}

function isSpecial(item: unknown): boolean {
  return (
    isObject(item) &&
    (item.type === 'custom_tool_call' ||
      item.type === 'custom_tool_call_output' ||
      (item.type === 'function_call' && typeof item.namespace === 'string'))
  );
}

function plainItem(item: unknown, tools: ClientTools): unknown {
  if (!isObject(item) || !isSpecial(item)) return item;
  const { type, name, namespace, input, ...rest } = item;
  if (type === 'custom_tool_call_output') return { ...item, type: 'function_call_output' };
  const called = tools.nameOf(String(name ?? ''), typeof namespace === 'string' ? namespace : null);
  if (type === 'function_call') return { type, ...rest, name: called };
  return { type: 'function_call', ...rest, name: called, arguments: JSON.stringify({ input: String(input ?? '') }) };
}

/**
 * The way back of `plainFunctions`: behind any reader that writes a Responses stream, this one gives calls of functions
 * the form of the tools they stand for. The input of a custom tool comes whole, in one piece: it lies in JSON until
 * then. What is no such call goes on unread.
 */
export class ClientToolCalls extends ReaderBehind {
  readonly #tools: ClientTools;
  /** Calls by their item's place in the output. */
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
