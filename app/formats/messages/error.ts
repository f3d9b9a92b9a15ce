export type AnthropicErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'billing_error'
  | 'not_supported'
  | 'overloaded_error'
  | 'api_error'
  | 'policy_blocked';

export interface AnthropicError {
  type: 'error';
  error: { type: AnthropicErrorType; message: string };
  request_id: string;
}

/** The envelope of every error of the Messages API: the body of a failed request, and the data of an `error` event. */
export function anthropicError(type: AnthropicErrorType, message: string, requestId: string): AnthropicError {
  return { type: 'error', error: { type, message }, request_id: requestId };
}

const types: Readonly<Record<number, AnthropicErrorType>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  501: 'not_supported',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

/** Anthropic's name for a failure with this status; an unnamed status uses its class. */
export function anthropicErrorTypeFor(status: number): AnthropicErrorType {
  return types[status] ?? (status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error');
}
