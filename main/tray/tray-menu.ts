import type { AppState } from '../../app/api/state.ts';
import { autoOnlyWords, nameInUse, outAmongSeveral, planName, refusedSignIn } from '../../app/words/account.ts';
import { sentAsWords } from '../../app/words/admission.ts';
import { creditAmount, grouped } from '../../app/words/numbers.ts';
import { usedUpLimit } from '../../app/words/own-limits.ts';
import {
  amountLeft,
  failingWords,
  freePortHelps,
  isPastIncluded,
  percentLeft,
  quotaLine,
  resetOf,
  unitOf,
  withoutWaiting,
} from '../../app/words/status.ts';
import { capital } from '../../app/words/text.ts';
import { dayOfYear, hourAndMinute } from '../../app/words/times.ts';
import { limitCountdowns } from '../../app/words/usage.ts';
import { runningOf, type SessionLine, sessionLines, waitingRows } from '../sessions/session-lines.ts';
import { clientEntries } from './copy-entries.ts';
import { entry, line, type TrayEntry, type TrayFacts } from './tray-entry.ts';
import { addressOf, runningWords } from './tray-icon.ts';

/** The menu of the tray icon, made from the state alone. */
export function trayMenu(given: AppState, facts: TrayFacts): TrayEntry[] {
  // Sessions that wait have lines of their own; the others stay as they are.
  const state = withoutWaiting(given);
  const ending: TrayEntry[] = [
    ...(facts.update === null ? [] : [entry('update', `Restart to update to ${facts.update}`)]),
    ...(facts.quits === null ? [] : [line('quits', capital(facts.quits)), entry('stay', 'Don’t quit')]),
    entry('quit', 'Quit Jumpseat'),
  ];
  if (state.status === 'fatal') {
    return [
      line('status', 'Jumpseat can’t read its settings'),
      'separator',
      entry('open-folder', 'Open folder'),
      entry('open', 'Open Jumpseat'),
      entry('quit', 'Quit Jumpseat'),
    ];
  }
  const window: TrayEntry[] = [
    'separator',
    entry('open', 'Open Jumpseat'),
    entry('settings', 'Settings…'),
    ...openAtLogin(facts),
    ...(facts.offersCommand ? [entry('install-command', 'Install the command “jumpseat”')] : []),
    'separator',
  ];
  const signedIn = state.account.kind === 'signed-in';
  if (state.status === 'signing-in' || (state.status === 'signed-out' && !signedIn)) {
    const lines = [line('account', namedAccount(state, facts.now)), ...ownAccounts(state)];
    // What clients reach is on or off all the same, and can be switched.
    const proxy = [line('status', proxyLine(state, facts.running)), ...lines];
    const remedies = [...otherAccount(state), ...signIn(state), ...proxySwitch(state, facts)];
    return [...proxy, 'separator', ...sessionEntries(facts), ...remedies, ...window, ...ending];
  }
  const isUsable = signedIn || state.reach.kind === 'through-vscode';
  return [
    ...(facts.figure === null ? [] : [line('figure', capital(facts.figure))]),
    ...statusLines(state, facts),
    'separator',
    ...sessionEntries(facts),
    ...actions(state, facts),
    ...(isUsable ? clientEntries(facts) : signIn(state)),
    ...window,
    ...(signedIn ? [entry('sign-out', 'Sign out…')] : []),
    ...ending,
  ];
}

function openAtLogin({ openAtLogin: checked }: TrayFacts): TrayEntry[] {
  return checked === null ? [] : [{ ...entry('open-at-login', 'Open at login'), checked }];
}

/** Whether the sign-in lasts until the end of the process: there is no keychain, or a person chose memory. */
function isUntilQuit({ status, secrets }: AppState): boolean {
  return status === 'no-keychain' || ((status === 'on' || status === 'busy') && secrets.storage === 'memory');
}

/** Through VS Code no account of Jumpseat is used, so none is shown. */
function vscodeLines(state: AppState, facts: TrayFacts): TrayEntry[] {
  const { status, health } = state;
  return [
    line('status', proxyLine(state, facts.running)),
    { ...entry('settings', 'Sent through VS Code, always counted as user'), id: 'sent-as' },
    ...(status === 'no-window' && health.problem !== null ? [line('window', health.problem.text)] : []),
  ];
}

