import type { Block, Message } from '../messages/request.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { NoPlace } from './no-place.ts';

/** The content of a message: a text, or a list of parts. Throws `NoPlace`, as `block` may. */
export function contentBlocks(
  content: unknown,
  place: string,
  block: (part: JsonObject, place: string) => Block,
): Block[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw new NoPlace(place, 'a string or a list of parts is required.');
  return content.map((part, at) => {
    if (!isObject(part)) throw new NoPlace(`${place}[${at}]`, 'a part is an object.');
    return block(part, `${place}[${at}]`);
  });
}

/** Results in a row are one turn of the user. */
export function addResult(messages: Message[], result: Block): void {
  const last = messages.at(-1);
  const results = last?.role === 'user' && Array.isArray(last.content) ? last.content : null;
  // A user's own words are never results, so the first of a message tells what all of it is.
  if (results?.[0]?.type === 'tool_result') results.push(result);
  else messages.push({ role: 'user', content: [result] });
}
