import type { LmRequest, LmTextPart, LmTool } from '../lm/language-model.ts';
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
import { isObject, type JsonObject } from '../wire/json.ts';
import { lmConversation } from './conversation.ts';

/*
 * OpenAI Chat Completions ⇄ VS Code's language-model API (`vscode.lm`), which brings a request to Copilot for an
 * extension. The request stands here (its messages in conversation.ts), the answer in answer.ts.
 * Clients of Messages and Responses come here by way of Chat Completions.
 *
 * request                                   language-model API
 * system, developer                         a User message in its place: there is no role for it
 * user: text, image_url                     text part, image; of a data URL that holds an image
 * user: audio, file                         refused: there is no place for it
 * assistant: content, refusal, tool_calls   text parts, tool call parts; arguments that are no JSON object are refused
 * assistant: reasoning_text and _opaque     gone
 * tool: text, image_url                     tool result part; results in a row share one message
 * tools                                     name, description, schema without $schema
 * tool_choice none, one function            no tools; that tool alone, required
 * tool_choice required                      required where there is one tool; else gone, for VS Code refuses it
 * parallel_tool_calls                       gone
 * max_completion_tokens, max_tokens         modelOptions.max_tokens
 * temperature, top_p, penalties             modelOptions; Copilot's extension drops them for Claude and GPT-5
 * stop                                      gone; the answer is cut here
 * response_format                           words behind the system
 * n above 1, logprobs, logit_bias           refused
 *
 * Lost by name, with a note: what is gone in this table, and every field that is not in it.
 *
 * answer                                    chat
 * text, thinking                            content, reasoning_text
 * tool call                                 tool_calls, each in one piece
 * data of type usage                        usage, copilot_usage
 * end                                       stop, tool_calls; length where answer.ts says so
 * other data and parts not in this table    gone
 */

type ChatToLm = Placed<{
  request: LmRequest;
  notes: FitNote[];
  /** The API takes none: for `ChatFromLm`. */
  stops: string[];
  /** Null if the client named none. */
  maxTokens: number | null;
}>;

/** The client's request for VS Code. Pure; of a body in today's form. */
export function chatToLm(body: JsonObject): ChatToLm {
  const notes = new Notes();
  return placed(() => {
    const translated = translate(body, notes);
    const stops = stopsOf(body.stop, notes);
    return { ...translated, stops, notes: notes.list() };
  });
}

function translate(body: JsonObject, notes: Notes): { request: LmRequest; maxTokens: number | null } {
  refuseWithoutPlace(body);
  const messages = lmConversation(
    listOf(body.messages, 'messages'),
    wordsForFormat(body.response_format, notes),
    notes,
  );
  if (messages.length === 0)
    throw new UnsupportedFieldError('messages', 'at least one message that says something is required.');
  const maxTokens =
    numberOf(body.max_completion_tokens, 'max_completion_tokens') ?? numberOf(body.max_tokens, 'max_tokens');
  const options: JsonObject = maxTokens === null ? {} : { max_tokens: maxTokens };
  for (const field of sampling) if (isGiven(body[field])) options[field] = numberOf(body[field], field);
  for (const field of Object.keys(body))
    if (!known.has(field) && isGiven(body[field])) notes.add('field-dropped', `${field} removed`);
  return { request: { messages, ...lmTools(body, notes), options }, maxTokens };
}

const sampling = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'] as const;
const known: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'stop'],
  ...['tools', 'tool_choice', 'response_format', 'n', 'logprobs', 'top_logprobs', 'logit_bias', ...sampling],
]);

/** What would change the answer, unless it asks for what is done without it as well. */
function refuseWithoutPlace({ n, logprobs, top_logprobs: top, logit_bias: bias }: JsonObject): void {
  const refuse = (field: string, what: string): never => {
    throw new UnsupportedFieldError(field, `VS Code’s language-model API ${what}. Leave it out.`);
  };
  if (isGiven(n) && n !== 1) refuse('n', 'gives one answer');
  if (isGiven(logprobs) && logprobs !== false) refuse('logprobs', 'gives no log probabilities');
  if (isGiven(top) && top !== 0) refuse('top_logprobs', 'gives no log probabilities');
  if (isObject(bias) && Object.keys(bias).length > 0) refuse('logit_bias', 'takes none');
}

