import { signInStep } from '../../account/account-error.ts';
import { nodePaths } from '../../adapters/paths.ts';
import type { OwnAccount } from '../../api/account.ts';
import type { App } from '../../api/app.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { callRunning } from '../../server/running-proxy.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { accountName, nameOfAccount } from '../../words/account.ts';
import { quotaWords } from '../../words/quota.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { besideRunning } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';
import { printReport } from '../terminal.ts';

interface AccountsOptions {
  json?: boolean;
}

/** What `jumpseat accounts --json` prints, a list of it. */
interface AccountReport {
  name: string;
  inUse: boolean;
  labels: string[];
  login: string | null;
  plan: string | null;
  quota: OwnAccount['quota'];
}

/** `jumpseat accounts`: the person's own, side by side. */
export async function accounts(surroundings: Surroundings, { json }: AccountsOptions): Promise<number> {
  const { terminal } = surroundings;
  const found =
    (await accountsOfRunning(surroundings)) ??
    (await withApp(surroundings, {}, async ({ app }) => {
      await app.refreshAccounts();
      return app.state().accounts;
    }));
  printReport(terminal, found.map(reportOf), json, () => accountLines(found, terminal.columns));
  return 0;
}

/** Tokens of the running Jumpseat may be in its memory alone. Null if none runs or answers. */
async function accountsOfRunning(surroundings: Surroundings): Promise<readonly OwnAccount[] | null> {
  const beside = await besideRunning(surroundings);
  if (beside === null) return null;
  await callRunning(beside.paths.lock, 'refreshAccounts');
  return (await callRunning(beside.paths.lock, 'state'))?.accounts ?? null;
}

/** `jumpseat accounts names`, for completion in shells: a name a line, from the settings alone. */
export function printNames({ terminal, env }: Pick<Surroundings, 'terminal' | 'env'>): number {
  const { account, accounts: several } = readSettings(nodePaths(env).settings).settings;
  const records = several.length > 0 ? several : [{ slot: 1, name: null, signIn: null, id: '' }];
  for (const record of records) {
    const login = (record.slot === 1 ? account?.login : record.signIn?.login) ?? null;
    const isTaken = (name: string): boolean =>
      records.some(({ id, name: other }) => id !== record.id && other?.toLowerCase() === name.toLowerCase());
    terminal.out(nameOfAccount(record, login, isTaken));
  }
  return 0;
}

function reportOf({ name, isInUse, labels, state, quota }: OwnAccount): AccountReport {
  const { login, plan } = state.kind === 'signed-in' ? state : { login: null, plan: null };
  return { name, inUse: isInUse, labels, login, plan, quota };
}

function accountLines(found: readonly OwnAccount[], most?: number): string[] {
  return table(
    [
      { head: '' },
      { head: t('Name'), least: 8 },
      { head: t('Signed in as'), least: 10 },
      { head: t('Client labels'), least: 6, spare: 1 },
      { head: t('Quota'), least: 12 },
    ],
    found.map(({ name, isInUse, labels, state, quota }) => [
      isInUse ? '*' : '',
      name,
      state.kind === 'signed-in' ? (accountName(state) ?? t('signed in')) : t('not signed in'),
      labels.join(', ') || '–',
      state.kind === 'signed-in' ? quotaWords(quota, state) : '–',
    ]),
    undefined,
    most,
  );
}

/** `jumpseat accounts use NAME`. */
export function switchAccount(surroundings: Surroundings, name: string): Promise<number> {
  return change(surroundings, name, async (app, account) => {
    await app.switchAccount(account.id);
    const bound = app.state().accounts.filter(({ labels }) => labels.length > 0).length;
    const used = app.state().accounts.find(({ id }) => id === account.id);
    const isOut = used?.state.kind === 'signed-out';
    return sentences(
      t('In use: {name}.', { name: account.name }),
      ...(isOut ? [t('It isn’t signed in.'), signInStep(used.admission.credential, app.state().secrets)] : []),
      bound === 0 ? '' : t('Clients whose label is bound to an account stay with it.'),
    );
  });
}

