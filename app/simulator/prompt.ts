import { isObject, type JsonObject } from '../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from './json.ts';
import { type GivenPage, givenPages, type HostedSearch, hostedSearch, isHostedSearch, type Searched } from './pages.ts';

/** How the model says that a step needs a tool it was not offered. */
export const notOffered = 'I was not offered';

/** A request as the simulated model understands it, whatever its wire format. */
export interface Prompt {
  model: string;
  system: string;
  /** The newest words of the person, without reminders of the client. */
  words: string;
  /** Reminders of the newest user turn, for those turns that hold nothing else. */
  reminders: string;
  /** Texts of the newest user turn's tool results. */
  results: string[];
  /**
   * The words that began the turn, how many answers followed them, and whether the newest looked for a tool; absent:
   * this is the first.
   */
  turn?: { words: string; answers: number; hasLooked: boolean } | null;
  tools: OfferedTool[];
  toolChoice: { kind: 'auto' | 'any' | 'none' } | { kind: 'tool'; name: string };
  parallel: boolean;
  maxTokens: number | null;
  /** Thinking is switched on. */
  thinks: boolean;
  stopSequences: string[];
  /** The answer has to be JSON of this schema. */
  schema: JsonObject | null;
  /** Pages in the newest results, which the model may cite. */
  pages?: GivenPage[];
  /** The service itself can search the web for it. */
  hostedSearch?: HostedSearch | null;
}

export interface OfferedTool {
  name: string;
  schema: JsonObject;
}

export type Thought =
  | { kind: 'thinking'; text: string }
  | { kind: 'text'; text: string; searched?: Searched; cited?: GivenPage }
  | { kind: 'call'; name: string; input: unknown };

export interface Answer {
  thoughts: Thought[];
  stop: 'end' | 'calls' | 'length' | 'sequence';
  /** The sequence that ended it. */
  sequence: string | null;
}

/** A Messages request as the simulated model reads it. */
export function messagesPrompt(body: JsonObject): Prompt {
  const newest = newestUserTurn(body);
  const texts = newest.flatMap((message) => textsOf(message.content));
  const toolChoice = asObject(body.tool_choice);
  const thinking = asText(asObject(body.thinking).type);
  const format = asObject(asObject(body.output_config).format);
  return {
    model: asText(body.model) ?? '',
    system: textsOf(body.system).join('\n'),
    ...wordsIn(texts),
    results: newest.flatMap((message) => resultsOf(message.content)),
    turn: turnOf(body),
    pages: newestPages(body, newest),
    tools: offeredTools(body),
    toolChoice: readToolChoice(toolChoice),
    parallel: toolChoice.disable_parallel_tool_use !== true,
    maxTokens: asNumber(body.max_tokens),
    thinks: thinking === 'enabled' || thinking === 'adaptive',
    stopSequences: asList(body.stop_sequences).filter((sequence) => typeof sequence === 'string'),
    schema: format.type === 'json_schema' ? asObject(format.schema) : null,
  };
}

/** What the client itself puts beside the words of a person: reminders, and traces of commands run locally. */
const notes =
  /<(system-reminder|tools-used-before-summary|local-command-[a-z]+|command-(?:name|message|args))>[\s\S]*?<\/\1>/g;

/** The client's own notes to the model, taken out of a text. */
function withoutNotes(text: string): string {
  return text.replace(notes, '').trim();
}

/** What the person wrote, and what the client put beside it. */
function wordsIn(texts: readonly string[]): Pick<Prompt, 'words' | 'reminders'> {
  return {
    words: texts
      .map(withoutNotes)
      .filter((text) => text !== '')
      .join('\n'),
    reminders: texts.filter((text) => text.includes('<system-reminder>')).join('\n'),
  };
}

/** The user messages since the last answer. */
function newestUserTurn(body: JsonObject): JsonObject[] {
  const messages = asList(body.messages).filter(isObject);
  const after = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(after + 1).filter((message) => message.role === 'user');
}

/** The turn under way: all messages since the last words of a person that came without a tool result. */
function turnOf(body: JsonObject): NonNullable<Prompt['turn']> {
  const messages = asList(body.messages).filter(isObject);
  const wordsOf = ({ role, content }: JsonObject): string => {
    if (role !== 'user' || resultsOf(content).length > 0) return '';
    return textsOf(content).map(withoutNotes).join('\n').trim();
  };
  const began = messages.findLastIndex((message) => wordsOf(message) !== '');
  const since = messages.slice(began + 1).filter(({ role }) => role === 'assistant');
  // To look for a tool is no step of its own: what was wanted of it comes after.
  const looks = ({ content }: JsonObject): boolean =>
    asList(content).some((block) => asObject(block).name === 'ToolSearch');
  const newest = since.at(-1);
  return {
    words: began < 0 ? '' : wordsOf(messages[began] ?? {}),
    answers: since.filter((message) => !looks(message)).reduce((sum, message) => sum + stepsIn(message), 0),
    hasLooked: newest !== undefined && looks(newest),
  };
}

/** A step that could not be done is said in the answer of the next one. */
function stepsIn({ content }: JsonObject): number {
  const isCalling = asList(content).some((block) => asObject(block).type === 'tool_use');
  return 1 + (isCalling ? textsOf(content).filter((text) => text.startsWith(notOffered)).length : 0);
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return asList(content)
    .filter(isObject)
    .filter((block) => block.type === 'text')
    .map((block) => asText(block.text) ?? '');
}

function resultsOf(content: unknown): string[] {
  return asList(content)
    .filter(isObject)
    .filter((block) => block.type === 'tool_result')
    .map((block) => withoutNotes(textsOf(block.content).join('\n')));
}

