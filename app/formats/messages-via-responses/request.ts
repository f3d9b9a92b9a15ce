import type { MessagesRequest } from '../messages/request.ts';
import type { TranslationRefusal } from '../messages-via/block-reader.ts';
import { chooseEffort, noteLostFields, sampling } from '../messages-via/fields.ts';
import { sentTools } from '../messages-via/sent-tools.ts';
import type { ResponsesRequest } from '../responses/request.ts';
import { type FitNote, Notes } from '../translation/note.ts';
import { ToolNames } from '../translation/tool-names.ts';
import { isObject } from '../wire/json.ts';
import { ResponsesConversation } from './conversation.ts';

/*
 * Anthropic Messages ⇄ OpenAI Responses. The request stands here (its messages in conversation.ts), the answer in
 * answer.ts (its items in ../responses/items.ts).
 *
 * request                                   responses
 * model                                     the same
 * max_tokens                                max_output_tokens, at least 16
 * temperature, top_p                        the same; gone for models that reason
 * system                                    instructions, blocks joined by a blank line
 * user: text, image                         input_text, input_image (data URL) in one message
 * user: tool_result                         function_call_output with its text, before the user's own words; its images
 *                                           in a user message after all
 * user: document with text, search_result   input_text
 * user: document as PDF, by URL or file     refused: the translation has no place for it
 * assistant: text                           output_text
 * assistant: tool_use                       function_call
 * assistant: thinking of this path          reasoning item: text as its summary, signature as encrypted_content; only
 *                                           to the model that wrote it
 * system among the messages                 system message in its place, never between a call and its result
 * tools                                     functions, strict where `strictTools` says so; schema without $schema, of
 *                                           type object. Deferred ones once a tool_reference names them
 * tool_reference in a result                text "Tool loaded: name"
 * tool_choice                               auto, required, function, none; disable_parallel_tool_use →
 *                                           parallel_tool_calls false
 * stop_sequences                            not sent: cut on the way back
 * output_config.effort, else thinking       reasoning.effort, clamped to the model's list; summary auto unless the
 *                                           client wants none
 * output_config.format, verbosity           text.format json_schema (json_object), text.verbosity
 * stream                                    always true; store false, include reasoning.encrypted_content
 *
 * Lost by name, with a note: metadata, service_tier, context_management, top_k, thinking of others, is_error, strict,
 * the API's own tools, citations settings, every field and block not in this table. Without a note, as nothing of it is
 * missed: cache_control.
 *
 * answer                                    messages
 * reasoning item                            thinking block: summary (else reasoning text), parts joined by a blank
 *                                           line; its signature carries encrypted_content with a mark of ours
 * output_text, refusal                      text block, one for each message item
 * function_call                             tool_use, arguments as input_json_delta
 * response.completed                        end_turn, with calls tool_use, with a refusal refusal
 * response.incomplete: max_output_tokens    max_tokens
 * response.incomplete: content_filter       refusal, with stop_details
 * response.failed, error                    failure
 * usage                                     input_tokens without cached ones, cache_read_input_tokens, output_tokens
 *                                           (reasoning included)
 * copilot_usage                             the same, on message_delta
 * item ids                                  gone: they change from event to event, output_index tells items apart
 * phase, annotations, logprobs, built-in tools' items   gone
 */

export interface ResponsesOptions {
  /** The upstream's name of the model. Absent: the request's. */
  model?: string;
  /** The efforts the model lists. Absent: the effort is sent as it is; an empty list: it is left out. */
  efforts?: readonly string[];
  /** `strict` of a tool is meant as this API means it: the client is one of OpenAI's. */
  strictTools?: boolean;
}

type ToResponses =
  | {
      ok: true;
      body: ResponsesRequest;
      notes: FitNote[];
      toolNames: ToolNames;
      /** Stop sequences that the upstream doesn't get: for `MessagesFromResponses`. */
      localStops: string[];
    }
  | TranslationRefusal;

/**
 * The client's request as a Responses request. Pure; the request is not changed, and nothing of it is copied that can
 * be shared.
 */
