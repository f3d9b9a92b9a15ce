import type { Quota } from '../api/account.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import { isExhausted } from './quota-headers.ts';
import { asBoolean, asNumber, asObject, asText } from './read-response.ts';

/**
 * The part of `GET /copilot_internal/user` that is used. It may name other endpoints than the token answer; those are
 * not.
 */
export interface CopilotUser {
  login: string | null;
  plan: string | null;
  sku: string | null;
  quota: Quota | null;
  /** `has_quota` of the bucket that counts. */
  hasQuota: boolean | null;
}

/**
 * Reads plan and quota. `premium_interactions` is the bucket that counts in both kinds of billing (with token billing
 * it holds credits); `chat` and `completions` are placeholders there. The free plan has `limited_user_quotas` and
 * `monthly_quotas`.
 * @param asOf ms since the epoch, when GitHub was asked.
 */
export function readUser(json: JsonObject, asOf: number): CopilotUser {
  const bucket = asObject(asObject(json.quota_snapshots)?.premium_interactions);
  return {
    login: asText(json.login),
    plan: asText(json.copilot_plan),
    sku: asText(json.access_type_sku),
    quota: (bucket && readBucket(json, bucket, asOf)) ?? readFreePlan(json, asOf),
    hasQuota: asBoolean(bucket?.has_quota),
  };
}

function readBucket(json: JsonObject, bucket: JsonObject, asOf: number): Quota | null {
  const entitlement = asNumber(bucket.entitlement);
  const remaining = asNumber(bucket.quota_remaining) ?? asNumber(bucket.remaining);
  const unlimited = bucket.unlimited === true;
  const percentRemaining = asNumber(bucket.percent_remaining) ?? percentOf(remaining, entitlement);
  if (!unlimited && entitlement === null && remaining === null && percentRemaining === null) return null;
  const overagePermitted = asBoolean(bucket.overage_permitted);
  const hasQuota = asBoolean(bucket.has_quota);
  return {
    world: readWorld(json, bucket),
    entitlement: unlimited ? null : entitlement,
    remaining: unlimited ? null : remaining,
    percentRemaining: unlimited ? null : percentRemaining,
    unlimited,
    overagePermitted,
    overageUsed: asNumber(bucket.overage_count),
    exhausted: isExhausted({ unlimited, overagePermitted, percentRemaining, hasQuota }),
    resetsAt: readReset(json),
    asOf,
  };
}

/** The free plan counts chats; the limit is on the month. */
function readFreePlan(json: JsonObject, asOf: number): Quota | null {
  const remaining = asNumber(asObject(json.limited_user_quotas)?.chat);
  const entitlement = asNumber(asObject(json.monthly_quotas)?.chat);
  if (remaining === null) return null;
  const percentRemaining = percentOf(remaining, entitlement);
  return {
    world: readWorld(json, null),
    entitlement,
    remaining,
    percentRemaining,
    unlimited: false,
    overagePermitted: false,
    overageUsed: null,
    exhausted: remaining <= 0,
    resetsAt: readReset(json),
    asOf,
  };
}

/** GitHub says it for token billing; where it does not, the plan still counts premium requests. */
function readWorld(json: JsonObject, bucket: JsonObject | null): Quota['world'] {
  return json.token_based_billing === true || bucket?.token_based_billing === true ? 'credits' : 'premium';
}

function readReset(json: JsonObject): string | null {
  return asText(json.quota_reset_date_utc) ?? asText(json.quota_reset_date) ?? asText(json.limited_user_reset_date);
}

function percentOf(remaining: number | null, entitlement: number | null): number | null {
  if (remaining === null || entitlement === null || entitlement <= 0) return null;
  return (remaining / entitlement) * 100;
}
