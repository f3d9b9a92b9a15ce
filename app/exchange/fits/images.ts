import type { CatalogModel } from '../../copilot/model.ts';
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
import { mostImages, sizeOfBase64, surplusText, type Unfit, unfitImage } from './image-policy.ts';

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

/** A person is told that the image they have just attached is too large, not a model that is told nothing but that. */
export const refuseLargeImages: Fit = (request, { model, purpose }) => {
  if (purpose === 'count') return unchanged(request);
  const newest = request.messages.findLast(({ role }) => role !== 'system');
  if (newest?.role !== 'user' || typeof newest.content === 'string') return unchanged(request);
  // What stands beside a tool's result is the tool's.
  if (newest.content.some(({ type }) => type === 'tool_result')) return unchanged(request);
  for (const block of newest.content) {
    const unfit = unfitBlock(block, model);
    if (unfit?.kind === 'too-large') return { ok: false, ...unfit.refusal };
  }
  return unchanged(request);
};

export function leaveOutUnfitImages(block: Block, _place: BlockPlace, { model }: FitContext): BlockChange | null {
  const unfit = unfitBlock(block, model);
  if (unfit === null) return null;
  return { ok: true, block: textInPlaceOf(block, `[${unfit.text}]`), note: note('image-left-out', unfit.text) };
}

function unfitBlock(block: Block, model: CatalogModel): Unfit | null {
  const bytes = imageBytes(block);
  if (bytes === null || !isObject(block.source)) return null;
  return unfitImage({ bytes, type: block.source.media_type }, model);
}

export function limitImages(request: MessagesRequest, { model }: FitContext): FitResult {
  const most = mostImages(model);
  if (most === Number.POSITIVE_INFINITY) return unchanged(request);
  const leaving = countImages(request) - most;
  if (leaving <= 0) return unchanged(request);
  let left = leaving;
  const text = surplusText(most);
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
