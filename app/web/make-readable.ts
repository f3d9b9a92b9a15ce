import { Worker } from 'node:worker_threads';
import type { Readable } from './readable.ts';

/** The thread's file: beside this one in the sources, in `dist/threads/` in a build. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './readable-thread.ts' : '../threads/page-reader.js',
  import.meta.url,
);
/** What 5 MiB of ordinary HTML take, four times over. */
const heapMb = 512;

/**
 * Makes a page readable on a thread of its own: a page may keep a parser busy for minutes, or take
 * all memory, and the thread that carries the bytes of exchanges must not wait for it. Null: it could not be read, or
 * not within its memory. Rejects with the signal's reason.
 */
export function makeReadable(html: string, address: string, signal: AbortSignal): Promise<Readable | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadFile, {
      workerData: { html, address },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: 16 },
    });
    const stop = (): void => {
      reject(signal.reason);
      void worker.terminate();
    };
    const end = (readable: Readable | null): void => {
      signal.removeEventListener('abort', stop);
      resolve(readable);
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    worker.on('message', (said: Readable) => end(said));
    worker.on('error', () => end(null));
    worker.on('exit', () => end(null));
  });
}
