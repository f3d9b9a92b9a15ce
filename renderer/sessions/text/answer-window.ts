import type { WorkAnswer, WorkRequest } from './beside-window.ts';

/** In a worker: does the work that the window asks for, each on a turn of its own, so that it can be called off. */
export function answerWindow<Given, Made>(work: (given: Given, signal: AbortSignal) => Promise<Made> | Made): void {
  const running = new Map<number, AbortController>();
  const begin = async (id: number, given: Given): Promise<void> => {
    const stopped = new AbortController();
    running.set(id, stopped);
    await new Promise((resolve) => setTimeout(resolve, 0));
    let made: Made | null = null;
    try {
      if (!stopped.signal.aborted) made = await work(given, stopped.signal);
    } catch {
      // Nothing came of it.
    }
    running.delete(id);
    const answer: WorkAnswer<Made> = { id, made };
    postMessage(answer);
  };
  addEventListener('message', ({ data: request }: MessageEvent<WorkRequest<Given>>) => {
    if ('given' in request) void begin(request.id, request.given);
    else running.get(request.id)?.abort();
  });
}
