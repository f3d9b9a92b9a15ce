import { describe, expect, it } from 'vitest';
import { blocksOf, type MessagesRequest, readMessagesRequest } from '../../../../app/formats/messages/request.ts';
import { type ChatOptions, messagesToChat } from '../../../../app/formats/messages-via-chat/request.ts';
import { chatSignature } from '../../../../app/formats/translation/reasoning.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { sampleJson, sampleNames } from '../sample.ts';

function translated(request: Partial<MessagesRequest>, options: Partial<ChatOptions> = {}) {
  const result = messagesToChat({ model: 'gpt-4.1', messages: [], ...request }, { claude: false, ...options });
  if (!result.ok) throw new Error(result.message);
  return result;
}
const chat = (request: Partial<MessagesRequest>, options: Partial<ChatOptions> = {}) =>
  translated(request, options).body;
const messages = (request: Partial<MessagesRequest>, options: Partial<ChatOptions> = {}) =>
  chat(request, options).messages;
const texts = (request: Partial<MessagesRequest>, options: Partial<ChatOptions> = {}) =>
  translated(request, options).notes.map(({ text }) => text);
const user = (...content: { type: string; [key: string]: unknown }[]) => ({ role: 'user', content });
const assistant = (...content: { type: string; [key: string]: unknown }[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
const pngPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } };
const use = (id: string, name = 'Bash', input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });

