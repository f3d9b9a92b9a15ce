import { describe, expect, it } from 'vitest';
import { readMessagesRequest } from '../../../../app/formats/messages/request.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { sampleJson, sampleNames } from '../sample.ts';

describe('readMessagesRequest', () => {
  it.each([
    ['A7.2', [], 'The body must be a JSON object.'],
    ['A7.2', null, 'The body must be a JSON object.'],
    ['A7.2', 'text', 'The body must be a JSON object.'],
    ['A7.3', { messages: [] }, 'model: a string is required.'],
    ['A7.3', { model: 7, messages: [] }, 'model: a string is required.'],
    ['A7.3', { model: '', messages: [] }, 'model: a string is required.'],
    ['A7.4', { model: 'm' }, 'messages: a list is required.'],
    ['A7.4', { model: 'm', messages: {} }, 'messages: a list is required.'],
    ['A7.4', { model: 'm', messages: ['hi'] }, 'messages.0: an object is required.'],
    ['A7.4', { model: 'm', messages: [{ content: 'hi' }] }, 'messages.0.role: a string is required.'],
    [
      'A7.4',
      { model: 'm', messages: [{ role: 'user' }] },
      'messages.0.content: a string or a list of blocks is required.',
    ],
  ])('%s refuses %j', (_, body, message) => {
    expect(readMessagesRequest(body)).toEqual({ ok: false, message });
  });

  it('A7.5 leaves everything it does not know, and copies nothing', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'tomorrow', x: 1 }], extra: true },
        { role: 'narrator', content: [] },
      ],
      speed: 'fast',
    };
    const read = readMessagesRequest(body);
    expect(read.ok && read.request).toBe(body);
  });

  it('takes every recorded request of the real client', () => {
    for (const name of sampleNames('.request.json').filter(
      (one) => one.includes('main') || one.includes('auxiliary'),
    )) {
      const recorded = sampleJson(name);
      const body = isObject(recorded) && isObject(recorded.body) ? recorded.body : recorded;
      expect(readMessagesRequest(body), name).toMatchObject({ ok: true });
    }
  });
});
