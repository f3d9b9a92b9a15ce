import { AccountChanges } from '../account/account-changes.ts';
import { Accounts, type HeldAccount } from '../account/accounts.ts';
import type { OwnAccount as OwnAccountState } from '../api/account.ts';
import type { AnswersTo, App } from '../api/app.ts';
import type { accountCalls } from '../api/calls/accounts.ts';
import type { AccountChoice, UsedAccount } from '../exchange/dependencies.ts';
import type { SecretName } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { OwnAccount, type OwnAccountDependencies } from './own-account.ts';

type Held = Partial<Record<SecretName, string>>;

interface OwnAccountsDependencies extends Omit<OwnAccountDependencies, 'withheld' | 'unknown' | 'changes' | 'states'> {
  /** In place of all accounts, where requests go through VS Code. */
  throughVscode(): UsedAccount;
}

/** All of the person's accounts, for those who have to do with each of them. */
export class OwnAccounts implements AccountChoice {
  readonly #settings: Pick<SettingsStore, 'current'>;
  readonly #throughVscode: () => UsedAccount;
  readonly kept: Accounts<OwnAccount>;
  readonly changes: AccountChanges<OwnAccount>;
  #isLoaded = false;

  constructor(dependencies: OwnAccountsDependencies) {
    this.#settings = dependencies.settings;
    this.#throughVscode = dependencies.throughVscode;
    this.kept = new Accounts({
      settings: dependencies.settings,
      isFixed: Boolean(dependencies.githubToken),
      open: (record) => {
        const opened: OwnAccount = new OwnAccount(record, {
          ...dependencies,
          withheld: () => this.kept.withheld(record.id),
          unknown: () => this.kept.unknown(record.id),
          changes: () => this.changes,
          states: () => this.states(),
          isConnectionAwaited: () => this.current === opened && dependencies.isConnectionAwaited(),
        });
        // At the start all accounts are loaded together.
        if (this.#isLoaded) void opened.account.load().then(dependencies.changed);
        return opened;
      },
      changed: (all) => {
        for (const { held } of all) held.standsAmong(all);
      },
      close: (account) => account.close(),
    });
    this.changes = new AccountChanges({
      accounts: this.kept,
      settings: dependencies.settings,
      isFixed: Boolean(dependencies.githubToken),
      nameOf: ({ record, held }) => held.nameOf(record.name),
    });
  }

  /** The account in use. */
  get current(): OwnAccount {
    return this.kept.inUse().held;
  }

  of(label: string): UsedAccount {
    return this.#settings.current().reach === 'directly' ? this.kept.of(label).held : this.#throughVscode();
  }

  named(name: string): UsedAccount | null {
    if (this.#settings.current().reach !== 'directly') return null;
    const wanted = name.trim().toLowerCase();
    const isIt = ({ record, held }: HeldAccount<OwnAccount>) => held.nameOf(record.name).toLowerCase() === wanted;
    return this.kept.all().find(isIt)?.held ?? null;
  }

  states(): OwnAccountState[] {
    const { id } = this.current;
    return this.kept.all().map(({ record, held }) => held.state(record, held.id === id));
  }

  /** Called when another process has changed the settings. */
  follow(): void {
    for (const { held } of this.kept.all()) held.signIns.follow();
  }

  /** Other models may be used now. */
  forgetModels(): void {
    for (const { held } of this.kept.all()) held.catalog.forget();
  }

  async load(): Promise<void> {
    this.#isLoaded = true;
    await Promise.all(this.#each((held) => held.account.load()));
  }

  /** Asks for each of them what is asked for the one in use. */
  async refresh(): Promise<void> {
    await Promise.all(this.#each((held) => held.refresh()));
  }

  isStoreUnreadable(): boolean {
    return this.#each((held) => held.account.isStoreUnreadable()).includes(true);
  }

  /** Moves the store while no account writes to it. `move` gets what all of them hold. */
  async moveStore(move: (held: Held) => Promise<void>): Promise<void> {
    const all = this.#each((held) => held.account);
    const within = all.reduceRight<(held: Held) => Promise<void>>(
      (inner, account) => (held) => account.moveStore((its) => inner({ ...held, ...its })),
      move,
    );
    await within({});
  }

  async moveTo(github: GithubAddresses): Promise<void> {
    await Promise.all(this.#each((held) => held.account.moveTo(github)));
  }

  /** Called when another GitHub host was chosen and no account is signed in. */
  async leaveHost(): Promise<void> {
    await Promise.all(this.#each((held) => held.signIns.leaveHost()));
  }

  /** Whichever waits for the person. */
  cancelSignIns(): void {
    this.#each((held) => held.signIns.cancel());
  }

  forget(): void {
    this.#each((held) => held.forget());
  }

  close(): void {
    this.#each((held) => held.close());
  }

  #each<Result>(ask: (account: OwnAccount) => Result): Result[] {
    return this.kept.all().map(({ held }) => ask(held));
  }
}

export function ownAccountAnswers({
  accounts,
  inUseChanged,
}: {
  accounts: OwnAccounts;
  /** State and models are another account's. */
  inUseChanged(): void;
}): AnswersTo<typeof accountCalls> & Pick<App, 'signInAccount'> {
  const { kept, changes } = accounts;
  const signInsOf = (id: string) => kept.find(id).held.signIns;
  return {
    refreshAccounts: () => accounts.refresh(),
    addAccount: (name) => changes.add(name),
    renameAccount: (id, name) => changes.rename(id, name),
    bindAccount: (id, labels) => changes.bind(id, labels),
    switchAccount: async (id) => {
      await changes.use(id);
      inUseChanged();
    },
    signInAccount: async (id, request, shown = () => {}, signal) =>
      signInsOf(id).signIn(shown, signal, request ?? undefined),
    signOutAccount: async (id) => signInsOf(id).signOut(),
    removeAccount: async (id) => {
      changes.requireRemovable(id);
      await signInsOf(id).signOut();
      // The next account of this slot must not find them.
      await kept.find(id).held.account.deleteAll();
      await changes.remove(id);
    },
  };
}
