import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Access } from '../account/access.ts';
import { readBody } from '../account/read-response.ts';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Attempt, Initiator, Path } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';
import type { Dialer, Redact } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';

/** A request as it is sent to Copilot. */
export interface Outgoing {
  path: Path;
  /** Model whose limit a refusal may be about. Without it the request is never held back. */
  model?: string;
  /** Sent as it is, with its length; never copied. */
  body: Buffer | string;
  /** Not sent on `/embeddings`, which has no prompt. */
  initiator: Initiator;
  /** `conversation-agent`, `conversation-subagent`, `conversation-compaction`, `conversation-background` */
  interactionType: string;
  /** The place in VS Code that such a request comes from; for side requests not the interaction type. */
  intent: string;
  /** One per prompt. */
  interactionId: string;
  /** One per turn: what a prompt or a subagent does until it is done, replays among it. */
  turnId: string;
  /** The body holds an image. */
  vision: boolean;
  /** For Copilot's Messages endpoints alone, as are the betas. */
  anthropicVersion: string | null;
  anthropicBeta: string | null;
  /** What says that GitHub chose the model for it. */
  auto?: Pick<AutoSession, 'header' | 'token'> | null;
  signal: AbortSignal;
  /** `clock.ticks()` when the exchange began. */
  startedTicks: number;
  /** 120 000 unless told. */
  headTimeoutMs?: number;
  /** 300 000 unless told. */
  idleTimeoutMs?: number;
  witness?: Witness;
  /** Budget of the client's request that this belongs to. Absent for a request of its own. */
  budget?: ReplayBudget;
}

/** The exact set, apart from identity, bearer and turn. VS Code looks for images in Chat Completions alone. */
export function headersFor(outgoing: Outgoing): Record<string, string> {
  const { path } = outgoing;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: '*/*',
    'OpenAI-Intent': outgoing.intent,
    'X-Interaction-Type': outgoing.interactionType,
    'X-Interaction-Id': outgoing.interactionId,
  };
  if (outgoing.auto) headers[outgoing.auto.header] = outgoing.auto.token;
  if (path !== '/embeddings') headers['X-Initiator'] = outgoing.initiator;
  if (outgoing.vision && path === '/chat/completions') headers['Copilot-Vision-Request'] = 'true';
  if (path === '/v1/messages' || path === '/v1/messages/count_tokens') {
    if (outgoing.anthropicVersion) headers['anthropic-version'] = outgoing.anthropicVersion;
    if (outgoing.anthropicBeta) headers['anthropic-beta'] = outgoing.anthropicBeta;
  }
  return headers;
}

/** Where requests go: under the host that came with their bearer. */
export class Addresses {
  /** Each address is made once for what gives access. */
  readonly #known = new WeakMap<Access, Map<string, URL>>();

  of(access: Access, path: string): URL {
    let known = this.#known.get(access);
    if (known === undefined) {
      known = new Map();
      this.#known.set(access, known);
    }
    let address = known.get(path);
    if (address === undefined) {
      address = addressOf(access, path);
      known.set(path, address);
    }
    return address;
  }
}

/** Guards the one rule about bearers: to the host that was named with them and nowhere else. */
function addressOf(access: Access, path: string): URL {
  const url = addressUnder(access.apiBase, path);
  if (url.host !== access.apiBase.host || url.protocol !== access.apiBase.protocol) {
    throw new Error('a request would leave the host that its bearer belongs to');
  }
  return url;
}

/** How often a client's request is sent at most, fitted anew after refusals included. */
const mostPosts = 6;

/** The repeats that one request of a client has left, whatever they are for. */
export class ReplayBudget {
  #left = mostPosts - 1;

  /** False: there is none left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/** Sees what is sent and received. The headers contain the bearer: a witness that stores them removes it first. */
export interface Witness {
  /** Before every try. */
  sends(headers: Readonly<Record<string, string>>, body: Buffer | string): void;
  hears(headers: IncomingHttpHeaders): void;
  /** The body of a refusal as it came: who keeps it takes the secrets out first. */
  refused(text: string): void;
}

/** A call without its address and headers. */
export interface CallToDial {
  method: 'GET' | 'POST';
  body?: Buffer | string;
  signal?: AbortSignal;
  witness?: Witness | undefined;
  /** `clock.ticks()` when the exchange began. */
  startedTicks: number;
  headTimeoutMs: number;
  idleTimeoutMs: number;
}

export const headTimeoutMs = 120_000;
export const idleTimeoutMs = 300_000;
const refusalLimit = 256 * 1024;
const refusalDeadlineMs = 10_000;

/** Sends it, and resolves with the head of its answer. Rejects as the dialer does. */
export async function dialCall(
  dialer: Dialer,
  { method, body, signal, witness, headTimeoutMs, idleTimeoutMs }: CallToDial,
  url: URL,
  headers: Record<string, string>,
  attempt: Attempt,
): Promise<IncomingMessage> {
  witness?.sends(headers, body ?? '');
  const { response, connectMs } = await dialer.dial({
    ...{ url, method, headers, headTimeoutMs, idleTimeoutMs },
    ...(body === undefined ? undefined : { body }),
    ...(signal === undefined ? undefined : { signal }),
  });
  attempt.connect = moment(connectMs);
  witness?.hears(response.headers);
  return response;
}

/** What a refusal says, as far as it comes. Rejects where the call was given up meanwhile. */
export async function readRefusal(response: IncomingMessage, { signal, witness }: CallToDial): Promise<string> {
  const { text } = await readBody(response, refusalLimit, refusalDeadlineMs);
  signal?.throwIfAborted();
  witness?.refused(text);
  return text;
}

const idHeaders = ['x-request-id', 'x-github-request-id', 'apim-request-id'] as const;
const idForm = /^[\w.:-]{1,128}$/;

/**
 * Copilot's and GitHub's ids of an answer. A value with any other character, a longer one, or one with a secret is
 * dropped whole: pieces of it could be words of a prompt, or of a token that redaction no longer recognises.
 */
export function readRequestIds(headers: IncomingHttpHeaders, redact: Redact): string[] {
  const ids: string[] = [];
  for (const name of idHeaders) {
    const id = headers[name];
    if (typeof id === 'string' && idForm.test(id) && !ids.includes(id) && redact(id) === id) ids.push(id);
  }
  return ids;
}
