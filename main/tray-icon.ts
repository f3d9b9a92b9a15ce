import type { AppState } from '../app/api.ts';

export type TrayIconName = 'tray-on' | 'tray-busy' | 'tray-off' | 'tray-signin' | 'tray-error';

/** What the icon shows: seat down when a request would work now, folded up with the reason above it when not. */
export function trayIcon(state: AppState): { name: TrayIconName; tooltip: string } {
  const { account, proxy, health } = state;
  if (account.kind === 'signing-in') return icon('tray-signin', `enter code ${account.code.userCode}`);
  if (account.kind === 'signed-out') return icon('tray-signin', 'sign-in needed');
  if (proxy.kind === 'failed') return icon('tray-error', proxy.reason);
  if (proxy.kind === 'off') return icon('tray-off', 'proxy off');
  if (!health.ready) return icon('tray-error', health.problem?.text ?? 'not ready');
  if (health.running > 0) return icon('tray-busy', running(health.running));
  return icon('tray-on', `proxy on, ${address(proxy.baseUrl)}`);
}

/** Some desktops cut longer ones in the middle of a word. */
const tooltipLength = 63;

function icon(name: TrayIconName, text: string): { name: TrayIconName; tooltip: string } {
  const tooltip = `Jumpseat: ${text}`;
  return {
    name,
    tooltip: tooltip.length <= tooltipLength ? tooltip : `${tooltip.slice(0, tooltipLength - 1).trimEnd()}…`,
  };
}

export const running = (count: number): string => (count === 1 ? '1 request running' : `${count} requests running`);

export const address = (baseUrl: string): string => baseUrl.replace(/^https?:\/\//, '');

/**
 * The picture's file below resources/tray. macOS colours a template itself; Windows and Linux panels are dark more often than not.
 * @param dark whether the panel behind it is dark
 */
export function trayIconFile(name: TrayIconName, platform: NodeJS.Platform, dark: boolean): string {
  if (platform === 'darwin') return `${name}Template.png`;
  const colour = dark ? 'white' : 'black';
  return platform === 'win32' ? `${name}-${colour}.ico` : `${name}-${colour}-24.png`;
}
