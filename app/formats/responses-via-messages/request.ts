import type { MessagesRequest, Tool, ToolChoice } from '../messages/request.ts';
import { type FitNote, Notes } from '../translation/note.ts';
import {
  isGiven,
  listOf,
  numberOf,
  type Placed,
  placed,
  textOf,
  UnsupportedFieldError,
} from '../via-messages/content.ts';
import { askInWords, functionTool, putTools } from '../via-messages/tools.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { ResponsesInput } from './input.ts';

/*
 * OpenAI Responses ⇄ Anthropic Messages, for a Responses client whose model has no Responses. The request stands here
 * (its items in input.ts), the answer in answer.ts. With a model that has only Chat Completions it is composed with
 * messages-via-chat/. Tools that are no functions have been told as functions before (../responses/client-tools.ts).
 *
 * request                                   messages
 * model, temperature, top_p                 the same
 * max_output_tokens                         max_tokens
 * instructions                              system block, before all others
 * system, developer at the beginning        system blocks; further on a system message in its place
 * user: input_text                          text block
 * user: input_image                         image block, of a data URL or of an address; its detail is gone
 * user: input_file                          document block, of a data URL (a text as its words) or of an address
 * any: file_id, input_audio                 refused: there is no place for it
 * assistant: output_text, refusal           text block
 * reasoning                                 thinking block, of encrypted_content written here; others are gone
 * function_call                             tool_use; arguments that are no JSON object are refused
 * function_call_output                      tool_result; results in a row share one user message
 * calls of OpenAI's own tools               gone
 * other items                               refused
 * tools: function                           name, description, input_schema, strict
 * tool_choice                               auto, none, any, tool; allowed_tools leaves the others out
 * parallel_tool_calls false                 disable_parallel_tool_use
 * text.format json_schema                   output_config.format
 * text.format json_object                   words at the end of the system
 * text.format text, text.verbosity medium   nothing; another verbosity is refused
 * reasoning.effort                          output_config.effort
 * reasoning.summary                         decides whether the answer shows what was thought
 *
 * Lost by name, with a note: what is gone in this table.
 *
 * answer                                    responses
 * thinking                                  reasoning item: its text as the summary where one was asked for, its
 *                                           signature in encrypted_content
 * redacted_thinking                         reasoning item with encrypted_content alone
 * text                                      message item with output_text
 * tool_use                                  function_call, arguments in the pieces in which they come
 * server_tool_use, web_search_tool_result   web_search_call with what was looked for and the addresses found
 * citations of pages found                  url_citation; texts in a row are one item from the first search on
 * end_turn, stop_sequence, tool_use, …      response.completed
 * max_tokens, context window exceeded       response.incomplete: max_output_tokens; the last item is incomplete
 * refusal                                   response.incomplete: content_filter, with its explanation as a refusal
 * input, cache and output tokens            input_tokens with cached ones, cached_tokens, output_tokens
 * copilot_usage                             the same, on the last event
 * failure                                   error and response.failed
 * blocks and deltas not in this table       gone
 */

type ResponsesToMessages = Placed<{
  request: MessagesRequest;
  notes: FitNote[];
  /** True if the client requests summaries of the reasoning. */
  summary: boolean;
}>;

/** The client's request as a Messages request. Pure; fields that are not in the table have been dealt with before. */
export function responsesToMessages(body: JsonObject & { model: string }): ResponsesToMessages {
  const notes = new Notes();
  const summary = wantsSummary(body.reasoning);
  return placed(() => ({ request: translate(body, notes), notes: notes.list(), summary }));
}

function translate(body: JsonObject & { model: string }, notes: Notes): MessagesRequest {
  const input = new ResponsesInput(notes);
  if (isGiven(body.instructions)) input.instructions(textOf(body.instructions, 'instructions'));
  if (typeof body.input === 'string') input.words(body.input);
  else for (const [at, item] of listOf(body.input, 'input').entries()) input.item(item, `input[${at}]`);
  const { system, messages } = input.end();
  if (messages.length === 0) throw new UnsupportedFieldError('input', 'at least one message or result is required.');
  const request: MessagesRequest = { model: body.model, messages, stream: true };
  if (system.length > 0) request.system = system;
  const tokens = numberOf(body.max_output_tokens, 'max_output_tokens');
  if (tokens !== null) request.max_tokens = tokens;
  const temperature = numberOf(body.temperature, 'temperature');
  if (temperature !== null) request.temperature = temperature;
  const topP = numberOf(body.top_p, 'top_p');
  if (topP !== null) request.top_p = topP;
  addTools(request, body);
  addOutput(request, body, notes);
  return request;
}

