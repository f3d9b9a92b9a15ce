import { describe, expect, it } from 'vitest';
import { tellOpenai } from '../../app/exchange/clients/openai/recover.ts';
import { lmFailure } from '../../vscode/failures.ts';

const context = { model: 'gpt-4.1', offered: ['gpt-4.1'], hasImages: false, window: 'VS Code' };
const thrown = (fields: object): Error => Object.assign(new Error(''), fields);

describe('what VS Code throws', () => {
  it.each([
    [{ code: 'NoPermissions' }, 403, 'permission_error', 'consent_required', /Jumpseat: Enable/],
    [{ code: 'NotFound' }, 404, 'not_found_error', 'model_not_found', /no Copilot model “gpt-4.1”/],
    [{ code: 'Blocked' }, 429, 'rate_limit_error', 'blocked', /in 5 minutes/],
    [{ name: 'ChatRateLimited', message: 'Slow.' }, 429, 'rate_limit_error', 'rate_limited', /limit\. Slow\.$/],
    [{ name: 'ChatQuotaExceeded', message: 'Out.' }, 402, 'billing_error', 'quota_exceeded', /^Jumpseat: Out\.$/],
    [{ name: 'Canceled', message: 'Canceled' }, 502, 'api_error', 'cancelled', /VS Code cancelled/],
    [{ message: 'Response contained no choices.' }, 502, 'api_error', 'no_choices', /doesn’t pass on/],
    [{ message: 'Please check your firewall rules … terminated: other side closed' }, 502, 'api_error', 'cut', /early/],
    [{ message: 'What is that?' }, 502, 'api_error', 'vscode_error', /failed: What is that\?$/],
    [
      { message: 'Message exceeds token limit.' },
      400,
      'invalid_request_error',
      'context_length_exceeded',
      /prompt_too_long/,
    ],
    [
      {
        message:
          'Request Failed: 400 {"error":{"message":"The requested model is not supported.","code":"model_not_supported"}}',
      },
      404,
      'not_found_error',
      'model_not_found',
      /Copilot doesn’t serve "gpt-4.1"/,
    ],
    [
      {
        message:
          'Request Failed: 400 {"error":{"message":"prompt token count of 9 exceeds the limit of 8","code":"x"}}',
      },
      400,
      'invalid_request_error',
      'context_length_exceeded',
      /^prompt is too long: 9 tokens > 8 maximum$/,
    ],
    [{ message: 'Request Failed: 403 no' }, 403, 'permission_error', null, /refused for your account/],
  ])('F9 %j becomes %i', (fields, status, type, code, message) => {
    const error = lmFailure(thrown(fields), context);
    expect([error.status, error.type]).toEqual([status, type]);
    expect(error.message).toMatch(message);
    const told = tellOpenai(error);
    expect([told.status, told.body.error.code]).toEqual([status, code]);
  });

  it('of an image that it could not decode has neither name nor words', () => {
    expect(lmFailure(thrown({}), { ...context, hasImages: true })).toMatchObject({ status: 400, shouldRetry: false });
    expect(lmFailure(thrown({}), context)).toMatchObject({ status: 502 });
  });

  it('says when to come again only where that is known', () => {
    expect(lmFailure(thrown({ code: 'Blocked' }), context).retryAfterSeconds).toBe(300);
    expect(lmFailure(thrown({ name: 'ChatRateLimited' }), context).retryAfterSeconds).toBeNull();
  });

  it.each([undefined, null, 'text', 5, {}])('may be no error at all: %j', (value) => {
    expect(lmFailure(value, context)).toMatchObject({ status: 502, type: 'api_error' });
  });
});
