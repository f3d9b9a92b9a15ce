import { parseExactJson } from './exact-json.ts';
import { isObject, type JsonObject } from './json.ts';
import type { Block, Message, MessagesRequest, Tool, ToolChoice } from './messages.ts';

/*
 * OpenAI Chat Completions ⇄ Anthropic Messages, for a chat client whose model has no Chat Completions. The request stands here, the answer in
 * chat-from-messages.ts. With a model that has only Responses it is composed with messages-via-responses.ts.
 *
 * request                                   messages
 * model, temperature, top_p                 the same
 * max_completion_tokens, max_tokens         max_tokens
 * system, developer at the beginning        system blocks; further on a system message in its place
 * user: text                                text block
 * user: image_url                           image block, of a data URL or of an address
 * user: audio, file                         refused: there is no place for it
 * assistant: content, refusal               text block
 * assistant: tool_calls                     tool_use; arguments that are no JSON object are refused
 * assistant: reasoning_text and _opaque     thinking block with its signature
 * tool                                      tool_result; results in a row share one user message
 * tools                                     name, description, input_schema, strict
 * tool_choice                               auto, none, any, tool; parallel_tool_calls false → disable_parallel_tool_use
 * stop                                      stop_sequences
 * response_format json_schema               output_config.format; text: nothing; json_object refused: a schema is needed
 * reasoning_effort                          output_config.effort
 *
 * answer                                    chat
 * text, thinking, signature                 content, reasoning_text, reasoning_opaque
 * tool_use                                  tool_calls, arguments in the pieces in which they come
 * end_turn, stop_sequence, pause_turn       stop
 * max_tokens, context window exceeded       length
 * tool_use, refusal                         tool_calls, content_filter
 * input, cache and output tokens            prompt_tokens with cached ones, cached_tokens, completion_tokens
 * copilot_usage                             the same, on the last chunk
 * blocks and deltas not in this table       gone
 */

export type ChatToMessages =
  | { ok: true; request: MessagesRequest }
  | { ok: false /** Where in the request. */; field: string; message: string };

