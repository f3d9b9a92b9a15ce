import { describe, expect, it } from 'vitest';
import { redact } from '../../../../app/adapters/redact.ts';
import type { CopilotFailure } from '../../../../app/copilot/failures.ts';
import { fitChatImages } from '../../../../app/exchange/clients/chat-native.ts';
import type { ChatBody } from '../../../../app/exchange/clients/chat-read.ts';
import { tellOpenai } from '../../../../app/exchange/clients/openai.ts';
import { fitResponsesImages } from '../../../../app/exchange/clients/responses-native.ts';
import { type RecoverContext, refuseModel, Stopped } from '../../../../app/exchange/recover/error.ts';
import { recoverFailure } from '../../../../app/exchange/recover/recover.ts';
import { failure } from '../../copilot/failure.ts';
import { claude } from '../fits/claude.ts';

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
    const reported = tellOpenai(recoverFailure(failure(more), context));
    expect(reported).toMatchObject({
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
    expect(reported.body.error.message).not.toMatch(/\/compact|capability_rejected/);
  });

  it('a model that is not there', () => {
    expect(
      tellOpenai(refuseModel({ kind: 'not-in-catalog', text: 'No model.', remedy: null }, ['gpt-4.1'])),
    ).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found', type: 'invalid_request_error' } },
    });
  });
});

/** Two images of 3 MB at most. */
const model = claude('gpt-5.4');
const tooLarge = `data:image/png;base64,${'A'.repeat(5 * 2 ** 20)}`;
const small = (data: string, type = 'image/png'): string => `data:${type};base64,${data}`;
const words = (text: string) => `[image left out: ${text}]`;

/** The same list of images, in the newest message of a person or before it, as each API writes it. */
const apis = [
  {
    name: 'chat',
    place: (at: number) => `messages[0].content[${at}].image_url`,
    fitted: (urls: string[], later: boolean, taking = model) => {
      const content = urls.map((url) => ({ type: 'image_url', image_url: { url } }));
      const answer = later ? [{ role: 'assistant', content: 'Well' }] : [];
      const messages: ChatBody['messages'] = [{ role: 'user', content }, ...answer];
      const { messages: sent, ...reported } = fitChatImages(messages, taking);
      const [first] = sent;
      const parts = Array.isArray(first?.content) ? first.content : [];
      return { ...reported, same: sent === messages, parts: parts.map((part) => part.text ?? part.image_url?.url) };
    },
  },
  {
    name: 'responses',
    place: (at: number) => `input[0].content[${at}].image_url`,
    fitted: (urls: string[], later: boolean, taking = model) => {
      const content = urls.map((url) => ({ type: 'input_image', image_url: url }));
      const answer = later ? [{ role: 'assistant', content: [{ type: 'output_text', text: 'Well' }] }] : [];
      const input = [{ role: 'user', content }, ...answer];
      const { input: sent, ...reported } = fitResponsesImages(input, taking);
      const parts: { text?: string; image_url?: string }[] = Array.isArray(sent) ? sent[0].content : [];
      return { ...reported, same: sent === input, parts: parts.map((part) => part.text ?? part.image_url) };
    },
  },
];

describe.each(apis)('C10.2 images of an OpenAI client, $name', ({ fitted, place }) => {
  it('that the model takes go on as they are', () => {
    const urls = [small('AAAA'), small('BBBB', 'image/JPEG')];
    expect(fitted(urls, false)).toEqual({ same: true, parts: urls, vision: true, notes: [] });
    expect(fitted([], false)).toEqual({ same: true, parts: [], vision: false, notes: [] });
  });

  it('too many: the oldest leave', () => {
    expect(fitted([small('AAAA'), small('BBBB'), small('CCCC'), small('DDDD')], false)).toEqual({
      same: false,
      parts: [words('the model accepts 2'), words('the model accepts 2'), small('CCCC'), small('DDDD')],
      vision: true,
      notes: [{ code: 'images-left-out', count: 2, text: 'images left out ×2' }],
    });
  });

  it('of another type, or too large and from before: a text says so, and they take no place', () => {
    expect(fitted([small('AAAA', 'image/tiff'), tooLarge, small('BBBB'), small('CCCC')], true)).toEqual({
      same: false,
      parts: [words('image/tiff is not taken'), words('3.8 MB > 3 MB'), small('BBBB'), small('CCCC')],
      vision: true,
      notes: [{ code: 'image-left-out', count: 2, text: 'image left out ×2' }],
    });
  });

  it('to a model that sees none', () => {
    const blind = claude('gpt-4.1', { limits: { images: null }, supports: { vision: false } });
    expect(fitted([small('AAAA')], false, blind)).toEqual({
      same: false,
      parts: [words('the model accepts none')],
      vision: false,
      notes: [{ code: 'images-left-out', count: 1, text: 'images left out' }],
    });
  });

  const refused = (urls: string[]): unknown => {
    try {
      return fitted(urls, false);
    } catch (error) {
      return error instanceof Stopped && [error.error.status, error.error.type, error.error.param, error.message];
    }
  };

  it('too large and just attached: refused by its size', () => {
    expect(refused([small('AAAA'), tooLarge])).toEqual([
      413,
      'request_too_large',
      place(1),
      'Jumpseat: an image is 3.8 MB; Copilot accepts 3 MB.',
    ]);
  });

  it('by its address: refused by its place', () => {
    expect(refused(['http://10.0.0.1/secret'])).toEqual([
      400,
      'invalid_request_error',
      place(0),
      `Jumpseat: ${place(0)}: Copilot accepts no images by address. Send a data URL.`,
    ]);
  });
});
