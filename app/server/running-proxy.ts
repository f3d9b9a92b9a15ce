import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ZodType } from 'zod';
import type { CallAnswer, Problem } from '../api/call.ts';
import type { CallArguments, CallName, CallResult } from '../api/calls.ts';
import { contract } from '../api/contract.ts';
import { isObject } from '../formats/wire/json.ts';
import { english, languageParameter, shownLanguage } from '../language/language.ts';
import { t } from '../language/translate.ts';
import { withoutSpeaker } from '../words/text.ts';
import { answers, isTaken } from './lock.ts';
import {
  addressOf,
  askAsReader,
  callPath,
  nonceHeader,
  type PostAnswer,
  post,
  readerHeader,
  readerProof,
  readLock,
} from './who-answers.ts';

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
        text: t('A Jumpseat runs, but its file {file} can’t be read.', { file: lock }),
        remedy: t('Quit it and start it again.'),
      }
    : {
        code: 'silent',
        text: t('Jumpseat (pid {pid}) doesn’t answer.', { pid: String(owner.pid) }),
        remedy: t('Let it go on where it was stopped ("fg" in its terminal), or end it and start it again.'),
      };
}

/** Where a reader of the folder's lock is given another link to the dashboard. */
export const dashboardLinkPath = '/ui/link';

/**
 * A new link to the dashboard of the Jumpseat that owns a folder. It is given to who has read the lock, and not for the
 * local key, which every client has. `none`: none answers; `refused`: it is of an earlier version, or ends.
 */
export async function newDashboardLink(lock: string): Promise<{ url: string } | 'none' | 'refused'> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return 'none';
  try {
    const link = await askAsReader(owner.port, owner.secret, dashboardLinkPath, '', callMs);
    return isObject(link) && typeof link.url === 'string' ? { url: link.url } : 'refused';
  } catch {
    return 'refused';
  }
}

/** Longer than keychain, GitHub and Copilot are waited for together. */
const callMs = 60_000;

/** What the Jumpseat that owns a folder answers to a call. Null if there is none, or not as this version. */
export async function answerOfRunning<Name extends CallName>(
  lock: string,
  name: Name,
  ...given: CallArguments<Name>
): Promise<CallAnswer<CallResult<Name>> | null> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return null;
  const { port, secret } = owner;
  try {
    const path = `${callPath}${name}${inOwnLanguage()}`;
    const answer = await askAsReader(port, secret, path, JSON.stringify(given), callMs);
    return owner.contract === contract && isAnswer<CallResult<Name>>(answer) ? answer : await checked(name, answer);
  } catch {
    return null;
  }
}

/** One of the same contract was checked where it comes from. */
function isAnswer<Result>(answer: unknown): answer is CallAnswer<Result> {
  return isObject(answer) && (answer.ok === true || (answer.ok === false && isObject(answer.problem)));
}

/** Throws for an answer that isn’t of this version. */
async function checked<Name extends CallName>(name: Name, answer: unknown): Promise<CallAnswer<CallResult<Name>>> {
  const [{ answeredSchema }, { calls }] = await Promise.all([import('../api/call.ts'), import('../api/calls.ts')]);
  const answered = answeredSchema.parse(answer);
  if (!answered.ok) return answered;
  const shapes: { readonly [One in CallName]: { readonly result: ZodType<CallResult<One>> } } = calls;
  // Read once, a schema isn’t worth code of its own.
  return { ok: true, value: shapes[name].result.parse(answered.value, { jitless: true }) };
}

/** The app’s sentences come as this process shows its own. */
function inOwnLanguage(): string {
  const { tag } = shownLanguage();
  return tag === english.tag ? '' : `?${languageParameter}=${tag}`;
}

/** The same for who does it another way where it can’t be had. */
export async function callRunning<Name extends CallName>(
  lock: string,
  name: Name,
  ...given: CallArguments<Name>
): Promise<CallResult<Name> | null> {
  const answer = await answerOfRunning(lock, name, ...given);
  return answer?.ok ? answer.value : null;
}

/** Whether a request comes from a reader of the lock with this secret. */
export function isReader(secret: string, port: number, { headers }: IncomingMessage): boolean {
  const { [nonceHeader]: nonce, [readerHeader]: proof } = headers;
  if (typeof nonce !== 'string' || typeof proof !== 'string') return false;
  const [given, right] = [Buffer.from(proof), Buffer.from(readerProof(secret, port, nonce))];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Where a Jumpseat listens, and the key with its label. */
export interface RunningDoor {
  baseUrl: string;
  key: string;
}

/** Far more than any of these answers needs. */
const longest = 4 * 1024 * 1024;
const longestError = 2_000;

/** Asks the running Jumpseat of this folder. Never rejects. */
export function askRunning(
  { baseUrl, key }: RunningDoor,
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<PostAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return post(`${baseUrl}${path}`, { headers, body, signal, longest });
}

/** What it says of a request that it doesn’t take (too many at once, about to end, too large). Null: nothing usable. */
export function refusalIn({ text }: PostAnswer): string | null {
  try {
    const { error }: { error?: unknown } = JSON.parse(text ?? '');
    if (!isObject(error) || typeof error.message !== 'string') return null;
    return withoutSpeaker(error.message).slice(0, longestError);
  } catch {
    return null;
  }
}
