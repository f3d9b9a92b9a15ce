/**
 * Codes and types of errors that were seen or are documented: `copilot.md`'s table, Anthropic's types, OpenAI's codes.
 */
const known: ReadonlySet<string> = new Set([
  'model_not_supported',
  'model_max_prompt_tokens_exceeded',
  'invalid_request_body',
  'unsupported_value',
  'invalid_reasoning_effort',
  'off_topic',
  'previous_response_not_found',
  'quota_exceeded',
  'free_quota_exceeded',
  'overage_limit_reached',
  'additional_spend_limit_reached',
  'billing_not_configured',
  'user_request_timeout',
  'rate_limited',
  'user_model_rate_limited',
  'user_global_rate_limited',
  'user_weekly_rate_limited',
  'integration_rate_limited',
  'model_overloaded',
  'agent_mode_limit_exceeded',
  'upstream_provider_rate_limit',
  'extension_blocked',
  'client_version_deprecated',
  'content_filter',
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'billing_error',
  'overloaded_error',
  'api_error',
  'timeout_error',
  'policy_blocked',
  'server_error',
  'internal_error',
  'invalid_prompt',
  'rate_limit_exceeded',
  'insufficient_quota',
  'context_length_exceeded',
  'server_is_overloaded',
  'unknown_parameter',
  'unsupported_parameter',
  'error',
]);
/** Words joined by an underscore or a hyphen: how an API spells a code and no sentence is written. */
const likeACode = /^[a-z][a-z0-9]{0,31}(?:[_-][a-z0-9]{1,31}){1,7}$/;

/**
 * A code that may be kept and shown: a known one, or one that is spelled like a code and is no part of the request that
 * was refused. Of a code with a colon the part before it. Null: it is none.
 */
export function plainCode(text: string | null, isQuoted: (words: string) => boolean = () => false): string | null {
  if (text === null) return null;
  const [code = ''] = text.split(':', 1);
  if (known.has(code)) return code;
  return likeACode.test(code) && !isQuoted(code) ? code : null;
}
