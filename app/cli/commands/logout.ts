import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { firstAccount } from '../../account/accounts.ts';
import { secretOf } from '../../account/credential.ts';
import { homeFolder, nodePaths } from '../../adapters/paths.ts';
import { type CredentialKind, credentialKindSchema } from '../../api/account.ts';
import { hasSetUpClients } from '../../clients/client-record.ts';
import { secretsFile } from '../../compose.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { type Paths, type SecretName, type Secrets, SecretsError, type Slot, secretNames } from '../../ports.ts';
import { answerOfRunning, callRunning, runningProxy } from '../../server/running-proxy.ts';
import { chosenCredential } from '../../sign-in/sign-ins.ts';
import { CommandFailure } from '../failure.ts';
import { isInSettings } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { saysYes } from '../terminal.ts';
import { knownAccount, requireName } from './accounts.ts';

interface LogoutOptions {
  /** The one in use unless given. */
  account?: string;
  /** Signs out the Jumpseat of the usual folder, too, which shares the sign-in. */
  yes?: boolean;
}

/** `jumpseat logout`: one account's way in use out of every store on this machine, also one that is not in use now. */
export async function logout(surroundings: Surroundings, options: LogoutOptions = {}): Promise<number> {
  const { terminal, env } = surroundings;
  requireName(options.account);
  await withApp(surroundings, {}, async ({ app, ports, settings, variables }) => {
    const { accounts } = app.state();
    const account =
      options.account === undefined ? accounts.find(({ isInUse }) => isInUse) : knownAccount(accounts, options.account);
    if (account === undefined)
      throw new CommandFailure(t('No account is in use.'), t('Run "{command}".', { command: 'jumpseat accounts' }));
    const before = settings.current();
    const record = before.accounts.find(({ id }) => id === account.id);
    const isFirst = account.id === firstAccount;
    const credential = isFirst ? chosenCredential(before) : (record?.signIn?.credential ?? 'vscode');
    const isLast =
      (isFirst || before.account === null) &&
      before.accounts.every(({ id, signIn }) => id === account.id || signIn?.signedInAt == null);
    const wasFile = ports.secrets.storage === 'file';
    const secret = credential === null ? null : secretOf(credential, record?.slot);
    if (secret !== null && ports.secrets.storage !== 'memory' && options.yes !== true) {
      const sharer = await sharerOf(env);
      if (sharer !== null && !(await isAgreed(terminal, sharer))) return;
    }
    const read = secret === null ? null : await ports.secrets.get(secret).catch(() => undefined);
    const inSettings = isFirst ? before.account : record?.signIn;
    const isNowhere = read === undefined && inSettings?.signedInAt == null && (await isWithoutKeychain(ports.secrets));
    const byRunning = await answerOfRunning(ports.paths.lock, 'signOutAccount', account.id);
    if (byRunning?.ok === false) throw new CommandFailure(byRunning.problem.text, byRunning.problem.remedy);
    // A store that can't be read now may hold one; the one that runs knows what it has.
    const held =
      secret === null ||
      (read === undefined ? byRunning === null && !isNowhere : read !== null) ||
      (byRunning !== null && inSettings?.signedInAt != null);
    if (byRunning !== null && secret !== null) await forgetIn(ports.secrets, secret);
    else if (!isNowhere) await app.signOutAccount(account.id);
    if (secret !== null) await forgetElsewhere(secret, ports.secrets.storage, secretsFile(nodePaths(env)));
    // The local key goes back to the keychain. Without one it stays: Claude Code's settings may hold it.
    if (wasFile && (await holdsKeyAlone(ports.secrets))) await app.moveSecrets('keychain').catch(() => undefined);
    if (byRunning !== null) await sayRenamed(terminal, ports.paths);
    terminal.out(
      !held
        ? t('You weren’t signed in: no token of GitHub is on this machine. Your history stays.')
        : secret === null
          ? t('Signed out. The Copilot CLI stays signed in; your history stays.')
          : account.isInUse
            ? t('Signed out. The token in use is deleted on this machine; your history stays.')
            : t('Signed out. The token of {name} is deleted on this machine; your history stays.', {
                name: account.name,
              }),
    );
    if (await holdsOther(ports.secrets, credential, record?.slot))
      terminal.out(
        t(
          'A token stored for another way in stays. To delete it, choose that way in Settings → Account, then sign out.',
        ),
      );
    if (!isLast) terminal.out(t('The other accounts stay signed in. See "jumpseat accounts".'));
    if (account.isInUse && (await isStillSetUp(env, ports.paths, app.preferences().port)))
      terminal.out(
        t(
          'Claude Code is still set up for Jumpseat, where its requests now fail. To undo that: "jumpseat setup claude-code --undo".',
        ),
      );
    const others = hasSetUpClients(ports.paths.home) ? await app.clients() : [];
    const fail = others.filter(({ uses }) => uses.some(({ by }) => by === 'jumpseat')).map(({ title }) => title);
    if (account.isInUse && fail.length > 0)
      terminal.out(
        t('Requests of these programs now fail, too: {programs}. "jumpseat setup" lists them.', {
          programs: fail.join(', '),
        }),
      );
    if (variables.githubToken !== null) {
      throw new CommandFailure(t('JUMPSEAT_GITHUB_TOKEN is still set and signs Jumpseat in.'), t('Unset it as well.'));
    }
  });
  return 0;
}

