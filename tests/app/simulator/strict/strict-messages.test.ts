import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { findModel } from '../../../../app/simulator/catalog.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';
import type { MessagesCheck } from '../../../../app/simulator/strict/check.ts';
import { checkMessages } from '../../../../app/simulator/strict/strict-messages.ts';
import { sample } from '../sample.ts';

const user = (content: unknown): JsonObject => ({ role: 'user', content });
const assistant = (content: unknown): JsonObject => ({ role: 'assistant', content });
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'done' });
const tool = (name: string, more: JsonObject = {}): JsonObject => ({ name, input_schema: { type: 'object' }, ...more });
const marked = (words: string): JsonObject => ({ ...text(words), cache_control: { type: 'ephemeral' } });
const picture = (source: JsonObject): JsonObject => ({ type: 'image', source });
const png = picture({ type: 'base64', media_type: 'image/png', data: 'AAAA' });

function check(
  body: JsonObject,
  more: Partial<MessagesCheck> & { id?: string } = {},
): ReturnType<typeof checkMessages> {
  const { id = 'claude-sonnet-4.6', ...rest } = more;
  const model = findModel(defaultModels(), id);
  if (model === null) throw new Error(id);
  return checkMessages({
    body: { model: id, ...(rest.purpose === 'count' ? {} : { max_tokens: 1000 }), messages: [user('Hello')], ...body },
    model,
    betas: [],
    purpose: 'message',
    acceptsSignature: (signature) => signature === 'ours',
    ...rest,
  });
}

describe('refusals that were recorded', () => {
  const scoped = { ...text('x'), cache_control: { type: 'ephemeral', scope: 'global' } };
  const server = (type: string): JsonObject => ({ tools: [tool('Bash'), { type, name: 'x' }] });
  const table: [string, JsonObject, (Partial<MessagesCheck> & { id?: string })?][] = [
    ['error-400-inference_geo.json', { inference_geo: 'eu' }],
    ['error-400-fallbacks.json', { fallbacks: [] }],
    ['error-400-top-level-cache_control.json', { cache_control: { type: 'ephemeral' } }],
    ['error-400-context_management-extra-inputs.json', { context_management: { edits: [] } }],
    ['error-400-mid-conversation-system-role.json', { messages: [user('a'), { role: 'system', content: 'b' }] }],
    ['error-400-empty-text-block.messages.json', { messages: [user([text(' \n ')])] }],
    ['error-400-empty-text-block.messages.json', { messages: [user('')] }],
    ['error-400-web_search-tool.json', server('web_search_20250305')],
    ['error-400-web_fetch-tool.json', server('web_fetch_20250910')],
    ['error-400-external-image-url.json', { messages: [user([picture({ type: 'url', url: 'https://a/b.png' })])] }],
    [
      'error-400-external-image-url.json',
      { messages: [user([{ type: 'document', source: { type: 'url', url: 'https://a/b.pdf' } }])] },
    ],
  ];
  it.each(table)('%s', (name, body, more) => {
    expect(check(body, more)).toEqual({ status: 400, body: sample(name) });
  });

  it('error-400-cache_control-scope, but for the request id', () => {
    const recorded = sample('error-400-cache_control-scope.json');
    const request_id = expect.stringMatching(/^req_/);
    expect(check({ system: [scoped] })).toEqual({ status: 400, body: { ...(recorded as object), request_id } });
    expect(check({ messages: [user([scoped])] })?.body).toMatchObject({
      error: { message: 'messages.0.content.0.cache_control.ephemeral.scope: Extra inputs are not permitted' },
    });
  });

  it('error-400-code_execution-tool-tag, at the place of the tool', () => {
    const body = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] };
    expect(check(body)).toEqual({ status: 400, body: sample('error-400-code_execution-tool-tag.json') });
  });

  it('error-400-invalid_reasoning_effort', () => {
    const body = { output_config: { effort: 'xhigh' } };
    expect(check(body)).toEqual({ status: 400, body: sample('error-400-invalid_reasoning_effort.json') });
    expect(check({ output_config: { effort: 'max' } })).toBeNull();
  });

  it('error-400-max_tokens-exceeds, with the limit of the model', () => {
    const limit = 32_000;
    const recorded = JSON.stringify(sample('error-400-max_tokens-exceeds.json')).replace('128000', String(limit));
    expect(check({ max_tokens: limit + 1 })).toEqual({ status: 400, body: JSON.parse(recorded) });
    expect(check({ max_tokens: limit })).toBeNull();
  });

  it('error-400-thinking-signature', () => {
    const thought = (signature: string): JsonObject => ({
      messages: [user('a'), assistant([{ type: 'thinking', thinking: 'x', signature }, text('b')]), user('c')],
    });
    expect(check(thought('foreign'))).toEqual({ status: 400, body: sample('error-400-thinking-signature.json') });
    expect(check(thought('ours'))).toBeNull();
  });

  it('error-400-model_max_prompt_tokens_exceeded, counted roughly', () => {
    const words = 'x'.repeat(4 * 168_000);
    expect(check({ messages: [user(words)] })).toEqual({
      status: 400,
      body: {
        error: {
          message: expect.stringMatching(/^prompt token count of \d+ exceeds the limit of 168000$/),
          code: 'model_max_prompt_tokens_exceeded',
        },
      },
    });
    expect(check({ messages: [user(words)] }, { purpose: 'count' })).toBeNull();
  });

  it('error-400-input-plus-max_tokens-exceed-context', () => {
    const recorded = sample('error-400-input-plus-max_tokens-exceed-context.json') as { error: { message: string } };
    const model = findModel(defaultModels(), 'claude-sonnet-4.6');
    if (model === null) throw new Error('claude-sonnet-4.6');
    const words = 'x'.repeat(4 * 167_900);
    const refusal = check(
      { messages: [user(words)], max_tokens: 64_000 },
      { model: { ...model, outputTokens: 64_000 } },
    );
    expect(refusal?.status).toBe(400);
    expect(JSON.stringify(refusal?.body).replace(/\d+ \+ \d+/, '189727 + 16000')).toBe(JSON.stringify(recorded));
  });
});

