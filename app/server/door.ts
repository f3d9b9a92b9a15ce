import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientLabelSchema, setupLabel } from '../api/account.ts';
import type { StoredKey } from '../api/keys.ts';
import { namedKeyPrefix } from '../api/keys.ts';
import { inOwnWords } from '../api/shell.ts';
import type { AnthropicErrorType } from '../formats/messages/error.ts';
import { openaiError } from '../formats/openai/error.ts';
import { dayAndTime } from '../words/times.ts';
import { leadsToCopilot, type RouteError } from './client-api.ts';

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
const open: readonly { method: string; path: string }[] = [
  { method: 'GET', path: '/healthz' },
  { method: 'HEAD', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
  { method: 'HEAD', path: '/readyz' },
  { method: 'HEAD', path: '/' },
  { method: 'HEAD', path: '/api/hello' },
];

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
  readonly #isOurHost: (host: string) => boolean;
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
    const hosts = new Set(names);
    this.#otherPlace = options.otherPlace ?? null;
    this.#isOurHost = options.otherPlace?.isHost ?? ((host) => hosts.has(host));
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
    if (knock.host === undefined || !this.#isOurHost(knock.host.toLowerCase())) {
      const use = this.#otherPlace?.use ?? 'http://127.0.0.1 with the proxy’s port';
      return no(421, 'invalid_request_error', `Jumpseat: this address isn’t mine. Use ${use}.`);
    }
    const foreign = knock.origin !== undefined && !this.#origins.has(knock.origin.toLowerCase());
    // A link to the dashboard may stand on any page: what opens it is asked for by the dashboard's own door.
    const embedded = (knock.site === 'cross-site' || knock.site === 'same-site') && !isDashboard(knock.path);
    if (foreign || embedded) return no(403, 'permission_error', 'Jumpseat: web pages may not use the proxy.');
    if (this.#otherPlace !== null && isDashboard(knock.path)) return noDashboard;
    if (Number(knock.contentLength ?? 0) > largestBody) return tooLarge;
    if (isDashboard(knock.path) || open.some((route) => route.method === knock.method && route.path === knock.path))
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
      ...no(401, 'authentication_error', words(path === '/mcp' ? mcp : claudeCode)),
      openai: { status: 401, body: openaiError('invalid_request_error', words(openai), 'invalid_api_key') },
    };
  }

  /**
   * The label after `KEY.` when the key is right; null otherwise. Takes as long for a wrong key as for the right one. A
   * session's key opens what leads to Copilot and the tools of `/mcp`, and its label is the session.
   */
  #client({ authorization, path }: DoorRequest): string | null {
    const credential = credentialIn(authorization);
    const { key, label } = parted(credential);
    if (this.#isOurs(key) && isLabel(label)) return label;
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
    if (!isLabel(client)) return this.#refused(noName(client), path);
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

/** Node reads a header's bytes as Latin-1; most programs send UTF-8. */
function asUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}

const isLabel = (label: string): boolean => clientLabelSchema.safeParse(label).success;

/** A label is shown in terminals: what steers one is no part of a name. */
function printable(label: string): string {
  return label.replace(/\p{Cc}/gu, '?');
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

/** How a client's refusal names its lines, and how its key gets into the right header. */
interface ClientLines {
  name: string;
  command: string;
  header: string;
}

const claudeCode: ClientLines = {
  name: 'Claude Code',
  command: 'jumpseat env',
  header: 'in Claude Code set ANTHROPIC_AUTH_TOKEN, not ANTHROPIC_API_KEY',
};
const openai: ClientLines = {
  name: 'OpenAI clients',
  command: 'jumpseat env --for openai',
  header: 'OpenAI clients do that with the key in OPENAI_API_KEY',
};
const mcp: ClientLines = {
  name: 'MCP clients',
  command: 'jumpseat env --for mcp',
  header: '"jumpseat env --for mcp" prints the lines',
};

type Refusal = (client: ClientLines) => string;

/** For a person with a browser. */
const noPage: Refusal = () =>
  'Jumpseat: this address is for programs, and no key was sent. "jumpseat dashboard" prints a link to the dashboard.';
const noKey: Refusal = ({ name, command }) => `Jumpseat: no key was sent. Copy the lines for ${name} ("${command}").`;
const wrongKey: Refusal = ({ name, command }) =>
  `Jumpseat: this key isn’t mine. Copy the lines for ${name} again ("${command}").`;
/** Claude Code's settings.json counts more than the environment, so lines pasted into a shell may change nothing. */
const wrongKeyOfSetup: Refusal = (client) =>
  client === claudeCode
    ? 'Jumpseat: this key isn’t mine. Run "jumpseat setup claude-code" again. If you pasted lines instead, copy them ' +
      'again ("jumpseat env").'
    : wrongKey(client);
const withoutLabel: Refusal = () =>
  'Jumpseat: a name is missing after the key. Send KEY.NAME, for example with “my-app” as the name.';
const noName =
  (label: string): Refusal =>
  () =>
    `Jumpseat: the key is right, but “${printable(asUtf8(label)).slice(0, 64)}” can’t be the name after it. A name has up to 64 ` +
    'letters A–Z, digits, “.”, “_” and “-”, and begins with a letter or digit.';
const expiredKey =
  (name: string, at: number): Refusal =>
  () =>
    `Jumpseat: the key “${name}” expired on ${dayAndTime(at)}. Create a new key with "jumpseat keys create".`;
const revokedKey: Refusal = () =>
  'Jumpseat: this key was revoked, or another Jumpseat made it. Create a new key with "jumpseat keys create".';
const keyWithoutName =
  (name: string, clients: readonly string[]): Refusal =>
  () =>
    `Jumpseat: a name is missing after the key “${name}”, which is for ${clients.join(' and ')}. ` +
    `Send KEY.NAME, for example with “${clients[0]}” as the name.`;
const keyOfOthers =
  (name: string, clients: readonly string[], client: string): Refusal =>
  () =>
    `Jumpseat: the key “${name}” is for ${clients.join(' and ')}, and not for “${printable(client)}”. ` +
    'Send the name that it is for, or another key.';
const otherHeader: Refusal = ({ header }) =>
  `Jumpseat: the key came in the header x-api-key. Send the same value as "Authorization: Bearer …"; ${header}.`;

function no(status: number, type: AnthropicErrorType, message: string): Admission & { ok: false } {
  return { ok: false, status, type, message, shouldRetry: status !== 401 };
}
