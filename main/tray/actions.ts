import type { App } from '../../app/api/app.ts';
import type { Session } from '../../app/api/sessions.ts';
import { frontSentence, inFrontLanguage } from '../../app/language/front-language.ts';
import { t } from '../../app/language/translate.ts';
import type { Log, OpenUrl } from '../../app/ports.ts';
import type { CutAnswer, CutWords, Work } from '../../app/words/quit.ts';
import { type CommandLink, NotLinkedError } from '../command-link.ts';
import type { LoginItem } from '../login-item.ts';
import {
  commandInstalledNotice,
  linesCopiedNotice,
  resumeLineCopiedNotice,
  signInNotice,
} from '../notices/answer-notices.ts';
import type { SystemNotice } from '../notices/notice.ts';
import {
  cutQuestion,
  noKeychainQuestion,
  type Question,
  type StorageAnswer,
  type StorageQuestion,
  signOutQuestion,
  stopQuestion,
} from '../questions.ts';
import { newSessionPlace, sessionPlace } from '../sessions/session-lines.ts';
import { copyOf, isCopyAction, readOfAccount, readOfSession, type TrayAction } from './tray-entry.ts';

/** A day, which no running answer takes. */
const untilTheyEnd = 24 * 3_600_000;

export interface ActionDependencies {
  app: App;
  log: Log;
  openUrl: OpenUrl;
  /** Where GitHub's own pages are. */
  github: () => URL;
  copy: (text: string) => Promise<void> | void;
  /** Marked as confidential where the system has such a mark. */
  copySecret: (text: string) => Promise<void> | void;
  /** Whether Jumpseat starts with the session. */
  loginItem: Pick<LoginItem, 'read' | 'write'>;
  commandLink: Pick<CommandLink, 'set'>;
  /** True: do it. False: the safe way. */
  ask: (question: Question) => Promise<boolean>;
  askCut: (words: CutWords) => Promise<CutAnswer>;
  askStorage: (question: StorageQuestion) => Promise<StorageAnswer>;
  /** Something could not be done that a person asked for. */
  tell: (problem: { text: string; remedy: string }) => Promise<void> | void;
  notify: (notice: SystemNotice) => void;
  /** `place`: where in the window, `#/settings`. */
  showWindow: (place?: string) => void;
  openFolder: () => Promise<void> | void;
  setup: () => Promise<void>;
  /** Claude Code’s settings lead it to Jumpseat. */
  isSetup: () => boolean;
  undoSetup: () => Promise<void>;
  /** Asks first, where that would cut something off. */
  restartToUpdate: () => Promise<void> | void;
  /** What goes on with a session in a terminal; null if it is known no longer. */
  resumeLine: (id: string) => string | null;
  /** Sessions with a turn that runs. */
  runningSessions: () => readonly Pick<Session, 'id'>[];
  /** What the end of the proxy would cut off. */
  work: () => Work;
  /** The proxy begins to wait for work to be turned off, or no longer does. */
  turnsOffLater: (isWaiting: boolean) => void;
  /** Resolves when no session is at work. */
  sessionsRested: () => Promise<void>;
  quit: () => void;
  /** Takes back that it quits after the work. */
  stay: () => void;
}

/**
 * Does what an entry of the tray's menu says. An action that is still under way is not begun again. Called by the
 * window, which shows the outcome itself, it shows no notification and rejects where it fails.
 */
export type Act = (action: TrayAction, from?: 'tray' | 'window') => Promise<void>;

