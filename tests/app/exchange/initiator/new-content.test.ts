import { describe, expect, it } from 'vitest';
import { newInClaudeCode } from '../../../../app/exchange/initiator/claude-code-new-content.ts';
import type { NewContent } from '../../../../app/exchange/initiator/findings.ts';
import { newInChat, newInMessages, newInResponses } from '../../../../app/exchange/initiator/new-content.ts';
import { assistant, bash, date, image, interjected, R, T, TR, toolTurn, user } from './claude-code-requests.ts';

const nothing = {
  boundary: -1,
  words: false,
  marked: false,
  machine: [],
  endsWithCompaction: false,
  typedCommand: false,
  notified: [],
  toolsFound: false,
  toolResults: 0,
  tools: [],
  unknown: false,
  said: [],
};
/** Without what is said of texts that are no words, which has tests of its own. */
const bare = ({ texts, said, ...newContent }: NewContent) => ({
  ...newContent,
  said: said.filter(({ kind }) => kind !== 'other'),
});
const typed = (text: string) => ({ words: true, said: [{ kind: 'words', text }] });
const marked = (...texts: string[]) => ({ marked: true, said: texts.map((text) => ({ kind: 'marked', text })) });
const one = (block: unknown) => bare(newInClaudeCode([user(block)]));
/** What a result answers. */
const called = (...ids: string[]) => assistant(...ids.map((id) => ({ ...bash, id })));
const result = (fields: object) => ({ ...nothing, boundary: 0, toolResults: 1, tools: ['Bash'], ...fields });

const enforce =
  '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.';

describe('the texts of Claude Code', () => {
  const texts: [string, object][] = [
    ['<local-command-caveat>Caveat</local-command-caveat>', {}],
    ['<local-command-stdout>x</local-command-stdout>', {}],
    ['<local-command-stderr>x</local-command-stderr>', {}],
    ['<command-name>/model</command-name>\n<command-message>model</command-message>', {}],
    [
      '<command-name>/model</command-name>\n<command-args></command-args>\nand why',
      typed('<command-name>/model</command-name>\n<command-args></command-args>\nand why'),
    ],
    [
      '<local-command-stdout>x</local-command-stdout> what is this?',
      typed('<local-command-stdout>x</local-command-stdout> what is this?'),
    ],
    ['[Request interrupted by user]', {}],
    ['[Request interrupted by user for tool use]', {}],
    ['[Image: source: /tmp/a [1].png]', {}],
    ['[Your previous response had no visible output. Please continue.]', {}],
    [
      '[Your previous response had no visible output.] why?',
      typed('[Your previous response had no visible output.] why?'),
    ],
    ['[Request interrupted by user]\nnow this', typed('[Request interrupted by user]\nnow this')],
    ['[Image: source: is what I typed', typed('[Image: source: is what I typed')],
    ['This session is being continued from a previous conversation that ran out', { machine: ['continuation'] }],
    ['Your response above was cut off mid-stream. Resume', { machine: ['resume'] }],
    ['Stop hook feedback:\nx', { machine: ['hook'] }],
    ['CRITICAL: Respond with TEXT ONLY. x', { machine: ['compaction'], endsWithCompaction: true }],
    [
      '<command-message>init</command-message>',
      { typedCommand: true, ...typed('<command-message>init</command-message>') },
    ],
    ['<bash-input>ls</bash-input>', { typedCommand: true, ...typed('<bash-input>ls</bash-input>') }],
    [enforce, { machine: ['structured-output'] }],
    [`${enforce} x`, typed(`${enforce} x`)],
    ['Tool loaded.', { machine: ['tools-loaded'] }],
    ['Tool loaded. Go on.', typed('Tool loaded. Go on.')],
    ['<tag-of-a-later-release>x', typed('<tag-of-a-later-release>x')],
    ['why: Stop hook feedback:', typed('why: Stop hook feedback:')],
    [`${interjected}faster`, marked('faster')],
    [`${date.text}\nStop hook feedback:\nx`, { machine: ['hook'] }],
    [`${date.text}  `, {}],
    [' \n', {}],
  ];
  for (const [text, found] of texts) {
    it(JSON.stringify(text.slice(0, 60)), () => expect(one(T(text))).toEqual({ ...nothing, ...found }));
  }

  it('the order to summarise is the last that is said, reminders left out', () => {
    const order = T('CRITICAL: Respond with TEXT ONLY. x');
    expect(newInClaudeCode([user(order, T('and mine'))]).endsWithCompaction).toBe(false);
    expect(newInClaudeCode([user(order, date)]).endsWithCompaction).toBe(true);
  });

  it('texts that are no words are told from no text at all, and are what a prompt of nothing else is known by', () => {
    const beside = (...blocks: unknown[]) => newInClaudeCode([called('toolu_01A18'), user(TR('x'), ...blocks)]);
    expect(beside().texts).toBe(false);
    expect(beside(date)).toMatchObject({ texts: true, words: false, said: [{ kind: 'other' }] });
    expect(beside(T('[Request interrupted by user]'), T('x')).said).toEqual([{ kind: 'words', text: 'x' }]);
  });
});

