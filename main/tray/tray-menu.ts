import type { Quota } from '../../app/api/account.ts';
import type { AppState } from '../../app/api/state.ts';
import { inShownLanguage } from '../../app/language/remembered.ts';
import { t } from '../../app/language/translate.ts';
import {
  autoOnlyWords,
  nameInUse,
  outAmongSeveral,
  planName,
  refusedSignIn,
  sentAsWords,
} from '../../app/words/account.ts';
import { creditAmount, grouped } from '../../app/words/numbers.ts';
import { refusedUntil, usedUpLimit } from '../../app/words/own-limits.ts';
import { quits, turnsOff } from '../../app/words/quit.ts';
import { amountLeft, isPastIncluded, percentLeft, quotaLine, resetOf, unitName } from '../../app/words/quota.ts';
import { failingWords, freePortHelps, withoutWaiting } from '../../app/words/status.ts';
import { capital } from '../../app/words/text.ts';
import { dayOfYearAndTime } from '../../app/words/times.ts';
import { limitCountdowns } from '../../app/words/usage.ts';
import { resumableLines, runningOf, type SessionLine, sessionLines, waitingRows } from '../sessions/session-lines.ts';
import { clientEntries, entry, line, type TrayEntry, type TrayFacts } from './tray-entry.ts';
import { addressOf } from './tray-icon.ts';

/** The menu of the tray icon, made from the state alone. */
export function trayMenu(given: AppState, facts: TrayFacts): TrayEntry[] {
  // Sessions that wait have lines of their own; the others stay as they are.
  const state = withoutWaiting(given);
  const ending: TrayEntry[] = [
    ...(facts.update === null ? [] : [entry('update', t('Restart to update to {version}', { version: facts.update }))]),
    ...(facts.quits === null ? [] : [line('quits', quits(facts.quits, 'line')), entry('stay', t('Don’t quit'))]),
    entry('quit', t('Quit Jumpseat')),
  ];
  if (state.status === 'fatal') {
    return [
      line('status', t('Jumpseat can’t read its settings')),
      'separator',
      entry('open-folder', t('Open folder')),
      entry('open', t('Open Jumpseat')),
      entry('quit', t('Quit Jumpseat')),
    ];
  }
  const window: TrayEntry[] = [
    'separator',
    entry('open', t('Open Jumpseat')),
    entry('settings', t('Settings…')),
    ...openAtLogin(facts),
    ...(facts.offersCommand ? [entry('install-command', t('Install the command “jumpseat”'))] : []),
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
    ...(signedIn ? [entry('sign-out', t('Sign out…'))] : []),
    ...ending,
  ];
}

function openAtLogin({ openAtLogin: checked }: TrayFacts): TrayEntry[] {
  return checked === null ? [] : [{ ...entry('open-at-login', t('Open at login')), checked }];
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
    { ...entry('settings', t('Sent through VS Code, always counted as user')), id: 'sent-as' },
    ...(status === 'no-window' && health.problem !== null
      ? [line('window', inShownLanguage(health.problem.text))]
      : []),
  ];
}

function statusLines(state: AppState, facts: TrayFacts): TrayEntry[] {
  if (state.reach.kind === 'through-vscode') return vscodeLines(state, facts);
  const third = thirdLine(state);
  const limit = usedUpLimit(state.ownLimits);
  const sent = state.account.kind === 'signed-in' ? sentAsWords(state.admission) : null;
  return [
    line('status', proxyLine(state, facts.running)),
    line('account', namedAccount(state, facts.now)),
    ...ownAccounts(state),
    ...(sent === null ? [] : [{ ...entry('way', sentAsLine(sent, state.admission)), id: 'sent-as' }]),
    ...(third === null ? [] : [line('quota', third)]),
    ...(limit?.stops ? [line('own-limit', limit.refusesAll ? refusedUntil(limit) : limit.title)] : []),
    ...limitCountdowns({ ...state, ...state.health }, facts.now).map((words, at) => line(`limit-${at}`, words)),
    ...(state.health.failing === null ? [] : [line('failing', failingWords(state.health.failing, facts.now))]),
    ...(isUntilQuit(state) ? [line('storage', t('Signed in until you quit'))] : []),
  ];
}

function sentAsLine(sent: string, { way }: AppState['admission']): string {
  return way === 'copilot-sdk' ? t('Sent as {sent}, experimental', { sent }) : t('Sent as {sent}', { sent });
}

/** The account in use among several; nothing if there is one. */
function ownAccounts({ accounts }: AppState): TrayEntry[] {
  if (accounts.length < 2) return [];
  const items = accounts.map(({ id, name, isInUse, state }): TrayEntry => {
    const label = state.kind === 'signed-out' ? t('{name} (signed out)', { name }) : name;
    return { id: `account-${id}`, label, action: `use-account-${id}`, checked: isInUse };
  });
  return [{ id: 'accounts', label: t('Account in use'), items }];
}