describe('messagesToChat: messages', () => {
  it('keeps the whole of a conversation, in its order', () => {
    expect(
      translated({
        max_tokens: 100,
        temperature: 0.5,
        system: [text('You are terse.'), text('Answer in French.')],
        messages: [
          { role: 'user', content: 'Look.' },
          assistant(text('Looking.'), use('t1', 'Read', { path: 'a…' }), use('t2', 'Bash')),
          user(
            text('Also this:'),
            result('t1', 'eins'),
            result('t2', [text('zwei'), png, text('drei')]),
            png,
            text('end'),
          ),
          assistant(text('Voilà.'), text('Fini.')),
        ],
      }),
    ).toEqual({
      ok: true,
      body: {
        model: 'gpt-4.1',
        max_tokens: 100,
        temperature: 0.5,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: 'You are terse.\n\nAnswer in French.' },
          { role: 'user', content: 'Look.' },
          {
            role: 'assistant',
            content: 'Looking.',
            tool_calls: [
              { id: 't1', type: 'function', function: { name: 'Read', arguments: '{"path":"a…"}' } },
              { id: 't2', type: 'function', function: { name: 'Bash', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 't1', content: 'eins' },
          { role: 'tool', tool_call_id: 't2', content: 'zwei\n\ndrei' },
          { role: 'user', content: [pngPart] },
          { role: 'user', content: [{ type: 'text', text: 'Also this:' }, pngPart, { type: 'text', text: 'end' }] },
          { role: 'assistant', content: 'Voilà.\n\nFini.' },
        ],
      },
      notes: [],
      toolNames: expect.anything(),
      localStops: [],
    });
  });

  it('B4.1 B4.2 a system string is one system message; without system there is none', () => {
    expect(messages({ system: 'Be kind.' })).toEqual([{ role: 'system', content: 'Be kind.' }]);
    expect(messages({ messages: [{ role: 'user', content: 'hi' }] })).toEqual([{ role: 'user', content: 'hi' }]);
    expect(messages({ system: [] })).toEqual([]);
  });

  it('texts without images go as one string', () => {
    expect(messages({ messages: [user(text('a'), text('b'))] })).toEqual([{ role: 'user', content: 'a\n\nb' }]);
  });

  it('an assistant that only calls has null content', () => {
    expect(messages({ messages: [assistant(use('t1'))] })[0]).toMatchObject({ role: 'assistant', content: null });
  });

  it('a system message among the others stays in its place, and never parts a call from its result', () => {
    const system = { role: 'system', content: [text('Mind the gap.')], output_config: { effort: 'low' } };
    const roles = (list: MessagesRequest['messages']) => messages({ messages: list }).map(({ role }) => role);
    expect(roles([user(text('a')), system, user(text('b'))])).toEqual(['user', 'system', 'user']);
    expect(roles([assistant(use('t1')), system, user(result('t1', 'x'), text('b'))])).toEqual([
      'assistant',
      'tool',
      'system',
      'user',
    ]);
    expect(roles([assistant(use('t1')), system])).toEqual(['assistant', 'system']);
    expect(roles([{ role: 'system', content: [] }])).toEqual([]);
    expect(texts({ messages: [system] })).toEqual(['messages.output_config removed']);
  });

  it('neighbouring assistant messages are one turn: every call has its result right behind it', () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: chatSignature('op4que') };
    const system = { role: 'system', content: 'Mind the gap.' };
    const parted = [
      assistant(thought),
      assistant(text('One.'), use('t1')),
      system,
      assistant(text('Two.'), use('t2')),
      user(result('t1', 'eins'), result('t2', 'zwei')),
      assistant(text('Done.')),
    ];
    expect(translated({ messages: parted })).toMatchObject({
      body: {
        messages: [
          {
            role: 'assistant',
            content: 'One.\n\nTwo.',
            tool_calls: [{ id: 't1' }, { id: 't2' }],
            reasoning_text: 'hm',
            reasoning_opaque: 'op4que',
          },
          { role: 'tool', tool_call_id: 't1' },
          { role: 'tool', tool_call_id: 't2' },
          system,
          { role: 'assistant', content: 'Done.' },
        ],
      },
      notes: [],
    });
    const joined = [assistant(text('One.'), use('t1'), text('Two.'), use('t2')), user(result('t1', 'eins'))];
    const apart = [assistant(text('One.'), use('t1')), assistant(text('Two.'), use('t2')), user(result('t1', 'eins'))];
    expect(messages({ messages: apart })).toEqual(messages({ messages: joined }));
  });

  it('nothing comes between the results of one turn that stand in several user messages', () => {
    const system = { role: 'system', content: 'Mind the gap.' };
    const list = [
      assistant(use('t1'), use('t2')),
      user(result('t1', [png])),
      system,
      user(result('t2', 'zwei'), text('a')),
    ];
    expect(messages({ messages: list }).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 't1', content: '(no content)' },
      { role: 'tool', tool_call_id: 't2', content: 'zwei' },
      { role: 'user', content: [pngPart] },
      system,
      { role: 'user', content: 'a' },
    ]);
  });

  it('an empty result still answers its call; a failed one loses its mark by name', () => {
    expect(messages({ messages: [user(result('t1', []), result('t2', undefined))] })).toEqual([
      { role: 'tool', tool_call_id: 't1', content: '(no content)' },
      { role: 'tool', tool_call_id: 't2', content: '(no content)' },
    ]);
    expect(
      texts({ messages: [user({ ...result('t1', 'x'), is_error: true }, { ...result('t2', 'x'), is_error: false })] }),
    ).toEqual(['error mark of a tool result removed']);
  });

  it('documents with text and search results go as text', () => {
    expect(
      messages({
        messages: [
          user(
            { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'body' } },
            { type: 'document', source: { type: 'content', content: [text('one'), text('two')] } },
            { type: 'search_result', title: 'Found', source: 'https://x.test', content: [text('hit')] },
          ),
        ],
      }),
    ).toEqual([{ role: 'user', content: 'T\n\nbody\n\none\n\ntwo\n\nFound\n\nhttps://x.test\n\nhit' }]);
  });

  it.each([
    [
      'messages.1.content.1',
      'PDF',
      [
        user(text('a')),
        user(text('b'), { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } }),
      ],
    ],
    [
      'messages.0.content.0.content.1',
      'PDF',
      [
        user(
          result('t1', [
            text('a'),
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
          ]),
        ),
      ],
    ],
    [
      'messages.0.content.0',
      'document',
      [user({ type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } })],
    ],
  ])('a document at %s is refused as a value', (block, kind, list) => {
    expect(messagesToChat({ model: 'm', messages: list }, { claude: false })).toEqual({
      ok: false,
      code: 'document-refused',
      block,
      message:
        `${block} is a ${kind}, and this model’s API supports no documents. Use a Claude model for it, or send ` +
        'its text.',
    });
  });

  it('what it does not know is named, and its text kept', () => {
    const odd = {
      messages: [
        user(
          text('a'),
          { type: 'hologram', text: 'b' },
          { type: 'smell' },
          { type: 'smell' },
          { type: 'image', source: { type: 'file', file_id: 'f' } },
        ),
      ],
    };
    expect(messages(odd)).toEqual([{ role: 'user', content: 'a\n\nb' }]);
    expect(texts(odd)).toEqual(['hologram sent as text', 'smell removed ×2', 'image without data removed']);
    expect(
      translated({
        messages: [
          { role: 'narrator', content: 'x' },
          { role: 'user', content: '' },
        ],
      }),
    ).toMatchObject({
      body: { messages: [{ role: 'user', content: 'x' }] },
      notes: [{ text: 'role narrator sent as user' }, { text: 'empty message removed' }],
    });
  });

  it('changes nothing of the request', () => {
    const request = {
      model: 'm',
      system: [text('s')],
      tools: [{ name: 'a.b', input_schema: { $schema: 'x' } }],
      messages: [user(text('a')), assistant(use('t1', 'a.b'))],
    };
    const before = structuredClone(request);
    messagesToChat(request, { claude: true });
    expect(request).toEqual(before);
  });
});

