import { describe, expect, it } from 'vitest';
import { dialectOf, tellError } from '../../../app/server/client-api.ts';

describe('dialectOf', () => {
  it.each([
    ['/v1/chat/completions', 'openai', 'openai'],
    ['/chat/completions', 'openai', 'openai'],
    ['/v1/responses', 'openai', 'openai'],
    ['/v1/responses/resp_1', 'openai', 'openai'],
    ['/embeddings', 'openai', 'openai'],
    ['/v1/messages', 'anthropic', 'anthropic'],
    ['/v1/messages/count_tokens', 'anthropic', 'anthropic'],
    ['/v1/models', 'openai', 'anthropic'],
    ['/v1/models/gpt-4.1', 'openai', 'anthropic'],
    ['/models', 'openai', 'anthropic'],
    // Not here, and asked for by either.
    ['/v1/files', 'openai', 'anthropic'],
    ['/v1/images/generations', 'openai', 'anthropic'],
    ['/v1/messages-of-another-kind', 'openai', 'anthropic'],
    ['/', 'anthropic', 'anthropic'],
    ['/v2/messages', 'anthropic', 'anthropic'],
    ['/responsesX', 'anthropic', 'anthropic'],
  ])('%s: %s, with Anthropic’s version header %s', (path, without, withIt) => {
    expect([dialectOf(path, {}), dialectOf(path, { 'anthropic-version': '2023-06-01' })]).toEqual([without, withIt]);
  });
});

it('an error in either envelope, with the id where that SDK looks for it', () => {
  const error = { status: 404, type: 'not_found_error', message: 'No.' } as const;
  expect(tellError('anthropic', error, 'req_1')).toEqual({
    status: 404,
    body: { type: 'error', error: { type: 'not_found_error', message: 'No.' }, request_id: 'req_1' },
    idHeader: 'request-id',
  });
  expect(tellError('openai', error, 'req_1')).toEqual({
    status: 404,
    body: { error: { type: 'invalid_request_error', message: 'No.', code: 'not_found', param: null } },
    idHeader: 'x-request-id',
  });
  const openai = { status: 503, body: { error: {} } };
  expect(tellError('openai', { ...error, openai }, 'req_1')).toEqual({ ...openai, idHeader: 'x-request-id' });
});
