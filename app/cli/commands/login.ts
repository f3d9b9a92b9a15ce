import type { Readable } from 'node:stream';
import { inFile, inWindow } from '../../account/account-error.ts';
import {
  type AdmissionState,
  type DeviceCode,
  type SignInRequest,
  type SignInResult,
  type Way,
  waySchema,
} from '../../api/account.ts';
import type { App } from '../../api/app.ts';
import { asShellWord } from '../../api/shell.ts';
import type { Environment } from '../../environment.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { callRunning, runningProxy } from '../../server/running-proxy.ts';
import {
  admissionWords,
  copilotLoginFact,
  megabytes,
  planName,
  refusedSignIn,
  runtimeWords,
  sameAtGithub,
  wayFacts,
  wayRisk,
} from '../../words/account.ts';
import { stillThroughVscode } from '../../words/reach.ts';
import { countdown } from '../../words/times.ts';
import { CommandFailure, storageRemedy, wrongUsage } from '../failure.ts';
import { takeInterrupts } from '../interrupts.ts';
import { claudeCodeSetup, isKeyKept } from '../running-jumpseat.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { hung } from '../table.ts';
import { saysYes, type Terminal } from '../terminal.ts';
import { leavePlace, nextFor, placeFor, requireName, type SignInPlace } from './accounts.ts';

interface LoginOptions extends WayOptions {
  insecureStorage?: boolean;
  /** One of several accounts; an unknown name creates one. */
  account?: string;
}

/** `jumpseat login`: one sign-in, on the way that is asked for or the one in use. */
export async function login(surroundings: Surroundings, options: LoginOptions): Promise<number> {
  const consent = options.insecureStorage === true;
  const way = readWay(options);
  requireName(options.account);
  const token = options.tokenStdin ? await readToken(process.stdin) : null;
  return withApp(surroundings, { insecureStorage: consent }, async (opened) => {
    const { app, ports, settings } = opened;
    const { terminal } = surroundings;
    const { storage } = opened.variables;
    if (consent && storage !== null && storage !== 'file')
      throw new CommandFailure(
        t('JUMPSEAT_SECRETS={storage} is set, so a token in a file wouldn’t be used. Nothing was stored.', { storage }),
        t('Unset it here and where Jumpseat runs, then sign in again.'),
      );
    // Where settings can't be saved, no code is asked for.
    await settings.update({});
    // An account that was signed in stays so, and running sessions keep their key.
    if (consent) await openFile(opened);
    await requireStorage(terminal, opened, consent || options.copilotLogin === true);
    if (way === 'copilot-sdk') say(terminal, `${translated(wayFacts[way])}\n`);
    else if (settings.current().notice.riskShownAt === null)
      say(terminal, `${terminal.style('yellow', t('Before you sign in:'))} ${translated(wayRisk.vscode)}\n`);
    const place = options.account === undefined ? null : await placeFor(app, options.account);
    const request = way === null ? null : requestFor(way, options, token);
    const staysIn = await sayWhoIsIn(terminal, app, place, way);
    const again = loginCommand(options.account, options.way);
    let isIn = false;
    const interrupts = takeInterrupts();
    const waiting = new Waiting(terminal);
    try {
      if (way === 'copilot-sdk') await requireRuntime(surroundings, app, options, interrupts.first);
      if (place === null && way !== null && (await goBack(app, way, options))) {
        await keepStorage(opened, consent);
        return await signedIn(surroundings, opened, null, null);
      }
      terminal.progress(request?.kind === 'token' ? t('Asking GitHub…') : t('Getting a code from GitHub…'));
      const shown = (code: DeviceCode): void => {
        showCode(surroundings, code);
        waiting.begin(code.expiresAt, () => ports.clock.now());
        if (canOpenBrowser(surroundings)) void ports.openUrl(code.verificationUri).catch(() => undefined);
      };
      const result = await signInAt(app, place, request, shown, interrupts.first);
      isIn = result.kind === 'signed-in';
      waiting.end();
      switch (result.kind) {
        case 'signed-in':
          // Who cancels reads it again.
          if (way !== 'copilot-sdk') await settings.update({ notice: { riskShownAt: ports.clock.now() } });
          await keepStorage(opened, consent);
          return await signedIn(surroundings, opened, place, result.login);
        case 'denied':
          throw new CommandFailure(
            t('You declined the sign-in on GitHub. No token was stored.'),
            t('Run "{command}" to try again.', { command: again }),
          );
        case 'expired':
          throw new CommandFailure(
            t('This code has expired. Codes are good for 15 minutes.'),
            t('Run "{command}" to get a new code.', { command: again }),
          );
        case 'cancelled':
          if (staysIn !== null) throw new CommandFailure(t('The sign-in was cancelled.'), staysIn, 130);
          throw new CommandFailure(
            t('The sign-in was cancelled. No token was stored.'),
            t('Run "{command}" to start again.', { command: again }),
            130,
          );
        case 'no-storage':
        case 'failed':
          throw new CommandFailure(result.text, result.remedy);
      }
    } finally {
      waiting.end();
      interrupts.release();
      // What went wrong before is what has to be said.
      if (place !== null && !isIn) await leavePlace(app, place).catch(() => undefined);
    }
  });
}

