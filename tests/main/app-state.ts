import type { Quota, WindowState } from '../../app/api/account.ts';
import type { AppState } from '../../app/api/state.ts';
import { statusOf } from '../../app/health/status.ts';
import { windowProblem } from '../../app/words/reach.ts';

/** 20 Nov 2026, 10:39:41 of the machine's own clock: what is shown is local. */
export const now = new Date(2026, 10, 20, 10, 39, 41).getTime();
export const firstOfDecember = new Date(2026, 11, 1, 1, 0).toISOString();

export const working: AppState['health'] = {
  ready: true,
  problem: null,
  lastSuccessAt: null,
  lastFailure: null,
  running: 0,
  held: { prompts: 0, above: 60 },
  creditsRefused: false,
  overage: null,
  autoOnly: false,
  limit: null,
  offline: null,
  failing: null,
  claudeCode: null,
};

export const quota: Quota = {
  world: 'credits',
  entitlement: 7000,
  remaining: 2002.13,
  percentRemaining: 28.6,
  unlimited: false,
  overagePermitted: false,
  overageUsed: 0,
  exhausted: false,
  resetsAt: firstOfDecember,
  asOf: now,
};

export const asVscode: AppState['admission'] = {
  way: 'vscode',
  credential: 'vscode',
  sentAs: { editor: 'vscode/1.139.1', integration: 'vscode-chat' },
  kept: null,
  runtime: { kind: 'absent', version: '1.0.14', bytes: 46_900_000, problem: null },
};

/** Signed in through GitHub's runtime, with a token that the person made. */
export const throughRuntime: AppState['admission'] = {
  ...asVscode,
  way: 'copilot-sdk',
  credential: 'token',
  sentAs: { editor: 'copilot/1.0.85', integration: 'copilot-sdk' },
  runtime: { kind: 'ready', version: '1.0.14' },
};

export type SignedIn = Extract<AppState['account'], { kind: 'signed-in' }>;

export const signedIn: SignedIn = {
  kind: 'signed-in',
  login: 'alexr-dev',
  plan: 'individual_pro',
  sku: null,
  apiHost: null,
  token: null,
  notice: null,
};

export const signingIn: AppState['account'] = {
  kind: 'signing-in',
  code: {
    userCode: '8F43-6FCF',
    verificationUri: 'https://github.com/login/device',
    expiresAt: now + 14 * 60_000 - 1_000,
  },
};

export const portTaken: AppState['proxy'] = {
  kind: 'failed',
  port: 4180,
  code: 'port-taken',
  reason: 'Port 4180 is in use by node (pid 48213).',
  remedy: '',
};

/** A state in which everything works, changed where a test says so. Its status follows from the rest, as in the app. */
export function appState(change: Partial<AppState> = {}): AppState {
  const state: Omit<AppState, 'status'> = {
    version: '0.1.0',
    isDemo: false,
    account: signedIn,
    admission: asVscode,
    reach: { kind: 'directly' },
    accounts: [],
    proxy: { kind: 'on', port: 4180, baseUrl: 'http://127.0.0.1:4180' },
    secrets: { storage: 'keychain', problem: null, needsFile: false },
    quota,
    ownLimits: [],
    usageWindows: { session: null, weekly: null },
    sessions: { waiting: 0, otherwise: 'on' },
    quitWaits: null,
    goneModels: [],
    health: working,
    recording: { on: false, exchanges: 0, bytes: 0 },
    warnings: [],
    ...change,
  };
  const { waiting } = state.sessions;
  const facts = { ...state, ...state.health, credential: state.admission.credential, now };
  const otherwise = statusOf({ ...facts, waiting: 0 });
  return { status: statusOf({ ...facts, waiting }), ...state, sessions: { waiting, otherwise } };
}

/** No account is signed in here. */
function throughVscode(window: WindowState): AppState {
  const problem = windowProblem(window);
  return appState({
    account: { kind: 'signed-out' },
    reach: { kind: 'through-vscode', window },
    quota: null,
    health: { ...working, ready: problem === null, problem },
  });
}

/** One state for each row of the list of states. */
export const states = {
  fatal: appState({
    warnings: [{ code: 'settings-unreadable', text: 'settings.json can’t be read: EACCES.', remedy: '' }],
  }),
  port: appState({ proxy: portTaken }),
  'signing-in': appState({ account: signingIn }),
  'account-unknown': {
    ...appState({
      health: {
        ...working,
        ready: false,
        problem: { code: 'account-unknown', text: 'settings.json was damaged.', remedy: 'Sign in again.' },
      },
    }),
    status: 'account-unknown',
  },
  'signed-out': appState({ account: { kind: 'signed-out' } }),
  refused: appState({
    account: { ...signedIn, notice: { id: 'sign-in-refused', title: 'Sign in again', message: '', url: null } },
  }),
  'no-access': appState({
    account: {
      ...signedIn,
      notice: {
        id: 'no_copilot_access',
        title: 'No Copilot subscription',
        message: 'Buy one.',
        url: 'https://github.com/settings/copilot',
      },
    },
  }),
  'no-window': throughVscode({ kind: 'absent' }),
  'through-vscode': throughVscode({ kind: 'serving', port: 53_211, version: '0.1.0' }),
  'auto-only': appState({
    account: { ...signedIn, plan: 'individual', sku: 'free_educational_quota' },
    health: { ...working, autoOnly: true },
  }),
  starting: appState({ proxy: { kind: 'starting', port: 4180 } }),
  stopping: appState({ proxy: { kind: 'stopping', port: 4180 } }),
  off: appState({ proxy: { kind: 'off' } }),
  exhausted: appState({ quota: { ...quota, remaining: 0, percentRemaining: 0, exhausted: true } }),
  weekly: appState({
    health: { ...working, limit: { kind: 'weekly', until: new Date(2026, 10, 23, 9, 40).getTime() } },
  }),
  session: appState({
    health: { ...working, limit: { kind: 'session', until: new Date(2026, 10, 20, 15, 0).getTime() } },
  }),
  offline: appState({
    health: {
      ...working,
      offline: { host: 'api.individual.githubcopilot.com', code: null, since: now - 60_000, retryAt: now + 19_200 },
    },
  }),
  waiting: appState({ sessions: { waiting: 2, otherwise: 'on' } }),
  low: appState({ quota: { ...quota, remaining: 698.4, percentRemaining: 9.97 } }),
  budget: appState({
    quota: { ...quota, remaining: 0, percentRemaining: 0, overagePermitted: true, overageUsed: 12.4 },
  }),
  'no-keychain': appState({ secrets: { storage: 'memory', problem: null, needsFile: false } }),
  busy: appState({ health: { ...working, running: 2 } }),
  on: appState(),
  premium: appState({
    quota: { ...quota, world: 'premium', entitlement: 1500, remaining: 477, percentRemaining: 31.8 },
  }),
} satisfies Record<string, AppState>;
