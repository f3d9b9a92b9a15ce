import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathFor } from '../../../app/copilot/catalog.ts';
import { readCatalog } from '../../../app/copilot/model-entry.ts';
import { planMessages } from '../../../app/exchange/plan.ts';
import type { MessagesRequest } from '../../../app/formats/messages/request.ts';
import { findModel } from '../../../app/simulator/catalog.ts';
import { asObject } from '../../../app/simulator/json.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { checkResponses } from '../../../app/simulator/strict/strict-responses.ts';
import { junkRequests, soundMessages, wildMessages } from './fits/arbitrary-messages.ts';
import { deepFreeze } from './fits/claude.ts';

const catalog = readCatalog({ data: defaultModels() });

function plan(request: MessagesRequest, id: string): ReturnType<typeof planMessages> {
  const model = catalog.find((one) => one.id === id);
  const path = model === undefined ? null : pathFor(model, 'messages');
  if (model === undefined || path === null) throw new Error(id);
  return planMessages(deepFreeze(request), { model, path, headers: {}, documentModel: null, messageId: 'x' });
}

describe.each(['claude-sonnet-4.6', 'gpt-4.1', 'gpt-5.4'])('whatever is sent to %s', (id) => {
  it('fields of any type never make it throw', () => {
    fc.assert(
      fc.property(junkRequests, (request) => {
        expect(() => plan(request, id)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

it.each(['gpt-4.1', 'gpt-5.4'])('a conversation without a message is refused before %s is asked', (model) => {
  expect(plan({ model, messages: [] }, model)).toMatchObject({
    ok: false,
    status: 400,
    message: 'messages: at least one message is required',
  });
});

it('says once that an effort is not taken, though it was asked for twice', () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const planned = plan(
    { model: 'gpt-4.1', messages, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    'gpt-4.1',
  );
  const notes = planned.ok ? planned.notes.map(({ text }) => text) : [];
  expect(notes.filter((text) => text.includes('effort'))).toEqual(['effort high removed']);
});

describe('on /responses', () => {
  const model = findModel(defaultModels(), 'gpt-5.4');
  if (model === null) throw new Error('gpt-5.4');
  const request = (messages: MessagesRequest['messages']) => ({
    model: 'any',
    max_tokens: 4000,
    stream: true,
    messages,
  });

  it('a strict Copilot takes what comes of any conversation, and the same bytes come of the same one', () => {
    fc.assert(
      fc.property(fc.oneof(wildMessages, soundMessages), (messages) => {
        const planned = plan(request(messages), model.id);
        if (!planned.ok) throw new Error(planned.message);
        const body = asObject(JSON.parse(planned.body.toString()));
        // A conversation in which nothing is said stays one.
        const empty = Array.isArray(body.input) && body.input.length === 0;
        expect(checkResponses({ body, model }) === null || empty).toBe(true);
        expect(plan(request(messages), model.id)).toMatchObject({ body: planned.body });
      }),
      { numRuns: 500 },
    );
  });

  it('what was said in a sound one is all there, in its order', () => {
    const words = (text: string) => text.match(/«\d+»/g);
    fc.assert(
      fc.property(soundMessages, (messages) => {
        const planned = plan(request(messages), model.id);
        expect(planned.ok && words(planned.body.toString())).toEqual(words(JSON.stringify(messages)));
      }),
      { numRuns: 200 },
    );
  });

  it('the cached prefix grows and does not change', () => {
    fc.assert(
      fc.property(soundMessages, soundMessages, (before, after) => {
        const one = plan(request(before), model.id);
        const two = plan(request([...before, { role: 'assistant', content: 'x' }, ...after]), model.id);
        if (!one.ok || !two.ok) throw new Error('refused');
        const input = (bytes: Buffer) => JSON.stringify(asObject(JSON.parse(bytes.toString())).input).slice(0, -1);
        expect(input(two.body).startsWith(input(one.body))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('on /v1/messages', () => {
  const model = catalog.find(({ id }) => id === 'claude-sonnet-4.6');
  if (model === undefined) throw new Error('There is no such model.');
  const context = { model, path: '/v1/messages', headers: {}, documentModel: null, messageId: 'x' } as const;
  const asText = (words: string): string =>
    `{"model":"sonnet","max_tokens":9,"messages":[{"role":"user","content":"${words}"}],"metadata":{"user_id":"u"},"tools":[{"name":"t","input_schema":{"type":"object","multipleOf":1.0}}]}`;
  const sent = (text: string): string => {
    const planned = planMessages(JSON.parse(text), { ...context, bytes: Buffer.from(text) });
    if (!planned.ok) throw new Error(planned.message);
    return planned.body.toString();
  };

  it('a long conversation that needs no change is sent in the bytes it came in, digits and all', () => {
    const text = asText('word '.repeat(5_000));
    const body = sent(text);
    expect(body).toContain('"multipleOf":1.0');
    expect(body).not.toContain('metadata');
    const anew = planMessages(JSON.parse(text), context);
    expect(JSON.parse(body)).toEqual(anew.ok && JSON.parse(anew.body.toString()));
  });

  it('a small one is written anew', () => {
    expect(sent(asText('word'))).toContain('"multipleOf":1}');
  });
});
