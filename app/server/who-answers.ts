import { createHmac, randomBytes } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

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
