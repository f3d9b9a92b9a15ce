import { createStore } from 'zustand/vanilla';
import type { RunningAnswer } from '../../app/api/events.ts';
import type { AgentState, Session } from '../../app/api/sessions.ts';
import type { Preferences, Theme } from '../../app/api/settings.ts';
import type { ClientName, ClientPlan, ClientUse, SetupChoices, SetupPlan } from '../../app/api/setup.ts';
import type { AppState, UpdateState } from '../../app/api/state.ts';
import { home, type Route, readRoute, sameRoute } from './routes.ts';

/** Whether the app answers. `lost`: it did, and does not any more. */
type Connection =
  | { kind: 'opening' }
  | { kind: 'live' }
  | { kind: 'lost'; since: number; retryAt: number | null }
  /** The door is closed: the link that this page was opened with is no longer good. */
  | { kind: 'closed' };

export interface Toast {
  id: number;
  text: string;
  /** `failed` is said at once, and stays longer. */
  kind: 'done' | 'info' | 'failed';
  action: { label: string; run: () => void } | null;
  /** Where the dialog shows it that was in front when it came; null if none was. */
  place: HTMLElement | null;
}

/** Asked before something is done that a person may regret. */
export interface Question {
  title: string;
  text: string;
  /** The safe way; it has the focus, and Esc presses it. */
  safe: string;
  action: string;
  run: () => void;
}

/**
 * What the window knows, beside the list of requests. Changed by the feed and by the functions in this folder alone.
 */
export interface WindowState {
  /** Null until the app has said it once. */
  app: AppState | null;
  /** What the person has chosen; null until the app has said it. */
  preferences: Preferences | null;
  connection: Connection;
  /** Why the first answer of the app did not come. */
  failure: string | null;
  /** How far the history has been read. */
  history: 'first' | 'older' | 'whole';
  update: UpdateState | null;
  /** As far as they have come. */
  runningAnswers: readonly RunningAnswer[];
  /** Sessions that Jumpseat holds, by their id. */
  sessions: ReadonlyMap<string, Session>;
  /** Sessions that it doesn't hold, as far as they were asked for; null if unknown. */
  pastSessions: ReadonlyMap<string, Pick<Session, 'title' | 'agent'> | null>;
  /** What can lead sessions; null: not asked yet. */
  agents: readonly AgentState[] | null;
  route: Route;
  /** Where the sessions were left; null if they were not looked at yet. */
  sessionsLeft: Route | null;
  toasts: readonly Toast[];
  question: Question | null;
  /** The setup of Claude Code that is shown for approval. */
  setup: { action: SetupPlan['action']; choices: SetupChoices } | null;
  /** The same of another program. A use of null is all of them; the first one is shown. */
  client: {
    name: ClientName;
    title: string;
    uses: readonly (ClientUse | null)[];
    action: ClientPlan['action'];
  } | null;
  /** How often Jumpseat changed the settings of a program, or what they should hold. */
  setupChanges: number;
  /** The choice of a way into Copilot is open. */
  choosingWay: boolean;
  /** The choice of where secrets are kept is open. */
  choosingStorage: boolean;
  /** Banners that were put away, by what they said. */
  dismissed: ReadonlySet<string>;
  /** For the polite live region. */
  polite: string;
  theme: Theme;
  /** Single letters do something in the list. */
  letterKeys: boolean;
}

export type WindowStore = ReturnType<typeof createWindowStore>;

export function createWindowStore() {
  return createStore<WindowState>(() => ({
    app: null,
    preferences: null,
    connection: { kind: 'opening' },
    failure: null,
    history: 'first',
    update: null,
    runningAnswers: [],
    sessions: new Map(),
    pastSessions: new Map(),
    agents: null,
    route: home,
    sessionsLeft: null,
    toasts: [],
    question: null,
    setup: null,
    client: null,
    setupChanges: 0,
    choosingWay: false,
    choosingStorage: false,
    dismissed: new Set(),
    polite: '',
    theme: 'system',
    letterKeys: true,
  }));
}

/** Keeps the route in step with the address. Returns the way to stop. */
export function followAddress(store: WindowStore): () => void {
  const follow = (): void => {
    const route = readRoute(window.location.hash);
    if (sameRoute(route, store.getState().route)) return;
    store.setState({ route, ...(route.place === 'sessions' && { sessionsLeft: route }) });
  };
  follow();
  window.addEventListener('hashchange', follow);
  window.addEventListener('popstate', follow);
  return () => {
    window.removeEventListener('hashchange', follow);
    window.removeEventListener('popstate', follow);
  };
}
