import { randomBytes } from 'node:crypto';
import { accountNameSchema, clientLabelSchema } from '../api/account.ts';
import { t } from '../language/translate.ts';
import { furtherSlots } from '../ports.ts';
import { FixedFromOutsideError } from '../settings/fixed-from-outside.ts';
import type { AccountRecord } from '../settings/schema.ts';
import { SettingsError, type SettingsPatch, type SettingsStore } from '../settings/settings.ts';
import { AccountError, notDirectly } from './account-error.ts';

export const firstAccount = 'first';

/** What the settings say of an account, and what this process holds for it. */
export interface HeldAccount<Held> {
  readonly record: AccountRecord;
  readonly held: Held;
}

interface AccountsDependencies<Held> {
  settings: SettingsStore;
  /** The token comes from the environment: it is the only account. */
  isFixed: boolean;
  open(record: AccountRecord): Held;
  /** Name for people: the account's own name or its login. */
  nameOf(kept: HeldAccount<Held>): string;
  /** Called when the account was removed from the settings. */
  close(held: Held): void;
}

/**
 * The person's own accounts, side by side, as the settings have them. Which one a request goes out with is decided by
 * its client's label alone: no answer of Copilot's, no limit and no failure makes it another one.
 */
export class Accounts<Held> {
  readonly #dependencies: AccountsDependencies<Held>;
  readonly #held = new Map<string, Held>();
  /** What the three below were made of. */
  #seen: { accounts: readonly AccountRecord[]; inUse: string | null } | null = null;
  #all: readonly HeldAccount<Held>[] = [];
  #inUse: HeldAccount<Held>;
  #byLabel: ReadonlyMap<string, HeldAccount<Held>> = new Map();

  constructor(dependencies: AccountsDependencies<Held>) {
    this.#dependencies = dependencies;
    this.#inUse = this.#keep(firstRecord);
    this.#look();
  }

  /** The first one comes first. */
  all(): readonly HeldAccount<Held>[] {
    this.#look();
    return this.#all;
  }

  inUse(): HeldAccount<Held> {
    this.#look();
    return this.#inUse;
  }

  /** The one that a client with this label is bound to, else the one in use. */
  of(label: string): HeldAccount<Held> {
    this.#look();
    return this.#byLabel.get(label) ?? this.#inUse;
  }

  /** Why no request of this account may go out now. Null if it may. */
  withheld(id: string): AccountError | null {
    // The policy may forbid this way to Copilot, or this host.
    const { policyProblem: problem } = this.#dependencies.settings;
    if (problem !== null) return new AccountError('broken', problem.message, problem.remedy);
    return this.#dependencies.settings.current().reach === 'directly' ? this.unknown(id) : notDirectly();
  }

  /** Why the identity of a request of this account is unknown. Null if it is known. */
  unknown(id: string): AccountError | null {
    const { settings, isFixed } = this.#dependencies;
    const { lostAccounts, accountInUse } = settings.current();
    if (lostAccounts !== null)
      return new AccountError(
        'broken',
        lostAccounts === 'settings.json'
          ? t('settings.json was damaged, so it isn’t known which account to use. Nothing is sent.')
          : t(
              'settings.json was damaged, so it isn’t known which account to use. Nothing is sent. The damaged file is {file}.',
              { file: lostAccounts },
            ),
        isFixed
          ? t('Replace settings.json with a good copy, or remove it.')
          : t('Replace settings.json with a good copy, sign in again, or run "jumpseat accounts use NAME".'),
      );
    if (settings.isUnusable('reach'))
      return new AccountError(
        'broken',
        t(
          'settings.json doesn’t say whether Copilot is reached directly or through VS Code: “reach” there can’t be used.',
        ),
        t('Run "jumpseat reach directly" or "jumpseat reach through-vscode", or choose it in Settings → Account.'),
      );
    if (isFixed) return null;
    if (settings.isUnusable('accounts'))
      return new AccountError(
        'broken',
        t('The accounts in settings.json can’t be used, so nothing is sent to Copilot.'),
        t('Fix “accounts” in settings.json; the file is read again at once. If you have one account, set it to [].'),
      );
    const isKnown = this.inUse().record.id === (accountInUse ?? firstAccount);
    if (!isKnown || settings.isUnusable('accountInUse'))
      return new AccountError(
        'broken',
        t('settings.json doesn’t say which account is in use, so nothing is sent to Copilot.'),
        t('Run "jumpseat accounts use NAME", or set “accountInUse” to null in settings.json if you have one account.'),
      );
    // Further accounts have their way in with their sign-in.
    if (id !== firstAccount || !settings.isUnusable('admission')) return null;
    return new AccountError(
      'broken',
      t('settings.json doesn’t say how requests reach Copilot: the value of “admission” is not valid.'),
      t('Set “admission” to "vscode" or "copilot-sdk" in settings.json, or sign in again.'),
    );
  }

