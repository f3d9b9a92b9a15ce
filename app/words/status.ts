import type { Quota } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import type { AppState, Failing, Limit, Offline, StatusLine } from '../api/state.ts';
import { autoOnlyWords, outAmongSeveral, refusedSignIn } from './account.ts';
import { networkReason } from './failures.ts';
import { counted, creditAmount, creditsOf, grouped, premiumRequests, quotaAmount } from './numbers.ts';
import { usedUpLimits } from './own-limits.ts';
import { capital } from './text.ts';
import { day, dayAndTime, dayOfYear, hourAndMinute, timeLeft, weekdayAndTime } from './times.ts';

/** What the state of the app says: the banner of the window, and the parts that tray and banner share. */

export type StatusAction =
  | 'open-folder'
  | 'free-port'
  | 'retry'
  | 'copy-code'
  | 'sign-in'
  | 'open-github'
  | 'plans'
  | 'proxy-on'
  | 'billing'
  | 'usage'
  | 'storage'
  | 'account'
  | 'let-through'
  | 'allow-overage'
  | 'refuse-overage'
  | 'limits'
  | 'requests'
  | 'setup';

export interface Banner {
  tone: 'red' | 'amber' | 'neutral';
  /** The bold sentence. */
  title: string;
  text: string;
  actions: { action: StatusAction; label: string }[];
  /** How long a person can hide it; null for not at all. */
  dismissible: 'this-cycle' | 'this-run' | null;
  /** What a person hides; the state and the cycle where it is left out. */
  about?: string;
}

/** States in which Copilot would answer a prompt that is let through. */
const working: ReadonlySet<AppState['status']> = new Set(['low', 'no-keychain', 'busy', 'on']);

/** State as if no session waited: only the tray has words for that, and a window shouldn't change. */
export function withoutWaiting(state: AppState): AppState {
  return state.status === 'waiting' ? { ...state, status: state.sessions.otherwise } : state;
}

/** What may be said above a view, the most important first. One is shown: the first that wasn't hidden. */
export function banners(state: AppState, now: number): Banner[] {
  const limit = limitBanner(state);
  const first = banner(state, now);
  if (limit?.dismissible === null) return first === null ? [limit] : [limit, first];
  // One alone is shown: that of the quota names the limits that come after it.
  const isOfQuota = ['low', 'exhausted'].includes(withoutWaiting(state).status);
  const also = limit !== null && isOfQuota ? alsoUsedUp(usedUpLimits(state.ownLimits)) : '';
  return [first === null ? null : { ...first, text: `${first.text}${also}`.trim() }, limit].filter(
    (one) => one !== null,
  );
}

/** ` Also used up: Credits per day, model opus (18).` */
function alsoUsedUp(limits: readonly { name: string; most: number }[]): string {
  if (limits.length === 0) return '';
  return ` Also used up: ${limits.map(({ name, most }) => `${name} (${grouped(most)})`).join('; ')}.`;
}

/** Of a limit of the person's own that is used up: it stays until they have seen it, or it is over. */
function limitBanner(state: AppState): Banner | null {
  const all = working.has(withoutWaiting(state).status) ? usedUpLimits(state.ownLimits) : [];
  const [limit, ...others] = all;
  if (limit === undefined) return null;
  const { title, body, refusesAll } = limit;
  // Another limit that is used up is news.
  const about = all.map(({ name, most, month }) => `${name} ${most} ${month?.until ?? ''}`).join(', ');
  const open = [action('limits', 'Open limits')];
  return {
    ...(refusesAll ? red : amber)(`${title}.`, `${body}${alsoUsedUp(others)}`, open),
    dismissible: refusesAll ? null : 'this-cycle',
    about,
  };
}

/**
 * One banner at most, for the state that comes first. Prompts that wait for the person come before what can wait
 * itself.
 */
