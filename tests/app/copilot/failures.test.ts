import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { AccountError } from '../../../app/account/account-error.ts';
import { failureFromAccount, failureFromNetwork, readFailure, whoSaidWhat } from '../../../app/copilot/failures.ts';
import { readRequestIds } from '../../../app/copilot/outgoing.ts';
import { NetworkError } from '../../../app/ports.ts';
import { sample } from '../account/surroundings.ts';
import { failure } from './failure.ts';

const now = Date.UTC(2026, 10, 20, 12);
const read = (status: number, body: string, headers: IncomingHttpHeaders = {}) =>
  readFailure(status, headers, body, { now });
const plain = failure();

describe('a refusal of Copilot', () => {
  it.each([
    [
      'error-400-cache_control-scope.json',
      'invalid_request_error',
      'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
    ],
    [
      'error-400-invalid_reasoning_effort.json',
      'invalid_reasoning_effort',
      'output_config.effort "xhigh" is not supported by model claude-sonnet-4.6; supported values: [low ' +
        'medium high max]',
    ],
    ['error-400-model_not_supported.json', 'model_not_supported', 'The requested model is not supported.'],
    ['error-400-fallbacks.json', null, 'fallbacks: Extra inputs are not permitted'],
    ['error-413-old.json', null, 'request entity too large'],
    ['error-402-quota_exceeded.json', 'quota_exceeded', 'You have no quota'],
    ['error-401-token-expired.txt', null, 'unauthorized: token expired'],
    ['error-404-files-and-batches.txt', null, '404 page not found'],
    ['error-421-misdirected.txt', null, 'Misdirected Request'],
  ])('B6.1 B6.4 %s', (name, code, message) => {
    const status = Number(/\d+/.exec(name)?.[0]);
    const speaker = name.endsWith('.txt') ? 'unsure' : 'copilot';
    expect(read(status, sample(name))).toEqual({ ...plain, status, code, message, speaker });
  });

  it('B6.2 of a code with a colon the part before it counts', () => {
    expect(read(429, '{"error":{"message":"m","code":"user_model_rate_limited:claude-opus-4.8:day"}}').code).toBe(
      'user_model_rate_limited',
    );
  });

  it('B6.3 an empty code is none', () => {
    expect(read(400, sample('error-400-external-image-url.json'))).toEqual({
      ...plain,
      status: 400,
      code: null,
      message: 'external image URLs are not supported',
    });
  });

  it.each([
    ['', 'Bad Gateway'],
    ['  \n', 'Bad Gateway'],
    ['{}', 'Bad Gateway'],
  ])('B6.5 B5.9 %j → the text of the status', (body, message) => {
    expect(read(502, body)).toMatchObject({ status: 502, code: null, message });
  });

  it('an unknown status has a number at least', () => {
    expect(read(466, '').message).toBe('status 466');
  });

  it('an error event is read like its data', () => {
    const event =
      'event: error\r\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\r\n\r\n';
    expect(read(529, event)).toMatchObject({ status: 529, code: 'overloaded_error', message: 'Overloaded' });
  });

  it('an error that is a bare text, JSON that is no object, and a long text', () => {
    expect(read(400, '{"error":"nope"}').message).toBe('nope');
    expect(read(400, '"nope"').message).toBe('"nope"');
    expect(read(500, 'x'.repeat(100_000)).message).toHaveLength(2000);
  });

  it('keeps the ids that support asks for, each once', () => {
    const headers = { 'x-request-id': 'a', 'x-github-request-id': 'b', 'apim-request-id': 'a' };
    expect(read(500, '', headers).requestIds).toEqual(['a', 'b']);
  });

  it('keeps GitHub’s own words, and where an organisation wants an authorisation', () => {
    expect(read(403, sample('error-403-copilot-token-spammy_user.json')).notice).toEqual({
      id: 'spammy_user',
      title: 'Contact Support',
      message: 'Contact Support. You are currently logged in as xxx.',
      url: 'https://support.github.com?editor=vscode',
    });
    expect(read(401, '{"message":"m","authorize_url":"https://github.com/orgs/o/sso"}').authorizeUrl).toBe(
      'https://github.com/orgs/o/sso',
    );
    expect(read(401, '{"message":"m","authorize_url":"javascript:alert(1)"}').authorizeUrl).toBeNull();
    expect(read(403, '{"error_details":{"title":"T","url":"file:///etc/passwd"}}').notice?.url).toBeNull();
  });
});

