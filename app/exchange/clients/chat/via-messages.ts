import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { ChatCollector } from '../../../formats/chat/collector.ts';
import { ChatFromMessages } from '../../../formats/chat-via-messages/answer.ts';
import { chatToMessages } from '../../../formats/chat-via-messages/request.ts';
import { isObject } from '../../../formats/wire/json.ts';
import { applyRules, dropQuietly, type FieldRule, only, pass, refuseField } from '../openai/fields.ts';
import type { OpenaiContext, OpenaiPlan } from '../openai/plan.ts';
import { planViaMessages } from '../openai/via-messages.ts';
import { fitChatImages } from './images.ts';
import { chatRules } from './plan.ts';
import type { ChatBody } from './read.ts';

const noCounterpart =
  'this model’s own API has nothing like it. Leave it out, or use a model that lists /chat/completions.';
const neutral = (...allowed: readonly unknown[]): FieldRule => only(allowed, noCounterpart);
const translated: FieldRule = () => pass;

type TranslatedPath = Exclude<ChatPath, '/chat/completions'>;

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
export const chatViaMessagesRules: Readonly<Record<TranslatedPath, Readonly<Record<string, FieldRule>>>> = {
  '/responses': { ...translatedRules, verbosity: translated },
  '/v1/messages': { ...translatedRules, verbosity: neutral('medium') },
};

export function planChatViaMessages(
  request: ChatBody,
  model: CatalogModel,
  path: TranslatedPath,
  context: OpenaiContext,
): OpenaiPlan {
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
  const asked = isObject(request.stream_options) ? request.stream_options : {};
  const said = { code: 'translated', count: 1, text: 'translated: chat → messages' };
  return planViaMessages({ request: mapped.request, model, path, context, notes: [...notes, said] }, (inner) => ({
    reader: new ChatFromMessages(inner, {
      model: request.model,
      id: `chatcmpl-${context.id}`,
      created: Math.floor(context.now / 1000),
      includeUsage: !context.streamed || asked.include_usage === true,
    }),
    collector: () => new ChatCollector(),
  }));
}
