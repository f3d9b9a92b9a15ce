import { type SecretName, type Secrets, SecretsError, type SecretsStatus } from '../../../app/ports.ts';

/** A store in memory that calls itself what a test wants, and fails as a keychain may. */
export class FaultySecrets implements Secrets {
  readonly storage: Secrets['storage'];
  readonly values = new Map<SecretName, string>();
  /** How every call fails. */
  trouble: Exclude<SecretsStatus, { kind: 'available' }> | null = null;
  /** The one entry that it does not take. */
  refused: SecretName | null = null;

  constructor(storage: Secrets['storage'], values: Partial<Record<SecretName, string>> = {}) {
    this.storage = storage;
    for (const name of ['github-token', 'local-key'] as const)
      if (values[name] !== undefined) this.values.set(name, values[name]);
  }

  get held(): Partial<Record<SecretName, string>> {
    return Object.fromEntries(this.values);
  }

  async status(): Promise<SecretsStatus> {
    return this.trouble ?? { kind: 'available' };
  }
  async get(name: SecretName): Promise<string | null> {
    this.#fail();
    return this.values.get(name) ?? null;
  }
  async set(name: SecretName, value: string): Promise<void> {
    this.#fail();
    if (name === this.refused) throw new SecretsError('The disk is full.', 'Make room.');
    this.values.set(name, value);
  }
  async delete(name: SecretName): Promise<void> {
    this.#fail();
    this.values.delete(name);
  }

  #fail(): void {
    if (this.trouble !== null) throw new SecretsError(this.trouble.reason, this.trouble.remedy);
  }
}

export const noKeychain = {
  kind: 'unavailable',
  reason: 'There’s no keychain service in this session.',
  remedy: 'Start one.',
} as const;
export const lockedKeychain = { kind: 'locked', reason: 'The keychain is locked.', remedy: 'Unlock it.' } as const;
