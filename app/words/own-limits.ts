import type { CountedScope, LimitAmount, LimitRule, RuleScope } from '../api/rules.ts';
import type { AppState, OwnLimit } from '../api/state.ts';
import { inEnglish } from '../language/language.ts';
import { asSentence, joined, sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { creditAmount, exact, percentage, premiumRequests } from './numbers.ts';
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
export function limitOfRule(rule: LimitRule) {
  const { credits: _credits, premiumRequests: _premium, per: _per, action: _action, ...scope } = rule;
  return { ...limitOfAmount(rule), scope };
}

/** The limit that a rule sets for the requests that follow it. */
export function limitOfUse(when: RuleScope, limit: LimitAmount) {
  return { ...limitOfAmount(limit), scope: { rule: when } };
}

function limitOfAmount({ credits, premiumRequests, per }: LimitAmount) {
  const counted = credits === undefined ? 'premiumRequests' : 'credits';
  const setting = `${counted}${per === 'day' ? 'PerDay' : 'PerMonth'}` as const;
  return { setting, most: credits ?? premiumRequests ?? 0 };
}

/** `client codex, models containing opus`, `rule (class subagent)`; empty where nothing is named. */
export function scopeInWords(scope: CountedScope & RuleScope): string {
  if (scope.rule !== undefined) return t('rule ({when})', { when: whenInWords(scope.rule) });
  const parts = scopeParts.flatMap((part) => {
    const name = scope[part];
    return name === undefined
      ? []
      : [
          t(
            '{part, select, client {client} key {key} account {account} folder {folder} class {class} other {models containing}} {name}',
            { part, name },
          ),
        ];
  });
  return parts.length === 0 ? '' : joined(parts);
}

/** `the rule for folder ~/project` */
export function theRule(when: RuleScope): string {
  return t('the rule for {when}', { when: whenInWords(when) });
}

/** `client codex, class subagent`, `all requests` */
export function whenInWords(when: RuleScope): string {
  return scopeInWords(when) || t('all requests');
}

/** One text for what a rule is for, in whatever order it names that. */
export function keyOfRule(when: RuleScope): string {
  return JSON.stringify(scopeParts.map((part) => (part === 'account' ? null : (when[part] ?? null))));
}

/** `1.20 of 5 credits used today`, `at most 30 requests a minute` */
export function limitInWords(limit: OwnLimit): string {
  const { setting, scope, most, month } = limit;
  if (setting === 'requestsPerMinute')
    return t('at most {most, plural, one {# request} other {# requests}} a minute', { most });
  const figure = limitFigure(limit);
  const unit = limitUnits[setting] === 'credits' ? 'credits' : 'premium';
  const period = month === null ? 'day' : 'month';
  if (scope === null)
    return t(
      '{figure} {unit, select, credits {credits} other {premium requests}} used {period, select, day {today} other {this month}}',
      { figure, unit, period },
    );
  return t(
    '{figure} {unit, select, credits {credits} other {premium requests}} used {period, select, day {today} other {this month}} for {scope}',
    { figure, unit, period, scope: scope.rule === undefined ? scopeInWords(scope) : theRule(scope.rule) },
  );
}

/** `1.20 of 5` */
export function limitFigure({ setting, used, most }: OwnLimit): string {
  const amount = limitUnits[setting] === 'credits' ? creditAmount(used) : premiumRequests(used);
  return t('{amount} of {most}', { amount, most: exact(most) });
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
    // The same in every language: it names a notice that was shown.
    return [{ key: `${inEnglish(() => limitName(limit))}-${said}`, ...saidOf(limit, said) }];
  });
}

