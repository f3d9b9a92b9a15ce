import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

/*
 * Who owns a folder, and what it answers. Without zod and the app, so that a status line, which is asked for with each
 * answer of a model, waits for nothing that it doesn't need.
 */

/**
 * Owner of a JUMPSEAT_HOME, from its `lock` file. `secret` proves that it is the program on that port. `contract`: the
 * calls that it answers, if it runs from a build (`app/api/contract.ts`).
 */
export interface LockOwner {
  pid: number;
  port: number;
  secret?: string | undefined;
  contract?: string | undefined;
}

/** Null if the file is not there, or names no owner. */
export function readLock(path: string): LockOwner | null {
  return ownerIn(textOf(path));
}

export function ownerIn(text: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(text);
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('port' in owner)) return null;
    const { pid, port } = owner;
    const secret = 'secret' in owner ? owner.secret : undefined;
    if (!isWhole(pid, Number.MAX_SAFE_INTEGER) || !isWhole(port, 65_535)) return null;
    if (secret === undefined) return { pid, port };
    const contract = 'contract' in owner && typeof owner.contract === 'string' ? { contract: owner.contract } : {};
    return typeof secret === 'string' && secret.length >= 32 ? { pid, port, secret, ...contract } : null;
  } catch {
    return null;
  }
}

const isWhole = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= most;

/** Empty where there is none. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Where a Jumpseat should listen, and the secret that it alone shares with who reads the file that names the port. */
interface ExpectedServer {
  port: number;
  /** Undefined: the file names none, as an earlier version wrote it. Then whatever calls itself Jumpseat counts. */
  secret?: string | undefined;
}

/** `silence`: the port is open and nothing comes, as from a process that is stopped. */
type PortAnswer = 'jumpseat' | 'another' | 'nobody' | 'silence';

/** A Jumpseat on a machine that is busy is still one. Where no process listens the answer comes at once. */
const answerMs = 5_000;
const challengeHeader = 'x-jumpseat-challenge';
const proofHeader = 'x-jumpseat-proof';

export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/**
 * A question to `/healthz` that only who knows the secret can answer. The port is part of the answer, so that a program
 * on another port can't pass the question on to the Jumpseat that knows it.
 */
export function newChallenge({ port, secret = '' }: ExpectedServer): {
  headers: Record<string, string>;
  isProved(answer: IncomingHttpHeaders): boolean;
} {
  const challenge = newSecret();
  return {
    headers: { [challengeHeader]: challenge },
    isProved: (answer) => answer[proofHeader] === proofOf(secret, port, challenge),
  };
}

/**
 * Proves to the server that who asks has read the file with the secret. No answer to a challenge passes for one: its
 * first word is another.
 */
export function readerProof(secret: string, port: number, nonce: string): string {
  return hmacOf(secret, `reader ${port} ${nonce}`);
}

/** The header that answers a challenge; empty where the request has none. */
export function answerChallenge(secret: string, port: number, { headers }: IncomingMessage): Record<string, string> {
  const challenge = headers[challengeHeader];
  if (typeof challenge !== 'string' || !/^[0-9a-f]{64}$/.test(challenge)) return {};
  return { [proofHeader]: proofOf(secret, port, challenge) };
}

function proofOf(secret: string, port: number, challenge: string): string {
  return hmacOf(secret, `jumpseat ${port} ${challenge}`);
}

function hmacOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/**
 * A command asks several things in a moment, over one connection: who has proved itself at its other end need not do so
 * again. Later it may be stopped, and is asked anew.
 */
export const keptAlive = new Agent({ keepAlive: true, timeout: 1_000 });
/** Sockets by the secret that was proved. */
const proved = new WeakMap<Socket, string>();

export function isProved(socket: Socket, secret: string): boolean {
  return proved.get(socket) === secret;
}

export function whoAnswers(expected: ExpectedServer, timeout = answerMs): Promise<PortAnswer> {
  const { port, secret } = expected;
  const place = { host: '127.0.0.1', port };
  const free = keptAlive.freeSockets[keptAlive.getName(place)] ?? [];
  if (secret !== undefined && free.some((socket) => !socket.destroyed && isProved(socket, secret)))
    return Promise.resolve('jumpseat');
  const { headers, isProved: isAnswered } = newChallenge(expected);
  return new Promise((resolve) => {
    const probe = request({ ...place, path: '/healthz', headers, timeout, agent: keptAlive }, (response) => {
      const isNamed = response.statusCode === 200 && response.headers['x-jumpseat'] !== undefined;
      const isOurs = isNamed && (secret === undefined || isAnswered(response.headers));
      if (!isOurs) {
        resolve('another');
        probe.destroy();
        return;
      }
      if (secret !== undefined) proved.set(response.socket, secret);
      response.resume();
      // What is asked next finds the connection free.
      response.on('close', () => setImmediate(resolve, 'jumpseat'));
    });
    probe.on('timeout', () => {
      resolve('silence');
      probe.destroy();
    });
    // A kept connection may end in the moment in which it is used: a new one tells.
    probe.on('error', () => resolve(probe.reusedSocket ? whoAnswers(expected, timeout) : 'nobody'));
    probe.end();
  });
}

/** Where the dashboard’s page asks, behind its cookie, and a reader of the lock without one. */
export const callPath = '/ui/api/call/';
export const nonceHeader = 'x-jumpseat-nonce';
export const readerHeader = 'x-jumpseat-reader';

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** What the owner of the lock answers to one who has read it, as JSON. Rejects where nothing usable comes. */
export async function askAsReader(port: number, secret: string, path: string, body: string, timeoutMs: number) {
  const nonce = newSecret();
  const headers = {
    [nonceHeader]: nonce,
    [readerHeader]: readerProof(secret, port, nonce),
    'content-type': 'application/json',
    origin: addressOf(port),
  };
  // Not `fetch`: Node’s web client is as large as all the rest of a command that only asks.
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = (): Promise<PostAnswer> => post(`${addressOf(port)}${path}`, { headers, body, signal, proved: secret });
  let asked = await ask();
  // What is asked at the same time may have taken the connection whose other end had proved itself.
  while (asked.isUnsent && (await whoAnswers({ port, secret })) === 'jumpseat') asked = await ask();
  const answer: unknown = JSON.parse(asked.text ?? '');
  return answer;
}

export interface PostAnswer {
  /** 0: none came. */
  status: number;
  /** Null if it did not come whole. */
  text: string | null;
  /** Nothing of it went out: the connection was one whose other end hadn’t proved itself. */
  isUnsent?: true;
}

/** Follows no redirect. Never rejects. */
export function post(
  url: string,
  given: {
    headers: Readonly<Record<string, string>>;
    body: string;
    signal: AbortSignal | undefined;
    /** Limit in characters; none for a program that has proved itself. */
    longest?: number;
    /** Sent to nobody but who has proved to know this secret. */
    proved?: string;
  },
): Promise<PostAnswer> {
  const { headers, body, signal, proved, longest: most = Number.POSITIVE_INFINITY } = given;
  return new Promise((resolve) => {
    const agent = proved === undefined ? false : keptAlive;
    const options = { method: 'POST', headers, agent, ...(signal && { signal }) };
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > most) response.destroy();
      });
      response.on('error', () => resolve({ status, text: null }));
      response.on('close', () => resolve({ status, text: response.complete ? text : null }));
    });
    sent.on('error', () => resolve({ status: 0, text: null }));
    if (proved !== undefined)
      sent.on('socket', (socket) => {
        if (isProved(socket, proved)) return;
        resolve({ status: 0, text: null, isUnsent: true });
        sent.destroy();
      });
    sent.end(body);
  });
}
