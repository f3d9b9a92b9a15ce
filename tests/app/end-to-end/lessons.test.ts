import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import { temporaryFolder } from '../history/surroundings.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/**
 * What Copilot refuses although nothing said so before: the request is changed and sent once more, and the next one is
 * right at once.
 */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const paths = ['/v1/messages', '/chat/completions', '/responses'];
const inference = (): RecordedRequest[] => stack.simulator.requests.filter(({ path }) => paths.includes(path));
const statuses = (): (number | null)[] => inference().map(({ status }) => status);
const lastBody = (): string => JSON.stringify(inference().at(-1)?.body);

const user = (content: unknown): Record<string, unknown> => ({ role: 'user', content });
const assistant = (content: unknown): Record<string, unknown> => ({ role: 'assistant', content });
const tool = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...more,
});
const thought = { type: 'thinking', thinking: 'Hm', signature: 'of somebody else' };
const refuse = (field: string) => (at: Stack) => void at.simulator.script.refuseField(field);

interface Case {
  name: string;
  model?: string;
  betas?: string;
  body: Record<string, unknown>;
  /** The same, for what has to be asked for first. */
  own?: () => Promise<Record<string, unknown>>;
  prepare: (stack: Stack) => void;
  /** Of the first attempt. */
  because: string;
  /** Note of the fit, in both exchanges. */
  note: string;
  /** Text that the first attempt has and the replay has not, or the other way round. */
  gone?: string;
  come?: string;
}

