import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { CallPart, DataPart, TextPart } from '../app/formats/chat-via-lm/fake-classes.ts';
import { soon } from '../soon.ts';
import { NoPermissions, usagePart } from './fake-editor.ts';
import { type Serving, serving } from './serving.ts';

const hello = { model: 'sonnet', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
const chatHello = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] };
const readTool = {
  name: 'read',
  description: 'Reads',
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] },
};

async function refused(answer: Response): Promise<[number, string, string]> {
  const { error } = (await answer.json()) as { error: { type: string; code?: string; message: string } };
  return [answer.status, error.code ?? error.type, error.message];
}

function anthropic({ base, key }: Serving): Anthropic {
  return new Anthropic({ baseURL: base, authToken: `${key}.sdk`, apiKey: null, maxRetries: 0 });
}
function openai({ base, key }: Serving): OpenAI {
  return new OpenAI({ baseURL: `${base}/v1`, apiKey: `${key}.sdk`, maxRetries: 0 });
}

describe('Messages', () => {
  it('are answered whole, with tokens and credits, under the name that was asked for', async () => {
    const { post, editor } = await serving();
    const answer = await post('/v1/messages', hello);
    expect(await answer.json()).toMatchObject({
      model: 'sonnet',
      content: [{ type: 'text', text: 'You said: Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 10 },
      copilot_usage: { total_nano_aiu: 2_000_000_000 },
    });
    expect(editor.logged.slice(2)).toEqual([
      expect.stringMatching(
        /^test · messages sonnet → claude-sonnet-4\.6 · 200 · (?:\d+\.\d s|\d+ ms) · 100 in, 10 out · 2\.00 credits$/,
      ),
    ]);
  });

  it('stream a call of a tool and take its result back', async () => {
    const served = await serving();
    const client = anthropic(served);
    const ask = { model: 'claude-sonnet-4-6', max_tokens: 500, tools: [readTool] };
    const first = await client.messages
      .stream({ ...ask, messages: [{ role: 'user', content: 'Read it' }] })
      .finalMessage();
    expect(first.stop_reason).toBe('tool_use');
    expect(first.content).toEqual([expect.objectContaining({ name: 'read', id: 'call_1', input: { path: 'a.txt' } })]);
    await client.messages
      .stream({
        ...ask,
        messages: [
          { role: 'user', content: 'Read it' },
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'AAA' }] },
        ],
      })
      .finalMessage();
    expect(served.editor.sent.at(-1)?.messages.slice(1)).toEqual([
      { role: 'assistant', parts: [{ kind: 'call', id: 'call_1', name: 'read', input: { path: 'a.txt' } }] },
      { role: 'user', parts: [{ kind: 'result', id: 'call_1', content: [{ kind: 'text', text: 'AAA' }] }] },
    ]);
  });

  it('have no billing line of Claude Code’s in the system', async () => {
    const { post, editor } = await serving();
    const billing = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=0;' };
    await post('/v1/messages', { ...hello, system: [billing, { type: 'text', text: 'Be brief.' }] });
    expect(editor.sent[0]?.messages[0]).toEqual({ role: 'user', parts: [{ kind: 'text', text: 'Be brief.' }] });
  });

  it('stop at a stop sequence, and Copilot’s request ends', async () => {
    const { post, editor } = await serving();
    let ended = false;
    editor.answer = async function* (_request, signal) {
      signal.addEventListener('abort', () => {
        ended = true;
      });
      yield new TextPart('one STOP two');
      yield new TextPart('three');
    };
    const answer = await post('/v1/messages', { ...hello, stop_sequences: ['STOP'] });
    expect(await answer.json()).toMatchObject({
      content: [{ type: 'text', text: 'one ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'STOP',
    });
    expect(ended).toBe(true);
  });

  it('F8 that were cut at max_tokens say so', async () => {
    const { post, editor } = await serving();
    editor.answer = async function* () {
      yield new TextPart('word'.repeat(50));
    };
    expect(await (await post('/v1/messages', hello)).json()).toMatchObject({ stop_reason: 'max_tokens' });
    editor.answer = async function* () {
      yield new TextPart('word');
    };
    expect(await (await post('/v1/messages', hello)).json()).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('are counted without being sent', async () => {
    const { post, editor } = await serving();
    const answer = await post('/v1/messages/count_tokens', { model: 'sonnet', messages: hello.messages });
    expect(await answer.json()).toEqual({ input_tokens: expect.any(Number) });
    expect([editor.sent.length, editor.asked]).toEqual([0, 0]);
  });

  it('F7 that are too long are refused as Claude Code understands it, and not sent', async () => {
    const { post, editor } = await serving((found) => {
      found.most = 1000;
    });
    const long = { ...hello, messages: [{ role: 'user', content: 'word '.repeat(2000) }] };
    const [status, type, message] = await refused(await post('/v1/messages', long));
    expect([status, type]).toEqual([400, 'invalid_request_error']);
    expect(message).toMatch(/^prompt is too long: \d+ tokens > 970 maximum$/);
    expect((await refused(await post('/v1/chat/completions', { ...chatHello, messages: long.messages })))[1]).toBe(
      'context_length_exceeded',
    );
    expect(editor.sent).toEqual([]);
  });

  it('end Copilot’s request when the client leaves', async () => {
    const { post, editor } = await serving();
    let aborted = false;
    editor.answer = async function* (_request, signal) {
      yield new TextPart('tick');
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve();
        });
      });
      throw Object.assign(new Error('Canceled'), { name: 'Canceled' });
    };
    const leaving = new AbortController();
    const answer = await post('/v1/messages', { ...hello, stream: true }, { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await soon(() => expect(aborted).toBe(true));
    await soon(() => expect(editor.logged.at(-1)).toContain('client-left'));
  });

  it('tell a failure after the first byte in the stream, which then has no end', async () => {
    const { post, editor } = await serving();
    editor.answer = async function* () {
      yield new TextPart('begun');
      throw Object.assign(new Error('Slow down.'), { name: 'ChatRateLimited' });
    };
    const text = await (await post('/v1/messages', { ...hello, stream: true })).text();
    expect(text).toContain('"text":"begun"');
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"rate_limit_error"');
    expect(text).not.toContain('message_stop');
  });
});

describe('OpenAI’s APIs', () => {
  it('answer whole and streamed', async () => {
    const client = openai(await serving());
    const whole = await client.chat.completions.create({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect([whole.choices[0]?.message.content, whole.usage?.total_tokens]).toEqual(['You said: Hi', undefined]);
    expect(whole.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 10 });
    const stream = await client.chat.completions.create({
      model: 'gpt-4.1',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('You said: Hi');
  });

  it('have Responses, with a function and its result', async () => {
    const served = await serving();
    const client = openai(served);
    const tools = [
      { type: 'function' as const, name: 'read', strict: false, parameters: { type: 'object', properties: {} } },
    ];
    const first = await client.responses.create({ model: 'gpt-4.1', input: 'Read it', tools, store: false });
    const [call] = first.output;
    expect(call).toMatchObject({
      type: 'function_call',
      name: 'read',
      call_id: 'call_1',
      arguments: '{"path":"a.txt"}',
    });
    const stream = client.responses.stream({
      model: 'gpt-4.1',
      tools,
      store: false,
      input: [
        { role: 'user', content: 'Read it' },
        { type: 'function_call', name: 'read', call_id: 'call_1', arguments: '{"path":"a.txt"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'AAA' },
      ],
    });
    expect((await stream.finalResponse()).output_text).toContain('AAA');
  });

  it('take images as data and give them on as bytes', async () => {
    const { post, editor } = await serving();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const content = (data: string) => [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    ];
    await post('/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: content(png) }] });
    expect(editor.sent[0]?.messages[0]?.parts[1]).toMatchObject({ kind: 'image', type: 'image/png' });
    const answer = await post('/v1/chat/completions', {
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: content(png.slice(0, 40)) }],
    });
    const [status, , message] = await refused(answer);
    expect([status, message]).toEqual([
      400,
      expect.stringContaining('messages[0].content[1].image_url: it can’t be decoded'),
    ]);
  });

  const image = (type: string, more: object) => ({ type, ...more });
  const cutImage = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
  it.each([
    [
      '/v1/messages',
      'messages[2].content[1]',
      {
        ...{ model: 'gpt-4.1', max_tokens: 50, system: 'S' },
        messages: [
          { role: 'user', content: 'Look' },
          { role: 'assistant', content: 'At what?' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'This' },
              image('image', { source: { type: 'base64', media_type: 'image/png', data: cutImage } }),
            ],
          },
        ],
      },
    ],
    [
      '/v1/responses',
      'input[1].content[0].image_url',
      {
        ...{ model: 'gpt-4.1', instructions: 'S', store: false },
        input: [
          { role: 'user', content: 'Look' },
          { role: 'user', content: [image('input_image', { image_url: `data:image/png;base64,${cutImage}` })] },
        ],
      },
    ],
    [
      '/v1/chat/completions',
      'messages[3].content[0].image_url',
      {
        model: 'gpt-4.1',
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'old' },
          { role: 'assistant', content: 'older answer' },
          {
            role: 'user',
            content: [image('image_url', { image_url: { url: `data:image/png;base64,${cutImage}` } })],
          },
        ],
      },
    ],
  ])('name the place in the client’s own request: %s', async (path, place, body) => {
    const { post } = await serving((found) => {
      found.values.historyTurns = 1;
    });
    const [status, , message] = await refused(await post(path, body));
    expect([status, message]).toEqual([400, expect.stringContaining(`Jumpseat: ${place}: it can’t be decoded`)]);
  });

  it('keep an image of a tool’s result before what follows it', async () => {
    const { post, editor } = await serving();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const content = [image('image', { source: { type: 'base64', media_type: 'image/png', data: png } })];
    await post('/v1/messages', {
      ...hello,
      tools: [readTool],
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: { path: 'x' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', content },
            { type: 'text', text: 'Is it blue?' },
          ],
        },
      ],
    });
    const kinds = editor.sent[0]?.messages.flatMap(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : part.kind)),
    );
    expect(kinds).toEqual(['Look', 'call', 'result', 'image', 'Is it blue?']);
  });

  it('take no PDFs, from no model', async () => {
    const { post } = await serving();
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' };
    const content = [{ type: 'document', source }];
    const answer = await post('/v1/messages', { ...hello, messages: [{ role: 'user', content }] });
    expect(await refused(answer)).toEqual([
      400,
      'invalid_request_error',
      'Jumpseat: messages: VS Code’s language-model API accepts no PDFs. Send the text.',
    ]);
  });

  it('make no search of the web, and say that VS Code has none', async () => {
    const { post } = await serving();
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    for (const answer of [
      await post('/v1/messages', { ...hello, tools }),
      await post('/v1/chat/completions', { ...chatHello, web_search_options: {} }),
    ]) {
      const [status, , message] = await refused(answer);
      expect([status, message]).toEqual([
        400,
        expect.stringContaining('VS Code’s language-model API has no web search. Leave it out.'),
      ]);
    }
  });

  it('refuse by name what VS Code has no place for', async () => {
    const { post } = await serving();
    const [status, code, message] = await refused(await post('/v1/chat/completions', { ...chatHello, n: 2 }));
    expect([status, code]).toEqual([400, 'unsupported_parameter']);
    expect(message).toMatch(/^Jumpseat: n: /);
  });

  it('list the models in both APIs’ words', async () => {
    const served = await serving((editor) => {
      editor.ids = ['auto', 'copilot-utility', 'claude-sonnet-4.6', 'gpt-4.1'];
    });
    const list = await openai(served).models.list();
    expect(list.data.map(({ id }) => id)).toEqual(['claude-sonnet-4.6', 'gpt-4.1']);
    expect(await (await served.get('/v1/models/claude-sonnet-4-6')).json()).toMatchObject({ id: 'claude-sonnet-4-6' });
    expect((await served.get('/v1/models/nothing')).status).toBe(404);
  });
});

