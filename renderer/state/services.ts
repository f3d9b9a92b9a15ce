import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { AppState } from '../../app/api/state.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Feed } from './feed.ts';
import type { HealthChecks } from './health-checks.ts';
import type { LogView } from './log/log-view.ts';
import type { RequestLog } from './log/request-log.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { WindowState, WindowStore } from './window-state.ts';

/** What every view may use. Made once, at the start of the page. */
export interface Services {
  bridge: Bridge;
  store: WindowStore;
  log: RequestLog;
  feed: Feed;
  health: HealthChecks;
  signIn: SignInFlow;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('There are no services above this component.');
  return services;
}

/** A part of the window's state. Select something small: the component is drawn again when it changes. */
export function useWindow<Part>(select: (state: WindowState) => Part): Part {
  return useStore(useServices().store, select);
}

/** The app's state. Views are drawn only when it is there. */
export function useApp(): AppState {
  const app = useWindow((state) => state.app);
  if (app === null) throw new Error('The state of the app is not known yet.');
  return app;
}

/** Why the organization's policy can't be used; null: it can, or there is none. */
export function useBrokenPolicy(): AppState['warnings'][number] | null {
  return useWindow(({ app }) => app?.warnings.find(({ code }) => code === 'policy') ?? null);
}

export function useLog(): LogView {
  const { log } = useServices();
  return useSyncExternalStore(log.listen, log.view);
}
