import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { StoredKey } from '../api/keys.ts';
import { namedKeyPrefix } from '../api/keys.ts';
import { clientLabelForm, setupLabel } from '../api/names.ts';
import { inOwnWords } from '../api/shell.ts';
import type { AnthropicErrorType } from '../formats/messages/error.ts';
import { openaiError } from '../formats/openai/error.ts';
import { leadsToCopilot, type RouteError } from './client-api.ts';
import {
  type ClientLines,
  claudeCodeLines,
  expiredKey,
  keyOfOthers,
  keyWithoutName,
  mcpLines,
  noKey,
  noName,
  noPage,
  openaiLines,
  otherHeader,
  printable,
  type Refusal,
  revokedKey,
  withoutLabel,
  wrongKey,
  wrongKeyOfSetup,
} from './refused-clients.ts';

/** The largest body that is read, in bytes. */
export const largestBody = 64 * 1024 * 1024;

/** What the door looks at; nothing of the body. */
interface DoorRequest {
  path: string;
  method: string;
  host: string | undefined;
  origin: string | undefined;
  /** `sec-fetch-site`, which browsers alone send: who asked, where no Origin says it (an image, a script, a frame). */
  site: string | undefined;
  /** A browser asks for `text/html`. */
  accept?: string | undefined;
  authorization: string | undefined;
  /** `x-api-key`: no key is taken from it, but the right one there is worth a word. */
  apiKey: string | undefined;
  contentLength: string | undefined;
}

export type Admission =
  | {
      ok: true;
      /** The key's label; null where no key is asked for. */
      client: string | null;
      /** The name of a further key; null: the first one, a session's or none. */
      key: string | null;
    }
  | (RouteError & { ok: false; shouldRetry: boolean });

/** A further key, as the door sees it. `expiredAt`: ms since the epoch; null: it has not. */
export type FoundKey = Pick<StoredKey, 'name' | 'clients'> & { expiredAt: number | null };

/** The parts of the local server that every program on this machine may see: they hold no account data. */
const open: ReadonlySet<string> = new Set([
  'GET /healthz',
  'HEAD /healthz',
  'GET /readyz',
  'HEAD /readyz',
  'HEAD /',
  'HEAD /api/hello',
]);

/** Besides 127.0.0.1, what the person opened: the socket, or one address. */
export interface OtherPlace {
  /** The `Host` of a request that was sent there, in lower case. */
  isHost: (host: string) => boolean;
  /** The address to use instead of a wrong one. */
  use: string;
}

/**
 * A forward gives the socket a port of its own, and a program that opens the socket itself none. No page of another
 * name is meant by these.
 */
export const socketPlace: OtherPlace = {
  isHost: (host) => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/.test(host),
  use: 'http://127.0.0.1 with the port of "jumpseat forward"',
};