describe('a request that cannot be sent', () => {
  it('is told that no model has this name', async () => {
    const { post } = await serving();
    expect(await refused(await post('/v1/chat/completions', { ...chatHello, model: 'grok' }))).toEqual([
      404,
      'model_not_found',
      'Jumpseat: VS Code offers no Copilot model “grok”. Offered: claude-sonnet-4.6, gpt-4.1.',
    ]);
  });

  it('is told that its model was taken away, and the models are asked for anew', async () => {
    const { post, editor, get } = await serving();
    editor.answer = async function* () {
      yield* [];
      throw Object.assign(new Error('gone'), { code: 'NotFound' });
    };
    editor.ids = ['claude-sonnet-4.6'];
    expect((await refused(await post('/v1/chat/completions', chatHello)))[1]).toBe('model_not_found');
    const { data } = (await (await get('/v1/models')).json()) as { data: object[] };
    expect(data.length).toBe(1);
  });

  it('is told that VS Code has no Copilot', async () => {
    const { post, get } = await serving((editor) => {
      editor.ids = ['auto'];
    });
    const [status, code] = await refused(await post('/v1/chat/completions', chatHello));
    expect([status, code]).toEqual([503, 'copilot_unavailable']);
    expect((await refused(await get('/v1/models')))[1]).toBe('copilot_unavailable');
    expect(await (await get('/healthz')).json()).toEqual({
      ok: true,
      copilot: 'unavailable',
      reason: 'copilot_unavailable',
      version: '0.1.0',
    });
  });

  it('F2 is refused without the consent, and brings the dialog once', async () => {
    const { post, editor, get } = await serving((found) => {
      found.consent = () => Promise.reject(new NoPermissions());
    });
    const answer = await post('/v1/chat/completions', chatHello);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    const [status, code, message] = await refused(answer);
    expect([status, code]).toEqual([403, 'consent_required']);
    expect(message).toContain('Jumpseat: Enable” in the window “test” of VS Code');
    await post('/v1/messages', hello);
    expect([editor.asked, editor.sent.length, editor.allowed]).toEqual([1, 0, false]);
    expect(await (await get('/healthz')).json()).toMatchObject({ copilot: 'unavailable', reason: 'consent_required' });
  });

  it('shows nothing where the consent was given before', async () => {
    const shown: (string | undefined)[] = [];
    const { post, editor } = await serving((found) => {
      const { showStatus } = found;
      found.showStatus = (bar) => {
        shown.push(bar?.text);
        showStatus.call(found, bar);
      };
    });
    await post('/v1/messages', hello);
    expect([editor.asked, shown.some((text) => text?.includes('consent'))]).toEqual([1, false]);
  });

  it('F3 does not wait for the dialog for ever, and names its window', async () => {
    let allow = (): void => undefined;
    const { post, editor } = await serving(
      (found) => {
        found.allowed = false;
        found.consent = () => new Promise((resolve) => (allow = resolve));
      },
      { consentWithinMs: 30 },
    );
    const both = await Promise.all([post('/v1/chat/completions', chatHello), post('/v1/messages', hello)]);
    const [status, code, message] = await refused(both[0] as Response);
    expect([status, code]).toEqual([403, 'consent_required']);
    expect(message).toContain('Press Allow in the window “test” of VS Code');
    expect([both[1]?.status, editor.asked, editor.bar?.text]).toEqual([
      403,
      1,
      '$(question) Jumpseat: waits for consent',
    ]);
    allow();
    await soon(() => expect(editor.bar?.text).toBe('$(check) Jumpseat'));
    expect((await post('/v1/messages', hello)).status).toBe(200);
    expect(editor.asked).toBe(1);
  });

  it('waits for its turn, and is told when to come again where too many wait', async () => {
    const { post, editor } = await serving((found) => {
      found.values.atOnce = 1;
    });
    let running = 0;
    let most = 0;
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    editor.answer = async function* () {
      most = Math.max(most, ++running);
      await gate;
      running -= 1;
      yield new TextPart('done');
    };
    const many = Array.from({ length: 34 }, () => post('/v1/chat/completions', chatHello));
    const first = await Promise.race(many);
    await soon(() => expect(editor.bar?.hover[1]).toBe('1 request so far, 33 running.'));
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await refused(first))[1]).toBe('too_many_at_once');
    go();
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, most]).toEqual([33, 1]);
    await soon(() => expect(editor.bar?.hover[1]).toBe('34 requests so far.'));
  });
});

