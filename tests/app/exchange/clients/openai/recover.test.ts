import { describe, expect, it } from 'vitest';
import { redact } from '../../../../../app/adapters/redact.ts';
import type { CopilotFailure } from '../../../../../app/copilot/failures.ts';
import { tellOpenai } from '../../../../../app/exchange/clients/openai/recover.ts';
import type { RecoverContext } from '../../../../../app/exchange/recover/recover-context.ts';
import { recoverFailure } from '../../../../../app/exchange/recover/recover-failure.ts';
import { refuseModel } from '../../../../../app/exchange/recover/refuse.ts';
import { failure } from '../../../copilot/failure.ts';

const context: RecoverContext = {
  now: 0,
  quotaResetsAt: null,
  weeklyResetsAt: null,
  sessionResetsAt: null,
  askedModel: 'm',
  servedModel: 'm',
  absence: null,
  offered: ['gpt-4.1'],
  redact,
};

/** Status, type and code that OpenAI's clients are told for each kind of failure (B6.7). */
describe('B6.7 tellOpenai', () => {
  it.each<[string, Partial<CopilotFailure>, [number, string, string | null]]>([
    ['signed out', { signedOut: true }, [503, 'server_error', 'copilot_unavailable']],
    ['401, twice', { tokensRefused: true, status: 401 }, [503, 'server_error', 'copilot_unavailable']],
    ['no network', { source: 'network', code: 'ENOTFOUND' }, [502, 'server_error', null]],
    ['400', { status: 400, message: 'bad n' }, [400, 'invalid_request_error', null]],
    [
      'too long',
      { status: 400, message: 'prompt token count of 9 exceeds the limit of 8' },
      [400, 'invalid_request_error', 'context_length_exceeded'],
    ],
    ['402', { status: 402, code: 'quota_exceeded' }, [402, 'insufficient_quota', 'quota_exceeded']],
    ['402 without a code', { status: 402 }, [402, 'insufficient_quota', 'insufficient_quota']],
    ['403', { status: 403 }, [403, 'permission_error', null]],
    ['404', { status: 404 }, [404, 'invalid_request_error', 'not_found']],
    [
      'a model that is refused',
      { status: 400, code: 'model_not_supported' },
      [404, 'invalid_request_error', 'model_not_found'],
    ],
    ['408', { status: 408 }, [413, 'invalid_request_error', 'request_too_large']],
    ['413', { status: 413 }, [413, 'invalid_request_error', 'request_too_large']],
    [
      '429',
      { status: 429, code: 'user_model_rate_limited', retryAfterSeconds: 7 },
      [429, 'rate_limit_error', 'user_model_rate_limited'],
    ],
    ['429 without a code', { status: 429 }, [429, 'rate_limit_error', 'rate_limit_exceeded']],
    ['503', { status: 503 }, [503, 'server_error', null]],
  ])('%s', (_name, more, [status, type, code]) => {
    const told = tellOpenai(recoverFailure(failure(more), context));
    expect(told).toMatchObject({
      status,
      body: {
        error: {
          message: expect.any(String),
          type,
          code,
          param: expect.toSatisfy((p) => p === null || typeof p === 'string'),
        },
      },
    });
    // Words for Claude Code alone.
    expect(told.body.error.message).not.toMatch(/\/compact|capability_rejected/);
  });

  it('a model that is not there', () => {
    expect(
      tellOpenai(refuseModel({ kind: 'not-in-catalog', text: 'No model.', mend: null }, ['gpt-4.1'])),
    ).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found', type: 'invalid_request_error' } },
    });
  });
});
