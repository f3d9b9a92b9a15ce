import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { isObject, type JsonObject } from '../../../app/formats/wire/json.ts';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import { type Answer, type Stack, startStack } from '../stack.ts';

/**
 * What Copilot refuses of an OpenAI request that is passed through: left out, sent once more, and known the next time.
 */

let stack: Stack;
let ahead: number;
beforeEach(async () => {
  ahead = 0;
  const clock = nodeClock();
  stack = await startStack({
    ports: { clock: { now: () => clock.now() + ahead, ticks: () => clock.ticks(), sleep: clock.sleep.bind(clock) } },
  });
  await stack.app.models();
});
afterEach(() => stack.close());

const inference = (): RecordedRequest[] =>
  stack.simulator.requests.filter(({ path }) => ['/responses', '/chat/completions'].includes(path));
const statuses = () => inference().map(({ status }) => status);
const sentBody = (at: number): JsonObject => Object(inference().at(at)?.body);
const post = (path: string, body: JsonObject): Promise<Answer> =>
  stack.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const chat = (body: JsonObject) =>
  post('/v1/chat/completions', { model: 'gpt-5-mini', messages: [{ role: 'user', content: 'hello there' }], ...body });
const responses = (body: JsonObject) => post('/v1/responses', { model: 'gpt-5.4', input: 'hello there', ...body });

/** Copilot answers so while a body has this. */
function refuseWhile(has: (body: JsonObject) => boolean, message: string): void {
  stack.simulator.script.always(
    { kind: 'answer', status: 400, body: { error: { message, code: 'invalid_request_body' } } },
    ({ path, body }) => ['/responses', '/chat/completions'].includes(path) && isObject(body) && has(body),
  );
}
const unsupported = (name: string) => `Unsupported parameter: '${name}' is not supported with this model.`;
const strictTool = { type: 'object', properties: {}, required: [], additionalProperties: false };

interface Case {
  name: string;
  ask: () => Promise<Answer>;
  prepare: () => void;
  because: string;
  note: string;
  /** What the replay says. */
  sent: JsonObject;
  /** What it does not. */
  gone?: string;
  learned: string;
}

const cases: Case[] = [
  {
    name: 'temperature of a model that reasons',
    ask: () => chat({ temperature: 0.2, seed: 7 }),
    prepare: () =>
      refuseWhile(
        (body) => 'temperature' in body,
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value " +
          'is supported.',
      ),
    because: 'refused-parameter',
    note: 'temperature removed',
    sent: { seed: 7 },
    gone: 'temperature',
    learned: 'takes no temperature (OpenAI’s APIs)',
  },
  {
    name: 'max_tokens, which has another name there',
    ask: () => chat({ max_tokens: 100 }),
    prepare: () =>
      refuseWhile((body) => 'max_tokens' in body, `${unsupported('max_tokens')} Use 'max_completion_tokens' instead.`),
    because: 'refused-parameter',
    note: 'max_tokens sent as max_completion_tokens',
    sent: { max_completion_tokens: 100 },
    gone: 'max_tokens',
    learned: 'takes no max_tokens (OpenAI’s APIs)',
  },
  {
    name: 'strict tools on the way to another vendor',
    ask: () =>
      chat({
        model: 'gpt-4.1',
        tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: strictTool } }],
      }),
    prepare: () =>
      refuseWhile(
        (body) => JSON.stringify(body.tools ?? '').includes('strict'),
        'tools.0.custom.strict: Extra inputs are not permitted',
      ),
    because: 'refused-parameter',
    note: 'tools.strict removed',
    sent: { tools: [{ type: 'function', function: { name: 'f', parameters: strictTool } }] },
    learned: 'takes no tools.strict (OpenAI’s APIs)',
  },
  {
    name: 'an effort that is not listed any more',
    ask: () => chat({ reasoning_effort: 'high' }),
    prepare: () => void stack.simulator.script.narrow('gpt-5-mini', { efforts: ['low'] }),
    because: 'refused-efforts',
    note: 'reasoning_effort high → low',
    sent: { reasoning_effort: 'low' },
    learned: 'takes the efforts low',
  },
  {
    name: 'the same for Responses',
    ask: () => responses({ reasoning: { effort: 'high', summary: 'auto' } }),
    prepare: () => void stack.simulator.script.narrow('gpt-5.4', { efforts: ['low'] }),
    because: 'refused-efforts',
    note: 'reasoning.effort high → low',
    sent: { reasoning: { effort: 'low', summary: 'auto' } },
    learned: 'takes the efforts low',
  },
  {
    name: 'more tokens than the model gives now',
    ask: () => responses({ max_output_tokens: 50_000 }),
    prepare: () => void stack.simulator.script.narrow('gpt-5.4', { outputTokens: 1000 }),
    because: 'refused-output-tokens',
    note: 'max_output_tokens 50000 → 1000',
    sent: { max_output_tokens: 1000 },
    learned: 'writes at most 1000 tokens',
  },
  {
    name: 'a part of a field',
    ask: () => responses({ text: { verbosity: 'low', format: { type: 'text' } } }),
    prepare: () => refuseWhile((body) => Object(body.text).verbosity !== undefined, unsupported('text.verbosity')),
    because: 'refused-parameter',
    note: 'text.verbosity removed',
    sent: { text: { format: { type: 'text' } } },
    learned: 'takes no text.verbosity (OpenAI’s APIs)',
  },
  {
    name: 'truncation, in words of a gateway',
    ask: () => responses({ truncation: 'auto' }),
    prepare: () => refuseWhile((body) => 'truncation' in body, "Unknown parameter: 'truncation'."),
    because: 'refused-parameter',
    note: 'truncation removed',
    sent: { model: 'gpt-5.4' },
    gone: 'truncation',
    learned: 'takes no truncation (OpenAI’s APIs)',
  },
];