describe('the history', () => {
  it('may be cut to its last turns, and calls keep their results', async () => {
    const { post, editor } = await serving((found) => {
      found.values.historyTurns = 1;
      found.values.verbose = true;
    });
    const call = { type: 'tool_use', id: 'c', name: 'read', input: { path: 'x' } };
    await post('/v1/messages', {
      ...hello,
      system: 'S',
      tools: [readTool],
      messages: [
        { role: 'user', content: 'old' },
        { role: 'assistant', content: 'older answer' },
        { role: 'user', content: 'new' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'R' }] },
      ],
    });
    const kinds = editor.sent[0]?.messages.map(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : part.kind)),
    );
    expect(kinds).toEqual([['S'], ['new'], ['call'], ['result']]);
    expect(editor.logged.join()).toContain('older messages left out (jumpseat.historyTurns 1) ×2');
  });
});

describe('the log', () => {
  it('F12 has no word of a prompt, an answer or a key, verbose or not', async () => {
    const { post, editor, key } = await serving((found) => {
      found.values.verbose = true;
    });
    editor.answer = async function* () {
      yield new CallPart('c', 'read', { path: 'ANSWERED' });
      yield new DataPart(Buffer.from('{'), 'usage');
      yield usagePart(1, 1);
    };
    await post('/v1/messages', {
      ...hello,
      system: 'SECRETSYSTEM',
      tools: [readTool],
      messages: [{ role: 'user', content: 'PROMPTED' }],
      metadata: { user_id: 'x' },
    });
    await post('/v1/messages', 'NOTHING');
    const log = editor.logged.join('\n');
    expect(log).toContain('system sent as user');
    for (const word of ['PROMPTED', 'ANSWERED', 'SECRETSYSTEM', 'NOTHING', key]) expect(log).not.toContain(word);
  });

  it.each([
    [{ name: 'ChatRateLimited', message: 'Try again in 40 seconds.' }, 'ChatRateLimited: Try again in 40 seconds.'],
    [{ message: 'Request Failed: 400 {"error":{"message":"PROMPTED is no role"}}' }, 'Request Failed: 400'],
    [{ name: 'TypeError', message: 'PROMPTED is no function' }, 'TypeError'],
    [{ code: 'Blocked', message: 'PROMPTED' }, 'Blocked'],
  ])('F12 has VS Code’s words for a failure, unless they may quote the request: %j', async (fields, words) => {
    const { post, editor } = await serving();
    editor.answer = async function* () {
      yield* [];
      throw Object.assign(new Error(''), fields);
    };
    await post('/v1/chat/completions', chatHello);
    expect(editor.logged.at(-1)).toMatch(/ · \d{3} .* s · VS Code: /);
    expect(editor.logged.at(-1)?.endsWith(` · VS Code: ${words}`)).toBe(true);
  });
});
