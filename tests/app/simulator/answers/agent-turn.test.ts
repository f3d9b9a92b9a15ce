import { describe, expect, it } from 'vitest';
import { refusedStep } from '../../../../app/simulator/answers/agent-turn.ts';
import { think } from '../../../../app/simulator/answers/brain.ts';
import { messagesPrompt } from '../../../../app/simulator/prompts/messages-prompt.ts';

const names = ['Read', 'Write', 'Edit', 'Bash', 'AskUserQuestion', 'ExitPlanMode', 'TaskCreate'];
const tools = names.map((name) => ({ name, input_schema: { type: 'object' } }));
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' });

/** The conversation after so many answers of this turn, each with its result. */
function conversation(answers: number, words: string) {
  const earlier = [
    { role: 'user', content: 'step: run: an older turn' },
    { role: 'assistant', content: 'ok' },
  ];
  const since = Array.from({ length: answers }, (_, at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'Bash', input: {} }] },
    { role: 'user', content: [result(`t${at}`), { type: 'text', text: 'typed meanwhile' }] },
  ]).flat();
  return messagesPrompt({ model: 'm', tools, messages: [...earlier, { role: 'user', content: words }, ...since] });
}
const thoughts = (answers: number, words: string) => think(conversation(answers, words)).thoughts;

describe('a turn of several answers', () => {
  const words = 'Please do\nstep: read: a.txt\nstep: edit: a.txt | old | new\nstep: write: b.txt | text\nstep: run: ls';

  it('takes one step after the results of the other, then ends', () => {
    expect([0, 1, 2, 3, 4].map((answers) => thoughts(answers, words)[0])).toEqual([
      { kind: 'call', name: 'Read', input: { file_path: 'a.txt' } },
      { kind: 'call', name: 'Edit', input: { file_path: 'a.txt', old_string: 'old', new_string: 'new' } },
      { kind: 'call', name: 'Write', input: { file_path: 'b.txt', content: 'text' } },
      { kind: 'call', name: 'Bash', input: { command: 'ls', description: 'Run the command that was asked for' } },
      { kind: 'text', text: 'That was the last of 4 steps.' },
    ]);
  });

  it('asks, plans and lists tasks', () => {
    expect(thoughts(0, 'step: ask: Which? | This | That')).toMatchObject([
      { name: 'AskUserQuestion', input: { questions: [{ question: 'Which?', options: [{ label: 'This' }, {}] }] } },
    ]);
    expect(thoughts(0, 'step: plan: First this')).toEqual([
      { kind: 'call', name: 'ExitPlanMode', input: { plan: 'First this' } },
    ]);
    expect(thoughts(0, 'step: todo: One | Two')).toMatchObject([
      { name: 'TaskCreate', input: { subject: 'One' } },
      { name: 'TaskCreate', input: { subject: 'Two' } },
    ]);
  });

  it('says so where a tool was not offered', () => {
    const prompt = { ...conversation(0, 'step: plan: First this'), tools: [] };
    expect(think(prompt).thoughts).toEqual([{ kind: 'text', text: 'I was not offered ExitPlanMode.' }]);
  });

  it('goes on with the next step in the same answer where a tool was not offered', () => {
    const words = 'step: plan: First this\nstep: read: a.txt\nstep: run: ls';
    const tools = ['Read', 'Bash'].map((name) => ({ name, input_schema: { type: 'object' } }));
    const asked = { role: 'user', content: words };
    const thoughtsOf = (...messages: object[]) => think(messagesPrompt({ model: 'm', tools, messages })).thoughts;
    expect(thoughtsOf(asked)).toMatchObject([
      { kind: 'text', text: 'I was not offered ExitPlanMode.' },
      { kind: 'call', name: 'Read' },
    ]);
    const answer = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I was not offered ExitPlanMode.' },
        { type: 'tool_use', id: 't', name: 'Read', input: {} },
      ],
    };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] };
    expect(thoughtsOf(asked, answer, result)).toMatchObject([{ kind: 'call', name: 'Bash' }]);
  });

  it('looks for a tool that is offered on request alone, which is no step', () => {
    const deferred = { name: 'TaskCreate', input_schema: { type: 'object' }, defer_loading: true };
    const search = { name: 'ToolSearch', input_schema: { type: 'object' } };
    const asked = { role: 'user', content: 'step: todo: One' };
    const looked = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ToolSearch', input: {} }] };
    const reference = { type: 'tool_reference', tool_name: 'TaskCreate' };
    const found = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [reference] }] };
    const thoughtsOf = (...messages: object[]) =>
      think(messagesPrompt({ model: 'm', tools: [search, deferred], messages })).thoughts;
    expect(thoughtsOf(asked)).toMatchObject([{ name: 'ToolSearch', input: { query: 'select:TaskCreate' } }]);
    expect(thoughtsOf(asked, looked, found)).toMatchObject([{ name: 'TaskCreate', input: { subject: 'One' } }]);
  });

  it('fails where it is asked to, and only there', () => {
    const failing = 'step: run: ls\nstep: fail: 402 No credits';
    expect(refusedStep(conversation(0, failing))).toBeNull();
    expect(refusedStep(conversation(1, failing))).toMatchObject({
      status: 402,
      body: { error: { message: 'No credits' } },
    });
    expect(refusedStep(conversation(0, 'what does "step: fail: 402" do?'))).toBeNull();
  });
});
