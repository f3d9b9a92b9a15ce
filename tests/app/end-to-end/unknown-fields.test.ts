import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import { type Answer, type Stack, startStack } from '../stack.ts';

/**
 * A field of a client of tomorrow, which Copilot calls unknown: left out, sent once more, named in the log, known the
 * next time.
 */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const paths = ['/v1/messages', '/chat/completions', '/responses'];
const inference = (): RecordedRequest[] => stack.simulator.requests.filter(({ path }) => paths.includes(path));
const statuses = () => inference().map(({ status }) => status);
const lastBody = (): string => JSON.stringify(inference().at(-1)?.body);

/** Copilot answers so while a body holds this text. */
function refuseWhile(text: string, message: string, path?: string): void {
  stack.simulator.script.always({ kind: 'answer', status: 400, body: { message } }, (request) => {
    const asked = path === undefined ? paths.includes(request.path) : request.path === path;
    return asked && JSON.stringify(request.body).includes(text);
  });
}

const post = (path: string, body: object): Promise<Answer> =>
  stack.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
const said = [{ role: 'user', content: 'hello there' }];
const schema = { type: 'object', properties: {} };
const messages = (more: object, model = 'claude-sonnet-4.6') =>
  post('/v1/messages', { model, max_tokens: 200, messages: said, ...more });
const chat = (more: object, model = 'gpt-5-mini') => post('/v1/chat/completions', { model, messages: said, ...more });
const responses = (more: object) => post('/v1/responses', { model: 'gpt-5.4', input: 'hello there', ...more });
const chatTool = { type: 'function', function: { name: 'Read', parameters: schema, tomorrow: true } };

interface Case {
  name: string;
  ask: () => Promise<Answer>;
  words: string;
  /** As it is learned. */
  field: string;
}

const cases: Case[] = [
  {
    name: 'Messages, at the top',
    ask: () => messages({ tomorrow: { a: 1 } }),
    words: 'tomorrow: Extra inputs are not permitted',
    field: 'tomorrow',
  },
  {
    name: 'Messages, in an object',
    ask: () => messages({ output_config: { effort: 'low', tomorrow: 1 } }),
    words: 'output_config.tomorrow: Extra inputs are not permitted',
    field: 'output_config.tomorrow',
  },
  {
    name: 'Messages, on a tool, with the tag of its union',
    ask: () =>
      messages({
        tools: [
          { name: 'A', input_schema: schema },
          { name: 'B', input_schema: schema, tomorrow: 1 },
        ],
      }),
    words: 'tools.1.custom.tomorrow: Extra inputs are not permitted',
    field: 'tools.tomorrow',
  },
  {
    name: 'Messages, on a message',
    ask: () => messages({ messages: [{ ...said[0], tomorrow: 1 }] }),
    words: 'messages.0.tomorrow: Extra inputs are not permitted',
    field: 'messages.tomorrow',
  },
  {
    name: 'Chat Completions, at the top',
    ask: () => chat({ tomorrow: 1 }),
    words: 'Unrecognized request argument supplied: tomorrow',
    field: 'tomorrow',
  },
  {
    name: 'Chat Completions, on a tool',
    ask: () => chat({ tools: [chatTool] }),
    words: "Unknown parameter: 'tools[0].function.tomorrow'.",
    field: 'tools.function.tomorrow',
  },
  {
    name: 'Responses, at the top',
    ask: () => responses({ tomorrow: 1 }),
    words: "Unknown parameter: 'tomorrow'.",
    field: 'tomorrow',
  },
];

