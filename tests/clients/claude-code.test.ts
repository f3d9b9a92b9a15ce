import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

const messageStart = {
  event: 'message_start',
  data: {
    message: {
      content: [],
      id: 'msg_1',
      model: 'claude-opus-4-8',
      role: 'assistant',
      stop_reason: null,
      stop_sequence: null,
      type: 'message',
      usage: { input_tokens: 5, output_tokens: 1 },
    },
    type: 'message_start',
  },
};

let product: Product;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(() => product.close());

const asked = (): RecordedRequest[] =>
  product.simulator.requests.filter(
    ({ path, method }) => method === 'POST' && ['/v1/messages', '/chat/completions', '/responses'].includes(path),
  );
const initiators = (): (string | null)[] => asked().map(({ initiator }) => initiator);
const users = (): number => initiators().filter((initiator) => initiator === 'user').length;

describe.runIf(claudeBinary !== '')('the real Claude Code', () => {
  it('a plain prompt: one request, user', async () => {
    const { code, text } = await runClaude(product, 'hello there');
    expect([code, text]).toEqual([0, expect.stringContaining('You asked: “hello there”')]);
    expect(initiators()).toEqual(['user']);
    expect(product.simulator.script.violations).toEqual([]);
  });

  it.each(['claude-opus-4.8', 'claude-opus-4-6', 'claude-sonnet-4-6', 'claude-sonnet-4-5', 'claude-haiku-4.5'])(
    'C2.1 %s passes a Copilot that refuses every field it refuses',
    async (model) => {
      const { code, text } = await runClaude(product, 'run: echo hi', { model });
      expect([code, text]).toEqual([0, expect.stringContaining('hi')]);
      expect(asked().map(({ status }) => status)).toEqual([200, 200]);
      expect(initiators()).toEqual(['user', 'agent']);
    },
  );

  it('D1 prompt, tool turn, answer: two requests, one user, and the tool really ran', async () => {
    const { code, text } = await runClaude(product, 'run: echo jump$((40 + 2))');
    expect([code, text]).toEqual([0, expect.stringContaining('jump42')]);
    expect(initiators()).toEqual(['user', 'agent']);
    await product.ended(({ reason }) => reason?.code === 'tool-results');
    expect(product.exchanges.map(({ reason, client, requestClass }) => [reason?.code, client, requestClass])).toEqual([
      ['prompt', 'claude-code', 'main'],
      ['tool-results', 'claude-code', 'main'],
    ]);
    expect(new Set(asked().map(({ headers }) => headers['x-interaction-id'])).size).toBe(1);
  });

  it('D2 a subagent in the background: one user; the subagent and the notification are agent', async () => {
    const { code } = await runClaude(product, 'subagent: run: echo sub');
    expect(code).toBe(0);
    expect(users()).toBe(1);
    const codes = product.exchanges.map(({ reason }) => reason?.code);
    expect(codes).toContain('subagent');
    expect(codes).toContain('notification');
    const types = new Set(asked().map(({ headers }) => headers['x-interaction-type']));
    expect(types).toContain('conversation-subagent');
  });

  it('D3 a subagent that is waited for: one user', async () => {
    const { code } = await runClaude(product, 'subagent: run: echo sub', {
      env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    });
    expect(code).toBe(0);
    expect(users()).toBe(1);
    expect(product.exchanges.map(({ reason }) => reason?.code)).toContain('subagent');
  });

  it('without hint headers the verdicts are the same', async () => {
    const { code } = await runClaude(product, 'subagent: run: echo sub', {
      env: { CLAUDE_CODE_GATEWAY_HINT_HEADERS: '' },
    });
    expect(code).toBe(0);
    expect(users()).toBe(1);
  });

  it.each(['clean', 'destroy'] as const)(
    'D6 a stream cut (%s) after a finished block is resumed: still one user',
    async (cut) => {
      // message_start, block start, its deltas and stop of a thinking block; then the cut.
      product.simulator.script.next({
        kind: 'stream',
        events: [
          messageStart,
          {
            event: 'content_block_start',
            data: { content_block: { text: '', type: 'text' }, index: 0, type: 'content_block_start' },
          },
          {
            event: 'content_block_delta',
            data: { delta: { text: 'The first half. ', type: 'text_delta' }, index: 0, type: 'content_block_delta' },
          },
          { event: 'content_block_stop', data: { index: 0, type: 'content_block_stop' } },
          { delayMs: 50 },
        ],
        end: cut,
      });
      const { code } = await runClaude(product, 'tell me');
      expect(code).toBe(0);
      expect(initiators()).toEqual(['user', 'agent']);
      expect(product.exchanges.map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([
        ['cut', 'prompt'],
        ['done', 'resume'],
      ]);
    },
  );

  it('D6 a stream cut in an open tool call: the tool does not run, the repeat is agent', async () => {
    product.simulator.script.next({
      kind: 'stream',
      events: [
        messageStart,
        {
          event: 'content_block_start',
          data: {
            content_block: { id: 'toolu_1', input: {}, name: 'Bash', type: 'tool_use' },
            index: 0,
            type: 'content_block_start',
          },
        },
        {
          event: 'content_block_delta',
          data: {
            delta: { partial_json: '{"command": "touch should-not-exist"', type: 'input_json_delta' },
            index: 0,
            type: 'content_block_delta',
          },
        },
        { delayMs: 50 },
      ],
      end: 'clean',
    });
    const { code } = await runClaude(product, 'tell me');
    expect(code).toBe(0);
    expect(initiators()).toEqual(['user', 'agent']);
    expect(product.exchanges.map(({ reason }) => reason?.code)).toEqual(['prompt', 'repeat']);
    const results = JSON.stringify(asked().at(-1)?.body);
    expect(results).not.toContain('should-not-exist');
  });

  it('D7 a model that is not there: two client requests at most, a clear text, no Copilot call', async () => {
    const { code, text, errors } = await runClaude(product, 'hi', { model: 'claude-opus-4.5' });
    expect(code).not.toBe(0);
    expect(text + errors).toContain('claude-opus-4.5');
    expect(asked()).toEqual([]);
    expect(product.exchanges.length).toBeLessThanOrEqual(2);
  });

  it('D8 a wrong local key: stops at once with our words', async () => {
    const begun = Date.now();
    const { code, text, errors } = await runClaude(product, 'hi', {
      env: { ANTHROPIC_AUTH_TOKEN: 'wrong.claude-code' },
    });
    expect(code).not.toBe(0);
    expect(text + errors).toContain('this key isn’t mine');
    // Left to itself it would try for three minutes.
    expect(Date.now() - begun).toBeLessThan(20_000);
  });

  it('D9 402: one request, our sentence', async () => {
    const stop = product.simulator.script.always(
      { kind: 'answer', status: 402, body: { error: { message: 'You have no quota', code: 'quota_exceeded' } } },
      '/v1/messages',
    );
    const { code, text, errors } = await runClaude(product, 'hi');
    stop();
    expect(code).not.toBe(0);
    expect(text + errors).toContain('out of Copilot credits');
    expect(asked()).toHaveLength(1);
  });

  it('D9 429 with a long wait: one request', async () => {
    const stop = product.simulator.script.always(
      {
        kind: 'answer',
        status: 429,
        headers: { 'retry-after': '465000' },
        body: { error: { message: 'x', code: 'user_weekly_rate_limited' } },
      },
      '/v1/messages',
    );
    const { code, text, errors } = await runClaude(product, 'hi');
    stop();
    expect(code).not.toBe(0);
    expect(text + errors).toContain('weekly limit');
    expect(asked()).toHaveLength(1);
  });

  it('a refused prompt that is tried again stays user until one is accepted', async () => {
    product.simulator.script.next({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: { message: 'x', code: 'rate_limited' } },
    });
    const { code } = await runClaude(product, 'hi');
    expect(code).toBe(0);
    expect(initiators()).toEqual(['user', 'user']);
    expect(product.exchanges.at(-1)?.reason?.sentence).toContain('second attempt');
  });

  it('D15 gpt-4.1 and gemini through the translated path, with a tool', async () => {
    for (const model of ['gpt-4.1', 'gemini-3.1-pro-preview']) {
      const before = asked().length;
      const { code, text } = await runClaude(product, 'run: echo hi', { model });
      expect([model, code, text]).toEqual([model, 0, expect.stringContaining('hi')]);
      const sent = asked().slice(before);
      expect(sent.map(({ path, initiator, status }) => [path, initiator, status])).toEqual([
        ['/chat/completions', 'user', 200],
        ['/chat/completions', 'agent', 200],
      ]);
    }
  });

  it('D15 A6.14 gpt-5.4 through /responses, with a tool and with thinking: one user', async () => {
    const prompt = 'think about it, then run: echo jump$((40 + 2))';
    const { code, text } = await runClaude(product, prompt, { model: 'gpt-5.4' });
    expect([code, text]).toEqual([0, expect.stringContaining('jump42')]);
    expect(asked().map(({ path, initiator, status }) => [path, initiator, status])).toEqual([
      ['/responses', 'user', 200],
      ['/responses', 'agent', 200],
    ]);
    // What the model thought goes back to it with the result of the tool.
    const [, second] = asked();
    const { input } = Object(second?.body) as { input: { type: string }[] };
    expect(input.map(({ type }) => type).slice(-3)).toEqual(['reasoning', 'function_call', 'function_call_output']);
    await product.ended(({ reason }) => reason?.code === 'tool-results');
    expect(product.exchanges.map(({ path, outcome, charge }) => [path, outcome, charge.kind])).toEqual([
      ['/responses', 'done', 'billed'],
      ['/responses', 'done', 'billed'],
    ]);
    expect(product.simulator.script.violations).toEqual([]);
  });

  it('D13 C21.1 model discovery lists the enabled Claude models', async () => {
    const { code } = await runClaude(product, 'hello', {
      env: {
        CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '',
        // What it would like to ask elsewhere goes to a port where nobody is.
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1',
      },
    });
    expect(code).toBe(0);
    const ids = readFileSync(join(product.home, '.claude', 'cache', 'gateway-models.json'), 'utf8');
    for (const id of ['claude-opus-4.8', 'claude-sonnet-4.6', 'claude-haiku-4.5']) expect(ids).toContain(`"${id}"`);
    expect(ids).not.toContain('claude-opus-4.5');
  });
});
