import { app, session, type WebContents } from 'electron';
import { isOurs } from './pages.ts';

/**
 * What no window may do, hung on every web contents that is ever made: leave our page, open another window, hold a webview, be given a
 * permission. Call once, before the app is ready.
 */
export function guardEveryWindow(): void {
  // Tests run as root, where Chromium's sandbox cannot: there `--no-sandbox` is said on the command line, and insisting would be a crash.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guard(contents));
  app.once('ready', () => {
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    session.defaultSession.setPermissionCheckHandler(() => false);
  });
}

function guard(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
