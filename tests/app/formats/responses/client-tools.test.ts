import { describe, expect, it } from 'vitest';
import { ClientToolCalls, plainFunctions } from '../../../../app/formats/responses/client-tools.ts';
import { ResponsesRelay } from '../../../../app/formats/responses/relay.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { responseEventsIn } from '../responses-order.ts';
import { responsesSse, through } from '../stream.ts';

const parameters = { type: 'object', properties: {} };
const shell = { type: 'function', name: 'shell', strict: false, parameters };
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
};
const agents = { type: 'namespace', name: 'agents', description: 'Others.', tools: [{ ...shell, name: 'spawn' }] };

describe('plainFunctions', () => {
  it('functions alone: the very same tools and input', () => {
    const body = { tools: [shell], input: [{ type: 'function_call', call_id: 'a', name: 'shell', arguments: '{}' }] };
    const plain = plainFunctions(body);
    expect([plain.tools.none, plain.body.tools, plain.body.input]).toEqual([true, body.tools, body.input]);
    expect(plain.body.input).toBe(body.input);
  });

  it('custom tools and namespaces, their choice, their calls and results', () => {
    const { body, tools } = plainFunctions({
      tools: [shell, patch, agents, { type: 'web_search' }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'apply_patch' }] },
      input: [
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'custom_tool_call_output', call_id: 'a', output: 'done' },
        { type: 'function_call', call_id: 'b', namespace: 'agents', name: 'spawn', arguments: '{}' },
        { type: 'function_call_output', call_id: 'b', output: 'yes' },
      ],
    });
    expect(body).toEqual({
      tools: [
        shell,
        {
          type: 'function',
          name: 'apply_patch',
          description: 'Edits files.\n\nThe input has to match this lark grammar:\nstart: "*** Begin Patch"',
          strict: false,
          parameters: {
            type: 'object',
            properties: { input: { type: 'string', description: expect.any(String) } },
            required: ['input'],
            additionalProperties: false,
          },
        },
        { ...shell, name: 'agents__spawn' },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'apply_patch' }] },
      input: [
        {
          type: 'function_call',
          id: 'ctc_1',
          call_id: 'a',
          name: 'apply_patch',
          arguments: '{"input":"*** Begin Patch"}',
        },
        { type: 'function_call_output', call_id: 'a', output: 'done' },
        { type: 'function_call', call_id: 'b', name: 'agents__spawn', arguments: '{}' },
        { type: 'function_call_output', call_id: 'b', output: 'yes' },
      ],
    });
    expect([tools.of('apply_patch'), tools.of('agents__spawn'), tools.of('shell')]).toEqual([
      { kind: 'custom', name: 'apply_patch', namespace: null },
      { kind: 'function', name: 'spawn', namespace: 'agents' },
      null,
    ]);
  });

  it('a name that is too long gets a short one, which leads back', () => {
    const long = 'n'.repeat(60);
    const { body, tools } = plainFunctions({
      tools: [{ ...agents, name: 'mcp__server__', tools: [{ ...shell, name: long }] }],
    });
    const [tool]: unknown[] = Array.isArray(body.tools) ? body.tools : [];
    const name = isObject(tool) ? String(tool.name) : '';
    expect(name).toMatch(/^mcp__server__n+_[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(tools.of(name)).toEqual({ kind: 'function', name: long, namespace: 'mcp__server__' });
  });
});

describe('ClientToolCalls', () => {
  const { tools } = plainFunctions({ tools: [shell, patch, agents] });
  const call = (output_index: number, name: string, json: string, pieces: string[], status = 'completed') => {
    const item = { type: 'function_call', status, call_id: `call_${output_index}`, name, arguments: json };
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', arguments: '' } },
      ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index, delta })),
      { type: 'response.function_call_arguments.done', output_index, name, arguments: json },
      { type: 'response.output_item.done', output_index, item },
    ];
  };
  const answered = (...events: object[][]) => {
    const output = events
      .flat()
      .filter((event) => 'item' in event && 'type' in event && event.type === 'response.output_item.done')
      .map((event) => ('item' in event ? event.item : null));
    const bytes = responsesSse(
      { type: 'response.created', response: { id: 'r', model: 'up', output: [] } },
      ...events.flat().map(Object),
      { type: 'response.completed', response: { id: 'r', model: 'up', output } },
    );
    return responseEventsIn(through(new ClientToolCalls(new ResponsesRelay({ model: 'asked' }), tools), bytes)).map(
      ({ item_id: _id, sequence_number: _n, ...event }) => event,
    );
  };

  it('a custom tool: its input in one piece, its item, and the item in the last event', () => {
    const events = answered(call(0, 'apply_patch', '{"input":"a\\nb"}', ['{"input":', '"a\\nb"}']));
    const item = { id: expect.any(String), type: 'custom_tool_call', call_id: 'call_0', name: 'apply_patch' };
    expect(events.slice(1)).toEqual([
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', input: '' } },
      { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'a\nb' },
      { type: 'response.custom_tool_call_input.done', output_index: 0, input: 'a\nb' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed', input: 'a\nb' } },
      {
        type: 'response.completed',
        response: expect.objectContaining({
          output: [
            { type: 'custom_tool_call', status: 'completed', call_id: 'call_0', name: 'apply_patch', input: 'a\nb' },
          ],
        }),
      },
    ]);
  });

  it('C8.2 an input that was cut goes on as it is, never completed', () => {
    const events = answered(call(0, 'apply_patch', '{"input":"*** Beg', ['{"input":"*** Beg'], 'incomplete'));
    expect(events.at(-2)).toMatchObject({ item: { status: 'incomplete', input: '{"input":"*** Beg' } });
  });

  it('a namespace: its own name again; functions beside it stay as they are', () => {
    const events = answered(call(0, 'agents__spawn', '{}', ['{}']), call(1, 'shell', '{"a":1}', ['{"a"', ':1}']));
    expect(events.filter((event) => 'item' in event).map(({ item }) => item)).toMatchObject([
      { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: '' },
      { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: '{}' },
      { type: 'function_call', name: 'shell', arguments: '' },
      { type: 'function_call', name: 'shell', arguments: '{"a":1}' },
    ]);
    expect(events.filter(({ type }) => type === 'response.function_call_arguments.delta')).toEqual([
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{}' },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: ':1}' },
    ]);
  });
});
