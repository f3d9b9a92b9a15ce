import type { QuotaThresholds } from '../api/settings.ts';
import type { AppState } from '../api/state.ts';
import { t } from '../language/translate.ts';
import { refusedSignIn } from './account.ts';
import { grouped, quotaAmount, share } from './numbers.ts';
import { dayOfYear, hourAndMinute } from './times.ts';

/** What a quota counts. */
type QuotaUnit = 'credits' | 'premium' | 'chat' | 'unknown';

/** The quota at the foot of the sidebar. */
export type QuotaFoot =
  | { kind: 'signed-out' }
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
  if (quota === null) return { kind: 'reading' };

  const unit = unitKind(quota.world, account.sku);
  const reset = quota.resetsAt === null ? Number.NaN : Date.parse(quota.resetsAt);
  const resets = Number.isNaN(reset) ? null : t('resets {day}', { day: dayOfYear(reset) });
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
      unit: unitName(unit),
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
    const until = Number.isNaN(reset)
      ? ''
      : t('until {day}, {time}', { day: dayOfYear(reset), time: hourAndMinute(reset) });
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

function unitName(unit: QuotaUnit): string {
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
