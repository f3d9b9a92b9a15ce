import type { FitNote } from '../../../api/exchange.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { ClientToolCalls } from '../../../formats/responses/client-tool-calls.ts';
import { plainFunctions } from '../../../formats/responses/client-tools.ts';
import { ResponsesCollector } from '../../../formats/responses/collector.ts';
import { ResponsesRelay } from '../../../formats/responses/relay.ts';
import { thinkingOf } from '../../../formats/responses-via-messages/thinking.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { drop, dropQuietly, effort, type FieldRule, only, outputTokens, pass, refuseField } from '../openai/fields.ts';
import { passedThrough } from '../openai/pass-through.ts';
import type { OpenaiContext, OpenaiPlan } from '../openai/plan.ts';
import { fitResponsesImages } from './images.ts';
import { toolChoice, tools } from './tools.ts';

/*
 * Responses to a model that has them. docs/openai-fields.md has a row for every field; the rules stand here. A field
 * without a rule goes on as it came.
 */

/** Copilot refuses less (`Expected a value >= 16`). */
const leastOutputTokens = 16;

const reasoning: FieldRule = (value, model) => {
  if (!isObject(value)) return pass;
  const fate = effort('reasoning.effort')(value.effort, model);
  if (fate.kind === 'pass' || fate.kind === 'refuse') return fate;
  const { effort: _effort, ...rest } = value;
  const changed = fate.kind === 'change' ? { ...rest, effort: fate.value } : rest;
  return { kind: 'change', value: changed, note: fate.note };
};

/**
 * Ids are bound to what was encrypted with them, and Copilot gives an item another one with every event: items are
 * taken without. Reasoning of a Claude, which a conversation may hold that began with one, could not be read here.
 */
const input: FieldRule = (value) => {
  if (!Array.isArray(value)) return pass;
  const readable: unknown[] = value.filter((item: unknown) => !isObject(item) || thinkingOf(item) === null);
  const bare = readable.map((item) => {
    if (!isObject(item) || typeof item.id !== 'string') return item;
    const { id: _id, ...rest } = item;
    return rest;
  });
  const note = readable.length === value.length ? null : 'foreign reasoning removed';
  return { kind: 'change', value: bare, note };
};

export const responsesRules: Readonly<Record<string, FieldRule>> = {
  // Written by `planResponses`.
  model: () => pass,
  stream: () => pass,
  input,
  tools,
  tool_choice: toolChoice,
  reasoning,
  max_output_tokens: outputTokens('max_output_tokens', leastOutputTokens),
  store: only([false], 'no responses are kept here or at Copilot. Send false.'),
  previous_response_id: only(
    [],
    'no responses are kept here. Send the whole conversation as input.',
    'previous_response_not_found',
  ),
  conversation: only([], 'no conversations are kept here. Send the whole conversation as input.'),
  prompt: only([], 'no prompt templates are kept here. Send input.'),
  background: only([false], 'answers are not kept, so they cannot be fetched later. Leave it out.'),
  service_tier: only(['auto', 'default'], 'Copilot has one tier. Leave it out.'),
  stream_options: () => dropQuietly,
  metadata: drop('metadata'),
  client_metadata: drop('client_metadata'),
  user: drop('user'),
  safety_identifier: drop('safety_identifier'),
  prompt_cache_key: drop('prompt_cache_key'),
  prompt_cache_retention: drop('prompt_cache_retention'),
};

/** What is looked at before a model is known. Throws `Stopped`. */
export function readResponses(body: unknown): JsonObject & { model: string } {
  if (!isObject(body)) throw refuseField('body', 'a JSON object is required.', 'invalid_body');
  const { model, input: asked } = body;
  if (typeof model !== 'string' || model === '') throw refuseField('model', 'a string is required.', 'invalid_type');
  if (typeof asked !== 'string' && !Array.isArray(asked) && !hasOther(body))
    throw refuseField('input', 'a string or a list of items is required.', 'invalid_type');
  return { ...body, model };
}

/** Refused by their own names, which say more. */
function hasOther({ prompt, conversation, previous_response_id: previous }: JsonObject): boolean {
  return isObject(prompt) || conversation !== undefined || typeof previous === 'string';
}

/** The client's own body for Copilot's `/responses`, with functions alone. Always streamed, and never stored. */
export function planResponses(
  request: JsonObject & { model: string },
  model: CatalogModel,
  context: OpenaiContext,
): OpenaiPlan {
  const { input, vision, notes } = fitResponsesImages(request.input, model);
  const fit = input === request.input ? request : { ...request, input };
  return passedThrough({ request: fit, rules: responsesRules, model, path: '/responses', context }, (fitted) => {
    const { body, tools: clientTools } = plainFunctions(fitted);
    if (body.tools === undefined) delete body.tool_choice;
    const reader = new ResponsesRelay({ model: request.model });
    return {
      body: { ...body, model: model.id, stream: true, store: false },
      vision,
      notes: clientTools.none ? notes : [...notes, toldAsFunctions],
      reader: clientTools.none ? reader : new ClientToolCalls(reader, clientTools),
      collector: () => new ResponsesCollector(),
      failureEvents: reader.failure,
    };
  });
}

export const toldAsFunctions: FitNote = {
  code: 'tools-as-functions',
  count: 1,
  text: 'custom tools and namespaces told as functions',
};