/** A sign-in replaces one of the same account and way, which is said before its code. Returns what holds without it. */
async function sayWhoIsIn(
  terminal: Terminal,
  app: App,
  place: SignInPlace | null,
  way: Way | null,
): Promise<string | null> {
  // Nothing is asked of the other accounts.
  if (place === null) await app.refresh();
  const found = app.state().accounts.find(({ id, isInUse }) => (place === null ? isInUse : id === place.id));
  if (found?.state.kind !== 'signed-in' || (way !== null && way !== found.admission.way)) return null;
  const { login } = found.state;
  const refused = refusedSignIn(found.state);
  if (refused !== null) {
    say(terminal, `${t('{refused}. A new sign-in replaces it.', { refused })}\n`);
    return null;
  }
  const already =
    login === null
      ? t('Already signed in. A new sign-in replaces it. Ctrl-C keeps the account.')
      : t('Already signed in as {login}. A new sign-in replaces it. Ctrl-C keeps the account.', { login });
  say(terminal, `${already}\n`);
  return login === null ? t('You are still signed in.') : t('You are still signed in as {login}.', { login });
}

function signInAt(
  app: App,
  place: SignInPlace | null,
  request: SignInRequest | null,
  shown: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<SignInResult> {
  if (place !== null) return app.signInAccount(place.id, request, shown, signal);
  return request === null ? app.signIn(shown, signal) : app.signInWith(request, shown, signal);
}

function loginCommand(account: string | undefined, way?: string): string {
  const options = [
    ...(way === undefined ? [] : [`--way ${way}`]),
    ...(account === undefined ? [] : [`--account ${asShellWord(account, 'bash')}`]),
  ];
  return ['jumpseat login', ...options].join(' ');
}

/** @param place null for the account in use */
async function signedIn(
  { terminal, env }: Surroundings,
  { app, ports, variables }: Opened,
  place: SignInPlace | null,
  login: string | null,
): Promise<number> {
  terminal.progress(
    login === null ? t('Signed in. Checking Copilot…') : t('Signed in as {login}. Checking Copilot…', { login }),
  );
  // A sign-in asks about its own account; nothing of the others is asked for it.
  if (place === null) await app.refresh();
  terminal.progress(null);
  // By its id: another person has another name.
  const signedInto = app.state().accounts.find(({ id, isInUse }) => (place === null ? isInUse : id === place.id));
  if (signedInto === undefined)
    throw new CommandFailure(t('The account was removed meanwhile.'), t('Sign in once more.'));
  const { state: account, admission, name: ownName } = signedInto;
  if (account.kind === 'signed-in' && account.notice !== null) {
    const { title, message, url } = account.notice;
    const command = loginCommand(place === null ? undefined : ownName);
    const remedy =
      url === null
        ? t('Run "{command}" to use another account.', { command })
        : t('Open {url}, or run "{command}" to use another account.', { url, command });
    throw new CommandFailure(sentences(t('{words}.', { words: title }), message), remedy);
  }
  const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
  const name = login ?? (account.kind === 'signed-in' ? account.login : null);
  const who = [name, plan].filter((part) => part !== null).join(', ');
  const reported = terminal.style('green', who === '' ? t('Signed in.') : t('Signed in as {who}.', { who }));
  say(terminal, `${reported} ${kept(ports.secrets.storage, admission)}`);
  say(terminal, t('Sent {how}.', { how: admissionWords(admission) }));
  const unchecked = account.kind === 'signed-in' && account.token === null;
  const { reach } = app.state();
  if (reach.kind === 'through-vscode')
    terminal.err(sentences(translated(stillThroughVscode.text), translated(stillThroughVscode.remedy)));
  else if (unchecked) terminal.err(t('Copilot couldn’t be checked now. Run "jumpseat status" to try again.'));
  if (place !== null) say(terminal, t('The account is {name}.', { name: ownName }));
  const twin = sameAtGithub(app.state().accounts, signedInto);
  if (twin !== null) terminal.err(twin);
  const running = await runningProxy(ports.paths.lock);
  const port = running?.port ?? app.preferences().port;
  const setup = await claudeCodeSetup(env, ports.paths, running, port, isKeyKept(variables, app.state().secrets));
  const isSetUp = setup.isSetUp === true && setup.problem === null;
  say(terminal, nextFor(signedInto, { isServing: running !== null, isSetUp }));
  return 0;
}

function kept(storage: 'keychain' | 'file' | 'memory', { credential }: Pick<AdmissionState, 'credential'>): string {
  if (credential === 'copilot-login') return t('The token stays with the Copilot CLI.');
  switch (storage) {
    case 'keychain':
      return t('The token is in the system keychain.');
    case 'file':
      return t('The token is in a file that only your user can read.');
    case 'memory':
      return t('The token isn’t stored.');
  }
}

/**
 * Before the sign-in, so that its token can be kept afterwards.
 * @param isElsewhere it will lie in no memory of this process
 */
async function requireStorage(terminal: Terminal, opened: Opened, isElsewhere: boolean): Promise<void> {
  const { app, ports } = opened;
  const problem = await app.trySecrets();
  if (problem === null && ports.secrets.storage === 'memory' && !isElsewhere)
    throw new CommandFailure(
      t('Tokens are stored in memory until Jumpseat quits, so a sign-in here would end with this command.'),
      ports.secrets.moveTo ? sentences(translated(inWindow), translated(inFile)) : translated(inWindow),
    );
  if (problem === null) return;
  if (app.state().secrets.needsFile && ports.secrets.moveTo && terminal.canAsk) {
    say(terminal, problem.text);
    if (await saysYes(terminal, t('Store the token in a file that only your user can read?'))) {
      await openFile(opened);
      return requireStorage(terminal, opened, isElsewhere);
    }
  }
  throw new CommandFailure(problem.text, storageRemedy(app.state().secrets));
}

/**
 * So that a sign-in can be stored in the file; the choice is stored with it. One that runs moves everything at once:
 * its key may be in its memory alone, and its clients have it.
 */
async function openFile({ app, ports }: Opened): Promise<void> {
  const { secrets, paths } = ports;
  if (!secrets.moveTo || secrets.storage === 'file') return;
  const byRunning = await callRunning(paths.lock, 'moveSecrets', 'file');
  // What a store that works has is taken out of it after the sign-in.
  if (byRunning === null && (await app.trySecrets()) === null) return;
  await secrets.follow?.('file');
  if (byRunning !== null) await app.moveSecrets('file');
}

/** After the sign-in: one that was cancelled leaves the choice of the storage as it was. */
async function keepStorage({ app, ports, settings }: Opened, consent: boolean): Promise<void> {
  const { moveTo, storage } = ports.secrets;
  if (settings.current().secretsStorage === 'file' || !(consent || storage === 'file')) return;
  await (moveTo ? app.moveSecrets('file') : settings.update({ secretsStorage: 'file' }));
}

/** Sentences, broken between words. */
function say(terminal: Pick<Terminal, 'out' | 'columns'>, text: string): void {
  terminal.out(hung(text, 0, terminal.columns));
}

function showCode({ terminal }: Surroundings, code: DeviceCode): void {
  terminal.out(terminal.style('bold', t('Sign in to GitHub')));
  say(terminal, `${t('Enter this code on GitHub to let Jumpseat use your Copilot subscription.')}\n`);
  for (const line of codeBox(code.userCode, terminal)) terminal.out(line);
  terminal.out(`\n${code.verificationUri}`);
  say(terminal, terminal.style('dim', `${t('Only enter a code that you asked for yourself.')}\n`));
}

/** Framed for a terminal; plain for a program. */
export function codeBox(code: string, terminal: Pick<Terminal, 'isTty' | 'style'>): string[] {
  if (!terminal.isTty) return [`    ${code}`];
  const bar = '─'.repeat(code.length + 8);
  return [`    ╭${bar}╮`, `    │    ${terminal.style(['bold', 'inverse'], code)}    │`, `    ╰${bar}╯`];
}

/** Whether a browser of this machine would be seen: not over ssh, in CI, without a display or without a terminal. */
export function canOpenBrowser(
  { terminal, env }: { terminal: Pick<Terminal, 'isTty'>; env: Environment },
  platform = process.platform,
): boolean {
  if (!terminal.isTty || env.CI || env.SSH_CONNECTION) return false;
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Says that it waits: counting down on a terminal, once elsewhere. */
class Waiting {
  readonly #terminal: Terminal;
  #timer: NodeJS.Timeout | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begin(expiresAt: number, now: () => number): void {
    const line = (): string => t('Waiting for GitHub. Expires in {time}', { time: countdown(expiresAt - now()) });
    if (!this.#terminal.isTty) {
      this.#terminal.out(line());
      return;
    }
    this.#terminal.progress(line());
    this.#timer = setInterval(() => this.#terminal.progress(line()), 1000);
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#terminal.progress(null);
  }
}

interface WayOptions {
  way?: string;
  tokenStdin?: boolean;
  copilotLogin?: boolean;
  fetchRuntime?: boolean;
}

/** Null for the way in use. Throws a failure with exit code 2 for what can't be meant. */
export function readWay({ way, tokenStdin, copilotLogin, fetchRuntime }: WayOptions): Way | null {
  if (way !== undefined && !waySchema.safeParse(way).success) {
    throw wrongUsage(
      t('--way must be vscode or copilot-sdk, not "{way}".', { way }),
      t('Run "{command}".', { command: 'jumpseat login --help' }),
    );
  }
  if (tokenStdin && copilotLogin) {
    throw wrongUsage(t('--token-stdin and --copilot-login are two ways to sign in.'), t('Pass one of them.'));
  }
  if ((tokenStdin || copilotLogin || fetchRuntime) && way !== 'copilot-sdk') {
    throw wrongUsage(
      t('This option works only with --way copilot-sdk.'),
      t('Run "{command}".', { command: 'jumpseat login --help' }),
    );
  }
  return way === undefined ? null : waySchema.parse(way);
}

const longestToken = 1000;

/** A token on standard input, so that it stands in no argument and no history. */
export async function readToken(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > longestToken) break;
  }
  const token = text.trim();
  if (token === '' || token.length > longestToken) {
    throw new CommandFailure(
      token === '' ? t('No token came on standard input.') : t('Standard input is too long for a token.'),
      t('Pass it like this: {command}', { command: 'jumpseat login --way copilot-sdk --token-stdin < FILE' }),
    );
  }
  return token;
}

