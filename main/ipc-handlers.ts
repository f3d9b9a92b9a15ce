import type { App } from '../app/api/app.ts';
import type { CallArguments } from '../app/api/calls.ts';
import type { Preferences } from '../app/api/settings.ts';
import { withoutKey } from '../app/openai-clients/lines.ts';
import { copyAction } from './copy-actions.ts';
import type { CallHandlers } from './ipc.ts';
import type { LoginItem } from './login-item.ts';
import { openKnownFile } from './open-known-file.ts';
import type { TrayAction } from './tray-menu.ts';
import type { Updates } from './updates.ts';

export interface HandlerParts {
  app: App;
  /** What the tray does too is done in one way. */
  act: (action: TrayAction) => Promise<void> | void;
  /** False: not on the list of addresses that may be opened. */
  openOutside: (address: string) => Promise<boolean>;
  updates: Updates;
  desktop: DesktopParts;
}

/** What this machine has besides the app. */
export interface DesktopParts {
  loginItem: Pick<LoginItem, 'isAvailable' | 'read' | 'write'>;
  platform: string;
  /** `Electron 45.4.1` */
  runtime: string;
  applySetUp: (id: string) => Promise<{ backup: string | null }>;
  openFolder: (which: CallArguments<'openFolder'>[0]) => Promise<void>;
  /** Shows a file with the system's own program. Why not, in the system's words; empty where it did. */
  openPath: (path: string) => Promise<string>;
}

/** The window copies through us; the local key is not for a page that need not have it. */
class KeyStaysHereError extends Error {
  override readonly name = 'KeyStaysHereError';
  readonly mend = 'Copy the lines with “Copy lines for the shell”.';
  constructor() {
    super('The window doesn’t get the local key.');
  }
}

/** The app's preferences with what only this machine can say. */
export function desktopPreferences(
  preferences: Preferences,
  { loginItem, platform, runtime }: Pick<DesktopParts, 'loginItem' | 'platform' | 'runtime'>,
): Preferences {
  const openAtLogin = loginItem.isAvailable ? loginItem.read() : null;
  return { ...preferences, desktop: { openAtLogin, platform, runtime } };
}

/** The window's calls. */
export function windowHandlers({ app, act, openOutside, updates, desktop }: HandlerParts): CallHandlers {
  const withDesktop = (preferences: Preferences) => desktopPreferences(preferences, desktop);
  return {
    state: () => app.state(),
    exchanges: (which) => app.exchanges(which),
    rows: (which) => app.rows(which),
    exchange: (id) => app.exchange(id),
    recorded: (id) => app.recorded(id),
    recordedIds: () => app.recordedIds(),
    searchBodies: (words) => app.searchBodies(words),
    recordedBody: (id, view, options) => app.recordedBody(id, view, options),
    record: (on) => app.record(on),
    forgetBodies: () => app.forgetBodies(),
    models: (which) => app.models(which),
    totals: (by, since) => app.totals(by, since),
    cacheSavings: (since) => app.cacheSavings(since),
    conversations: (which) => app.conversations(which),
    conversation: (which) => app.conversation(which),
    setOverride: (name, model) => app.setOverride(name, model),
    letThrough: (id) => app.letThrough(id ?? undefined),
    learned: () => app.learned(),
    forgetLessons: (id) => app.forgetLessons(id ?? undefined),
    checks: () => app.checks(),
    check: (id) => app.check(id),
    preferences: () => withDesktop(app.preferences()),
    changePreferences: async ({ openAtLogin, ...change }) => {
      if (openAtLogin !== undefined) desktop.loginItem.write(openAtLogin);
      await app.changePreferences(change, { restart: true });
      return withDesktop(app.preferences());
    },
    planSetUp: (action) => app.planSetUp(action),
    applySetUp: (id) => desktop.applySetUp(id),
    replaceKey: () => app.replaceKey(),
    deleteHistory: () => app.deleteHistory(),
    moveSecrets: (to) => app.moveSecrets(to),
    openFolder: (which) => desktop.openFolder(which),
    openFile: async (which) => openKnownFile(await app.fileOf(which), desktop.openPath),
    lines: () => {
      throw new KeyStaysHereError();
    },
    shownLines: async (shell, what) => withoutKey(await app.lines(shell, what), await app.localKey()),
    setProxy: (on) => app.switchProxy(on),
    useFreePort: () => app.moveToFreePort(),
    signIn: () => app.signIn(() => undefined),
    cancelSignIn: () => app.cancelSignIn(),
    copyCode: () => act('copy-code'),
    signOut: () => app.signOut(),
    refresh: () => app.refresh(),
    copyLines: (shell, what) => act(copyAction(what, shell)),
    openOutside,
    updateState: () => updates.state(),
    checkForUpdates: () => updates.check(),
    restartToUpdate: () => updates.restart(),
  };
}
