import type { MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** Copilot cuts whole answers at `max_non_streaming_output_tokens` (16000), so every answer is streamed and, where a whole one was asked for, collected. */
export function streamUpstream(request: MessagesRequest, { purpose }: FitContext): FitResult {
  if (purpose === 'count' || request.stream === true) return unchanged(request);
  return changed({ ...request, stream: true }, 'streamed-upstream', 'streamed upstream, collected');
}
