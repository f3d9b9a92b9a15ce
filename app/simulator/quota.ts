import type { SimulatedUser } from './options.ts';
import type { QuotaWindows } from './script.ts';

/** `x-quota-snapshot-*` and `x-usage-ratelimit-*` of an answer; the windows only where they are set. */
export function quotaHeaders(user: SimulatedUser, windows: QuotaWindows): Record<string, string> {
  const bucket = user.entitlement === null ? unlimited(user) : snapshot(user, user.entitlement);
  return {
    'x-quota-snapshot-chat': unlimited(user),
    'x-quota-snapshot-premium_models': bucket,
    'x-quota-snapshot-premium_interactions': bucket,
    ...usageWindow('session', windows.session, 5 * 3_600_000),
    ...usageWindow('weekly', windows.weekly, 7 * 86_400_000),
  };
}

function snapshot(user: SimulatedUser, entitlement: number): string {
  const left = Math.max(0, user.remaining);
  return header({
    ent: String(entitlement),
    ov: Math.max(0, -user.remaining).toFixed(1),
    ovPerm: String(user.overagePermitted),
    rem: percent(left, entitlement).toFixed(1),
    rst: seconds(user.resetDate),
    totRem: left.toFixed(1),
  });
}

function unlimited(user: SimulatedUser): string {
  return header({ ent: '-1', ov: '0.0', ovPerm: 'false', rem: '100.0', rst: seconds(user.resetDate), totRem: '' });
}

function usageWindow(name: string, left: number | null | undefined, lengthMs: number): Record<string, string> {
  if (left === null || left === undefined) return {};
  const reset = encodeURIComponent(seconds(new Date(Date.now() + lengthMs).toISOString()));
  return { [`x-usage-ratelimit-${name}`]: `ent=0&ov=0.0&ovPerm=false&rem=${left.toFixed(1)}&rst=${reset}` };
}

function header(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}

/** ISO without fractions, as the headers have it. */
function seconds(iso: string): string {
  return new Date(iso).toISOString().replace(/\.\d+Z$/, 'Z');
}

function percent(left: number, of: number): number {
  return of <= 0 ? 0 : (left / of) * 100;
}

/** `quota_snapshots` of `/copilot_internal/user`. */
export function quotaSnapshots(user: SimulatedUser): Record<string, unknown> {
  const placeholder = (id: string): unknown => ({
    entitlement: 0,
    has_quota: true,
    overage_count: 0,
    overage_permitted: false,
    percent_remaining: 100,
    quota_id: id,
    quota_remaining: 0,
    remaining: 0,
    token_based_billing: user.tokenBased,
    unlimited: true,
  });
  const left = Math.max(0, user.remaining);
  const bucket = {
    entitlement: user.entitlement ?? 0,
    has_quota: user.entitlement === null || left > 0 || user.overagePermitted,
    overage_count: Number(Math.max(0, -user.remaining).toFixed(1)),
    overage_permitted: user.overagePermitted,
    percent_remaining: user.entitlement === null ? 100 : Number(percent(left, user.entitlement).toFixed(1)),
    quota_id: 'premium_interactions',
    quota_remaining: Number(left.toFixed(1)),
    remaining: Math.floor(left),
    token_based_billing: user.tokenBased,
    unlimited: user.entitlement === null,
  };
  return { chat: placeholder('chat'), completions: placeholder('completions'), premium_interactions: bucket };
}

/** What `/copilot_internal/user` has in their place on the free plan. */
export function freeQuota(user: SimulatedUser): Record<string, unknown> {
  const completions = 2000;
  return {
    limited_user_quotas: { chat: Math.max(0, Math.floor(user.remaining)), completions },
    limited_user_reset_date: user.resetDate.slice(0, 10),
    monthly_quotas: { chat: user.entitlement ?? 0, completions },
  };
}
