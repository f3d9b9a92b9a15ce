import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from '../json.ts';
import { withoutNotes } from './messages-prompt.ts';
import type { Prompt } from './prompt.ts';
import { hostedSearch, isHostedSearch } from './web.ts';

/** A Responses request as the simulated model reads it. */
export function responsesPrompt(body: JsonObject): Prompt {
  const items = inputItems(body);
  const newest = items.slice(items.findLastIndex(isAnswer) + 1);
  const words = newest.filter((item) => item.role === 'user').flatMap((item) => textsOf(item.content));
  const system = items.filter((item) => item.role === 'system' || item.role === 'developer');
  const format = asObject(asObject(body.text).format);
  const effort = asText(asObject(body.reasoning).effort);
  return {
    model: asText(body.model) ?? '',
    system: [asText(body.instructions) ?? '', ...system.flatMap((item) => textsOf(item.content))].join('\n'),
    words: words
      .map(withoutNotes)
      .filter((text) => text !== '')
      .join('\n'),
    reminders: words.filter((text) => text.includes('<system-reminder>')).join('\n'),
    results: newest
      .filter((item) => item.type === 'function_call_output')
      .map((item) => withoutNotes(textsOf(item.output).join('\n'))),
    tools: asList(body.tools)
      .filter((tool) => !isHostedSearch(tool))
      .map(asObject)
      .map((tool) => ({ name: asText(tool.name) ?? '', schema: asObject(tool.parameters) })),
    toolChoice: readToolChoice(body.tool_choice),
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

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return asList(content)
    .map((part) => asText(asObject(part).text))
    .filter((text) => text !== null);
}

function readToolChoice(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'required') return { kind: 'any' };
  if (choice === 'none') return { kind: 'none' };
  const name = asText(asObject(choice).name);
  return name === null ? { kind: 'auto' } : { kind: 'tool', name };
}
