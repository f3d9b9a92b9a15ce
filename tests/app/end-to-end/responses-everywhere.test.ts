import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import { responseEventsIn, responsesDisorder } from '../formats/responses-order.ts';
import { type Answer, type Stack, startStack } from '../stack.ts';

/**
 * A Responses client on models that Copilot serves through another API alone, through the product and a strict Copilot.
 */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(async () => {
  expect(stack.simulator.script.violations).toEqual([]);
  await stack.close();
});

const paths = ['/v1/messages', '/chat/completions', '/responses'];
const inference = () => stack.simulator.requests.filter(({ path }) => paths.includes(path));
const sentBody = (at: number): JsonObject => Object(inference().at(at)?.body);
const post = (body: JsonObject): Promise<Answer> =>
  stack.send({
    method: 'POST',
    path: '/v1/responses',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const eventsOf = ({ text }: Answer): JsonObject[] => responseEventsIn(Buffer.from(text));
const responseOf = (answer: Answer): JsonObject => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return Object(answer.json());
};
const itemsOf = ({ output }: JsonObject): JsonObject[] => (Array.isArray(output) ? output.filter(isObject) : []);
const textOf = (response: JsonObject): string =>
  itemsOf(response)
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(({ text }) => text)
    .join('');

const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const bash = { type: 'function', name: 'Bash', strict: false, parameters };
const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files.', format: { type: 'text' } };

describe.each([
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-4.1', '/chat/completions'],
])('Responses for %s, which has only %s', (model, path) => {
  it('whole: one response, its row, its bill', async () => {
    const response = responseOf(await post({ model, input: 'hello there', instructions: 'Be brief.' }));
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      model,
      store: false,
      previous_response_id: null,
      instructions: 'Be brief.',
      error: null,
      incomplete_details: null,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
      usage: { input_tokens: expect.any(Number), input_tokens_details: { cached_tokens: expect.any(Number) } },
    });
    expect(textOf(response)).toContain('hello there');
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'responses',
      path,
      initiator: 'user',
      reason: { code: 'prompt', rule: 'openai-user' },
      streamed: false,
      status: 200,
      outcome: 'done',
      charge: { kind: 'billed', partial: false },
      fits: expect.arrayContaining([{ code: 'translated', count: 1, text: 'translated: responses → messages' }]),
    });
    expect(row?.tokens.output).toBe(Object(response.usage).output_tokens);
  });

  it('streamed: the same, in OpenAI’s order', async () => {
    const answer = await post({ model, input: 'hello there', stream: true });
    expect(answer.headers['content-type']).toContain('text/event-stream');
    const events = eventsOf(answer);
    expect(responsesDisorder(events)).toBeNull();
    const last = Object(events.at(-1)?.response);
    expect([events.at(-1)?.type, textOf(last)]).toEqual(['response.completed', expect.stringContaining('hello there')]);
    const whole = responseOf(await post({ model, input: 'hello there' }));
    expect(textOf(whole)).toBe(textOf(last));
    expect(whole.usage).toEqual(last.usage);
  });

  it('A12.38 A12.39 calls side by side, their results, the answer: user, agent, user', async () => {
    const input: unknown[] = [{ role: 'user', content: 'run: echo one\nrun: echo two' }];
    const tools = [bash];
    const first = await post({ model, tools, input, stream: true });
    expect(responsesDisorder(eventsOf(first))).toBeNull();
    const output = itemsOf(Object(eventsOf(first).at(-1)?.response));
    const calls = output.filter(({ type }) => type === 'function_call');
    expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(String(json)).command])).toEqual([
      ['Bash', 'echo one'],
      ['Bash', 'echo two'],
    ]);
    const results = calls.map(({ call_id }, at) => ({
      type: 'function_call_output',
      call_id,
      output: at === 0 ? 'ONE' : [{ type: 'input_text', text: 'TWO' }],
    }));
    const second = responseOf(await post({ model, tools, input: [...input, ...output, ...results] }));
    expect(textOf(second)).toMatch(/ONE[\s\S]*TWO/);
    const words = [{ role: 'user', content: 'and now?' }];
    responseOf(await post({ model, tools, input: [...input, ...output, ...results, ...words] }));
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'agent', 'user']);
  });

  it('one call at a time, the call that has to be, and none', async () => {
    const input = 'run: echo one\nrun: echo two';
    const one = responseOf(await post({ model, tools: [bash], input, parallel_tool_calls: false }));
    expect(itemsOf(one).filter(({ type }) => type === 'function_call')).toHaveLength(1);
    const choice = { type: 'function', name: 'Bash' };
    const forced = responseOf(await post({ model, tools: [bash], input: 'hello there', tool_choice: choice }));
    expect(itemsOf(forced)).toMatchObject([{ type: 'function_call', name: 'Bash' }]);
    const none = responseOf(await post({ model, tools: [bash], input, tool_choice: 'none' }));
    expect(itemsOf(none).map(({ type }) => type)).toEqual(['message']);
  });

  it('a custom tool is called with its text, and its result goes back', async () => {
    const input: unknown[] = [{ role: 'user', content: 'use: apply_patch {"input":"*** Begin Patch"}' }];
    const tools = [patch, bash];
    const events = eventsOf(await post({ model, tools, input, stream: true }));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done']),
    );
    const [call] = itemsOf(Object(events.at(-1)?.response)).filter(({ type }) => type === 'custom_tool_call');
    expect(call).toMatchObject({ name: 'apply_patch', input: '*** Begin Patch', status: 'completed' });
    const result = { type: 'custom_tool_call_output', call_id: call?.call_id, output: 'patched' };
    expect(textOf(responseOf(await post({ model, tools, input: [...input, call, result] })))).toContain('patched');
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'agent']);
    const [row] = await stack.rows(2);
    expect(row?.fits.map(({ text }) => text)).toContain('custom tools and namespaces sent as functions');
  });

  it('an image, and one in a result, are said to Copilot’s Chat Completions', async () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    const said = path === '/chat/completions' ? 'true' : undefined;
    responseOf(
      await post({ model, input: [{ role: 'user', content: [{ type: 'input_text', text: 'look' }, image] }] }),
    );
    const call = { type: 'function_call', call_id: 'c1', name: 'Bash', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: [image] };
    responseOf(await post({ model, tools: [bash], input: [{ role: 'user', content: 'look' }, call, output] }));
    expect(inference().map(({ headers }) => headers['copilot-vision-request'])).toEqual([said, said]);
  });

  it('an image by its address is refused by its place', async () => {
    const image = { type: 'input_image', image_url: 'https://example.com/x.png' };
    const answer = await post({ model, input: [{ role: 'user', content: [image] }] });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { param: 'input[0].content[0].image_url', message: expect.stringContaining('data') } },
    ]);
    expect(inference()).toEqual([]);
  });

  it('a schema for the answer', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', name: 'answer', strict: true, schema };
    expect(textOf(responseOf(await post({ model, input: 'is it?', text: { format } })))).toBe('{"ok":true}');
  });

  it('an answer at its limit is incomplete', async () => {
    const events = eventsOf(await post({ model, input: 'count to 900', max_output_tokens: 20, stream: true }));
    expect(responsesDisorder(events)).toBeNull();
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
      },
    });
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'done', stopReason: 'max_tokens' }]);
  });

  it('a cut answer ends with error and response.failed, numbered on, with what was finished', async () => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 5 });
    const events = eventsOf(await post({ model, input: 'hello there', stream: true }));
    expect(responsesDisorder(events.slice(0, -2), false)).toBeNull();
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', sequence_number: events.length - 2, code: 'cut', message: expect.any(String) },
      {
        type: 'response.failed',
        sequence_number: events.length - 1,
        response: { id: Object(events[0]?.response).id, status: 'failed', error: { code: 'cut' }, output: [] },
      },
    ]);
    expect(await stack.rows(1)).toMatchObject([{ outcome: 'cut', status: 200 }]);
  });

  it('a failure before the first event keeps its status', async () => {
    const body = { error: { message: 'slow', code: 'user_model_rate_limited' } };
    stack.simulator.script.next({ kind: 'answer', status: 429, headers: { 'retry-after': '7' }, body });
    const answer = await post({ model, input: 'hello there', stream: true });
    expect([answer.status, answer.headers['retry-after'], answer.json()]).toMatchObject([
      429,
      '7',
      { error: { type: 'rate_limit_error' } },
    ]);
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }, 'previous_response_not_found'],
    ['store', { store: true }, 'unsupported_parameter'],
    ['background', { background: true }, 'unsupported_parameter'],
    ['conversation', { conversation: 'conv_1' }, 'unsupported_parameter'],
    ['truncation', { truncation: 'auto' }, 'unsupported_parameter'],
    ['include', { include: ['message.output_text.logprobs'] }, 'unsupported_parameter'],
    ['tools[0].type', { tools: [{ type: 'local_shell' }] }, 'unsupported_parameter'],
    ['tool_choice', { tools: [bash], tool_choice: { type: 'web_search' } }, 'unsupported_parameter'],
    ['text.verbosity', { text: { verbosity: 'low' } }, 'unsupported_parameter'],
    ['input[0].type', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'unsupported_parameter'],
    ['some_future_field', { some_future_field: 1 }, 'unsupported_parameter'],
  ])('%s is refused by its name', async (param, more, code) => {
    const answer = await post({ model, input: 'hello there', ...more });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', param, code, message: expect.stringContaining(param) } },
    ]);
    expect(inference()).toEqual([]);
  });
});