function addTools(request: MessagesRequest, body: JsonObject): void {
  const { choice, allowed } = toolChoice(body.tool_choice);
  const tools = listOf(body.tools, 'tools')
    .map((tool, at) => declaredTool(tool, `tools[${at}]`))
    .filter(({ name }) => allowed === null || allowed.has(name));
  putTools(request, { tools, choice, parallel: body.parallel_tool_calls });
}

function declaredTool(tool: unknown, place: string): Tool {
  if (!isObject(tool)) throw new UnsupportedFieldError(place, 'a tool is an object.');
  if (tool.type !== 'function')
    throw new UnsupportedFieldError(`${place}.type`, `${String(tool.type)} is not known here.`);
  return functionTool(tool, place);
}

function toolChoice(choice: unknown): { choice: ToolChoice | null; allowed: ReadonlySet<string> | null } {
  const of = (type: string): { choice: ToolChoice; allowed: null } => ({ choice: { type }, allowed: null });
  if (!isGiven(choice)) return { choice: null, allowed: null };
  if (choice === 'auto' || choice === 'none') return of(choice);
  if (choice === 'required') return of('any');
  if (isObject(choice) && choice.type === 'function')
    return { choice: { type: 'tool', name: textOf(choice.name, 'tool_choice.name') }, allowed: null };
  if (isObject(choice) && choice.type === 'allowed_tools') {
    const named = listOf(choice.tools, 'tool_choice.tools').map((tool, at) =>
      textOf(isObject(tool) && tool.type === 'function' ? tool.name : null, `tool_choice.tools[${at}].name`),
    );
    return { choice: { type: choice.mode === 'required' ? 'any' : 'auto' }, allowed: new Set(named) };
  }
  throw new UnsupportedFieldError('tool_choice', 'auto, none, required, one function and allowed functions are known.');
}

function addOutput(request: MessagesRequest, body: JsonObject, notes: Notes): void {
  const reasoning = fieldsOf(body.reasoning, 'reasoning', ['effort', 'summary', 'generate_summary']);
  const text = fieldsOf(body.text, 'text', ['format', 'verbosity']);
  const config: { effort?: string; format?: unknown } = {};
  if (isGiven(reasoning.effort)) config.effort = textOf(reasoning.effort, 'reasoning.effort');
  if (isGiven(text.verbosity) && text.verbosity !== 'medium')
    throw new UnsupportedFieldError('text.verbosity', 'this model has no setting for it. Leave it out.');
  const { format } = text;
  if (isGiven(format) && !isObject(format)) throw new UnsupportedFieldError('text.format', 'an object is required.');
  switch (isObject(format) ? format.type : 'text') {
    case 'text':
      break;
    case 'json_schema':
      if (!isObject(format) || !isObject(format.schema))
        throw new UnsupportedFieldError('text.format.schema', 'an object is required.');
      config.format = { type: 'json_schema', schema: format.schema };
      break;
    case 'json_object':
      askInWords(request, notes, 'text.format');
      break;
    default:
      throw new UnsupportedFieldError('text.format.type', 'text, json_object and json_schema are known.');
  }
  if (Object.keys(config).length > 0) request.output_config = config;
}

/** False for `none`, which clients also send. */
function wantsSummary(reasoning: unknown): boolean {
  if (!isObject(reasoning)) return false;
  const { summary, generate_summary: old } = reasoning;
  return [summary, old].some((value) => typeof value === 'string' && value !== 'none');
}

function fieldsOf(value: unknown, place: string, known: readonly string[]): JsonObject {
  if (!isGiven(value)) return {};
  if (!isObject(value)) throw new UnsupportedFieldError(place, 'an object is required.');
  const unknown = Object.keys(value).find((key) => !known.includes(key) && isGiven(value[key]));
  if (unknown !== undefined)
    throw new UnsupportedFieldError(`${place}.${unknown}`, 'this model has no setting for it. Leave it out.');
  return value;
}