export function messagesToResponses(request: MessagesRequest, options: ResponsesOptions = {}): ToResponses {
  const notes = new Notes();
  const model = options.model ?? request.model;
  const toolNames = new ToolNames((request.tools ?? []).map(({ name }) => name));
  const conversation = new ResponsesConversation(model, toolNames, notes);
  const instructions = conversation.instructions(request.system);
  for (const [at, message] of request.messages.entries()) conversation.message(message, `messages.${at}`);
  const input = conversation.end();
  if (conversation.refusal !== null) return conversation.refusal;

  const body: ResponsesRequest = {
    model,
    ...(instructions === null ? {} : { instructions }),
    input,
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
  };
  addMaxTokens(body, request, notes);
  addReasoning(body, request, options, notes);
  addFormat(body, request, notes);
  addTools(body, request, options, toolNames, notes);
  const localStops = request.stop_sequences ?? [];
  for (const _ of localStops) notes.add('stop-cut-locally', 'stop sequence cut locally');
  noteLostFields(request, notes, ['verbosity']);
  for (let n = 0; n < toolNames.shortened; n++) notes.add('tool-name-shortened', 'tool name shortened');
  return { ok: true, body, notes: notes.list(), toolNames, localStops };
}

/** The API refuses less. */
const leastOutputTokens = 16;

function addMaxTokens(body: ResponsesRequest, request: MessagesRequest, notes: Notes): void {
  const { max_tokens: asked } = request;
  if (asked === undefined) return;
  body.max_output_tokens = Math.max(leastOutputTokens, asked);
  if (asked < leastOutputTokens) notes.add('max-tokens-raised', `max_tokens ${asked} → ${leastOutputTokens}`);
}

function addReasoning(body: ResponsesRequest, request: MessagesRequest, options: ResponsesOptions, notes: Notes): void {
  const effort = chooseEffort(request, options.efforts, notes);
  // A client that leaves thoughts out of its answers has no use for their summary.
  const silent = request.thinking?.display === 'omitted';
  if (effort !== null) body.reasoning = silent ? { effort } : { effort, summary: 'auto' };
  // Models that reason take no sampling values, whether an effort is sent or not.
  const reasons = effort !== null || (options.efforts ?? []).length > 0;
  Object.assign(body, sampling(request, !reasons, notes));
}

/**
 * A chat client's format may have a name of its own and be strict, and it may be `json_object`, which Messages does not
 * know.
 */
function addFormat(body: ResponsesRequest, request: MessagesRequest, notes: Notes): void {
  const { format, verbosity } = request.output_config ?? {};
  const text: ResponsesRequest['text'] = typeof verbosity === 'string' ? { verbosity } : {};
  if (isObject(format) && format.type === 'json_schema') {
    const { name, description, strict, schema } = format;
    text.format = {
      type: 'json_schema',
      name: typeof name === 'string' ? name : 'answer',
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof strict === 'boolean' ? { strict } : {}),
      schema,
    };
  } else if (isObject(format) && format.type === 'json_object') text.format = { type: 'json_object' };
  else if (format !== undefined && format !== null) notes.add('field-dropped', 'output_config.format removed');
  if (Object.keys(text).length > 0) body.text = text;
}

function addTools(
  body: ResponsesRequest,
  request: MessagesRequest,
  { strictTools = false }: ResponsesOptions,
  toolNames: ToolNames,
  notes: Notes,
): void {
  const { tools, choice, single } = sentTools(request, toolNames, notes, strictTools ? ['strict'] : []);
  if (tools.length > 0)
    body.tools = tools.map(({ strict = false, ...tool }) => ({ type: 'function', ...tool, strict }));
  if (single) body.parallel_tool_calls = false;
  if (choice !== null) body.tool_choice = typeof choice === 'string' ? choice : { type: 'function', name: choice.name };
}

/** The answer's side is in a file of its own for its length; the pair is imported from here. */
export { type FromResponsesOptions, MessagesFromResponses } from './answer.ts';