describe('fields that go with a beta', () => {
  it('context_management', () => {
    const body = { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } };
    expect(check(body, { betas: ['context-management-2025-06-27'] })).toBeNull();
    expect(check(body, { betas: ['context-management'] })).not.toBeNull();
  });

  it('compaction edits', () => {
    const body = { context_management: { edits: [{ type: 'compact_20260112' }] } };
    expect(check(body, { betas: ['context-management-2025-06-27'] })?.body).toEqual({
      message: 'context_management.edits.0: Extra inputs are not permitted',
    });
    expect(check(body, { betas: ['compact-2026-01-12'] })).toBeNull();
  });

  it('output_config of one message', () => {
    const messages = [user('a'), { role: 'system', content: 'b', output_config: { effort: 'low' } }];
    const id = 'claude-opus-4.8';
    expect(check({ messages }, { id })?.body).toEqual({
      message: 'messages.1.output_config: Extra inputs are not permitted',
    });
    expect(check({ messages }, { id, betas: ['per-turn-control-2026-07-01'] })).toBeNull();
  });

  it('thinking.display updates', () => {
    const body = { thinking: { type: 'adaptive', display: 'updates' } };
    expect(check(body)?.body).toEqual({
      message: "thinking.adaptive.display: Input should be 'omitted' or 'summarized'",
    });
    expect(check(body, { betas: ['thinking-display-updates-2026-08-18'] })).toBeNull();
    expect(check({ thinking: { type: 'adaptive', display: 'omitted' } })).toBeNull();
  });

  it('unknown beta values are let through', () => {
    expect(check({}, { betas: ['never-heard-of-2031-01-01'] })).toBeNull();
  });
});

describe('fields', () => {
  it.each(['safeguards', 'mcp_servers', 'advisor', 'container'])('%s is an extra input', (field) => {
    expect(check({ [field]: [] })?.body).toEqual({ message: `${field}: Extra inputs are not permitted` });
  });

  it('what was measured as accepted is accepted', () => {
    const body = {
      metadata: { user_id: 'x' },
      service_tier: 'auto',
      speed: 'fast',
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['a'],
      output_config: { effort: 'high', format: { type: 'json_schema', schema: {} } },
      future_field: 1,
    };
    expect(check(body)).toBeNull();
  });

  it('max_tokens is required for a message and unwanted in a count', () => {
    expect(check({ max_tokens: undefined })?.body).toEqual({ message: 'max_tokens: Field required' });
    expect(check({}, { purpose: 'count' })).toBeNull();
    expect(check({ max_tokens: 5 }, { purpose: 'count' })?.body).toEqual({
      message: 'max_tokens: Extra inputs are not permitted',
    });
  });
});