describe('how long to wait', () => {
  it.each<[string, IncomingHttpHeaders, number | null]>([
    ['nothing', {}, null],
    ['seconds', { 'retry-after': '7' }, 7],
    ['zero', { 'retry-after': '0' }, 0],
    ['a part of a second', { 'retry-after': '1.2' }, 2],
    ['a date', { 'retry-after': 'Fri, 20 Nov 2026 12:01:30 GMT' }, 90],
    [
      'a date by the service’s own clock',
      { 'retry-after': 'Fri, 20 Nov 2026 15:01:30 GMT', date: 'Fri, 20 Nov 2026 15:01:00 GMT' },
      30,
    ],
    ['a date that is over', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    ['no sense', { 'retry-after': 'soon' }, null],
    [
      'three at once: the largest',
      { 'retry-after': '60', 'x-ratelimit-user-retry-after': '900', 'x-ratelimit-quota-exceeded-retry-after': '30' },
      900,
    ],
  ])('B6.6 %s', (_name, headers, seconds) => {
    expect(read(429, '', headers).retryAfterSeconds).toBe(seconds);
  });

  it('B6.6 the observed headers: five days and more', () => {
    const headers = Object.fromEntries(
      sample('error-429-headers-observed.txt')
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => line.split(': ')),
    );
    expect(read(429, '', headers)).toEqual({
      ...plain,
      status: 429,
      code: null,
      message: 'Too Many Requests',
      speaker: 'unsure',
      retryAfterSeconds: 465_000,
      limitExceeded: 'quota_exceeded',
    });
  });
});

describe('who speaks', () => {
  const said = (status: number, body: string, headers: IncomingHttpHeaders = {}) =>
    whoSaidWhat(read(status, body, headers));

  it.each<[string, number, string, IncomingHttpHeaders, string]>([
    ['Copilot’s envelope', 400, '{"error":{"message":"m","code":""}}', {}, 'Copilot answered 400: m'],
    ['a flat refusal', 400, '{"message":"fallbacks: no"}', {}, 'Copilot answered 400: fallbacks: no'],
    ['a text with GitHub’s id', 502, 'oops', { 'x-github-request-id': 'A1' }, 'Copilot answered 502: oops'],
    [
      'a text of nobody',
      502,
      'upstream unavailable',
      {},
      'Copilot or a gateway before it answered 502: upstream unavailable',
    ],
    [
      'a gateway’s JSON',
      503,
      '{"message":"no healthy upstream"}',
      {},
      'Copilot or a gateway before it answered 503: no healthy upstream',
    ],
    [
      'a web page',
      403,
      '<!doctype html><html><head><title lang="en">\n Access  Denied\n</title></head><body>…</body></html>',
      { 'x-github-request-id': 'A1' },
      'A gateway before Copilot answered 403 with a web page titled “Access Denied”',
    ],
    [
      'a page without a title',
      502,
      '<html><body>nginx</body></html>',
      {},
      'A gateway before Copilot answered 502 with a web page',
    ],
  ])('%s', (_name, status, body, headers, sentence) => expect(said(status, body, headers)).toBe(sentence));
});

