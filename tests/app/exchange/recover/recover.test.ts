import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../app/adapters/redact.ts';
import type { Absence } from '../../../../app/api/models.ts';
import { type CopilotFailure, failureFromNetwork, readFailure } from '../../../../app/copilot/failures.ts';
import { recoverBrokenAnswer } from '../../../../app/exchange/recover/broken-answer.ts';
import {
  type ClientError,
  kindOf,
  type RecoverContext,
  refuse,
  refuseModel,
} from '../../../../app/exchange/recover/error.ts';
import { recoverFailure } from '../../../../app/exchange/recover/recover.ts';
import { NetworkError } from '../../../../app/ports.ts';
import { failure } from '../../copilot/failure.ts';

const sample = (name: string): string => readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8');
const context: RecoverContext = {
  now: Date.parse('2026-11-20T10:00:00'),
  quotaResetsAt: '2026-12-01T01:00:00',
  weeklyResetsAt: '2026-11-23T09:40:00',
  sessionResetsAt: '2026-11-20T14:30:00',
  askedModel: 'opus',
  servedModel: 'claude-opus-4.8',
  absence: null,
  offered: ['claude-sonnet-4.6', 'claude-haiku-4.5'],
  redact,
};
const tell = (status: number, body: string, headers: Record<string, string> = {}) => {
  const {
    failure: _failure,
    kind: _kind,
    theirs: _theirs,
    limit: _limit,
    limitEndsAt: _limitEndsAt,
    tooLong: _tooLong,
    ...reported
  } = recoverFailure(readFailure(status, headers, body), context);
  return reported;
};
const local = (more: Partial<CopilotFailure>) => {
  const {
    failure: _failure,
    kind: _kind,
    theirs: _theirs,
    limit: _limit,
    tooLong: _tooLong,
    ...reported
  } = recoverFailure({ ...readFailure(500, {}, ''), ...more }, context);
  return reported;
};
const plain = { retryAfterSeconds: null, shouldRetry: true };
const final = { retryAfterSeconds: null, shouldRetry: false };