function statusLines(state: AppState, facts: TrayFacts): TrayEntry[] {
  if (state.reach.kind === 'through-vscode') return vscodeLines(state, facts);
  const third = thirdLine(state);
  const limit = usedUpLimit(state.ownLimits);
  const sent = state.account.kind === 'signed-in' ? sentAsWords(state.admission) : null;
  const experimental = state.admission.way === 'copilot-sdk' ? ', experimental' : '';
  return [
    line('status', proxyLine(state, facts.running)),
    line('account', namedAccount(state, facts.now)),
    ...ownAccounts(state),
    ...(sent === null ? [] : [{ ...entry('way', `Sent as ${sent}${experimental}`), id: 'sent-as' }]),
    ...(third === null ? [] : [line('quota', third)]),
    ...(limit?.stops
      ? [line('own-limit', limit.refusesAll ? `${limit.title}: prompts are refused` : limit.title)]
      : []),
    ...limitCountdowns({ ...state, ...state.health }, facts.now).map((words, at) => line(`limit-${at}`, words)),
    ...(state.health.failing === null ? [] : [line('failing', failingWords(state.health.failing, facts.now))]),
    ...(isUntilQuit(state) ? [line('storage', 'Signed in until you quit')] : []),
  ];
}

/** The account in use among several; nothing if there is one. */
function ownAccounts({ accounts }: AppState): TrayEntry[] {
  if (accounts.length < 2) return [];
  const items = accounts.map(({ id, name, isInUse, state }): TrayEntry => {
    const label = state.kind === 'signed-out' ? `${name} (signed out)` : name;
    return { id: `account-${id}`, label, action: `use-account-${id}`, checked: isInUse };
  });
  return [{ id: 'accounts', label: 'Account in use', items }];
}

/** One click if the account in use isn't signed in, and another is. */
function otherAccount({ account, accounts }: AppState): TrayEntry[] {
  const other = account.kind === 'signed-out' ? outAmongSeveral(accounts)?.other : null;
  if (!other) return [];
  return [{ id: 'use-other', label: `Use ${other.name}, which is signed in`, action: `use-account-${other.id}` }];
}

function namedAccount(state: AppState, now: number): string {
  const name = nameInUse(state.accounts);
  const is = accountLine(state, now);
  if (name === null) return is;
  return state.account.kind === 'signed-out' ? `${name} isn’t signed in` : `${name}: ${is}`;
}

function accountLine({ account }: AppState, now: number): string {
  switch (account.kind) {
    case 'signed-out':
      return 'Signed out';
    case 'signing-in': {
      const minutes = Math.max(0, Math.ceil((account.code.expiresAt - now) / 60_000));
      return `Code ${account.code.userCode} · ${minutes} min left`;
    }
    case 'signed-in': {
      const refused = refusedSignIn(account);
      if (refused !== null) return refused;
      const parts = [account.login, planName(account.plan, account.sku)].filter((part) => part !== null);
      return parts.length === 0 ? 'Signed in' : parts.join(' · ');
    }
  }
}

function proxyLine({ status, proxy }: AppState, running: number): string {
  if (proxy.kind === 'failed') return `Proxy stopped · ${why(proxy)}`;
  if (proxy.kind === 'starting') return 'Starting…';
  if (proxy.kind === 'stopping') return 'Stopping…';
  const first = proxy.kind === 'on' ? 'Proxy on' : 'Proxy off';
  if (status === 'account-unknown') return `${first} · nothing is sent`;
  if (status === 'no-access') return `${first} · no access to Copilot`;
  if (status === 'no-window') return `${first} · no window of VS Code`;
  if (proxy.kind === 'off') return first;
  if (status === 'offline') return `${first} · no connection to Copilot`;
  return `${first} · ${running > 0 ? runningWords(running) : addressOf(proxy.baseUrl)}`;
}

function why({ code, port }: Extract<AppState['proxy'], { kind: 'failed' }>): string {
  switch (code) {
    case 'port-taken':
      return `port ${port} in use`;
    case 'port-refused':
      return `port ${port} can’t be used`;
    case 'already-running':
      return 'Jumpseat runs elsewhere';
    case 'not-answering':
      return 'another Jumpseat doesn’t answer';
    case 'home-unusable':
      return 'its folder can’t be written';
    case 'stopped':
      return 'it was switched off';
    case 'policy':
      return 'your organization’s policy can’t be used';
  }
}

