import { describe, expect, it } from 'vitest';
import { responsesToMessages } from '../../../../app/formats/responses-via-messages/request.ts';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';

const mapped = (body: JsonObject) => responsesToMessages({ model: 'm', ...body });
const text = (value: string) => ({ type: 'text', text: value });
const user = (content: unknown) => ({ type: 'message', role: 'user', content });

const f = { type: 'function', name: 'f', parameters: { type: 'object' } };

describe('responsesToMessages: items', () => {
  it('nothing but instructions is refused', () => {
    expect(mapped({ instructions: 'Be brief.', input: [] })).toMatchObject({ ok: false, field: 'input' });
  });

  it.each([
    ['tools[0].name', [{ ...f, name: 'a b' }], undefined],
    ['tools[0].parameters', [{ ...f, parameters: 'none' }], undefined],
    ['tools[0].parameters.type', [{ ...f, parameters: { type: null } }], undefined],
    ['tools[1]', [f, f], undefined],
    ['tool_choice', [f], { type: 'function', name: 'g' }],
  ])('%s is refused by the name that the client knows', (field, tools, choice) => {
    expect(mapped({ input: 'Go', tools, tool_choice: choice })).toMatchObject({ ok: false, field });
  });

  it('every kind of item, in its order', () => {
    const result = mapped({
      instructions: 'one',
      input: [
        { role: 'developer', content: 'two' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'three' }] },
        user([
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        ]),
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'jumpseat-thinking:sig',
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'calling', annotations: [] }] },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{"n":12345678901234567890}' },
        { type: 'function_call', call_id: 'b', name: 'g', arguments: '' },
        { type: 'function_call_output', call_id: 'a', output: 'A' },
        {
          type: 'function_call_output',
          call_id: 'b',
          output: [
            { type: 'input_text', text: 'B' },
            { type: 'input_image', image_url: 'https://example.com/x.png' },
          ],
        },
        { role: 'developer', content: 'by the way' },
        user('go on'),
        { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      ],
    });
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      ok: true,
      summary: false,
      notes: [],
      request: {
        model: 'm',
        stream: true,
        system: [text('one'), text('two'), text('three')],
        messages: [
          {
            role: 'user',
            content: [
              text('look'),
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              text('calling'),
              { type: 'tool_use', id: 'a', name: 'f', input: { n: Number('12345678901234567890') } },
              { type: 'tool_use', id: 'b', name: 'g', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: [text('A')] },
              {
                type: 'tool_result',
                tool_use_id: 'b',
                content: [text('B'), { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } }],
              },
            ],
          },
          { role: 'system', content: [text('by the way')] },
          { role: 'user', content: [text('go on')] },
          { role: 'assistant', content: [text('no')] },
        ],
      },
    });
    // A number that JavaScript cannot hold keeps its digits.
    expect(JSON.stringify(result)).toContain('12345678901234567890');
  });

  it('a string is one message of the user', () => {
    expect(mapped({ input: 'hi' })).toMatchObject({
      request: { messages: [{ role: 'user', content: [text('hi')] }] },
    });
  });

  it.each([
    [
      { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
    ],
    [
      { file_data: 'data:text/markdown;charset=utf-8;base64,SGk=' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hi' } },
    ],
    [
      { file_url: 'https://example.com/a.pdf' },
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ])('a file is a document: %j', (file, block) => {
    expect(mapped({ input: [user([{ type: 'input_file', ...file }])] })).toMatchObject({
      request: { messages: [{ content: [block] }] },
    });
  });

  it(
    'reasoning of another API, reasoning that led to nothing, and calls of OpenAI’s own tools are gone, and ' +
      'it is said',
    () => {
      const result = mapped({
        input: [
          user('hi'),
          { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed' },
          { type: 'message', role: 'assistant', content: 'yes' },
          { type: 'reasoning', summary: [], encrypted_content: 'jumpseat-redacted:data' },
          user([{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'high' }]),
          { type: 'reasoning', summary: [], encrypted_content: 'jumpseat-thinking:sig' },
        ],
      });
      expect(result).toMatchObject({
        request: {
          messages: [{ role: 'user' }, { role: 'assistant', content: [text('yes')] }, { role: 'user' }],
        },
        notes: [
          { text: 'foreign reasoning removed' },
          { text: 'web_search_call removed' },
          { text: 'input_image.detail removed' },
          { text: 'reasoning without an answer removed ×2' },
        ],
      });
    },
  );

  it('B9.6 reasoning of Chat Completions that came behind its words stays there', () => {
    const encrypted_content = 'jumpseat-thinking:jumpseat-chat:opaque';
    const result = mapped({
      input: [
        user('hi'),
        { type: 'message', role: 'assistant', content: 'yes' },
        { type: 'reasoning', summary: [], encrypted_content },
        user('and?'),
        { type: 'reasoning', summary: [], encrypted_content },
      ],
    });
    const thinking = { type: 'thinking', thinking: '', signature: 'jumpseat-chat:opaque' };
    expect(result).toMatchObject({
      request: { messages: [{}, { role: 'assistant', content: [text('yes'), thinking] }, {}] },
      notes: [{ text: 'reasoning without an answer removed' }],
    });
  });

  it.each([
    ['input[0].type', [{ type: 'item_reference', id: 'msg_1' }]],
    ['input[0].type', [{ type: 'local_shell_call', call_id: 'x' }]],
    ['input[0].role', [{ type: 'message', role: 'critic', content: 'x' }]],
    ['input[0]', ['words']],
    ['input[0].arguments', [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{"cut' }]],
    ['input[0].call_id', [{ type: 'function_call_output', output: 'x' }]],
    ['input[0].content[0].type', [user([{ type: 'input_audio' }])]],
    ['input[0].content[0].image_url', [user([{ type: 'input_image', file_id: 'file_1' }])]],
    ['input[0].content[0].file_data', [user([{ type: 'input_file', file_id: 'file_1' }])]],
  ])('%s has no place: refused by it', (field, input) => {
    expect(mapped({ input })).toMatchObject({ ok: false, field });
  });
});

describe('responsesToMessages: settings', () => {
  const parameters = { type: 'object', properties: {} };
  const f = { type: 'function', name: 'f', description: 'd', parameters, strict: true };
  const g = { type: 'function', name: 'g', parameters: null };

  it('tools, choice, limits, schema, effort', () => {
    expect(
      mapped({
        input: 'hi',
        tools: [f, g],
        tool_choice: { type: 'function', name: 'f' },
        parallel_tool_calls: false,
        max_output_tokens: 7,
        temperature: 0.5,
        top_p: 0.9,
        reasoning: { effort: 'low', summary: 'auto' },
        text: { format: { type: 'json_schema', name: 'x', strict: true, schema: parameters }, verbosity: 'medium' },
      }),
    ).toEqual({
      ok: true,
      notes: [],
      summary: true,
      request: {
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: [text('hi')] }],
        max_tokens: 7,
        temperature: 0.5,
        top_p: 0.9,
        tools: [
          { name: 'f', description: 'd', input_schema: parameters, strict: true },
          { name: 'g', input_schema: parameters },
        ],
        tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
        output_config: { effort: 'low', format: { type: 'json_schema', schema: parameters } },
      },
    });
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
  ])('tool_choice %s', (choice, expected) => {
    expect(mapped({ input: 'hi', tools: [f], tool_choice: choice })).toMatchObject({
      request: { tool_choice: expected },
    });
  });

  it('allowed_tools leaves the others out', () => {
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] };
    expect(mapped({ input: 'hi', tools: [f, g], tool_choice: allowed })).toMatchObject({
      request: { tools: [{ name: 'g' }], tool_choice: { type: 'any' } },
    });
  });

  it('JSON of any shape is asked for in words, behind all others, and it is said', () => {
    expect(mapped({ instructions: 'Be brief.', input: 'hi', text: { format: { type: 'json_object' } } })).toMatchObject(
      {
        request: { system: [text('Be brief.'), text(expect.stringContaining('exactly one JSON object'))] },
        notes: [{ text: 'text.format json_object asked for in words' }],
      },
    );
  });

  it.each([
    ['tools[0].type', { tools: [{ type: 'local_shell' }] }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tools: [f], tool_choice: 'some' }],
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['text.format.type', { text: { format: { type: 'grammar' } } }],
    ['text.format.schema', { text: { format: { type: 'json_schema' } } }],
    ['reasoning.tomorrow', { reasoning: { tomorrow: 1 } }],
    ['max_output_tokens', { max_output_tokens: 'many' }],
    ['instructions', { instructions: [{ role: 'user', content: 'x' }] }],
    ['parallel_tool_calls', { parallel_tool_calls: 'yes' }],
  ])('%s is refused by its place: %j', (field, more) => {
    expect(mapped({ input: 'hi', ...more })).toMatchObject({ ok: false, field });
  });
});
