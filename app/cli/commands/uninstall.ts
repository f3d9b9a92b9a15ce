import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readlink, rm, rmdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { installation } from '../../adapters/installation.ts';
import { keychainSecrets } from '../../adapters/keychain-secrets.ts';
import { memorySecrets } from '../../adapters/movable-secrets.ts';
import { commandLinkPlace, isCommandOfApp, loginEntry, pathsOf } from '../../adapters/paths.ts';
import { setupLabel } from '../../api/names.ts';
import { defaultPort } from '../../app-options.ts';
import {
  claudeSettingsPath,
  readSettingsFile,
  SetupError,
  shownPath,
  userHome,
} from '../../claude-code/settings-file.ts';
import { applyUndo } from '../../claude-code/setup/apply.ts';
import { planUndo } from '../../claude-code/setup/plan-undo.ts';
import { readRecord } from '../../claude-code/setup-record.ts';
import { hasSetUpClients } from '../../clients/client-record.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { type Paths, type Secrets, SecretsError, secretNames } from '../../ports.ts';
import { runningProxy, silentOwner } from '../../server/running-proxy.ts';
import { isRunning } from '../../settings/files.ts';
import { CommandFailure } from '../failure.ts';
import { readVariables } from '../options.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { hung, width } from '../table.ts';
import { saysYes } from '../terminal.ts';
import { removal } from '../this-program.ts';
import { sharerOf } from './logout.ts';
import { undoSetup } from './setup.ts';
import { changeClient } from './setup-client.ts';

interface UninstallOptions {
  /** Deletes what is stored as well. */
  purge?: boolean;
  /** Without questions. */
  yes?: boolean;
  /** What was done as one object, without questions. */
  json?: boolean;
}

/** What `jumpseat uninstall --json` prints. */
interface Report {
  /** Each file that a setup was taken out of. */
  undone: string[];
  /** True: Jumpseat opened at login, and no longer does. */
  loginRemoved: boolean;
  /** True: macOS had a link to the command. */
  commandRemoved: boolean;
  stored: Pick<Leftover, 'name' | 'what'>[];
  /** What is stored was deleted. */
  deleted: boolean;
  stays: string[];
  /** How the program itself is removed. */
  program: string;
}

/**
 * `jumpseat uninstall`: what Jumpseat changed elsewhere is undone. What it has stored is named, and deleted only where
 * the person agrees.
 */
export async function uninstall(
  { terminal: given, ...around }: Surroundings,
  options: UninstallOptions,
  keychain: Secrets = keychainSecrets(),
  commandPlace = commandLinkPlace,
): Promise<number> {
  const terminal = options.json ? { ...given, out: () => undefined, canAsk: false } : given;
  const surroundings = { ...around, terminal };
  const paths = pathsOf(around.env);
  await refuseWhileRunning(paths);
  const program = removal(installation());
  const report: Report = {
    ...{ undone: [], loginRemoved: false, commandRemoved: false, stored: [], deleted: false, stays: [], program },
  };
  const isUndone =
    (await undoSetups(surroundings, paths, options, report)) &&
    (await undoClients(surroundings, paths, options.yes === true, report));
  if (!isUndone)
    throw new CommandFailure(
      t('A program is still set up, so nothing else was done.'),
      t('Run "jumpseat uninstall" again to undo the setup.'),
    );
  report.loginRemoved = await leaveLogin(surroundings);
  report.commandRemoved = await removeCommand(surroundings, commandPlace, report);
  const left = await whatIsLeft(surroundings, paths, keychain, report);
  report.stored = left.map(({ name, what }) => ({ name, what }));
  if (left.length === 0) terminal.out(t('Jumpseat has nothing stored.'));
  else {
    terminal.out(t('Stored on this machine:'));
    const column = Math.max(9, ...left.map(({ name }) => width(name)));
    for (const { name, what } of left)
      terminal.out(`  ${name}${' '.repeat(column - width(name))} ${hung(what, column + 3, terminal.columns)}`);
    if (await isAgreed(surroundings, options)) {
      // What Node has compiled would be written at the end, into a folder that is gone.
      flushCompileCache();
      for (const { remove } of left) await remove();
      report.deleted = true;
      terminal.out(t('Deleted.'));
    } else terminal.out(t('It was not deleted. "jumpseat uninstall --purge" deletes it.'));
  }
  terminal.out(t('Lines that you pasted yourself stay: in a shell’s profile, in editors.'));
  terminal.out(program);
  if (options.json) given.out(JSON.stringify(report, null, 2));
  return 0;
}