describe('B6.7 what Copilot says, in the client’s words', () => {
  it.each([
    ['error-400-model_max_prompt_tokens_exceeded.json', 'prompt is too long: 128581 tokens > 128000 maximum'],
    [
      'error-400-input-plus-max_tokens-exceed-context.json',
      'input length and `max_tokens` exceed context limit: 189727 + 16000 > 200000, decrease input length ' +
        'or `max_tokens` and try again',
    ],
    ['error-400-context_management-extra-inputs.json', 'context_management: Extra inputs are not permitted'],
    ['error-400-thinking-signature.json', 'messages.1.content.0: Invalid signature in thinking block'],
    ['error-400-cache_control-scope.json', 'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted'],
    [
      'error-400-mid-conversation-system-role.json',
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not ' +
        '"system" as an input message role.',
    ],
    [
      'error-400-max_tokens-exceeds.json',
      'Copilot answered 400: The maximum tokens you requested exceeds the model limit of 128000',
    ],
    [
      'error-400-empty-text-block.messages.json',
      'Copilot answered 400: messages: text content blocks must contain non-whitespace text',
    ],
  ])('C4.1 400 %s', (name, message) => {
    expect(tell(400, sample(name))).toEqual({ status: 400, type: 'invalid_request_error', message, ...plain });
  });

  it('a prompt that is too long, in Anthropic’s own envelope', () => {
    const body = JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
    });
    expect(tell(400, body).message).toBe('prompt is too long: 9 tokens > 8 maximum');
  });

  it('model_not_supported → 404 with what was asked, what it ran as, and the enabled ids', () => {
    expect(tell(400, sample('error-400-model_not_supported.json'))).toEqual({
      status: 404,
      type: 'not_found_error',
      message:
        'Jumpseat: Copilot doesn’t serve "opus" (sent as "claude-opus-4.8") to this account. Turn it on at ' +
        'github.com/settings/copilot, or use one of: claude-sonnet-4.6, claude-haiku-4.5.',
      ...plain,
    });
  });

  it.each(['error-401-token-expired.txt', 'error-401-ide-token-expired.txt'])(
    '401 after refresh and replay, %s → Copilot refuses fresh tokens; nobody is told to sign in, and it is ' +
      'said at once',
    (name) => {
      const failure = { ...readFailure(401, {}, sample(name)), tokensRefused: true, retryAfterSeconds: 30 };
      expect(local(failure)).toEqual({
        status: 503,
        type: 'api_error',
        message:
          'Jumpseat: Copilot refuses the tokens that GitHub currently issues. You stay signed in. Try ' +
          'again in 30 seconds.',
        retryAfterSeconds: 30,
        shouldRetry: false,
      });
    },
  );

  it('C14.2 402 → billing_error, one sentence with the reset date', () => {
    expect(tell(402, sample('error-402-quota_exceeded.json'))).toEqual({
      status: 402,
      type: 'billing_error',
      message:
        'Jumpseat: you’re out of Copilot credits. They reset on 1 Dec 2026, 01:00. Set or raise a GitHub budget at ' +
        'github.com/settings/billing to go on now.',
      ...final,
    });
  });

  it('403 of Copilot → what it said, and where to look', () => {
    const body = '{"error":{"message":"not authorized to use this Copilot feature"}}';
    expect(tell(403, body)).toEqual({
      status: 403,
      type: 'permission_error',
      message:
        'Jumpseat: refused for your account. Copilot answered 403: not authorized to use this Copilot feature. Check at ' +
        'github.com/settings/copilot that Copilot and this model are on. Your organization may have turned them off.',
      ...final,
    });
  });

  it('403 of the mint → GitHub’s own title, message and link', () => {
    expect(tell(403, sample('error-403-copilot-token-spammy_user.json'))).toEqual({
      status: 403,
      type: 'permission_error',
      message:
        'Jumpseat: Contact Support. Contact Support. You are currently logged in as xxx. ' +
        'https://support.github.com?editor=vscode',
      ...final,
    });
  });

  it.each(['error-413-plain.txt', 'error-413-old.json'])('C10.3 413 %s → passed on with advice', (name) => {
    expect(tell(413, sample(name))).toMatchObject({
      status: 413,
      type: 'request_too_large',
      message: expect.stringContaining('/compact'),
    });
  });

  it('C10.1 408 after its replay → says "compact", no retries', () => {
    expect(
      tell(408, '{"error":{"message":"Timed out reading request body","code":"user_request_timeout"}}'),
    ).toMatchObject({
      status: 408,
      message: expect.stringContaining('/compact'),
      shouldRetry: false,
    });
  });

  it('silence after the request was sent → 504 in words of its own, no retries', () => {
    const silence = { source: 'network', status: null, code: 'TIMEOUT', message: 'no answer within 120 s' } as const;
    const message =
      'Jumpseat: Copilot didn’t answer within 120 s. The model may have worked on the request, so it isn’t sent again ' +
      'automatically. Send the prompt again if you still want the answer.';
    expect(local({ ...silence, mayHaveArrived: true })).toEqual({ status: 504, type: 'api_error', message, ...final });
    expect(recoverFailure(failure({ ...silence, mayHaveArrived: true }), context).failure).toEqual({
      source: 'network',
      status: null,
      code: 'no-answer',
      message: 'Copilot didn’t answer in time. The model may have worked on the request.',
      clientMessage: message,
    });
    // No connection came about in that time.
    expect(local(silence)).toMatchObject({ status: 502, shouldRetry: true });
  });

  it('421 that repeats → 502, no retries', () => {
    expect(tell(421, sample('error-421-misdirected.txt'))).toMatchObject({
      status: 502,
      type: 'api_error',
      shouldRetry: false,
    });
  });

  it.each([
    [466, 'client not supported'],
    [400, 'bad request: missing Editor-Version header for IDE auth'],
    [400, 'bad request: unknown Editor-Version header for IDE auth'],
  ])('%i "%s" → 502, update Jumpseat', (status, body) => {
    expect(tell(status, body)).toMatchObject({
      status: 502,
      type: 'api_error',
      message: expect.stringContaining('Update Jumpseat'),
      shouldRetry: false,
    });
  });

  it('503 → 529 overloaded_error', () => {
    expect(tell(503, 'upstream down')).toMatchObject({ status: 529, type: 'overloaded_error', shouldRetry: true });
    // No limit of the account's.
    expect(recoverFailure(readFailure(503, {}, 'upstream down'), context).limit).toBe('overloaded');
  });

  it.each([500, 502, 504])('%i → its status, api_error', (status) => {
    expect(tell(status, '{"error":{"message":"boom","code":""}}')).toEqual({
      status,
      type: 'api_error',
      message: `Copilot answered ${status}: boom`,
      ...plain,
    });
  });

  it('529 passes', () => {
    expect(tell(529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')).toMatchObject({
      status: 529,
      type: 'overloaded_error',
    });
  });

  it('404 text', () => {
    expect(tell(404, sample('error-404-files-and-batches.txt'))).toMatchObject({
      status: 404,
      type: 'not_found_error',
    });
  });

  it('an answer that is no answer (3xx) → 502', () => {
    expect(tell(302, '')).toMatchObject({ status: 502, type: 'api_error' });
  });
});

