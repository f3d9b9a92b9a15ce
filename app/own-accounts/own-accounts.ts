import { Accounts, type HeldAccount } from '../account/accounts.ts';
import type { OwnAccount as OwnAccountState } from '../api/account.ts';
import type { AnswersTo, App } from '../api/app.ts';
import type { accountCalls } from '../api/calls/accounts.ts';
import type { UsedAccount } from '../exchange/dependencies.ts';
import type { SecretName } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { OwnAccount, type OwnAccountDependencies } from './own-account.ts';

type Held = Partial<Record<SecretName, string>>;

/** All of the person's accounts, for those who have to do with each of them. */
export class OwnAccounts {
  readonly kept: Accounts<OwnAccount>;
  #isLoaded = false;

  constructor(dependencies: Omit<OwnAccountDependencies, 'accounts' | 'states' | 'others'>) {
    this.kept = new Accounts({
      settings: dependencies.settings,
      isFixed: Boolean(dependencies.githubToken),
      open: (record) => {
        const opened: OwnAccount = new OwnAccount(record, {
          ...dependencies,
          accounts: () => this.kept,
          states: () => this.states(),
          others: () => {
            const all = this.kept.all();
            return all.length === 1 ? [] : all.flatMap(({ held }) => (held === opened ? [] : [held.account]));
          },
          isConnectionAwaited: () => this.current === opened && dependencies.isConnectionAwaited(),
        });
        // At the start all accounts are loaded together.
        if (this.#isLoaded) void opened.account.load().then(dependencies.changed);
        return opened;
      },
      nameOf: ({ record, held }) => held.nameOf(record.name),
      close: (account) => account.close(),
    });
  }

  /** The account in use. */
  get current(): OwnAccount {
    return this.kept.inUse().held;
  }

  /** The account that a client with this label uses. */
  of(label: string): UsedAccount {
    return this.#used(this.kept.of(label));
  }

  /** The one that the person calls so; null if there is none. */
  named(name: string): UsedAccount | null {
    const found = this.#find(name);
    return found === undefined ? null : this.#used(found);
  }

  #find(name: string): HeldAccount<OwnAccount> | undefined {
    const wanted = name.trim().toLowerCase();
    return this.kept.all().find(({ record, held }) => held.nameOf(record.name).toLowerCase() === wanted);
  }

  #used({ record, held }: HeldAccount<OwnAccount>): UsedAccount {
    const { id, account, client, catalog, auto, ended } = held;
    const name = this.kept.all().length > 1 ? held.nameOf(record.name) : null;
    return { id, name, reach: 'directly', account, client, catalog, auto, ended };
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
  const { kept } = accounts;
  const signInsOf = (id: string) => kept.find(id).held.signIns;
  return {
    refreshAccounts: () => accounts.refresh(),
    addAccount: (name) => kept.add(name),
    renameAccount: (id, name) => kept.rename(id, name),
    bindAccount: (id, labels) => kept.bind(id, labels),
    switchAccount: async (id) => {
      await kept.use(id);
      inUseChanged();
    },
    signInAccount: async (id, request, shown = () => {}, signal) =>
      signInsOf(id).signIn(shown, signal, request ?? undefined),
    signOutAccount: async (id) => signInsOf(id).signOut(),
    removeAccount: async (id) => {
      kept.requireRemovable(id);
      await signInsOf(id).signOut();
      // The next account of this slot must not find them.
      await kept.find(id).held.account.deleteAll();
      await kept.remove(id);
    },
  };
}
