import { describe, expect, it } from 'vitest';
import { blocksOf, type MessagesRequest, readMessagesRequest } from '../../../../app/formats/messages/request.ts';
import { messagesToResponses, type ResponsesOptions } from '../../../../app/formats/messages-via-responses/request.ts';
import { responsesSignature } from '../../../../app/formats/translation/reasoning.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { sampleJson, sampleNames } from '../sample.ts';

function translated(request: Partial<MessagesRequest>, options: ResponsesOptions = {}) {
  const result = messagesToResponses({ model: 'gpt-5.4', messages: [], ...request }, options);
  if (!result.ok) throw new Error(result.message);
  return result;
}
const body = (request: Partial<MessagesRequest>, options: ResponsesOptions = {}) => translated(request, options).body;
const input = (...messages: MessagesRequest['messages']) => body({ messages }).input;
const texts = (request: Partial<MessagesRequest>, options: ResponsesOptions = {}) =>
  translated(request, options).notes.map(({ text }) => text);
type Content = { type: string; [key: string]: unknown };
const user = (...content: Content[]) => ({ role: 'user', content });
const assistant = (...content: Content[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
const pngPart = { type: 'input_image', image_url: 'data:image/png;base64,iVBO', detail: 'auto' };
const use = (id: string, name = 'Bash', args: unknown = {}) => ({ type: 'tool_use', id, name, input: args });
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
const thinking = (words: string, signature: string) => ({ type: 'thinking', thinking: words, signature });
const said = (...words: string[]) => ({
  type: 'message',
  role: 'user',
  content: words.map((one) => ({ type: 'input_text', text: one })),
});
const answered = (...words: string[]) => ({
  type: 'message',
  role: 'assistant',
  content: words.map((one) => ({ type: 'output_text', text: one })),
});
const output = (call_id: string, words: string) => ({ type: 'function_call_output', call_id, output: words });
const call = (call_id: string, name: string, args: string) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: args,
});