describe('roles', () => {
  it('system messages are taken by claude-opus-4.8 alone', () => {
    const messages = [user('a'), { role: 'system', content: 'b' }];
    expect(check({ messages }, { id: 'claude-opus-4.8' })).toBeNull();
    expect(check({ messages }, { id: 'claude-opus-4.6' })).not.toBeNull();
  });

  it('the first message is the user’s', () => {
    expect(check({ messages: [assistant('a'), user('b')] })).not.toBeNull();
  });

  it.each([
    ['claude-sonnet-4.6', 400],
    ['claude-opus-4.8', 400],
    ['claude-sonnet-4.5', null],
  ])('a begun answer with %s → %s', (id, status) => {
    expect(check({ messages: [user('a'), assistant('b')] }, { id })?.status ?? null).toBe(status);
  });
});

describe('thinking', () => {
  const enabled = (budget_tokens: number): JsonObject => ({ type: 'enabled', budget_tokens });
  const table: [string, JsonObject, string | null][] = [
    ['claude-sonnet-4.6', { thinking: { type: 'adaptive' } }, null],
    ['claude-sonnet-4.5', { thinking: { type: 'adaptive' } }, 'adaptive thinking is not supported on this model'],
    ['claude-sonnet-4.5', { thinking: enabled(1024), max_tokens: 2000 }, null],
    ['claude-sonnet-4.5', { thinking: enabled(1023), max_tokens: 2000 }, 'greater than or equal to 1024'],
    ['claude-haiku-4.5', { thinking: enabled(32_001), max_tokens: 64_000 }, 'less than or equal to 32000'],
    [
      'claude-sonnet-4.5',
      { thinking: enabled(2000), max_tokens: 2000 },
      'must be greater than `thinking.budget_tokens`',
    ],
    ['claude-sonnet-4.6', { thinking: { type: 'adaptive' }, temperature: 0.3 }, '`temperature`'],
    ['claude-sonnet-4.6', { thinking: { type: 'adaptive' }, top_k: 3 }, '`top_k`'],
    ['claude-sonnet-4.6', { thinking: { type: 'adaptive' }, top_p: 0.5 }, '`top_p`'],
    [
      'claude-sonnet-4.6',
      { thinking: { type: 'adaptive' }, tools: [tool('a')], tool_choice: { type: 'any' } },
      'tool_choice',
    ],
    ['claude-sonnet-4.6', { thinking: { type: 'disabled' }, temperature: 0.3 }, null],
    ['claude-sonnet-4.6', { thinking: { type: 'sometimes' } }, "Input tag 'sometimes'"],
  ];
  it.each(table)('%s with %j → %s', (id, body, words) => {
    const refusal = check(body, { id });
    if (words === null) expect(refusal).toBeNull();
    else expect(refusal).toEqual({ status: 400, body: { message: expect.stringContaining(words) } });
  });

  it('a model that takes only adaptive thinking', () => {
    const model = findModel(defaultModels(), 'claude-opus-4.8');
    if (model === null) throw new Error();
    const strict = { ...model, adaptiveThinking: 'required' as const };
    expect(check({ thinking: enabled(1024), max_tokens: 4000 }, { model: strict })).not.toBeNull();
  });
});

describe('tools', () => {
  it.each(['eager_input_streaming', 'input_examples'])('%s is an extra input', (field) => {
    expect(check({ tools: [tool('a', { [field]: true })] })?.body).toEqual({
      message: `tools.0.custom.${field}: Extra inputs are not permitted`,
    });
  });

  it.each([
    ['bash_20250124'],
    ['text_editor_20250728'],
    ['memory_20250818'],
    ['computer_20250124'],
    ['tool_search_tool_regex_20251119'],
  ])('%s is taken', (type) => {
    expect(check({ tools: [{ type, name: 'x' }] })).toBeNull();
  });

  it.each(['advisor_20260301', 'code_execution_20250522', 'mcp_toolset'])('%s is not', (type) => {
    expect(check({ tools: [{ type, name: 'x' }] })?.body).toEqual({
      message: expect.stringContaining(`tools.0: Input tag '${type}' found`),
    });
  });

  it('$schema, strict and defer_loading are taken', () => {
    const input_schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
    expect(
      check({ tools: [tool('a', { strict: true, input_schema }), tool('b', { defer_loading: true })] }),
    ).toBeNull();
  });

  it('names are unique, schemas have a type, a forced tool exists', () => {
    expect(check({ tools: [tool('a'), tool('a')] })).not.toBeNull();
    expect(check({ tools: [tool('a', { input_schema: {} })] })).not.toBeNull();
    expect(check({ tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } })).not.toBeNull();
    expect(check({ tools: [tool('a')], tool_choice: { type: 'tool', name: 'a' } })).toBeNull();
  });

  it('a reference names a tool that is there', () => {
    const messages = (name: string): JsonObject[] => [
      user('a'),
      assistant([call('t1')]),
      user([{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: name }] }]),
    ];
    const tools = [tool('Bash'), tool('Late', { defer_loading: true })];
    expect(check({ tools, messages: messages('Late') })).toBeNull();
    expect(check({ tools, messages: messages('Gone') })?.body).toEqual({
      message: expect.stringContaining("Tool reference 'Gone' not found in available tools"),
    });
  });
});