export function banner(given: AppState, now: number): Banner | null {
  const state = withoutWaiting(given);
  const { account, proxy, quota, health } = state;
  if (health.held.prompts > 0 && working.has(state.status)) {
    const { title, text } = heldWords(health, quota);
    const label = health.held.prompts === 1 ? 'Let it through' : 'Let them through';
    return amber(
      `${title}.`,
      text,
      health.overage === 'asks'
        ? [allowOverage, { ...refuseOverage, label: 'Not today' }]
        : [action('let-through', label)],
    );
  }
  if (health.failing !== null && working.has(state.status))
    return amber(`${failingWords(health.failing, now)}.`, failingRemedy, [action('requests', 'See requests')]);
  if (health.claudeCode !== null && working.has(state.status))
    return amber('Claude Code has the wrong key.', health.claudeCode.text, [action('setup', 'Show changes')]);
  switch (state.status) {
    case 'fatal': {
      const why = state.warnings.find(({ code }) => code === 'settings-unreadable');
      return red('Jumpseat can’t read its settings.', why?.text ?? '', [action('open-folder', 'Open folder')]);
    }
    case 'port': {
      if (proxy.kind !== 'failed') return null;
      if (isServedElsewhere(proxy))
        return { ...neutral(proxy.reason, proxy.remedy), actions: [action('retry', 'Try again')] };
      // Only a policy that can be read helps, which starts the proxy by itself.
      if (proxy.code === 'policy') return red(proxy.reason, proxy.remedy, []);
      const free = freePortHelps(proxy) ? [action('free-port', 'Use a free port')] : [];
      return red(proxy.reason, 'The proxy couldn’t start.', [...free, action('retry', 'Try again')]);
    }
    case 'signing-in':
      if (account.kind !== 'signing-in') return null;
      return {
        ...neutral(`Enter code ${account.code.userCode} on GitHub.`, ''),
        actions: [action('copy-code', 'Copy code and open GitHub')],
      };
    case 'account-unknown':
      if (health.problem === null) return null;
      return red('Nothing is sent: your account isn’t known.', `${health.problem.text} ${health.problem.remedy}`, [
        action('account', 'Open account settings'),
        action('open-folder', 'Open folder'),
      ]);
    case 'signed-out': {
      const signIn = [action('sign-in', 'Sign in')];
      const refused = refusedSignIn(account);
      if (refused !== null) return amber(`${refused}.`, 'It was revoked or has expired.', signIn);
      const several = outAmongSeveral(state.accounts);
      return several !== null && !(account.kind === 'signed-out' && account.why)
        ? amber(
            `The account “${several.name}” isn’t signed in.`,
            `Claude Code gets error 401 until you sign in${several.other === null ? '' : `, or use ${several.other.name}, which is signed in`}.`,
            [...signIn, ...(several.other === null ? [] : [action('account', 'Choose account')])],
          )
        : amber(
            'You’re signed out.',
            (account.kind === 'signed-out' && account.why?.text) || 'Claude Code gets error 401 until you sign in.',
            signIn,
          );
    }
    case 'no-access': {
      const notice = account.kind === 'signed-in' ? account.notice : null;
      if (notice === null) return null;
      const open = notice.url === null ? [] : [action('open-github', 'Open on GitHub')];
      return red(notice.title, notice.message, open);
    }
    case 'off':
      return {
        ...neutral('The proxy is off.', 'Claude Code can’t reach Copilot through Jumpseat.'),
        actions: [action('proxy-on', 'Turn proxy on')],
      };
    case 'no-window':
      if (health.problem === null) return null;
      return amber(health.problem.text, health.problem.remedy, [action('account', 'Open account settings')]);
    case 'auto-only': {
      const { title, text, remedy } = autoOnlyWords(account, state.admission);
      return red(`${title}.`, `${text} ${remedy}`, [action('plans', 'See plans')]);
    }
    case 'exhausted': {
      const reset = resetOf(quota);
      const until = reset === null ? '' : ` until ${dayAndTime(reset)}, or`;
      return red(
        `You’re out of ${unitOf(quota)}.`,
        `Copilot refuses requests${until} until you set or raise a GitHub budget.`,
        [action('billing', 'Open billing')],
      );
    }
    case 'limited': {
      if (health.limit === null) return null;
      return amber(
        `You’ve reached ${limitWords(health.limit.kind)}.`,
        `It resets ${weekdayAndTime(health.limit.until)}, in ${timeLeft(health.limit.until - now)}.`,
        [action('usage', 'See usage')],
      );
    }
    case 'offline': {
      const { offline } = health;
      if (offline === null) return null;
      const seconds = Math.ceil((offline.retryAt - now) / 1000);
      const next = seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again now.';
      return amber(
        'No connection to Copilot.',
        [
          `${offline.host ?? 'Copilot'} didn’t answer since ${hourAndMinute(offline.since)}.`,
          blockedWords(offline),
          next,
        ]
          .filter((part) => part !== null)
          .join(' '),
        [action('retry', 'Try again now')],
      );
    }
    case 'low': {
      if (isPastIncluded(quota)) {
        const { overage } = health;
        const allow = overage === null ? [] : [overage === 'allowed' ? refuseOverage : allowOverage];
        return {
          ...amber(`You’re past your included ${unitOf(quota)}.`, overageWords(overage), [
            ...allow,
            action('billing', 'Open billing'),
          ]),
          dismissible: overage === 'refused' ? null : 'this-cycle',
        };
      }
      return {
        ...amber(`${percentLeft(quota)}% of your ${unitOf(quota)} are left.`, leftOf(quota), [
          action('usage', 'See usage'),
        ]),
        dismissible: 'this-cycle',
      };
    }
    case 'no-keychain':
      return {
        ...amber('No keychain on this machine.', 'You stay signed in until you quit Jumpseat.', [
          action('storage', 'Choose storage…'),
        ]),
        dismissible: 'this-run',
      };
    case 'starting':
    case 'stopping':
    case 'waiting':
    case 'busy':
    case 'on':
      return null;
  }
}