describe('messagesToResponses: messages', () => {
  it('keeps the whole of a conversation, in its order', () => {
    expect(
      translated({
        max_tokens: 100,
        temperature: 0.5,
        system: [text('You are terse.'), text('Answer in French.')],
        messages: [
          { role: 'user', content: 'Look.' },
          assistant(text('Looking.'), use('t1', 'Read', { path: 'a…' }), text('And:'), use('t2', 'Bash')),
          user(text('Also:'), result('t1', 'eins'), result('t2', [text('zwei'), png, text('drei')]), png, text('end')),
          assistant(text('Voilà.'), text('Fini.')),
        ],
      }),
    ).toEqual({
      ok: true,
      body: {
        model: 'gpt-5.4',
        instructions: 'You are terse.\n\nAnswer in French.',
        max_output_tokens: 100,
        temperature: 0.5,
        stream: true,
        store: false,
        include: ['reasoning.encrypted_content'],
        input: [
          said('Look.'),
          answered('Looking.'),
          call('t1', 'Read', '{"path":"a…"}'),
          answered('And:'),
          call('t2', 'Bash', '{}'),
          output('t1', 'eins'),
          output('t2', 'zwei\n\ndrei'),
          { type: 'message', role: 'user', content: [pngPart] },
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_text', text: 'Also:' }, pngPart, { type: 'input_text', text: 'end' }],
          },
          answered('Voilà.', 'Fini.'),
        ],
      },
      notes: [],
      toolNames: expect.anything(),
      localStops: [],
    });
  });

  it('neighbouring assistant messages are one turn: nothing parts the calls, and a thought leads to what follows', () => {
    const list = [
      assistant(thinking('hm', responsesSignature('enc', 'gpt-5.4'))),
      assistant(text('One.'), use('t1')),
      { role: 'system', content: 'Mind the gap.' },
      assistant(text('Two.'), use('t2')),
      user(result('t1', [png])),
      user(result('t2', 'zwei')),
    ];
    expect(translated({ messages: list })).toMatchObject({
      body: {
        input: [
          { type: 'reasoning', encrypted_content: 'enc' },
          answered('One.'),
          call('t1', 'Bash', '{}'),
          answered('Two.'),
          call('t2', 'Bash', '{}'),
          output('t1', '(no content)'),
          output('t2', 'zwei'),
          { type: 'message', role: 'system' },
          { type: 'message', role: 'user', content: [pngPart] },
        ],
      },
      notes: [],
    });
  });

  it('B4.1 B4.2 a system string is the instructions; without system there are none', () => {
    expect(body({ system: 'Be kind.' })).toMatchObject({ instructions: 'Be kind.', input: [] });
    expect(Object.keys(body({ system: [] }))).not.toContain('instructions');
    expect(Object.keys(body({}))).not.toContain('instructions');
  });

  it('a system message among the others stays in its place, and never parts a call from its result', () => {
    const system = { role: 'system', content: [text('Mind the gap.')], output_config: { effort: 'low' } };
    const kinds = (...messages: MessagesRequest['messages']) =>
      input(...messages).map((item) => (item.type === 'message' ? item.role : item.type));
    expect(kinds(user(text('a')), system, user(text('b')))).toEqual(['user', 'system', 'user']);
    expect(kinds(assistant(use('t1')), system, user(result('t1', 'x'), text('b')))).toEqual([
      'function_call',
      'function_call_output',
      'system',
      'user',
    ]);
    expect(kinds(assistant(use('t1')), system)).toEqual(['function_call', 'system']);
    expect(kinds({ role: 'system', content: [] })).toEqual([]);
    expect(input(system)[0]).toEqual({
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: 'Mind the gap.' }],
    });
    expect(texts({ messages: [system] })).toEqual(['messages.output_config removed']);
  });

  it('an empty result still answers its call; a failed one loses its mark by name', () => {
    expect(input(user(result('t1', []), result('t2', undefined)))).toEqual([
      output('t1', '(no content)'),
      output('t2', '(no content)'),
    ]);
    expect(
      texts({ messages: [user({ ...result('t1', 'x'), is_error: true }, { ...result('t2', 'x'), is_error: false })] }),
    ).toEqual(['error mark of a tool result removed']);
  });

  it('ids longer than the API takes are short on both sides', () => {
    const long = `toolu_${'x'.repeat(80)}`;
    const other = `toolu_${'x'.repeat(79)}y`;
    const items = input(assistant(use(long), use(other)), user(result(long, 'a'), result(other, 'b')));
    const ids = items.map((item) => ('call_id' in item ? item.call_id : ''));
    expect(ids.every((id) => id.length <= 64)).toBe(true);
    expect([ids[2], ids[3]]).toEqual([ids[0], ids[1]]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('documents with text and search results go as text, a PDF is refused with its place', () => {
    const document = (source: Content) => ({ type: 'document', title: 'T', source });
    expect(
      input(
        user(document({ type: 'text', data: 'plain' }), document({ type: 'content', content: [text('a'), png] }), {
          type: 'search_result',
          title: 'S',
          source: 'here',
          content: [text('found')],
        }),
      ),
    ).toEqual([said('T\n\nplain', 'T\n\na', 'S\n\nhere\n\nfound')]);
    const pdf = document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' });
    expect(messagesToResponses({ model: 'm', messages: [user(result('t1', [pdf]))] })).toEqual({
      ok: false,
      code: 'document-refused',
      block: 'messages.0.content.0.content.0',
      message: expect.stringContaining('is a PDF'),
    });
  });

  it('what it does not know is named, and its text kept', () => {
    const messages = [
      user({ type: 'note', text: 'kept' }, { type: 'odd' }, { type: 'image', source: {} }),
      { role: 'critic', content: 'hm', name: 'x' },
      user(),
      assistant(),
    ];
    expect(input(...messages)).toEqual([said('kept'), said('hm')]);
    expect(texts({ messages })).toEqual([
      'note sent as text',
      'odd removed',
      'image without data removed',
      'role critic sent as user',
      'messages.name removed',
      'empty message removed ×2',
    ]);
  });

  it('changes nothing of the request', () => {
    const freeze = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const request = freeze({
      model: 'm',
      system: [text('s')],
      messages: [user(text('a'), png), assistant(use('t1')), user(result('t1', [text('x')]))],
      tools: [{ name: 'Bash', input_schema: { $schema: 'x', type: 'object' } }],
    });
    expect(messagesToResponses(request).ok).toBe(true);
  });
});

describe('messagesToResponses: thinking', () => {
  const own = (encrypted: string, model = 'gpt-5.4') => responsesSignature(encrypted, model);

  it('B9.11 goes back as the reasoning item it was, in its place and without an id', () => {
    expect(
      input(
        assistant(thinking('hm', own('enc')), text('a'), thinking('', own('enc2')), use('t1')),
        user(result('t1', 'x')),
      ),
    ).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'enc' },
      answered('a'),
      { type: 'reasoning', summary: [], encrypted_content: 'enc2' },
      call('t1', 'Bash', '{}'),
      output('t1', 'x'),
    ]);
  });

  it.each([
    ['Anthropic’s', thinking('hm', 'EqQBCkYIBxgCKkB')],
    ['another model’s', thinking('hm', own('enc', 'gpt-5-mini'))],
    ['a model’s whose name begins alike', thinking('hm', own('enc', 'gpt-5.4-mini'))],
    ['the chat path’s', thinking('hm', 'jumpseat-chat:enc')],
    ['unsigned', { type: 'thinking', thinking: 'hm' }],
    ['redacted', { type: 'redacted_thinking', data: 'x' }],
  ])('C12.1 %s stays here', (_, block) => {
    const messages = [assistant(block, text('a'))];
    expect(input(...messages)).toEqual([answered('a')]);
    expect(texts({ messages })).toEqual(['foreign thinking removed']);
  });

  it('the model that will read it decides, not the name in the request', () => {
    const messages = [assistant(thinking('hm', own('enc')), text('a'))];
    expect(body({ model: 'asked', messages }, { model: 'gpt-5.4' }).input).toHaveLength(2);
  });

  it('without its encrypted part, or without an answer after it, it stays here', () => {
    expect(texts({ messages: [assistant(thinking('hm', own('')), text('a'))] })).toEqual([
      'thinking without its encrypted part removed',
    ]);
    const unanswered = [assistant(text('a'), thinking('hm', own('e')), thinking('hm', own('f')))];
    expect(input(...unanswered)).toEqual([answered('a')]);
    expect(texts({ messages: unanswered })).toEqual(['thinking without an answer removed ×2']);
    expect(texts({ messages: [assistant(thinking('hm', own('e')))] })).toEqual([
      'thinking without an answer removed',
      'empty message removed',
    ]);
  });
});