/** Each way in has a token of its own. */
async function holdsOther(store: Secrets, used: CredentialKind | null, slot?: Slot): Promise<boolean> {
  const names = credentialKindSchema.options.filter((kind) => kind !== used).map((kind) => secretOf(kind, slot));
  const held = await Promise.all(
    names.map(async (name) => name !== null && ((await store.get(name).catch(() => null)) ?? null) !== null),
  );
  return held.includes(true);
}

/** A damaged settings.json, before the running Jumpseat wrote a new one. */
async function sayRenamed(terminal: Surroundings['terminal'], { lock }: Paths): Promise<void> {
  const state = await callRunning(lock, 'state');
  for (const { code, text, remedy } of state?.warnings ?? [])
    if (code === 'settings-broken') terminal.err(sentences(text, remedy));
}

async function isStillSetUp(env: Surroundings['env'], paths: Paths, port: number): Promise<boolean> {
  const running = await runningProxy(paths.lock);
  return isInSettings(env, paths, running?.port ?? port).catch(() => false);
}

/** The Jumpseat of the usual folder, whose sign-in is in the same keychain; null: this is it, or it was never used. */
export async function sharerOf(env: Surroundings['env']): Promise<string | null> {
  const { JUMPSEAT_HOME, ...usual } = env;
  const home = homeFolder(usual, process.platform, homedir());
  if (JUMPSEAT_HOME === undefined || resolve(JUMPSEAT_HOME) === home || !existsSync(home)) return null;
  const running = await runningProxy(join(home, 'lock'));
  return running === null
    ? t('The keychain has one sign-in for the Jumpseat in {home}, too.', { home })
    : t('The keychain has one sign-in for the Jumpseat in {home} (pid {pid}, at {address}), too.', {
        home,
        pid: String(running.pid),
        address: running.baseUrl,
      });
}

async function isAgreed(terminal: Surroundings['terminal'], sharer: string): Promise<boolean> {
  if (!terminal.canAsk)
    throw new CommandFailure(
      sentences(t('Nothing was signed out.'), sharer),
      t('Run "jumpseat logout --yes" to sign out both. A JUMPSEAT_HOME without its own sign-in needs no logout.'),
    );
  terminal.out(sharer);
  if (await saysYes(terminal, t('Sign out both?'))) return true;
  terminal.out(t('Nothing was signed out.'));
  return false;
}

/** There is none that could hold a token. */
async function isWithoutKeychain(secrets: Secrets): Promise<boolean> {
  return secrets.storage === 'keychain' && (await secrets.status()).kind === 'unavailable';
}

async function holdsKeyAlone(secrets: Secrets): Promise<boolean> {
  const held = await Promise.all(secretNames.map(async (name) => name === 'local-key' || !(await secrets.get(name))));
  return held.every(Boolean);
}

/** The stores that this start does not use. A keychain that is not there holds no token. */
async function forgetElsewhere(secret: SecretName, used: 'keychain' | 'file' | 'memory', file: string): Promise<void> {
  if (used !== 'file') {
    const { fileSecrets } = await import('../../adapters/file-secrets.ts');
    if (existsSync(file)) await fileSecrets(file).delete(secret);
  }
  if (used === 'file') {
    const { keychainSecrets } = await import('../../adapters/keychain-secrets.ts');
    await forgetIn(keychainSecrets(), secret);
  }
}

async function forgetIn(store: Secrets, secret: SecretName): Promise<void> {
  const status = await store.status();
  if (status.kind === 'unavailable') return;
  if (status.kind === 'locked')
    throw new SecretsError(
      sentences(t('The keychain may still hold a token.'), status.reason),
      sentences(status.remedy, t('Then run "jumpseat logout" again.')),
    );
  await store.delete(secret);
}