describe('a field that Copilot calls unknown', () => {
  it.each(cases)('$name: left out, sent once more, and known the next time', async ({ ask, words, field }) => {
    refuseWhile('"tomorrow"', words);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(statuses()).toEqual([400, 200, 200]);
    expect(lastBody()).not.toContain('tomorrow');
    expect(lastBody()).toContain('hello there');
    const rows = await stack.rows(2);
    expect(rows[0]?.attempts.map(({ retriedBecause }) => retriedBecause)).toEqual(['refused-unknown-field', null]);
    for (const row of rows) expect(row.fits.map(({ text }) => text)).toContain(`${field} removed`);
    expect(rows[0]?.fits.map(({ text }) => text)).toContain(`${field} refused; sent again without`);
    expect(await stack.app.learned()).toMatchObject([{ text: `does not know the field ${field}` }]);
  });

  it('is one of the six sendings that a request of a client has, whatever they are for', async () => {
    const { script } = stack.simulator;
    const slow = { kind: 'answer', status: 408, body: 'Timed out reading request body' } as const;
    for (const field of ['one', 'two', 'three', 'four']) {
      script.next(slow);
      const message = `${field}: Extra inputs are not permitted`;
      script.next({ kind: 'answer', status: 400, body: { error: { message, code: 'invalid_request_body' } } });
    }
    const before = statuses().length;
    expect((await messages({ one: 1, two: 2, three: 3, four: 4 })).status).toBe(400);
    expect(statuses().slice(before)).toEqual([408, 400, 408, 400, 408, 400]);
    expect((await stack.rows(1)).map(({ attempts }) => attempts.length)).toEqual([6]);
  });

  it('what a translation writes is left out by the name that it has there', async () => {
    refuseWhile('"stream_options"', 'Unrecognized request argument supplied: stream_options', '/chat/completions');
    expect((await messages({}, 'gemini-3.1-pro-preview')).status).toBe(200);
    expect(statuses()).toEqual([400, 200]);
  });

  it('four of them in one request, each named by itself', async () => {
    const fields = ['one', 'two', 'three', 'four'];
    for (const name of fields) refuseWhile(`"${name}_x"`, `${name}_x: Extra inputs are not permitted`);
    expect((await messages(Object.fromEntries(fields.map((name) => [`${name}_x`, 1])))).status).toBe(200);
    expect(statuses()).toEqual([400, 400, 400, 400, 200]);
  });

  it.each<[string, () => Promise<Answer>, string]>([
    ['the content', () => messages({}), 'messages.0.content: Extra inputs are not permitted'],
    [
      'a block',
      () => messages({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', x: 1 }] }] }),
      'messages.0.content.0.text.x: Extra inputs are not permitted',
    ],
    ['the messages', () => messages({}), 'messages: Extra inputs are not permitted'],
    [
      'the system',
      () => messages({ system: [{ type: 'text', text: 'Be brief' }] }),
      'system: Extra inputs are not permitted',
    ],
    [
      'a part of it',
      () => messages({ system: [{ type: 'text', text: 'Be brief', x: 1 }] }),
      'system.0.x: Extra inputs are not permitted',
    ],
    [
      'a schema',
      () => messages({ tools: [{ name: 'A', input_schema: { ...schema, x: 1 } }] }),
      'tools.0.custom.input_schema.x: Extra inputs are not permitted',
    ],
    [
      'the tools',
      () => messages({ tools: [{ name: 'A', input_schema: schema }] }),
      'tools: Extra inputs are not permitted',
    ],
    ['which tool', () => chat({ tools: [chatTool], tool_choice: 'none' }), "Unknown parameter: 'tool_choice'."],
    ['the input', () => responses({}), "Unknown parameter: 'input'."],
    [
      'a call’s arguments',
      () => responses({ input: [{ type: 'message', role: 'user', content: 'hi' }] }),
      "Unknown parameter: 'input[0].content'.",
    ],
    ['what was not sent', () => messages({}), 'tomorrow: Extra inputs are not permitted'],
    [
      'what was not sent, inside',
      () => messages({ output_config: { effort: 'low' } }),
      'output_config.tomorrow: Extra inputs are not permitted',
    ],
  ])('%s is never left out: the client is told', async (_name, ask, message) => {
    refuseWhile('', message);
    const answer = await ask();
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/Extra inputs|Unknown parameter/)]);
    expect(statuses()).toEqual([400]);
    expect(await stack.app.learned()).toEqual([]);
  });
});
