import type { AppState, Failing } from '../../app/api/state.ts';
import { outAmongSeveral, refusedSignIn } from '../../app/words/account.ts';
import { grouped } from '../../app/words/numbers.ts';
import { usedUpLimit } from '../../app/words/own-limits.ts';
import { waitingWords } from '../../app/words/session-questions.ts';
import { amountLeft, failingWords, isPastIncluded, limitWords, unitOf } from '../../app/words/status.ts';
import { shortened } from '../../app/words/text.ts';

export type TrayIconName =
  | 'tray-on'
  | 'tray-busy'
  | 'tray-waiting'
  | 'tray-warning'
  | 'tray-off'
  | 'tray-signin'
  | 'tray-error';

/**
 * What the icon shows: seat down when a request would work now, folded up with the reason above it when not.
 * @param running requests to show as running; what is over in a moment is not shown
 * @param quits what the end waits for: said first, the picture stays
 * @param figure what the person has pinned
 */
export function trayIcon(
  state: AppState,
  running: number,
  quits: string | null = null,
  figure: string | null = null,
): { name: TrayIconName; tooltip: string } {
  const shown = stateIcon(state, running);
  if (quits !== null) return icon(shown.name, quits);
  if (figure === null) return shown;
  return { ...shown, tooltip: shortened(`${shown.tooltip} · ${figure}`, tooltipLength) };
}

function stateIcon(state: AppState, running: number): { name: TrayIconName; tooltip: string } {
  const { account, proxy, health, quota } = state;
  const limit = usedUpLimit(state.ownLimits);
  const refusing =
    limit?.refusesAll === true
      ? icon('tray-error', `${limit.title.replace(/^Your/, 'your')}; prompts are refused`)
      : null;
  switch (state.status) {
    case 'fatal':
      return icon('tray-error', 'can’t read its settings');
    case 'port':
      return icon('tray-error', proxy.kind === 'failed' ? stopped(proxy) : 'the proxy stopped');
    case 'signing-in':
      return icon(
        'tray-signin',
        account.kind === 'signing-in' ? `enter code ${account.code.userCode}` : 'sign-in needed',
      );
    case 'account-unknown':
      return icon('tray-error', 'your account isn’t known');
    case 'signed-out':
      return icon('tray-signin', refusedSignIn(account) ?? signInNeeded(state));
    case 'no-access':
      return icon(
        'tray-error',
        account.kind === 'signed-in' && account.notice !== null ? account.notice.title : 'no access to Copilot',
      );
    case 'starting':
      return icon('tray-off', 'proxy starting');
    case 'stopping':
      return icon('tray-off', 'proxy stopping');
    case 'off':
      return icon('tray-off', 'proxy off');
    case 'no-window':
      return icon('tray-error', 'no window of VS Code serves');
    case 'auto-only':
      return icon('tray-error', 'your plan has no model to choose');
    case 'exhausted':
      return icon('tray-error', `out of ${unitOf(quota)}`);
    case 'limited':
      return icon('tray-error', `${limitWords(health.limit?.kind ?? 'account')} reached`);
    case 'offline':
      return icon('tray-error', 'no connection to Copilot');
    case 'waiting':
      return icon('tray-waiting', waitingWords(state.sessions.waiting));
    case 'low':
      if (refusing !== null) return refusing;
      if (health.failing !== null) return icon('tray-warning', failingTip(health.failing));
      return icon('tray-warning', isPastIncluded(quota) ? `past your included ${unitOf(quota)}` : left(state));
    case 'no-keychain':
    case 'busy':
    case 'on':
      if (refusing !== null) return refusing;
      if (health.failing !== null) return icon('tray-warning', failingTip(health.failing));
      if (running > 0) return icon('tray-busy', runningWords(running));
      return icon('tray-on', proxy.kind === 'on' ? `proxy on, ${addressOf(proxy.baseUrl)}` : 'proxy on');
  }
}

const failingTip = (failing: Failing): string =>
  failingWords(failing, Date.now()).replace(/^The/, 'the').replace(' from Copilot', '');

function signInNeeded({ accounts }: AppState): string {
  const several = outAmongSeveral(accounts);
  return several === null ? 'sign-in needed' : `${several.name} isn’t signed in`;
}

/** Some desktops cut longer tooltips in the middle of a word. */
const tooltipLength = 63;

function icon(name: TrayIconName, text: string): { name: TrayIconName; tooltip: string } {
  const tooltip = `Jumpseat: ${text}`;
  return {
    name,
    tooltip: shortened(tooltip, tooltipLength),
  };
}

function stopped({ code, port }: Extract<AppState['proxy'], { kind: 'failed' }>): string {
  switch (code) {
    case 'port-taken':
      return `port ${port} is in use`;
    case 'port-refused':
      return `port ${port} can’t be used`;
    case 'already-running':
      return 'already running elsewhere';
    case 'not-answering':
      return 'another Jumpseat doesn’t answer';
    case 'home-unusable':
      return 'its folder can’t be written';
    case 'stopped':
      return 'the proxy stopped';
    case 'policy':
      return 'your organization’s policy can’t be used';
  }
}

function left({ quota }: AppState): string {
  const amount = quota === null ? null : amountLeft(quota);
  if (quota === null || amount === null) return `few ${unitOf(quota)} left`;
  const of = quota.entitlement === null ? '' : ` of ${grouped(Math.floor(quota.entitlement))}`;
  return `${amount}${of} ${unitOf(quota)} left`;
}

export const runningWords = (count: number): string =>
  count === 1 ? '1 request running' : `${count} requests running`;

export const addressOf = (baseUrl: string): string => baseUrl.replace(/^https?:\/\//, '');

/**
 * The picture's file below resources/tray; where the panel is drawn twice as fine, `fine` is the picture of twice the
 * size. macOS colours a template itself and finds the `@2x` file by its name; an ICO holds its sizes.
 * @param dark whether the panel behind it is dark
 */
export function trayIconFiles(
  name: TrayIconName,
  platform: NodeJS.Platform,
  dark: boolean,
): { file: string; fine: string | null } {
  if (platform === 'darwin') return { file: `${name}Template.png`, fine: null };
  const colour = dark ? 'white' : 'black';
  if (platform === 'win32') return { file: `${name}-${colour}.ico`, fine: null };
  return { file: `${name}-${colour}-24.png`, fine: `${name}-${colour}-48.png` };
}