/** What is said of a limit of which this share (percent) is used. */
function saidOf(limit: OwnLimit, share: number): { title: string; body: string } {
  const { scope, month, stops } = limit;
  const rule = scope?.rule;
  const kind = scope !== null ? 'part' : month === null ? 'day' : 'month';
  const part = scope === null ? '' : scopeInWords(scope);
  const title =
    rule !== undefined
      ? share === 100
        ? t('The limit of the rule for {when} is used up', { when: whenInWords(rule) })
        : t('{percent} of the limit of the rule for {when} is used', {
            percent: percentUsed(limit, share),
            when: whenInWords(rule),
          })
      : share === 100
        ? t('Your {kind, select, day {daily limit} month {monthly limit} other {limit for {part}}} is used up', {
            kind,
            part,
          })
        : t(
            '{percent} of your {kind, select, day {daily limit} month {monthly limit} other {limit for {part}}} is used',
            {
              percent: percentUsed(limit, share),
              kind,
              part,
            },
          );
  // The title says which rule.
  const used = asSentence(limitInWords(rule === undefined ? limit : { ...limit, scope: null }));
  if (share < 100) return { title, body: used };
  return { title, body: sentences(used, stops ? refusedWords(limit) : t('Requests are still sent.')) };
}

/** Which requests a used-up limit holds back, and how long. */
function refusedWords({ scope, month }: OwnLimit): string {
  const time = month === null ? '' : dayAndTime(month.until);
  if (scope?.rule !== undefined) {
    return month === null
      ? t('Requests of this rule are refused until midnight.')
      : t('Requests of this rule are refused until {time}.', { time });
  }
  if (scope !== null) {
    return month === null
      ? t('Only these requests are refused until midnight.')
      : t('Only these requests are refused until {time}.', { time });
  }
  return month === null ? t('Requests are refused until midnight.') : t('Requests are refused until {time}.', { time });
}

/** The part of the settings in which a limit is changed. */
export function settingsOfLimit({ scope }: Pick<OwnLimit, 'scope'>): 'rules' | 'limits' {
  return scope?.rule === undefined ? 'limits' : 'rules';
}

/** `99.7%`: one request may pass more than one share. Never `100%` before it is used up. */
function percentUsed({ used, most }: OwnLimit, share: number): string {
  const percent = Math.max(share, Math.floor((used / most) * 1000) / 10);
  return percentage(percent, Number.isInteger(percent) ? 0 : 1);
}

export function isUsedUp({ used, most }: OwnLimit): boolean {
  return used >= most;
}

/** One that holds every request back until its period ends; one of a minute is over soon. */
function refusesAll(limit: OwnLimit): boolean {
  return limit.stops && limit.scope === null && limit.setting !== 'requestsPerMinute';
}

/** A used-up limit of all requests in one line, in the words of its banner. */
export function refusedUntil({ month }: Pick<OwnLimit, 'month'>): string {
  return month === null
    ? t('Your daily limit is used up: requests are refused until midnight')
    : t('Your monthly limit is used up: requests are refused until {time}', { time: dayAndTime(month.until) });
}

/** Of the limits that are used up the one that holds most back, and what is said of it; null if none is. */
export function usedUpLimit(ownLimits: AppState['ownLimits']) {
  return usedUpLimits(ownLimits)[0] ?? null;
}

/** The part of the settings in which the limit is changed that holds most back. */
export function settingsOfUsedUp(ownLimits: AppState['ownLimits']): 'rules' | 'limits' {
  return settingsOfLimit(usedUpLimit(ownLimits) ?? { scope: null });
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
export function missingKey(scope: CountedScope | null, keys: readonly string[]): string | null {
  if (scope?.key === undefined || keys.includes(scope.key)) return null;
  return t('There is no key “{key}”: it was revoked, or never created. This limit counts no new requests.', {
    key: scope.key,
  });
}

/** `Credits per day`, `Credits per day, client codex` */
export function limitName({ setting, scope }: Pick<OwnLimit, 'setting' | 'scope'>): string {
  const period = setting === 'requestsPerMinute' ? 'minute' : setting.endsWith('Month') ? 'month' : 'day';
  const counted = limitUnits[setting];
  const unit = counted === 'credits' ? 'credits' : counted === 'requests' ? 'requests' : 'premium';
  const name = t(
    '{unit, select, credits {Credits} requests {Requests} other {Premium requests}} per {period, select, minute {minute} month {month} other {day}}',
    { unit, period },
  );
  return scope === null ? name : joined([name, scopeInWords(scope)]);
}
