import type { AppEvent, AppState, Exchange } from '../app/api.ts';

/** How the window reaches the app: over IPC in the tray app, over HTTP in the dashboard. */
export interface Bridge {
  state(): Promise<AppState>;
  /** The newest, newest last. */
  exchanges(limit: number): Promise<Exchange[]>;
  /** Null where the proxy cannot be switched from here: the dashboard is served by it. */
  setProxy: ((on: boolean) => Promise<void>) | null;
  /** Returns the way to stop listening. */
  listen(listener: (event: AppEvent) => void): () => void;
}

declare global {
  interface Window {
    /** Put there by the preload script; absent in a browser. */
    readonly jumpseat?: Bridge;
  }
}
