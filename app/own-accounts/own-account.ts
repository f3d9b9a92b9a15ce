import { Account } from '../account/account.ts';
import type { AccountError } from '../account/account-error.ts';
import { type Accounts, firstAccount } from '../account/accounts.ts';
import { wayOf } from '../account/credential.ts';
import type { RuntimeWay } from '../account/session.ts';
import type { Identity } from '../account/vscode-identity.ts';
import type { OwnAccount as OwnAccountState } from '../api/account.ts';
import type { Exchange } from '../api/exchange.ts';
import { Catalog, CatalogError } from '../copilot/catalog.ts';
import { CopilotClient } from '../copilot/client.ts';
import { AutoModels } from '../exchange/features/auto.ts';
import { QuotaWatch } from '../health/quota-watch.ts';
import { LastEnds, UpstreamWatch } from '../health/upstream-watch.ts';
import type { Ports } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { allowedModels, PolicyError } from '../settings/policy.ts';
import type { AccountRecord } from '../settings/schema.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { KeptSecrets } from '../sign-in/kept-secrets.ts';
import { chosenCredential, type KeptSignIn, SignIns } from '../sign-in/sign-ins.ts';
import { nameOfAccount, outAmongSeveral } from '../words/account.ts';
import { listedModels } from './listed-models.ts';

export interface OwnAccountDependencies {
  ports: Ports;
  settings: SettingsStore;
  /** Shared by all: a changed setting holds from the next request on. */
  identity: Identity;
  githubToken: string | null;
  runtime: RuntimeWay;
  /** Where people sign in now. */
  github(): GithubAddresses;
  secrets(): Pick<KeptSecrets, 'try' | 'state'>;
  accounts(): Pick<Accounts<OwnAccount>, 'signedIn' | 'withheld' | 'unknown'>;
  /** All of them. */
  states(): OwnAccountState[];
  /** All but this one. */
  others(): Account[];
  /** A message waits until there is a connection to Copilot for this account. */
  isConnectionAwaited(): boolean;
  changed(): void;
  /** There is a new list of models, or none any more. */
  modelsChanged(): void;
}

/**
 * One of the person's accounts with all that is its own: sign-in, bearer, way to Copilot with its limits, models,
 * quota. Nothing of it knows another one.
 */
export class OwnAccount {
  readonly id: string;
  readonly slot: number;
  readonly account: Account;
  readonly client: CopilotClient;
  readonly upstream: UpstreamWatch;
  readonly lastEnds: LastEnds;
  readonly catalog: Catalog;
  readonly auto: AutoModels;
  readonly signIns: SignIns;
  /** Why it isn't known as whom its requests go out. Null if it is. */
  readonly unknown: () => AccountError | null;
  readonly #quotaWatch: QuotaWatch;
  readonly #kept: KeptSignIn;
  readonly #isTaken: (name: string) => boolean;
  readonly #stopListening: () => void;