/** How clients name an address of this machine. */
export function urlAt(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Containers call the address of their bridge by this name. */
const nameInContainers = 'host.docker.internal';

export function addressPlace(address: string, port: number): OtherPlace {
  const url = urlAt(address, port);
  const hosts = new Set([new URL(url).host, `${nameInContainers}:${port}`]);
  return { isHost: (host) => hosts.has(host), use: url };
}

/**
 * Who may come in. In this order, each before anything else is looked at: Host (a page of another name must not reach
 * us by DNS rebinding), Origin and the browser's own word for who asked (a web page must not reach us at all), size,
 * key. The dashboard has a door of its own behind the first three.
 */
export class Door {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #otherPlace: OtherPlace | null;
  readonly #key: Buffer;
  readonly #sessionOf: (key: string) => string | null;
  readonly #namedKey: (key: string) => FoundKey | null;
  readonly #wrongKey: Admission | null;
  readonly #command: string;
  readonly #refusedClient: (client: string) => void;

  /**
   * `sessionOf`: the hosted session whose key it is. `namedKey`: the further key that it is. `wrongKey`: what is told
   * where the lines with the key are not those of the app.
   */
  constructor(options: {
    port: number;
    key: string;
    /** How a person starts this Jumpseat in a shell; `jumpseat` unless given. */
    command?: string | undefined;
    sessionOf?: (key: string) => string | null;
    namedKey?: (key: string) => FoundKey | null;
    wrongKey?: string;
    /** Called with the name after a key that doesn't open. */
    refusedClient?: (client: string) => void;
    /** It is the door of another place than 127.0.0.1. */
    otherPlace?: OtherPlace;
  }) {
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${options.port}`);
    this.#hosts = new Set(names);
    this.#otherPlace = options.otherPlace ?? null;
    // The dashboard's page is on 127.0.0.1 alone, and no other page asks anything.
    this.#origins = new Set(this.#otherPlace === null ? names.map((name) => `http://${name}`) : []);
    this.#key = Buffer.from(options.key);
    this.#command = options.command ?? 'jumpseat';
    this.#sessionOf = options.sessionOf ?? (() => null);
    this.#namedKey = options.namedKey ?? (() => null);
    this.#refusedClient = options.refusedClient ?? (() => undefined);
    const { wrongKey: reported } = options;
    this.#wrongKey = reported === undefined ? null : no(401, 'authentication_error', reported);
  }

  admit(knock: DoorRequest): Admission {
    const host = knock.host?.toLowerCase();
    if (host === undefined || !(this.#otherPlace?.isHost(host) ?? this.#hosts.has(host))) {
      const use = this.#otherPlace?.use ?? 'http://127.0.0.1 with the proxy’s port';
      return no(421, 'invalid_request_error', `Jumpseat: this address isn’t mine. Use ${use}.`);
    }
    const foreign = knock.origin !== undefined && !this.#origins.has(knock.origin.toLowerCase());
    // A link to the dashboard may stand on any page: what opens it is asked for by the dashboard's own door.
    const embedded = (knock.site === 'cross-site' || knock.site === 'same-site') && !isDashboard(knock.path);
    if (foreign || embedded) return no(403, 'permission_error', 'Jumpseat: web pages may not use the proxy.');
    if (this.#otherPlace !== null && isDashboard(knock.path)) return noDashboard;
    if (Number(knock.contentLength ?? 0) > largestBody) return tooLarge;
    if (isDashboard(knock.path) || open.has(`${knock.method} ${knock.path}`))
      return { ok: true, client: null, key: null };
    const client = this.#client(knock);
    if (client !== null) return { ok: true, client, key: null };
    const found = this.#named(knock) ?? this.#refusal(knock);
    const { label } = parted(credentialIn(knock.authorization));
    if (!found.ok && label !== '') this.#refusedClient(printable(label));
    return found;
  }

  /** With the right key the refusal says what is missing, otherwise which lines to copy. */
  #refusal({ authorization, apiKey, method, path, accept }: DoorRequest): Admission {
    const sent = credentialIn(authorization);
    const { key, label } = parted(sent);
    if (sent !== '' && this.#isOurs(key)) return this.#refused(label === '' ? withoutLabel : noName(label), path);
    if (sent === '' && apiKey !== undefined && this.#isKnown(parted(apiKey).key))
      return this.#refused(otherHeader, path);
    if (parted(sent || (apiKey ?? '')).key.startsWith(namedKeyPrefix)) return this.#refused(revokedKey, path);
    if (this.#wrongKey !== null) return this.#wrongKey;
    const isNone = !apiKey && /^(?:Bearer)?\s*$/i.test(authorization ?? '');
    if (isNone) return this.#refused(method === 'GET' && accept?.includes('text/html') ? noPage : noKey, path);
    return this.#refused(parted(sent).label === setupLabel ? wrongKeyOfSetup : wrongKey, path);
  }

  /** For the client that asks there; in OpenAI's shape for the clients of its APIs. */
  #refused(refusal: Refusal, path: string): Admission {
    const words = (client: ClientLines): string => inOwnWords(refusal(client), this.#command);
    return {
      ...no(401, 'authentication_error', words(path === '/mcp' ? mcpLines : claudeCodeLines)),
      openai: { status: 401, body: openaiError('invalid_request_error', words(openaiLines), 'invalid_api_key') },
    };
  }

  /**
   * The label after `KEY.` when the key is right; null otherwise. Takes as long for a wrong key as for the right one. A
   * session's key opens what leads to Copilot and the tools of `/mcp`, and its label is the session.
   */
  #client({ authorization, path }: DoorRequest): string | null {
    const credential = credentialIn(authorization);
    const { key, label } = parted(credential);
    if (this.#isOurs(key) && clientLabelForm.test(label)) return label;
    return leadsToCopilot(path) || path === '/mcp' ? this.#sessionOf(credential) : null;
  }

  /** What a further key opens: all that the first one does, for the clients that it is for. Null: it is none. */
  #named({ authorization, path }: DoorRequest): Admission | null {
    const { key, label } = parted(credentialIn(authorization));
    const found = this.#namedKey(key);
    if (found === null) return null;
    const { name, clients, expiredAt } = found;
    if (expiredAt !== null) return this.#refused(expiredKey(name, expiredAt), path);
    const client = label || (clients.length > 1 ? undefined : (clients[0] ?? name));
    if (client === undefined) return this.#refused(keyWithoutName(name, clients), path);
    if (clients.length > 0 && !clients.includes(client)) return this.#refused(keyOfOthers(name, clients, client), path);
    if (!clientLabelForm.test(client)) return this.#refused(noName(client), path);
    return { ok: true, client, key: name };
  }

  #isKnown(key: string): boolean {
    return this.#isOurs(key) || this.#namedKey(key) !== null;
  }

  #isOurs(key: string): boolean {
    // In as many bytes as the key has, so that one of another length is compared like any other.
    const given = Buffer.alloc(this.#key.length);
    given.write(key);
    return timingSafeEqual(given, this.#key) && Buffer.byteLength(key) === this.#key.length;
  }
}

/** Empty where there is none. */
function credentialIn(authorization: string | undefined): string {
  return /^Bearer +(\S(?:.*\S)?)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** `KEY.label` */
function parted(credential: string): { key: string; label: string } {
  const dot = credential.indexOf('.');
  return dot < 0 ? { key: credential, label: '' } : { key: credential.slice(0, dot), label: credential.slice(dot + 1) };
}

export function isDashboard(path: string): boolean {
  return path === '/ui' || path.startsWith('/ui/');
}

/** What a route finds on a request that came through the door. */
interface Admitted {
  requestId: string;
  /** Label of the key; empty on routes that ask for none. */
  client: string;
  /** The name of a further key. */
  key: string | null;
  startedAt: number;
  startedTicks: number;
}

const admitted = new WeakMap<IncomingMessage, Admitted>();

/** Once, at the door. */
export function noteAdmission(request: IncomingMessage, found: Admitted): void {
  admitted.set(request, found);
}

export function admission(request: IncomingMessage): Admitted {
  const found = admitted.get(request);
  if (found === undefined) throw new Error('A route ran before the door.');
  return found;
}

/** Null if it did not come as far as the door. */
export function requestIdOf(request: IncomingMessage): string | null {
  return admitted.get(request)?.requestId ?? null;
}

/** Path without the query. A target is a path, but a client may send a whole address. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? url;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

export const tooLarge = {
  ...no(413, 'request_too_large', 'Jumpseat: the body is over 64 MiB. Leave out images or run /compact.'),
  openai: {
    status: 413,
    body: openaiError(
      'invalid_request_error',
      'Jumpseat: the body is over 64 MiB. Leave out images or older messages.',
      'request_too_large',
    ),
  },
};

const noDashboard = no(
  403,
  'permission_error',
  'Jumpseat: the dashboard is only served on 127.0.0.1 of the machine where Jumpseat runs.',
);

function no(status: number, type: AnthropicErrorType, message: string): Admission & { ok: false } {
  return { ok: false, status, type, message, shouldRetry: status !== 401 };
}