/** Deferred tools count only once a result has named them. */
function offeredTools(body: JsonObject): Prompt['tools'] {
  const tools = asList(body.tools).filter(isObject);
  const deferred = tools.filter((tool) => tool.defer_loading === true);
  const named = deferred.length === 0 ? new Set<unknown>() : referencedTools(body);
  return tools
    .filter((tool) => tool.defer_loading !== true || named.has(tool.name))
    .map((tool) => ({ name: asText(tool.name) ?? '', schema: asObject(tool.input_schema) }));
}

function referencedTools(body: JsonObject): Set<unknown> {
  const named = new Set<unknown>();
  for (const message of asList(body.messages)) {
    for (const block of asList(asObject(message).content)) {
      for (const part of asList(asObject(block).content)) {
        if (isObject(part) && part.type === 'tool_reference') named.add(part.tool_name);
      }
    }
  }
  return named;
}

function readToolChoice(choice: JsonObject): Prompt['toolChoice'] {
  if (choice.type === 'tool') return { kind: 'tool', name: asText(choice.name) ?? '' };
  if (choice.type === 'any' || choice.type === 'none') return { kind: choice.type };
  return { kind: 'auto' };
}

/** Pages that may be cited. */
function newestPages(body: JsonObject, newest: readonly JsonObject[]): GivenPage[] {
  const partsOf = (messages: readonly unknown[]): unknown[] =>
    messages
      .flatMap((message) => asList(asObject(message).content))
      .flatMap((block) => (asObject(block).type === 'tool_result' ? asList(asObject(block).content) : [block]))
      .filter((block) => asObject(asObject(block).citations).enabled === true);
  const all = partsOf(asList(body.messages)).length;
  const parts = partsOf(newest);
  return givenPages(parts, all - parts.length);
}

/** A Chat Completions request as the simulated model reads it. */
export function chatPrompt(body: JsonObject): Prompt {
  const messages = asList(body.messages).filter(isObject);
  const newest = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
  const said = (role: string): string[] =>
    newest.filter((message) => message.role === role).flatMap((message) => textsOf(message.content));
  const system = messages.filter((message) => message.role === 'system' || message.role === 'developer');
  const format = asObject(body.response_format);
  const words = said('user');
  return {
    model: asText(body.model) ?? '',
    system: system.flatMap((message) => textsOf(message.content)).join('\n'),
    ...wordsIn(words),
    results: said('tool').map(withoutNotes),
    tools: asList(body.tools)
      .map((tool) => asObject(asObject(tool).function))
      .map((tool) => ({ name: asText(tool.name) ?? '', schema: asObject(tool.parameters) })),
    toolChoice: openaiToolChoice(body.tool_choice, asObject(body.tool_choice).function),
    parallel: body.parallel_tool_calls !== false,
    maxTokens: asNumber(body.max_tokens) ?? asNumber(body.max_completion_tokens),
    thinks: body.reasoning_effort !== undefined && body.reasoning_effort !== 'none',
    stopSequences:
      typeof body.stop === 'string' ? [body.stop] : asList(body.stop).filter((one) => typeof one === 'string'),
    schema: schemaOf(format),
  };
}

/** `json_object` takes any. */
function schemaOf(format: JsonObject): JsonObject | null {
  if (format.type === 'json_object') return {};
  return format.type === 'json_schema' ? asObject(asObject(format.json_schema).schema) : null;
}

/** @param tool where the name of a chosen tool is */
function openaiToolChoice(choice: unknown, tool: unknown): Prompt['toolChoice'] {
  if (choice === 'required') return { kind: 'any' };
  if (choice === 'none') return { kind: 'none' };
  const name = asText(asObject(tool).name);
  return name === null ? { kind: 'auto' } : { kind: 'tool', name };
}

/** A Responses request as the simulated model reads it. */
export function responsesPrompt(body: JsonObject): Prompt {
  const items = inputItems(body);
  const newest = items.slice(items.findLastIndex(isAnswer) + 1);
  const words = newest.filter((item) => item.role === 'user').flatMap((item) => partTexts(item.content));
  const system = items.filter((item) => item.role === 'system' || item.role === 'developer');
  const format = asObject(asObject(body.text).format);
  const effort = asText(asObject(body.reasoning).effort);
  return {
    model: asText(body.model) ?? '',
    system: [asText(body.instructions) ?? '', ...system.flatMap((item) => partTexts(item.content))].join('\n'),
    ...wordsIn(words),
    results: newest
      .filter((item) => item.type === 'function_call_output')
      .map((item) => withoutNotes(partTexts(item.output).join('\n'))),
    tools: asList(body.tools)
      .filter((tool) => !isHostedSearch(tool))
      .map(asObject)
      .map((tool) => ({ name: asText(tool.name) ?? '', schema: asObject(tool.parameters) })),
    toolChoice: openaiToolChoice(body.tool_choice, body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    maxTokens: asNumber(body.max_output_tokens),
    thinks: effort !== null && effort !== 'none',
    stopSequences: [],
    hostedSearch: body.tool_choice === 'none' ? null : hostedSearch(asList(body.tools)),
    schema: format.type === 'json_object' ? {} : format.type === 'json_schema' ? asObject(format.schema) : null,
  };
}

/** A plain string is one message of the user. */
export function inputItems(body: JsonObject): JsonObject[] {
  const { input } = body;
  return typeof input === 'string'
    ? [{ type: 'message', role: 'user', content: input }]
    : asList(input).filter(isObject);
}

/** What the model itself has written. */
export function isAnswer(item: JsonObject): boolean {
  const { role, type } = item;
  return role === 'assistant' || type === 'function_call' || type === 'reasoning' || type === 'web_search_call';
}

/** Parts of any type that have a text. */
function partTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return asList(content)
    .map((part) => asText(asObject(part).text))
    .filter((text) => text !== null);
}