describe('messagesToResponses: tools', () => {
  const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: 'object' }, ...more });

  it('become functions that are not strict, with a schema that every model takes', () => {
    const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(
      body({ tools: [tool('A', { description: 'Does.', input_schema: schema }), { name: 'B', type: 'custom' }] }).tools,
    ).toEqual([
      {
        type: 'function',
        name: 'A',
        description: 'Does.',
        parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        strict: false,
      },
      { type: 'function', name: 'B', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
  });

  it.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 'A' }, { tool_choice: { type: 'function', name: 'A' } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
    [{ type: 'tool', name: 'Gone' }, {}],
  ])('tool_choice %j', (tool_choice, expected) => {
    const { tool_choice: choice, parallel_tool_calls: parallel } = body({ tools: [tool('A')], tool_choice });
    expect({ tool_choice: choice, parallel_tool_calls: parallel }).toEqual({
      tool_choice: undefined,
      parallel_tool_calls: undefined,
      ...expected,
    });
  });

  it('deferred tools are sent once a result has named them; the reference is text', () => {
    const tools = [tool('Search'), tool('A', { defer_loading: true }), tool('B', { defer_loading: true })];
    const messages = [user(result('t1', [{ type: 'tool_reference', tool_name: 'A' }]))];
    const sent = translated({ tools, messages });
    expect(sent.body.tools?.map(({ name }) => name)).toEqual(['Search', 'A']);
    expect(sent.body.input).toEqual([output('t1', 'Tool loaded: A')]);
    expect(sent.notes.map(({ text }) => text)).toEqual(['deferred tools expanded']);
  });

  it('the API’s own tools are named and gone', () => {
    const tools = [{ name: 'web_search', type: 'web_search_20250305' }];
    expect(body({ tools }).tools).toBeUndefined();
    expect(texts({ tools })).toEqual(['tool web_search (web_search_20250305) removed']);
  });

  it('names that do not fit are short everywhere, and lead back', () => {
    const name = 'mcp__a.b__c d';
    const sent = translated({
      tools: [tool(name)],
      tool_choice: { type: 'tool', name },
      messages: [assistant(use('t1', name)), user(result('t1', 'x'))],
    });
    const [short] = (sent.body.tools ?? []).map((one) => one.name);
    expect(short).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(sent.body.tool_choice).toEqual({ type: 'function', name: short });
    expect(sent.body.input[0]).toMatchObject({ name: short });
    expect(sent.toolNames.original(short ?? '')).toBe(name);
    expect(sent.notes.map(({ text }) => text)).toEqual(['tool name shortened']);
  });

  it('input that is text already is not quoted again', () => {
    expect(input(assistant(use('t1', 'Bash', '{"a":')))).toEqual([call('t1', 'Bash', '{"a":')]);
  });
});

