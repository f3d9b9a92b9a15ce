import { isObject, type JsonObject } from '../wire/json.ts';

/*
 * What one API lets nobody read of a model's reasoning, carried through a client of another API. Each kind has a mark
 * of its own, by which it goes back where it came from and nowhere else.
 */

const chatMark = 'jumpseat-chat:';

/**
 * `reasoning_opaque` of Chat Completions, carried as the signature of a thinking block. The mark tells it from
 * Anthropic's signatures, so that it goes back on this path alone and never to an API that would refuse it. An empty
 * value means: the opaque part came later or never.
 */
export function chatSignature(opaque: string): string {
  return chatMark + opaque;
}

/** Null: not a signature of this path. */
export function opaqueOf(signature: unknown): string | null {
  return typeof signature === 'string' && signature.startsWith(chatMark) ? signature.slice(chatMark.length) : null;
}

const responsesMark = 'jumpseat-responses:';

/**
 * `encrypted_content` of a reasoning item, carried as the signature of a thinking block. The mark tells it from
 * Anthropic's signatures, so that it goes back on this path alone; and only to the model that wrote it, since no other
 * can read it.
 */
export function responsesSignature(encrypted: string, model: string): string {
  return `${responsesMark}${model}:${encrypted}`;
}

/** Null: not a signature of this path and model. Empty: there was nothing encrypted. */
export function encryptedOf(signature: unknown, model: string): string | null {
  const start = `${responsesMark}${model}:`;
  return typeof signature === 'string' && signature.startsWith(start) ? signature.slice(start.length) : null;
}

/*
 * Thinking of a model that is asked through the Messages API, carried by a Responses client as the `encrypted_content`
 * of a reasoning item. The marks tell it from OpenAI's own. Which API the signature belongs to stands in itself, as in
 * every Messages conversation here.
 */
const signed = 'jumpseat-thinking:';
/** The client asked for no summary: what was thought travels along, for a signature without its text proves nothing. */
const hidden = 'jumpseat-thought:';
const redacted = 'jumpseat-redacted:';

/** `shown`: the item's summary holds the text. Null if nothing that could go back. */
export function encryptedThinking(text: string, signature: string, shown: boolean): string | null {
  if (signature === '') return null;
  return shown || text === '' ? signed + signature : `${hidden}${Buffer.from(text).toString('base64')}:${signature}`;
}

export function encryptedRedacted(data: string): string {
  return redacted + data;
}

type ThinkingBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/**
 * The thinking block that a reasoning item stands for; null if it is another API's, or says too little to be taken
 * back.
 */
export function thinkingOf({ encrypted_content: encrypted, summary }: JsonObject): ThinkingBlock | null {
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