export function trayActions(dependencies: ActionDependencies): Act {
  const { app, log, openUrl, copy, copySecret, ask, notify, showWindow, github, loginItem } = dependencies;
  const underWay = new Set<TrayAction>();

  /** Where the token will be kept. False: nowhere yet. */
  const hasStorage = async (): Promise<boolean> => {
    const problem = await app.trySecrets();
    if (problem === null) return true;
    // A keychain that is there is to be unlocked, and a store chosen from outside or a file that others can read is to
    // be fixed.
    const isMissing = app.state().secrets.needsFile;
    if (!isMissing || !app.preferences().storageIsFree) {
      await dependencies.tell({ text: frontSentence(problem.text), remedy: frontSentence(problem.remedy) });
      return false;
    }
    const storage = await dependencies.askStorage(noKeychainQuestion(problem));
    if (storage === null) return false;
    await app.moveSecrets(storage);
    return true;
  };
  const signIn = async () => {
    if (app.state().account.kind === 'signing-in' || !(await hasStorage())) return;
    // The keychain that was unlocked meanwhile held a token.
    if (app.state().account.kind === 'signed-in' && app.state().status !== 'signed-out') return;
    const result = await app.signIn(({ userCode, verificationUri }) => {
      Promise.resolve(copy(userCode))
        .then(() => openUrl(verificationUri))
        .catch((error: unknown) => failed('sign-in', error));
    });
    const notice = signInNotice(result, app.state());
    if (notice !== null) notify(notice);
  };
  const copyCode = async (id: string | null = null) => {
    const state = app.state();
    const account = id === null ? state.account : state.accounts.find((one) => one.id === id)?.state;
    if (account?.kind !== 'signing-in') return;
    await copy(account.code.userCode);
    await openUrl(account.code.verificationUri);
  };
  const signOut = async () => {
    if (await ask(signOutQuestion(app.state().admission.credential))) await app.signOut();
  };
  /** Ends the wait for work before the proxy is turned off: it stays on. */
  let stayOn = (): void => {};
  /** Running answers end first if the person chose that. Sessions go on until they rest. */
  const turnOff = async () => {
    const words = cutQuestion(dependencies.work(), 'off');
    const answer = words === null ? 'now' : await dependencies.askCut(words);
    if (answer === 'cancel') return;
    if (answer === 'later' && !(await untilRested())) return;
    await app.setProxy(false, { graceMs: answer === 'later' ? untilTheyEnd : 0 });
  };
  /** False: the person took it back. */
  const untilRested = async (): Promise<boolean> => {
    const back = Promise.withResolvers<false>();
    stayOn = () => back.resolve(false);
    dependencies.turnsOffLater(true);
    try {
      return await Promise.race([back.promise, dependencies.sessionsRested().then(() => true)]);
    } finally {
      dependencies.turnsOffLater(false);
    }
  };
  const stopSessions = async () => {
    const asked = dependencies.runningSessions().map(({ id }) => id);
    if (asked.length === 0 || !(await ask(stopQuestion(asked.length)))) return;
    // Some may have ended meanwhile.
    const still = dependencies.runningSessions().filter(({ id }) => asked.includes(id));
    await Promise.all(still.map(({ id }) => app.stopSession(id)));
  };
  const copyLines = async (action: string, from: 'tray' | 'window') => {
    const copied = copyOf(action);
    if (copied === null) return;
    const { what, shell } = copied;
    await copySecret(await app.lines(shell, what));
    if (from === 'tray') notify(linesCopiedNotice(what, shell));
  };
  const openSession = (id: string) => {
    app.sawTerminal(id);
    showWindow(sessionPlace(id));
  };
  const copyResumeLine = async (id: string) => {
    const resumes = dependencies.resumeLine(id);
    if (resumes === null) return;
    await copy(resumes);
    app.sawTerminal(id);
    notify(resumeLineCopiedNotice(dependencies.isSetup()));
  };
  const openGithub = async () => {
    const { account } = app.state();
    const url = account.kind === 'signed-in' ? account.notice?.url : null;
    if (url) await openUrl(url);
  };

  const perform = async (action: TrayAction, from: 'tray' | 'window'): Promise<void> => {
    if (isCopyAction(action)) return copyLines(action, from);
    const own = readOfAccount(action);
    if (own !== null) return own.does === 'copy-code' ? copyCode(own.id) : app.switchAccount(own.id);
    const session = readOfSession(action);
    if (session !== null) return session.does === 'session-open' ? openSession(session.id) : copyResumeLine(session.id);
    switch (action) {
      case 'sign-in':
        return signIn();
      case 'copy-code':
        return copyCode();
      case 'cancel-sign-in':
        return app.cancelSignIn();
      case 'sign-out':
        return signOut();
      case 'proxy-on':
      case 'retry-port':
        return app.setProxy(true);
      case 'proxy-off':
        return turnOff();
      case 'free-port':
        return app.moveToFreePort();
      case 'retry':
        return app.refresh();
      case 'usage':
        return showWindow('#/usage');
      case 'billing':
        return openUrl(new URL('/settings/billing', github()).href);
      case 'allow-overage':
        return app.decideOverage(true);
      case 'refuse-overage':
        return app.decideOverage(false);
      case 'plans':
        return openUrl(new URL('/features/copilot/plans', github()).href);
      case 'open-github':
        return openGithub();
      case 'open-folder':
        return dependencies.openFolder();
      case 'setup':
        return dependencies.setup();
      case 'undo-setup':
        return dependencies.undoSetup();
      case 'open':
        return showWindow();
      case 'settings':
        return showWindow('#/settings');
      case 'way':
        return showWindow('#/settings/account');
      case 'open-at-login':
        return loginItem.write(!loginItem.read());
      case 'install-command':
        if (await dependencies.commandLink.set()) notify(commandInstalledNotice());
        return;
      case 'update':
        return dependencies.restartToUpdate();
      case 'session-new':
        return showWindow(newSessionPlace);
      case 'sessions-stop':
        return stopSessions();
      case 'stay':
        return dependencies.stay();
      case 'stay-on':
        return stayOn();
      case 'quit':
        return dependencies.quit();
    }
  };
  const failed = async (action: TrayAction, error: unknown) => {
    const text = error instanceof Error ? error.message : 'unknown';
    log.write('warn', 'tray.action-failed', { action, reason: text });
    // A proxy that does not start says so in the menu, the icon and a notification.
    if (error instanceof Error && error.name === 'StartError') return;
    const hasRemedy = error instanceof Error && 'remedy' in error;
    const remedy = hasRemedy
      ? frontSentence(String(error.remedy))
      : inFrontLanguage(() => t('The log has the details.'));
    const words = { text: frontSentence(text), remedy };
    await dependencies.tell(error instanceof NotLinkedError ? inFrontLanguage(error.shown) : words);
  };
  return async (action, from = 'tray') => {
    if (underWay.has(action)) return;
    underWay.add(action);
    try {
      await perform(action, from);
    } catch (error) {
      if (from === 'window') throw error;
      await failed(action, error);
    } finally {
      underWay.delete(action);
    }
  };
}
