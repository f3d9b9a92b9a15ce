import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../app/formats/wire/json.ts';
import { refusedStep, think } from '../../../../app/simulator/answers/brain.ts';
import { chatPrompt, messagesPrompt, type Prompt } from '../../../../app/simulator/prompt.ts';
import { sample } from '../sample.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const bash = { name: 'Bash', schema: {} };
const agent = { name: 'Agent', schema: {} };

function prompt(words: string, more: Partial<Prompt> = {}): Prompt {
  return {
    model: 'claude-sonnet-4.6',
    system: '',
    words,
    reminders: '',
    results: [],
    tools: [],
    toolChoice: { kind: 'auto' },
    parallel: true,
    maxTokens: 1000,
    thinks: false,
    stopSequences: [],
    schema: null,
    ...more,
  };
}

const said = (text: string): unknown => ({ thoughts: [{ kind: 'text', text }], stop: 'end', sequence: null });
const called = (...calls: [name: string, input: unknown][]): unknown => ({
  thoughts: calls.map(([name, input]) => ({ kind: 'call', name, input })),
  stop: 'calls',
  sequence: null,
});
const shell = (command: string): [string, unknown] => [
  'Bash',
  { command, description: 'Run the command that was asked for' },
];

describe('calls', () => {
  it('run: and RUN_TOOL are shell commands', () => {
    expect(think(prompt('run: echo hi', { tools: [bash] }))).toEqual(called(shell('echo hi')));
    expect(think(prompt('RUN_TOOL please', { tools: [bash] }))).toEqual(called(shell('echo hi')));
  });

  it('several at once, or one where parallel calls are off', () => {
    const words = 'run: echo 1\nrun: echo 2';
    expect(think(prompt(words, { tools: [bash] }))).toEqual(called(shell('echo 1'), shell('echo 2')));
    expect(think(prompt(words, { tools: [bash], parallel: false }))).toEqual(called(shell('echo 1')));
  });

  it('read: and use: name other tools', () => {
    const read = { name: 'Read', schema: {} };
    expect(think(prompt('read: a.txt', { tools: [read] }))).toEqual(called(['Read', { file_path: 'a.txt' }]));
    const weather = { name: 'get_weather', schema };
    expect(think(prompt('use: get_weather {"city":"Paris"}', { tools: [weather] }))).toEqual(
      called(['get_weather', { city: 'Paris' }]),
    );
    expect(think(prompt('use: get_weather', { tools: [weather] }))).toEqual(
      called(['get_weather', { city: 'example' }]),
    );
  });

  it('a subagent gets what is left of the words', () => {
    expect(think(prompt('subagent: run: ls', { tools: [bash, agent] }))).toEqual(
      called(['Agent', { description: 'Ask another agent', prompt: 'run: ls', subagent_type: 'general-purpose' }]),
    );
  });

  it('a subagent starts no other', () => {
    const system = 'You are an agent for Claude Code, Anthropic’s official CLI for Claude.';
    expect(think(prompt('subagent', { tools: [agent], system })).stop).toBe('end');
  });

  it('no tool that is not offered, and none when tool_choice is none', () => {
    expect(think(prompt('run: echo hi')).stop).toBe('end');
    expect(think(prompt('run: echo hi', { tools: [bash], toolChoice: { kind: 'none' } })).stop).toBe('end');
  });

  it('a forced tool is called with an example of its schema', () => {
    const tools = [bash, { name: 'get_weather', schema }];
    const forced = { kind: 'tool', name: 'get_weather' } as const;
    expect(think(prompt('Hello', { tools, toolChoice: forced }))).toEqual(called(['get_weather', { city: 'example' }]));
    expect(think(prompt('run: ls', { tools, toolChoice: { kind: 'any' } }))).toEqual(called(shell('ls')));
    expect(think(prompt('Hello', { tools, toolChoice: { kind: 'any' } }))).toEqual(called(['Bash', {}]));
  });
});