  constructor({ id, slot }: AccountRecord, dependencies: OwnAccountDependencies) {
    const { ports, settings, identity, githubToken, runtime, changed, modelsChanged } = dependencies;
    const { dialer, clock, secrets, log, redact, hideSecret } = ports;
    this.id = id;
    this.slot = slot;
    this.#isTaken = (name) =>
      settings.current().accounts.some((one) => one.id !== id && one.name?.toLowerCase() === name.toLowerCase());
    this.#kept =
      id === firstAccount ? ofFirst(settings, Boolean(githubToken)) : ofFurther(id, settings, dependencies.accounts);
    const account = new Account({
      ...{ slot, dialer, clock, secrets, log, redact, hideSecret, githubToken, identity },
      github: dependencies.github(),
      credential: this.#kept.credential(),
      storedLogin: () => this.#kept.login(),
      runtime,
      place: () => dependencies.secrets().state,
      several: () => outAmongSeveral(dependencies.states(), id),
      withheld: () => dependencies.accounts().withheld(id),
      others: () => dependencies.others(),
    });
    this.unknown = () => dependencies.accounts().unknown(id);
    this.account = account;
    const client = new CopilotClient({
      ...{ dialer, clock, log, account, redact },
      ended: (path, failure) => this.upstream.ended(path, failure),
    });
    this.client = client;
    this.upstream = new UpstreamWatch({
      clock,
      usageWindows: () => account.usageWindows(),
      isAwaited: () => dependencies.isConnectionAwaited(),
      tryAgain: () =>
        this.catalog.models({ refresh: true }).catch((error: unknown) => {
          if (error instanceof CatalogError || error instanceof PolicyError) return;
          log.write('error', 'upstream.try-failed', { reason: error instanceof Error ? error.name : 'unknown' });
        }),
      changed,
    });
    this.catalog = new Catalog({
      ...{ client, clock, log, changed: modelsChanged },
      way: () => account.admission().way,
      allowed: allowedModels(settings),
      listed: listedModels({ cache: ports.paths.cache, slot, login: () => this.#login() }),
    });
    this.auto = new AutoModels({ account, clock });
    this.#quotaWatch = new QuotaWatch(account, clock);
    this.lastEnds = new LastEnds(clock);
    this.signIns = new SignIns({
      ...{ account, settings, clock, log },
      kept: this.#kept,
      get secrets() {
        return dependencies.secrets();
      },
      accountChanged: () => this.forget(),
      isTokenFromOutside: Boolean(githubToken),
      refresh: () => this.refresh(),
    });
    this.#stopListening = account.onChange(changed);
  }

  /** Called when another account may be signed in, or none: what was learned no longer holds. */
  forget(): void {
    this.catalog.forget();
    this.upstream.forget();
    this.lastEnds.forget();
    this.client.forget();
    this.auto.forget();
  }

  /** A request of this account has ended. */
  readonly ended = (exchange: Exchange): void => {
    this.lastEnds.exchangeEnded(exchange);
    // Copilot saw it.
    if (exchange.path !== null) this.#quotaWatch.requestEnded();
  };

  /** State of the account for fronts; `isInUse` and the values from the settings are passed in. */
  state({ name, labels }: AccountRecord, isInUse: boolean): OwnAccountState {
    const state = this.account.state();
    return {
      id: this.id,
      name: this.nameOf(name),
      labels,
      isInUse,
      state,
      admission: this.account.admission(),
      quota: this.account.quota(),
    };
  }

  nameOf(given: string | null): string {
    return nameOfAccount({ name: given, slot: this.slot }, this.#login(), this.#isTaken);
  }

  #login(): string | null {
    const state = this.account.state();
    return (state.kind === 'signed-in' ? state.login : null) ?? this.#kept.login();
  }

  close(): void {
    this.signIns.cancel();
    this.upstream.close();
    this.#quotaWatch.close();
    this.#stopListening();
  }

  /** Asks GitHub and Copilot anew, as far as they answer. */
  async refresh(): Promise<void> {
    await this.account.load();
    await Promise.all([this.account.token().catch(() => undefined), this.account.readUser()]);
    await this.catalog.models({ refresh: true }).catch(() => undefined);
  }
}

/** Where earlier versions look for it, so that they still find the first one. */
function ofFirst(settings: SettingsStore, isTokenFromOutside: boolean): KeptSignIn {
  return {
    login: () => settings.current().account?.login ?? null,
    signedInAt: () => settings.current().account?.signedInAt ?? null,
    credential: () => chosenCredential(settings.current()),
    keep: (account, credential) => {
      const way = credential === null ? 'copilot-sdk' : wayOf(credential);
      const chosen = { admission: way, ...(credential !== 'vscode' && { sdkCredential: credential }) };
      // A person's sign-in decides what a damaged file left open.
      const decided = account !== null && { lostAccounts: null };
      return settings.update({ account, ...(!isTokenFromOutside && chosen), ...decided });
    },
  };
}

function ofFurther(id: string, settings: SettingsStore, accounts: OwnAccountDependencies['accounts']): KeptSignIn {
  const kept = () => settings.current().accounts.find((record) => record.id === id)?.signIn ?? null;
  return {
    login: () => kept()?.login ?? null,
    signedInAt: () => kept()?.signedInAt ?? null,
    credential: () => kept()?.credential ?? 'vscode',
    keep: (account, credential) =>
      accounts().signedIn(id, {
        login: account?.login ?? null,
        signedInAt: account?.signedInAt ?? null,
        credential,
      }),
  };
}
