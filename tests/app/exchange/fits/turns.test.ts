import { describe, expect, it } from 'vitest';
import { foldSystemMessages } from '../../../../app/exchange/fits/turns.ts';
import type { Block, Message } from '../../../../app/formats/messages/request.ts';
import { claude, deepFreeze, nothingLearned, onNative } from './claude.ts';

const text = (words: string): Block => ({ type: 'text', text: words });
const reminder = (words: string): Block => text(`<system-reminder>\n${words}\n</system-reminder>`);
const user = (...content: Block[]): Message => ({ role: 'user', content });
const assistant = (...content: Block[]): Message => ({ role: 'assistant', content });
const system = (content: string | Block[]): Message => ({ role: 'system', content });
const call: Block = { type: 'tool_use', id: 'a', name: 'Bash', input: {} };
const result: Block = { type: 'tool_result', tool_use_id: 'a', content: 'ok' };

const rows: { name: string; given: Message[]; want: Message[] }[] = [
  {
    name: 'at the end of the user message right before it',
    given: [user(text('Go')), system('S')],
    want: [user(text('Go'), reminder('S'))],
  },
  {
    name: 'a user message that is a string becomes a list',
    given: [{ role: 'user', content: 'Go' }, system('S')],
    want: [user(text('Go'), reminder('S'))],
  },
  {
    name: 'several in a row keep their order',
    given: [user(text('Go')), system('S'), system('T')],
    want: [user(text('Go'), reminder('S'), reminder('T'))],
  },
  {
    name: 'behind an answer: at the start of the next user message, after its tool results',
    given: [assistant(call), system('S'), user(result, text('Well?'))],
    want: [assistant(call), user(result, reminder('S'), text('Well?'))],
  },
  {
    name: 'at the very beginning: at the start of the user message after it',
    given: [system('S'), user(text('Go'))],
    want: [user(reminder('S'), text('Go'))],
  },
  {
    name: 'behind the last answer: a user message of its own',
    given: [user(text('Go')), assistant(text('ok')), system('S')],
    want: [user(text('Go')), assistant(text('ok')), user(reminder('S'))],
  },
  {
    name: 'between two answers: a user message of its own, in its place',
    given: [assistant(text('a')), system('S'), assistant(text('b'))],
    want: [assistant(text('a')), user(reminder('S')), assistant(text('b'))],
  },
  {
    name: 'texts of a list are joined',
    given: [user(text('Go')), system([text('S'), text('T')])],
    want: [user(text('Go'), reminder('S\nT'))],
  },
  {
    name: 'an empty one goes without a trace',
    given: [user(text('Go')), system(' '), system([])],
    want: [user(text('Go'))],
  },
];

describe('foldSystemMessages', () => {
  it.each(rows)('$name', ({ given, want }) => {
    const result = foldSystemMessages(deepFreeze({ model: 'm', messages: given }), onNative());
    expect(result.ok && result.request.messages).toEqual(want);
  });

  it('the newest cache mark of a system message goes with it', () => {
    const marked: Message = {
      role: 'system',
      content: [{ ...text('S'), cache_control: { type: 'ephemeral', ttl: '1h' } }, text('T')],
    };
    const result = foldSystemMessages({ model: 'm', messages: [user(text('Go')), marked] }, onNative());
    expect(result.ok && result.request.messages).toEqual([
      user(text('Go'), { ...reminder('S\nT'), cache_control: { type: 'ephemeral', ttl: '1h' } }),
    ]);
  });

  it.each(['claude-opus-4.8', 'claude-fable-5', 'claude-sonnet-5', 'claude-opus-5.5', 'claude-haiku-5.5'])(
    '%s gets them as they are, until it refuses one',
    (id) => {
      const request = { model: 'm', messages: [user(text('Go')), system('S')] };
      const model = claude(id);
      expect(foldSystemMessages(request, onNative({ model }))).toEqual({ ok: true, request, notes: [] });
      const learned = { ...nothingLearned(model), refusesSystemMessages: true };
      const folded = foldSystemMessages(request, onNative({ model, learned }));
      expect(folded).toMatchObject({ notes: [{ code: 'system-messages-folded' }] });
    },
  );

  it.each(['claude-sonnet-4.6', 'claude-haiku-4.5', 'gpt-5.4', 'gemini-5-pro'])('%s gets none', (id) => {
    const request = { model: 'm', messages: [user(text('Go')), system('S')] };
    expect(foldSystemMessages(request, onNative({ model: claude(id) }))).toMatchObject({
      notes: [{ code: 'system-messages-folded' }],
    });
  });

  it('keeps the prefix of a conversation equal from turn to turn', () => {
    const conversation = [
      user(text('Go')),
      system('S'),
      assistant(call),
      system('T'),
      user(result),
      system('U'),
      assistant(text('ok')),
      system('V'),
      user(text('More')),
    ];
    const folded = (count: number) => {
      const result = foldSystemMessages({ model: 'm', messages: conversation.slice(0, count) }, onNative());
      // Anthropic joins neighbours of one role, so the list of blocks by role is what the cache sees.
      return result.ok
        ? result.request.messages.flatMap(({ role, content }) =>
            typeof content === 'string' ? [] : content.map((block) => JSON.stringify([role, block])),
          )
        : [];
    };
    for (const turn of [2, 6, 9]) expect(folded(9).slice(0, folded(turn).length)).toEqual(folded(turn));
  });
});
