import { basename } from 'node:path';
import type { WebPreferences } from 'electron';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { t } from '../../app/language/translate.ts';
import { isOurs, origin } from './pages.ts';

/** What of Electron the guards hang on. The session is there once the app is ready. */
export interface Guarded {
  app: {
    commandLine: { hasSwitch(name: string): boolean };
    enableSandbox(): void;
    on(event: 'web-contents-created', listener: (event: unknown, contents: GuardedContents) => void): unknown;
    once(event: 'ready', listener: () => void): unknown;
  };
  session: { readonly defaultSession: GuardedSession };
}

interface GuardedSession {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (may: boolean) => void,
      details: { requestingUrl: string; isMainFrame: boolean },
    ) => void,
  ): void;
  setPermissionCheckHandler(handler: () => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setSpellCheckerEnabled(on: boolean): void;
  setSpellCheckerLanguages(languages: string[]): void;
  on(
    event: 'will-download',
    listener: (event: { preventDefault(): void }, item: { getURL(): string }) => void,
  ): unknown;
}

/**
 * What no window may do, hung on every web contents that is ever made: leave our page, open another window, hold a
 * webview, be given a device or a permission other than to copy, save a file other than an export. Call once, before
 * the app is ready.
 */
export function guardEveryWindow(electron: Guarded): void {
  const { app } = electron;
  // Tests run as root, where Chromium's sandbox cannot: there `--no-sandbox` is said on the command line, and insisting
  // would be a crash.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  app.once('ready', () => guardSession(electron.session.defaultSession));
}

function guardSession(session: GuardedSession): void {
  // Every Copy button writes with `navigator.clipboard.writeText`, for which Chromium asks. Reading is separate.
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(permission === 'clipboard-sanitized-write' && isMainFrame && isOurs(requestingUrl)),
  );
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // An export is made in the page; the system asks the person where it goes.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${origin}/`)) event.preventDefault();
  });
  // Chromium fetches dictionaries from a host of its own as soon as a window is made, also where that window does not
  // use them.
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

/** What of a file that is saved is looked at. */
interface SavedItem {
  setSaveDialogOptions(options: { title: string }): void;
  getSavePath(): string;
  once(event: 'done', listener: (event: unknown, state: 'completed' | 'cancelled' | 'interrupted') => void): unknown;
}

/** Tells of files that the page made once they are saved, or could not be written; nothing of those given up. */
export function followSaves(
  session: { on(event: 'will-download', listener: (event: unknown, item: SavedItem) => void): unknown },
  saved: (file: string, written: boolean) => void,
): void {
  session.on('will-download', (_event, item) => {
    // Without one it is the address in the page.
    item.setSaveDialogOptions({ title: inFrontLanguage(() => t('Save export')) });
    item.once('done', (_done, state) => {
      if (state !== 'cancelled') saved(basename(item.getSavePath()), state === 'completed');
    });
  });
}

/** What of a web contents the guards hang on. */
interface GuardedContents {
  on(
    event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate',
    listener: (event: { url: string; preventDefault(): void }) => void,
  ): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault(): void }) => void): unknown;
  setWindowOpenHandler(handler: () => { action: 'deny' }): void;
}

function guardContents(contents: GuardedContents): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!isOurs(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** What the window's page may be: sandboxed, isolated, without Node. Defaults that matter are said all the same. */
export function windowPreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}