function stopsOf(stop: unknown, notes: Notes): string[] {
  if (!isGiven(stop)) return [];
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  return stops.map((each) => {
    if (typeof each !== 'string') throw new UnsupportedFieldError('stop', 'a string or a list of strings is required.');
    notes.add('stop-cut-locally', 'stop sequence cut locally');
    return each;
  });
}

const askForJson = 'Answer with exactly one JSON object: nothing before it, nothing after it, and no code fence.';

/** The API has no format of answers: it is asked for in words. */
function wordsForFormat(format: unknown, notes: Notes): LmTextPart | null {
  if (!isGiven(format)) return null;
  if (!isObject(format)) throw new UnsupportedFieldError('response_format', 'an object is required.');
  if (format.type === 'text') return null;
  const ask = (words: string): LmTextPart => {
    notes.add('json-in-words', `response_format ${String(format.type)} asked for in words`);
    return { kind: 'text', text: words };
  };
  if (format.type === 'json_object') return ask(askForJson);
  if (format.type !== 'json_schema')
    throw new UnsupportedFieldError('response_format.type', 'text, json_object and json_schema are known.');
  const { json_schema: wanted } = format;
  if (!isObject(wanted) || !isObject(wanted.schema))
    throw new UnsupportedFieldError('response_format.json_schema.schema', 'an object is required.');
  return ask(`${askForJson} It has to fit this JSON Schema:\n${JSON.stringify(wanted.schema)}`);
}

const namePattern = /^[\w-]+$/;

/** The tools of a chat request, as far as one of them may or has to be called. */
function lmTools(body: JsonObject, notes: Notes): Pick<LmRequest, 'tools' | 'required'> {
  const declared = listOf(body.tools, 'tools').map((tool, at) => lmTool(tool, `tools[${at}]`, notes));
  const { tool_choice: choice } = body;
  if (!isGiven(choice) || choice === 'auto') return { tools: declared, required: false };
  if (choice === 'none') {
    if (declared.length > 0) notes.add('tools-removed', 'tool_choice none: tools not sent');
    return { tools: [], required: false };
  }
  if (choice === 'required') {
    // VS Code: "LanguageModelChatToolMode.Required not supported with more than one tool".
    if (declared.length > 1) notes.add('field-dropped', 'tool_choice required with several tools removed');
    return { tools: declared, required: declared.length === 1 };
  }
  const name = isObject(choice) && isObject(choice.function) ? choice.function.name : null;
  const chosen = declared.filter((tool) => tool.name === name);
  if (chosen.length !== 1)
    throw new UnsupportedFieldError('tool_choice', 'auto, none, required and one function are known.');
  if (declared.length > 1) notes.add('tools-removed', 'tool_choice of one function: the others not sent');
  return { tools: chosen, required: true };
}

function lmTool(tool: unknown, place: string, notes: Notes): LmTool {
  const declared = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : null;
  if (declared === null) throw new UnsupportedFieldError(`${place}.type`, 'only functions are known.');
  const { name, description, parameters, ...rest } = declared;
  const named = textOf(name, `${place}.function.name`);
  if (!namePattern.test(named))
    throw new UnsupportedFieldError(`${place}.function.name`, 'letters, digits, underscores and hyphens are required.');
  for (const [field, value] of Object.entries(rest))
    if (isGiven(value) && value !== false) notes.add('field-dropped', `tools.function.${field} removed`);
  const made: LmTool = { name: named, description: typeof description === 'string' ? description : '' };
  if (!isGiven(parameters)) return made;
  if (!isObject(parameters))
    throw new UnsupportedFieldError(`${place}.function.parameters`, 'a JSON Schema is required.');
  const { $schema: _, ...inputSchema } = parameters;
  return { ...made, inputSchema };
}