describe('messagesToChat: thinking', () => {
  const thinking = (words: string, signature?: string) => ({
    type: 'thinking',
    thinking: words,
    ...(signature === undefined ? {} : { signature }),
  });

  it('B9.6 B9.11 sends text and opaque part back together', () => {
    expect(messages({ messages: [assistant(thinking('hm', chatSignature('op4que')), text('a'))] })).toEqual([
      { role: 'assistant', content: 'a', reasoning_text: 'hm', reasoning_opaque: 'op4que' },
    ]);
    const parted = assistant(thinking('h', chatSignature('')), text('a'), thinking('m', chatSignature('op4que')));
    expect(messages({ messages: [parted] })).toEqual([
      { role: 'assistant', content: 'a', reasoning_text: 'hm', reasoning_opaque: 'op4que' },
    ]);
  });

  it('B9.6 a block whose opaque part is empty takes none away', () => {
    const parted = assistant(thinking('h', chatSignature('op4que')), thinking('m', chatSignature('')), text('a'));
    expect(messages({ messages: [parted] })[0]).toMatchObject({ reasoning_text: 'hm', reasoning_opaque: 'op4que' });
  });

  it('of several opaque parts of one turn the last is sent, and a note says so', () => {
    const several = {
      messages: [
        assistant(thinking('h', chatSignature('first')), text('a')),
        assistant(thinking('m', chatSignature('second')), text('b')),
      ],
    };
    expect(messages(several)).toEqual([
      { role: 'assistant', content: 'a\n\nb', reasoning_text: 'hm', reasoning_opaque: 'second' },
    ]);
    expect(texts(several)).toEqual(['opaque part of earlier thinking removed']);
  });

  it('B9.6 C12.1 or neither: half of ours and all of others stay here', () => {
    const half = { messages: [assistant(thinking('hm', chatSignature('')), text('a'))] };
    expect(messages(half)).toEqual([{ role: 'assistant', content: 'a' }]);
    expect(texts(half)).toEqual(['thinking without its opaque part removed']);
    const foreign = {
      messages: [
        assistant(
          thinking('hm', 'EswBCmcIDxABGAI='),
          thinking('hm'),
          { type: 'redacted_thinking', data: 'x' },
          text('a'),
        ),
      ],
    };
    expect(messages(foreign)).toEqual([{ role: 'assistant', content: 'a' }]);
    expect(texts(foreign)).toEqual(['foreign thinking removed ×3']);
  });

  it('a message of nothing but foreign thinking goes', () => {
    expect(translated({ messages: [assistant(thinking('hm'))] })).toMatchObject({
      body: { messages: [] },
      notes: [{ count: 1 }, { text: 'empty message removed' }],
    });
  });
});