class NoPlace extends Error {
  override readonly name = 'NoPlace';
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The client's request as a Messages request. Pure; fields that are not in the table have been dealt with before. */
export function chatToMessages(body: JsonObject & { model: string }): ChatToMessages {
  try {
    return { ok: true, request: translate(body) };
  } catch (error) {
    if (error instanceof NoPlace) return { ok: false, field: error.field, message: error.message };
    throw error;
  }
}

function translate(body: JsonObject & { model: string }): MessagesRequest {
  const { system, messages } = conversation(listOf(body.messages));
  const request: MessagesRequest = { model: body.model, messages, stream: true };
  if (system.length > 0) request.system = system;
  const tokens = body.max_completion_tokens ?? body.max_tokens;
  if (typeof tokens === 'number') request.max_tokens = tokens;
  if (typeof body.temperature === 'number') request.temperature = body.temperature;
  if (typeof body.top_p === 'number') request.top_p = body.top_p;
  const stops =
    typeof body.stop === 'string' ? [body.stop] : listOf(body.stop).filter((stop) => typeof stop === 'string');
  if (stops.length > 0) request.stop_sequences = stops;
  addTools(request, body);
  addOutput(request, body);
  return request;
}

function conversation(list: readonly unknown[]): { system: Block[]; messages: Message[] } {
  const system: Block[] = [];
  const messages: Message[] = [];
  for (const [at, message] of list.entries()) {
    if (!isObject(message)) continue;
    const place = `messages[${at}]`;
    switch (message.role) {
      case 'system':
      case 'developer': {
        const texts = blocks(message.content, `${place}.content`);
        if (messages.length === 0) system.push(...texts);
        else messages.push({ role: 'system', content: texts });
        break;
      }
      case 'user':
        messages.push({ role: 'user', content: blocks(message.content, `${place}.content`) });
        break;
      case 'assistant':
        messages.push({ role: 'assistant', content: assistant(message, place) });
        break;
      case 'tool':
        addResult(messages, message, place);
        break;
      default:
        throw new NoPlace(`${place}.role`, `${String(message.role)} is not a role that this model knows.`);
    }
  }
  return { system, messages };
}

function addResult(messages: Message[], message: JsonObject, place: string): void {
  const result: Block = {
    type: 'tool_result',
    tool_use_id: String(message.tool_call_id ?? ''),
    content: blocks(message.content, `${place}.content`),
  };
  const last = messages.at(-1);
  const results = last?.role === 'user' && Array.isArray(last.content) ? last.content : null;
  if (results?.every(({ type }) => type === 'tool_result') === true && results.length > 0) results.push(result);
  else messages.push({ role: 'user', content: [result] });
}

function assistant(message: JsonObject, place: string): Block[] {
  const { content, refusal, reasoning_text: thought, reasoning_opaque: opaque } = message;
  const said: Block[] = [];
  if (typeof opaque === 'string')
    said.push({ type: 'thinking', thinking: typeof thought === 'string' ? thought : '', signature: opaque });
  if (content !== null && content !== undefined) said.push(...blocks(content, `${place}.content`));
  if (typeof refusal === 'string' && refusal !== '') said.push({ type: 'text', text: refusal });
  for (const [at, call] of listOf(message.tool_calls).entries()) said.push(toolUse(call, `${place}.tool_calls[${at}]`));
  return said;
}

function toolUse(call: unknown, place: string): Block {
  const declared = isObject(call) && isObject(call.function) ? call.function : null;
  if (!isObject(call) || declared === null) throw new NoPlace(place, 'only calls of functions are known.');
  return {
    type: 'tool_use',
    id: String(call.id ?? ''),
    name: String(declared.name ?? ''),
    input: argumentsOf(declared.arguments, `${place}.function.arguments`),
  };
}

function argumentsOf(text: unknown, place: string): JsonObject {
  if (typeof text !== 'string' || text === '') return {};
  try {
    const value = parseExactJson(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new NoPlace(place, 'a JSON object is required.');
}

function blocks(content: unknown, place: string): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).map((part, at) => block(part, `${place}[${at}]`));
}

function block(part: unknown, place: string): Block {
  if (!isObject(part)) throw new NoPlace(place, 'a part is an object.');
  if (part.type === 'text') return { type: 'text', text: String(part.text ?? '') };
  if (part.type === 'refusal') return { type: 'text', text: String(part.refusal ?? '') };
  if (part.type !== 'image_url') throw new NoPlace(`${place}.type`, `${String(part.type)} is not taken by this model.`);
  const url = isObject(part.image_url) ? String(part.image_url.url ?? '') : String(part.image_url ?? '');
  const data = /^data:([^;,]+);base64,/.exec(url);
  const source =
    data === null ? { type: 'url', url } : { type: 'base64', media_type: data[1], data: url.slice(data[0].length) };
  return { type: 'image', source };
}

function addTools(request: MessagesRequest, body: JsonObject): void {
  const tools = listOf(body.tools).map((tool, at): Tool => {
    const declared = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : null;
    if (declared === null) throw new NoPlace(`tools[${at}].type`, 'only functions are known.');
    const { name, description, parameters, strict } = declared;
    return {
      name: String(name ?? ''),
      ...(typeof description === 'string' ? { description } : {}),
      input_schema: parameters ?? { type: 'object', properties: {} },
      ...(strict === true ? { strict } : {}),
    };
  });
  if (tools.length === 0) return;
  request.tools = tools;
  const choice = toolChoice(body.tool_choice);
  if (body.parallel_tool_calls === false && choice?.type !== 'none')
    request.tool_choice = { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
  else if (choice !== null) request.tool_choice = choice;
}

function toolChoice(choice: unknown): ToolChoice | null {
  if (choice === undefined || choice === null) return null;
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (choice === 'required') return { type: 'any' };
  if (isObject(choice) && choice.type === 'function' && isObject(choice.function))
    return { type: 'tool', name: String(choice.function.name ?? '') };
  throw new NoPlace('tool_choice', 'auto, none, required and one function are known.');
}

function addOutput(request: MessagesRequest, body: JsonObject): void {
  const config: { effort?: string; format?: unknown } = {};
  if (typeof body.reasoning_effort === 'string') config.effort = body.reasoning_effort;
  const { response_format: format } = body;
  if (isObject(format) && format.type !== 'text') {
    if (format.type !== 'json_schema' || !isObject(format.json_schema))
      throw new NoPlace('response_format', 'this model answers in JSON only by a schema. Send json_schema.');
    config.format = { type: 'json_schema', schema: format.json_schema.schema };
  }
  if (Object.keys(config).length > 0) request.output_config = config;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