/** One click if the account in use isn't signed in, and another is. */
function otherAccount({ account, accounts }: AppState): TrayEntry[] {
  const other = account.kind === 'signed-out' ? outAmongSeveral(accounts)?.other : null;
  if (!other) return [];
  const label = t('Use {name}, which is signed in', { name: other.name });
  return [{ id: 'use-other', label, action: `use-account-${other.id}` }];
}

function namedAccount(state: AppState, now: number): string {
  const name = nameInUse(state.accounts);
  const is = accountLine(state, now);
  if (name === null) return is;
  return state.account.kind === 'signed-out'
    ? t('{name} isn’t signed in', { name })
    : t('{name}: {words}', { name, words: is });
}

function accountLine({ account }: AppState, now: number): string {
  switch (account.kind) {
    case 'signed-out':
      return t('Signed out');
    case 'signing-in': {
      const minutes = Math.max(0, Math.ceil((account.code.expiresAt - now) / 60_000));
      return t('Code {code} · {minutes} min left', { code: account.code.userCode, minutes });
    }
    case 'signed-in': {
      const refused = refusedSignIn(account);
      if (refused !== null) return refused;
      const parts = [account.login, planName(account.plan, account.sku)].filter((part) => part !== null);
      return parts.length === 0 ? t('Signed in') : parts.join(' · ');
    }
  }
}

function proxyLine({ status, proxy }: AppState, running: number): string {
  if (proxy.kind === 'failed') return stoppedLine(proxy);
  if (proxy.kind === 'starting') return t('Starting…');
  if (proxy.kind === 'stopping') return t('Stopping…');
  const { kind } = proxy;
  if (status === 'account-unknown')
    return t('{kind, select, on {Proxy on} other {Proxy off}} · nothing is sent', { kind });
  if (status === 'no-access')
    return t('{kind, select, on {Proxy on} other {Proxy off}} · no access to Copilot', { kind });
  if (status === 'no-window')
    return t('{kind, select, on {Proxy on} other {Proxy off}} · no window of VS Code', { kind });
  if (proxy.kind === 'off') return t('Proxy off');
  if (status === 'offline') return t('Proxy on · no connection to Copilot');
  return running > 0
    ? t('Proxy on · {running, plural, one {# request} other {# requests}} running', { running })
    : t('Proxy on · {address}', { address: addressOf(proxy.baseUrl) });
}

function stoppedLine({ code, port }: Extract<AppState['proxy'], { kind: 'failed' }>): string {
  switch (code) {
    case 'port-taken':
      return t('Proxy stopped · port {port} in use', { port: String(port) });
    case 'port-refused':
      return t('Proxy stopped · port {port} can’t be used', { port: String(port) });
    case 'already-running':
      return t('Proxy stopped · Jumpseat runs elsewhere');
    case 'not-answering':
      return t('Proxy stopped · another Jumpseat doesn’t answer');
    case 'home-unusable':
      return t('Proxy stopped · its folder can’t be written');
    case 'disk-full':
      return t('Proxy stopped · the disk is full');
    case 'stopped':
      return t('Proxy stopped · it was switched off');
    case 'policy':
      return t('Proxy stopped · your organization’s policy can’t be used');
  }
}