describe('a refusal that the request can do without', () => {
  it.each(cases)('$name', async ({ ask, prepare, because, note, sent, gone, learned }) => {
    prepare();
    expect((await ask()).status).toBe(200);
    expect(statuses()).toEqual([400, 200]);
    expect(sentBody(-1)).toMatchObject(sent);
    if (gone !== undefined) expect(sentBody(-1)).not.toHaveProperty(gone);
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({ outcome: 'done', initiator: 'user', attempts: [{ retriedBecause: because }, {}] });
    expect(row?.fits.map(({ text }) => text)).toEqual(
      expect.arrayContaining([note, expect.stringContaining('refused; sent again without')]),
    );
    // The initiator is that of the first.
    expect(inference().map(({ initiator }) => initiator)).toEqual(['user', 'user']);

    expect((await ask()).status).toBe(200);
    expect(statuses()).toEqual([400, 200, 200]);
    const [, second] = await stack.rows(2);
    expect(second?.fits.map(({ text }) => text)).toContain(note);
    expect((await stack.app.learned()).map(({ text }) => text)).toEqual([learned]);

    // Copilot changes: a day later it is asked again.
    ahead = 24 * 60 * 60 * 1000 + 60_000;
    expect((await ask()).status).toBe(200);
    expect(statuses()).toEqual([400, 200, 200, 400, 200]);
  });
});

describe('reasoning that can’t be decrypted any more', () => {
  it('is left out, sent again, and not sent a second time', async () => {
    const asked = { reasoning: { effort: 'high', summary: 'auto' } };
    const first = Object((await responses({ ...asked, input: 'think about it' })).json());
    const input = [{ role: 'user', content: 'think about it' }, ...first.output, { role: 'user', content: 'and now?' }];
    refuseWhile(
      (body) => JSON.stringify(body.input).includes('"reasoning"'),
      'The encrypted content for item rs_1 could not be verified.',
    );
    expect((await responses({ ...asked, input })).status).toBe(200);
    expect((await responses({ ...asked, input })).status).toBe(200);
    expect(statuses()).toEqual([200, 400, 200, 200]);
    const rows = await stack.rows(3);
    expect(rows.slice(1).map(({ fits }) => fits.map(({ text }) => text))).toEqual([
      expect.arrayContaining(['reasoning removed', 'thinking refused; sent again without']),
      expect.arrayContaining(['reasoning removed']),
    ]);
  });
});

describe('a refusal of something that changes the meaning', () => {
  it.each([
    ['stop', { stop: 'end' }],
    ['seed', { seed: 7 }],
    ['n', { n: 2 }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['logit_bias', { logit_bias: { 1: 1 } }],
  ])('%s: the client is told, and decides', async (name, field) => {
    refuseWhile((body) => name in body, unsupported(name));
    const answer = await chat(field);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { message: `Copilot answered 400: ${unsupported(name)}` } },
    ]);
    expect(statuses()).toEqual([400]);
    expect(await stack.app.learned()).toEqual([]);
  });

  it('a refusal that names what was not sent is told at once', async () => {
    refuseWhile(() => true, unsupported('temperature'));
    expect((await responses({})).status).toBe(400);
    expect(statuses()).toEqual([400]);
  });

  it('two are met, a third is told', async () => {
    for (const name of ['temperature', 'top_p', 'truncation']) refuseWhile((body) => name in body, unsupported(name));
    const answer = await responses({ model: 'gpt-5-mini', temperature: 1, top_p: 1, truncation: 'auto' });
    expect([answer.status, statuses()]).toEqual([400, [400, 400, 400]]);
    expect(await stack.app.learned()).toEqual([]);
  });
});
