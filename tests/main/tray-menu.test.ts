import { describe, expect, it } from 'vitest';
import { trayMenu } from '../../main/tray-menu.ts';
import { appState, signingIn } from './app-state.ts';

const lines = (state: ReturnType<typeof appState>) =>
  trayMenu(state).map((entry) =>
    entry === 'separator' ? '─' : entry.action === null ? `(${entry.label})` : entry.label,
  );

describe('the tray menu', () => {
  it('on', () => {
    expect(lines(appState())).toEqual([
      '(Proxy on · 127.0.0.1:4180)',
      '(mona · Copilot Pro+)',
      '─',
      'Turn proxy off',
      '─',
      'Copy lines for Claude Code',
      '─',
      'Open Jumpseat',
      '─',
      'Sign out',
      'Quit Jumpseat',
    ]);
  });

  it('signed out: only a way in', () => {
    expect(lines(appState({ account: { kind: 'signed-out' } }))).toEqual([
      '(Signed out)',
      '─',
      'Sign in to GitHub',
      '─',
      'Open Jumpseat',
      '─',
      'Quit Jumpseat',
    ]);
  });

  it('signing in: the code', () => {
    expect(lines(appState({ account: signingIn })).slice(0, 4)).toEqual([
      '(Code 8F43-6FCF)',
      '─',
      'Copy code and open GitHub',
      'Cancel sign-in',
    ]);
  });

  it('off, and stopped by an error: a way to turn it on', () => {
    const failed = { kind: 'failed', port: 4180, reason: 'Port 4180 is in use.', mend: '' } as const;
    expect(lines(appState({ proxy: { kind: 'off' } })).slice(0, 4)).toEqual([
      '(Proxy off)',
      '(mona · Copilot Pro+)',
      '─',
      'Turn proxy on',
    ]);
    expect(lines(appState({ proxy: failed })).slice(0, 4)).toEqual([
      '(Proxy stopped · Port 4180 is in use.)',
      '(mona · Copilot Pro+)',
      '─',
      'Turn proxy on',
    ]);
  });

  it('busy, and a problem', () => {
    const problem = { code: 'x', text: 'Copilot’s weekly limit is reached.', mend: '' };
    const { health } = appState();
    expect(lines(appState({ health: { ...health, running: 1 } }))[0]).toBe('(Proxy on · 1 request running)');
    expect(lines(appState({ health: { ...health, running: 2 } }))[0]).toBe('(Proxy on · 2 requests running)');
    expect(lines(appState({ health: { ...health, ready: false, problem } }))[2]).toBe(
      '(Copilot’s weekly limit is reached.)',
    );
  });

  it('ids are unique in every state', () => {
    for (const account of [appState().account, signingIn, { kind: 'signed-out' } as const]) {
      const ids = trayMenu(appState({ account })).flatMap((entry) => (entry === 'separator' ? [] : [entry.id]));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