function thirdLine({ status, account, admission, quota }: AppState): string | null {
  const unit = unitName(quota);
  switch (status) {
    case 'account-unknown':
      return t('It isn’t known which account to use');
    case 'no-access':
      return account.kind === 'signed-in' && account.notice !== null ? inShownLanguage(account.notice.title) : null;
    case 'auto-only':
      return autoOnlyWords(account, admission).title;
    case 'exhausted': {
      const reset = resetOf(quota);
      return reset === null
        ? t('Out of {unit, select, premium {premium requests} other {credits}}', { unit })
        : t('Out of {unit, select, premium {premium requests} other {credits}} until {time}', {
            unit,
            time: dayOfYearAndTime(reset),
          });
    }
    case 'low': {
      if (quota === null) return null;
      if (isPastIncluded(quota)) return pastIncluded(quota);
      const left = amountLeft(quota);
      if (left === null) return quotaLine(quota);
      const percent = percentLeft(quota);
      return quota.entitlement === null
        ? t('{left} {unit, select, premium {premium requests} other {credits}} left ({percent})', {
            left,
            unit,
            percent,
          })
        : t('{left} of {all} {unit, select, premium {premium requests} other {credits}} left ({percent})', {
            left,
            all: grouped(Math.floor(quota.entitlement)),
            unit,
            percent,
          });
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

function pastIncluded(quota: Quota): string {
  const unit = unitName(quota);
  return quota.overageUsed === null
    ? t('0 included {unit, select, premium {premium requests} other {credits}} left', { unit })
    : t('0 included {unit, select, premium {premium requests} other {credits}} left · +{used} on your GitHub budget', {
        unit,
        used: creditAmount(quota.overageUsed),
      });
}

/** The switch, and before it what helps in this state. */
function actions(state: AppState, facts: TrayFacts): TrayEntry[] {
  const { proxy } = state;
  switch (proxy.kind) {
    case 'starting':
      return [line('toggle', t('Starting…'))];
    case 'stopping':
      return [line('toggle', t('Stopping…'))];
    case 'failed': {
      // Once it can be used, the proxy starts by itself.
      if (proxy.code === 'policy') return [];
      const isPortKnown = proxy.code !== 'home-unusable' && proxy.code !== 'disk-full' && proxy.port !== 0;
      const again = isPortKnown ? t('Try port {port} again', { port: String(proxy.port) }) : t('Try again');
      const retry: TrayEntry = { id: 'retry', label: again, action: 'retry-port' };
      return freePortHelps(proxy) ? [retry, entry('free-port', t('Use a free port'))] : [retry];
    }
    case 'on':
    case 'off':
      return [...help(state), ...proxySwitch(state, facts)];
  }
}

/** Nothing while it is between both. */
function proxySwitch({ proxy: { kind } }: AppState, { turnsOff: work }: TrayFacts): TrayEntry[] {
  if (kind === 'on' && work !== null)
    return [line('turns-off', turnsOff(work, 'line')), entry('stay-on', t('Don’t turn it off'))];
  if (kind === 'on') return [{ id: 'toggle', label: t('Turn proxy off'), action: 'proxy-off' }];
  return kind === 'off' ? [{ id: 'toggle', label: t('Turn proxy on'), action: 'proxy-on' }] : [];
}

function help({ status, account, quota, health: { overage } }: AppState): TrayEntry[] {
  const usage = entry('usage', t('See usage'));
  const billing = entry('billing', t('Open billing on GitHub'));
  switch (status) {
    case 'signed-out':
      return [entry('sign-in', t('Sign in to GitHub…'))];
    case 'account-unknown':
      return [
        { ...entry('way', t('Choose the account…')), id: 'choose-account' },
        entry('open-folder', t('Open folder')),
      ];
    case 'no-access':
      return account.kind === 'signed-in' && account.notice?.url ? [entry('open-github', t('Open on GitHub'))] : [];
    case 'auto-only':
      return [entry('plans', t('See plans on GitHub'))];
    case 'low':
      if (!isPastIncluded(quota)) return [usage];
      if (overage === null) return [billing];
      if (overage === 'allowed') return [entry('refuse-overage', t('No longer allow paid overage')), billing];
      return [entry('allow-overage', t('Allow paid overage for today')), billing];
    case 'limited':
      return [usage];
    case 'exhausted':
      return [billing];
    case 'offline':
      return [entry('retry', t('Try again now'))];
    default:
      return [];
  }
}

function signIn({ account }: AppState): TrayEntry[] {
  if (account.kind !== 'signing-in') return [entry('sign-in', t('Sign in to GitHub…'))];
  return [entry('copy-code', t('Copy code and open GitHub')), entry('cancel-sign-in', t('Cancel sign-in'))];
}

/** Waiting sessions, and below `Sessions` all others that need attention; nothing if there are none. */
function sessionEntries(facts: TrayFacts): TrayEntry[] {
  const waiting = waitingRows(facts);
  const lines = sessionLines(facts);
  if (waiting.length + lines.length === 0) return [];
  const opening = (kind: 'session' | 'waiting') => {
    return ({ id, label }: SessionLine): TrayEntry => ({ id: `${kind}-${id}`, label, action: `session-open-${id}` });
  };
  const copying = resumableLines(facts).map(({ id, label }): TrayEntry => {
    return { id: `line-${id}`, label, action: `session-line-${id}` };
  });
  const copy: TrayEntry[] =
    copying.length === 0 ? [] : [{ id: 'session-line', label: t('Copy the line for a terminal'), items: copying }];
  const stop: TrayEntry[] =
    runningOf(facts.sessions).length === 0 ? [] : [entry('sessions-stop', t('Stop all running…'))];
  const items = [[entry('session-new', t('New session…'))], lines.map(opening('session')), [...copy, ...stop]]
    .filter((part) => part.length > 0)
    .flatMap((part, at): TrayEntry[] => (at === 0 ? part : ['separator', ...part]));
  return [...waiting.map(opening('waiting')), { id: 'sessions', label: t('Sessions'), items }, 'separator'];
}