describe('messagesToResponses: settings', () => {
  const efforts = ['low', 'medium', 'high'];

  it.each<[string, Partial<MessagesRequest>, unknown, string[]]>([
    ['none asked', {}, undefined, []],
    ['an effort', { output_config: { effort: 'low' } }, { effort: 'low', summary: 'auto' }, []],
    ['a higher one', { output_config: { effort: 'max' } }, { effort: 'high', summary: 'auto' }, ['effort max → high']],
    ['adaptive', { thinking: { type: 'adaptive' } }, { effort: 'high', summary: 'auto' }, ['thinking → effort high']],
    [
      'a budget',
      { thinking: { type: 'enabled', budget_tokens: 8192 } },
      { effort: 'medium', summary: 'auto' },
      ['thinking → effort medium'],
    ],
    [
      'thoughts left out',
      { thinking: { type: 'adaptive', display: 'omitted' } },
      { effort: 'high' },
      ['thinking → effort high'],
    ],
    ['no thinking', { thinking: { type: 'disabled' } }, undefined, []],
  ])('reasoning: %s', (_, request, reasoning, notes) => {
    expect(body(request, { efforts }).reasoning).toEqual(reasoning);
    expect(texts(request, { efforts })).toEqual(notes);
  });

  it('a model without efforts gets none', () => {
    expect(body({ output_config: { effort: 'low' } }, { efforts: [] }).reasoning).toBeUndefined();
    expect(texts({ output_config: { effort: 'low' } }, { efforts: [] })).toEqual(['effort low removed']);
  });

  it('a model that reasons takes no sampling values, another does', () => {
    const request = { temperature: 1, top_p: 0.5 };
    expect(body(request, { efforts: [] })).toMatchObject(request);
    const { temperature, top_p } = body(request, { efforts });
    expect([temperature, top_p]).toEqual([undefined, undefined]);
    expect(texts(request, { efforts })).toEqual(['sampling values removed']);
    expect(texts({ ...request, output_config: { effort: 'low' } })).toEqual(['sampling values removed']);
  });

  it.each([
    [undefined, undefined, []],
    [1, 16, ['max_tokens 1 → 16']],
    [15, 16, ['max_tokens 15 → 16']],
    [16, 16, []],
    [64000, 64000, []],
  ])('max_tokens %j → max_output_tokens %j', (asked, sent, notes) => {
    const request: Partial<MessagesRequest> = asked === undefined ? {} : { max_tokens: asked };
    expect(body(request).max_output_tokens).toBe(sent);
    expect(texts(request)).toEqual(notes);
  });

  it('a format becomes a text format', () => {
    const schema = { type: 'object', properties: {} };
    expect(body({ output_config: { format: { type: 'json_schema', schema } } }).text).toEqual({
      format: { type: 'json_schema', name: 'answer', schema },
    });
    expect(texts({ output_config: { format: { type: 'yaml' } } })).toEqual(['output_config.format removed']);
  });

  it('stop sequences are all cut here', () => {
    const sent = translated({ stop_sequences: ['a', 'b'] });
    expect(sent.localStops).toEqual(['a', 'b']);
    expect(sent.body.stop).toBeUndefined();
    expect(sent.notes.map(({ text }) => text)).toEqual(['stop sequence cut locally ×2']);
  });

  it('every field without a place is named', () => {
    const request = {
      stream: false,
      metadata: { user_id: 'x' },
      service_tier: 'auto',
      context_management: {},
      top_k: 3,
      tomorrow: 1,
      output_config: { task_budget: 1 },
    };
    expect(Object.keys(body(request))).toEqual(['model', 'input', 'stream', 'store', 'include']);
    expect(texts(request)).toEqual([
      'metadata removed',
      'service_tier removed',
      'context_management removed',
      'top_k removed',
      'tomorrow removed',
      'output_config.task_budget removed',
    ]);
  });
});

describe('messagesToResponses: the real client', () => {
  const names = sampleNames('.request.json').filter(
    (name) => name.includes('-main-') || name.includes('-subagent-') || name.includes('-auxiliary-'),
  );

  it.each(names)('%s loses no text, no call and no result, the same way every time', (name) => {
    const recorded = sampleJson(name);
    const read = readMessagesRequest(isObject(recorded) && isObject(recorded.body) ? recorded.body : recorded);
    if (!read.ok) throw new Error(read.message);
    const { body: first, notes } = translated(read.request, { efforts: ['low', 'medium', 'high'] });
    const sent = JSON.stringify(first);
    for (const message of read.request.messages) {
      for (const [, block] of blocksOf(message.content)) {
        const words = block.type === 'text' ? block.text : block.type === 'tool_result' ? block.content : block.id;
        expect(sent).toContain(JSON.stringify(words).slice(1, -1));
      }
    }
    expect(sent).not.toMatch(/\$schema|cache_control|DeferredToolPlaceholder|defer_loading/);
    expect(translated(read.request, { efforts: ['low', 'medium', 'high'] })).toMatchObject({ body: first, notes });
  });
});
