import { describe, expect, it } from 'vitest';
import type { App, DeviceCode, SignInResult } from '../../app/api.ts';
import { trayActions } from '../../main/actions.ts';

function setUp(app: Partial<App>) {
  const done: string[] = [];
  const act = trayActions({
    app: app as App,
    log: { write: (_level, event, facts) => done.push(`log ${event} ${JSON.stringify(facts)}`) },
    openUrl: async (url) => void done.push(`open ${url}`),
    copy: (text) => void done.push(`copy ${text}`),
    showWindow: () => done.push('window'),
    quit: () => done.push('quit'),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { act, done, settled };
}

describe('a click in the tray', () => {
  it('copies the code and opens GitHub while a sign-in runs; a second sign-in does not start; cancel ends it', async () => {
    const code: DeviceCode = { userCode: 'AB12', verificationUri: 'https://github.com/login/device', expiresAt: 0 };
    let started = 0;
    const { act, done, settled } = setUp({
      signIn: (shown, signal) => {
        started += 1;
        shown(code);
        return new Promise<SignInResult>((resolve) => {
          signal?.addEventListener('abort', () => {
            done.push('cancelled');
            resolve({ kind: 'cancelled' });
          });
        });
      },
    });
    act('copy-code');
    act('sign-in');
    act('sign-in');
    act('copy-code');
    await settled();
    act('cancel-sign-in');
    await settled();
    act('copy-code');
    await settled();
    expect({ started, done }).toEqual({
      started: 1,
      done: ['copy AB12', 'open https://github.com/login/device', 'cancelled'],
    });
  });

  it('a failure goes to the log and nowhere else', async () => {
    const { act, done, settled } = setUp({ startProxy: () => Promise.reject(new Error('Port 4180 is in use.')) });
    act('proxy-on');
    await settled();
    expect(done).toEqual(['log tray.action-failed {"action":"proxy-on","reason":"Port 4180 is in use."}']);
  });

  it('copies the lines of the shell that is used', async () => {
    const { act, done, settled } = setUp({
      envVariables: async (client) => ({ ANTHROPIC_BASE_URL: `http://127.0.0.1:1/${client}` }),
    });
    act('copy-lines');
    await settled();
    expect(done).toHaveLength(1);
    expect(done[0]).toContain('http://127.0.0.1:1/claude-code');
  });
});
