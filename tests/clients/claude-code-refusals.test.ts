import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../app/formats/wire/json.ts';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import type { Reply, Script } from '../../app/simulator/script.ts';
import { messageEnd, messageStart } from '../app/events.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/**
 * What the real Claude Code does with Copilot's refusals, once they have come through: nothing hangs, nothing is
 * hidden, nothing is billed twice.
 */

let product: Product;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(() => product.close());

const asked = (): RecordedRequest[] =>
  product.simulator.requests.filter(({ path, method }) => method === 'POST' && path === '/v1/messages');
const refusal = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  kind: 'answer',
  status,
  body,
  headers,
});
const error = (message: string, code = ''): unknown => ({ error: { message, code } });

describe.runIf(claudeBinary !== '')('the real Claude Code gives up at once, with our words', () => {
  it.each([
    {
      name: '401, also with a new token: the sign-in is kept',
      reply: refusal(401, 'unauthorized: token expired'),
      reported: 'Copilot refuses the tokens that GitHub currently issues. You stay signed in.',
      sent: [401, 401],
    },
    {
      name: '403: what the account may not',
      reply: refusal(403, error('Claude is off for your organization', 'policy')),
      reported: 'Claude is off for your organization',
      sent: [403, 403],
    },
    {
      name: '413: too large',
      reply: refusal(413, '413 Request Entity Too Large'),
      reported: 'Request too large',
      sent: [413],
    },
    {
      name: '466: a newer client is wanted',
      reply: refusal(466, error('client not supported')),
      reported: 'Update Jumpseat',
      sent: [466],
    },
    {
      name: '408 twice: compact',
      reply: refusal(408, error('Timed out reading request body', 'user_request_timeout')),
      reported: 'run /compact',
      sent: [408, 408],
    },
  ])('$name', async ({ reply, reported, sent }) => {
    product.simulator.script.always(reply, '/v1/messages');
    const { code, text, errors } = await runClaude(product, 'hi');
    expect(code).not.toBe(0);
    expect(text + errors).toContain(reported);
    expect(asked().map(({ status }) => status)).toEqual(sent);
    expect(product.exchanges.map(({ initiator, outcome, charge }) => [initiator, outcome, charge.kind])).toEqual([
      ['user', 'failed', 'none'],
    ]);
  });
});