function thirdLine({ status, account, admission, quota }: AppState): string | null {
  switch (status) {
    case 'account-unknown':
      return 'It isn’t known which account to use';
    case 'no-access':
      return account.kind === 'signed-in' ? (account.notice?.title ?? null) : null;
    case 'auto-only':
      return autoOnlyWords(account, admission).title;
    case 'exhausted': {
      const reset = resetOf(quota);
      return `Out of ${unitOf(quota)}${reset === null ? '' : ` until ${dayOfYear(reset)}, ${hourAndMinute(reset)}`}`;
    }
    case 'low': {
      if (quota === null) return null;
      if (isPastIncluded(quota)) {
        const used = quota.overageUsed === null ? '' : ` · +${creditAmount(quota.overageUsed)} on your GitHub budget`;
        return `0 included ${unitOf(quota)} left${used}`;
      }
      const left = amountLeft(quota);
      if (left === null) return quotaLine(quota);
      const of = quota.entitlement === null ? '' : ` of ${grouped(Math.floor(quota.entitlement))}`;
      return `${left}${of} ${unitOf(quota)} left (${percentLeft(quota)}%)`;
    }
    case 'offline':
    case 'no-keychain':
    case 'busy':
    case 'on':
      return quotaLine(quota);
    default:
      return null;
  }
}

/** The switch, and before it what helps in this state. */
function actions(state: AppState, facts: TrayFacts): TrayEntry[] {
  const { proxy } = state;
  switch (proxy.kind) {
    case 'starting':
      return [line('toggle', 'Starting…')];
    case 'stopping':
      return [line('toggle', 'Stopping…')];
    case 'failed': {
      // Once it can be used, the proxy starts by itself.
      if (proxy.code === 'policy') return [];
      const again = proxy.code === 'home-unusable' || proxy.port === 0 ? 'Try again' : `Try port ${proxy.port} again`;
      const retry: TrayEntry = { id: 'retry', label: again, action: 'retry-port' };
      return freePortHelps(proxy) ? [retry, entry('free-port', 'Use a free port')] : [retry];
    }
    case 'on':
    case 'off':
      return [...help(state), ...proxySwitch(state, facts)];
  }
}

/** Nothing while it is between both. */
function proxySwitch({ proxy: { kind } }: AppState, { turnsOff }: TrayFacts): TrayEntry[] {
  if (kind === 'on' && turnsOff !== null)
    return [line('turns-off', capital(turnsOff)), entry('stay-on', 'Don’t turn it off')];
  if (kind === 'on') return [{ id: 'toggle', label: 'Turn proxy off', action: 'proxy-off' }];
  return kind === 'off' ? [{ id: 'toggle', label: 'Turn proxy on', action: 'proxy-on' }] : [];
}

function help({ status, account, quota, health: { overage } }: AppState): TrayEntry[] {
  const usage = entry('usage', 'See usage');
  const billing = entry('billing', 'Open billing on GitHub');
  switch (status) {
    case 'signed-out':
      return [entry('sign-in', 'Sign in to GitHub…')];
    case 'account-unknown':
      return [{ ...entry('way', 'Choose the account…'), id: 'choose-account' }, entry('open-folder', 'Open folder')];
    case 'no-access':
      return account.kind === 'signed-in' && account.notice?.url ? [entry('open-github', 'Open on GitHub')] : [];
    case 'auto-only':
      return [entry('plans', 'See plans on GitHub')];
    case 'low':
      if (!isPastIncluded(quota)) return [usage];
      if (overage === null) return [billing];
      if (overage === 'allowed') return [entry('refuse-overage', 'No longer allow paid overage'), billing];
      return [entry('allow-overage', 'Allow paid overage for today'), billing];
    case 'limited':
      return [usage];
    case 'exhausted':
      return [billing];
    case 'offline':
      return [entry('retry', 'Try again now')];
    default:
      return [];
  }
}

function signIn({ account }: AppState): TrayEntry[] {
  if (account.kind !== 'signing-in') return [entry('sign-in', 'Sign in to GitHub…')];
  return [entry('copy-code', 'Copy code and open GitHub'), entry('cancel-sign-in', 'Cancel sign-in')];
}

/** Waiting sessions, and below `Sessions` all that need attention; nothing if there are none. */
function sessionEntries({ sessions: all, titlesOutside, now }: TrayFacts): TrayEntry[] {
  const lines = sessionLines(all, titlesOutside, now);
  if (lines.length === 0) return [];
  const opening = (kind: 'session' | 'waiting') => {
    return ({ id, label }: SessionLine): TrayEntry => ({ id: `${kind}-${id}`, label, action: `session-open-${id}` });
  };
  const stop: TrayEntry[] =
    runningOf(all).length === 0 ? [] : ['separator', entry('sessions-stop', 'Stop all running…')];
  const items = [entry('session-new', 'New session…'), 'separator' as const, ...lines.map(opening('session')), ...stop];
  return [
    ...waitingRows(all, titlesOutside).map(opening('waiting')),
    { id: 'sessions', label: 'Sessions', items },
    'separator',
  ];
}
