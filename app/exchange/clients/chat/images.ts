import type { FitNote } from '../../../api/exchange.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { isObject } from '../../../formats/wire/json.ts';
import { leaveOutImages, type SeenImage } from '../openai/images.ts';
import type { ChatBody } from './read.ts';

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
