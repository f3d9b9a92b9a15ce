import { expect, it } from 'vitest';
import { renameDuplicateToolIds } from '../../../../app/exchange/fits/tool-results.ts';
import type { Message, MessagesRequest } from '../../../../app/formats/messages/request.ts';

const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

it('one id in thousands of turns and twice in each: every call gets its own, and every result that of its call', () => {
  const messages: Message[] = Array.from({ length: 2000 }, () => [
    { role: 'assistant', content: [call('x'), call('x')] },
    { role: 'user', content: [result('x'), result('x')] },
  ]).flat();
  messages.push({ role: 'assistant', content: [call('x_2')] }, { role: 'user', content: [result('x_2')] });
  const request: MessagesRequest = { model: 'm', messages };
  const fitted = renameDuplicateToolIds(request);
  if (!fitted.ok) throw new Error('The request was refused.');
  const ids = (role: string, field: string) =>
    fitted.request.messages
      .filter((message) => message.role === role)
      .flatMap(({ content }) => (Array.isArray(content) ? content.map((block) => block[field]) : []));
  const calls = ids('assistant', 'id');
  expect(new Set(calls).size).toBe(4001);
  expect(calls.slice(0, 3)).toEqual(['x', 'x_3', 'x_4']);
  expect(calls.at(-1)).toBe('x_2');
  expect(ids('user', 'tool_use_id')).toEqual(calls);
});

it('80 000 calls with one id and their results take no longer than they are many', () => {
  const calls = Array.from({ length: 80_000 }, () => ({ type: 'tool_use', id: 'a', name: 'f', input: {} }));
  const results = calls.map(() => ({ type: 'tool_result', tool_use_id: 'a', content: 'r' }));
  const messages = [
    { role: 'assistant', content: calls },
    { role: 'user', content: results },
  ];
  const began = performance.now();
  const fitted = renameDuplicateToolIds({ model: 'm', messages });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(fitted).toMatchObject({ ok: true, notes: [{ count: 79_999 }] });
});
