import { expect, it } from 'vitest';
import { anthropicError, anthropicErrorTypeFor } from '../../../../app/formats/messages/error.ts';

it('has the envelope that Anthropic’s clients read', () => {
  expect(anthropicError('not_found_error', 'No such model.', 'req_1')).toEqual({
    type: 'error',
    error: { type: 'not_found_error', message: 'No such model.' },
    request_id: 'req_1',
  });
});

it.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'invalid_request_error'],
  [413, 'request_too_large'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [501, 'not_supported'],
  [502, 'api_error'],
  [503, 'overloaded_error'],
  [529, 'overloaded_error'],
  [599, 'api_error'],
])('%i is %s', (status, type) => {
  expect(anthropicErrorTypeFor(status)).toBe(type);
});
