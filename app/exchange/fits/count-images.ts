import { type Block, isToolResultBlock, type MessagesRequest } from '../../formats/messages/request.ts';

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
