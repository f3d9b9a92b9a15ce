import { text } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { bridgeStdin } from '../processes/launch.ts';
import { readable } from './readable.ts';

/** What 5 MiB of ordinary HTML take, four times over. */
const heapMb = 512;

/**
 * The process of one page; see `make-readable.ts`. A thread does the work, because only a thread's memory and stack can
 * be bounded here. Where V8 can't hold a thread to its bound, it ends the process, and the page is given up as well.
 */
if (isMainThread) {
  bridgeStdin();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: JSON.parse(await text(process.stdin)),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: 16 },
  });
  worker.on('message', (page) => process.stdout.write(JSON.stringify(page), () => process.exit(0)));
  worker.on('error', () => process.exit(1));
} else {
  const { html, address } = Object(workerData);
  parentPort?.postMessage(readable(String(html), String(address)));
}
