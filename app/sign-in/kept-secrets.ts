import { randomBytes } from 'node:crypto';
import type { Account } from '../account/account.ts';
import type { Problem } from '../api/call.ts';
import type { SecretsStorage } from '../api/settings.ts';
import type { AppState } from '../api/state.ts';
import { t } from '../language/translate.ts';
import { type Ports, SecretsError } from '../ports.ts';
import type { Settings, SettingsStore } from '../settings/settings.ts';
import { FixedFromOutsideError } from '../settings/write-settings.ts';

interface KeptSecretsDependencies {
  ports: Ports;
  settings: SettingsStore;
  account: Pick<Account, 'load' | 'isStoreUnreadable' | 'moveStore'>;
  /** JUMPSEAT_KEY; never stored. */
  keyFromOutside: string | null;
  /** What the store says of itself may be another thing now. */
  changed(): void;
  /** Clients have to show another key from now on. `graceMs`: how long running answers may go on. */
  keyReplaced(graceMs?: number): Promise<void>;
}

/** The store of secrets as a whole: whether it can be used, the local key in it, and the move to another store. */
export class KeptSecrets {
  readonly #dependencies: KeptSecretsDependencies;
  #problem: Problem | null = null;
  #key: Promise<string> | null = null;
  /** The settings' store as it was last seen here; another one is another process's choice. */
  #storage: Settings['secretsStorage'];

  constructor(dependencies: KeptSecretsDependencies) {
    this.#dependencies = dependencies;
    this.#storage = dependencies.settings.current().secretsStorage;
  }

  /** Why the store can't be used; null if it can, as far as is known. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** False if an environment variable decides. */
  get canMove(): boolean {
    return this.#dependencies.ports.secrets.moveTo !== undefined;
  }

  /** True if memory was chosen, here or by the environment, and not for lack of a keychain. */
  get isMemoryWanted(): boolean {
    const { ports, settings } = this.#dependencies;
    return ports.secrets.storage === 'memory' && (!this.canMove || settings.current().secretsStorage === 'memory');
  }

  /** There is no keychain: a sign-in in a terminal has to agree to a file. Never where a variable decides. */
  get needsFile(): boolean {
    const { storage } = this.#dependencies.ports.secrets;
    if (storage === 'keychain') return this.canMove && this.#problem?.code === 'secrets-unavailable';
    return storage === 'memory' && !this.isMemoryWanted;
  }

  /** State for fronts. */
  get state(): AppState['secrets'] {
    const { storage } = this.#dependencies.ports.secrets;
    return { storage, problem: this.#problem, needsFile: this.needsFile };
  }

  /** Whether a key that is written into a file works tomorrow. */
  get isKeyKept(): boolean {
    const { keyFromOutside, ports } = this.#dependencies;
    return keyFromOutside !== null || (ports.secrets.storage !== 'memory' && this.#problem === null);
  }

  /**
   * The local key; made at first, and kept with the token. Where it can't be kept it lives until the process ends, and
   * that is said.
   */
  key(): Promise<string> {
    this.#key ??= this.#readKey();
    return this.#key;
  }

  async replaceKey(): Promise<void> {
    const { keyFromOutside, ports, keyReplaced } = this.#dependencies;
    if (keyFromOutside !== null) {
      throw new FixedFromOutsideError(
        t('The local key comes from JUMPSEAT_KEY.'),
        t('Set JUMPSEAT_KEY to another value.'),
      );
    }
    const made = newKey();
    await ports.secrets.set('local-key', made);
    this.#key = Promise.resolve(made);
    await keyReplaced(0);
  }

  /** Tries the store and loads what it holds; null if it works. */
  async try(): Promise<Problem | null> {
    await this.note();
    if (this.#problem !== null) return this.#problem;
    const { account } = this.#dependencies;
    if (account.isStoreUnreadable()) await account.load();
    await this.#takeUpKey();
    return this.#problem;
  }

  /** Updates the state from the store's status. */
  async note(): Promise<void> {
    const status = await this.#dependencies.ports.secrets.status();
    this.#problem =
      status.kind === 'available'
        ? null
        : { code: `secrets-${status.kind}`, text: status.reason, remedy: status.remedy };
    this.#dependencies.changed();
  }

  /** Moves token and key to another store. Rejects where that can't take them; then nothing was moved. */
  async move(to: SecretsStorage): Promise<void> {
    const { ports, settings, account, keyFromOutside } = this.#dependencies;
    const { moveTo } = ports.secrets;
    if (moveTo === undefined) {
      throw new FixedFromOutsideError(
        t('JUMPSEAT_SECRETS sets where secrets are stored.'),
        t('Unset it, and start Jumpseat again.'),
      );
    }
    // Nothing moves to where it is: that place is tried again.
    const problem = to === ports.secrets.storage ? await this.try() : null;
    if (problem !== null) throw new SecretsError(problem.text, problem.remedy);
    const held = keyFromOutside === null ? { 'local-key': await this.key() } : {};
    const before = settings.current().secretsStorage;
    // Memory for want of a keychain is no choice: the next start looks for one again.
    const after = to === 'memory' && this.needsFile ? 'keychain' : to;
    this.#storage = after;
    try {
      await account.moveStore((token) =>
        moveTo(to, { ...held, ...token }, () => settings.update({ secretsStorage: after })),
      );
    } catch (error) {
      this.#storage = before;
      throw error;
    }
    this.#problem = null;
    this.#dependencies.changed();
  }

  /** Called when another process, such as a sign-in in a terminal, may have moved all secrets. */
  follow(): void {
    const { ports, settings, account } = this.#dependencies;
    const { secretsStorage } = settings.current();
    if (secretsStorage === this.#storage) return;
    this.#storage = secretsStorage;
    const following = async (): Promise<void> => {
      await ports.secrets.follow?.(secretsStorage);
      await this.try();
      await account.load();
      this.#dependencies.changed();
    };
    following().catch((error: unknown) => {
      ports.log.write('warn', 'secrets.not-followed', { reason: error instanceof Error ? error.message : 'unknown' });
    });
  }

  /**
   * The store can be used again, or is another one: clients that were set up with the key in it get in again, and a key
   * that could not be kept is kept now.
   */
  async #takeUpKey(): Promise<void> {
    const { keyFromOutside, ports, keyReplaced } = this.#dependencies;
    if (keyFromOutside !== null || this.#key === null) return;
    const inUse = await this.#key;
    try {
      const stored = await ports.secrets.get('local-key');
      if (stored === inUse) return;
      if (stored === null || stored === '') return await ports.secrets.set('local-key', inUse);
      this.#key = Promise.resolve(stored);
    } catch {
      return this.note();
    }
    await keyReplaced();
  }

  async #readKey(): Promise<string> {
    const { keyFromOutside, ports } = this.#dependencies;
    if (keyFromOutside !== null) return keyFromOutside;
    const made = newKey();
    try {
      const stored = await ports.secrets.get('local-key');
      if (stored !== null && stored !== '') return stored;
      await ports.secrets.set('local-key', made);
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error;
      // Unless it changes its mind at once.
      this.#problem = { code: 'secrets-unavailable', text: error.message, remedy: error.remedy };
      await this.note();
    }
    return made;
  }
}

const newKey = (): string => randomBytes(24).toString('base64url');
