import type { MessagesRequest, Tool, ToolChoice } from '../messages/request.ts';
import { type FitNote, Notes } from '../translation/note.ts';
import { isGiven, listOf, numberOf, type Placed, placed, UnsupportedFieldError } from '../via-messages/content.ts';
import { askInWords, functionTool, putTools } from '../via-messages/tools.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { messagesConversation } from './conversation.ts';

/*
 * OpenAI Chat Completions ⇄ Anthropic Messages, for a chat client whose model has no Chat Completions. The request
 * stands here (its messages in conversation.ts), the answer in answer.ts. With a model that has only Responses it is
 * composed with messages-via-responses/, which takes more than Messages has a place for: what is said of `onward:
 * 'responses'`.
 *
 * request                                   messages
 * model, temperature, top_p                 the same
 * max_completion_tokens, max_tokens         max_tokens
 * system, developer at the beginning        system blocks; further on a system message in its place
 * user: text                                text block
 * user: image_url                           image block, of a data URL or of an address; its detail is gone
 * user: audio, file                         refused: there is no place for it
 * assistant: content, refusal               text block
 * assistant: tool_calls                     tool_use; arguments that are no JSON object are refused
 * assistant: reasoning_text and _opaque     thinking block with its signature; without the latter gone
 * assistant: function_call, audio           refused
 * tool                                      tool_result; results in a row share one user message
 * any: name and other fields                gone
 * tools                                     name, description, input_schema, strict
 * tool_choice                               auto, none, any, tool; parallel_tool_calls false →
 *                                           disable_parallel_tool_use
 * stop                                      stop_sequences
 * response_format json_schema               output_config.format; for Responses with its name, description and strict
 * response_format json_object               words at the end of the system, for Messages knows only schemas; for
 *                                           Responses output_config.format
 * response_format text                      nothing
 * reasoning_effort                          output_config.effort
 * verbosity                                 for Responses output_config.verbosity
 *
 * Lost by name, with a note: what is gone in this table, unless it is empty.
 *
 * answer                                    chat
 * text, thinking, signature                 content, reasoning_text, reasoning_opaque
 * tool_use                                  tool_calls, arguments in the pieces in which they come
 * citations of pages found by a search      annotations: url_citation, with places in the whole content
 * end_turn, stop_sequence, pause_turn       stop
 * max_tokens, context window exceeded       length
 * tool_use, refusal                         tool_calls, content_filter
 * input, cache and output tokens            prompt_tokens with cached ones, cached_tokens, completion_tokens
 * copilot_usage                             the same, on the last chunk
 * blocks and deltas not in this table       gone
 */

interface ChatToMessagesOptions {
  /** What the Messages request is for: to be sent, or to be written as Responses. */
  onward: 'messages' | 'responses';
}

type ChatToMessages = Placed<{ request: MessagesRequest; notes: FitNote[] }>;

/** The client's request as a Messages request. Pure; fields that are not in the table have been dealt with before. */
export function chatToMessages(body: JsonObject & { model: string }, options: ChatToMessagesOptions): ChatToMessages {
  const notes = new Notes();
  return placed(() => ({ request: translate(body, options, notes), notes: notes.list() }));
}

function translate(
  body: JsonObject & { model: string },
  options: ChatToMessagesOptions,
  notes: Notes,
): MessagesRequest {
  const { system, messages } = messagesConversation(listOf(body.messages, 'messages'), notes);
  const request: MessagesRequest = { model: body.model, messages, stream: true };
  if (system.length > 0) request.system = system;
  const tokens =
    numberOf(body.max_completion_tokens, 'max_completion_tokens') ?? numberOf(body.max_tokens, 'max_tokens');
  if (tokens !== null) request.max_tokens = tokens;
  const temperature = numberOf(body.temperature, 'temperature');
  if (temperature !== null) request.temperature = temperature;
  const topP = numberOf(body.top_p, 'top_p');
  if (topP !== null) request.top_p = topP;
  const stops = stopsOf(body);
  if (stops.length > 0) request.stop_sequences = stops;
  addTools(request, body, notes);
  addOutput(request, body, options, notes);
  return request;
}

function stopsOf({ stop }: JsonObject): string[] {
  if (!isGiven(stop)) return [];
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  return stops.map((each) => {
    if (typeof each !== 'string') throw new UnsupportedFieldError('stop', 'a string or a list of strings is required.');
    return each;
  });
}

const toolFields = new Set(['name', 'description', 'parameters', 'strict']);

function addTools(request: MessagesRequest, body: JsonObject, notes: Notes): void {
  const tools = listOf(body.tools, 'tools').map((tool, at): Tool => {
    const declared = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : null;
    if (declared === null) throw new UnsupportedFieldError(`tools[${at}].type`, 'only functions are known.');
    for (const field of Object.keys(declared))
      if (!toolFields.has(field)) notes.add('field-dropped', `tools.function.${field} removed`);
    return functionTool(declared, `tools[${at}].function`);
  });
  putTools(request, { tools, choice: toolChoice(body.tool_choice), parallel: body.parallel_tool_calls });
}

function toolChoice(choice: unknown): ToolChoice | null {
  if (!isGiven(choice)) return null;
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (choice === 'required') return { type: 'any' };
  if (isObject(choice) && choice.type === 'function' && isObject(choice.function))
    return { type: 'tool', name: String(choice.function.name ?? '') };
  throw new UnsupportedFieldError('tool_choice', 'auto, none, required and one function are known.');
}

function addOutput(request: MessagesRequest, body: JsonObject, { onward }: ChatToMessagesOptions, notes: Notes): void {
  const config: JsonObject = {};
  const effort = optionalText(body.reasoning_effort, 'reasoning_effort');
  if (effort !== null) config.effort = effort;
  const verbosity = optionalText(body.verbosity, 'verbosity');
  if (verbosity !== null && onward === 'responses') config.verbosity = verbosity;
  const format = formatOf(body.response_format);
  if (format?.type === 'json_object' && onward === 'messages') {
    askInWords(request, notes, 'response_format');
  } else if (format !== null) {
    const { type, schema } = format;
    config.format = onward === 'responses' ? format : { type, schema };
  }
  if (Object.keys(config).length > 0) request.output_config = config;
}

function formatOf(format: unknown): JsonObject | null {
  if (!isGiven(format)) return null;
  if (!isObject(format)) throw new UnsupportedFieldError('response_format', 'an object is required.');
  switch (format.type) {
    case 'text':
      return null;
    case 'json_object':
      return { type: 'json_object' };
    case 'json_schema': {
      const { json_schema: wanted } = format;
      if (!isObject(wanted) || !isObject(wanted.schema))
        throw new UnsupportedFieldError('response_format.json_schema.schema', 'an object is required.');
      return { ...wanted, type: 'json_schema' };
    }
    default:
      throw new UnsupportedFieldError('response_format.type', 'text, json_object and json_schema are known.');
  }
}

function optionalText(value: unknown, place: string): string | null {
  if (!isGiven(value)) return null;
  if (typeof value !== 'string') throw new UnsupportedFieldError(place, 'a string is required.');
  return value;
}
