import { type Block, isToolResultBlock, type MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { mapKeeping } from './copy-on-write.ts';
import {
  type BlockChange,
  type BlockPlace,
  changed,
  type Fit,
  type FitContext,
  type FitResult,
  note,
  textInPlaceOf,
  unchanged,
} from './fit.ts';

/** Images of all messages, also those inside tool results. */
export function countImages(request: MessagesRequest): number {
  let count = 0;
  for (const { content } of request.messages) if (typeof content !== 'string') count += imagesIn(content);
  return count;
}

function imagesIn(blocks: readonly Block[]): number {
  let count = 0;
  for (const block of blocks) {
    if (block.type === 'image') count += 1;
    else if (isToolResultBlock(block) && Array.isArray(block.content)) count += imagesIn(block.content);
  }
  return count;
}

/** What an image by its data weighs once it is decoded; null for any other block. */
export function imageBytes(block: Block): number | null {
  if (block.type !== 'image' || !isObject(block.source) || block.source.type !== 'base64') return null;
  const { data } = block.source;
  return typeof data === 'string' ? sizeOfBase64(data) : 0;
}

/** Bytes that it stands for; it is not decoded. */
export function sizeOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** `3.8 MB` and `3 MB`: one digit after the point, away from the limit, so that the two never read alike. */
export function sizeAndLimit(bytes: number, most: number): [size: string, limit: string] {
  return [megabytes(bytes, Math.ceil), megabytes(most, Math.floor)];
}

function megabytes(bytes: number, round: (value: number) => number): string {
  return `${round((bytes / 2 ** 20) * 10) / 10} MB`;
}

/**
 * An image that a person has just attached is what they ask about: they are told that it is too large, instead of a model that is told nothing but that.
 * One from a tool or from earlier in the conversation becomes a note, so that the work goes on (`leaveOutUnfitImages`).
 */
export const refuseLargeImages: Fit = (request, { model, purpose }) => {
  const most = model.limits.imageBytes;
  if (most === null || purpose === 'count') return unchanged(request);
  const newest = request.messages.findLast(({ role }) => role !== 'system');
  if (newest?.role !== 'user' || typeof newest.content === 'string') return unchanged(request);
  // What stands beside a tool's result is the tool's.
  if (newest.content.some(({ type }) => type === 'tool_result')) return unchanged(request);
  for (const block of newest.content) {
    const bytes = imageBytes(block);
    if (bytes === null || bytes <= most) continue;
    const [size, limit] = sizeAndLimit(bytes, most);
    return {
      ok: false,
      status: 413,
      type: 'request_too_large',
      message: `Jumpseat: an image is ${size}; Copilot takes ${limit}.`,
      code: 'image-too-large',
      shouldRetry: false,
    };
  }
  return unchanged(request);
};

/** The catalog says how large an image may be and of which types; anything else fails the whole request. */
export function leaveOutUnfitImages(block: Block, _place: BlockPlace, { model }: FitContext): BlockChange | null {
  const bytes = imageBytes(block);
  if (bytes === null || !isObject(block.source)) return null;
  const { imageBytes: most, imageTypes } = model.limits;
  if (most !== null && bytes > most) return leftOut(block, sizeAndLimit(bytes, most).join(' > '));
  const { media_type: type } = block.source;
  if (imageTypes.length > 0 && typeof type === 'string' && !imageTypes.includes(type)) {
    return leftOut(block, /^image\/[a-z0-9.+-]{1,30}$/.test(type) ? `${type} is not taken` : 'its type is not taken');
  }
  return null;
}

function leftOut(block: Block, why: string): BlockChange {
  const text = `image left out: ${why}`;
  return { ok: true, block: textInPlaceOf(block, `[${text}]`), note: note('image-left-out', text) };
}

/** A model takes so many images in one request (Opus 4.6: one). The oldest leave: the newest are what the turn is about. */
export function limitImages(request: MessagesRequest, { model }: FitContext): FitResult {
  const most = model.limits.images ?? (model.supports.vision ? null : 0);
  if (most === null) return unchanged(request);
  const leaving = countImages(request) - most;
  if (leaving <= 0) return unchanged(request);
  let left = leaving;
  const text = `[image left out: the model takes ${most === 0 ? 'none' : most}]`;
  const change = (block: Block): Block => {
    if (left === 0) return block;
    if (block.type === 'image') {
      left -= 1;
      return textInPlaceOf(block, text);
    }
    if (!isToolResultBlock(block) || !Array.isArray(block.content)) return block;
    const content = mapKeeping(block.content, change);
    return content === block.content ? block : { ...block, content };
  };
  const messages = mapKeeping(request.messages, (message) => {
    if (typeof message.content === 'string') return message;
    const content = mapKeeping(message.content, change);
    return content === message.content ? message : { ...message, content };
  });
  return changed({ ...request, messages }, 'images-left-out', 'images left out', leaving);
}
