import type { Block, MessagesRequest } from '../../formats/messages/request.ts';
import { isToolResultBlock } from '../../formats/messages/request.ts';
import { mapKeeping } from './copy-on-write.ts';
import { countImages } from './count-images.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';
import { textInPlaceOf } from './text-in-place-of.ts';

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