describe.runIf(claudeBinary !== '')('the real Claude Code tries again, as the person', () => {
  it.each([
    { name: '503', reply: refusal(503, error('upstream busy')), status: 529, charge: 'unknown' },
    {
      name: 'an overloaded model',
      reply: refusal(429, error('busy', 'model_overloaded')),
      status: 529,
      charge: 'none',
    },
    { name: '529', reply: refusal(529, error('overloaded')), status: 529, charge: 'none' },
  ])('$name', async ({ reply, status, charge }) => {
    product.simulator.script.next(reply);
    const { code, text } = await runClaude(product, 'hi');
    expect([code, text]).toEqual([0, expect.stringContaining('simulated Copilot')]);
    expect(product.exchanges.map((row) => [row.status, row.initiator, row.charge.kind])).toEqual([
      [status, 'user', charge],
      [200, 'user', 'billed'],
    ]);
  });

  it('a short limit said twice: it waits as long as it is told, and what comes then is taken', async () => {
    for (const _ of [1, 2]) product.simulator.script.next(refusal(429, error('slow down'), { 'retry-after': '4' }));
    const { code } = await runClaude(product, 'hi');
    expect(code).toBe(0);
    expect(asked().map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(new Set(product.exchanges.map(({ initiator }) => initiator))).toEqual(new Set(['user']));
  });
});

describe.runIf(claudeBinary !== '')('the real Claude Code asks again, otherwise', () => {
  it('input and max_tokens are too much together: it asks for less, as the person', async () => {
    const words = 'input length and `max_tokens` exceed context limit: 189727 + 64000 > 200000';
    product.simulator.script.next(refusal(400, error(words, 'invalid_request_body')));
    const { code } = await runClaude(product, 'hi');
    expect(code).toBe(0);
    expect(asked().map(({ body }) => isObject(body) && body.max_tokens)).toEqual([64_000, 9273]);
    expect(product.exchanges.map((row) => [row.status, row.initiator, row.charge.kind])).toEqual([
      [400, 'user', 'none'],
      [200, 'user', 'billed'],
    ]);
  });

  it('an answer without a block: asked for once more, and no second prompt of the person’s', async () => {
    product.simulator.script.next({ kind: 'stream', events: [messageStart(), ...messageEnd('end_turn')] });
    const { code, text } = await runClaude(product, 'hi');
    expect([code, text]).toEqual([0, expect.stringContaining('simulated Copilot')]);
    expect(JSON.stringify(asked().at(-1)?.body)).toContain('no visible output');
    expect(product.exchanges.map((row) => [row.status, row.initiator, row.reason?.code])).toEqual([
      [200, 'user', 'prompt'],
      [200, 'agent', 'repeat'],
    ]);
  });

  it('a constant 504: as often as it repeats by itself, and no POST more', async () => {
    product.simulator.script.always(refusal(504, error('upstream timed out')), '/v1/messages');
    // Its ten repeats take minutes.
    const { code } = await runClaude(product, 'hi', { env: { CLAUDE_CODE_MAX_RETRIES: '2' } });
    expect(code).not.toBe(0);
    expect(asked().map(({ status, initiator }) => [status, initiator])).toEqual([
      [504, 'user'],
      [504, 'user'],
      [504, 'user'],
    ]);
    expect(product.exchanges.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
  });

  it('the connection fails: it tries again, as the person', async () => {
    product.simulator.script.next({ kind: 'reset' });
    const { code } = await runClaude(product, 'hi');
    expect(code).toBe(0);
    expect(product.exchanges.map((row) => [row.status, row.initiator, row.charge.kind, row.attempts.length])).toEqual([
      [502, 'user', 'unknown', 1],
      [200, 'user', 'billed', 1],
    ]);
  });
});

describe.runIf(claudeBinary !== '')('the real Claude Code does not notice', () => {
  const strict: { name: string; prepare: (script: Script) => unknown; because: string | null }[] = [
    {
      name: '421: Copilot moved the account to another host',
      prepare: (script) => script.moveHost(),
      because: 'wrong-host',
    },
    {
      name: '408 once',
      prepare: (script) => script.next(refusal(408, error('Timed out reading request body', 'user_request_timeout'))),
      because: 'request-timeout',
    },
    {
      name: 'C2.2 context_management refused',
      prepare: (script) => script.refuseField('context_management'),
      because: 'refused-field',
    },
    {
      name: 'C2.2 output_config.effort refused',
      prepare: (script) => script.refuseField('output_config.effort'),
      because: 'refused-field',
    },
    {
      name: 'C2.2 a smaller output limit than the catalog says',
      prepare: (script) => {
        for (const model of ['claude-opus-4.8', 'claude-sonnet-4.6', 'claude-haiku-4.5'])
          script.narrow(model, { outputTokens: 8000 });
      },
      because: 'refused-output-tokens',
    },
  ];
  it.each(strict)('$name: one request of its own, one prompt', async ({ prepare, because }) => {
    // The token is there, and with it the host that is left.
    await fetch(`${product.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${product.key}.test` } });
    await prepare(product.simulator.script);
    const { code, text } = await runClaude(product, 'run: echo jump42');
    expect([code, text]).toEqual([0, expect.stringContaining('jump42')]);
    expect(product.exchanges.map(({ status, initiator }) => [status, initiator])).toEqual([
      [200, 'user'],
      [200, 'agent'],
    ]);
    // Met in the first request, and never again.
    expect(product.exchanges.map(({ attempts }) => attempts.map(({ retriedBecause }) => retriedBecause))).toEqual([
      [because, null],
      [null],
    ]);
  });
});
