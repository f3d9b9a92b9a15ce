import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Account } from '../account/account.ts';
import type { AccountChanges } from '../account/account-changes.ts';
import type { AccountError } from '../account/account-error.ts';
import { firstAccount, type HeldAccount } from '../account/accounts.ts';
import { wayOf } from '../account/credential.ts';
import type { RuntimeWay } from '../account/session.ts';
import type { Identity } from '../account/vscode-identity.ts';
import type { OwnAccount as OwnAccountState, Way } from '../api/account.ts';
import { Catalog, CatalogError, type ListedByWay } from '../copilot/catalog.ts';
import { CopilotClient } from '../copilot/client.ts';
import type { UsedAccount } from '../exchange/dependencies.ts';
import { AutoModels } from '../exchange/features/auto.ts';
import { LastEnds } from '../health/last-ends.ts';
import { UpstreamWatch } from '../health/upstream-watch.ts';
import type { Ports, Slot } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { allowedModels, PolicyError } from '../settings/policy.ts';
import type { AccountRecord } from '../settings/schema.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { KeptSecrets } from '../sign-in/kept-secrets.ts';
import { chosenCredential, type KeptSignIn, SignIns } from '../sign-in/sign-ins.ts';
import { nameOfAccount, outAmongSeveral } from '../words/account.ts';

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
  /** Why none of its requests may go out now. Null if they may. */
  withheld(): AccountError | null;
  /** Why it isn't known as whom its requests go out. Null if it is. */
  unknown(): AccountError | null;
  changes(): Pick<AccountChanges<OwnAccount>, 'signedIn'>;
  /** All of them. */
  states(): OwnAccountState[];
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
export class OwnAccount implements UsedAccount {
  readonly id: string;
  readonly slot: number;
  readonly account: Account;
  readonly client: CopilotClient;
  readonly upstream: UpstreamWatch;
  readonly lastEnds: LastEnds;
  readonly ended: UsedAccount['ended'];
  readonly catalog: Catalog;
  readonly auto: AutoModels;
  readonly signIns: SignIns;
  /** Why it isn't known as whom its requests go out. Null if it is. */
  readonly unknown: () => AccountError | null;
  readonly reach = 'directly';
  name: UsedAccount['name'] = null;
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
    const { changes } = dependencies;
    this.#kept = keptSignIn(id, settings, { isTokenFromOutside: Boolean(githubToken), changes });
    const account = new Account({
      ...{ slot, dialer, clock, secrets, log, redact, hideSecret, githubToken, identity },
      github: dependencies.github(),
      credential: this.#kept.credential(),
      storedLogin: () => this.#kept.login(),
      runtime,
      place: () => dependencies.secrets().state,
      several: () => outAmongSeveral(dependencies.states(), id),
      withheld: dependencies.withheld,
    });
    this.unknown = dependencies.unknown;
    this.account = account;
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
    const client = new CopilotClient({ ...{ dialer, clock, log, account, redact }, watch: this.upstream });
    this.client = client;
    this.catalog = new Catalog({
      ...{ client, clock, log, changed: modelsChanged },
      way: () => account.admission().way,
      allowed: allowedModels(settings),
      listed: listedModels({ cache: ports.paths.cache, slot, login: () => this.#login() }),
    });
    this.auto = new AutoModels({ account, clock });
    this.lastEnds = new LastEnds(account, clock);
    this.ended = this.lastEnds.exchangeEnded;
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

  /** Called when the person's accounts are other ones, this one among them. */
  standsAmong(all: readonly HeldAccount<OwnAccount>[]): void {
    const others = all.filter(({ held }) => held !== this);
    const own = others.length === 0 ? undefined : all.find(({ held }) => held === this)?.record;
    this.name = own === undefined ? null : () => this.nameOf(own.name);
    this.account.others = others.map(({ held }) => held.account);
  }

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
    this.lastEnds.close();
    this.#stopListening();
  }

  /** Asks GitHub and Copilot anew, as far as they answer. */
  async refresh(): Promise<void> {
    await this.account.load();
    await Promise.all([this.account.token().catch(() => undefined), this.account.readUser()]);
    await this.catalog.models({ refresh: true }).catch(() => undefined);
  }
}

const listSchema = z.object({ login: z.string().nullable(), ids: z.array(z.string()) });
const fileSchema = z.record(z.string(), z.object({ vscode: listSchema, 'copilot-sdk': listSchema }).partial());

interface ListedModelsDependencies {
  /** The folder of what may go at any time. */
  cache: string;
  slot: Slot;
  /** Login of who is signed in. Null if unknown. */
  login(): string | null;
}

/**
 * Which models Copilot offered to an account on each way in, also to an earlier process, in `models.json`: only so that
 * the reason for a missing model can name the other way. Never throws.
 */
function listedModels({ cache, slot, login }: ListedModelsDependencies): ListedByWay {
  const path = join(cache, 'models.json');
  const read = (): z.infer<typeof fileSchema> => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    save(way, ids) {
      const before = read();
      const list = { login: login(), ids: [...ids] };
      if (isDeepStrictEqual(before[slot]?.[way], list)) return;
      try {
        mkdirSync(cache, { recursive: true, mode: 0o700 });
        const unfinished = `${path}.${process.pid}.tmp`;
        writeFileSync(unfinished, JSON.stringify({ ...before, [slot]: { ...before[slot], [way]: list } }), {
          mode: 0o600,
        });
        renameSync(unfinished, path);
      } catch {
        // Without the file the reason names no other way.
      }
    },
    of(way: Way) {
      const list = read()[slot]?.[way];
      const now = login();
      // What another person was offered says nothing.
      return list === undefined || (now !== null && list.login !== null && list.login !== now) ? [] : list.ids;
    },
  };
}

type Changes = () => Pick<AccountChanges<unknown>, 'signedIn'>;

/** What the settings keep about the sign-in of one account. */
function keptSignIn(
  id: string,
  settings: SettingsStore,
  { isTokenFromOutside, changes }: { isTokenFromOutside: boolean; changes: Changes },
): KeptSignIn {
  return id === firstAccount ? ofFirst(settings, isTokenFromOutside) : ofFurther(id, settings, changes);
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

function ofFurther(id: string, settings: SettingsStore, changes: Changes): KeptSignIn {
  const kept = () => settings.current().accounts.find((record) => record.id === id)?.signIn ?? null;
  return {
    login: () => kept()?.login ?? null,
    signedInAt: () => kept()?.signedInAt ?? null,
    credential: () => kept()?.credential ?? 'vscode',
    keep: (account, credential) =>
      changes().signedIn(id, {
        login: account?.login ?? null,
        signedInAt: account?.signedInAt ?? null,
        credential,
      }),
  };
}
