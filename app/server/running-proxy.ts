import { timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { z } from 'zod';
import { type CallAnswer, type Problem, problemSchema } from '../api/call.ts';
import { withoutSpeaker } from '../words/text.ts';
import { answers, isTaken, readLock } from './lock.ts';
import { isProved, keptAlive, newSecret, readerProof } from './who-answers.ts';

/** The Jumpseat that owns a folder and answers now. */
export interface RunningProxy {
  pid: number;
  port: number;
  baseUrl: string;
}

/** Proves who answers, because the local key is sent next: another program on that port does not count. */
export async function runningProxy(lock: string): Promise<RunningProxy | null> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return null;
  const { pid, port } = owner;
  return { pid, port, baseUrl: addressOf(port) };
}

/** The problem to report when the folder's Jumpseat doesn't answer. Null if no Jumpseat has the folder. */
export function silentOwner(lock: string): Problem | null {
  if (!isTaken(lock)) return null;
  const owner = readLock(lock);
  return owner === null
    ? {
        code: 'silent',
        text: `A Jumpseat runs, but its file ${lock} can’t be read.`,
        remedy: 'Quit it and start it again.',
      }
    : {
        code: 'silent',
        text: `Jumpseat (pid ${owner.pid}) doesn’t answer.`,
        remedy: 'Let it go on where it was stopped ("fg" in its terminal), or end it and start it again.',
      };
}

/** Where a reader of the folder's lock is given another link to the dashboard. */
export const dashboardLinkPath = '/ui/link';
const nonceHeader = 'x-jumpseat-nonce';
const readerHeader = 'x-jumpseat-reader';
const linkSchema = z.object({ url: z.string() });
const answeredSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);

/**
 * A new link to the dashboard of the Jumpseat that owns a folder. It is given to who has read the lock, and not for the
 * local key, which every client has. `none`: none answers; `refused`: it is of an earlier version, or ends.
 */
export async function newDashboardLink(lock: string): Promise<{ url: string } | 'none' | 'refused'> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return 'none';
  try {
    return linkSchema.parse(await askAsReader(owner.port, owner.secret, dashboardLinkPath, ''));
  } catch {
    return 'refused';
  }
}

/** Where the dashboard’s page asks, behind its cookie, and a reader of the lock without one. */
export const callPath = '/ui/api/call/';
/** Longer than keychain, GitHub and Copilot are waited for together. */
const callMs = 60_000;

/** What the Jumpseat that owns a folder answers to a call. Null if there is none, or not as this version. */
export async function answerOfRunning<Given extends readonly unknown[], Result>(
  lock: string,
  name: string,
  { result }: { readonly given: z.ZodType<Given>; readonly result: z.ZodType<Result> },
  ...given: Given
): Promise<CallAnswer<Result> | null> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return null;
  try {
    const answer = answeredSchema.parse(
      await askAsReader(owner.port, owner.secret, `${callPath}${name}`, JSON.stringify(given)),
    );
    // Read once, a schema isn’t worth code of its own.
    return answer.ok ? { ok: true, value: result.parse(answer.value, { jitless: true }) } : answer;
  } catch {
    return null;
  }
}

/** The same for who does it another way where it can’t be had. */
export async function callRunning<Given extends readonly unknown[], Result>(
  lock: string,
  name: string,
  call: { readonly given: z.ZodType<Given>; readonly result: z.ZodType<Result> },
  ...given: Given
): Promise<Result | null> {
  const answer = await answerOfRunning(lock, name, call, ...given);
  return answer?.ok ? answer.value : null;
}

async function askAsReader(port: number, secret: string, path: string, body: string): Promise<unknown> {
  const nonce = newSecret();
  const headers = {
    [nonceHeader]: nonce,
    [readerHeader]: readerProof(secret, port, nonce),
    'content-type': 'application/json',
    origin: addressOf(port),
  };
  // Not `fetch`: Node’s web client is as large as all the rest of a command that only asks.
  const signal = AbortSignal.timeout(callMs);
  const { text } = await post(`${addressOf(port)}${path}`, { headers, body, signal, proved: secret });
  return JSON.parse(text ?? '');
}

/** Whether a request comes from a reader of the lock with this secret. */
export function isReader(secret: string, port: number, { headers }: IncomingMessage): boolean {
  const { [nonceHeader]: nonce, [readerHeader]: proof } = headers;
  if (typeof nonce !== 'string' || typeof proof !== 'string') return false;
  const [given, right] = [Buffer.from(proof), Buffer.from(readerProof(secret, port, nonce))];
  return given.length === right.length && timingSafeEqual(given, right);
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Where a Jumpseat listens, and the key with its label. */
export interface RunningDoor {
  baseUrl: string;
  key: string;
}

export interface RunningAnswer {
  /** 0: none came. */
  status: number;
  /** Null if it did not come whole. */
  text: string | null;
}

/** Far more than any of these answers needs. */
const longest = 4 * 1024 * 1024;
const longestError = 2_000;
const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Asks the running Jumpseat of this folder. Never rejects. */
export function askRunning(
  { baseUrl, key }: RunningDoor,
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<RunningAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return post(`${baseUrl}${path}`, { headers, body, signal, longest });
}

/** Follows no redirect. Never rejects. */
function post(
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
): Promise<RunningAnswer> {
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
    if (proved !== undefined) sent.on('socket', (socket) => isProved(socket, proved) || sent.destroy());
    sent.end(body);
  });
}

/** What it says of a request that it doesn’t take (too many at once, about to end, too large). Null: nothing usable. */
export function refusalIn({ text }: RunningAnswer): string | null {
  try {
    const { error } = errorSchema.parse(JSON.parse(text ?? ''));
    return withoutSpeaker(error.message).slice(0, longestError);
  } catch {
    return null;
  }
}
