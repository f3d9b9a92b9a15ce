import { expect, it } from 'vitest';
import { z } from 'zod';
import { inWords, problemSchema, sentenceSchema } from '../../../app/api/call.ts';
import { calls } from '../../../app/api/calls.ts';
import type { SessionEvent } from '../../../app/api/sessions.ts';
import { appStateSchema } from '../../../app/api/state.ts';
import { eventInWords } from '../../../app/server/event-words.ts';

const loud = (sentence: string): string => sentence.toUpperCase();
const problem = { code: 'off', text: 'Off.', remedy: 'Turn it on.' };

it('only what a schema calls a sentence of ours gets other words, at any depth', () => {
  const schema = z.object({
    name: z.string(),
    rows: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('bad'), problem: problemSchema.nullable() }),
        z.object({ kind: z.literal('tool'), input: z.record(z.string(), z.unknown()) }),
      ]),
    ),
    said: sentenceSchema.exactOptional(),
  });
  const tool = { kind: 'tool' as const, input: { remedy: 'Run it.', text: 'Words of a model.' } };
  const value = {
    name: 'mine',
    rows: [{ kind: 'bad' as const, problem }, { kind: 'bad' as const, problem: null }, tool],
  };
  expect(inWords(schema, value, loud)).toEqual({
    name: 'mine',
    rows: [{ kind: 'bad', problem: { code: 'off', text: 'OFF.', remedy: 'TURN IT ON.' } }, value.rows[1], tool],
  });
  expect(value.rows[0]).toEqual({ kind: 'bad', problem });
});

it('a tool’s input is shown as it is, and the end of a turn has our sentences', () => {
  const entry = { seq: 1, sessionId: 's', turnId: 't', at: 0, cuts: null };
  const update = { sessionUpdate: 'tool_call', rawInput: { remedy: 'Run it.', text: 'Words of a model.' } };
  const steps: SessionEvent = { ...entry, kind: 'update', event: { child: null, update } };
  const ended: SessionEvent = {
    ...{ ...entry, kind: 'turn-ended' },
    event: { state: 'failed', stopReason: null, problem: { ...problem, requestId: null, stderr: 'remedy' }, more: [1] },
  };
  expect(eventInWords({ event: 'session-event', entry: steps }, loud)).toEqual({
    event: 'session-event',
    entry: steps,
  });
  expect(eventInWords({ event: 'session-event', entry: ended }, loud)).toEqual({
    event: 'session-event',
    entry: {
      ...ended,
      event: {
        ...{ state: 'failed', stopReason: null, more: [1] },
        problem: { code: 'off', text: 'OFF.', remedy: 'TURN IT ON.', requestId: null, stderr: 'remedy' },
      },
    },
  });
});

it('every field that says what to do is a sentence of ours, in all answers and in the state', () => {
  const plain: string[] = [];
  const seen = new Set<unknown>();
  const look = (schema: unknown, path: string): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema instanceof z.ZodObject)
      for (const [name, part] of Object.entries(schema.shape)) {
        const inner: unknown = part instanceof z.ZodNullable ? part.unwrap() : part;
        if (name === 'remedy' && inner !== sentenceSchema) plain.push(`${path}.${name}`);
        look(part, `${path}.${name}`);
      }
    else if (schema instanceof z.ZodArray) look(schema.element, `${path}[]`);
    else if (schema instanceof z.ZodUnion) for (const option of schema.options) look(option, path);
    else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) look(schema.unwrap(), path);
  };
  for (const [name, { result }] of Object.entries(calls)) look(result, name);
  look(appStateSchema, 'state');
  expect(plain).toEqual([]);
  expect(seen.size).toBeGreaterThan(300);
});
