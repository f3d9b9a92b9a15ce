import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trayIcon, trayIconFile } from '../../main/tray-icon.ts';
import { appState, signingIn } from './app-state.ts';

const { health } = appState();
const problem = {
  code: 'x',
  text: 'GitHub gives this account no access to Copilot, and says so at some length.',
  mend: '',
};

describe('the tray icon', () => {
  it.each([
    [appState(), 'tray-on', 'Jumpseat: proxy on, 127.0.0.1:4180'],
    [appState({ health: { ...health, running: 2 } }), 'tray-busy', 'Jumpseat: 2 requests running'],
    [appState({ proxy: { kind: 'off' } }), 'tray-off', 'Jumpseat: proxy off'],
    [appState({ account: { kind: 'signed-out' } }), 'tray-signin', 'Jumpseat: sign-in needed'],
    [appState({ account: signingIn }), 'tray-signin', 'Jumpseat: enter code 8F43-6FCF'],
    [
      appState({ proxy: { kind: 'failed', port: 4180, reason: 'port 4180 is in use', mend: '' } }),
      'tray-error',
      'Jumpseat: port 4180 is in use',
    ],
    [
      appState({ health: { ...health, ready: false, problem } }),
      'tray-error',
      'Jumpseat: GitHub gives this account no access to Copilot, and…',
    ],
  ])('%#: $1', (state, name, tooltip) => {
    expect(trayIcon(state)).toEqual({ name, tooltip });
    expect(tooltip.length).toBeLessThan(64);
  });

  it('has a picture for every state, system and panel', () => {
    const names = ['tray-on', 'tray-busy', 'tray-off', 'tray-signin', 'tray-error'] as const;
    const files = names.flatMap((name) =>
      (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
        [true, false].map((dark) => trayIconFile(name, platform, dark)),
      ),
    );
    const folder = join(import.meta.dirname, '..', '..', 'resources', 'tray');
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });
});
