import { describe, expect, it } from 'vitest';
import { type Learned, type OptionalField, optionalFields } from '../../../../app/exchange/fits/fit.ts';
import { fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import type { MessagesRequest } from '../../../../app/formats/messages/request.ts';
import { claude, deepFreeze, nothingLearned, onChat, onNative, onResponses } from './claude.ts';

/** What refusals have taught leaves with the next request, and nothing else does. */

const nothing = nothingLearned();
/** A model that takes system messages, so that their own fields arrive. */
const opus = claude('claude-opus-4.8');
const plain: MessagesRequest = {
  model: opus.id,
  max_tokens: 2000,
  stream: true,
  system: [{ type: 'text', text: 'You are' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
};

function changes(request: MessagesRequest, learned: Partial<Learned>, where = onNative): unknown {
  const betas = ['context-management-2025-06-27'];
  const known = fitMessages(deepFreeze(request), where({ model: opus, betas, learned: { ...nothing, ...learned } }));
  const unknown = fitMessages(request, where({ model: opus, betas }));
  if (!known.ok || !unknown.ok) throw new Error('refused');
  const notes = known.notes.filter(({ code }) => unknown.notes.every((note) => note.code !== code));
  const different = Object.keys({ ...known.request, ...unknown.request }).filter(
    (key) => JSON.stringify(known.request[key]) !== JSON.stringify(unknown.request[key]),
  );
  return {
    request: Object.fromEntries(different.map((key) => [key, known.request[key]])),
    betas: unknown.betas.filter((beta) => !known.betas.includes(beta)),
    notes: notes.map(({ text }) => text),
  };
}

const format = { type: 'json_schema', schema: { type: 'object' } };
const fields: Record<OptionalField, { sent: Partial<MessagesRequest>; left: object; beta?: string }> = {
  context_management: {
    sent: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    left: { context_management: undefined },
    beta: 'context-management-2025-06-27',
  },
  service_tier: { sent: { service_tier: 'auto' }, left: { service_tier: undefined } },
  output_config: { sent: { output_config: { effort: 'low', format } }, left: { output_config: undefined } },
  'output_config.effort': {
    sent: { output_config: { effort: 'low', format } },
    left: { output_config: { format } },
  },
  'output_config.format': {
    sent: { output_config: { effort: 'low', format } },
    left: { output_config: { effort: 'low' } },
  },
  'thinking.display': {
    sent: { thinking: { type: 'adaptive', display: 'omitted' } },
    left: { thinking: { type: 'adaptive' } },
  },
  'messages.output_config': {
    sent: {
      messages: [...plain.messages, { role: 'system', content: 'Be brief.', output_config: { effort: 'low' } }],
    },
    left: { messages: [...plain.messages, { role: 'system', content: 'Be brief.' }] },
  },
  'tools.strict': {
    sent: { tools: [{ name: 'Bash', input_schema: { type: 'object' }, strict: true }] },
    left: { tools: [{ name: 'Bash', input_schema: { type: 'object' } }] },
  },
};

describe('a field that was refused', () => {
  it.each(optionalFields)('%s leaves, with its beta and a note', (field) => {
    const { sent, left, beta } = fields[field];
    const learned = { refusedFields: new Set([field]) };
    expect(changes({ ...plain, ...sent }, learned)).toEqual({
      request: left,
      betas: beta === undefined ? [] : [beta],
      notes: [`${field} removed`, ...(beta === undefined ? [] : [`beta removed: ${beta}`])],
    });
    expect(changes(plain, learned)).toEqual({ request: {}, betas: [], notes: [] });
  });
});

it.each([onChat, onResponses])('a field that was refused leaves before a translation, too', (where) => {
  const sent = { ...plain, output_config: { effort: 'low', format } };
  expect(changes(sent, { refusedFields: new Set(['output_config.effort']) }, where)).toMatchObject({
    request: { output_config: { format } },
    notes: ['output_config.effort removed'],
  });
});

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Hm', signature });
const asked: MessagesRequest = {
  ...plain,
  messages: [
    ...plain.messages,
    { role: 'assistant', content: [thinking('bad'), thinking('good'), { type: 'text', text: 'Well' }] },
    { role: 'user', content: [{ type: 'text', text: 'And?' }] },
  ],
};

it.each([onNative, onChat, onResponses])('thinking that was refused leaves; other thinking stays', (where) => {
  const refusesThinking = (proof: string): boolean => proof === 'bad';
  expect(changes(asked, { refusesThinking }, where)).toMatchObject({
    request: {
      messages: [
        plain.messages[0],
        { role: 'assistant', content: [thinking('good'), { type: 'text', text: 'Well' }] },
        asked.messages[2],
      ],
    },
    notes: ['thinking removed'],
  });
});

it('system messages that were refused are folded', () => {
  const messages = [...plain.messages, { role: 'system' as const, content: 'Be brief.' }];
  expect(changes({ ...plain, messages }, { refusesSystemMessages: true })).toMatchObject({
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'text', text: expect.stringMatching(/^<system-reminder>\s*Be brief\.\s*<\/system-reminder>$/) },
          ],
        },
      ],
    },
  });
});

it('a tool that was not found as long as it was deferred is loaded; the others stay deferred', () => {
  const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: 'object' }, ...more });
  const request: MessagesRequest = {
    ...plain,
    tools: [tool('Bash'), tool('Jira', { defer_loading: true }), tool('Wiki', { defer_loading: true })],
    messages: [
      ...plain.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'tool_reference', tool_name: 'Jira' },
              { type: 'tool_reference', tool_name: 'Wiki' },
            ],
          },
        ],
      },
    ],
  };
  const reported = changes(request, { refusesDeferred: (name) => name === 'Jira' });
  expect(reported).toMatchObject({
    request: { tools: [tool('Bash'), tool('Jira'), tool('Wiki', { defer_loading: true })] },
  });
  expect(JSON.stringify(reported)).not.toContain('"tool_name":"Jira"');
  expect(JSON.stringify(reported)).toContain('"tool_name":"Wiki"');
});
