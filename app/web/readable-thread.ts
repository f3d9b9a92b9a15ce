import { parentPort, workerData } from 'node:worker_threads';
import { readable } from './readable.ts';

/** The thread of one page; see `make-readable.ts`. */
const { html, address } = Object(workerData);
parentPort?.postMessage(readable(String(html), String(address)));
