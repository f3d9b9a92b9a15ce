import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from '../json.ts';
import { notOffered, type Prompt } from './prompt.ts';
import { type GivenPage, givenPages } from './web.ts';

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
    words: texts
      .map(withoutNotes)
      .filter((text) => text !== '')
      .join('\n'),
    reminders: texts.filter((text) => text.includes('<system-reminder>')).join('\n'),
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
export function withoutNotes(text: string): string {
  return text.replace(notes, '').trim();
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

export function textsOf(content: unknown): string[] {
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
