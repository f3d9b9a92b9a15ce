import type { FitNote } from '../../api/exchange.ts';
import { type CatalogModel, searchesTheWeb } from '../../copilot/model-entry.ts';
import { ClientToolCalls, plainFunctions } from '../../formats/responses/client-tools.ts';
import { ResponsesRelay } from '../../formats/responses/relay.ts';
import { thinkingOf } from '../../formats/translation/reasoning.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { leaveOutImages, type OpenaiContext, type OpenaiPlan, passedThrough, type SeenImage } from './openai.ts';
import {
  drop,
  dropQuietly,
  effort,
  type FieldAction,
  type FieldRule,
  only,
  outputTokens,
  pass,
  passOn,
  refuseField,
} from './openai-fields.ts';
import { isHostedSearch } from './openai-search.ts';

/** Tools that OpenAI's service runs itself. Copilot runs only web search, and only for OpenAI's models. */
const hosted = /^(?:web_search|file_search|code_interpreter|image_generation|mcp$|tool_search$)/;

/** Told as functions by `plainFunctions`, where they are none. */
const ofTheClient: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/**
 * Tools that only OpenAI's own service runs are taken out: Codex always offers `web_search`, and gets along
 * without. A tool that the client would run in a way that only OpenAI's models know is refused by its place, since the
 * client relies on it. Copilot takes functions and its own search alone (`Invalid value for 'tools[4].type'`).
 */
const tools: FieldRule = (value, model): FieldAction => {
  if (!Array.isArray(value)) return pass;
  const kept: unknown[] = [];
  const removed = new Set<string>();
  for (const [at, tool] of value.entries()) {
    const type = isObject(tool) ? tool.type : undefined;
    if (ofTheClient.has(type) || isRun(tool, model)) kept.push(tool);
    else if (typeof type === 'string' && hosted.test(type)) removed.add(type);
    else
      throw refuseField(
        `tools[${at}].type`,
        'Copilot knows functions, custom tools and namespaces, not ' +
          `${typeof type === 'string' ? type : 'a tool without a type'}. Leave it out.`,
      );
  }
  if (removed.size === 0) return pass;
  const note = `tools of OpenAI’s service removed: ${[...removed].join(', ')}`;
  return kept.length === 0 ? { kind: 'drop', note } : { kind: 'change', value: kept, note };
};

const choices: ReadonlySet<unknown> = new Set(['function', 'custom', 'allowed_tools']);

/** A tool that was taken out cannot be chosen. */
const toolChoice: FieldRule = (value, model): FieldAction =>
  !isObject(value) || choices.has(value.type) || isRun(value, model)
    ? pass
    : { kind: 'refuse', message: `a tool of the type ${String(value.type)} is not there to be chosen.` };

function isRun(tool: unknown, model: CatalogModel): boolean {
  return isHostedSearch(tool) && searchesTheWeb(model);
}

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
 * Items are sent without ids: an id belongs to the encrypted content beside it, and Copilot gives an item another id
 * with every event. Reasoning of a Claude model is left out, since this model can't read it.
 */
const input: FieldRule = (value) => {
  if (!Array.isArray(value)) return pass;
  const readable: unknown[] = value.filter(
    (item: unknown) => !isObject(item) || item.encrypted_content === undefined || thinkingOf(item) === null,
  );
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
  model: passOn,
  stream: passOn,
  input,
  tools,
  tool_choice: toolChoice,
  reasoning,
  max_output_tokens: outputTokens('max_output_tokens', leastOutputTokens),
  store: only([false], 'no responses are stored here or at Copilot. Send false.'),
  previous_response_id: only(
    [],
    'no responses are stored here. Send the whole conversation as input.',
    'previous_response_not_found',
  ),
  conversation: only([], 'no conversations are stored here. Send the whole conversation as input.'),
  prompt: only([], 'no prompt templates are stored here. Send input.'),
  background: only([false], 'answers are not stored, so they cannot be fetched later. Leave it out.'),
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
      notes: clientTools.none ? notes : [...notes, sentAsFunctions],
      reader: clientTools.none ? reader : new ClientToolCalls(reader, clientTools),
      failureEvents: reader.failure,
    };
  });
}

export const sentAsFunctions: FitNote = {
  code: 'tools-as-functions',
  count: 1,
  text: 'custom tools and namespaces sent as functions',
};

/** Where an item holds parts: what was said, and what a function gave back. */
const holders = ['content', 'output'] as const;

/**
 * The images of a Responses request as the model takes them; the very same input where there is nothing to do. Throws
 * `Stopped`.
 */
export function fitResponsesImages(
  input: unknown,
  model: CatalogModel,
): { input: unknown; vision: boolean; notes: FitNote[] } {
  if (!Array.isArray(input)) return { input, vision: false, notes: [] };
  const items: readonly unknown[] = input;
  const seen: SeenImage[] = [];
  for (const [at, item] of items.entries()) {
    if (!isObject(item)) continue;
    const attached = at === items.length - 1 && item.role === 'user';
    for (const holder of holders) {
      const parts: unknown = item[holder];
      if (!Array.isArray(parts)) continue;
      for (const [index, part] of parts.entries())
        if (isImage(part))
          seen.push({ url: part.image_url, place: `input[${at}].${holder}[${index}].image_url`, attached });
    }
  }
  if (seen.length === 0) return { input, vision: false, notes: [] };
  const { texts, notes } = leaveOutImages(seen, model);
  const vision = seen.length > texts.size;
  if (texts.size === 0) return { input, vision, notes };
  let count = 0;
  const fitted = items.map((item) => {
    if (!isObject(item)) return item;
    let changed: JsonObject = item;
    for (const holder of holders) {
      const parts: unknown = item[holder];
      if (!Array.isArray(parts)) continue;
      const replaced = parts.map((part: unknown): unknown => {
        const text = isImage(part) ? texts.get(count++) : undefined;
        return text === undefined ? part : { type: 'input_text', text };
      });
      changed = { ...changed, [holder]: replaced };
    }
    return changed;
  });
  return { input: fitted, vision, notes };
}

function isImage(part: unknown): part is { type: 'input_image'; image_url?: unknown } {
  return isObject(part) && part.type === 'input_image';
}
