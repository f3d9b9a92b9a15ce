import { afterEach, beforeEach, expect, it } from 'vitest';
import { prompt, type Stack, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

it.each(['claude-sonnet-4.6', 'gpt-4.1', 'gpt-5.4'])(
  'C5.1 a result behind words in a second message: %s',
  async (model) => {
    const tools = [{ name: 'Bash', input_schema: { type: 'object', properties: {} } }];
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' };
    const answer = await stack.messages(
      prompt('', {
        model,
        tools,
        messages: [
          { role: 'user', content: 'Go' },
          { role: 'assistant', content: [call] },
          { role: 'user', content: 'Well?' },
          { role: 'user', content: [result] },
        ],
      }),
    );
    expect([answer.status, answer.text.includes('message_stop')]).toEqual([200, true]);
    const [row] = await stack.rows(1);
    expect(row?.attempts).toHaveLength(1);
    expect(row?.fits.map(({ text }) => text)).toContain('tool result moved before other content');
  },
);
