import { Console } from 'node:console';
import { bridgeStdin } from '../../processes/launch.ts';
import { webReadable, webWritable } from './node-streams.ts';

/** Where an agent's process is spoken to. Whatever else is printed goes to stderr. */
export function ownStdio(): { input: ReadableStream<Uint8Array>; output: WritableStream<Uint8Array> } {
  bridgeStdin();
  globalThis.console = new Console(process.stderr, process.stderr);
  return { input: webReadable(process.stdin), output: webWritable(process.stdout) };
}
