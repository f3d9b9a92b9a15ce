import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { ChatFromMessages } from '../../formats/chat-via-messages/answer.ts';
import { chatToMessages } from '../../formats/chat-via-messages/request.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asksForSearch, chatRules, fitChatImages, searchRefused } from './chat-native.ts';
import type { ChatBody } from './chat-read.ts';
import { type OpenaiContext, type OpenaiPlan, planViaMessages } from './openai.ts';
import { applyRules, dropQuietly, type FieldRule, only, pass, refuseField } from './openai-fields.ts';
import { withSearchTool } from './openai-search.ts';

const noCounterpart =
  'this model’s own API has nothing like it. Leave it out, or use a model that lists /chat/completions.';
const neutral = (...allowed: readonly unknown[]): FieldRule => only(allowed, noCounterpart);
const translated: FieldRule = () => pass;

/** What both APIs have, and what neither has. */
const translatedRules: Readonly<Record<string, FieldRule>> = {
  ...chatRules,
  temperature: translated,
  top_p: translated,
  stop: translated,
  tools: translated,
  tool_choice: translated,
  parallel_tool_calls: translated,
  response_format: translated,
  n: neutral(1),
  seed: neutral(),
  frequency_penalty: neutral(0),
  presence_penalty: neutral(0),
  logit_bias: neutral({}),
  logprobs: neutral(false),
  top_logprobs: neutral(0),
  // Only makes an answer faster.
  prediction: () => ({ kind: 'drop', note: 'prediction removed' }),
};

/**
 * Chat Completions to a model that has only `/v1/messages` or `/responses`. What `chatToMessages` maps passes here;
 * what has no counterpart is refused by name, unless it asks for what is done without it as well.
 */
export const chatViaMessagesRules: Readonly<Record<ChatPath, Readonly<Record<string, FieldRule>>>> = {
  '/responses': { ...translatedRules, verbosity: translated },
  '/v1/messages': { ...translatedRules, verbosity: neutral('medium') },
  // For the sake of a search alone, which is made on the way of a Messages request.
  '/chat/completions': { ...translatedRules, verbosity: neutral('medium') },
};

export function planChatViaMessages(
  asked: ChatBody,
  model: CatalogModel,
  path: ChatPath,
  context: OpenaiContext,
): OpenaiPlan {
  const { web_search_options: options, ...request } = asked;
  if (context.search === null && asksForSearch(asked)) throw searchRefused(context);
  const search = isObject(options) ? searchOptions(options) : null;
  if (search === null && asksForSearch(asked)) throw refuseField('web_search_options', 'an object is required.');
  const rules = chatViaMessagesRules[path];
  const unknown = Object.keys(request).find((field) => !Object.hasOwn(rules, field));
  if (unknown !== undefined) throw refuseField(unknown, noCounterpart);
  const { messages: fitted, notes: imageNotes } = fitChatImages(request.messages, model);
  const { body, notes: fieldNotes } = applyRules(
    { ...request, messages: fitted },
    { ...rules, stream_options: () => dropQuietly },
    model,
  );
  const onward = path === '/responses' ? 'responses' : 'messages';
  const mapped = chatToMessages({ ...body, model: request.model }, { onward });
  if (!mapped.ok) throw refuseField(mapped.field, mapped.message);
  const notes = [...fieldNotes, ...imageNotes, ...mapped.notes];
  const stream = isObject(request.stream_options) ? request.stream_options : {};
  const said = { code: 'translated', count: 1, text: 'translated: chat → messages' };
  const messages = search === null ? mapped.request : withSearchTool(mapped.request, search, false);
  return planViaMessages({ request: messages, model, path, context, notes: [...notes, said] }, (inner) => ({
    reader: new ChatFromMessages(inner, {
      model: request.model,
      id: `chatcmpl-${context.id}`,
      created: Math.floor(context.now / 1000),
      includeUsage: !context.streamed || stream.include_usage === true,
    }),
  }));
}

/** Options of the hosted tool; the engine decides how much of the pages is used. */
function searchOptions({ user_location: location }: JsonObject): JsonObject {
  return isObject(location) && isObject(location.approximate)
    ? { user_location: { type: 'approximate', ...location.approximate } }
    : {};
}
