import type { Block } from '../messages/request.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/*
 * Thinking of a model that is asked through the Messages API, carried by a Responses client as the `encrypted_content`
 * of a reasoning item. The marks tell it from OpenAI's own. Which API the signature belongs to stands in itself, as in
 * every Messages conversation here.
 */
const signed = 'jumpseat-thinking:';
/** The client asked for no summary: what was thought travels along, for a signature without its text proves nothing. */
const hidden = 'jumpseat-thought:';
const redacted = 'jumpseat-redacted:';

/** `shown`: the item's summary holds the text. Null: nothing that could go back. */
export function encryptedThinking(text: string, signature: string, shown: boolean): string | null {
  if (signature === '') return null;
  return shown || text === '' ? signed + signature : `${hidden}${Buffer.from(text).toString('base64')}:${signature}`;
}

export function encryptedRedacted(data: string): string {
  return redacted + data;
}

/**
 * The thinking block that a reasoning item stands for; null where it is another API's, or says too little to be taken
 * back.
 */
export function thinkingOf({ encrypted_content: encrypted, summary }: JsonObject): Block | null {
  if (typeof encrypted !== 'string') return null;
  if (encrypted.startsWith(redacted)) return { type: 'redacted_thinking', data: encrypted.slice(redacted.length) };
  if (encrypted.startsWith(signed))
    return { type: 'thinking', thinking: summaryText(summary), signature: encrypted.slice(signed.length) };
  if (!encrypted.startsWith(hidden)) return null;
  const colon = encrypted.indexOf(':', hidden.length);
  if (colon === -1) return null;
  const text = Buffer.from(encrypted.slice(hidden.length, colon), 'base64').toString();
  return { type: 'thinking', thinking: text, signature: encrypted.slice(colon + 1) };
}

function summaryText(summary: unknown): string {
  if (!Array.isArray(summary)) return '';
  return summary.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n\n');
}