export function requestFor(way: Way, { copilotLogin }: WayOptions, token: string | null): SignInRequest {
  if (way === 'vscode') return { kind: 'vscode' };
  if (token !== null) return { kind: 'token', token };
  return { kind: copilotLogin ? 'copilot-login' : 'own-app' };
}

/** Uses a stored sign-in of this way again. False if a sign-in is needed, or the way is in use. */
export async function goBack(app: App, way: Way, { tokenStdin, copilotLogin }: WayOptions): Promise<boolean> {
  if (app.state().admission.way === way || tokenStdin || copilotLogin) return false;
  if (way === 'vscode') return app.chooseCredential('vscode');
  return (await app.chooseCredential('own-app')) || app.chooseCredential('token');
}

/** Fetches GitHub's runtime if the person agrees. Rejects if it is still missing afterwards. */
export async function requireRuntime(
  { terminal }: Surroundings,
  app: App,
  { copilotLogin, fetchRuntime }: WayOptions,
  signal: AbortSignal,
): Promise<void> {
  if (copilotLogin) terminal.out(translated(copilotLoginFact));
  const runtime = await app.runtime();
  if (runtime.kind === 'ready') return;
  if (runtime.kind === 'unavailable') throw new CommandFailure(runtime.text, runtime.remedy);
  terminal.out(runtimeWords(runtime));
  if (!fetchRuntime) {
    if (!terminal.canAsk || !(await saysYes(terminal, t('Fetch it now?')))) {
      throw new CommandFailure(
        t('Nothing was fetched and nothing was changed.'),
        t('Add --fetch-runtime to fetch it.'),
      );
    }
  }
  const stop = app.listen(() => {
    const now = app.state().admission.runtime;
    if (now.kind === 'fetching')
      terminal.progress(t('Fetching GitHub’s runtime: {received}.', { received: megabytes(now.received) }));
  });
  const cancel = (): void => app.cancelFetch();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await app.fetchRuntime();
  } finally {
    stop();
    signal.removeEventListener('abort', cancel);
    terminal.progress(null);
  }
}