describe('what is secret or quoted', () => {
  const redact = (text: string): string => text.replaceAll('s3cret-token-of-copilot', '[redacted]');
  const quoting = (code: unknown, message = 'm', request = '') =>
    readFailure(400, {}, JSON.stringify({ error: { message, code } }), {
      redact,
      isQuoted: (words) => request.includes(words),
    });

  it('a token is looked for in what the JSON means, not in how it is spelled', () => {
    const body = '{"error":{"message":"bad \\u0073\\u0033cret-token-of-copilot","code":"s3cret-token-of-copilot"}}';
    expect(readFailure(400, {}, body, { redact })).toMatchObject({ message: 'bad [redacted]', code: null });
  });

  it.each([
    ['words', 'please write a poem', '', null],
    ['one word', 'Poem', '', null],
    ['an unknown code', 'new_kind_of_limit', '', 'new_kind_of_limit'],
    ['the same where the request has it', 'new_kind_of_limit', 'my new_kind_of_limit', null],
    ['a known code, whatever the request has', 'rate_limited', 'rate_limited', 'rate_limited'],
    ['another part of the request', 'my_prompt:rest', 'my_prompt', null],
  ])('a code that is %s', (_name, code, request, kept) => expect(quoting(code, 'm', request).code).toBe(kept));

  it.each([
    ['an id', 'ABCD:12.3_4-5', ['ABCD:12.3_4-5']],
    ['128 characters', 'x'.repeat(128), ['x'.repeat(128)]],
    ['more', 'x'.repeat(129), []],
    ['words beside an id', 'ab-1 tell me "everything"<br>', []],
    ['two ids in one header', 'ab-1, ab-2', []],
    ['a token in pieces', `tid=${'a'.repeat(20)};exp=1795000000;sku=free;8kp=1:0123abcdef`, []],
    ['a token of this process', 's3cret-token-of-copilot', []],
    ['a token that a cut would hide', `${'x'.repeat(110)}s3cret-token-of-copilot`, []],
  ])('%s in the header of an id is kept whole or not at all', (_name, value, ids) => {
    expect(readRequestIds({ 'x-request-id': value }, redact)).toEqual(ids);
  });
});

describe('a failure before Copilot', () => {
  it('A5.5 the network', () => {
    const unreached = new NetworkError('api.example', 'ENOTFOUND', 'its name could not be found', {
      nothingSent: true,
    });
    expect(failureFromNetwork(unreached)).toEqual({
      ...plain,
      source: 'network',
      status: null,
      code: 'ENOTFOUND',
      message: 'its name could not be found',
      host: 'api.example',
    });
    expect(failureFromNetwork(new NetworkError('h', 'ECONNRESET', 'closed'))).toMatchObject({ mayHaveArrived: true });
  });

  const notice = { id: 'not_signed_up', title: 'T', message: 'M', url: null };
  it.each([
    [
      new AccountError('signed-out', 'Not signed in.', 'Sign in.'),
      { source: 'github', status: 401, code: 'signed_out', message: 'Not signed in. Sign in.', signedOut: true },
    ],
    [
      new AccountError('refused', 'Gone.', 'Sign in.', { status: 401 }),
      { source: 'github', status: 401, code: 'refused', message: 'Gone. Sign in.', signedOut: true },
    ],
    [
      new AccountError('refused', 'No.', 'See.', { status: 401, notice }),
      { source: 'github', status: 401, code: 'not_signed_up', message: 'No.', notice },
    ],
    [
      new AccountError('rate-limited', 'Slow.', 'Wait.', { status: 403, retryAfterSeconds: 9 }),
      { source: 'github', status: 429, code: 'rate_limited', message: 'Slow.', retryAfterSeconds: 9 },
    ],
    [
      new AccountError('network', 'refused', 'Check.', { host: 'h', code: 'ECONNREFUSED' }),
      { source: 'network', status: null, code: 'ECONNREFUSED', message: 'refused', host: 'h' },
    ],
    [
      new AccountError('broken', 'Odd.', 'Wait.', { status: 500, host: 'h' }),
      { source: 'github', status: 500, code: 'broken', message: 'Odd. Wait.', host: 'h' },
    ],
  ])('the account: %o', (error, expected) => {
    expect(failureFromAccount(error)).toEqual({ ...plain, ...expected });
  });

  it('B1.15 a rate limit of the mint is none of the sign-in', () => {
    expect(failureFromAccount(new AccountError('rate-limited', 'Slow.', 'Wait.')).signedOut).toBe(false);
  });
});
