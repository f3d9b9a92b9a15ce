import type { CallName } from '../../app/api/calls.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { SetUpPlan } from '../../app/api/setup.ts';
import { answerWindow, type CallHandlers } from '../../main/ipc.ts';
import { callChannel } from '../../preload/channels.ts';
import { LineLog } from '../app/account/surroundings.ts';
import { appState } from './app-state.ts';

type Answer = { ok: boolean; value?: unknown; problem?: { code: string; text: string; mend: string } };
type Listener = (event: never, given: unknown) => unknown;

/** Everything that a handler was given. */
export type Done = [name: CallName, ...given: unknown[]][];

export const preferences: Preferences = {
  theme: 'system',
  timeZone: 'local',
  closing: 'keep-running',
  trayIcon: 'automatic',
  proxyOnAtStart: true,
  port: 4180,
  portFixed: false,
  githubHost: 'github.com',
  githubFixedBy: null,
  historyDays: 90,
  bodies: { megabytes: 64, minutes: null },
  shell: null,
  ownShell: 'bash',
  notifications: { quota: true, trouble: true, updates: true },
  quotaThresholds: { warning: 80, alarm: 95 },
  limits: {
    requestsPerMinute: null,
    creditsPerDay: null,
    premiumRequestsPerDay: null,
    askBeforeBurst: false,
    burstPerMinute: 60,
  },
  openai: { atOnce: 8, streamByDefault: false, historyTurns: null },
  welcomedAt: null,
  storageIsFree: true,
  desktop: { openAtLogin: false, platform: 'linux', runtime: 'Electron 45.4.1' },
};

const emptyPlan: SetUpPlan = {
  id: 'a plan',
  action: 'undo',
  shown: '~/.claude/settings.json',
  changes: [],
  changesFile: false,
  keepsBackup: false,
  removesFile: false,
  lost: [],
  notes: [],
};

/** One handler per call that writes down what it was given and answers what is well formed. */
export function quietHandlers(done: Done, change: Partial<CallHandlers> = {}): CallHandlers {
  const noted =
    <Given extends unknown[], Result>(name: CallName, result: Result) =>
    (...given: Given): Result => {
      done.push([name, ...given]);
      return result;
    };
  return {
    state: noted('state', appState()),
    exchanges: noted('exchanges', []),
    rows: noted('rows', []),
    exchange: noted('exchange', null),
    recorded: noted('recorded', { headers: null, bodies: 'none', views: [] }),
    recordedIds: noted('recordedIds', []),
    searchBodies: noted('searchBodies', []),
    recordedBody: noted('recordedBody', null),
    record: noted('record', undefined),
    forgetBodies: noted('forgetBodies', undefined),
    models: noted('models', { readAt: 0, names: [], models: [], warnings: [] }),
    totals: noted('totals', []),
    cacheSavings: noted('cacheSavings', { nanoAiu: null, withoutPrice: 0 }),
    conversations: noted('conversations', []),
    conversation: noted('conversation', []),
    setOverride: noted('setOverride', { linesChanged: false }),
    letThrough: noted('letThrough', 0),
    learned: noted('learned', []),
    forgetLessons: noted('forgetLessons', 0),
    checks: noted('checks', []),
    check: noted('check', null),
    preferences: noted('preferences', preferences),
    changePreferences: noted('changePreferences', preferences),
    planSetUp: noted('planSetUp', emptyPlan),
    applySetUp: noted('applySetUp', { backup: null }),
    replaceKey: noted('replaceKey', undefined),
    deleteHistory: noted('deleteHistory', 0),
    moveSecrets: noted('moveSecrets', undefined),
    openFolder: noted('openFolder', undefined),
    openFile: noted('openFile', undefined),
    lines: noted('lines', ''),
    shownLines: noted('shownLines', ''),
    setProxy: noted('setProxy', undefined),
    useFreePort: noted('useFreePort', undefined),
    signIn: noted('signIn', { kind: 'denied' }),
    cancelSignIn: noted('cancelSignIn', undefined),
    copyCode: noted('copyCode', undefined),
    signOut: noted('signOut', undefined),
    refresh: noted('refresh', undefined),
    copyLines: noted('copyLines', undefined),
    openOutside: noted('openOutside', false),
    updateState: noted('updateState', { kind: 'off', reason: 'A test.' }),
    checkForUpdates: noted('checkForUpdates', { kind: 'off', reason: 'A test.' }),
    restartToUpdate: noted('restartToUpdate', undefined),
    ...change,
  };
}

/** Main's side of the wire, without Electron. What crosses is copied as Electron copies it. */
export class CallDesk {
  readonly log = new LineLog();
  readonly done: Done = [];
  readonly #listeners = new Map<string, Listener>();

  constructor(change: Partial<CallHandlers> = {}) {
    answerWindow(
      {
        handle: (channel, listener) => {
          if (this.#listeners.has(channel)) throw new Error(`${channel} has two handlers.`);
          this.#listeners.set(channel, listener);
        },
      },
      quietHandlers(this.done, change),
      this.log,
    );
  }

  get channels(): string[] {
    return [...this.#listeners.keys()];
  }

  async ask(name: string, given: unknown, event: unknown = fromOurPage()): Promise<Answer> {
    return this.invoke(callChannel(name), given, event);
  }

  async invoke(channel: string, given: unknown, event: unknown = fromOurPage()): Promise<Answer> {
    const listener = this.#listeners.get(channel);
    if (!listener) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(await Reflect.apply(listener, undefined, [event, structuredClone(given)]));
  }
}

export function fromOurPage(url = 'app://bundle/index.html#/requests'): unknown {
  const frame = { url };
  return { senderFrame: frame, sender: { mainFrame: frame } };
}
