import type { FitNote } from '../../../api/exchange.ts';
import { Notes } from '../../../formats/translation/note.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { without } from '../../fits/copy-on-write.ts';
import type { Learned } from '../../fits/learned.ts';
import type { OptionalParameter } from '../../fits/optional-parameters.ts';
import { withoutField } from '../../fits/unknown-fields.ts';
import { isHostedSearch } from './hosted-search.ts';

/**
 * The body without what the model was seen to refuse, and without reasoning that no model can decrypt any more. The
 * very same where there is none of it.
 */
export function withoutRefused(body: JsonObject, learned: Learned | null): { body: JsonObject; notes: FitNote[] } {
  if (learned === null) return { body, notes: [] };
  const notes = new Notes();
  let next = body;
  for (const parameter of learned.refusedParameters) {
    const without = takeOut(next, parameter);
    if (without === next) continue;
    next = without;
    notes.add('refused-field-removed', noteOf(parameter));
  }
  const { input } = next;
  if (Array.isArray(input)) {
    const readable: unknown[] = input.filter((item: unknown) => !isRefused(item, learned));
    for (let at = readable.length; at < input.length; at++) notes.add('refused-thinking-removed', 'reasoning removed');
    if (readable.length < input.length) next = { ...next, input: readable };
  }
  return { body: next, notes: notes.list() };
}

function noteOf(parameter: OptionalParameter): string {
  return parameter === 'max_tokens' ? 'max_tokens sent as max_completion_tokens' : `${parameter} removed`;
}

function isRefused(item: unknown, learned: Learned): boolean {
  return (
    isObject(item) &&
    item.type === 'reasoning' &&
    typeof item.encrypted_content === 'string' &&
    learned.refusesThinking(item.encrypted_content)
  );
}

function takeOut(body: JsonObject, parameter: OptionalParameter): JsonObject {
  switch (parameter) {
    case 'max_tokens': {
      const { max_tokens: tokens, ...rest } = body;
      return tokens === undefined ? body : { max_completion_tokens: tokens, ...rest };
    }
    case 'tools.web_search':
      return withoutSearch(body);
    case 'tools.strict':
    case 'tools.function.strict':
      return withoutStrict(body);
    default:
      return withoutField(body, parameter);
  }
}

/** Not strict is said with Responses, which takes a schema for strict where nothing is. */
function withoutStrict(body: JsonObject): JsonObject {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  let changed = false;
  const loose = tools.map((tool: unknown): unknown => {
    if (!isObject(tool)) return tool;
    const declared = isObject(tool.function) ? tool.function : tool;
    if (declared.strict !== true) return tool;
    changed = true;
    return declared === tool ? { ...tool, strict: false } : { ...tool, function: without(declared, 'strict') };
  });
  return changed ? { ...body, tools: loose } : body;
}

function withoutSearch(body: JsonObject): JsonObject {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  const kept: unknown[] = tools.filter((tool: unknown) => !isHostedSearch(tool));
  if (kept.length === tools.length) return body;
  const { tools: _tools, tool_choice: choice, ...rest } = body;
  if (kept.length === 0) return rest;
  const chosen = choice === undefined || isHostedSearch(choice) ? {} : { tool_choice: choice };
  return { ...rest, tools: kept, ...chosen };
}
