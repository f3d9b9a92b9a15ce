import { isObject } from '../formats/json.ts';
import { refuseField } from './openai-fields.ts';
import type { ChatBody } from './read-chat.ts';

/**
 * Whether there are images. Throws `Stopped` for one by its address: Copilot refuses it (`error-400-external-image-url`), and fetching it for the
 * client would turn the proxy into a way to send requests into the network of the person who runs it.
 */
export function hasImages(messages: ChatBody['messages']): boolean {
  let found = false;
  for (const [at, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [index, part] of content.entries()) {
      if (!isObject(part) || part.type !== 'image_url') continue;
      found = true;
      const url = isObject(part.image_url) ? part.image_url.url : null;
      if (typeof url !== 'string' || url.startsWith('data:')) continue;
      const place = `messages[${at}].content[${index}].image_url`;
      throw refuseField(place, 'Copilot takes no images by address. Send a data URL.', 'unsupported_value');
    }
  }
  return found;
}
