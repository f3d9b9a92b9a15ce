import { accessSync, constants, existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { keyedSearchEngineNames } from './api/search-engines.ts';
import { t } from './language/translate.ts';

/**
 * What the app asks of its surroundings. A front fills these: the terminal with `app/adapters/`, the tray app with its
 * own in `main/`.
 */

/**
 * `github-token` is one of VS Code's app, `own-app-token` one of the person's own app, `fine-grained-token` one that
 * they made: each is used for its own way in alone.
 */
const tokenNames = ['github-token', 'own-app-token', 'fine-grained-token'] as const;
export type TokenName = (typeof tokenNames)[number];

/** Slots of further accounts' tokens; the first account's names have no number. */
export const furtherSlots = [2, 3, 4, 5, 6, 7, 8] as const;
export type Slot = 1 | (typeof furtherSlots)[number];

/** Everything stored as a secret. */
export const secretNames = [
  ...tokenNames,
  ...furtherSlots.flatMap((slot) => tokenNames.map((name) => `${name}-${slot}` as const)),
  'local-key',
  ...keyedSearchEngineNames.map((name) => `${name}-key` as const),
] as const;
export type SecretName = (typeof secretNames)[number];

/** Begins the key of every hosted session. 43 characters of base64url follow. */
export const sessionKeyPrefix = 'jss_';

export type SecretsStatus =
  | { kind: 'available' }
  /** The store is there but may not be opened now. `remedy` is a sentence for a person. */
  | { kind: 'locked'; reason: string; remedy: string }
  | { kind: 'unavailable'; reason: string; remedy: string };

/**
 * Where the GitHub token, the local key and the keys of search engines live. Every call may reject with `SecretsError`;
 * values appear in no error.
 */
export interface Secrets {
  readonly storage: 'keychain' | 'file' | 'memory';
  /** Tries the store with a throw-away entry, within a few seconds at most. Never throws. */
  status(): Promise<SecretsStatus>;
  get(name: SecretName): Promise<string | null>;
  set(name: SecretName, value: string): Promise<void>;
  /** Does nothing when there is no such entry. */
  delete(name: SecretName): Promise<void>;
  /**
   * Takes everything to another store and stays there; absent where the store was chosen from outside. What the process
   * holds counts more than what the old store does, which may be unreadable. `settle` runs when the other store has all
   * of it and before the old one is emptied. Rejects where the other store can't take it or `settle` fails; then
   * everything is where it was.
   */
  moveTo?(
    storage: Secrets['storage'],
    held: Readonly<Partial<Record<SecretName, string>>>,
    settle: () => Promise<void>,
  ): Promise<void>;
  /** Whether secrets can be moved to a keychain, a locked one included. Absent as `moveTo` is. */
  hasKeychain?(): Promise<boolean>;
  /** Goes over to another store as it is: another process has moved everything there. */
  follow?(storage: Secrets['storage']): Promise<void>;
}

/** Something could not be done. `message` says what happened and why, `remedy` what to do next. */
export class RemedyError extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** The same, with what it is for code. */
export class CodedError<Code extends string = string> extends RemedyError {
  readonly code: Code;
  constructor(code: Code, message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, remedy, options);
    this.code = code;
  }
}

/** The store could not do it. `message` says what happened and why, `remedy` what to do next. */
export class SecretsError extends RemedyError {
  override readonly name = 'SecretsError';
}

/** What to say where something can't be written because the disk is full; null for any other error. */
export function fullDisk(error: unknown, folder: string): { text: string; remedy: string } | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return {
    text: t('The disk that holds the folder {folder} is full ({code}).', { folder, code }),
    remedy: t('Free some space there, then try again.'),
  };
}

/** The system refuses a write: names what is read-only, the file or else its folder. Null if it is another error. */
export function readOnlyFile(error: unknown, path: string): { why: string; remedy: string } | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return null;
  const folder = dirname(path);
  return existsSync(path) && mayWriteIn(folder)
    ? {
        why: t('the file {path} is read-only ({code})', { path, code }),
        remedy: t('Make the file {path} writable for your user', { path }),
      }
    : {
        why: t('the folder {folder} is read-only ({code})', { folder, code }),
        remedy: t('Make the folder {folder} writable for your user', { folder }),
      };
}

function mayWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export interface DialRequest {
  url: URL;
  method: 'GET' | 'POST' | 'HEAD';
  /** Names in the spelling they go out with. Values may hold a bearer: an adapter never logs them. */
  headers: Record<string, string>;
  body?: Buffer | string;
  /** Aborting destroys the request, also after its answer has begun. */
  signal?: AbortSignal;
  /**
   * Where no proxy leads, connect to this IP address and resolve no name; null: through a proxy or not at all.
   * Such a connection serves one request. Absent: wherever the name leads.
   */
  address?: string | null;
  /** How long to wait for the head of the answer, in ms. */
  headTimeoutMs: number;
  /** How long an answer may stay silent between two chunks, in ms. Absent: for ever. */
  idleTimeoutMs?: number;
}

/** What `dial` knows besides the answer. */
export interface Dialed {
  response: IncomingMessage;
  /** True when the request went over a connection that was open already. */
  reused: boolean;
  /** ms until there was a connection, ways that led nowhere included; 0 where one was open. */
  connectMs: number;
}

/**
 * The one way to the network, for sign-in, token, models and messages alike: it obeys the proxy and the certificates of
 * its surroundings. Redirects are never followed (a bearer goes nowhere else).
 */
