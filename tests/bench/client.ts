import { Agent, type IncomingMessage, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { deltaMark } from './events.ts';
import type { Body } from './requests.ts';

/** Where requests go: straight to the fake Copilot, or through a proxy. */
export interface Target {
  name: string;
  origin: URL;
  /** Bearer. */
  key: string;
  /** The path, where it is not the Messages API’s. */
  path?: string;
}

export interface Answer {
  firstByteMs: number;
  /** Largest silence between two chunks. */
  largestGapMs: number;
  /** Events with content; counted where a check was asked for. */
  deltas: number;
  /** The answer came to its end in the words of the format; looked at where a check was asked for. */
  whole: boolean;
}

export interface AskOptions {
  /** Looks into the answer, at the client’s cost. */
  check?: boolean;
}

const keptCharacters = 400;

/** A client with kept connections that does as little as it can. */
export class Client {
  readonly #plain = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  readonly #secure: SecureAgent;

  constructor(certificate: string) {
    this.#secure = new SecureAgent({ keepAlive: true, maxFreeSockets: 256, ca: certificate });
  }

  ask(target: Target, body: Body, options: AskOptions = {}): Promise<Answer> {
    const { origin, key, path } = target;
    const isSecure = origin.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const outgoing = (isSecure ? secure : plain)({
        agent: isSecure ? this.#secure : this.#plain,
        host: origin.hostname,
        port: origin.port,
        method: 'POST',
        path: path ?? '/v1/messages',
        headers: { ...body.headers, authorization: `Bearer ${key}`, 'content-length': body.bytes.length },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        read(response, began, options).then(resolve, (error: unknown) => {
          reject(new Error(`${target.name}: ${error instanceof Error ? error.message : String(error)}`));
        });
      });
      outgoing.end(body.bytes);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

function read(response: IncomingMessage, began: number, options: AskOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let firstByteMs = 0;
    let heardAt = began;
    let largestGapMs = 0;
    let deltas = 0;
    let kept = '';
    response.on('data', (chunk: Buffer) => {
      const now = performance.now();
      if (firstByteMs === 0) firstByteMs = now - began;
      else largestGapMs = Math.max(largestGapMs, now - heardAt);
      heardAt = now;
      if (options.check !== true && response.statusCode === 200) return;
      const text = kept + chunk.toString('latin1');
      let from = 0;
      for (let at = text.indexOf(deltaMark); at !== -1; at = text.indexOf(deltaMark, from)) {
        deltas++;
        from = at + deltaMark.length;
      }
      kept = text.slice(Math.max(from, text.length - keptCharacters));
    });
    response.on('error', reject);
    response.on('end', () => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}: ${kept}`));
      const whole = kept.includes('message_stop');
      resolve({ firstByteMs, largestGapMs, deltas, whole });
    });
  });
}

/** Runs `count` pieces of work, `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
