import { describe, expect, it } from 'vitest';
import { tellOpenai } from '../../app/exchange/clients/openai.ts';
import { lmFailure } from '../../vscode/failures.ts';

const context = { model: 'gpt-4.1', offered: ['gpt-4.1'], images: [], window: 'VS Code' };
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
    const reported = tellOpenai(error);
    expect([reported.status, reported.body.error.code]).toEqual([status, code]);
  });

  it('of an image that it could not decode has neither name nor words', () => {
    const one = lmFailure(thrown({}), { ...context, images: ['messages[2].content[1]'] });
    expect(one).toMatchObject({ status: 400, shouldRetry: false, param: 'messages[2].content[1]' });
    expect(tellOpenai(one).body.error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'messages[2].content[1]',
      message: expect.stringContaining('messages[2].content[1]: VS Code can’t decode this image'),
    });
    const several = lmFailure(thrown({}), { ...context, images: ['input[0].content[1].image_url', 'input[1]'] });
    expect(several.message).toContain('input[0].content[1].image_url: VS Code can’t decode one of the 2 images');
    expect(lmFailure(thrown({}), context)).toMatchObject({ status: 502 });
  });

  // Sentences of Copilot Chat 0.67.0.
  it.each([
    [
      'You’ve hit your session rate limit. Please upgrade your plan or wait 3 seconds for your limit to reset.',
      3,
      true,
    ],
    ['You’ve hit the rate limit for this model. Please try switching to Auto or try again in 40 seconds.', 40, true],
    ['You’ve hit the rate limit for this model. Please try again in 1 minute.', 60, true],
    ['You’ve reached your limit. Please wait 3 hours for your limit to reset.', 60, false],
    ['You’ve reached your weekly rate limit. Please wait for your limit to reset on 12/1/2026.', null, true],
    ['Sorry, your request was rate-limited. (Request ID: 3 seconds)', null, true],
  ])('says when to try again where VS Code’s sentence does: %s', (message, seconds, shouldRetry) => {
    const error = lmFailure(thrown({ name: 'ChatRateLimited', message }), context);
    expect([error.retryAfterSeconds, error.shouldRetry]).toEqual([seconds, shouldRetry]);
  });

  it('offers no model that VS Code has just taken away', () => {
    const error = lmFailure(thrown({ code: 'NotFound' }), { ...context, offered: ['gpt-4.1', 'gpt-5'] });
    expect(error.message).toBe('Jumpseat: VS Code offers no Copilot model “gpt-4.1”. Offered: gpt-5.');
  });

  it('gives no raw code to OpenAI’s clients where no number is known', () => {
    const { message } = tellOpenai(lmFailure(thrown({ message: 'Message exceeds token limit.' }), context)).body.error;
    expect(message).toBe('Jumpseat: the conversation is too long for this model.');
  });

  it('says when to come again only where that is known', () => {
    expect(lmFailure(thrown({ code: 'Blocked' }), context).retryAfterSeconds).toBe(300);
    expect(lmFailure(thrown({ name: 'ChatRateLimited' }), context).retryAfterSeconds).toBeNull();
  });

  it.each([undefined, null, 'text', 5, {}])('may be no error at all: %j', (value) => {
    expect(lmFailure(value, context)).toMatchObject({ status: 502, type: 'api_error' });
  });
});