describe('reminders', () => {
  const spans: [string, object][] = [
    ['before <system-reminder>x</system-reminder> after', typed('before  after')],
    ['before <system-reminder>to the end', { unknown: true, ...typed('before') }],
    ['<system-reminder>that I typed', { unknown: true }],
    ['<system-reminder>a</system-reminder>b<system-reminder>c</system-reminder>', typed('b')],
    ['</system-reminder> typed', typed('</system-reminder> typed')],
    [`<system-reminder>\n${interjected}faster\n</system-reminder>`, marked('faster')],
    [
      `<system-reminder>${interjected}a</system-reminder><system-reminder>${interjected}b</system-reminder>`,
      marked('a', 'b'),
    ],
    [
      '<system-reminder>[SYSTEM NOTIFICATION - NOT USER INPUT]\nx</system-reminder>',
      { machine: ['notification'], notified: null },
    ],
    [
      '<system-reminder>x <task-notification>y</task-notification></system-reminder>',
      { machine: ['notification'], notified: null },
    ],
    ['[SYSTEM NOTIFICATION - NOT USER INPUT] typed', typed('[SYSTEM NOTIFICATION - NOT USER INPUT] typed')],
  ];
  for (const [text, found] of spans) {
    it(JSON.stringify(text.slice(0, 70)), () => expect(one(T(text))).toEqual({ ...nothing, ...found }));
  }

  it('a notification names calls of this conversation, or none', () => {
    const notified = (id: string) => R(`[SYSTEM NOTIFICATION - NOT USER INPUT]\n<tool-use-id>${id}</tool-use-id>`);
    const seen = (...blocks: unknown[]) =>
      newInClaudeCode([called('a', 'b'), user(TR('x')), assistant(T('done.')), user(...blocks)]).notified;
    expect([seen(), seen(notified('a')), seen(notified('a'), notified('b'))]).toEqual([[], ['a'], ['a', 'b']]);
    expect([seen(notified('c')), seen(notified('a'), notified('c')), seen(R('<task-notification>'))]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('a content that is one string is one block', () => {
    const string = (content: string) => bare(newInClaudeCode([{ role: 'user', content }]));
    expect(string(`${date.text}\nhello`)).toEqual({ ...nothing, ...typed('hello') });
  });
});

describe('words inside a tool result', () => {
  const refused = 'It was rejected. To tell you how to proceed, the user said:\n';
  const refusedInSubagent =
    'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the ' +
    'new_string was NOT written to the file). The user said:\n';
  const total = '\n\n<system-reminder>\n<total_tokens>1 left</total_tokens>\n</system-reminder>';
  const cases: [string, object, object][] = [
    ['plain output', TR('hi'), {}],
    ['output with a reminder', TR(`hi${total}`), {}],
    [
      'an interjection',
      TR(`slept\n<system-reminder>\n${interjected}faster\n</system-reminder>${total}`),
      marked('faster'),
    ],
    ['an interjection in a text part', TR([image, T(`<system-reminder>${interjected}faster`)]), marked('faster')],
    ['an interjection at the beginning of a text part', TR([T('slept'), T(`${interjected}faster`)]), marked('faster')],
    ['the mark outside a reminder', TR(`grep: ${interjected}faster`), {}],
    ['a refusal with words', TR(`${refused}use wget${total}`, { is_error: true }), marked('use wget')],
    ['a refusal in a subagent', TR(`${refusedInSubagent}use wget${total}`, { is_error: true }), marked('use wget')],
    ['a refusal without', TR(`${refused}${total}`, { is_error: true }), {}],
    ['output that quotes a refusal', TR(`${refused}use wget`), {}],
    ['a failure', TR('exit code 1', { is_error: true }), {}],
    ['an image', TR([image]), {}],
  ];
  for (const [name, block, found] of cases) {
    it(name, () => expect(bare(newInClaudeCode([toolTurn, user(block)]))).toEqual(result(found)));
  }

  it('results of server tools are results where they answer a call, an unknown type is none', () => {
    const results = (type: string, id: unknown) =>
      newInClaudeCode([called('a'), user({ type, tool_use_id: id, content: [] })]);
    for (const type of ['tool_result', 'web_search_tool_result', 'mcp_tool_result']) {
      expect(results(type, 'a')).toMatchObject({ toolResults: 1, unknown: false });
      for (const id of ['b', null, undefined, 7])
        expect(results(type, id)).toMatchObject({ toolResults: 0, unknown: true });
    }
    for (const type of ['poem_tool_result', 'result', 'tool_reference', 'TOOL_RESULT'])
      expect(results(type, 'a')).toMatchObject({ toolResults: 0, unknown: true });
  });

  it('A12.51 a result answers the last turn alone, which may be several messages of the model', () => {
    const results = (...before: unknown[]) => newInMessages([...before, user(TR('x', { tool_use_id: 'a' }))]);
    expect(results(called('a'), called('b'))).toMatchObject({ toolResults: 1, unknown: false });
    expect(results(called('a'), user(T('x')), called('b'))).toMatchObject({ toolResults: 0, unknown: true });
    expect(results()).toMatchObject({ toolResults: 0, unknown: true });
    expect(results(user({ ...bash, id: 'a' }))).toMatchObject({ toolResults: 0, unknown: true });
  });
});

describe('where the new content begins', () => {
  const word = user(T('now'));

  it('after the last answer, system messages left out', () => {
    const system = { role: 'system', content: 'x' };
    const messages = [user(T('old')), assistant(T('a')), system, word, system, { role: 'developer', content: 'y' }];
    expect(bare(newInClaudeCode(messages))).toEqual({ ...nothing, boundary: 1, ...typed('now') });
    expect(bare(newInMessages(messages))).toEqual({ ...nothing, boundary: 1, ...typed('now') });
  });

  it('a system message with words that are marked as a person’s is no reason to miss them', () => {
    const system = (content: unknown) => ({ role: 'system', content });
    const withIt = (content: unknown) => bare(newInClaudeCode([toolTurn, user(TR('x')), system(content)]));
    const found = { ...nothing, boundary: 0, toolResults: 1, tools: ['Bash'] };
    expect(withIt(`${interjected}faster`)).toEqual({ ...found, ...marked('faster') });
    expect(withIt([T(`<system-reminder>\n${interjected}faster\n</system-reminder>`)])).toEqual({
      ...found,
      ...marked('faster'),
    });
    expect(withIt('# Environment')).toEqual(found);
  });

  it('one prepared answer at the end is left out, a second is not', () => {
    expect(bare(newInMessages([word, assistant(T('{'))]))).toEqual({ ...nothing, ...typed('now') });
    expect(bare(newInMessages([word, assistant(T('{')), assistant(T('"a"'))]))).toEqual({ ...nothing, boundary: 1 });
  });

  it('several messages of the person in a row belong to it', () => {
    expect(newInMessages([toolTurn, user(TR('x')), word]).said).toEqual([{ kind: 'words', text: 'now' }]);
  });

  it('does not look at what came before, but for whose the message before the last answer is', () => {
    const get = (_: object, name: string | symbol) => (name === 'role' ? 'user' : expect.fail('the history was read'));
    const untouchable = new Proxy({}, { get });
    expect(bare(newInClaudeCode([untouchable, untouchable, toolTurn, user(TR('x'))]))).toEqual({
      ...nothing,
      boundary: 2,
      toolResults: 1,
      tools: ['Bash'],
    });
  });
});

describe('other clients', () => {
  it('Messages: all text is words, media too', () => {
    const document = { type: 'document', source: { type: 'text', data: 'x' } };
    expect(bare(newInMessages([user(date, image, document)]))).toEqual({
      ...nothing,
      words: true,
      said: [
        { kind: 'words', text: date.text },
        { kind: 'media', block: image },
        { kind: 'media', block: document },
      ],
    });
  });

  it('chat: tools and functions with their names', () => {
    const calls = assistant();
    const answer = {
      ...calls,
      tool_calls: [
        { id: '1', function: { name: 'a' } },
        { id: '2', function: { name: 'b' } },
      ],
      function_call: { name: 'c', arguments: '{}' },
    };
    const messages = [
      answer,
      { role: 'tool', tool_call_id: '2', content: 'x' },
      { role: 'function', name: 'c', content: 'y' },
    ];
    expect(bare(newInChat(messages))).toEqual({ ...nothing, boundary: 0, toolResults: 2, tools: ['c', 'b'] });
    for (const unasked of [
      { role: 'tool', tool_call_id: '3', content: 'x' },
      { role: 'tool', content: 'x' },
      { role: 'function', name: 'd', content: 'x' },
    ])
      expect(newInChat([answer, unasked])).toMatchObject({ toolResults: 0, unknown: true });
  });

  it('chat: parts of a message', () => {
    const part = { type: 'image_url', image_url: { url: 'data:' } };
    const content = [{ type: 'text', text: 'what is it?' }, part];
    expect(bare(newInChat([{ role: 'user', content }]))).toEqual({
      ...nothing,
      words: true,
      said: [
        { kind: 'words', text: 'what is it?' },
        { kind: 'media', block: part },
      ],
    });
    expect(bare(newInChat([{ role: 'critic', content }]))).toEqual({ ...nothing, unknown: true });
  });

  it('responses: a string is words', () => {
    expect(bare(newInResponses('hello'))).toEqual({ ...nothing, ...typed('hello') });
    expect(bare(newInResponses(7))).toEqual({ ...nothing, unknown: true });
  });

  it('responses: every kind of call and a thought end what the person said before', () => {
    for (const type of ['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']) {
      const items = [
        { role: 'user', content: 'x' },
        { type: 'reasoning', summary: [] },
        { type, call_id: '1', name: 'apply_patch' },
        { type: 'custom_tool_call_output', call_id: '1', output: 'done' },
      ];
      expect(bare(newInResponses(items))).toEqual({
        ...nothing,
        boundary: 2,
        toolResults: 1,
        tools: ['apply_patch'],
      });
      for (const type of ['my_output', 'call_output', 'mcp_approval_response'])
        expect(newInResponses([...items, { type, call_id: '1' }])).toMatchObject({ toolResults: 1, unknown: true });
    }
  });

  it('responses: a thought alone ends it, too', () => {
    const items = [
      { role: 'user', content: 'old' },
      { type: 'reasoning', summary: [] },
      { role: 'user', content: 'new' },
    ];
    expect(bare(newInResponses(items))).toEqual({ ...nothing, boundary: 1, ...typed('new') });
  });

  it('responses: unknown items are said to be so', () => {
    expect(bare(newInResponses([{ type: 'item_reference', id: 'x' }]))).toEqual({ ...nothing, unknown: true });
  });

  it('what a system or developer message says behind results may be what the person asked for', () => {
    for (const role of ['system', 'developer']) {
      const call = { type: 'function_call', call_id: '1', name: 'f' };
      const output = { type: 'function_call_output', call_id: '1', output: '' };
      const chat = { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f' } }] };
      const readings = (content: unknown) => [
        newInMessages([toolTurn, user(TR('x')), { role, content }]),
        newInChat([chat, { role: 'tool', tool_call_id: '1' }, { role, content }]),
        newInResponses([call, output, { role, content }]),
      ];
      for (const content of ['now this', [T('now this')], [{ type: 'image_url' }], 7])
        expect(readings(content).map(({ unknown }) => unknown)).toEqual([true, true, true]);
      for (const content of ['', ' ', [], [T('')], null])
        expect(readings(content).map(({ unknown }) => unknown)).toEqual([false, false, false]);
    }
  });

  it('two results of one tool name it once', () => {
    const calls = assistant(bash, { ...bash, id: 'toolu_2' });
    expect(newInMessages([calls, user(TR('x'), TR('y', { tool_use_id: 'toolu_2' }))]).tools).toEqual(['Bash']);
  });
});
