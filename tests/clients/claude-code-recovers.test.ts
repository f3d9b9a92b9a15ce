import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import { blockDelta, blockStart, errorEvent, messageStart, textBlock, toolBlock } from '../app/events.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(() => product.close());

const asked = (): RecordedRequest[] =>
  product.simulator.requests.filter(({ path, method }) => method === 'POST' && path === '/v1/messages');
const initiators = (): (string | null)[] => asked().map(({ initiator }) => initiator);
const reasons = (): (string | undefined)[] => product.exchanges.map(({ reason }) => reason?.code);
const goOn = { args: ['--continue'] };

describe.runIf(claudeBinary !== '')('the real Claude Code compacts', () => {
  it('D4 /compact: one request, agent; the session goes on with its summary, and the next prompt is user', async () => {
    expect((await runClaude(product, 'hello there')).code).toBe(0);
    expect(await runClaude(product, '/compact', goOn)).toMatchObject({ code: 0, errors: '' });
    const { code } = await runClaude(product, 'and now?', goOn);
    expect(code).toBe(0);
    expect(initiators()).toEqual(['user', 'agent', 'user']);
    expect(asked().map(({ headers }) => headers['x-interaction-type'])).toEqual([
      'conversation-agent',
      'conversation-compaction',
      'conversation-agent',
    ]);
    expect(product.exchanges.map(({ reason, requestClass }) => [reason?.code, requestClass])).toEqual([
      ['prompt', 'main'],
      ['compaction', 'compaction'],
      ['prompt', 'main'],
    ]);
    const last = JSON.stringify(asked().at(-1)?.body);
    expect(last).toContain('The person tried Jumpseat with the simulator.');
    expect(last).toContain('and now?');
    expect(last).not.toContain('You asked: “hello there”');
  });

  it(
    'D5 a prompt that is too long for Copilot: the session is compacted and the prompt answered, as the ' + 'person’s',
    async () => {
      expect((await runClaude(product, 'hello there')).code).toBe(0);
      const sample = new URL('../samples/error-400-model_max_prompt_tokens_exceeded.json', import.meta.url);
      product.simulator.script.next({ kind: 'answer', status: 400, body: JSON.parse(readFileSync(sample, 'utf8')) });
      const { code, text } = await runClaude(product, 'and now?', goOn);
      expect([code, text]).toEqual([0, expect.stringContaining('simulated Copilot')]);
      expect(initiators()).toEqual(['user', 'user', 'agent', 'user']);
      expect(reasons()).toEqual(['prompt', 'prompt', 'compaction', 'prompt']);
      expect(product.exchanges[1]).toMatchObject({
        status: 400,
        failure: { clientMessage: 'prompt is too long: 128581 tokens > 128000 maximum' },
      });
      const last = JSON.stringify(asked().at(-1)?.body);
      expect(last).toContain('The person tried Jumpseat with the simulator.');
      expect(last).toContain('and now?');
    },
  );
});

describe.runIf(claudeBinary !== '')('the real Claude Code after an error in mid-stream', () => {
  const call = '{"command": "touch was-run", "description": "x"}';
  it.each([
    {
      name: 'D6 after message_start alone: nothing was accepted, the repeat is the person’s',
      events: [messageStart()],
      initiators: ['user', 'user'],
      reasons: ['prompt', 'prompt'],
      ran: false,
    },
    {
      name: 'D6 in an open text block: the repeat is agent',
      events: [
        messageStart(),
        blockStart(0, { text: '', type: 'text' }),
        blockDelta(0, { text: 'half', type: 'text_delta' }),
      ],
      initiators: ['user', 'agent'],
      reasons: ['prompt', 'repeat'],
      ran: false,
    },
    {
      name: 'D6 after a finished text block: resumed',
      events: [messageStart(), ...textBlock(0, 'The first half. ')],
      initiators: ['user', 'agent'],
      reasons: ['prompt', 'resume'],
      ran: false,
    },
    {
      name: 'D6 in a tool call behind a finished text: resumed, the tool does not run',
      events: [messageStart(), ...textBlock(0, 'Now: '), ...toolBlock(1, 'Bash', call, false)],
      initiators: ['user', 'agent'],
      reasons: ['prompt', 'resume'],
      ran: false,
    },
    {
      name: 'D6 after a finished tool call: the tool runs and the turn goes on',
      events: [messageStart(), ...toolBlock(0, 'Bash', call)],
      initiators: ['user', 'agent'],
      reasons: ['prompt', 'tool-results'],
      ran: true,
    },
  ])('$name', async ({ events, ...expected }) => {
    product.simulator.script.next({ kind: 'stream', events: [...events, errorEvent('api_error', 'it broke')] });
    const { code } = await runClaude(product, 'tell me');
    expect(code).toBe(0);
    expect(initiators()).toEqual(expected.initiators);
    expect(reasons()).toEqual(expected.reasons);
    expect(product.exchanges.map(({ outcome }) => outcome)).toEqual(['failed', 'done']);
    expect(existsSync(join(product.home, 'project', 'was-run'))).toBe(expected.ran);
  });
});

describe.runIf(claudeBinary !== '')('the real Claude Code on /responses', () => {
  it('reasoning that Copilot can’t read any more: the client drops its thinking and goes on', async () => {
    const refusal = {
      message:
        'The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be ' +
        'decrypted or parsed.',
      code: 'invalid_request_body',
    };
    const isWithReasoning = ({ path, body }: RecordedRequest): boolean =>
      path === '/responses' && JSON.stringify(body).includes('"type":"reasoning"');
    const stop = product.simulator.script.always(
      { kind: 'answer', status: 400, body: { error: refusal } },
      isWithReasoning,
    );
    const { code, text } = await runClaude(product, 'think about it, then run: echo jump42', { model: 'gpt-5.4' });
    stop();
    expect([code, text]).toEqual([0, expect.stringContaining('jump42')]);
    const sent = product.simulator.requests.filter(({ path }) => path === '/responses');
    expect(sent.map(({ initiator, status }) => [initiator, status])).toEqual([
      ['user', 200],
      ['agent', 400],
      ['agent', 200],
    ]);
  });

  it('D5 a prompt that is too long, said without numbers and after the head: the session is compacted', async () => {
    const model = { model: 'gpt-5.4' };
    expect((await runClaude(product, 'hello there', model)).code).toBe(0);
    const error = {
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    };
    product.simulator.script.next({
      kind: 'stream',
      events: [
        { event: 'response.created', data: { type: 'response.created', response: {} } },
        { event: 'response.failed', data: { type: 'response.failed', response: { status: 'failed', error } } },
      ],
    });
    const { code, text } = await runClaude(product, 'and now?', { ...model, ...goOn });
    expect([code, text]).toEqual([0, expect.stringContaining('simulated Copilot')]);
    expect(reasons()).toEqual(['prompt', 'prompt', 'compaction', 'prompt']);
  });
});
