import type { Readable, Writable } from 'node:stream';

/**
 * Streams of Node as those of the web, which the ACP SDK wants. Node's own conversions have types of their own that
 * TypeScript takes for others.
 */
export function webReadable(source: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const close = (): void => {
        if (isOver) return;
        isOver = true;
        controller.close();
      };
      source.on('data', (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      source.once('end', close);
      // A pipe that breaks has ended: why is told by the exit of its process.
      source.once('error', close);
      source.once('close', close);
    },
    pull() {
      source.resume();
    },
    cancel() {
      isOver = true;
      source.destroy();
    },
  });
}

/** Its end is the end of `target`. Rejects what is written after `target` broke. */
export function webWritable(target: Writable): WritableStream<Uint8Array> {
  target.on('error', () => undefined);
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        target.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () =>
      new Promise((resolve) => {
        target.end(() => resolve());
      }),
    abort: () => {
      target.destroy();
    },
  });
}
