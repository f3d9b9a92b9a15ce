import type { ChatMessage, ChatRequest } from '../chat/request.ts';
import { isMarked, type MessagesRequest } from '../messages/request.ts';
import type { TranslationRefusal } from '../messages-via/block-reader.ts';
import { chooseEffort, noteLostFields, sampling } from '../messages-via/fields.ts';
import { sentTools } from '../messages-via/sent-tools.ts';
import { type FitNote, Notes } from '../translation/note.ts';
import { ToolNames } from '../translation/tool-names.ts';
import { isObject } from '../wire/json.ts';
import { Conversation } from './conversation.ts';

/*
 * Anthropic Messages ⇄ OpenAI Chat Completions. The request stands here (its messages in conversation.ts), the
 * answer in answer.ts.
 *
 * request                                   chat
 * model, max_tokens, temperature, top_p     the same; sampling values leave where an effort is sent
 * system                                    one system message, blocks joined by a blank line
 * user: text                                string, texts joined by a blank line; with images a list of parts
 * user: image                               image_url part, data URL
 * user: tool_result                         tool message, before the user's own text; its images in a user message
 *                                           after all
 * user: document with text, search_result   text
 * user: document as PDF, by URL or file     refused: there is no place for it
 * assistant: text, tool_use                 content, tool_calls
 * assistant: thinking of this path          reasoning_text and reasoning_opaque, both or neither
 * system among the messages                 system message in its place, never between a call and its result
 * tools                                     functions; schema without $schema, of type object. Deferred ones once a
 *                                           tool_reference names them
 * tool_reference in a result                text "Tool loaded: name"
 * tool_choice                               auto, required, function, none; disable_parallel_tool_use →
 *                                           parallel_tool_calls false
 * stop_sequences                            stop, four at most; the rest is cut on the way back
 * output_config.effort, else thinking       reasoning_effort, clamped to the model's list
 * output_config.format                      response_format json_schema
 * cache_control                             with a Claude: copilot_cache_control on the system and the marked messages;
 *                                           else gone
 * stream                                    always true, with usage
 *
 * Lost by name, with a note: metadata, service_tier, context_management, top_k, thinking of others, is_error, strict,
 * the API's own tools, citations settings, every field and block not in this table.
 *
 * answer                                    messages
 * reasoning_text, reasoning_opaque          thinking block; its signature carries the opaque part with a mark of ours
 * content, refusal                          text block
 * tool_calls                                tool_use blocks, arguments as input_json_delta
 * finish_reason stop, length, tool_calls    end_turn, max_tokens, tool_use
 * finish_reason content_filter, a refusal   refusal, with stop_details
 * usage                                     input_tokens without cached ones, cache_read_input_tokens, output_tokens
 * copilot_usage                             the same, on message_delta
 * several choices                           one message
 * cot_summary, annotations, filter results  gone
 */

export interface ChatOptions {
  /** The upstream's name of the model. Absent: the request's. */
  model?: string;
  /** The upstream is a Claude: cache marks become `copilot_cache_control`. */
  claude: boolean;
  /** The efforts the model lists. Absent: the effort is sent as it is; an empty list: it is left out. */
  efforts?: readonly string[];
  /** `cut`: the upstream takes no `stop`; the sequences come back in `localStops`. Default `send`. */
  stops?: 'send' | 'cut';
}

type ToChat =
  | {
      ok: true;
      body: ChatRequest;
      notes: FitNote[];
      toolNames: ToolNames;
      /** Stop sequences that the upstream doesn't get: for `MessagesFromChat`. */
      localStops: string[];
    }
  | TranslationRefusal;

/**
 * The client's request as a chat request. Pure; the request is not changed, and nothing of it is copied that can be
 * shared.
 */
export function messagesToChat(request: MessagesRequest, options: ChatOptions): ToChat {
  const notes = new Notes();
  const toolNames = new ToolNames((request.tools ?? []).map(({ name }) => name));
  const conversation = new Conversation(toolNames, notes);
  conversation.system(request.system);
  for (const [at, message] of request.messages.entries()) conversation.message(message, `messages.${at}`);
  const messages = conversation.end();
  if (conversation.refusal !== null) return conversation.refusal;

  const body: ChatRequest = {
    model: options.model ?? request.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  };
  if (request.max_tokens !== undefined) body.max_tokens = request.max_tokens;
  addEffort(body, request, options, notes);
  addFormat(body, request, notes);
  addTools(body, request, toolNames, notes);
  const localStops = addStops(body, request, options, notes);
  if (options.claude && (conversation.marked || request.tools?.some(isMarked))) markForCache(body.messages);
  else clearMarks(body.messages);
  noteLostFields(request, notes);
  for (let n = 0; n < toolNames.shortened; n++) notes.add('tool-name-shortened', 'tool name shortened');
  return { ok: true, body, notes: notes.list(), toolNames, localStops };
}

function addEffort(body: ChatRequest, request: MessagesRequest, options: ChatOptions, notes: Notes): void {
  const effort = chooseEffort(request, options.efforts, notes);
  if (effort !== null) body.reasoning_effort = effort;
  Object.assign(body, sampling(request, effort === null, notes));
}

function addFormat(body: ChatRequest, request: MessagesRequest, notes: Notes): void {
  const format = request.output_config?.format;
  if (format === undefined || format === null) return;
  if (isObject(format) && format.type === 'json_schema')
    body.response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema } };
  else notes.add('field-dropped', 'output_config.format removed');
}

/** OpenAI's API takes four. */
const stopLimit = 4;

function addStops(body: ChatRequest, request: MessagesRequest, options: ChatOptions, notes: Notes): string[] {
  const stops = request.stop_sequences ?? [];
  const sent = options.stops === 'cut' ? [] : stops.slice(0, stopLimit);
  const local = stops.slice(sent.length);
  if (sent.length > 0) body.stop = sent;
  for (const _ of local) notes.add('stop-cut-locally', 'stop sequence cut locally');
  return local;
}

/** Sets at most four marks: on the system message, and on the newest of the marked ones. */
function markForCache(messages: ChatMessage[]): void {
  const system = messages[0]?.role === 'system' ? messages[0] : null;
  let left = system === null ? 4 : 3;
  for (const message of messages.toReversed()) {
    if (message === system || message.copilot_cache_control === undefined) continue;
    if (left > 0) left--;
    else delete message.copilot_cache_control;
  }
  if (system !== null) system.copilot_cache_control = { type: 'ephemeral' };
}

function clearMarks(messages: ChatMessage[]): void {
  for (const message of messages) delete message.copilot_cache_control;
}

/** The answer's side is in a file of its own for its length; the pair is imported from here. */
export { type FromChatOptions, MessagesFromChat } from './answer.ts';

/** Writes `tools`, `tool_choice` and `parallel_tool_calls`. */
function addTools(body: ChatRequest, request: MessagesRequest, toolNames: ToolNames, notes: Notes): void {
  const { tools, choice, single } = sentTools(request, toolNames, notes);
  if (tools.length > 0) body.tools = tools.map((tool) => ({ type: 'function', function: tool }));
  if (single) body.parallel_tool_calls = false;
  if (choice !== null)
    body.tool_choice = typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
