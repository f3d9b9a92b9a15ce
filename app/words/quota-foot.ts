import type { QuotaThresholds } from '../api/settings.ts';
import type { AppState } from '../api/state.ts';
import { refusedSignIn } from './account.ts';
import { grouped, quotaAmount } from './numbers.ts';
import { dayOfYear, hourAndMinute } from './times.ts';

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
      /** What is counted: `credits`. */
      counted: string;
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

  const unit = units[unitKind(quota.world, account.sku)];
  const reset = quota.resetsAt === null ? Number.NaN : Date.parse(quota.resetsAt);
  const resets = Number.isNaN(reset) ? null : `resets ${dayOfYear(reset)}`;
  const stale = now - quota.asOf > oldMs || refusedSignIn(account) !== null;
  const used = usedShare(quota);
  const tone = toneOf(used, thresholds);
  const common = { kind: 'known', stale, used, tone, unit: `${unit} left`, counted: unit } as const;

  if (quota.unlimited) {
    return {
      ...common,
      figure: 'Unlimited',
      unit,
      used: null,
      tone: 'fine',
      line: resets ?? '',
      spoken: `Unlimited ${unit}`,
      spokenLeft: `Unlimited ${unit}`,
    };
  }
  if (quota.remaining === null) {
    const percent = quota.percentRemaining === null ? '…' : `${quota.percentRemaining.toFixed(1)}%`;
    return {
      ...common,
      figure: percent,
      line: joined(asOf(quota.asOf, stale), resets),
      spoken: `${percent} of ${unit} left`,
      spokenLeft: `${percent} of ${unit} left`,
    };
  }
  const left = Math.max(0, quota.remaining);
  const spoken =
    quota.entitlement === null
      ? `${quotaAmount(left, quota.world)} ${unit} left`
      : `${quotaAmount(Math.max(0, quota.entitlement - left), quota.world)} of ${grouped(quota.entitlement)} ${unit} used`;
  const ofAll = quota.entitlement === null ? '' : ` of ${grouped(quota.entitlement)}`;
  const spokenLeft = `${quotaAmount(left, quota.world)}${ofAll} ${unit} left`;
  if (quota.exhausted) {
    const until = Number.isNaN(reset) ? '' : `until ${dayOfYear(reset)}, ${hourAndMinute(reset)}`;
    // Copilot refuses more, whatever GitHub's last figure was.
    const out = `Out of ${unit}`;
    return { ...common, figure: '0', line: until, used: 1, tone: 'danger', spoken: out, spokenLeft: out };
  }
  if (left === 0 && quota.overagePermitted === true) {
    const over =
      quota.overageUsed === null || quota.overageUsed === 0 ? '' : `+${quotaAmount(quota.overageUsed, quota.world)} `;
    return {
      ...common,
      figure: '0',
      unit: 'included left',
      line: `${over}${unit} on your GitHub budget`,
      spoken,
      spokenLeft,
    };
  }
  const whole = quota.entitlement === null ? null : `of ${grouped(quota.entitlement)}`;
  const of = stale ? asOf(quota.asOf, true) : isSeat(account.plan) ? 'your seat' : whole;
  return { ...common, figure: quotaAmount(left, quota.world), line: joined(of, resets), spoken, spokenLeft };
}

/** What is not in the figure of a seat in an organization; null if it is no such seat. */
export function seatNote({ account }: Pick<AppState, 'account'>): string | null {
  if (account.kind !== 'signed-in' || !isSeat(account.plan)) return null;
  return 'Your organization’s shared pool isn’t visible to Jumpseat.';
}

function isSeat(plan: string | null): boolean {
  return plan === 'business' || plan === 'enterprise';
}

const units = { credits: 'credits', premium: 'premium', chat: 'chat messages', unknown: 'requests' } as const;

function unitKind(world: 'credits' | 'premium' | 'unknown', sku: string | null): keyof typeof units {
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
const asOf = (at: number, stale: boolean): string | null => (stale ? `as of ${hourAndMinute(at)}` : null);

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' · ');
}
