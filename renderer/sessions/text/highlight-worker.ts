import { highlight } from './highlight.ts';
import type { HighlightAnswer, HighlightRequest } from './highlighting.ts';

/** Colours code beside the window: what a language needs takes up to seconds to make ready, once. */
const running = new Map<number, AbortController>();

async function colour(id: number, request: Extract<HighlightRequest, { text: string }>): Promise<void> {
  const stopped = new AbortController();
  running.set(id, stopped);
  const lines = await highlight(request.text, request.language, stopped.signal).catch(() => null);
  running.delete(id);
  const answer: HighlightAnswer = { id, lines };
  postMessage(answer);
}

addEventListener('message', ({ data: request }: MessageEvent<HighlightRequest>) => {
  if ('text' in request) void colour(request.id, request);
  else running.get(request.id)?.abort();
});
