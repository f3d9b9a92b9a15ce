import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { type Answer, type Stack, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(async () => {
  vi.useRealTimers();
  await stack.close();
});

const post = (path: string, body: unknown, on = stack): Promise<Answer> =>
  on.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const chat = (body: Record<string, unknown>): Promise<Answer> =>
  post('/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hello there' }], ...body });
const responses = (body: Record<string, unknown>): Promise<Answer> =>
  post('/v1/responses', { model: 'gpt-5.4', input: 'hello there', ...body });

/** The data of every event; `[DONE]` as it is. */
function dataOf(text: string): unknown[] {
  return text
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => (line === 'data: [DONE]' ? '[DONE]' : JSON.parse(line.slice(6))));
}
const sentBody = (at = 0): Record<string, unknown> => Object(inference()[at]?.body);
const inference = () =>
  stack.simulator.requests.filter(({ path }) => ['/chat/completions', '/responses', '/embeddings'].includes(path));

const bash = {
  type: 'function',
  function: { name: 'Bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
};

describe('Chat Completions', () => {
  it('whole: one completion, its row, its bill', async () => {
    const answer = await chat({});
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      object: 'chat.completion',
      model: 'gpt-4.1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', refusal: null, content: expect.stringContaining('hello there') },
        },
      ],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    });
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'chat',
      path: '/chat/completions',
      initiator: 'user',
      reason: { code: 'prompt', rule: 'openai-user' },
      streamed: false,
      status: 200,
      outcome: 'done',
      stopReason: 'stop',
      charge: { kind: 'billed', partial: false },
    });
    expect(row?.tokens.output).toBeGreaterThan(0);
    expect(sentBody()).toMatchObject({ model: 'gpt-4.1', stream: true, stream_options: { include_usage: true } });
  });

  it(
    'streamed: every chunk has a choice and the asked name, `[DONE]` once, no usage that was not asked ' + 'for',
    async () => {
      const answer = await chat({ stream: true });
      expect(answer.headers['content-type']).toContain('text/event-stream');
      const data = dataOf(answer.text);
      expect(data.at(-1)).toBe('[DONE]');
      const chunks = data.slice(0, -1).map(Object);
      expect(chunks.every(({ choices, model }) => choices.length === 1 && model === 'gpt-4.1')).toBe(true);
      expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toContain('hello there');
      const [row] = await stack.rows(1);
      expect(row).toMatchObject({ streamed: true, charge: { kind: 'billed' }, outcome: 'done' });
    },
  );

  it('include_usage: the last chunk holds it', async () => {
    const data = dataOf((await chat({ stream: true, stream_options: { include_usage: true } })).text);
    expect(data.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  });

  it('a name that means another spelling: sent as the catalog has it, echoed as it was asked', async () => {
    const answer = await chat({ model: 'claude-sonnet-4-6' });
    expect(answer.json()).toMatchObject({ model: 'claude-sonnet-4-6' });
    expect(sentBody().model).toBe('claude-sonnet-4.6');
  });

  it('A12.35 results of tools last → agent', async () => {
    const first = Object((await chat({ tools: [bash], messages: [{ role: 'user', content: 'run: echo hi' }] })).json());
    const { message, finish_reason: reason } = first.choices[0];
    expect([reason, message.tool_calls[0].function.name]).toEqual(['tool_calls', 'Bash']);
    expect(JSON.parse(message.tool_calls[0].function.arguments)).toMatchObject({ command: 'echo hi' });
    const second = await chat({
      tools: [bash],
      messages: [
        { role: 'user', content: 'run: echo hi' },
        { role: 'assistant', content: null, tool_calls: message.tool_calls },
        { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'hi from the tool' },
      ],
    });
    expect(second.status).toBe(200);
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'agent']);
    const rows = await stack.rows(2);
    expect(rows.map(({ reason: why }) => why?.rule)).toEqual(['openai-user', 'openai-agent']);
  });

  it('several calls of a Claude, all with index 0 at Copilot, are told apart', async () => {
    const call = (id: string, name: string, args: string) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 0, ...(id ? { id, type: 'function' } : {}), function: { name, arguments: args } }],
          },
        },
      ],
      id: 'c',
      model: 'x',
    });
    stack.simulator.script.next({
      kind: 'stream',
      events: [
        { data: call('a', 'One', '') },
        { data: call('', '', '{"n":1}') },
        { data: call('b', 'Two', '') },
        { data: call('', '', '{"n":2}') },
        { data: { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], id: 'c', model: 'x' } },
        'data: [DONE]\n\n',
      ],
    });
    const answer = Object((await chat({ model: 'claude-sonnet-4.6' })).json());
    expect(answer.choices[0].message.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'One', arguments: '{"n":1}' } },
      { id: 'b', type: 'function', function: { name: 'Two', arguments: '{"n":2}' } },
    ]);
  });

  it('B4.4 a content that is one part without its list is understood; an image says so to Copilot', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const answer = await chat({
      messages: [
        { role: 'user', content: { type: 'text', text: 'hello there' } },
        { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
      ],
    });
    expect(answer.status).toBe(200);
    expect(inference()[0]?.headers['copilot-vision-request']).toBe('true');
  });

  it('a cut stream ends with an error and without `[DONE]`', async () => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 4 });
    const data = dataOf((await chat({ stream: true })).text);
    expect(data.at(-1)).toMatchObject({ error: { type: 'server_error', code: 'cut', param: null } });
    expect(data).not.toContain('[DONE]');
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({ outcome: 'cut', status: 200 });
  });

  it('silence is filled with comments, from 30 s on; a failure after them is the last event', async () => {
    await stack.app.models();
    const hold = Promise.withResolvers<void>();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const events = [{ data: { error: { message: 'Overloaded', code: 'model_overloaded' } } }];
    const scripted = stack.simulator.script.next({ kind: 'stream', gate: hold.promise, events });
    const answer = chat({ stream: true });
    await scripted.taken;
    vi.advanceTimersByTime(50_000);
    hold.resolve();
    const { status, text } = await answer;
    expect([status, text.split('\n\n').slice(0, 3)]).toEqual([200, [': ping', ': ping', ': ping']]);
    expect(dataOf(text)).toMatchObject([
      {
        error: { message: 'Copilot broke its answer off with model_overloaded: Overloaded', code: 'model_overloaded' },
      },
    ]);
  });

  it('a failure before the first event keeps its status', async () => {
    const events = [{ data: { error: { message: 'Overloaded', code: 'model_overloaded' } } }];
    stack.simulator.script.next({ kind: 'stream', events });
    const answer = await chat({ stream: true });
    expect([answer.status, answer.json()]).toMatchObject([503, { error: { type: 'server_error' } }]);
  });

  it('a client that leaves: Copilot is left too', async () => {
    stack.simulator.script.next({
      kind: 'usual',
      before: (at) => (at < 4 ? undefined : new Promise(() => {})),
    });
    const aborted = stack.simulator.script.aborted('/chat/completions');
    const outgoing = request(new URL('/v1/chat/completions', stack.baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}.test` },
    });
    outgoing.on('error', () => {});
    outgoing.on('response', (response) => response.once('data', () => outgoing.destroy()));
    outgoing.end(
      JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'count to 50' }] }),
    );
    await aborted;
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({ outcome: 'cancelled', failure: { source: 'client' } });
  });
});

/** Only `/v1/messages`: today's catalog has no such model, tomorrow's may. */
function onlyMessages(): void {
  const models = defaultModels().map((model) => ({ ...Object(model) }));
  for (const model of models) if (model.id.startsWith('claude')) model.supported_endpoints = ['/v1/messages'];
  stack.simulator.script.setModels(models);
}

describe.each([
  ['gpt-5.4', '/responses'],
  ['claude-sonnet-4.6', '/v1/messages'],
])('Chat Completions for %s, which has only %s', (model, path) => {
  beforeEach(() => onlyMessages());

  it('whole and streamed say the same', async () => {
    const whole = Object((await chat({ model })).json());
    expect(whole).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: expect.any(String) } }],
      usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    });
    const streamed = dataOf((await chat({ model, stream: true })).text);
    expect(streamed.at(-1)).toBe('[DONE]');
    const chunks = streamed.slice(0, -1).map(Object);
    expect(chunks.every((chunk) => chunk.choices.length === 1)).toBe(true);
    const said = chunks.map(({ choices }) => choices[0].delta.content ?? '').join('');
    expect(said).toContain('hello there');
    expect(whole.choices[0].message.content).toContain('hello there');
    const rows = await stack.rows(2);
    expect(rows.map((row) => [row.path, row.outcome, row.charge.kind])).toEqual([
      [path, 'done', 'billed'],
      [path, 'done', 'billed'],
    ]);
    expect(rows[0]?.fits.map(({ text }) => text)).toContain('translated: chat → messages');
  });

  it('tools: the call, its result, the answer', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'run: echo hi' },
    ];
    const first = Object((await chat({ model, tools: [bash], messages })).json());
    const { message, finish_reason: reason } = first.choices[0];
    expect(reason).toBe('tool_calls');
    expect(JSON.parse(message.tool_calls[0].function.arguments)).toMatchObject({ command: 'echo hi' });
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'hi from the tool' };
    const second = Object((await chat({ model, tools: [bash], messages: [...messages, message, result] })).json());
    expect(second.choices[0].message.content).toContain('hi from the tool');
    expect((await stack.rows(2))[1]?.initiator).toBe('agent');
  });

  it('include_usage, and a cut', async () => {
    const data = dataOf((await chat({ model, stream: true, stream_options: { include_usage: true } })).text);
    expect(data.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    stack.simulator.script.next({ kind: 'usual', cutAfter: 9 });
    const cut = dataOf((await chat({ model, stream: true })).text);
    expect(cut.at(-1)).toMatchObject({ error: { code: 'cut' } });
  });

  it.each([
    ['n', 2],
    ['seed', 7],
    ['logprobs', true],
    ['presence_penalty', 0.5],
    ['logit_bias', { 5: 1 }],
    ['some_future_field', 1],
  ])('%s has no counterpart: refused by name', async (field, value) => {
    const answer = await chat({ model, [field]: value });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { param: field, code: 'unsupported_parameter', message: expect.stringContaining(field) } },
    ]);
  });

  it('json_object: the answer is one', async () => {
    const messages = [{ role: 'user', content: 'Answer in JSON.' }];
    const answer = await chat({ model, messages, response_format: { type: 'json_object' } });
    expect(answer.status).toBe(200);
    if (path === '/responses') {
      expect(JSON.parse(Object(answer.json()).choices[0].message.content)).toEqual({});
      expect(Object(sentBody().text)).toEqual({ format: { type: 'json_object' } });
    } else {
      const [sent] = stack.simulator.requests.filter((request) => request.path === path);
      expect(Object(sent?.body).system.at(-1).text).toContain('exactly one JSON object');
      const [row] = await stack.rows(1);
      expect(row?.fits.map(({ code }) => code)).toContain('json-in-words');
    }
  });

  it('a schema for the answer is mapped', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect((await chat({ model, response_format: format })).status).toBe(200);
  });
});

describe('clients of the first days', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a prompt', { prompt: 'hello there' }],
    ['a prompt as a list', { prompt: ['hello there'] }],
    ['a prompt as an object', { prompt: { text: 'hello there' } }],
    ['one message', { messages: { role: 'user', content: 'hello there' } }],
    ['content as a list of strings', { messages: [{ role: 'user', content: ['hello there'] }] }],
    ['content as an object', { messages: [{ role: 'user', content: { text: 'hello there' } }] }],
  ])('%s is understood, and a person asked', async (_name, body) => {
    const answer = await post('/v1/chat/completions', { model: 'gpt-4.1', ...body });
    expect([answer.status, Object(answer.json()).choices[0].message.content]).toEqual([
      200,
      expect.stringContaining('hello there'),
    ]);
    const [row] = await stack.rows(1);
    expect([row?.initiator, row?.reason?.rule]).toEqual(['user', 'openai-user']);
    const notes = row?.fits.map(({ text }) => text) ?? [];
    expect(notes.includes('prompt sent as a message')).toBe('prompt' in body);
    expect(sentBody()).not.toHaveProperty('prompt');
  });

  it('a prompt of tokens is refused by its place', async () => {
    const answer = await post('/v1/chat/completions', { model: 'gpt-4.1', prompt: [1, 2, 3] });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { param: 'prompt[0]', code: 'invalid_type' } },
    ]);
  });

  it('historyTurns: the last system message and so many turns go to Copilot, and the log says so', async () => {
    await stack.close();
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-openai-'));
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, openai: { historyTurns: 2 } }));
    stack = await startStack({ home });
    const call = { id: 'call_1', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } };
    const system = { role: 'system', content: 'Be brief.' };
    const kept = [
      { role: 'user', content: 'run: ls' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'a file' },
      { role: 'assistant', content: 'There is a file.' },
      { role: 'user', content: 'hello there' },
    ];
    const before = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hi.' },
    ];
    const answer = await chat({ tools: [bash], messages: [system, ...before, ...kept] });
    expect([answer.status, sentBody().messages]).toEqual([200, [system, ...kept]]);
    const [row] = await stack.rows(1);
    expect(row?.fits).toContainEqual({
      code: 'history-window',
      count: 2,
      text: 'older messages left out (openai.historyTurns 2) ×2',
    });
  });
});

it('Responses for a model with no path that is spoken here: refused with where it is served', async () => {
  const models = defaultModels().map((model) => ({ ...Object(model) }));
  for (const model of models) if (model.id === 'gpt-4.1') model.supported_endpoints = ['ws:/responses'];
  stack.simulator.script.setModels(models);
  const answer = await responses({ model: 'gpt-4.1' });
  expect([answer.status, answer.json()]).toMatchObject([
    404,
    { error: { code: 'path_not_spoken', param: 'model', message: expect.stringContaining('ws:/responses') } },
  ]);
});

it('streamByDefault: what a request without `stream` gets', async () => {
  await stack.close();
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-openai-'));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, openai: { streamByDefault: true } }));
  stack = await startStack({ home });
  const [silent, whole] = [await chat({}), await chat({ stream: false })];
  expect([silent.headers['content-type'], whole.headers['content-type']]).toEqual([
    expect.stringContaining('text/event-stream'),
    'application/json',
  ]);
});

describe('Responses', () => {
  it('whole: the response of the last event, not kept, under the asked name', async () => {
    const answer = await responses({});
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { object: 'response', status: 'completed', model: 'gpt-5.4', output: expect.any(Array) },
    ]);
    expect(answer.text).toContain('hello there');
    expect(sentBody()).toMatchObject({ store: false, stream: true });
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'responses',
      path: '/responses',
      initiator: 'user',
      stopReason: 'completed',
      charge: { kind: 'billed' },
    });
  });

  it('streamed: created first, completed last', async () => {
    const types = dataOf((await responses({ stream: true })).text).map((data) => Object(data).type);
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
    expect(types).toContain('response.output_text.delta');
  });

  it('B9.9 the response and each item keep one id, however often Copilot names them anew', async () => {
    const tools = [{ type: 'function', name: 'Bash', strict: false, parameters: bash.function.parameters }];
    const events = dataOf((await responses({ stream: true, tools, input: 'run: echo hi' })).text).map(Object);
    expect(new Set(events.flatMap(({ response }) => response?.id ?? [])).size).toBe(1);
    const ids = new Map<number, Set<string>>();
    const add = (at: number, id: unknown): void => {
      if (typeof id === 'string') ids.set(at, (ids.get(at) ?? new Set()).add(id));
    };
    for (const { output_index: at, item, item_id: named, response } of events) {
      add(at, item?.id);
      add(at, named);
      for (const [place, each] of (response?.output ?? []).entries()) add(place, each.id);
    }
    expect([...ids.values()].map(({ size }) => size)).toEqual([...ids.keys()].map(() => 1));
    expect(ids.size).toBeGreaterThan(0);
  });

  it('A12.38 results of functions last → agent; A12.39 a person’s words after them → user', async () => {
    const items = [
      { role: 'user', content: 'run: echo hi' },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'Bash', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'hi' },
    ];
    expect((await responses({ input: items })).status).toBe(200);
    expect((await responses({ input: [...items, { role: 'user', content: 'go on' }] })).status).toBe(200);
    expect(inference().map(({ initiator }) => initiator)).toEqual(['agent', 'user']);
  });

  it('reasoning comes back without the id that it was given', async () => {
    const tools = [{ type: 'function', name: 'Bash', strict: false, parameters: bash.function.parameters }];
    const asked = { tools, include: ['reasoning.encrypted_content'], reasoning: { effort: 'high' } };
    const input = [{ role: 'user', content: 'think, then run: echo hi' }];
    const first = Object((await responses({ ...asked, input })).json());
    const output: Record<string, unknown>[] = first.output;
    const results = output
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id, output: 'hi' }));
    const second = await responses({ ...asked, input: [...input, ...output, ...results] });
    expect(second.status).toBe(200);
  });

  it('a failure in the stream: error and response.failed', async () => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 3 });
    const data = dataOf((await responses({ stream: true })).text);
    expect(data.slice(-2)).toMatchObject([
      { type: 'error', code: 'cut', message: expect.any(String), error: { type: 'server_error' } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'cut' } } },
    ]);
  });
});

describe('Embeddings', () => {
  const ask = (body: Record<string, unknown>): Promise<Answer> =>
    post('/v1/embeddings', { model: 'text-embedding-3-small', ...body });

  it('one text: a vector; no initiator; nothing billed that was not', async () => {
    const answer = await ask({ input: 'hello', user: 'somebody' });
    expect(answer.json()).toMatchObject({
      object: 'list',
      model: 'text-embedding-3-small',
      data: [{ object: 'embedding', index: 0, embedding: expect.any(Array) }],
      usage: { prompt_tokens: expect.any(Number) },
    });
    expect(inference()[0]?.initiator).toBeNull();
    expect(sentBody()).not.toHaveProperty('user');
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'embeddings',
      path: '/embeddings',
      initiator: null,
      outcome: 'done',
      // Taken, and Copilot said nothing of a charge.
      charge: { kind: 'unknown', nanoAiu: null },
    });
  });

  it('dimensions go along; the lists of tokens do as well', async () => {
    const answer = await ask({ input: [[1, 2, 3], [4]], dimensions: 4 });
    expect(Object(answer.json()).data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([
      4, 4,
    ]);
    expect(sentBody()).toEqual({ model: 'text-embedding-3-small', input: [[1, 2, 3], [4]], dimensions: 4 });
  });

  it.each<[string, Record<string, unknown>]>([
    ['input', {}],
    ['input', { input: [] }],
    ['input', { input: '' }],
    ['input', { input: 7 }],
    ['input[1]', { input: ['a', ''] }],
    ['input[1]', { input: ['a', {}] }],
    ['input[1]', { input: [[1], []] }],
    ['input', { input: Array.from({ length: 8193 }, () => 'x') }],
    ['dimensions', { input: 'x', dimensions: 0 }],
    ['dimensions', { input: 'x', dimensions: '8' }],
    ['encoding_format', { input: 'x', encoding_format: 'int8' }],
  ])('%s is looked at before anything is sent', async (param, body) => {
    const answer = await ask(body);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param, type: 'invalid_request_error' } }]);
    expect(inference()).toEqual([]);
  });

  it('what the first batches cost is kept when a later one fails', async () => {
    const bill = { total_nano_aiu: 5_000, token_details: [] };
    const embedding = { object: 'embedding', index: 0, embedding: [1] };
    const reply = { data: [embedding], usage: { prompt_tokens: 3, total_tokens: 3 }, copilot_usage: bill };
    stack.simulator.script.next({ kind: 'answer', status: 200, body: reply }, '/embeddings');
    stack.simulator.script.next({ kind: 'answer', status: 400, body: { error: { message: 'no' } } }, '/embeddings');
    const answer = await ask({ input: Array.from({ length: 600 }, () => 'x') });
    expect(answer.status).toBe(400);
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      outcome: 'failed',
      tokens: { input: 3 },
      charge: { kind: 'billed', nanoAiu: 5_000, partial: true },
    });
  });

  it('more than Copilot takes at once: in batches, in order', async () => {
    const input = Array.from({ length: 1030 }, (_, at) => `text ${at}`);
    const whole = Object((await ask({ input })).json());
    expect(inference().map(({ body }) => Object(body).input.length)).toEqual([512, 512, 6]);
    expect(whole.data.map(({ index }: { index: number }) => index)).toEqual(input.map((_, at) => at));
    const alone = Object((await ask({ input: 'text 1029' })).json());
    expect(whole.data[1029].embedding).toEqual(alone.data[0].embedding);
  });

  it('base64 is what OpenAI makes of it', async () => {
    const [plain, encoded] = await Promise.all([ask({ input: 'x' }), ask({ input: 'x', encoding_format: 'base64' })]);
    const bytes = Buffer.from(Object(encoded.json()).data[0].embedding, 'base64');
    const numbers = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
    const expected: number[] = Object(plain.json()).data[0].embedding;
    expect(numbers).toEqual(expected.map(Math.fround));
  });
});

describe('errors in OpenAI’s envelope', () => {
  it.each([
    ['no JSON', '/v1/chat/completions', '{', 400, { type: 'invalid_request_error', code: 'invalid_body' }],
    [
      'an unknown model',
      '/v1/chat/completions',
      { model: 'nope', messages: [{ role: 'user', content: 'x' }] },
      404,
      { type: 'invalid_request_error', code: 'model_not_found' },
    ],
    ['no messages', '/v1/chat/completions', { model: 'gpt-4.1' }, 400, { param: 'messages' }],
    ['no input', '/v1/responses', { model: 'gpt-5.4' }, 400, { param: 'input' }],
    [
      'an earlier response',
      '/v1/responses',
      { model: 'gpt-5.4', input: 'x', previous_response_id: 'resp_1' },
      400,
      { param: 'previous_response_id', code: 'previous_response_not_found' },
    ],
    [
      'a chat model for embeddings',
      '/v1/embeddings',
      { model: 'gpt-4.1', input: 'x' },
      404,
      {
        code: 'model_not_found',
        message: 'Jumpseat: gpt-4.1 makes no embeddings. Name a model that does. Enabled: text-embedding-3-small.',
      },
    ],
  ])('%s', async (_name, path, body, status, error) => {
    const answer = await stack.send({
      method: 'POST',
      path,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect([answer.status, answer.json()]).toMatchObject([status, { error }]);
    expect(Object.keys(Object(Object(answer.json()).error)).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(inference()).toEqual([]);
  });

  it('B6.7 signed out → 503 copilot_unavailable', async () => {
    const signedOut = await startStack({ secrets: memorySecrets() });
    try {
      const answer = await post(
        '/v1/chat/completions',
        { model: 'gpt-4.1', messages: [{ role: 'user', content: 'x' }] },
        signedOut,
      );
      expect([answer.status, answer.json()]).toMatchObject([
        503,
        {
          error: {
            type: 'server_error',
            code: 'copilot_unavailable',
            message: expect.stringContaining('Not signed in to GitHub'),
          },
        },
      ]);
    } finally {
      await signedOut.close();
    }
  });

  it('B6.7 Copilot’s throttle → 429 with Retry-After', async () => {
    stack.simulator.script.next({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { message: 'slow', code: 'user_model_rate_limited' } },
    });
    const answer = await chat({});
    expect([answer.status, answer.headers['retry-after'], answer.json()]).toMatchObject([
      429,
      '7',
      { error: { type: 'rate_limit_error', code: 'user_model_rate_limited' } },
    ]);
  });

  it('B6.7 too long → context_length_exceeded, with Copilot’s numbers', async () => {
    stack.simulator.script.next({
      kind: 'answer',
      status: 400,
      body: {
        error: { message: 'prompt token count of 9 exceeds the limit of 8', code: 'model_max_prompt_tokens_exceeded' },
      },
    });
    expect((await chat({})).json()).toMatchObject({
      error: { code: 'context_length_exceeded', message: expect.stringContaining('9 exceeds the limit of 8') },
    });
  });
});
