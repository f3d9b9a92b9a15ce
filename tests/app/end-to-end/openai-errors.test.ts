import OpenAI, { type APIError } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { type Stack, startStack } from '../stack.ts';

/** Every kind of error as OpenAI's own SDK understands it. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const sdk = (on: Stack, apiKey = `${on.key}.sdk`): OpenAI =>
  new OpenAI({ baseURL: `${on.baseUrl}/v1`, apiKey, maxRetries: 0 });
const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: 'gpt-4.1',
  messages: [{ role: 'user', content: 'x' }],
};
const caught = async (work: () => PromiseLike<unknown>): Promise<APIError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
};
const upstream = (status: number, error: object = { message: 'said by Copilot' }, headers = {}): void =>
  void stack.simulator.script.next({ kind: 'answer', status, headers, body: { error } }, '/chat/completions');

describe('B9.14 the official OpenAI SDK throws its own class', () => {
  it('401 AuthenticationError, whichever route', async () => {
    const stranger = sdk(stack, 'wrong.sdk');
    for (const work of [
      () => stranger.chat.completions.create(body),
      () => stranger.responses.create({ model: 'gpt-5.4', input: 'x' }),
      () => stranger.embeddings.create({ model: 'text-embedding-3-small', input: 'x' }),
      () => stranger.models.list(),
      () => stranger.models.retrieve('gpt-4.1'),
    ]) {
      const error = await caught(work);
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({
        code: 'invalid_api_key',
        type: 'invalid_request_error',
        param: null,
        requestID: expect.stringMatching(/^req_/),
        message: expect.stringContaining('jumpseat env --for openai'),
      });
    }
  });

  it('400 BadRequestError, with the field', async () => {
    const error = await caught(() => sdk(stack).chat.completions.create({ ...body, store: true }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param: 'store', code: 'unsupported_parameter', requestID: expect.any(String) });
  });

  it('403 PermissionDeniedError', async () => {
    stack.simulator.script.always(
      { kind: 'answer', status: 403, body: { error: { message: 'not for you' } } },
      '/chat/completions',
    );
    const error = await caught(() => sdk(stack).chat.completions.create(body));
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error).toMatchObject({ type: 'permission_error', message: expect.stringContaining('not for you') });
  });

  it('404 NotFoundError for a model, wherever it is named', async () => {
    const client = sdk(stack);
    for (const work of [
      () => client.chat.completions.create({ ...body, model: 'nope' }),
      () => client.responses.create({ model: 'nope', input: 'x' }),
      () => client.embeddings.create({ model: 'nope', input: 'x' }),
      () => client.models.retrieve('nope'),
    ]) {
      const error = await caught(work);
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ code: 'model_not_found', type: 'invalid_request_error' });
    }
  });

  it('404 for what is not here, in its words', async () => {
    const error = await caught(() => sdk(stack).images.generate({ prompt: 'x' }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('/v1/images/generations') });
  });

  it('413, from Copilot and at the door', async () => {
    upstream(413);
    const error = await caught(() => sdk(stack).chat.completions.create(body));
    expect(error).toMatchObject({ status: 413, code: 'request_too_large' });
    const content = 'x'.repeat(64 * 1024 * 1024);
    const large = await caught(() =>
      sdk(stack).chat.completions.create({ ...body, messages: [{ role: 'user', content }] }),
    );
    expect(large).toMatchObject({ status: 413, code: 'request_too_large' });
    expect(large.message).not.toContain('/compact');
  });

  it('429 RateLimitError with Retry-After', async () => {
    upstream(429, { message: 'slow', code: 'user_model_rate_limited' }, { 'retry-after': '7' });
    const error = await caught(() => sdk(stack).chat.completions.create(body));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ code: 'user_model_rate_limited', type: 'rate_limit_error' });
    expect(error.headers?.get('retry-after')).toBe('7');
  });

  it('503 InternalServerError copilot_unavailable when signed out, asked once', async () => {
    const signedOut = await startStack({ secrets: memorySecrets() });
    try {
      const client = new OpenAI({ baseURL: `${signedOut.baseUrl}/v1`, apiKey: `${signedOut.key}.sdk`, maxRetries: 2 });
      for (const work of [
        () => client.chat.completions.create(body),
        () => client.chat.completions.create({ ...body, stream: true }),
        () => client.responses.create({ model: 'gpt-5.4', input: 'x' }),
        () => client.embeddings.create({ model: 'text-embedding-3-small', input: 'x' }),
        () => client.models.list(),
        () => client.models.retrieve('gpt-4.1'),
      ]) {
        const error = await caught(work);
        expect(error).toBeInstanceOf(OpenAI.InternalServerError);
        expect(error).toMatchObject({ status: 503, code: 'copilot_unavailable', type: 'server_error' });
      }
      // A repeat would end the same way.
      expect(await signedOut.rows(4)).toHaveLength(4);
    } finally {
      await signedOut.close();
    }
  });

  it('a stream that fails on its way throws', async () => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 4 }, '/chat/completions');
    const stream = await sdk(stack).chat.completions.create({ ...body, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    expect(await caught(read)).toMatchObject({ code: 'cut', type: 'server_error' });
  });
});