  find(id: string): HeldAccount<Held> {
    const found = this.all().find(({ record }) => record.id === id);
    if (found === undefined) throw new SettingsError(t('There is no such account.'), t('Choose one of the list.'));
    return found;
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
    this.find(id);
    await this.#change((records) =>
      records.map((record) => ({
        ...record,
        labels: record.id === id ? [...new Set(labels)] : record.labels.filter((label) => !labels.includes(label)),
      })),
    );
  }

  async use(id: string): Promise<void> {
    this.#requireFree();
    this.find(id);
    await this.#dependencies.settings.update({ accountInUse: id === firstAccount ? null : id, lostAccounts: null });
  }

  /** What the settings keep about a sign-in of one that is not the first. */
  async signedIn(id: string, signIn: AccountRecord['signIn']): Promise<void> {
    await this.#set(id, () => ({ signIn }));
  }

  /** Throws for the first one, and for the one in use. */
  requireRemovable(id: string): void {
    if (id === firstAccount)
      throw new SettingsError(t('The first account can’t be removed.'), t('Sign out of the account, or rename it.'));
    if (this.inUse().record.id === id)
      throw new SettingsError(t('This account is in use.'), t('Switch to another account, then remove this one.'));
    this.find(id);
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
    const shown = this.all()
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
    this.find(id);
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

  /** Settings are replaced, never changed, so that nothing has to be done where they are the ones of before. */
  #look(): void {
    const { settings, isFixed } = this.#dependencies;
    // What was known stays so: `withheld` keeps requests back until the file can be used again.
    const isUnusable = settings.isUnusable('accounts') || settings.isUnusable('accountInUse');
    if (this.#seen !== null && isUnusable) return;
    const { accounts, accountInUse } = settings.current();
    if (this.#seen?.accounts === accounts && this.#seen.inUse === accountInUse) return;
    this.#seen = { accounts, inUse: accountInUse };
    const records = isFixed ? [firstRecord] : withFirst(accounts);
    for (const [id, held] of this.#held) {
      if (records.some((record) => record.id === id)) continue;
      this.#held.delete(id);
      this.#dependencies.close(held);
    }
    this.#all = records.map((record) => this.#keep(record));
    this.#inUse = this.#all.find(({ record }) => record.id === accountInUse) ?? this.#keep(records[0] ?? firstRecord);
    this.#byLabel = new Map(
      this.#all.flatMap((kept) => kept.record.labels.map((label): [string, HeldAccount<Held>] => [label, kept])),
    );
  }

  #keep(record: AccountRecord): HeldAccount<Held> {
    let held = this.#held.get(record.id);
    if (held === undefined) {
      held = this.#dependencies.open(record);
      this.#held.set(record.id, held);
    }
    return { record, held };
  }
}

const firstRecord: AccountRecord = { id: firstAccount, slot: 1, name: null, labels: [], signIn: null };

/** A file edited by hand may have two accounts with one slot or id: the first counts. */
function withFirst(records: readonly AccountRecord[]): AccountRecord[] {
  const first = records.find(({ id, slot }) => id === firstAccount && slot === 1) ?? firstRecord;
  const all = [first];
  for (const record of records) {
    if (all.every(({ id, slot }) => id !== record.id && slot !== record.slot)) all.push(record);
  }
  return all;
}