describe('429', () => {
  const body = (code: string): string => JSON.stringify({ error: { message: 'slow down', code } });

  it('a short wait: retry-after in whole seconds, retries allowed', () => {
    expect(tell(429, body('user_model_rate_limited'), { 'retry-after': '17' })).toEqual({
      status: 429,
      type: 'rate_limit_error',
      message: 'Jumpseat: Copilot limits how often you may use this model. Try again in 17 seconds.',
      retryAfterSeconds: 17,
      shouldRetry: true,
    });
  });

  it('C14.1 the weekly limit: one call, a sentence with the time', () => {
    expect(tell(429, body('user_weekly_rate_limited'))).toEqual({
      status: 429,
      type: 'rate_limit_error',
      message: 'Jumpseat: you’ve reached Copilot’s weekly limit. It resets on Mon 23 Nov, 09:40.',
      retryAfterSeconds: null,
      shouldRetry: false,
    });
  });

  it('the 5-hour limit by its header', () => {
    const reported = tell(429, body('rate_limited'), {
      'retry-after': '16000',
      'x-ratelimit-exceeded': 'user:global-usage-5-hour-key:x',
    });
    expect(reported).toMatchObject({
      message: 'Jumpseat: you’ve reached Copilot’s 5-hour limit. It resets at 14:30.',
      retryAfterSeconds: 16000,
      shouldRetry: false,
    });
  });

  const emptyCredits = {
    'retry-after': '465000',
    'x-ratelimit-user-retry-after': '465000',
    'x-ratelimit-exceeded': 'quota_exceeded',
  };

  it('quota_exceeded on a 429 is about credits', () => {
    const reported = tell(429, body('rate_limited'), emptyCredits);
    expect(reported).toMatchObject({
      status: 429,
      type: 'billing_error',
      retryAfterSeconds: 465000,
      shouldRetry: false,
      message: expect.stringContaining('out of Copilot credits'),
    });
  });

  it('the weekly limit that comes with the header of empty credits is the weekly limit', () => {
    expect(tell(429, body('user_weekly_rate_limited'), emptyCredits)).toEqual({
      status: 429,
      type: 'rate_limit_error',
      message: 'Jumpseat: you’ve reached Copilot’s weekly limit. It resets on Mon 23 Nov, 09:40.',
      retryAfterSeconds: 465000,
      shouldRetry: false,
    });
  });

  it('over 60 s: no retries, and a time a person understands', () => {
    const reported = tell(429, body('rate_limited'), { 'retry-after': '465000' });
    expect(reported).toMatchObject({
      shouldRetry: false,
      message: 'Jumpseat: Copilot asks to slow down. Try again in 6 days, on Wed 25 Nov, 19:10.',
    });
  });

  it('model_overloaded → 529', () => {
    expect(tell(429, body('model_overloaded'))).toMatchObject({ status: 529, type: 'overloaded_error' });
  });
});

describe('without an answer', () => {
  const network = { source: 'network', status: null, host: 'api.individual.githubcopilot.com' } as const;

  it('a connection that broke → 502 with host and cause, retries allowed', () => {
    expect(local({ ...network, code: 'ECONNRESET', message: 'the connection was reset' })).toEqual({
      status: 502,
      type: 'api_error',
      message:
        'Jumpseat: no connection to api.individual.githubcopilot.com, because the connection was reset. Check the ' +
        'network, then try again.',
      ...plain,
    });
  });

  it('offline → no retries', () => {
    expect(local({ ...network, code: 'ENOTFOUND', message: 'the name was not found' }).shouldRetry).toBe(false);
  });

  it('signed out → 401, no retries', () => {
    expect(local({ signedOut: true })).toMatchObject({ status: 401, type: 'authentication_error', shouldRetry: false });
  });
});