describe('messagesToChat: tools', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  };
  const tools = [{ name: 'Bash', description: 'Runs.', input_schema: schema }];

  it('become functions, with a schema that every model takes', () => {
    expect(chat({ tools: [...tools, { name: 'Bare', type: 'custom' }] }).tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs.',
          parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        },
      },
      { type: 'function', function: { name: 'Bare', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(texts({ tools })).toEqual([]);
  });

  it.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 'Bash' }, { tool_choice: { type: 'function', function: { name: 'Bash' } } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
  ])('tool_choice %j', (tool_choice, expected) => {
    expect(chat({ tools, tool_choice })).toMatchObject(expected);
    expect('parallel_tool_calls' in chat({ tools, tool_choice })).toBe('parallel_tool_calls' in expected);
  });

  it('a tool_choice without its tool is named and gone', () => {
    expect(translated({ tool_choice: { type: 'any' } })).toMatchObject({
      notes: [{ text: 'tool_choice without tools removed' }],
    });
    const gone = translated({ tools, tool_choice: { type: 'tool', name: 'Edit' } });
    expect([gone.body.tool_choice, gone.notes.map(({ text: words }) => words)]).toEqual([
      undefined,
      ['tool_choice Edit removed'],
    ]);
  });

  it('the API’s own tools and fields without a counterpart are named and gone', () => {
    const own = {
      tools: [
        ...tools,
        { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
        { name: 'S', strict: true, input_examples: [] },
      ],
    };
    expect(chat(own).tools?.map((tool) => tool.function.name)).toEqual(['Bash', 'S']);
    expect(texts(own)).toEqual([
      'tool web_search (web_search_20250305) removed',
      'tools.strict removed',
      'tools.input_examples removed',
    ]);
  });

  it('deferred tools are sent once a result has named them', () => {
    const deferred = {
      tools: [
        ...tools,
        { name: 'DeferredToolPlaceholder', defer_loading: true },
        { name: 'WebFetch', defer_loading: true },
        { name: 'Cron', defer_loading: true },
      ],
      messages: [
        assistant(use('t1', 'ToolSearch')),
        user(result('t1', [{ type: 'tool_reference', tool_name: 'WebFetch' }])),
      ],
    };
    expect(chat(deferred).tools?.map((tool) => tool.function.name)).toEqual(['Bash', 'WebFetch']);
    expect(messages(deferred)[1]).toEqual({ role: 'tool', tool_call_id: 't1', content: 'Tool loaded: WebFetch' });
    expect(texts(deferred)).toEqual(['deferred tools expanded']);
  });

  it('names that do not fit are short everywhere, and lead back', () => {
    const long = 'mcp__a_server_with_a_very_long_name__and_a_tool_with_a_longer_name.v2';
    const { body, notes, toolNames } = translated({
      tools: [{ name: long }],
      tool_choice: { type: 'tool', name: long },
      messages: [assistant(use('t1', long), use('t2', 'gone.tool'))],
    });
    const short = body.tools?.[0]?.function.name ?? '';
    expect(short).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.tool_choice).toEqual({ type: 'function', function: { name: short } });
    expect(body.messages[0]).toMatchObject({
      tool_calls: [{ function: { name: short } }, { function: { name: expect.stringMatching(/^gone_tool_/) } }],
    });
    expect(toolNames.original(short)).toBe(long);
    expect(notes).toEqual([{ code: 'tool-name-shortened', count: 2, text: 'tool name shortened ×2' }]);
  });

  it('input that is text already is not quoted again', () => {
    expect(messages({ messages: [assistant(use('t1', 'Bash', '{"half":'))] })[0]).toMatchObject({
      tool_calls: [{ function: { arguments: '{"half":' } }],
    });
  });
});

