import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asNumber, asObject, asText } from '../json.ts';
import { textsOf, withoutNotes } from './messages-prompt.ts';
import type { Prompt } from './prompt.ts';

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
    words: words
      .map(withoutNotes)
      .filter((text) => text !== '')
      .join('\n'),
    reminders: words.filter((text) => text.includes('<system-reminder>')).join('\n'),
    results: said('tool').map(withoutNotes),
    tools: asList(body.tools)
      .map((tool) => asObject(asObject(tool).function))
      .map((tool) => ({ name: asText(tool.name) ?? '', schema: asObject(tool.parameters) })),
    toolChoice: readToolChoice(body.tool_choice),
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

function readToolChoice(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'required') return { kind: 'any' };
  if (choice === 'none') return { kind: 'none' };
  const name = asText(asObject(asObject(choice).function).name);
  return name === null ? { kind: 'auto' } : { kind: 'tool', name };
}
