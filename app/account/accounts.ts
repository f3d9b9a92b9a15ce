import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import type { AccountRecord } from '../settings/schema.ts';
import type { Settings, SettingsStore } from '../settings/settings.ts';
import { SettingsError } from '../settings/write-settings.ts';
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
  /** Called when there are other accounts, or one has another name or other labels. */
  changed(all: readonly HeldAccount<Held>[]): void;
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
  /** The settings as they were looked at last. */
  #looked: Settings | null = null;
  /** Why nothing may go out, by account, as these settings say. */
  readonly #withheld = new Map<string, AccountError | null>();
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
    this.#look();
    let why = this.#withheld.get(id);
    if (why === undefined) {
      why = this.#dependencies.settings.current().reach === 'directly' ? this.unknown(id) : notDirectly();
      this.#withheld.set(id, why);
    }
    return why;
  }

  /** Why the identity of a request of this account is unknown. Null if it is known. */
  unknown(id: string): AccountError | null {
    const { accountInUse } = this.#dependencies.settings.current();
    const isInUseKnown = this.inUse().record.id === (accountInUse ?? firstAccount);
    return whyUnknown({ isFirst: id === firstAccount, isInUseKnown }, this.#dependencies);
  }

  find(id: string): HeldAccount<Held> {
    const found = this.all().find(({ record }) => record.id === id);
    if (found === undefined) throw new SettingsError(t('There is no such account.'), t('Choose one of the list.'));
    return found;
  }

  /** Settings are replaced, never changed, so that nothing has to be done where they are the ones of before. */
  #look(): void {
    const { settings, isFixed } = this.#dependencies;
    const now = settings.current();
    if (now === this.#looked) return;
    this.#looked = now;
    this.#withheld.clear();
    // What was known stays so: `withheld` keeps requests back until the file can be used again.
    const isUnusable = settings.isUnusable('accounts') || settings.isUnusable('accountInUse');
    if (this.#seen !== null && isUnusable) return;
    const { accounts, accountInUse } = now;
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
    this.#dependencies.changed(this.#all);
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

export const firstRecord: AccountRecord = { id: firstAccount, slot: 1, name: null, labels: [], signIn: null };

/** A file edited by hand may have two accounts with one slot or id: the first counts. */
export function withFirst(records: readonly AccountRecord[]): AccountRecord[] {
  const first = records.find(({ id, slot }) => id === firstAccount && slot === 1) ?? firstRecord;
  const all = [first];
  for (const record of records) {
    if (all.every(({ id, slot }) => id !== record.id && slot !== record.slot)) all.push(record);
  }
  return all;
}

/**
 * Why settings.json leaves open as whom requests of an account go out, so that none may. Null if it is known.
 * @param account.isInUseKnown the account in use is the one that the settings name
 */
function whyUnknown(
  account: { isFirst: boolean; isInUseKnown: boolean },
  { settings, isFixed }: { settings: Pick<SettingsStore, 'current' | 'isUnusable'>; isFixed: boolean },
): AccountError | null {
  const { lostAccounts } = settings.current();
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
  if (!account.isInUseKnown || settings.isUnusable('accountInUse'))
    return new AccountError(
      'broken',
      t('settings.json doesn’t say which account is in use, so nothing is sent to Copilot.'),
      sentences(
        t('Choose the account in Settings → Account, or run "jumpseat accounts use NAME".'),
        t('If you have one account, set “accountInUse” to null in settings.json.'),
      ),
    );
  // Further accounts have their way in with their sign-in.
  if (!account.isFirst || !settings.isUnusable('admission')) return null;
  return new AccountError(
    'broken',
    t('settings.json doesn’t say how requests reach Copilot: the value of “admission” is not valid.'),
    t('Set “admission” to "vscode" or "copilot-sdk" in settings.json, or sign in again.'),
  );
}
