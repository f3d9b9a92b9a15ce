import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import type { ResponsesQuirks } from '../../../../app/simulator/simulator.ts';
import { Client, eventsOf, simulate } from '../client.ts';

const tools = [{ type: 'function', name: 'Bash', parameters: { type: 'object' }, strict: false }];

interface Event {
  type: string;
  [key: string]: unknown;
}

async function ask(words: string, more: JsonObject = {}, responses: ResponsesQuirks = {}): Promise<Response> {
  const simulator = await simulate();
  simulator.script.next({ kind: 'usual', responses });
  const client = await Client.of(simulator);
  return client.post('/responses', { model: 'gpt-5.4', input: words, ...more });
}

async function stream(words: string, more: JsonObject = {}, quirks: ResponsesQuirks = {}): Promise<Event[]> {
  const events = eventsOf(await (await ask(words, { stream: true, ...more }, quirks)).text());
  return events.map(({ event, data }) => {
    expect((data as Event).type).toBe(event);
    return data as Event;
  });
}

const kinds = (events: Event[]): string[] => [...new Set(events.map(({ type }) => type.replace('response.', '')))];

describe('streams', () => {
  it('text: announced, in pieces, whole, and the bill at the end', async () => {
    const events = await stream('count to 5');
    expect(kinds(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('1, 2, 3, 4, 5');
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)).toMatchObject({
      copilot_usage: { total_nano_aiu: expect.any(Number) },
      response: {
        status: 'completed',
        output_text: null,
        output: [{ type: 'message', content: [{ type: 'output_text', text: '1, 2, 3, 4, 5' }] }],
        usage: { input_tokens: expect.any(Number), output_tokens_details: { reasoning_tokens: 0 } },
      },
    });
  });

  it('no two events name an item alike', async () => {
    const events = await stream('count to 20');
    const ids = events.flatMap((event) => [event.item_id, (event.item as JsonObject | undefined)?.id]).filter(Boolean);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('reasoning and two calls, each with its index', async () => {
    const more = { tools, reasoning: { effort: 'low', summary: 'auto' } };
    const events = await stream('think, then\nrun: echo 1\nrun: echo 2', more);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done).toMatchObject([
      { output_index: 0, item: { type: 'reasoning', encrypted_content: expect.any(String), summary: [{}] } },
      { output_index: 1, item: { type: 'function_call', name: 'Bash', call_id: expect.stringMatching(/^call_/) } },
      { output_index: 2, item: { type: 'function_call', name: 'Bash' } },
    ]);
  });

  it('thoughts without a wanted summary are only there encrypted', async () => {
    const events = await stream('think about it', { reasoning: { effort: 'low' } });
    expect(kinds(events)).not.toContain('reasoning_summary_text.delta');
    const done = events.find(({ type }) => type === 'response.output_item.done');
    expect(done).toMatchObject({ item: { type: 'reasoning', encrypted_content: expect.any(String), summary: [] } });
  });

  it('quirks on demand', async () => {
    const quirks = { billInside: true, encryptedArguments: true };
    const events = await stream('run: echo 1', { tools }, quirks);
    const json = events
      .filter(({ type }) => type === 'response.function_call_arguments.delta')
      .map(({ delta }) => delta)
      .join('');
    expect(json).not.toContain('{');
    expect(events.find(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject({
      arguments: expect.stringContaining('echo 1'),
    });
    expect(events.at(-1)).not.toHaveProperty('copilot_usage');
    expect(events.at(-1)).toMatchObject({ response: { copilot_usage: { total_nano_aiu: expect.any(Number) } } });
  });

  it('incomplete at max_output_tokens', async () => {
    const events = await stream('count to 500', { max_output_tokens: 16 });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });
});

describe('whole answers', () => {
  it('text, and JSON of a schema', async () => {
    expect(await (await ask('count to 3')).json()).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ content: [{ text: '1, 2, 3' }] }],
      copilot_usage: { total_nano_aiu: expect.any(Number) },
    });
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    const text = { format: { type: 'json_schema', name: 'answer', schema } };
    expect(await (await ask('x', { text })).json()).toMatchObject({ output: [{ content: [{ text: '{"a":1}' }] }] });
  });

  it('results, instructions and forced tools are read', async () => {
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'run: echo 1' }] },
      { type: 'function_call', call_id: 'c1', name: 'Bash', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
    ];
    expect(await (await ask('', { input, tools })).json()).toMatchObject({
      output: [{ content: [{ text: 'The tool answered: “one”' }] }],
    });
    const forced = await ask('x', { tools, tool_choice: { type: 'function', name: 'Bash' } });
    expect(await forced.json()).toMatchObject({ output: [{ type: 'function_call', name: 'Bash' }] });
    const guard = await ask('x', { instructions: 'You are a security monitor' });
    expect(await guard.json()).toMatchObject({ output: [{ content: [{ text: '<block>no</block>' }] }] });
  });
});

it('models of other paths are refused', async () => {
  const answer = await ask('x', { model: 'gpt-4.1' });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'unsupported_api_for_model' } }]);
});
