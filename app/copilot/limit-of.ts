import type { LimitKind } from '../api/exchange.ts';
import type { CopilotFailure } from './failures.ts';

const byCode: Readonly<Record<string, LimitKind>> = {
  user_weekly_rate_limited: 'weekly',
  user_global_rate_limited: 'account',
  user_model_rate_limited: 'model',
  integration_rate_limited: 'client',
  agent_mode_limit_exceeded: 'agents',
  upstream_provider_rate_limit: 'provider',
  extension_blocked: 'blocked',
  model_overloaded: 'overloaded',
  quota_exceeded: 'credits',
  free_quota_exceeded: 'credits',
  overage_limit_reached: 'credits',
  additional_spend_limit_reached: 'credits',
  billing_not_configured: 'credits',
};

/**
 * The code of the body counts more than the header `x-ratelimit-exceeded`: the weekly limit comes with the header
 * `quota_exceeded`. A window that the header names says more of the account's limit than the code for all of them.
 */
export function limitOf({
  status,
  code,
  limitExceeded,
}: Pick<CopilotFailure, 'status' | 'code' | 'limitExceeded'>): LimitKind {
  if (status === 402) return 'credits';
  const named = byCode[code ?? ''];
  if (named !== undefined && named !== 'account') return named;
  const exceeded = limitExceeded ?? '';
  if (exceeded.includes('weekly')) return 'weekly';
  if (exceeded.includes('global-usage-5-hour-key')) return 'session';
  if (named !== undefined) return named;
  return exceeded === 'quota_exceeded' ? 'credits' : 'unnamed';
}