describe('blocks', () => {
  it('server tools of others leave blocks that are refused, tool search does not', () => {
    const messages = (name: string): JsonObject[] => [
      user('a'),
      assistant([{ type: 'server_tool_use', id: 'srvtoolu_1', name, input: {} }, text('b')]),
      user('c'),
    ];
    expect(check({ messages: messages('web_search') })).not.toBeNull();
    expect(check({ messages: messages('tool_search_tool_regex') })).toBeNull();
  });

  it('more pictures than the model takes', () => {
    const messages = (count: number): JsonObject[] => [user([...Array.from({ length: count }, () => png), text('a')])];
    expect(check({ messages: messages(5) })).toBeNull();
    expect(check({ messages: messages(6) })).not.toBeNull();
  });

  it('a picture that is too large', () => {
    const large = picture({ type: 'base64', media_type: 'image/png', data: 'A'.repeat(4_200_000) });
    expect(check({ messages: [user([large])] })).not.toBeNull();
  });

  it('a picture inside a tool result counts', () => {
    const messages = (count: number): JsonObject[] => {
      const content = Array.from({ length: count }, () => png);
      return [user('a'), assistant([call('t1')]), user([{ ...result('t1'), content }])];
    };
    expect(check({ messages: messages(5) })).toBeNull();
    expect(check({ messages: messages(6) })).not.toBeNull();
  });

  it('a fifth cache mark', () => {
    const system = [marked('a'), marked('b')];
    const messages = (last: JsonObject): JsonObject[] => [user([marked('c'), marked('d'), last])];
    expect(check({ system, messages: messages(text('e')) })).toBeNull();
    expect(check({ system, messages: messages(marked('e')) })?.body).toEqual({
      message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    });
  });

  it('a message without content', () => {
    expect(check({ messages: [user([])] })).not.toBeNull();
    expect(check({ system: [text('')] })).not.toBeNull();
  });
});

describe('pairs of tool calls and results', () => {
  const fine = [user('a'), assistant([call('t1'), call('t2')]), user([result('t1'), result('t2'), text('and')])];
  const table: [string, JsonObject[], boolean][] = [
    ['every call has its result', fine, true],
    [
      'results in two neighbouring messages',
      [user('a'), assistant([call('t1'), call('t2')]), user([result('t1')]), user([result('t2')])],
      true,
    ],
    ['a result is missing', [user('a'), assistant([call('t1'), call('t2')]), user([result('t1')])], false],
    ['a result without a call', [user([result('t1'), text('a')])], false],
    [
      'a result one turn late',
      [user('a'), assistant([call('t1')]), user('b'), assistant('c'), user([result('t1')])],
      false,
    ],
    ['two results for one call', [user('a'), assistant([call('t1')]), user([result('t1'), result('t1')])], false],
    ['text before a result', [user('a'), assistant([call('t1')]), user([text('b'), result('t1')])], false],
    ['two calls with one id', [...fine, assistant([call('t1')]), user([result('t1')])], false],
  ];
  it.each(table)('%s', (_, messages, isFine) => {
    expect(check({ messages }) === null).toBe(isFine);
  });

  it('a system message between them does not part them', () => {
    const messages = [user('a'), assistant([call('t1')]), { role: 'system', content: 'b' }, user([result('t1')])];
    expect(check({ messages }, { id: 'claude-opus-4.8' })).toBeNull();
  });
});

describe('what Claude Code sends, as it is', () => {
  it('a prompt of a 5.5 model is refused in the first place for its system message', () => {
    const { body } = sample('claude-code-2.1.328-main-user-turn.sonnet-5-5.request.json') as { body: JsonObject };
    expect(check({ ...body, max_tokens: 32_000 })?.body).toEqual(sample('error-400-mid-conversation-system-role.json'));
  });
});
