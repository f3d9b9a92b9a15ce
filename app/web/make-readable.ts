import { fileURLToPath } from 'node:url';
import type { Launcher } from '../processes/launch.ts';
import type { Readable } from './readable.ts';

/** The process's file: beside this one in the sources, in `dist/processes/` in a build. */
const file = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './readable-process.ts' : '../processes/page-reader.js', import.meta.url),
);
/** Largest readable page. Making addresses absolute may make it longer than its source. */
const mostPrinted = 32 * 1024 * 1024;

/**
 * Makes a page readable in a process of its own: a page may keep a parser busy for minutes, or take all memory, and V8
 * then ends the whole process. Null: it could not be read, or not within its bounds. Rejects with the signal's reason.
 */
export function makeReadable(
  html: string,
  address: string,
  signal: AbortSignal,
  launcher: Launcher,
): Promise<Readable | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Windows starts no program without it.
    const { SystemRoot } = process.env;
    const reader = launcher({ file, env: SystemRoot === undefined ? {} : { SystemRoot } });
    const stop = (): void => {
      reader.kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop);
    const printed: Buffer[] = [];
    let size = 0;
    reader.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostPrinted) reader.kill();
      else printed.push(chunk);
    });
    reader.stderr.resume();
    reader.stdin.end(JSON.stringify({ html, address }));
    void reader.exited.then(({ code }) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0 ? readPrinted(printed) : null);
    });
  });
}

function readPrinted(chunks: readonly Buffer[]): Readable | null {
  try {
    const { title, markdown } = Object(JSON.parse(Buffer.concat(chunks).toString()));
    return typeof markdown === 'string' ? { title: typeof title === 'string' ? title : null, markdown } : null;
  } catch {
    return null;
  }
}