const cases: Case[] = [
  {
    name: 'context_management: removed with its beta',
    betas: 'context-management-2025-06-27',
    body: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    prepare: refuse('context_management'),
    because: 'refused-field',
    note: 'context_management removed',
    gone: 'context_management',
  },
  {
    name: 'thinking.display: removed',
    body: { max_tokens: 4000, thinking: { type: 'adaptive', display: 'omitted' } },
    prepare: refuse('thinking.display'),
    because: 'refused-field',
    note: 'thinking.display removed',
    gone: 'omitted',
  },
  {
    name: 'output_config.effort: removed, the format stays',
    body: { output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } } },
    prepare: refuse('output_config.effort'),
    because: 'refused-field',
    note: 'output_config.effort removed',
    gone: '"effort"',
  },
  {
    name: 'output_config.format: removed',
    body: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    prepare: refuse('output_config.format'),
    because: 'refused-field',
    note: 'output_config.format removed',
    gone: 'output_config',
  },
  {
    name: 'strict of a tool: removed of all',
    body: { tools: [tool('Read'), tool('Bash', { strict: true })] },
    prepare: refuse('tools.strict'),
    because: 'refused-field',
    note: 'tools.strict removed',
    gone: 'strict',
  },
  {
    name: 'a system message: folded',
    model: 'claude-opus-4.8',
    body: { messages: [user('hi'), { role: 'system', content: 'Be brief.' }] },
    prepare: (at) => void at.simulator.script.narrow('claude-opus-4.8', { systemMessages: false }),
    because: 'refused-system-messages',
    note: 'system messages folded',
    gone: '"role":"system"',
    come: '<system-reminder>\\nBe brief.',
  },
  {
    name: 'C12.2 a foreign signature: all thinking removed',
    body: { messages: [user('hi'), assistant([thought, { type: 'text', text: 'Hello' }]), user('and?')] },
    prepare: () => undefined,
    because: 'refused-thinking',
    note: 'thinking removed',
    gone: 'somebody else',
  },
  {
    name: 'redacted thinking: the same',
    body: {
      messages: [
        user('hi'),
        assistant([
          { type: 'redacted_thinking', data: 'of somebody else' },
          { type: 'text', text: 'Hello' },
        ]),
        user('and?'),
      ],
    },
    prepare: () => undefined,
    because: 'refused-thinking',
    note: 'thinking removed',
    gone: 'somebody else',
  },
  {
    name: 'reasoning on /responses that can’t be read any more: the same',
    model: 'gpt-5.4',
    body: {},
    own: async () => {
      const more = { model: 'gpt-5.4', stream: false, thinking: { type: 'enabled', budget_tokens: 8192 } };
      const { content } = JSON.parse((await stack.messages(prompt('think about it', more))).text);
      return { messages: [user('hi'), assistant(content), user('and?')] };
    },
    prepare: (at) => {
      at.simulator.script.next({
        kind: 'answer',
        status: 400,
        body: { error: { message: 'The encrypted content for item rs_1 could not be verified.', code: '' } },
      });
    },
    because: 'refused-thinking',
    note: 'thinking removed',
    gone: '"reasoning"',
  },
  {
    name: 'an effort that the model lists no more: clamped to its list',
    body: { output_config: { effort: 'max' } },
    prepare: (at) => void at.simulator.script.narrow('claude-sonnet-4.6', { efforts: ['low', 'medium'] }),
    because: 'refused-efforts',
    note: 'effort max → medium',
    gone: '"max"',
    come: '"effort":"medium"',
  },
  {
    name: 'the same through /chat/completions',
    model: 'gemini-3.1-pro-preview',
    body: { output_config: { effort: 'high' } },
    prepare: (at) => void at.simulator.script.narrow('gemini-3.1-pro-preview', { efforts: ['low'] }),
    because: 'refused-efforts',
    note: 'effort high → low',
    come: '"reasoning_effort":"low"',
  },
  {
    name: 'max_tokens over the limit that the refusal names: clamped',
    body: { max_tokens: 20_000 },
    prepare: (at) => void at.simulator.script.narrow('claude-sonnet-4.6', { outputTokens: 8000 }),
    because: 'refused-output-tokens',
    note: 'max_tokens 20000 → 8000',
    come: '"max_tokens":8000',
  },
  {
    name: 'a tool reference to a deferred tool: the tool is sent at once',
    betas: 'advanced-tool-use-2025-11-20',
    body: {
      tools: [tool('Read'), tool('Jira', { defer_loading: true })],
      messages: [
        user('hi'),
        assistant([{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }]),
        user([
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'tool_reference', tool_name: 'Jira' }],
          },
        ]),
      ],
    },
    prepare: (at) => {
      at.simulator.script.next({
        kind: 'answer',
        status: 400,
        body: { message: "messages.2.content.0: Tool reference 'Jira' not found in available tools" },
      });
    },
    because: 'refused-tool',
    note: 'deferred tool sent at once',
    gone: 'defer_loading',
    come: 'Tool loaded: Jira',
  },
  {
    name: 'stop on /chat/completions: cut here',
    model: 'gpt-4.1',
    body: { stop_sequences: ['simulated'] },
    prepare: (at) => void at.simulator.script.narrow('gpt-4.1', { stop: false }),
    because: 'refused-stop',
    note: 'stop sequence cut locally',
    gone: '"stop":[',
  },
];

