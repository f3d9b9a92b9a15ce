import type { App } from '../app/api.ts';
import type { CallHandlers } from './ipc.ts';
import type { TrayAction } from './tray-menu.ts';
import type { Updates } from './updates.ts';

export interface HandlerParts {
  app: App;
  /** What the tray does too is done in one way. */
  act: (action: TrayAction) => Promise<void> | void;
  /** False: not on the list of addresses that may be opened. */
  openOutside: (address: string) => Promise<boolean>;
  updates: Updates;
}

/** The window's calls. */
export function windowHandlers({ app, act, openOutside, updates }: HandlerParts): CallHandlers {
  return {
    state: () => app.state(),
    exchanges: (which) => app.exchanges(which),
    rows: (which) => app.rows(which),
    exchange: (id) => app.exchange(id),
    models: (which) => app.models(which),
    totals: (by, since) => app.totals(by, since),
    cacheSavings: (since) => app.cacheSavings(since),
    conversations: (which) => app.conversations(which),
    conversation: (which) => app.conversation(which),
    setOverride: (name, model) => app.setOverride(name, model),
    checks: () => app.checks(),
    setProxy: (on) => app.switchProxy(on),
    useFreePort: () => app.moveToFreePort(),
    signIn: () => app.signIn(() => undefined),
    cancelSignIn: () => app.cancelSignIn(),
    copyCode: () => act('copy-code'),
    signOut: () => app.signOut(),
    refresh: () => app.refresh(),
    // zsh reads what bash reads.
    copyLines: (shell) => act(`copy-${shell === 'zsh' ? 'bash' : shell}`),
    openOutside,
    updateState: () => updates.state(),
    checkForUpdates: () => updates.check(),
    restartToUpdate: () => updates.restart(),
  };
}
