import { parentPort, workerData } from 'node:worker_threads';
import { JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { pacFunctions } from './pac-functions.ts';

/**
 * The thread that runs a PAC script once, in a JavaScript engine of its own (QuickJS as WebAssembly): the script has
 * the functions of pac-functions.ts and nothing else of this machine. It ends with its answer.
 */

export interface PacTask {
  /** QuickJS. */
  wasm: Uint8Array;
  script: string;
  /** Without path and query. */
  url: string;
  host: string;
  ownAddress: string;
  /** The answer of a name lookup, written by the main thread: the length in bytes, then a JSON list of addresses. */
  found: SharedArrayBuffer;
}

export type PacReport = { kind: 'lookup'; name: string } | { kind: 'answer'; text: string } | Failed;
interface Failed {
  kind: 'failed';
  /** The rest of a sentence that begins with the script. */
  why: string;
}

const memoryBytes = 32 * 2 ** 20;
const stackBytes = 256 * 1024;
/** Without the time that lookups take. */
const longestRunMs = 2_000;
const longestLookupMs = 5_000;
const mostLookups = 20;

async function run(task: PacTask): Promise<PacReport> {
  let waitedMs = 0;
  let lookups = 0;
  const began = performance.now();
  const addresses = new Map<string, readonly string[]>();
  const addressesOf = (name: string): readonly string[] => {
    const known = addresses.get(name);
    if (known) return known;
    if (lookups >= mostLookups) return [];
    lookups += 1;
    const asked = performance.now();
    const answer = lookUp(name, task.found);
    waitedMs += performance.now() - asked;
    addresses.set(name, answer);
    return answer;
  };
  const engine = await QuickJS.create({
    wasm: Buffer.from(task.wasm),
    memoryLimit: memoryBytes,
    maxStackSize: stackBytes,
    interruptHandler: () => performance.now() - began - waitedMs > longestRunMs,
  });
  const functions = pacFunctions({ now: new Date(), ownAddress: task.ownAddress, addressesOf });
  for (const [name, call] of Object.entries(functions)) {
    const made = engine.newFunction(name, (...given: JSValueHandle[]) =>
      engine.hostToHandle(call(...given.map(plain))),
    );
    engine.setProp(engine.global, name, made);
  }
  try {
    engine.evalCode(task.script, 'proxy.pac');
    const find = engine.global.getProp('FindProxyForURL');
    if (!find.isFunction) return { kind: 'failed', why: 'has no function FindProxyForURL' };
    const [url, host] = [engine.newString(task.url), engine.newString(task.host)];
    const result = engine.callFunction(find, engine.undefined, url, host);
    if (result.isNull || result.isUndefined) return { kind: 'answer', text: 'DIRECT' };
    if (!result.isString) return { kind: 'failed', why: `answered with something else than text (${result.typeof})` };
    return { kind: 'answer', text: result.toString() };
  } catch (error) {
    if (!(error instanceof JSException)) throw error;
    const { name, message } = error;
    if (name === 'InternalError' && message === 'interrupted')
      return { kind: 'failed', why: `ran for more than ${longestRunMs / 1000} s` };
    return { kind: 'failed', why: `failed (${oneLine(`${name}: ${message}`)})` };
  }
}

/** Nothing here calls a function of the script. */
function plain(given: JSValueHandle): unknown {
  if (given.isString) return given.toString();
  return given.isNumber ? given.toNumber() : undefined;
}

/** Waits until the main thread has answered: the script knows no promises. */
function lookUp(name: string, found: SharedArrayBuffer): readonly string[] {
  const length = new Int32Array(found, 0, 1);
  Atomics.store(length, 0, -1);
  report({ kind: 'lookup', name });
  if (Atomics.wait(length, 0, -1, longestLookupMs) === 'timed-out') return [];
  const bytes = new Uint8Array(found, 4, Math.max(0, Atomics.load(length, 0)));
  const read: unknown = JSON.parse(Buffer.from(bytes).toString('utf8') || '[]');
  return Array.isArray(read) ? read.filter((address) => typeof address === 'string') : [];
}

function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 120);
}

function report(said: PacReport): void {
  parentPort?.postMessage(said);
}

if (parentPort !== null) report(await run(workerData));