export interface Dialer {
  /**
   * Resolves when the head of the answer is there. Rejects with `NetworkError`, or with the signal's reason when
   * aborted.
   */
  dial(request: DialRequest): Promise<Dialed>;
  /**
   * Which proxy a request to this address goes through first; null: none. Absent where that isn't known. Must not
   * reject.
   */
  proxyFor?(url: URL): Promise<ProxyReport | null>;
  /** What the PAC script says that the person named; null: they named none. Must not reject. */
  proxyScript?(url: URL): Promise<ScriptReport | null>;
  /** IP addresses of a name; empty if there are none. Absent if that isn't known. Must not reject. */
  addressesOf?(hostname: string): Promise<readonly string[]>;
  /** The certificates that it trusts, by where they are from. Absent where that isn't known. */
  certificates?(): CertificateSource[];
  /** What the person set; before the first call nothing is. Absent where it doesn't matter. */
  configure?(network: NetworkSettings): void;
  /** Lets go of idle connections. */
  close(): void;
}

export interface NetworkSettings {
  /** Where a PAC script is: an address of http, https or a file, or a path. It counts more than any other proxy. */
  proxyScript: string | null;
  /** A file of certificates in PEM form, which are trusted as well. */
  caFile: string | null;
}

/** Certificates of authorities. */
export interface CertificateSource {
  /** `node`: those that Node brings. */
  from: 'node' | 'system' | 'NODE_EXTRA_CA_CERTS' | 'setting';
  file: string | null;
  count: number;
  /** Names of those in a file that are no longer valid. */
  expired: readonly string[];
  /** Why the file can't be used; the rest of a sentence that begins with the file. */
  problem: string | null;
  /** The system's are used once a certificate wasn't trusted without them. */
  isUsed: boolean;
}

/** A proxy as a person knows it, without its password. */
export interface ProxyReport {
  /** `proxy.example:3128` */
  address: string;
  /** `script`: the PAC script that the person named. */
  from: 'environment' | 'system' | 'script';
  /** A name and a password go along. */
  hasCredentials: boolean;
  /** Why it isn't known, so that no request leaves: the address is empty then. Null: it is known. */
  problem: string | null;
}

/** What a PAC script says of an address. */
export interface ScriptReport {
  /** Where it is from, without a query. */
  address: string;
  /** `PROXY a:1; DIRECT`; null: it can't be used. */
  answer: string | null;
  /** Why it can't be used, or, beside an answer, why it couldn't be read again. The rest of a sentence. */
  problem: string | null;
  /** When it was read, ms. */
  readAt: number | null;
}

/** No answer came: refused, reset, no such name, bad certificate, time out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly host: string;
  /** Node's code where there is one (`ECONNRESET`, `ENOTFOUND`, `CERT_…`), else `TIMEOUT` or `UNKNOWN`. */
  readonly code: string;
  /**
   * What a proxy answered instead of letting the request through: 407 where it wants a name and a password. Null: none
   * did.
   */
  readonly proxyStatus: number | null;
  /** With 407, the only ways to sign in that it offers, where Jumpseat has none of them: `NTLM`. Else null. */
  readonly unsupportedSignIn: string | null;
  /** The host was reached, and no authority that is trusted here has signed its certificate. */
  readonly isDistrust: boolean;
  /** With distrust, who signed it, as that one calls itself. Null if that isn't known. */
  readonly issuer: string | null;
  /** Proven: there was no connection to write to, so no byte of the request was sent. In doubt false. */
  readonly nothingSent: boolean;
  constructor(
    host: string,
    code: string,
    message: string,
    options: {
      cause?: unknown;
      proxyStatus?: number | null;
      unsupportedSignIn?: string | null;
      isDistrust?: boolean;
      issuer?: string | null;
      nothingSent?: boolean;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.host = host;
    this.code = code;
    this.proxyStatus = options.proxyStatus ?? null;
    this.unsupportedSignIn = options.unsupportedSignIn ?? null;
    this.isDistrust = options.isDistrust ?? false;
    this.issuer = options.issuer ?? null;
    this.nothingSent = options.nothingSent ?? false;
  }
}

export interface Clock {
  /** Wall clock, ms since the epoch. Survives sleep, may jump. */
  now(): number;
  /** Monotonic, ms with fractions. For durations. */
  ticks(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Paths {
  /** The folder of settings.json, history.db, logs, lock and backups (JUMPSEAT_HOME). */
  readonly home: string;
  readonly settings: string;
  readonly history: string;
  readonly sessions: string;
  /** What was read of the agents' own transcripts: it may be deleted at any time, and is read anew. */
  readonly transcripts: string;
  readonly logs: string;
  readonly lock: string;
  readonly backups: string;
  /** What can be fetched again: a folder that may go at any time. Not made. */
  readonly cache: string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Structured lines. Every adapter redacts tokens and keys before a line leaves the process; bodies are never handed in.
 */
export interface Log {
  write(level: LogLevel, event: string, facts?: Record<string, unknown>): void;
}

/** Opens an address in the person's browser. Only https addresses of the configured hosts get here. */
export type OpenUrl = (url: string) => Promise<void>;

/** Moves a file or a folder to the trash of this machine. Rejects where it can't; then it is where it was. */
export type Trash = (path: string) => Promise<void>;

/** Takes out of a text what this process knows to be secret, and what looks like it: tokens, keys, passwords. */
export type Redact = (text: string) => string;

/**
 * From now on `redact` takes this value out of every text, however it is spelled there. `passing`: one of many that
 * follow each other, of which the last few are known.
 */
export type HideSecret = (value: string, life: 'kept' | 'passing') => void;

export interface Ports {
  secrets: Secrets;
  dialer: Dialer;
  clock: Clock;
  paths: Paths;
  log: Log;
  openUrl: OpenUrl;
  redact: Redact;
  hideSecret: HideSecret;
  /** Gives the memory of garbage back to the system. Takes up to 150 ms. Absent: it can't be asked for. */
  collectGarbage?: () => void;
}