/** `jumpseat accounts bind NAME LABEL`. */
export function bindAccount(surroundings: Surroundings, name: string, label: string): Promise<number> {
  return change(surroundings, name, async (app, account) => {
    await app.bindAccount(account.id, [...account.labels, label]);
    return t('Clients with the label {label} now use {name}. Their lines: "jumpseat env --client {label}"', {
      label,
      name: account.name,
    });
  });
}

/** `jumpseat accounts unbind LABEL`. */
export async function unbindAccount({ terminal, ...rest }: Surroundings, label: string): Promise<number> {
  await withApp({ terminal, ...rest }, {}, async ({ app }) => {
    const account = app.state().accounts.find(({ labels }) => labels.includes(label));
    if (account === undefined)
      throw new CommandFailure(
        t('The label {label} is bound to no account.', { label }),
        t('Run "{command}".', { command: 'jumpseat accounts' }),
      );
    await app.bindAccount(
      account.id,
      account.labels.filter((one) => one !== label),
    );
    terminal.out(t('Clients with the label {label} now use the account in use.', { label }));
  });
  return 0;
}

/** `jumpseat accounts rename NAME NEW`. */
export function renameAccount(surroundings: Surroundings, name: string, wished: string): Promise<number> {
  return change(surroundings, name, async (app, account) => {
    await app.renameAccount(account.id, wished);
    return t('{name} is {wished} from now on.', { name: account.name, wished: wished.trim() });
  });
}

/** `jumpseat accounts remove NAME`. */
export function removeAccount(surroundings: Surroundings, name: string): Promise<number> {
  return change(surroundings, name, async (app, account) => {
    await app.removeAccount(account.id);
    return t('Signed out of {name} and removed it. The others stay as they are.', { name: account.name });
  });
}

/** Finds an account by its name or its login. */
function accountNamed(found: readonly OwnAccount[], name: string): OwnAccount | null {
  const same = (text: string | null): boolean => text?.toLowerCase() === name.trim().toLowerCase();
  return (
    found.find((account) => same(account.name)) ??
    found.find(({ state }) => state.kind === 'signed-in' && same(state.login)) ??
    null
  );
}

export function knownAccount(found: readonly OwnAccount[], name: string): OwnAccount {
  const account = accountNamed(found, name);
  if (account === null)
    throw new CommandFailure(
      t('There is no account named "{name}".', { name }),
      t('{count, plural, one {There is} other {There are}}: {names}.', {
        count: found.length,
        names: found.map((one) => one.name).join(', '),
      }),
    );
  return account;
}

async function change(
  surroundings: Surroundings,
  name: string,
  make: (app: App, account: OwnAccount) => Promise<string>,
): Promise<number> {
  await withApp(surroundings, {}, async ({ app }) => {
    surroundings.terminal.out(await make(app, knownAccount(app.state().accounts, name)));
  });
  return 0;
}

/** What `--account` was given, where it was. */
export function requireName(name: string | undefined): void {
  if (name?.trim() === '')
    throw wrongUsage(t('--account needs a name.'), t('Run "jumpseat accounts" for those that there are.'));
}

/** Where `--account` signs in. */
export interface SignInPlace {
  id: string;
  /** True if it was made for this sign-in, and is removed if the sign-in fails. */
  isNew: boolean;
}

export async function placeFor(app: App, name: string): Promise<SignInPlace> {
  const known = accountNamed(app.state().accounts, name);
  if (known !== null) return { id: known.id, isNew: false };
  return { id: await app.addAccount(name), isNew: true };
}

export async function leavePlace(app: App, { id, isNew }: SignInPlace): Promise<void> {
  if (isNew) await app.removeAccount(id);
}

/** How to make requests use it. @param isSetUp Claude Code is set up for Jumpseat */
export function nextFor(
  { isInUse, name }: Pick<OwnAccount, 'isInUse' | 'name'>,
  { isServing, isSetUp }: { isServing: boolean; isSetUp: boolean },
): string {
  if (isInUse && !isServing) return t('Next: run "jumpseat serve".');
  if (isInUse)
    return t('Next: run "{command}". Jumpseat is already running.', {
      command: isSetUp ? 'claude' : 'jumpseat setup claude-code',
    });
  return t('Next: run "jumpseat accounts use {name}", or "jumpseat accounts bind {name} LABEL".', { name });
}
