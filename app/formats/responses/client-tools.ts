import { ToolNames } from '../translation/tool-names.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/** A tool that a Responses client runs itself, as the client knows it. */
export interface ClientTool {
  kind: 'function' | 'custom';
  name: string;
  namespace: string | null;
}

/**
 * Tools of a Responses client that are no plain functions, told as functions: a custom tool becomes one with a single
 * text, a namespace as many as it holds. Lives as long as one request; `ClientToolCalls` leads the calls back.
 */
export class ClientTools {
  readonly #names: ToolNames;
  readonly #tools = new Map<string, ClientTool>();

  /** `names`: of the plain functions, which no other tool may take. */
  constructor(names: Iterable<string> = []) {
    this.#names = new ToolNames(names);
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
    if (namespace === null) return this.#names.shorten(name);
    return this.#names.shorten(namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`);
  }

  /** Null: a plain function. */
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
  const tools = new ClientTools(given.flatMap((tool) => (isFunction(tool) ? [tool.name] : [])));
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