describe('texts', () => {
  it('results are quoted, the first 200 characters of them', () => {
    expect(think(prompt('', { results: ['hi\n'] }))).toEqual(said('The tool answered: “hi”'));
    const long = think(prompt('', { results: ['x'.repeat(300)] }));
    expect(long).toEqual(said(`The tool answered: “${'x'.repeat(200)}…”`));
    expect(think(prompt('and now?', { results: ['hi'] }))).toEqual(
      said('The tool answered: “hi”\nAnd you said: “and now?”'),
    );
  });

  it('a probe of one token', () => {
    expect(think(prompt('Hi', { maxTokens: 1 }))).toEqual({
      thoughts: [{ kind: 'text', text: 'Hi' }],
      stop: 'length',
      sequence: null,
    });
  });

  it('a check of a tool call is answered no, up to the stop sequence', () => {
    const first = prompt('x', { stopSequences: ['</block>'], maxTokens: 64 });
    expect(think(first)).toEqual({
      thoughts: [{ kind: 'text', text: '<block>no' }],
      stop: 'sequence',
      sequence: '</block>',
    });
    const second = prompt('x', { system: 'You are a security monitor for agents.' });
    expect(think(second)).toEqual(said('<block>no</block>'));
  });

  it('a compaction gets a summary', () => {
    const { thoughts } = think(prompt('CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.', { tools: [bash] }));
    expect(thoughts).toEqual([{ kind: 'text', text: expect.stringMatching(/<summary>\n[\s\S]+\n<\/summary>$/) }]);
  });

  it('a title, and any other schema', () => {
    const title = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const words = '<session>\nmend the broken door of the old house\n</session>\nWrite the title';
    expect(think(prompt(words, { schema: title }))).toEqual(said('{"title":"mend the broken door of the"}'));
    expect(think(prompt('x', { schema }))).toEqual(said('{"city":"example"}'));
  });

  it('a long answer, and its end at max_tokens', () => {
    expect(think(prompt('count to 5'))).toEqual(said('1, 2, 3, 4, 5'));
    const cut = think(prompt('count to 500', { maxTokens: 10 }));
    expect(cut).toMatchObject({ stop: 'length' });
    expect(cut.thoughts).toEqual([{ kind: 'text', text: expect.stringMatching(/^1, 2, [\d, ]{34}$/) }]);
  });

  it('a stop sequence ends a text', () => {
    expect(think(prompt('count to 9', { stopSequences: [', 4'] }))).toEqual({
      thoughts: [{ kind: 'text', text: '1, 2, 3' }],
      stop: 'sequence',
      sequence: ', 4',
    });
  });

  it('a task that was sent to the background, and its report', () => {
    expect(think(prompt('', { results: ['Async agent launched successfully. agentId: x'] }))).toEqual(
      said('An agent is at work in the background. Its report will come by itself.'),
    );
    const notice =
      '[SYSTEM NOTIFICATION - NOT USER INPUT] <task-notification><result>all done</result></task-notification>';
    expect(think(prompt('', { reminders: `<system-reminder>${notice}</system-reminder>` }))).toEqual(
      said('The agent in the background has reported: “all done”'),
    );
  });

  it('anything else: what this is, what was asked, which tools were offered', () => {
    const [thought] = think(prompt('What is this?', { tools: [bash, agent] })).thoughts;
    expect(thought).toMatchObject({ text: expect.stringContaining('simulated Copilot') });
    expect(thought).toMatchObject({ text: expect.stringContaining('“What is this?”') });
    expect(thought).toMatchObject({ text: expect.stringContaining('2 tools (Bash, Agent)') });
  });

  it('thinking comes first where it is on and asked for', () => {
    expect(think(prompt('think about it', { thinks: true })).thoughts.map((one) => one.kind)).toEqual([
      'thinking',
      'text',
    ]);
    expect(think(prompt('think about it')).thoughts.map((one) => one.kind)).toEqual(['text']);
    expect(think(prompt('Hello', { thinks: true })).thoughts.map((one) => one.kind)).toEqual(['text']);
  });
});

describe('reading what Claude Code sends', () => {
  const read = (name: string): Prompt =>
    messagesPrompt((sample(`claude-code-2.1.328-${name}.request.json`) as { body: JsonObject }).body);

  it.each([
    ['main-user-turn.sonnet-4.6', 'RUN_TOOL please', []],
    ['main-user-turn.sonnet-5-5', 'RUN_TOOL please', []],
    ['main-tool-result-turn.sonnet-4.6', '', ['hi']],
    ['main-tool-result-turn.sonnet-5-5', '', ['hi']],
    ['auxiliary-model-probe.opus-4-6', 'Hi', []],
  ])('%s', (name, words, results) => {
    const { words: found, results: texts } = read(name);
    // The reminders in the samples are abridged and so lack their closing mark.
    expect(found.split('\n').at(-1) ?? '').toBe(words);
    expect(texts).toEqual(results);
  });

  it('deferred tools are not offered', () => {
    const names = read('main-user-turn.sonnet-4.6').tools.map((tool) => tool.name);
    expect(names).toContain('Bash');
    expect(names).not.toContain('DeferredToolPlaceholder');
  });

  it('a tool call, its result, a title, a check', () => {
    expect(think(read('main-user-turn.sonnet-4.6'))).toEqual(called(shell('echo hi')));
    expect(think(read('main-tool-result-turn.sonnet-4.6'))).toEqual(said('The tool answered: “hi”'));
    expect(think(read('auxiliary-title.sonnet-4.6'))).toEqual(said('{"title":"please SLEEPTOOL now"}'));
    expect(think(read('auxiliary-auto-mode-check-1.sonnet-4.6')).sequence).toBe('</block>');
    expect(think(read('auxiliary-auto-mode-check-2.sonnet-4.6'))).toEqual(said('<block>no</block>'));
  });

  it('notes of the client are not the person’s words', () => {
    const notes = [
      '<system-reminder>run: rm -rf x</system-reminder>',
      '<local-command-caveat>run: a</local-command-caveat>',
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>',
      '<local-command-stdout>Compacted</local-command-stdout>',
      'run: ls',
    ];
    const content = notes.map((text) => ({ type: 'text', text }));
    expect(messagesPrompt({ messages: [{ role: 'user', content }] }).words).toBe('run: ls');
  });
});

it('Chat Completions are read to the same prompt', () => {
  const read = chatPrompt({
    model: 'gpt-4.1',
    max_completion_tokens: 50,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'old' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: 'go on' }] },
    ],
    tools: [{ type: 'function', function: { name: 'Bash', parameters: schema } }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    stop: 'END',
    reasoning_effort: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  });
  expect(read).toEqual(
    prompt('go on', {
      model: 'gpt-4.1',
      system: 'Be kind.',
      results: ['hi'],
      tools: [{ name: 'Bash', schema }],
      toolChoice: { kind: 'any' },
      parallel: false,
      maxTokens: 50,
      thinks: true,
      stopSequences: ['END'],
      schema,
    }),
  );
});

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
