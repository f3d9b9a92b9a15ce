import type { Quota } from '../api/account.ts';
import type { QuotaThresholds } from '../api/settings.ts';
import type { AppState } from '../api/state.ts';
import { asSentence } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { refusedSignIn, refusesSignIn } from './account.ts';
import { creditAmount, grouped, percentage, premiumRequests, quotaAmount, share } from './numbers.ts';
import { dayAndTime, dayOfYear, hourAndMinute } from './times.ts';

/** What a quota counts. */
type QuotaUnit = 'credits' | 'premium' | 'chat' | 'unknown';

/** The quota at the foot of the sidebar. */
type QuotaFoot =
  | { kind: 'signed-out' }
  /** GitHub refuses the sign-in, and nothing was read before. */
  | { kind: 'refused' }
  | { kind: 'reading' }
  /** Requests go through VS Code, with the account that is signed in there. */
  | { kind: 'unknown' }
  | {
      kind: 'known';
      /** `2,002.13` */
      figure: string;
      /** Text after the figure: `credits left`. */
      unit: string;
      counted: QuotaUnit;
      /** `of 7,000 · resets 1 Dec` */
      line: string;
      /** The figure is older than ten minutes, or no newer one can be read: GitHub refuses the sign-in. */
      stale: boolean;
      /** What is used, 0 to 1; null if there is no end. */
      used: number | null;
      tone: 'fine' | 'warning' | 'danger';
      /** `4,997.87 of 7,000 credits used`, for who cannot see a bar that fills with what is used. */
      spoken: string;
      /** `2,002.13 of 7,000 credits left`, for one that shows what is left. */
      spokenLeft: string;
    };

const oldMs = 10 * 60_000;
const usualThresholds: QuotaThresholds = { warning: 80, alarm: 95 };

export function quotaFoot(
  state: Pick<AppState, 'account' | 'quota' | 'reach'>,
  now: number,
  thresholds: QuotaThresholds = usualThresholds,
): QuotaFoot {
  const { account, quota, reach } = state;
  if (reach.kind === 'through-vscode') return { kind: 'unknown' };
  if (account.kind !== 'signed-in') return { kind: 'signed-out' };
  if (quota === null) return { kind: refusedSignIn(account) === null ? 'reading' : 'refused' };

  const unit = unitKind(quota.world, account.sku);
  const reset = resetOf(quota);
  const resets = reset === null ? null : t('resets {day}', { day: dayOfYear(reset) });
  const stale = now - quota.asOf > oldMs || refusedSignIn(account) !== null;
  const used = usedShare(quota);
  const tone = toneOf(used, thresholds);
  const unitLeft = t('{unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} left', {
    unit,
  });
  const common = { kind: 'known', stale, used, tone, unit: unitLeft, counted: unit } as const;

  if (quota.unlimited) {
    const unlimited = t(
      'Unlimited {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}}',
      { unit },
    );
    return {
      ...common,
      figure: t('Unlimited'),
      unit: footUnitName(unit),
      used: null,
      tone: 'fine',
      line: resets ?? '',
      spoken: unlimited,
      spokenLeft: unlimited,
    };
  }
  if (quota.remaining === null) {
    const percent = quota.percentRemaining === null ? '…' : share(quota.percentRemaining / 100);
    const percentLeft = t(
      '{percent} of {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} left',
      { percent, unit },
    );
    return {
      ...common,
      figure: percent,
      line: joined(asOf(quota.asOf, stale), resets),
      spoken: percentLeft,
      spokenLeft: percentLeft,
    };
  }
  const left = Math.max(0, quota.remaining);
  const amount = quotaAmount(left, quota.world);
  const amountLeft = t(
    '{amount} {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} left',
    { amount, unit },
  );
  const all = quota.entitlement === null ? null : grouped(quota.entitlement);
  const spoken =
    quota.entitlement === null || all === null
      ? amountLeft
      : t(
          '{used} of {all} {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} used',
          {
            used: quotaAmount(Math.max(0, quota.entitlement - left), quota.world),
            all,
            unit,
          },
        );
  const spokenLeft =
    all === null
      ? amountLeft
      : t(
          '{amount} of {all} {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} left',
          { amount, all, unit },
        );
  if (quota.exhausted) {
    const until = reset === null ? '' : t('until {day}, {time}', { day: dayOfYear(reset), time: hourAndMinute(reset) });
    // Copilot refuses more, whatever GitHub's last figure was.
    const out = t('Out of {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}}', {
      unit,
    });
    return { ...common, figure: '0', line: until, used: 1, tone: 'danger', spoken: out, spokenLeft: out };
  }
  if (left === 0 && quota.overagePermitted === true) {
    const over =
      quota.overageUsed === null || quota.overageUsed === 0
        ? t(
            '{unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} on your GitHub budget',
            { unit },
          )
        : t(
            '+{amount} {unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}} on your GitHub budget',
            {
              amount: quotaAmount(quota.overageUsed, quota.world),
              unit,
            },
          );
    return {
      ...common,
      figure: '0',
      unit: t('included left'),
      line: over,
      spoken,
      spokenLeft,
    };
  }
  const whole =
    quota.entitlement === null ? null : t('of {amount}', { amount: grouped(quota.entitlement) }, 'below what is left');
  const of = stale ? asOf(quota.asOf, true) : isSeat(account.plan) ? t('your seat') : whole;
  return { ...common, figure: amount, line: joined(of, resets), spoken, spokenLeft };
}

