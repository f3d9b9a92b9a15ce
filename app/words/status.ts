import type { Quota } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import type { AppState, Failing, Limit, Offline, StatusLine } from '../api/state.ts';
import { msg } from '../language/messages.ts';
import { asSentence, sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { autoOnlyWords, outAmongSeveral, refusedSignIn } from './account.ts';
import { networkReason } from './failures.ts';
import { creditsOf, grouped, premiumRequests } from './numbers.ts';
import { settingsOfLimit, usedUpLimits } from './own-limits.ts';
import { amountLeftWords, isPastIncluded, leftOf, percentLeft, resetOf, unitName } from './quota.ts';
import { day, dayAndTime, hourAndMinute, timeLeft, timeOrDay, weekdayAndTime } from './times.ts';

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
  | 'rules'
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
  return [first === null ? null : { ...first, text: sentences(first.text, also) }, limit].filter((one) => one !== null);
}

/** `Also used up: Credits per day, models containing opus (18).` */
function alsoUsedUp(limits: readonly { name: string; most: number }[]): string {
  if (limits.length === 0) return '';
  const names = limits.map(({ name, most }) => `${name} (${grouped(most)})`).join('; ');
  return t('Also used up: {names}.', { names });
}

/** Of a limit of the person's own that is used up: it stays until they have seen it, or it is over. */
function limitBanner(state: AppState): Banner | null {
  const all = working.has(withoutWaiting(state).status) ? usedUpLimits(state.ownLimits) : [];
  const [limit, ...others] = all;
  if (limit === undefined) return null;
  const { title, body, refusesAll } = limit;
  // Another limit that is used up is news.
  const about = all.map(({ name, most, month }) => `${name} ${most} ${month?.until ?? ''}`).join(', ');
  const open = [
    settingsOfLimit(limit) === 'rules' ? action('rules', t('Open rules')) : action('limits', t('Open limits')),
  ];
  return {
    ...(refusesAll ? red : amber)(asSentence(title), sentences(body, alsoUsedUp(others)), open),
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
    const label = health.held.prompts === 1 ? t('Let it through') : t('Let them through');
    return amber(
      asSentence(title),
      text,
      health.overage === 'asks'
        ? [allowOverage(), action('refuse-overage', t('Not today'))]
        : [action('let-through', label)],
    );
  }
  if (health.failing !== null && working.has(state.status))
    return amber(asSentence(failingWords(health.failing, now)), translated(failingRemedy), [
      action('requests', t('See requests')),
    ]);
  if (health.claudeCode !== null && working.has(state.status))
    return amber(t('Claude Code has the wrong key.'), health.claudeCode.text, [action('setup', t('Show changes'))]);
  switch (state.status) {
    case 'fatal': {
      const why = state.warnings.find(({ code }) => code === 'settings-unreadable');
      return red(t('Jumpseat can’t read its settings.'), why?.text ?? '', [action('open-folder', t('Open folder'))]);
    }
    case 'port': {
      if (proxy.kind !== 'failed') return null;
      if (isServedElsewhere(proxy))
        return { ...neutral(proxy.reason, proxy.remedy), actions: [action('retry', t('Try again'))] };
      // Only a policy that can be read helps, which starts the proxy by itself.
      if (proxy.code === 'policy') return red(proxy.reason, proxy.remedy, []);
      const free = freePortHelps(proxy) ? [action('free-port', t('Use a free port'))] : [];
      return red(proxy.reason, t('The proxy couldn’t start.'), [...free, action('retry', t('Try again'))]);
    }
    case 'signing-in':
      if (account.kind !== 'signing-in') return null;
      return {
        ...neutral(t('Enter code {userCode} on GitHub.', { userCode: account.code.userCode }), ''),
        actions: [action('copy-code', t('Copy code and open GitHub'))],
      };
    case 'account-unknown':
      if (health.problem === null) return null;
      return red(
        t('Nothing is sent: your account isn’t known.'),
        sentences(health.problem.text, health.problem.remedy),
        [action('account', t('Open account settings')), action('open-folder', t('Open folder'))],
      );
    case 'signed-out': {
      const signIn = [action('sign-in', t('Sign in'))];
      const refused = refusedSignIn(account);
      if (refused !== null) return amber(asSentence(refused), t('It was revoked or has expired.'), signIn);
      const several = outAmongSeveral(state.accounts);
      return several !== null && !(account.kind === 'signed-out' && account.why)
        ? amber(
            t('The account “{name}” isn’t signed in.', { name: several.name }),
            several.other === null
              ? t('Claude Code gets error 401 until you sign in.')
              : t('Claude Code gets error 401 until you sign in, or use {name}, which is signed in.', {
                  name: several.other.name,
                }),
            [...signIn, ...(several.other === null ? [] : [action('account', t('Choose account'))])],
          )
        : amber(
            t('You’re signed out.'),
            account.kind === 'signed-out' && account.why
              ? sentences(account.why.text, account.why.remedy)
              : t('Claude Code gets error 401 until you sign in.'),
            signIn,
          );
    }
    case 'no-access': {
      const notice = account.kind === 'signed-in' ? account.notice : null;
      if (notice === null) return null;
      const open = notice.url === null ? [] : [action('open-github', t('Open on GitHub'))];
      return red(notice.title, notice.message, open);
    }
    case 'off':
      return {
        ...neutral(t('The proxy is off.'), t('Claude Code can’t reach Copilot through Jumpseat.')),
        actions: [action('proxy-on', t('Turn proxy on'))],
      };
    case 'no-window':
      if (health.problem === null) return null;
      return amber(health.problem.text, health.problem.remedy, [action('account', t('Open account settings'))]);
    case 'auto-only': {
      const { title, text, remedy } = autoOnlyWords(account, state.admission);
      return red(asSentence(title), sentences(text, remedy), [action('plans', t('See plans'))]);
    }
    case 'exhausted': {
      const reset = resetOf(quota);
      return red(
        t('You’re out of {unit, select, premium {premium requests} other {credits}}.', { unit: unitName(quota) }),
        reset === null
          ? t('Copilot refuses requests until you set or raise a GitHub budget.')
          : t('Copilot refuses requests until {time}, or until you set or raise a GitHub budget.', {
              time: dayAndTime(reset),
            }),
        [action('billing', t('Open billing'))],
      );
    }
    case 'limited': {
      if (health.limit === null) return null;
      return amber(
        limitReached(health.limit.kind),
        t('It resets {when}, in {left}.', {
          when: timeOrDay(health.limit.until, now),
          left: timeLeft(health.limit.until - now),
        }),
        [action('usage', t('See usage'))],
      );
    }
    case 'offline': {
      const { offline } = health;
      if (offline === null) return null;
      const seconds = Math.ceil((offline.retryAt - now) / 1000);
      const next = seconds > 0 ? t('Trying again in {seconds} s.', { seconds }) : t('Trying again now.');
      return amber(
        t('No connection to Copilot.'),
        sentences(
          t('{host} didn’t answer since {time}.', {
            host: offline.host ?? 'Copilot',
            time: hourAndMinute(offline.since),
          }),
          blockedWords(offline) ?? '',
          next,
        ),
        [action('retry', t('Try again now'))],
      );
    }
    case 'low': {
      if (isPastIncluded(quota)) {
        const { overage } = health;
        const allow = overage === null ? [] : [overage === 'allowed' ? refuseOverage() : allowOverage()];
        return {
          ...amber(
            t('You’re past your included {unit, select, premium {premium requests} other {credits}}.', {
              unit: unitName(quota),
            }),
            overageWords(overage),
            [...allow, action('billing', t('Open billing'))],
          ),
          dismissible: overage === 'refused' ? null : 'this-cycle',
        };
      }
      return {
        ...amber(
          t('{percent} of your {unit, select, premium {premium requests} other {credits}} are left.', {
            percent: percentLeft(quota),
            unit: unitName(quota),
          }),
          leftOf(quota),
          [action('usage', t('See usage'))],
        ),
        dismissible: 'this-cycle',
      };
    }
    case 'no-keychain':
      return {
        ...amber(t('No keychain on this machine.'), t('You stay signed in until you quit Jumpseat.'), [
          action('storage', t('Choose storage…')),
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
  return isServedElsewhere(proxy) ? t('Another Jumpseat is on') : t('Proxy stopped');
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
    title: t('{prompts, plural, one {# prompt is} other {# prompts are}} waiting for you', { prompts }),
    text:
      overage === 'asks'
        ? quota?.world === 'premium'
          ? t(
              '{prompts, plural, one {It} other {They}} would be billed to your GitHub budget: your included premium requests are used up.',
              { prompts },
            )
          : t(
              '{prompts, plural, one {It} other {They}} would be billed to your GitHub budget: your included credits are used up.',
              { prompts },
            )
        : t('More than {above, plural, one {# request} other {# requests}} started within a minute.', { above }),
  };
}

const allowOverage = () => action('allow-overage', t('Allow for today'));
const refuseOverage = () => action('refuse-overage', t('No longer allow'));

/** What becomes of the next prompt when nothing included is left. */
export function overageWords(overage: AppState['health']['overage']): string {
  switch (overage) {
    case 'asks':
      return t('Jumpseat asks before the next prompt is billed to your GitHub budget.');
    case 'refused':
      return t('Prompts are refused until midnight, because they would be billed to your GitHub budget.');
    case 'allowed':
      return t('Requests are billed to your GitHub budget, as you allowed until midnight.');
    case null:
      return t('Requests are billed to your GitHub budget.');
  }
}

/** `The last 6 requests failed (504 from Copilot)`, `Copilot limits requests until 21:31` */
export function failingWords({ count, why, until }: Failing, now: number): string {
  if (until !== null) return limitedUntil(until, now);
  return t('The last {count, plural, one {# request} other {# requests}} failed ({why})', { count, why });
}

export function limitedUntil(until: number, now: number): string {
  return t('Copilot limits requests until {time}', {
    time: day(until) === day(now) ? hourAndMinute(until) : dayAndTime(until),
  });
}

/** What to do about it. The next request shows whether it is over: nothing is sent to find out. */
export const failingRemedy = msg(
  'Requests are still sent, and may fail until it is over. githubstatus.com says whether Copilot has trouble.',
);

/** What stands between here and Copilot; null if that is not known. */
export function blockedWords({ code }: Pick<Offline, 'code'>): string | null {
  const isBetween = code === 'ERR_PAC' || code === 'ERR_PROXY_TUNNEL';
  return isBetween ? networkReason(code) : null;
}

export function limitReached(kind: Limit['kind']): string {
  return t('You’ve reached {limit}.', { limit: limitWords(kind) });
}

export function resetWords(until: number): string {
  return t('It resets {time}.', { time: weekdayAndTime(until) });
}

/** `Copilot’s weekly limit` */
function limitWords(kind: Limit['kind']): string {
  switch (kind) {
    case 'weekly':
      return t('Copilot’s weekly limit');
    case 'session':
      return t('Copilot’s 5-hour limit');
    case 'account':
      return t('Copilot’s limit for your account');
  }
}

/** `credits`, `premium requests` */
export function unitOf(quota: Quota | null): string {
  return quota?.world === 'premium' ? t('premium requests') : t('credits');
}

/** What helps where the proxy is off, from a terminal: the tray app may run with its switch off. */
export const startProxy = msg('Run "jumpseat serve", or turn the proxy on in the tray app.');

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
    credits:
      conversation === undefined
        ? null
        : conversation &&
          (conversation.isPremium
            ? t('{amount} premium requests', { amount: conversation.amount })
            : t('{amount} credits', { amount: conversation.amount })),
    today: today === undefined ? null : today && t('{amount} today', { amount: today.amount }),
    left: quota === null ? null : amountLeftWords(quota),
    limits: known.limits.length === 0 ? null : known.limits.join(', '),
  };
}

/** Null where nothing of it is known: no figure is better than a wrong zero. */
function sumWords(sum: Sum | null, quota: Quota | null): { amount: string; isPremium: boolean } | null {
  if (sum === null) return null;
  const isPremium = quota?.world === 'premium' || (quota?.world !== 'credits' && sum.nanoAiu === 0);
  const amount = isPremium ? premiumRequests(sum.premiumRequests) : creditsOf(sum.nanoAiu);
  const isNone = isPremium ? sum.premiumRequests === 0 : sum.nanoAiu === 0;
  if (isNone && (sum.isPartlyUnknown || (quota?.world ?? 'unknown') === 'unknown')) return null;
  return {
    amount: sum.isPartlyUnknown ? t('at least {amount}', { amount }) : amount,
    isPremium,
  };
}
