import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import type { Refusal } from './fit.ts';

/**
 * "external image URLs are not supported". Fetching it for the client would turn the proxy into a way to send requests into the network of
 * the person who runs it.
 */
export function refuseUrlSources(block: Block): Refusal | null {
  if (block.type !== 'image' && block.type !== 'document') return null;
  if (!isObject(block.source) || block.source.type !== 'url') return null;
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message: `Jumpseat: Copilot takes no ${block.type} by URL. Send its data instead, as a base64 source.`,
    code: 'url-source-refused',
    shouldRetry: false,
  };
}