/** Claude Code works, through the other Jumpseat of this folder. */
export function isServedElsewhere(proxy: AppState['proxy']): boolean {
  return proxy.kind === 'failed' && proxy.code === 'already-running';
}

/** `Proxy stopped` */
export function failedProxyWords(proxy: AppState['proxy']): string {
  return isServedElsewhere(proxy) ? 'Another Jumpseat is on' : 'Proxy stopped';
}

/** Whether the port alone keeps the proxy from starting: not a folder, nor another Jumpseat that owns it. */
export function freePortHelps(proxy: AppState['proxy']): boolean {
  return proxy.kind === 'failed' && (proxy.code === 'port-taken' || proxy.code === 'port-refused');
}

function action(name: StatusAction, label: string): Banner['actions'][number] {
  return { action: name, label };
}

function red(title: string, text: string, actions: Banner['actions']): Banner {
  return { tone: 'red', title, text, actions, dismissible: null };
}

function amber(title: string, text: string, actions: Banner['actions']): Banner {
  return { tone: 'amber', title, text, actions, dismissible: null };
}

function neutral(title: string, text: string): Banner {
  return { tone: 'neutral', title, text, actions: [], dismissible: null };
}

/** What banner and notification say of prompts that are held. */
export function heldWords(
  { held: { prompts, above }, overage }: Pick<AppState['health'], 'held' | 'overage'>,
  quota: Quota | null,
): { title: string; text: string } {
  return {
    title: prompts === 1 ? '1 prompt is waiting for you' : `${grouped(prompts)} prompts are waiting for you`,
    text:
      overage === 'asks'
        ? `${prompts === 1 ? 'It' : 'They'} would be billed to your GitHub budget: your included ${unitOf(quota)} are used up.`
        : `More than ${counted(above, 'request')} started within a minute.`,
  };
}

const allowOverage = action('allow-overage', 'Allow for today');
const refuseOverage = action('refuse-overage', 'No longer allow');

/** What becomes of the next prompt when nothing included is left. */
export function overageWords(overage: AppState['health']['overage']): string {
  switch (overage) {
    case 'asks':
      return 'Jumpseat asks before the next prompt is billed to your GitHub budget.';
    case 'refused':
      return 'Prompts are refused until midnight, because they would be billed to your GitHub budget.';
    case 'allowed':
      return 'Requests are billed to your GitHub budget, as you allowed until midnight.';
    case null:
      return 'Requests are billed to your GitHub budget.';
  }
}

/** `The last 6 requests failed (504 from Copilot)`, `Copilot limits requests until 21:31` */
export function failingWords({ count, why, until }: Failing, now: number): string {
  if (until !== null) return limitedUntil(until, now);
  return `The last ${counted(count, 'request')} failed (${why})`;
}

export function limitedUntil(until: number, now: number): string {
  return `Copilot limits requests until ${day(until) === day(now) ? hourAndMinute(until) : dayAndTime(until)}`;
}

/** What to do about it. The next request shows whether it is over: nothing is sent to find out. */
export const failingRemedy =
  'Requests are still sent, and may fail until it is over. githubstatus.com says whether Copilot has trouble.';

/** What stands between here and Copilot; null if that is not known. */
export function blockedWords({ code }: Pick<Offline, 'code'>): string | null {
  const isBetween = code === 'ERR_PAC' || code === 'ERR_PROXY_TUNNEL';
  const why = isBetween ? networkReason(code) : null;
  return why === null ? null : `${capital(why)}.`;
}

/** `Copilot’s weekly limit` */
export function limitWords(kind: Limit['kind']): string {
  switch (kind) {
    case 'weekly':
      return 'Copilot’s weekly limit';
    case 'session':
      return 'Copilot’s 5-hour limit';
    case 'account':
      return 'Copilot’s limit for your account';
  }
}

