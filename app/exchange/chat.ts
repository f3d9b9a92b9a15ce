import type { CatalogModel } from '../copilot/model.ts';
import { ChatCollector } from '../formats/chat-collector.ts';
import { ChatRelay } from '../formats/chat-relay.ts';
import { isObject, type JsonObject } from '../formats/json.ts';
import { applyRules, drop, effort, type FieldRule, only, outputTokens, pass, refuseField } from './openai-fields.ts';
import type { OpenaiPlan } from './openai-plan.ts';

/*
 * Chat Completions to a model that has them. docs/openai-fields.md has a row for every field; the rules stand here. A field without a
 * rule goes on as it came.
 */
const notKept = 'nothing is kept here or at Copilot. Leave it out.';

export const chatRules: Readonly<Record<string, FieldRule>> = {
  // Written by `planChat`.
  model: () => pass,
  messages: () => pass,
  stream: () => pass,
  stream_options: () => pass,
  max_tokens: outputTokens('max_tokens'),
  max_completion_tokens: outputTokens('max_completion_tokens'),
  reasoning_effort: effort('reasoning_effort'),
  store: only([false], notKept),
  service_tier: only(['auto', 'default'], 'Copilot has one tier. Leave it out.'),
  modalities: only([['text']], 'Copilot answers in text alone.'),
  audio: only([], 'Copilot answers in text alone.'),
  web_search_options: only([], 'Copilot doesn’t search the web for this API.'),
  functions: only([[]], 'an old form. Send tools.'),
  function_call: only([], 'an old form. Send tool_choice.'),
  metadata: drop('metadata'),
  user: drop('user'),
  safety_identifier: drop('safety_identifier'),
  prompt_cache_key: drop('prompt_cache_key'),
  prompt_cache_retention: drop('prompt_cache_retention'),
};

/** What is looked at before a model is known. Throws `Stopped`. */
export function readChat(body: unknown): JsonObject & { model: string } {
  if (!isObject(body)) throw refuseField('body', 'a JSON object is required.', 'invalid_body');
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '') throw refuseField('model', 'a string is required.', 'invalid_type');
  if (!Array.isArray(messages) || messages.length === 0)
    throw refuseField('messages', 'a list with at least one message is required.', 'invalid_type');
  let changed = false;
  const read = messages.map((message: unknown, at): unknown => {
    if (!isObject(message) || typeof message.role !== 'string')
      throw refuseField(`messages[${at}]`, 'an object with a role is required.', 'invalid_type');
    const { content } = message;
    if (content === undefined || content === null || typeof content === 'string' || Array.isArray(content))
      return message;
    if (!isObject(content) || typeof content.type !== 'string')
      throw refuseField(
        `messages[${at}].content`,
        'a string, a list of parts or one part is required.',
        'invalid_type',
      );
    changed = true;
    // Some old clients send one part without its list.
    return { ...message, content: [content] };
  });
  return changed ? { ...body, model, messages: read } : { ...body, model };
}

/** The client's own body for Copilot's `/chat/completions`. Always streamed: a whole answer is a collected stream. */
export function planChat(
  request: JsonObject & { model: string },
  model: CatalogModel,
  options: { streamed: boolean },
): OpenaiPlan {
  const { body, notes } = applyRules(request, chatRules, model);
  const asked = isObject(request.stream_options) ? request.stream_options : {};
  body.model = model.id;
  body.stream = true;
  body.stream_options = { ...asked, include_usage: true };
  return {
    ok: true,
    path: '/chat/completions',
    body: Buffer.from(JSON.stringify(body)),
    anthropicVersion: null,
    anthropicBeta: null,
    vision: hasImage(request.messages),
    notes,
    reader: new ChatRelay({
      model: request.model,
      includeUsage: !options.streamed || asked.include_usage === true,
    }),
    collector: () => new ChatCollector(),
  };
}

function hasImage(messages: unknown): boolean {
  return (
    Array.isArray(messages) &&
    messages.some(
      (message) =>
        isObject(message) &&
        Array.isArray(message.content) &&
        message.content.some((part: unknown) => isObject(part) && part.type === 'image_url'),
    )
  );
}