describe('messagesToChat: settings', () => {
  it.each<[Partial<MessagesRequest>, readonly string[] | undefined, string | undefined, string[]]>([
    [{ output_config: { effort: 'high' } }, undefined, 'high', []],
    [{ output_config: { effort: 'high' } }, ['low', 'medium', 'high'], 'high', []],
    [{ output_config: { effort: 'max' } }, ['low', 'medium', 'high'], 'high', ['effort max → high']],
    [{ output_config: { effort: 'low' } }, ['medium', 'high'], 'medium', ['effort low → medium']],
    [{ output_config: { effort: 'ultra' } }, ['low', 'high'], 'high', ['effort (unknown) → high']],
    [{ output_config: { effort: 'high' } }, [], undefined, ['effort high removed']],
    [{ output_config: { effort: 'low' }, thinking: { type: 'adaptive' } }, undefined, 'low', []],
    [{ thinking: { type: 'adaptive' } }, undefined, 'high', ['thinking → effort high']],
    [{ thinking: { type: 'enabled', budget_tokens: 32768 } }, undefined, 'xhigh', ['thinking → effort xhigh']],
    [{ thinking: { type: 'enabled', budget_tokens: 32768 } }, ['low', 'high'], 'high', ['thinking → effort high']],
    [{ thinking: { type: 'enabled', budget_tokens: 31999 } }, undefined, 'high', ['thinking → effort high']],
    [{ thinking: { type: 'enabled', budget_tokens: 8192 } }, undefined, 'medium', ['thinking → effort medium']],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, undefined, 'low', ['thinking → effort low']],
    [{ thinking: { type: 'disabled' } }, undefined, undefined, []],
    [{}, ['low'], undefined, []],
  ])('effort of %j with %j is %s', (request, efforts, expected, notes) => {
    const result = translated(request, efforts === undefined ? {} : { efforts });
    expect(result.body.reasoning_effort).toBe(expected);
    expect(result.notes.map(({ text: words }) => words)).toEqual(notes);
  });

  it('an effort takes the sampling values away, top_k has no place at all', () => {
    const sampling = { temperature: 1, top_p: 0.5, top_k: 3 };
    const { body, notes } = translated({ ...sampling, output_config: { effort: 'low' } });
    expect([body.temperature, body.top_p, notes.map(({ text: words }) => words)]).toEqual([
      undefined,
      undefined,
      ['sampling values removed', 'top_k removed'],
    ]);
    expect(chat(sampling)).toMatchObject({ temperature: 1, top_p: 0.5 });
  });

  it('a format becomes a response_format', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    expect(chat({ output_config: { format: { type: 'json_schema', schema } } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema },
    });
    expect(texts({ output_config: { format: { type: 'yaml' }, budget: 1 } })).toEqual([
      'output_config.format removed',
      'output_config.budget removed',
    ]);
  });

  it('stop sequences: four are sent, the rest is cut here; or all are', () => {
    expect(translated({ stop_sequences: ['</block>'] })).toMatchObject({
      body: { stop: ['</block>'] },
      localStops: [],
      notes: [],
    });
    expect(translated({ stop_sequences: ['1', '2', '3', '4', '5'] })).toMatchObject({
      body: { stop: ['1', '2', '3', '4'] },
      localStops: ['5'],
    });
    const cut = translated({ stop_sequences: ['a', 'b'] }, { stops: 'cut' });
    expect([cut.body.stop, cut.localStops, cut.notes]).toEqual([
      undefined,
      ['a', 'b'],
      [{ code: 'stop-cut-locally', count: 2, text: 'stop sequence cut locally ×2' }],
    ]);
  });

  it('every field without a place is named', () => {
    expect(
      translated({
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        context_management: { edits: [] },
        speed: 'fast',
        stream: false,
      }).notes,
    ).toEqual(
      ['metadata', 'service_tier', 'context_management', 'speed'].map((field) => ({
        code: 'field-dropped',
        count: 1,
        text: `${field} removed`,
      })),
    );
  });

  it('the upstream’s name of the model can be given', () => {
    expect(chat({ model: 'asked' }, { model: 'sent' }).model).toBe('sent');
  });

  it('a Claude gets cache marks on the system and the newest marked messages, four at most', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const request = {
      system: [{ ...text('s'), ...mark }],
      messages: [
        user({ ...text('1'), ...mark }),
        assistant({ ...text('2'), ...mark }, use('t1')),
        user({ ...result('t1', '3'), ...mark }),
        user(text('4')),
        user({ ...text('5'), ...mark }),
      ],
    };
    const marked = (options: Partial<ChatOptions>) =>
      messages(request, options).map((message) => message.copilot_cache_control?.type);
    expect(marked({ claude: true })).toEqual([
      'ephemeral',
      undefined,
      'ephemeral',
      'ephemeral',
      undefined,
      'ephemeral',
    ]);
    expect(marked({ claude: false })).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
    expect(messages({ system: 's', tools: [{ name: 'a', ...mark }] }, { claude: true })[0]).toHaveProperty(
      'copilot_cache_control',
    );
    expect(messages({ system: 's' }, { claude: true })[0]).not.toHaveProperty('copilot_cache_control');
  });
});

describe('messagesToChat: the real client', () => {
  const names = sampleNames('.request.json').filter(
    (name) => name.includes('-main-') || name.includes('-subagent-') || name.includes('-auxiliary-'),
  );

  it.each(names)('%s loses no text, no call and no result, the same way every time', (name) => {
    const recorded = sampleJson(name);
    const read = readMessagesRequest(isObject(recorded) && isObject(recorded.body) ? recorded.body : recorded);
    if (!read.ok) throw new Error(read.message);
    const { body, notes } = translated(read.request, { efforts: ['low', 'medium', 'high'] });
    const sent = JSON.stringify(body);
    for (const message of read.request.messages) {
      for (const [, block] of blocksOf(message.content)) {
        const words = block.type === 'text' ? block.text : block.type === 'tool_result' ? block.content : block.id;
        expect(sent).toContain(JSON.stringify(words).slice(1, -1));
      }
    }
    expect(sent).not.toMatch(/\$schema|cache_control|DeferredToolPlaceholder|defer_loading/);
    expect(translated(read.request, { efforts: ['low', 'medium', 'high'] })).toMatchObject({ body, notes });
  });
});