/** `credits`, `premium requests` */
export function unitOf(quota: Quota | null): string {
  return quota?.world === 'premium' ? 'premium requests' : 'credits';
}

/** When the quota starts anew, ms since the epoch. */
export function resetOf(quota: Quota | null): number | null {
  const at = quota?.resetsAt ? Date.parse(quota.resetsAt) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** `10`, for `10% of your credits are left`. Below one percent `0.8`: what is left isn't said to be nothing. */
export function percentLeft(quota: Quota | null): string {
  const left = Math.max(0, quota?.percentRemaining ?? 0);
  return left > 0 && left < 1 ? Math.max(0.1, left).toFixed(1) : String(Math.round(left));
}

/** The GitHub budget is in use: nothing included is left, and more is permitted. */
export function isPastIncluded(quota: Quota | null): boolean {
  return quota !== null && quota.overagePermitted === true && (quota.percentRemaining ?? 100) <= 0;
}

/** `2,002.13` */
export function amountLeft(quota: Quota): string | null {
  return quota.remaining === null ? null : quotaAmount(Math.max(0, quota.remaining), quota.world);
}

/** `698.40 of 7,000, until 1 Dec 2026, 01:00.` */
export function leftOf(quota: Quota | null): string {
  if (quota === null) return '';
  const left = amountLeft(quota);
  const reset = resetOf(quota);
  const parts = [
    left === null
      ? null
      : `${left}${quota.entitlement === null ? '' : ` of ${grouped(Math.floor(quota.entitlement))}`}`,
    reset === null ? null : `until ${dayAndTime(reset)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

/** What helps where the proxy is off, from a terminal: the tray app may run with its switch off. */
export const startProxy = 'Run "jumpseat serve", or turn the proxy on in the tray app.';

/** `2,002.13 credits left · resets 1 Dec`, on one line of a menu; null if there is nothing to say. */
export function quotaLine(quota: Quota | null): string | null {
  if (quota === null || quota.unlimited) return null;
  const left = amountLeft(quota);
  const amount =
    left === null ? `${percentLeft(quota)}% of your ${unitOf(quota)} left` : `${left} ${unitOf(quota)} left`;
  const reset = resetOf(quota);
  return reset === null ? amount : `${amount} · resets ${dayOfYear(reset)}`;
}

// Claude Code's status line.

/** A sum whose unknown parts can make it more. */
interface Sum {
  nanoAiu: number;
  premiumRequests: number;
  isPartlyUnknown: boolean;
}

/** The figures in words; null for each that isn’t known. */
export function statusLineWords(known: {
  problem: Problem | null;
  quota: Quota | null;
  conversation: Sum | null;
  today: Sum | null;
  /** Limits of Copilot's, in words. */
  limits: readonly string[];
}): StatusLine {
  const { problem, quota } = known;
  const [conversation, today] = [known.conversation, known.today].map((sum) => sumWords(sum, quota));
  return {
    problem: problem?.text ?? null,
    credits: conversation === undefined ? null : conversation && `${conversation.amount} ${conversation.unit}`,
    today: today === undefined ? null : today && `${today.amount} today`,
    left: quota === null ? null : leftWords(quota),
    limits: known.limits.length === 0 ? null : known.limits.join(', '),
  };
}

type Unit = 'credits' | 'premium requests';

/** Null where nothing of it is known: no figure is better than a wrong zero. */
function sumWords(sum: Sum | null, quota: Quota | null): { amount: string; unit: Unit } | null {
  if (sum === null) return null;
  const isPremium = quota?.world === 'premium' || (quota?.world !== 'credits' && sum.nanoAiu === 0);
  const amount = isPremium ? premiumRequests(sum.premiumRequests) : creditsOf(sum.nanoAiu);
  const isNone = isPremium ? sum.premiumRequests === 0 : sum.nanoAiu === 0;
  if (isNone && (sum.isPartlyUnknown || (quota?.world ?? 'unknown') === 'unknown')) return null;
  return {
    amount: sum.isPartlyUnknown ? `at least ${amount}` : amount,
    unit: isPremium ? 'premium requests' : 'credits',
  };
}

function leftWords(quota: Quota): string | null {
  if (quota.unlimited) return null;
  if (quota.remaining !== null) {
    const left = Math.max(0, quota.remaining);
    if (quota.world === 'credits') return `${creditAmount(left)} credits left`;
    return `${premiumRequests(left)} ${quota.world === 'premium' ? 'premium requests' : 'requests'} left`;
  }
  return quota.percentRemaining === null ? null : `${percentLeft(quota)}% left`;
}
