import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyWindow } from '../../../../app/exchange/clients/chat.ts';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';

const system = (content: string) => ({ role: 'system', content });
const user = (content: string) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });
const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => ({ id })) });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: id });
const windowed = (turns: number | null, ...messages: JsonObject[]) => {
  const { request, note } = historyWindow({ model: 'm', messages }, turns);
  return [request.messages, note === null ? null : note.count];
};

const long = [
  system('old'),
  system('new'),
  user('1'),
  said('one'),
  user('2'),
  calls('a', 'b'),
  result('a'),
  result('b'),
  said('two'),
  user('3'),
];

describe('historyWindow', () => {
  it('off: everything', () => {
    expect(windowed(null, ...long)).toEqual([long, null]);
  });

  it('the last system message and the last turns, each with its calls and results', () => {
    expect(windowed(1, ...long)).toEqual([[system('new'), user('3')], 8]);
    expect(windowed(2, ...long)).toEqual([[system('new'), ...long.slice(4)], 3]);
    expect(windowed(3, ...long)).toEqual([[system('new'), ...long.slice(2)], 1]);
  });

  it('as many turns as there are, or fewer: nothing but an older system message leaves', () => {
    expect(windowed(9, system('x'), user('1'), said('one'))).toEqual([[system('x'), user('1'), said('one')], null]);
    expect(windowed(9, said('one'), user('1'))).toEqual([[said('one'), user('1')], null]);
  });

  it('what a user says in several messages is one turn', () => {
    const together = [user('3a'), system('meanwhile'), user('3b')];
    expect(windowed(1, user('1'), said('one'), ...together)).toEqual([together, 2]);
  });

  it('a developer message counts as a system message; the one in the window is the last', () => {
    const developer = { role: 'developer', content: 'x' };
    expect(windowed(1, developer, user('1'), said('one'), user('2'))).toEqual([[developer, user('2')], 2]);
    expect(windowed(1, system('x'), user('1'), said('one'), user('2'), developer)).toEqual([[user('2'), developer], 3]);
  });

  it('a turn does not begin between a call and its result', () => {
    const asked = [user('1'), calls('a', 'b'), result('a'), user('meanwhile'), result('b'), said('one')];
    expect(windowed(1, user('0'), said('zero'), ...asked)).toEqual([asked, 2]);
  });

  it('calls without a result hold up no turn', () => {
    const left = [user('1'), calls('a'), said('never mind')];
    expect(windowed(1, ...left, user('2'))).toEqual([[user('2')], 3]);
  });

  it('never parts a result from its call, and says how many messages left', () => {
    const work = fc
      .tuple(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), fc.boolean())
      .map(([ids, interrupted]) => {
        const [first = '', ...rest] = ids;
        return [calls(...ids), result(first), ...(interrupted ? [user('wait')] : []), ...rest.map(result)];
      });
    const turn = fc
      .tuple(fc.array(work, { maxLength: 3 }), fc.boolean())
      .map(([works, reported]) => [...(reported ? [system('s')] : []), user('u'), ...works.flat(), said('a')]);
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), fc.integer({ min: 1, max: 6 }), (all, turns) => {
        const messages: JsonObject[] = all.flat();
        const { request, note } = historyWindow({ model: 'm', messages }, turns);
        expect(messages.length - request.messages.length).toBe(note?.count ?? 0);
        let open: unknown[] = [];
        for (const { role, tool_calls: made, tool_call_id: id } of request.messages) {
          if (Array.isArray(made)) open = made.map((call: unknown) => Object(call).id);
          if (role === 'tool') expect(open).toContain(id);
        }
      }),
    );
  });
});