describe('an answer that broke', () => {
  it('keeps the error’s own type and words', () => {
    expect(
      recoverBrokenAnswer({ kind: 'error', type: 'overloaded_error', message: 'Overloaded' }, null, context),
    ).toMatchObject({
      status: 529,
      type: 'overloaded_error',
      message: 'Copilot broke its answer off with overloaded_error: Overloaded',
      failure: { clientMessage: null },
    });
    expect(
      recoverBrokenAnswer({ kind: 'error', type: 'rate_limit_exceeded', message: 'Slow down' }, null, context),
    ).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      failure: { code: 'rate_limit_exceeded' },
    });
    expect(recoverBrokenAnswer({ kind: 'error', type: 'never_seen', message: 'x' }, null, context)).toMatchObject({
      status: 502,
      type: 'api_error',
    });
  });

  it('a prompt that is too long, as a stream of OpenAI’s says it', () => {
    expect(
      recoverBrokenAnswer({ kind: 'error', type: 'context_length_exceeded', message: 'x' }, null, context),
    ).toMatchObject({
      status: 400,
      message: 'capability_rejected: prompt_too_long',
      failure: {
        message: 'The prompt is too long for this model.',
        clientMessage: 'capability_rejected: prompt_too_long',
      },
    });
  });

  it('a cut names the network’s word where there is one', () => {
    expect(recoverBrokenAnswer({ kind: 'cut', type: null, message: '' }, 'ECONNRESET', context).message).toBe(
      'Jumpseat: Copilot’s answer ended early (ECONNRESET).',
    );
  });
});

describe('what only /responses says', () => {
  const said = (message: string) =>
    tell(400, JSON.stringify({ error: { message, code: 'invalid_request_body' } })).message;

  it.each([
    'The encrypted content for item rs_1 could not be verified. Reason: Encrypted content item_id did not ' +
      'match the target item id.',
    'The encrypted content gAAA could not be decrypted.',
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  ])('reasoning that it can’t read any more: %s', (message) => {
    expect(said(message)).toBe('capability_rejected: thinking_signature');
  });

  it('a prompt that is too long, without numbers', () => {
    expect(said('Your input exceeds the context window of this model. Please adjust your input and try again.')).toBe(
      'capability_rejected: prompt_too_long',
    );
  });
});

describe('a model that is not there', () => {
  it('is kept with the reason that the client reads, where that names a model of the catalog alone', () => {
    const text = 'text-embedding-3-small is for embeddings, not for conversations.';
    const { failure, message } = refuseModel({ kind: 'type', text, remedy: null }, []);
    expect(failure.clientMessage).toBe(message);
    expect(message).toContain(text);
    expect(refuseModel({ kind: 'not-in-catalog', text, remedy: null }, []).failure.clientMessage).toBeNull();
  });

  it('is named with the enabled ones, or with the place to turn it on', () => {
    const said = (absence: Absence, offered: string[]) => {
      const { message, failure } = refuseModel(absence, offered);
      return [message, failure.code];
    };
    expect(said({ kind: 'not-in-catalog', text: 'Copilot has none.', remedy: null }, ['a', 'b'])).toEqual([
      'Jumpseat: Copilot has none. Enabled: a, b.',
      'model-missing',
    ]);
    expect(said({ kind: 'policy', text: 'It is off.', remedy: 'Turn it on.' }, [])).toEqual([
      'Jumpseat: It is off. Turn it on. Enabled: none.',
      'model-disabled',
    ]);
    expect(said({ kind: 'auto-only', text: 'GitHub chooses.', remedy: 'Take another plan.' }, [])).toEqual([
      'Jumpseat: GitHub chooses. Take another plan.',
      'model-auto-only',
    ]);
  });

  it('that Copilot refuses by name says why, where the catalog does', () => {
    const refused = failure({
      status: 400,
      code: 'model_not_supported',
      message: 'The requested model is not supported.',
    });
    const reported = (absence: Absence | null) => recoverFailure(refused, { ...context, absence }).message;
    expect(reported(null)).toBe(
      'Jumpseat: Copilot doesn’t serve "opus" (sent as "claude-opus-4.8") to this account. Turn it on at ' +
        'github.com/settings/copilot, or use one of: claude-sonnet-4.6, claude-haiku-4.5.',
    );
    expect(reported({ kind: 'plan', text: 'It is part of Pro.', remedy: null })).toContain(
      'account. It is part of Pro. Turn',
    );
    expect(reported({ kind: 'auto-only', text: 'GitHub chooses.', remedy: 'Take another plan.' })).toBe(
      'Jumpseat: Copilot doesn’t serve "opus" (sent as "claude-opus-4.8") to this account. GitHub chooses. ' +
        'Take another plan.',
    );
  });
});

