import type { LimitRule, LimitScope, RuleScope } from '../api/rules.ts';
import type { AppState, OwnLimit } from '../api/state.ts';
import { counted, creditAmount, exact, premiumRequests } from './numbers.ts';
import { capital } from './text.ts';
import { dayAndTime } from './times.ts';

const scopeParts = ['client', 'key', 'account', 'folder', 'class', 'model'] as const;

/** Limits of a person's own: their names, what is used of them, and what is said when that is much. */

export const limitUnits = {
  creditsPerDay: 'credits',
  premiumRequestsPerDay: 'premium requests',
  creditsPerMonth: 'credits',
  premiumRequestsPerMonth: 'premium requests',
  requestsPerMinute: 'requests',
} as const;

/** The limit that an entry of `limits.rules` sets. */
export function limitOfRule({ credits, premiumRequests, per, action: _action, ...scope }: LimitRule) {
  const counted = credits === undefined ? 'premiumRequests' : 'credits';
  const setting = `${counted}${per === 'day' ? 'PerDay' : 'PerMonth'}` as const;
  return { setting, scope, most: credits ?? premiumRequests ?? 0 };
}

/** `client codex, model opus`; empty where nothing is named. */
export function scopeInWords(scope: LimitScope & RuleScope): string {
  return scopeParts.flatMap((part) => (scope[part] === undefined ? [] : [`${part} ${scope[part]}`])).join(', ');
}

/** `1.20 of 5 credits used today`, `at most 30 requests a minute` */
export function limitInWords(limit: OwnLimit): string {
  const { setting, scope, most, month } = limit;
  const unit = limitUnits[setting];
  if (setting === 'requestsPerMinute') return `at most ${counted(most, 'request')} a minute`;
  const part = scope === null ? '' : ` for ${scopeInWords(scope)}`;
  return `${limitFigure(limit)} ${unit} used ${month === null ? 'today' : 'this month'}${part}`;
}

/** `1.20 of 5` */
export function limitFigure({ setting, used, most }: OwnLimit): string {
  const amount = limitUnits[setting] === 'credits' ? creditAmount(used) : premiumRequests(used);
  return `${amount} of ${exact(most)}`;
}

/** What is said when a chosen share of a limit was used between two states: once in its period, as the app counts. */
export function passedShares(
  before: Pick<AppState, 'ownLimits'>,
  after: Pick<AppState, 'ownLimits'>,
): { key: string; title: string; body: string }[] {
  return after.ownLimits.flatMap((limit) => {
    const { most, said, scope } = limit;
    const name = limitName(limit);
    const isSame = (one: OwnLimit): boolean => limitName(one) === name && (scope === null || one.most === most);
    if (said <= (before.ownLimits.find(isSame)?.said ?? 0)) return [];
    return [{ key: `${name}-${said}`, ...saidOf(limit, said) }];
  });
}

/** What is said of a limit of which this share (percent) is used. */
function saidOf(limit: OwnLimit, share: number): { title: string; body: string } {
  const { scope, month, stops } = limit;
  const until = month === null ? 'midnight' : dayAndTime(month.until);
  const next = stops ? ` Requests are refused until ${until}.` : ' Requests are still sent.';
  const whole = month === null ? 'daily limit' : 'monthly limit';
  const what = scope === null ? whole : `limit for ${scopeInWords(scope)}`;
  return {
    title: share === 100 ? `Your ${what} is used up` : `${percentUsed(limit, share)} of your ${what} is used`,
    body: `${capital(limitInWords(limit))}.${share === 100 ? next : ''}`,
  };
}

/** `99.7%`: one request may pass more than one share. Never `100%` before it is used up. */
function percentUsed({ used, most }: OwnLimit, share: number): string {
  return `${Math.max(share, Math.floor((used / most) * 1000) / 10)}%`;
}

export function isUsedUp({ used, most }: OwnLimit): boolean {
  return used >= most;
}

/** One that holds every request back until its period ends; one of a minute is over soon. */
export function refusesAll(limit: OwnLimit): boolean {
  return limit.stops && limit.scope === null && limit.setting !== 'requestsPerMinute';
}

/** Of the limits that are used up the one that holds most back, and what is said of it; null if none is. */
export function usedUpLimit(ownLimits: AppState['ownLimits']) {
  return usedUpLimits(ownLimits)[0] ?? null;
}

/** Those that are used up, with what is said of each; the one that holds most back first. */
export function usedUpLimits(ownLimits: AppState['ownLimits']) {
  const usedUp = ownLimits.filter((limit) => isUsedUp(limit) && limit.setting !== 'requestsPerMinute');
  const holds = (limit: OwnLimit): number => (refusesAll(limit) ? 0 : limit.stops ? 1 : 2);
  return usedUp
    .toSorted((one, other) => holds(one) - holds(other))
    .map((limit) => ({ ...limit, ...saidOf(limit, 100), refusesAll: refusesAll(limit), name: limitName(limit) }));
}

/** What is said of a limit for a key that doesn’t exist; null if it does, or none is named. */
export function missingKey(scope: LimitScope | null, keys: readonly string[]): string | null {
  if (scope?.key === undefined || keys.includes(scope.key)) return null;
  return `There is no key “${scope.key}”: it was revoked, or never created. This limit counts no new requests.`;
}

/** `Credits per day`, `Credits per day, client codex` */
export function limitName({ setting, scope }: Pick<OwnLimit, 'setting' | 'scope'>): string {
  const period = setting === 'requestsPerMinute' ? 'minute' : setting.endsWith('Month') ? 'month' : 'day';
  const part = scope === null ? '' : `, ${scopeInWords(scope)}`;
  return capital(`${limitUnits[setting]} per ${period}${part}`);
}
