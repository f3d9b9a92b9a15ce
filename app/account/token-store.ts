import type { CredentialKind } from '../api/account.ts';
import { type SecretName, type Secrets, SecretsError, type Slot } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { AccountError } from './account-error.ts';
import { type Credential, secretOf } from './credential.ts';
import type { Session } from './session.ts';
import { readStored, storedToken } from './stored-token.ts';

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

  /** Null: the token of this kind lies elsewhere. */
  nameOf(kind: CredentialKind): SecretName | null {
    return secretOf(kind, this.#slot);
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

  /** One write at a time, in the order they were asked for. */
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
  if (error instanceof SecretsError) return new AccountError('broken', error.message, error.mend);
  return new AccountError(
    'broken',
    'The place where the GitHub token is kept could not be used.',
    'Run "jumpseat doctor"; it says what is wrong with the keychain.',
  );
}
