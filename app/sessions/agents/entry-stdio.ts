import { Console } from 'node:console';
import { PassThrough, type Readable } from 'node:stream';
import { webReadable, webWritable } from './node-streams.ts';

interface ParentPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
}

/** Where an agent's process is spoken to. Whatever else is printed goes to stderr. */
export function ownStdio(): { input: ReadableStream<Uint8Array>; output: WritableStream<Uint8Array> } {
  bridgeStdin();
  globalThis.console = new Console(process.stderr, process.stderr);
  return { input: webReadable(process.stdin), output: webWritable(process.stdout) };
}

/**
 * Electron's utility process has no stdin: there the port of its parent takes its place (a chunk a message, `null` is
 * the end).
 */
export function bridgeStdin(): void {
  const port = parentPort();
  if (port !== null) Object.defineProperty(process, 'stdin', { value: fromPort(port) });
}

function fromPort(port: ParentPort): Readable {
  const input = new PassThrough();
  port.on('message', ({ data }) => {
    if (data === null) input.end();
    else if (data instanceof Uint8Array) input.write(data);
  });
  return input;
}

function parentPort(): ParentPort | null {
  const port: unknown = Reflect.get(process, 'parentPort');
  return isPort(port) ? port : null;
}

function isPort(port: unknown): port is ParentPort {
  return typeof port === 'object' && port !== null && 'on' in port && typeof port.on === 'function';
}
