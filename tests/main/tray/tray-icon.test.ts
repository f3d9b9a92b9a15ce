import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quits, turnsOff } from '../../../app/words/quit.ts';
import { PinnedFigure, type TrayIconName, trayIcon, trayIconFiles } from '../../../main/tray/tray-icon.ts';
import { soon } from '../../soon.ts';
import { appState, portTaken, signedIn, states } from '../app-state.ts';

const icons: Record<keyof typeof states, [TrayIconName, string]> = {
  fatal: ['tray-error', 'Jumpseat: can’t read its settings'],
  port: ['tray-error', 'Jumpseat: port 4180 is in use'],
  'signing-in': ['tray-signin', 'Jumpseat: enter code 8F43-6FCF'],
  'account-unknown': ['tray-error', 'Jumpseat: your account isn’t known'],
  'signed-out': ['tray-signin', 'Jumpseat: sign-in needed'],
  refused: ['tray-signin', 'Jumpseat: alexr-dev: GitHub refuses the sign-in'],
  'no-access': ['tray-error', 'Jumpseat: No Copilot subscription'],
  'no-window': ['tray-error', 'Jumpseat: no window of VS Code serves'],
  'through-vscode': ['tray-on', 'Jumpseat: proxy on, 127.0.0.1:4180'],
  'auto-only': ['tray-error', 'Jumpseat: your plan has no model to choose'],
  starting: ['tray-off', 'Jumpseat: proxy starting'],
  stopping: ['tray-off', 'Jumpseat: proxy stopping'],
  off: ['tray-off', 'Jumpseat: proxy off'],
  exhausted: ['tray-error', 'Jumpseat: out of credits'],
  weekly: ['tray-error', 'Jumpseat: Copilot’s weekly limit reached'],
  session: ['tray-error', 'Jumpseat: Copilot’s 5-hour limit reached'],
  offline: ['tray-error', 'Jumpseat: no connection to Copilot'],
  waiting: ['tray-waiting', 'Jumpseat: 2 sessions wait for you'],
  low: ['tray-warning', 'Jumpseat: 698 of 7,000 credits left'],
  budget: ['tray-warning', 'Jumpseat: past your included credits'],
  'no-keychain': ['tray-on', 'Jumpseat: proxy on, 127.0.0.1:4180'],
  busy: ['tray-busy', 'Jumpseat: 2 requests running'],
  on: ['tray-on', 'Jumpseat: proxy on, 127.0.0.1:4180'],
  premium: ['tray-on', 'Jumpseat: proxy on, 127.0.0.1:4180'],
};

describe('the tray icon', () => {
  it.each(Object.entries(icons))('%s', (state, [name, tooltip]) => {
    const shown = states[state as keyof typeof states];
    expect(trayIcon(shown, shown.health.running)).toEqual({ name, tooltip });
  });

  it('busy never covers a warning or an error, and shows over a missing keychain', () => {
    const name = (state: keyof typeof states) => trayIcon(states[state], 1).name;
    expect([name('low'), name('offline'), name('off'), name('no-keychain')]).toEqual([
      'tray-warning',
      'tray-error',
      'tray-off',
      'tray-busy',
    ]);
  });

  it('says that the last requests failed, over one that runs', () => {
    const failing = { count: 6, why: '504 from Copilot', until: null };
    const shown = { ...states.busy, health: { ...states.busy.health, failing } };
    expect(trayIcon(shown, 1)).toEqual({
      name: 'tray-warning',
      tooltip: 'Jumpseat: the last 6 requests failed (504)',
    });
  });

  it('a request that runs is not shown before its time, and one that has ended for a while', () => {
    expect(trayIcon(states.busy, 0).name).toBe('tray-on');
    expect(trayIcon(states.on, 1)).toEqual({ name: 'tray-busy', tooltip: 'Jumpseat: 1 request running' });
  });

  it('says first that it quits, with the picture of the state', () => {
    const work = { sessions: [{ agent: 'claude', state: 'running' }], requests: 0 } as const;
    expect([quits(work, 'tip'), turnsOff(work, 'tip')].map((tip) => trayIcon(states.low, 0, tip))).toEqual([
      { name: 'tray-warning', tooltip: 'Jumpseat: quits when 1 session is done' },
      { name: 'tray-warning', tooltip: 'Jumpseat: turns the proxy off when 1 session is done' },
    ]);
  });

  it('has the figure that a person pinned behind the state, in the words of the app', async () => {
    let chosen: 'none' | 'left' | 'today' = 'none';
    let asked = 0;
    const words = { none: null, today: '31.07 today', left: '2,002 credits left' };
    const costOfToday = async () => {
      asked += 1;
      return { nanoAiu: 31_070_000_000, premiumRequests: 0, isPartlyUnknown: false };
    };
    const figure = new PinnedFigure({
      app: { costOfToday },
      chosen: () => chosen,
      changed: () => undefined,
    });
    const shown = async (next: typeof chosen) => {
      chosen = next;
      figure.see({ event: 'state', state: states.on });
      await soon(() => expect(figure.words(states.on)).toBe(words[next]));
      return trayIcon(states.on, 0, null, figure.words(states.on)).tooltip;
    };
    expect(await shown('none')).toBe('Jumpseat: proxy on, 127.0.0.1:4180');
    expect(await shown('left')).toBe('Jumpseat: proxy on, 127.0.0.1:4180 · 2,002 credits left');
    expect(figure.words(states['through-vscode'])).toBeNull();
    expect(asked).toBe(0);
    expect(await shown('today')).toBe('Jumpseat: proxy on, 127.0.0.1:4180 · 31.07 today');
    expect(await shown('none')).toBe('Jumpseat: proxy on, 127.0.0.1:4180');
  });

  it('tooltips stay under 64 characters', () => {
    const notice = {
      id: 'x',
      title: 'GitHub gives this account no access to Copilot, and says so',
      message: '',
      url: null,
    };
    const tooltips = [
      trayIcon(appState({ account: { ...signedIn, notice } }), 0).tooltip,
      ...Object.values(states).map((state) => trayIcon(state, 12).tooltip),
      ...(['already-running', 'home-unusable', 'disk-full', 'port-refused', 'stopped'] as const).map(
        (code) =>
          trayIcon(appState({ proxy: { ...portTaken, kind: 'failed', code, port: 65535, reason: '', remedy: '' } }), 0)
            .tooltip,
      ),
    ];
    expect(tooltips[0]).toBe('Jumpseat: GitHub gives this account no access to Copilot, and…');
    expect(tooltips.filter((tooltip) => tooltip.length >= 64)).toEqual([]);
  });

  it('has a picture for every state, system and panel', () => {
    const names = [
      'tray-on',
      'tray-busy',
      'tray-waiting',
      'tray-warning',
      'tray-off',
      'tray-signin',
      'tray-error',
    ] as const;
    const files = names.flatMap((name) =>
      (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
        [true, false].flatMap((dark) =>
          Object.values(trayIconFiles(name, platform, dark)).filter((file) => file !== null),
        ),
      ),
    );
    const folder = join(import.meta.dirname, '..', '..', '..', 'resources', 'tray');
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    expect(new Set(files).size).toBe(7 * (4 + 1 + 2));
  });
});