async function refuseWhileRunning({ home, lock }: Paths): Promise<void> {
  if (!existsSync(home)) return;
  const remedy = t('Quit it, then run "jumpseat uninstall" again.');
  const running = await runningProxy(lock);
  if (running !== null)
    throw new CommandFailure(
      t('Jumpseat is running (pid {pid}, at {address}).', { pid: String(running.pid), address: running.baseUrl }),
      remedy,
    );
  const silent = silentOwner(lock);
  if (silent !== null) throw new CommandFailure(silent.text, remedy);
  const tray = openTray(home);
  if (tray !== null) throw new CommandFailure(t('The tray app is running (pid {pid}).', { pid: String(tray) }), remedy);
}

/** Chromium's note of the process that has the window's profile, which has no lock while its proxy is off. */
function openTray(home: string): number | null {
  try {
    const pid = Number(/-(\d+)$/.exec(readlinkSync(join(home, 'window', 'SingletonLock')))?.[1]);
    return pid > 0 && isRunning(pid) && isTray(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** After a crash the note stays, and another program may have the number by now. */
function isTray(pid: number): boolean {
  return process.platform !== 'linux' || /jumpseat-tray|electron/i.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
}

/** Every settings.json that was set up, and the one that Claude Code reads here. False: the person declined. */
async function undoSetups(
  surroundings: Surroundings,
  paths: Paths,
  options: UninstallOptions,
  { undone }: Report,
): Promise<boolean> {
  const { terminal, env } = surroundings;
  const usual = claudeSettingsPath(env);
  const { target } = await readSettingsFile(usual);
  const recorded = Object.keys((await readRecord(paths.home)).files);
  const undo = async (port: number, lines: () => Promise<Record<string, string>>): Promise<boolean> => {
    for (const settings of [usual, ...recorded.filter((file) => file !== target)]) {
      const place = { settings, paths, port: () => port };
      const plan = await planUndo(place, lines);
      const undoing = { plan, apply: () => applyUndo(place, plan), backups: paths.backups };
      if (!(await undoSetup(terminal, undoing, options))) return false;
      if (plan.changesFile) undone.push(settings);
    }
    return true;
  };
  // Opening the app would make the folder.
  if (!existsSync(paths.home)) return undo(readVariables(env).port ?? defaultPort, async () => ({}));
  // To take out what is recorded no secret is needed.
  const secrets = recorded.length > 0 ? { secrets: memorySecrets() } : {};
  return withApp(surroundings, secrets, ({ app }) =>
    undo(app.preferences().port, () => app.claudeCodeLines(setupLabel).then(({ variables }) => variables)),
  );
}

/** Every other program that was set up. False: the person declined. */
async function undoClients(
  surroundings: Surroundings,
  paths: Paths,
  isAgreed: boolean,
  { undone, stays }: Report,
): Promise<boolean> {
  const { terminal } = surroundings;
  if (!hasSetUpClients(paths.home)) return true;
  return withApp(surroundings, { secrets: memorySecrets() }, async ({ app }) => {
    for (const { name, title, uses } of await app.clients()) {
      if (!uses.some(({ by }) => by === 'jumpseat')) continue;
      const plan = await app.planClient(name, null, 'undo').catch((error: unknown) => {
        if (!(error instanceof SetupError)) throw error;
        // The others are undone all the same.
        const sentence = sentences(t('{title} is still set up.', { title }), error.message, error.remedy);
        terminal.out(sentence);
        stays.push(sentence);
        return null;
      });
      if (plan === null) continue;
      if (!(await changeClient(terminal, app, plan, isAgreed))) return false;
      for (const { shown, change, left } of plan.files) {
        if (change !== 'none') undone.push(shown.replace(/^~/, () => userHome(surroundings.env)));
        if (left.length > 0) stays.push(t('{names} in {file}', { names: left.join(', '), file: shown }));
      }
      if (plan.next !== null) stays.push(plan.next);
    }
    return true;
  });
}

/** macOS and Windows forget it with the app. True: it did open, and no longer does. */
async function leaveLogin({ terminal, env }: Surroundings): Promise<boolean> {
  const file = loginEntry(env, homedir());
  if (process.platform !== 'linux' || !existsSync(file)) return false;
  await rm(file);
  terminal.out(t('Jumpseat no longer opens at login.'));
  return true;
}

/** The link that the app has set on macOS, which would point to nothing. True: it is gone. */
async function removeCommand({ terminal }: Surroundings, place: string, { stays }: Report): Promise<boolean> {
  if (!isCommandOfApp(await readlink(place).catch(() => ''))) return false;
  try {
    await rm(place);
    terminal.out(t('The link {place} is removed.', { place }));
    return true;
  } catch {
    const sentence = t('The link {place} stays. It takes a password: sudo rm {place}', { place });
    terminal.out(sentence);
    stays.push(sentence);
    return false;
  }
}

/** What stays on the machine, in the order in which it is deleted. */
interface Leftover {
  name: string;
  /** Where it is, and what is in it. */
  what: string;
  remove(): Promise<void>;
}

async function whatIsLeft(
  { terminal, env }: Surroundings,
  paths: Paths,
  keychain: Secrets,
  { stays }: Report,
): Promise<Leftover[]> {
  const left: Leftover[] = [];
  const keep = (sentence: string): void => {
    stays.push(sentence);
    terminal.out(sentence);
  };
  const { kind } = readVariables(env).storage === 'memory' ? { kind: 'unavailable' as const } : await keychain.status();
  const sharer = kind === 'unavailable' ? null : await sharerOf(env);
  if (sharer !== null) keep(sentences(sharer, t('It stays.')));
  else if (kind !== 'unavailable')
    left.push({
      name: t('Keychain'),
      what: t('the entries of “Jumpseat”: sign-ins, the local key, keys of search engines'),
      remove: () => emptyKeychain(keychain),
    });
  const { home, cache } = paths;
  if (existsSync(cache) && !resolve(cache).startsWith(home + sep))
    left.push({
      name: t('Cache'),
      what: t('{folder}: can be downloaded again', { folder: shownPath(cache) }),
      remove: () => rm(cache, { recursive: true, force: true }),
    });
  if (!existsSync(home)) return left;
  const names = readdirSync(home);
  const others = names.filter((name) => !isOurs(name));
  if (others.length > 0)
    keep(
      t('These files in {folder} aren’t Jumpseat’s and stay: {names}.', {
        folder: shownPath(home),
        names: others.slice(0, 5).join(', '),
      }),
    );
  if (others.length === names.length) return left;
  const folder = shownPath(home);
  left.push({
    name: t('Folder'),
    what: names.includes('secrets.json')
      ? t('{folder}: sign-ins and keys, settings, history, sessions, logs, backups of clients’ settings', { folder })
      : t('{folder}: settings, history, sessions, logs, backups of clients’ settings', { folder }),
    remove: () => removeOwn(home),
  });
  return left;
}

/** Deletes what is Jumpseat's in its folder, and the folder if nothing else is in it. */
async function removeOwn(home: string): Promise<void> {
  for (const name of readdirSync(home)) {
    // A person may have put copies of their own beside ours.
    const own = name === 'backups' ? [join(name, 'claude-code'), join(name, 'clients')] : [name];
    if (isOurs(name)) for (const one of own) await rm(join(home, one), { recursive: true, force: true });
  }
  for (const folder of [join(home, 'backups'), home]) await rmdir(folder).catch(() => undefined);
}

const setAside = String.raw`(?:\.(?:broken|damaged|newer)-[\d-]+)?`;
const beside = String.raw`(?:-(?:wal|shm|journal|waiting)|\.(?:jumpseat-\d+-[\da-f]{8}|tmp-\w+|damaged-\d+))?`;
const ourFiles = new RegExp(
  `^(?:(?:settings|settings\\.schema|accounts|secrets|claude-code|clients|vscode)${setAside}\\.json${beside}` +
    `|(?:history|sessions|transcripts)${setAside}\\.db${beside}` +
    '|lock(?:\\.(?:held|not-held)(?:-journal)?)?|agents|logs|signed|socket|backups|window|cache|jumpseat-open-.{6})$',
);

/** True for a file or folder of Jumpseat's in its folder, which a person may have put where other files are. */
export function isOurs(name: string): boolean {
  return ourFiles.test(name);
}

async function emptyKeychain(keychain: Secrets): Promise<void> {
  const status = await keychain.status();
  if (status.kind !== 'available')
    throw new SecretsError(
      sentences(t('The keychain can’t be emptied, so nothing was deleted.'), status.reason),
      sentences(status.remedy, t('Then run "jumpseat uninstall --purge" again.')),
    );
  for (const name of secretNames) await keychain.delete(name);
}

async function isAgreed({ terminal }: Surroundings, { purge, yes }: UninstallOptions): Promise<boolean> {
  if (yes === true) return purge === true;
  if (terminal.canAsk) return saysYes(terminal, t('Delete all of this?'));
  if (purge === true)
    throw new CommandFailure(
      t('Nothing of this was deleted.'),
      t('Run "jumpseat uninstall --purge --yes" to delete it.'),
    );
  return false;
}
