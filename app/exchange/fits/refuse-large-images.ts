import { type Fit, unchanged } from './fit.ts';
import { imageBytes, sizeAndLimit } from './image-size.ts';

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
