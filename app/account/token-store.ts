import { type CredentialKind, credentialKindSchema, type SignInResult } from '../api/account.ts';
import { t } from '../language/translate.ts';
import { type SecretName, type Secrets, SecretsError, type Slot } from '../ports.ts';
import { defaultApi, type GithubAddresses, isLoopback } from '../settings/github-addresses.ts';
import { AccountError } from './account-error.ts';
import { type Credential, secretOf, wayOf } from './credential.ts';
import type { Session } from './session.ts';
import type { Attempt } from './sign-in-attempts.ts';
import { unlessAborted } from './unless-aborted.ts';

export type Stored =
  | { kind: 'credential'; credential: Credential }
  | Exclude<ReturnType<typeof readStored>, { kind: 'token' }>;

/** What is stored of one account among the secrets: for each kind of credential a token with its hosts. */
export class TokenStore {
  readonly #secrets: Secrets;
  readonly #slot: Slot | undefined;
  #writes: Promise<unknown> = Promise.resolve();

  constructor({ secrets, slot }: { secrets: Secrets; slot?: Slot | undefined }) {
    this.#secrets = secrets;
    this.#slot = slot;
  }

  /** Null if the token of this kind is elsewhere. */
  nameOf(kind: CredentialKind): SecretName | null {
    return secretOf(kind, this.#slot);
  }

  /** Names under which this account's tokens are stored, one for each kind. */
  names(): SecretName[] {
    return credentialKindSchema.options.flatMap((kind) => this.nameOf(kind) ?? []);
  }

  /** What is stored of this kind for these hosts. Rejects as the secrets do. */
  async read(kind: CredentialKind, github: GithubAddresses): Promise<Stored> {
    const name = this.nameOf(kind);
    if (name === null) return { kind: 'credential', credential: { kind, token: null } };
    const entry = readStored(github, await this.#secrets.get(name));
    return entry.kind === 'token' ? { kind: 'credential', credential: { kind, token: entry.token } } : entry;
  }

  /** Rejects as the secrets do. */
  async keep(session: Session): Promise<void> {
    const entry = this.#entryOf(session);
    if (entry !== null) await this.whileUnused(() => this.#secrets.set(entry.name, entry.text));
  }

  /** Rejects as the secrets do. */
  delete(name: SecretName): Promise<void> {
    return this.whileUnused(() => this.#secrets.delete(name));
  }

  /** What the store has to hold of it, under its name. */
  entriesOf(session: Session): Partial<Record<SecretName, string>> {
    const entry = this.#entryOf(session);
    return entry === null ? {} : { [entry.name]: entry.text };
  }

  /** Runs writes one at a time, in order. */
  whileUnused(work: () => Promise<void>): Promise<void> {
    const done = this.#writes.then(work, work);
    this.#writes = done.catch(() => undefined);
    return done;
  }

  #entryOf({ github, credential }: Session): { name: SecretName; text: string } | null {
    const name = this.nameOf(credential.kind);
    return name === null || credential.token === null ? null : { name, text: storedToken(github, credential.token) };
  }
}

/** Why the store could not be used, for a person. */
export function storeTrouble(error: unknown): AccountError {
  if (error instanceof SecretsError) return new AccountError('broken', error.message, error.remedy);
  return new AccountError(
    'broken',
    t('The storage for the GitHub token could not be used.'),
    t('Run "jumpseat doctor"; it says what is wrong with the keychain.'),
  );
}

/**
 * How the GitHub token lies in the store: with the host that gave it and, where that is not the one that belongs to it,
 * the host of the REST API (`octo.ghe.com ghu_…`, `octo.example api.example ghu_…`). It is shown to exactly these,
 * whatever settings and environment say at the next start.
 */
export function storedToken(github: GithubAddresses, githubToken: string): string {
  const { web, api } = github;
  return [web.host, ...(isUsualApi(github) ? [] : [api.host]), githubToken].join(' ');
}

type StoredEntry =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  /** Not used for any host here. `storedFor`: the hosts it is for, in words. */
  | { kind: 'other-hosts'; storedFor: string };

/** Reads the entry for these hosts. */
export function readStored(github: GithubAddresses, entry: string | null): StoredEntry {
  if (!entry) return { kind: 'none' };
  const parts = entry.split(' ');
  const token = parts.at(-1) ?? '';
  const [web, api = null] = parts.slice(0, -1);
  // Without a host it was stored before hosts could be chosen: GitHub's own, or a stand-in on this machine.
  if (web === undefined) {
    const isOurs = github.web.host === 'github.com' ? isUsualApi(github) : isStandIn(github);
    return isOurs ? { kind: 'token', token } : { kind: 'other-hosts', storedFor: 'github.com' };
  }
  const isShown = github.web.host === web && (api === null ? isUsualApi(github) : github.api.host === api);
  return isShown ? { kind: 'token', token } : { kind: 'other-hosts', storedFor: inWords(web, api) };
}

/** `github.com`, or `octo.example with the API at api.example`. */
export function hostsInWords(github: GithubAddresses): string {
  return inWords(github.web.host, isUsualApi(github) ? null : github.api.host);
}

function inWords(web: string, api: string | null): string {
  return api === null ? web : t('{web} with the API at {api}', { web, api });
}

/** The API that belongs to this host: its own by name, or the same host. */
function isUsualApi({ web, api }: GithubAddresses): boolean {
  return api.host === (defaultApi(web)?.host ?? web.host);
}

function isStandIn({ web, api }: GithubAddresses): boolean {
  return isLoopback(web.hostname) && isLoopback(api.hostname);
}

/**
 * Stores what a person has signed in with; on the way through the runtime only what has let the person in. Null: it is
 * stored. Else how the sign-in ended.
 */
export async function keepSignIn(store: TokenStore, session: Session, attempt: Attempt): Promise<SignInResult | null> {
  if (wayOf(session.credential.kind) === 'copilot-sdk') {
    try {
      await unlessAborted(session.shared.get(), attempt.signal);
    } catch (error) {
      if (!attempt.isWanted()) return { kind: 'cancelled' };
      if (!(error instanceof AccountError)) throw error;
      return {
        kind: 'failed',
        text: t('{message} Nothing was stored.', { message: error.message }),
        remedy: error.remedy,
      };
    }
  }
  if (!attempt.isWanted()) return { kind: 'cancelled' };
  // From here on it is stored, and in use afterwards: what the store holds must not be another one.
  try {
    await store.keep(session);
    return null;
  } catch (error) {
    const trouble = storeTrouble(error);
    return {
      kind: 'no-storage',
      text: t('The sign-in could not be stored. {message}', { message: trouble.message }),
      remedy: trouble.remedy,
    };
  }
}
