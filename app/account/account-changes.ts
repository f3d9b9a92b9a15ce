import { randomBytes } from 'node:crypto';
import { accountNameSchema, clientLabelSchema } from '../api/account.ts';
import { t } from '../language/translate.ts';
import { furtherSlots } from '../ports.ts';
import type { AccountRecord } from '../settings/schema.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { FixedFromOutsideError, SettingsError, type SettingsPatch } from '../settings/write-settings.ts';
import { type Accounts, firstAccount, firstRecord, type HeldAccount, withFirst } from './accounts.ts';

interface ChangeDependencies<Held> {
  accounts: Accounts<Held>;
  settings: SettingsStore;
  /** The token comes from the environment: it is the only account. */
  isFixed: boolean;
  /** Name for people: the account's own name or its login. */
  nameOf(kept: HeldAccount<Held>): string;
}

/** A person's changes of the list of accounts, written to the settings. Rejects with `SettingsError`. */
export class AccountChanges<Held> {
  readonly #accounts: Accounts<Held>;
  readonly #dependencies: ChangeDependencies<Held>;

  constructor(dependencies: ChangeDependencies<Held>) {
    this.#accounts = dependencies.accounts;
    this.#dependencies = dependencies;
  }

  /** A further one, not signed in yet. Resolves with its id. */
  async add(name: string): Promise<string> {
    const id = randomBytes(4).toString('hex');
    await this.#change((records) => {
      const slot = furtherSlots.find((one) => records.every((record) => record.slot !== one));
      if (slot === undefined)
        throw new SettingsError(
          t('There are as many accounts as there may be.'),
          t('Remove one before you add another.'),
        );
      return [...records, { ...firstRecord, id, slot, name: this.#newName(records, id, name) }];
    });
    return id;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#set(id, (records) => ({ name: this.#newName(records, id, name) }));
  }

  /** Binds exactly these labels to it and unbinds them from other accounts. */
  async bind(id: string, labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      if (!clientLabelSchema.safeParse(label).success)
        throw new SettingsError(
          t('“{label}” can’t be a client’s label.', { label }),
          t('Use 1 to 64 letters, digits, dots, hyphens and underscores.'),
        );
    }
    this.#accounts.find(id);
    await this.#change((records) =>
      records.map((record) => ({
        ...record,
        labels: record.id === id ? [...new Set(labels)] : record.labels.filter((label) => !labels.includes(label)),
      })),
    );
  }

  async use(id: string): Promise<void> {
    this.#requireFree();
    this.#accounts.find(id);
    await this.#dependencies.settings.update({ accountInUse: id === firstAccount ? null : id, lostAccounts: null });
  }

  /** Writes the facts of a sign-in to the settings, for an account that is not the first. */
  async signedIn(id: string, signIn: AccountRecord['signIn']): Promise<void> {
    await this.#set(id, () => ({ signIn }));
  }

  /** Throws for the first one, and for the one in use. */
  requireRemovable(id: string): void {
    if (id === firstAccount)
      throw new SettingsError(t('The first account can’t be removed.'), t('Sign out of the account, or rename it.'));
    if (this.#accounts.inUse().record.id === id)
      throw new SettingsError(t('This account is in use.'), t('Switch to another account, then remove this one.'));
    this.#accounts.find(id);
  }

  /** Its tokens have to be gone before. */
  async remove(id: string): Promise<void> {
    this.requireRemovable(id);
    await this.#change((records) => records.filter((record) => record.id !== id));
  }

  #newName(records: readonly AccountRecord[], id: string, wished: string): string {
    const name = accountNameSchema.safeParse(wished);
    if (!name.success)
      throw new SettingsError(t('The name of an account has 1 to 40 characters.'), t('Choose another name.'));
    const same = name.data.toLowerCase();
    const shown = this.#accounts
      .all()
      .filter(({ record }) => record.id !== id)
      .map((kept) => this.#dependencies.nameOf(kept));
    const names = records.flatMap((record) => (record.id === id || record.name === null ? [] : [record.name]));
    if ([...names, ...shown].some((one) => one.toLowerCase() === same))
      throw new SettingsError(
        t('An account is named “{name}” already.', { name: name.data }),
        t('Choose another name.'),
      );
    return name.data;
  }

  #set(id: string, change: (records: readonly AccountRecord[]) => Partial<AccountRecord>): Promise<void> {
    this.#accounts.find(id);
    return this.#change((records) =>
      records.map((record) => (record.id === id ? { ...record, ...change(records) } : record)),
    );
  }

  async #change(change: (records: AccountRecord[]) => AccountRecord[]): Promise<void> {
    this.#requireFree();
    await this.#dependencies.settings.update(
      (before): SettingsPatch => ({ accounts: change(withFirst(before.accounts)) }),
    );
  }

  #requireFree(): void {
    if (this.#dependencies.isFixed)
      throw new FixedFromOutsideError(
        t('The account comes from JUMPSEAT_GITHUB_TOKEN.'),
        t('Unset it, and start Jumpseat again.'),
      );
  }
}
