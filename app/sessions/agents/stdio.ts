import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { bridgeStdin } from '../../processes/launch.ts';

/** The pipes between us and an agent's process. */

/** Largest message between us and an agent, in bytes: a whole history, or a tool's output, may be long. */
export const mostMessageBytes = 256 * 1024 * 1024;

/** Where an agent's process is spoken to. Whatever else is printed goes to stderr. */
export function ownStdio(): { input: ReadableStream<Uint8Array>; output: WritableStream<Uint8Array> } {
  bridgeStdin();
  globalThis.console = new Console(process.stderr, process.stderr);
  return { input: webReadable(process.stdin), output: webWritable(process.stdout) };
}

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
