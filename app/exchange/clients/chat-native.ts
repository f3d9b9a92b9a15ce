import type { FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { ChatRelay } from '../../formats/chat/relay.ts';
import { isObject } from '../../formats/wire/json.ts';
import type { Stopped } from '../recover/error.ts';
import type { ChatBody } from './chat-read.ts';
import { leaveOutImages, type OpenaiContext, type OpenaiPlan, passedThrough, type SeenImage } from './openai.ts';
import { drop, dropQuietly, effort, type FieldRule, only, outputTokens, passOn, refuseField } from './openai-fields.ts';

/*
 * Chat Completions to a model that has them. docs/openai-fields.md has a row for every field; the rules stand here. A
 * field without a rule goes on as it came.
 */
const notKept = 'nothing is stored here or at Copilot. Leave it out.';

export const chatRules: Readonly<Record<string, FieldRule>> = {
  // Written by `planChat`.
  model: passOn,
  messages: passOn,
  // Read by `readChat`.
  prompt: () => ({ kind: 'drop', note: 'prompt sent as a message' }),
  stream: passOn,
  stream_options: passOn,
  max_tokens: outputTokens('max_tokens'),
  max_completion_tokens: outputTokens('max_completion_tokens'),
  reasoning_effort: effort('reasoning_effort'),
  store: only([false], notKept),
  service_tier: only(['auto', 'default'], 'Copilot has one tier. Leave it out.'),
  modalities: only([['text']], 'Copilot answers only in text.'),
  audio: only([], 'Copilot answers only in text.'),
  // Only null comes here: search options were read before.
  web_search_options: () => dropQuietly,
  functions: only([[]], 'an old form. Send tools.'),
  function_call: only([], 'an old form. Send tool_choice.'),
  metadata: drop('metadata'),
  user: drop('user'),
  safety_identifier: drop('safety_identifier'),
  prompt_cache_key: drop('prompt_cache_key'),
  prompt_cache_retention: drop('prompt_cache_retention'),
};

/** The client's own body for Copilot's `/chat/completions`. Always streamed: a whole answer is a collected stream. */
export function planChat(request: ChatBody, model: CatalogModel, context: OpenaiContext): OpenaiPlan {
  if (asksForSearch(request)) throw searchRefused(context);
  const asked = isObject(request.stream_options) ? request.stream_options : {};
  const written = { model: model.id, stream: true, stream_options: { ...asked, include_usage: true } };
  const { messages, vision, notes } = fitChatImages(request.messages, model);
  return passedThrough({ request, rules: chatRules, model, path: '/chat/completions', context }, (fitted) => ({
    body: { ...fitted, ...written, messages },
    vision,
    notes,
    reader: new ChatRelay({
      model: request.model,
      includeUsage: !context.streamed || asked.include_usage === true,
      choices: typeof request.n === 'number' ? request.n : 1,
    }),
  }));
}

export function asksForSearch({ web_search_options: options }: ChatBody): boolean {
  return options !== undefined && options !== null;
}

export function searchRefused({ whySearchIsOff }: Pick<OpenaiContext, 'whySearchIsOff'>): Stopped {
  return refuseField('web_search_options', whySearchIsOff());
}

type Messages = ChatBody['messages'];

/**
 * The images of a Chat Completions request as the model takes them; the very same messages where there is nothing to
 * do. Throws `Stopped`.
 */
export function fitChatImages(
  messages: Messages,
  model: CatalogModel,
): { messages: Messages; vision: boolean; notes: FitNote[] } {
  const seen: SeenImage[] = [];
  for (const [at, message] of messages.entries()) {
    if (!Array.isArray(message.content)) continue;
    const attached = at === messages.length - 1 && message.role === 'user';
    for (const [index, part] of message.content.entries()) {
      if (!isImage(part)) continue;
      const url = isObject(part.image_url) ? part.image_url.url : null;
      seen.push({ url, place: `messages[${at}].content[${index}].image_url`, attached });
    }
  }
  if (seen.length === 0) return { messages, vision: false, notes: [] };
  const { texts, notes } = leaveOutImages(seen, model);
  const vision = seen.length > texts.size;
  if (texts.size === 0) return { messages, vision, notes };
  let count = 0;
  const fitted = messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((part: unknown): unknown => {
      const text = isImage(part) ? texts.get(count++) : undefined;
      return text === undefined ? part : { type: 'text', text };
    });
    return { ...message, content };
  });
  return { messages: fitted, vision, notes };
}

function isImage(part: unknown): part is { type: 'image_url'; image_url?: unknown } {
  return isObject(part) && part.type === 'image_url';
}
