import type { AppState } from '../app/api.ts';
import { address, running } from './tray-icon.ts';

export type TrayAction =
  | 'sign-in'
  | 'copy-code'
  | 'cancel-sign-in'
  | 'sign-out'
  | 'proxy-on'
  | 'proxy-off'
  | 'copy-lines'
  | 'open'
  | 'quit';

/** `action: null` is a status line that cannot be clicked. Ids are stable: tests and scripts find an entry by them. */
export type TrayEntry = { id: string; label: string; action: TrayAction | null } | 'separator';

/** The menu of the tray icon, made from the state alone. */
export function trayMenu(state: AppState): TrayEntry[] {
  return [
    ...statusLines(state).map(({ id, label }) => ({ id, label, action: null })),
    'separator',
    ...doings(state),
    'separator',
    { id: 'open', label: 'Open Jumpseat', action: 'open' },
    'separator',
    ...(state.account.kind === 'signed-in'
      ? [{ id: 'sign-out', label: 'Sign out', action: 'sign-out' } satisfies TrayEntry]
      : []),
    { id: 'quit', label: 'Quit Jumpseat', action: 'quit' },
  ];
}

function statusLines({ account, proxy, health }: AppState): { id: string; label: string }[] {
  if (account.kind === 'signed-out') return [{ id: 'status', label: 'Signed out' }];
  if (account.kind === 'signing-in') return [{ id: 'status', label: `Code ${account.code.userCode}` }];
  const who = [account.login, account.plan].filter((part) => part !== null).join(' · ');
  return [
    { id: 'status', label: proxyLine(proxy, health) },
    ...(who === '' ? [] : [{ id: 'account', label: who }]),
    ...(proxy.kind === 'on' && health.problem ? [{ id: 'problem', label: health.problem.text }] : []),
  ];
}

function proxyLine(proxy: AppState['proxy'], health: AppState['health']): string {
  switch (proxy.kind) {
    case 'off':
      return 'Proxy off';
    case 'failed':
      return `Proxy stopped · ${proxy.reason}`;
    case 'on':
      return `Proxy on · ${health.running > 0 ? running(health.running) : address(proxy.baseUrl)}`;
  }
}

function doings({ account, proxy }: AppState): TrayEntry[] {
  switch (account.kind) {
    case 'signed-out':
      return [{ id: 'sign-in', label: 'Sign in to GitHub', action: 'sign-in' }];
    case 'signing-in':
      return [
        { id: 'copy-code', label: 'Copy code and open GitHub', action: 'copy-code' },
        { id: 'cancel-sign-in', label: 'Cancel sign-in', action: 'cancel-sign-in' },
      ];
    case 'signed-in':
      return [
        proxy.kind === 'on'
          ? { id: 'toggle-proxy', label: 'Turn proxy off', action: 'proxy-off' }
          : { id: 'toggle-proxy', label: 'Turn proxy on', action: 'proxy-on' },
        'separator',
        { id: 'copy-lines', label: 'Copy lines for Claude Code', action: 'copy-lines' },
      ];
  }
}