describe('a refusal is met once', () => {
  it.each(cases)('C2.2 $name', async ({ model, betas, body, own, prepare, because, note, gone, come }) => {
    const asked = prompt('hi', { ...body, ...(model === undefined ? {} : { model }), ...(await own?.()) });
    const before = inference().length;
    prepare(stack);
    const headers = betas === undefined ? {} : { 'anthropic-beta': betas };
    const first = await stack.messages(asked, headers);
    expect([first.status, first.text.includes('message_stop')]).toEqual([200, true]);
    const sent = inference().slice(before);
    expect(sent.map(({ status }) => status)).toEqual([400, 200]);
    // The verdict stays, and so does the prompt.
    expect(new Set(sent.map(({ initiator }) => initiator)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-interaction-id'])).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
    const bodies = sent.map((request) => JSON.stringify(request.body));
    if (gone !== undefined) expect(bodies.map((each) => each.includes(gone))).toEqual([true, false]);
    if (come !== undefined) expect(bodies.map((each) => each.includes(come))).toEqual([false, true]);
    if (betas?.startsWith('context-management')) expect(sent.map((request) => request.betas.length)).toEqual([1, 0]);

    // The next request is right at once.
    expect((await stack.messages(asked, headers)).status).toBe(200);
    expect(statuses().slice(before)).toEqual([400, 200, 200]);
    if (come !== undefined) expect(lastBody()).toContain(come);

    const [one, other] = (await stack.rows(own === undefined ? 2 : 3)).slice(-2);
    expect(one?.attempts.map(({ status, retriedBecause }) => [status, retriedBecause])).toEqual([
      [400, because],
      [200, null],
    ]);
    expect(one).toMatchObject({ outcome: 'done', failure: null });
    expect(one?.fits.map(({ code }) => code)).toContain('recovered');
    expect(other?.fits.map(({ code }) => code)).not.toContain('recovered');
    for (const row of [one, other]) expect(row?.fits.map(({ text }) => text).join('\n')).toContain(note);
  });

  it('another model is not concerned', async () => {
    const strict = { tools: [tool('Bash', { strict: true })] };
    stack.simulator.script.refuseField('tools.strict', 'claude-sonnet-4.6');
    await stack.messages(prompt('hi', strict));
    await stack.messages(prompt('hi', { ...strict, model: 'claude-sonnet-4.5' }));
    expect(lastBody()).toContain('strict');
    expect(statuses()).toEqual([400, 200, 200]);
  });

  it('counting tokens knows it too', async () => {
    const strict = { tools: [tool('Bash', { strict: true })] };
    stack.simulator.script.refuseField('tools.strict');
    await stack.messages(prompt('hi', strict));
    const counted = await stack.send({
      method: 'POST',
      path: '/v1/messages/count_tokens',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-sonnet-4.6', messages: [user('hi')], ...strict }),
    });
    expect(counted.status).toBe(200);
    const asked = stack.simulator.requests.at(-1);
    expect([asked?.path, asked?.status]).toEqual(['/v1/messages/count_tokens', 200]);
    expect(JSON.stringify(asked?.body)).not.toContain('strict');
  });
});

describe('recoveries have an end', () => {
  it('B6.9 two of them; the third refusal is told', async () => {
    for (const field of ['tools.strict', 'service_tier', 'output_config.format'])
      stack.simulator.script.refuseField(field);
    const answer = await stack.messages(
      prompt('hi', {
        tools: [tool('Bash', { strict: true })],
        service_tier: 'auto',
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      }),
    );
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { message: 'output_config.format: Extra inputs are not permitted' } });
    const [row] = await stack.rows(1);
    expect(row?.attempts.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(row).toMatchObject({ outcome: 'failed', charge: { kind: 'none' } });
  });

  it('what did not help is not believed', async () => {
    stack.simulator.script.always({
      kind: 'answer',
      status: 400,
      body: { message: 'service_tier: Extra inputs are not permitted' },
    });
    const asked = prompt('hi', { service_tier: 'auto' });
    expect((await stack.messages(asked)).status).toBe(400);
    expect(statuses()).toEqual([400, 400]);
    stack.simulator.script.clear();
    await stack.messages(asked);
    expect(lastBody()).toContain('service_tier');
  });

  it('what is not in the request is not taken out: one attempt', async () => {
    stack.simulator.script.next({
      kind: 'answer',
      status: 400,
      body: { message: 'context_management: Extra inputs are not permitted' },
    });
    expect((await stack.messages(prompt('hi'))).status).toBe(400);
    expect(statuses()).toEqual([400]);
  });

  it('a field that the request needs stays: one attempt', async () => {
    stack.simulator.script.refuseField('messages.content');
    expect((await stack.messages(prompt('hi'))).status).toBe(400);
    expect(statuses()).toEqual([400]);
  });
});

it('what was learned is told by its check, with its end, and by nothing else', async () => {
  const learned = (): Promise<unknown> => stack.app.check('copilot.learned');
  const check = {
    id: 'copilot.learned',
    group: 'copilot',
    title: 'Learned',
    verdict: 'passed',
    remedy: null,
  };
  expect(await learned()).toEqual({ ...check, finding: 'Nothing learned from Copilot’s refusals so far' });
  stack.simulator.script.refuseField('tools.strict');
  await stack.messages(prompt('hi', { tools: [tool('Bash', { strict: true })] }));
  expect(await learned()).toEqual({
    ...check,
    found: 'lessons',
    finding: expect.stringMatching(/^claude-sonnet-4\.6 takes no tools\.strict, until \d+ \w+ \d{4}, \d\d:\d\d$/),
  });
});

it('what was learned outlives a restart', async () => {
  const home = temporaryFolder();
  const strict = prompt('hi', { tools: [tool('Bash', { strict: true })] });
  for (const expected of [[400, 200], [200]]) {
    const one = await startStack({ home });
    one.simulator.script.refuseField('tools.strict');
    expect((await one.messages(strict)).status).toBe(200);
    expect(one.simulator.requests.filter(({ path }) => path === '/v1/messages').map(({ status }) => status)).toEqual(
      expected,
    );
    await one.close();
  }
});

it('what was learned is forgotten after a day: Copilot may take it by then', async () => {
  const clock = nodeClock();
  let ahead = 0;
  const one = await startStack({
    ports: { clock: { now: () => clock.now() + ahead, ticks: () => clock.ticks(), sleep: clock.sleep.bind(clock) } },
  });
  const sent = (): boolean[] =>
    one.simulator.requests
      .filter(({ path }) => path === '/v1/messages')
      .map(({ body }) => JSON.stringify(body).includes('strict'));
  const strict = prompt('hi', { tools: [tool('Bash', { strict: true })] });
  const allow = one.simulator.script.refuseField('tools.strict');
  await one.messages(strict);
  allow();
  ahead = 24 * 3_600_000 - 60_000;
  await one.messages(strict);
  ahead = 24 * 3_600_000 + 60_000;
  await one.messages(strict);
  expect(sent()).toEqual([true, false, false, true]);
  await one.close();
});

describe('taking back what was learned', () => {
  const strict = (model = 'claude-sonnet-4.6') => prompt('hi', { model, tools: [tool('Bash', { strict: true })] });
  const learned = async (): Promise<string[]> =>
    (await stack.app.learned()).map(({ model, text }) => `${model} ${text}`);

  beforeEach(async () => {
    stack.simulator.script.refuseField('tools.strict');
    await stack.messages(strict());
    await stack.messages(strict('claude-opus-4.8'));
    expect(await learned()).toEqual([
      'claude-sonnet-4.6 takes no tools.strict',
      'claude-opus-4.8 takes no tools.strict',
    ]);
    expect(statuses()).toEqual([400, 200, 400, 200]);
  });

  it('one: its model is asked again, the other is not', async () => {
    const [first] = await stack.app.learned();
    expect(await stack.app.forgetLessons(first?.id ?? null)).toBe(1);
    expect(await learned()).toEqual(['claude-opus-4.8 takes no tools.strict']);
    await stack.messages(strict('claude-opus-4.8'));
    await stack.messages(strict());
    expect(statuses().slice(4)).toEqual([200, 400, 200]);
  });

  it('all of it, from another process of the same folder, which does not write the history', async () => {
    const { home } = stack;
    // What is counted is on disk by then.
    await stack.app.check('server.database');
    const other = await startStack({ home, idle: true, app: { readOnly: true } });
    expect(await other.app.forgetLessons(null)).toBe(2);
    expect(await other.app.learned()).toEqual([]);
    await other.close();
    await expect.poll(learned).toEqual([]);
    await stack.messages(strict());
    expect(statuses().slice(4)).toEqual([400, 200]);
    expect(await learned()).toEqual(['claude-sonnet-4.6 takes no tools.strict']);
  });
});
