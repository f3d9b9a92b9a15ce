import type { AppState } from '../../app/api.ts';

/** A state in which everything works, changed where a test says so. */
export function appState(change: Partial<AppState> = {}): AppState {
  return {
    version: '0.1.0',
    account: {
      kind: 'signed-in',
      login: 'mona',
      plan: 'Copilot Pro+',
      sku: null,
      apiHost: null,
      token: null,
      notice: null,
    },
    proxy: { kind: 'on', port: 4180, baseUrl: 'http://127.0.0.1:4180' },
    secrets: { storage: 'keychain', problem: null },
    quota: null,
    usageWindows: { session: null, weekly: null },
    health: { ready: true, problem: null, lastSuccessAt: null, lastFailure: null, running: 0 },
    warnings: [],
    ...change,
  };
}

export const signingIn: AppState['account'] = {
  kind: 'signing-in',
  code: { userCode: '8F43-6FCF', verificationUri: 'https://github.com/login/device', expiresAt: 0 },
};
