import type { App, DeviceCode } from '../app/api.ts';
import { renderEnvironment, shellOf } from '../app/claude-code/render-env.ts';
import type { Log, OpenUrl } from '../app/ports.ts';
import type { TrayAction } from './tray-menu.ts';

export interface ActionParts {
  app: App;
  log: Log;
  openUrl: OpenUrl;
  copy: (text: string) => Promise<void> | void;
  showWindow: () => void;
  quit: () => void;
}

interface SignIn {
  stop: AbortController;
  code: DeviceCode | null;
}

/** What a click in the tray does. Failures show themselves in the state; what is left of them goes to the log. */
export function trayActions(parts: ActionParts): (action: TrayAction) => void {
  const { app, log, openUrl, copy, showWindow, quit } = parts;
  let signingIn: SignIn | null = null;

  const signIn = async () => {
    if (signingIn !== null) return;
    const mine: SignIn = { stop: new AbortController(), code: null };
    signingIn = mine;
    try {
      await app.signIn((code) => {
        mine.code = code;
      }, mine.stop.signal);
    } finally {
      signingIn = null;
    }
  };
  const copyCode = async () => {
    const code = signingIn?.code;
    if (!code) return;
    await copy(code.userCode);
    await openUrl(code.verificationUri);
  };
  const copyLines = async () => {
    const variables = Object.entries(await app.envVariables('claude-code')).map(([name, value]) => ({ name, value }));
    await copy(renderEnvironment(variables, shellOf(process.env, process.platform)));
  };

  const perform = async (action: TrayAction): Promise<void> => {
    switch (action) {
      case 'sign-in':
        return signIn();
      case 'copy-code':
        return copyCode();
      case 'cancel-sign-in':
        return signingIn?.stop.abort();
      case 'sign-out':
        return app.signOut();
      case 'proxy-on':
        await app.startProxy();
        return;
      case 'proxy-off':
        return app.stopProxy();
      case 'copy-lines':
        return copyLines();
      case 'open':
        return showWindow();
      case 'quit':
        return quit();
    }
  };
  return (action) => {
    perform(action).catch((error: unknown) => {
      log.write('warn', 'tray.action-failed', { action, reason: error instanceof Error ? error.message : 'unknown' });
    });
  };
}