describe('reasoning of a Claude', () => {
  const model = 'claude-sonnet-4.6';
  const think = (more: JsonObject) => post({ model, tools: [bash], ...more });

  it('B9.11 is shown where a summary is asked for, and goes back as it was signed', async () => {
    const reasoning = { effort: 'high', summary: 'auto' };
    const input: unknown[] = [{ role: 'user', content: 'think, then run: echo hi' }];
    const output = itemsOf(responseOf(await think({ reasoning, input })));
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: expect.stringContaining('I am asked') }] },
      { type: 'function_call' },
    ]);
    const result = { type: 'function_call_output', call_id: output[1]?.call_id, output: 'hi' };
    expect((await think({ reasoning, input: [...input, ...output, result] })).status).toBe(200);
    expect(sentBody(0)).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    const messages: unknown[] = Array.isArray(sentBody(1).messages) ? Object(sentBody(1)).messages : [];
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: expect.stringContaining('I am asked'), signature: expect.any(String) },
        { type: 'tool_use' },
      ],
    });
    expect(inference().map(({ status }) => status)).toEqual([200, 200]);
  });

  it('B9.11 is hidden where none is, and goes back all the same', async () => {
    const reasoning = { effort: 'low' };
    const input: unknown[] = [{ role: 'user', content: 'think, then run: echo hi' }];
    const output = itemsOf(responseOf(await think({ reasoning, input })));
    expect(output[0]).toMatchObject({ type: 'reasoning', summary: [] });
    expect(JSON.stringify(output)).not.toContain('I am asked');
    const result = { type: 'function_call_output', call_id: output[1]?.call_id, output: 'hi' };
    expect((await think({ reasoning, input: [...input, ...output, result] })).status).toBe(200);
    expect(JSON.stringify(sentBody(1))).toContain('I am asked');
  });

  it('a model without adaptive thinking gets a budget; none inside a turn that was begun without', async () => {
    const older = 'claude-haiku-4.5';
    const reasoning = { effort: 'medium' };
    expect((await think({ model: older, reasoning, input: 'hello' })).status).toBe(200);
    expect(sentBody(0).thinking).toEqual({ type: 'enabled', budget_tokens: 8192 });
    const call = { type: 'function_call', call_id: 'c1', name: 'Bash', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'hi' };
    const foreign = { type: 'reasoning', summary: [], encrypted_content: 'of another' };
    const input = [{ role: 'user', content: 'run: echo hi' }, foreign, call, output];
    expect((await think({ model: older, reasoning, input })).status).toBe(200);
    expect(sentBody(1)).not.toHaveProperty('thinking');
    const rows = await stack.rows(2);
    expect(rows[1]?.fits.map(({ text }) => text)).toContain('foreign reasoning removed');
  });

  it.each([{ effort: 'none' }, undefined, {}])('is not asked for by %j', async (reasoning) => {
    expect((await think({ input: 'hello', ...(reasoning === undefined ? {} : { reasoning }) })).status).toBe(200);
    expect(sentBody(0)).not.toHaveProperty('thinking');
  });

  it('of a Claude is nothing for another model, nor the other way round', async () => {
    const input: unknown[] = [{ role: 'user', content: 'think, then run: echo hi' }];
    const asked = { reasoning: { effort: 'high', summary: 'auto' }, include: ['reasoning.encrypted_content'] };
    for (const each of [model, 'gpt-5.4', model, 'gpt-5.4', model]) {
      const output = itemsOf(responseOf(await think({ ...asked, model: each, input })));
      const [call] = output.filter(({ type }) => type === 'function_call');
      input.push(...output);
      if (call !== undefined) input.push({ type: 'function_call_output', call_id: call.call_id, output: 'hi' });
      input.push({ role: 'user', content: 'think, then run: echo hi' });
    }
    expect(inference().map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

it('a PDF reaches a Claude; other models refuse it in words that help', async () => {
  const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' };
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'read' }, file] }];
  expect((await post({ model: 'claude-sonnet-4.6', input })).status).toBe(200);
  expect(JSON.stringify(sentBody(0))).toContain('"media_type":"application/pdf"');
  const refused = await post({ model: 'gpt-4.1', input });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('PDF')]);
});

it('a conversation that the assistant begins reaches a Claude', async () => {
  const input = [
    { role: 'assistant', content: 'How can I help?' },
    { role: 'user', content: 'hello there' },
  ];
  expect((await post({ model: 'claude-sonnet-4.6', input })).status).toBe(200);
  expect(sentBody(0).messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]);
  const [row] = await stack.rows(1);
  expect([row?.initiator, row?.fits.map(({ code }) => code)]).toEqual([
    'user',
    expect.arrayContaining(['begun-by-user']),
  ]);
});

it('a lesson is learned on this way, too: one refusal, then none', async () => {
  stack.simulator.script.refuseField('tools.strict');
  const strict = { ...bash, strict: true, parameters: { ...parameters, additionalProperties: false } };
  const ask = () => post({ model: 'claude-sonnet-4.6', input: 'hello there', tools: [strict] });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  expect(inference().map(({ status }) => status)).toEqual([400, 200, 200]);
});