describe('what is kept of a failure', () => {
  const secret = 'my prompt, word for word';
  const quoting = JSON.stringify({ error: { message: secret, code: secret, type: secret } });
  const everyFailure: [string, ClientError][] = [
    ...[400, 401, 402, 403, 404, 408, 413, 421, 422, 424, 429, 466, 499, 500, 502, 503, 504, 529].flatMap(
      (status): [string, ClientError][] => [
        [`${status}`, recoverFailure(readFailure(status, {}, quoting), context)],
        [`${status} as text`, recoverFailure(readFailure(status, {}, secret), context)],
        [`${status} as a page`, recoverFailure(readFailure(status, {}, `<title>${secret}</title>`), context)],
      ],
    ),
    [
      'a field',
      recoverFailure(readFailure(400, {}, `{"message":"${secret}.x: Extra inputs are not permitted"}`), context),
    ],
    [
      'too long',
      recoverFailure(readFailure(400, {}, `{"message":"prompt is too long: 9 tokens > 8 ${secret}"}`), context),
    ],
    ['a network’s', recoverFailure(failureFromNetwork(new NetworkError(secret, secret, secret)), context)],
    ['GitHub’s', recoverFailure(failure({ source: 'github', status: 500, message: secret }), context)],
    ['an event', recoverBrokenAnswer({ kind: 'error', type: secret, message: secret }, null, context)],
    ['a cut', recoverBrokenAnswer({ kind: 'cut', type: null, message: secret }, secret, context)],
    ['ours', refuse(400, 'invalid_request_error', 'invalid_body', `Jumpseat: ${secret} is no list.`)],
    ['a model’s', refuseModel({ kind: 'not-in-catalog', text: secret, remedy: null }, [])],
  ];

  it.each(everyFailure)('%s: a sentence of ours and no word of others', (_name, error) => {
    expect(JSON.stringify(error.failure)).not.toContain(secret);
    expect(error.failure.message).toMatch(/^\S.+[.)]$/);
  });
});

describe('what code decides by', () => {
  const kindIn = (status: number, body: string, headers: Record<string, string> = {}) =>
    kindOf(recoverFailure(readFailure(status, headers, body), context));

  it('is the kind of each failure, and whose limit it is about', () => {
    expect(kindIn(402, sample('error-402-quota_exceeded.json'))).toEqual({
      ...{ kind: 'no-credits', limit: 'credits', limitEndsAt: Date.parse(context.quotaResetsAt ?? '') },
    });
    const weekly = JSON.stringify({ error: { code: 'user_weekly_rate_limited', message: 'slow' } });
    expect(kindIn(429, weekly)).toEqual({
      ...{ kind: 'limit', limit: 'weekly', limitEndsAt: Date.parse(context.weeklyResetsAt ?? '') },
    });
    const model = JSON.stringify({ error: { code: 'user_model_rate_limited', message: 'slow' } });
    // Nothing else is known of it than how long to wait.
    expect(kindIn(429, model, { 'retry-after': '17' })).toMatchObject({ limitEndsAt: context.now + 17_000 });
    expect(kindIn(429, model)).not.toHaveProperty('limitEndsAt');
    expect(kindIn(401, 'no')).toEqual({ kind: 'tokens-refused' });
  });

  it('is by how much a prompt is too long, before an answer and in the middle of one', () => {
    const tooLong = { kind: 'too-long', tooLong: { tokens: 128_581, most: 128_000 } };
    expect(kindIn(400, sample('error-400-model_max_prompt_tokens_exceeded.json'))).toEqual(tooLong);
    const message = 'prompt is too long: 128581 tokens > 128000 maximum';
    const broken = { kind: 'error', type: 'invalid_request_error', message } as const;
    expect(kindOf(recoverBrokenAnswer(broken, null, context))).toEqual(tooLong);
  });
});