/** What is not in the figure of a seat in an organization; null if it is no such seat. */
export function seatNote({ account }: Pick<AppState, 'account'>): string | null {
  if (account.kind !== 'signed-in' || !isSeat(account.plan)) return null;
  return t('Your organization’s shared pool isn’t visible to Jumpseat.');
}

function isSeat(plan: string | null): boolean {
  return plan === 'business' || plan === 'enterprise';
}

function footUnitName(unit: QuotaUnit): string {
  return t('{unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}}', { unit });
}

function unitKind(world: 'credits' | 'premium' | 'unknown', sku: string | null): QuotaUnit {
  if (world !== 'credits' && sku?.startsWith('free_limited')) return 'chat';
  return world;
}

function usedShare(quota: NonNullable<AppState['quota']>): number | null {
  if (quota.unlimited) return null;
  if (quota.entitlement !== null && quota.entitlement > 0 && quota.remaining !== null) {
    return clamp(1 - quota.remaining / quota.entitlement);
  }
  return quota.percentRemaining === null ? null : clamp(1 - quota.percentRemaining / 100);
}

function toneOf(used: number | null, { warning, alarm }: QuotaThresholds): 'fine' | 'warning' | 'danger' {
  if (used === null || used < warning / 100) return 'fine';
  return used < alarm / 100 ? 'warning' : 'danger';
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const asOf = (at: number, stale: boolean): string | null =>
  stale ? t('as of {time}', { time: hourAndMinute(at) }) : null;

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' · ');
}

/** `2,002.13 of 7,000 credits left, resets 1 Dec 2026, 01:00` */
export function quotaWords(quota: Quota | null, account: AppState['account'] | null = null): string {
  if (quota === null && account !== null && refusedSignIn(account) !== null) return translated(refusesSignIn);
  if (quota === null) return t('Not reported by GitHub');
  const when = resetTime(quota);
  if (quota.exhausted) return outOfCredits(quota);
  const left = wholeLeft(quota);
  return when === null ? left : t('{left}, resets {time}', { left, time: when });
}

/** `2,002.13 of 7,000 credits left` */
function wholeLeft(quota: Quota): string {
  const unit = quota.world;
  if (quota.unlimited)
    return t('Unlimited {unit, select, premium {premium requests} credits {credits} other {requests}}', { unit });
  if (quota.remaining === null)
    return quota.percentRemaining === null
      ? t('Not known')
      : t('{percent} left', { percent: percentage(quota.percentRemaining, 1) });
  const left = quotaAmount(quota.remaining, quota.world);
  return quota.entitlement === null
    ? t('{left} {unit, select, premium {premium requests} credits {credits} other {requests}} left', { left, unit })
    : t('{left} of {all} {unit, select, premium {premium requests} credits {credits} other {requests}} left', {
        left,
        all: grouped(quota.entitlement),
        unit,
      });
}

/** `Out of credits until 1 Dec 2026, 01:00` */
export function outOfCredits(quota: Quota | null): string {
  const when = resetTime(quota);
  return when === null ? t('Out of credits') : t('Out of credits until {when}', { when });
}

function resetTime(quota: Quota | null): string | null {
  const at = resetOf(quota);
  return at === null ? null : dayAndTime(at);
}

/** Unit that a message chooses by. */
export function unitName(quota: Quota | null): 'premium' | 'credits' {
  return quota?.world === 'premium' ? 'premium' : 'credits';
}

/** When the quota starts anew, ms since the epoch. */
export function resetOf(quota: Quota | null): number | null {
  const at = quota?.resetsAt ? Date.parse(quota.resetsAt) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** `10%`, for `10% of your credits are left`. Below one percent `0.8%`: what is left isn't said to be nothing. */
export function percentLeft(quota: Quota | null): string {
  const left = Math.max(0, quota?.percentRemaining ?? 0);
  return left > 0 && left < 1 ? percentage(Math.max(0.1, left), 1) : percentage(left);
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
  const amount = amountLeft(quota);
  const all = quota.entitlement === null ? null : grouped(Math.floor(quota.entitlement));
  const left = amount === null || all === null ? amount : t('{left} of {all}', { left: amount, all });
  const reset = resetOf(quota);
  if (reset === null) return left === null ? '' : asSentence(left);
  const time = dayAndTime(reset);
  return left === null ? t('until {time}.', { time }) : t('{left}, until {time}.', { left, time });
}

/** `2,002.13 credits left · resets 1 Dec`, on one line of a menu; null if there is nothing to say. */
export function quotaLine(quota: Quota | null): string | null {
  if (quota === null || quota.unlimited) return null;
  const left = amountLeft(quota);
  const amount =
    left === null
      ? t('{percent} of your {unit, select, premium {premium requests} other {credits}} left', {
          percent: percentLeft(quota),
          unit: unitName(quota),
        })
      : t('{left} {unit, select, premium {premium requests} other {credits}} left', { left, unit: unitName(quota) });
  const reset = resetOf(quota);
  return reset === null ? amount : t('{amount} · resets {day}', { amount, day: dayOfYear(reset) });
}

/** `2,002.13 credits left`, for Claude Code's status line; null if there is nothing to say. */
export function amountLeftWords(quota: Quota): string | null {
  if (quota.unlimited) return null;
  if (quota.remaining !== null) {
    const left = Math.max(0, quota.remaining);
    return t('{left} {unit, select, premium {premium requests} credits {credits} other {requests}} left', {
      left: quota.world === 'credits' ? creditAmount(left) : premiumRequests(left),
      unit: quota.world,
    });
  }
  return quota.percentRemaining === null ? null : t('{percent} left', { percent: percentLeft(quota) });
}
