import { describe, expect, it } from 'vitest';
import type { Line } from '../../../../app/sessions/transcripts/line.ts';
import { type TranscriptTurn, turnsOf } from '../../../../app/sessions/transcripts/transcript-turns.ts';
import { undoneEditsNoteFor } from '../../../../app/sessions/turns/turn.ts';
import { sampleLines } from './samples.ts';

const prompts = (turns: readonly TranscriptTurn[]) =>
  turns.map(({ prompt }) => prompt?.map((block) => (block.type === 'text' ? block.text : block.type)) ?? null);
const kinds = ({ updates }: TranscriptTurn) => updates.map(({ sessionUpdate }) => sessionUpdate);
const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** Lines as Claude Code writes them, each after the one before. */
function conversation(...lines: object[]): Line[] {
  return lines.map((line, index) => ({
    ...{ uuid: `l${index}`, parentUuid: index === 0 ? null : `l${index - 1}`, timestamp: '2026-01-01T00:00:00Z' },
    ...line,
  }));
}
const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (content: unknown[], more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm', model: 'claude-x', role: 'assistant', content, stop_reason: 'end_turn', ...more },
});

describe('turns of transcripts that Claude Code wrote', () => {
  it('E25 prompts, tools with their results, thinking and images; local commands leave nothing', () => {
    const turns = turnsOf(sampleLines('tools-image-title'));
    expect(prompts(turns)).toEqual([
      ['run: echo jump42'],
      ['read: a.txt'],
      ['think about it'],
      ['look at this', 'image'],
    ]);
    expect(turns.map(kinds)).toEqual([
      ['tool_call', 'tool_call_update', 'agent_message_chunk'],
      ['tool_call', 'tool_call_update', 'agent_message_chunk'],
      ['agent_thought_chunk', 'agent_message_chunk'],
      ['agent_message_chunk'],
    ]);
    const { updates, ...first } = turns[0] ?? { updates: [] };
    expect(first).toEqual({
      ...{ id: '11111111-1111-4111-8111-111111111111', prompt: [{ type: 'text', text: 'run: echo jump42' }] },
      ...{ begunBy: 'prompt', task: null, state: 'done', isOpen: false, failure: null, model: 'claude-opus-4.8' },
      startedAt: Date.parse('2026-11-22T11:42:08.983Z'),
      endedAt: Date.parse('2026-11-22T11:42:09.670Z'),
      usage: { input: 1, output: 7, cacheRead: 11_488, cacheWrite: 76 },
      promptIds: ['a92274b7-a194-48b5-89af-e51c8788284c'],
      lastMessage: '7f82c699-d8bd-48a7-bd90-61ab374694f9',
      copyOf: null,
    });
    const id = 'toolu_bdrk_01CK7rB5gm6A72x3XSiVdYcD';
    expect(updates.slice(0, 2)).toMatchObject([
      { toolCallId: id, kind: 'execute', title: 'echo jump42', rawInput: { command: 'echo jump42' } },
      { toolCallId: id, status: 'completed', rawOutput: 'jump42' },
    ]);
  });

  it('an agent in the background: its report is a turn without a prompt', () => {
    const turns = turnsOf(sampleLines('background-agent'));
    expect(turns.map(({ begunBy, prompt, task }) => [begunBy, prompt === null, task])).toEqual([
      ['prompt', false, null],
      ['notification', true, 'Ask another agent'],
    ]);
    expect(turns[1]?.updates).toMatchObject([
      chunk('The agent in the background has reported: “The tool answered: “sub””'),
    ]);
    expect(turns.map(({ promptIds }) => promptIds)).toEqual([
      ['e955ce86-1233-4db2-bd13-32851eaa38bf'],
      ['17ebe1bf-2a5c-4ee3-999a-51d8c54015a9'],
    ]);
  });

  it('E25 what stood before a compaction is there, and the summary belongs to it', () => {
    const turns = turnsOf(sampleLines('compaction'));
    // What a person asked for is a turn of its own.
    expect(prompts(turns)).toEqual([['hello first'], ['hello second'], ['/compact'], ['hello after']]);
    expect(turns[2]?.updates.at(-1)).toMatchObject({
      ...{ sessionUpdate: 'compaction_update', status: 'completed' },
      summary: [{ type: 'text', text: expect.stringMatching(/^1\. /) }],
      _meta: { claudeCode: { compactMetadata: { trigger: 'manual', preTokens: 11_722 } } },
    });
  });

  it('a turn that a person stopped is cancelled, with what it had begun', () => {
    const turns = turnsOf(sampleLines('interrupted'));
    expect(turns.map(({ state, isOpen }) => [state, isOpen])).toEqual([
      ['cancelled', false],
      ['done', false],
    ]);
    expect(turns[0]?.updates[1]).toMatchObject({
      ...{ status: 'failed', _meta: { claudeCode: { nonExecutionKind: 'user-rejected' } } },
    });
    expect(prompts(turns)).toEqual([['run: sleep 20'], ['after the stop']]);
  });

  it('what an agent is told of undone edits beside a prompt is no part of the person’s words', () => {
    const words = { type: 'text', text: 'go on' };
    const { note } = undoneEditsNoteFor([words], {
      unreported: () => ({ paths: ['/a.txt'], parts: ['/b.txt'], reported: () => {} }),
    });
    expect(note).toHaveLength(1);
    expect(prompts(turnsOf(conversation(user([words, ...note]))))).toEqual([['go on']]);
  });

  it('words that joined a running turn stand in it, under the id that they were sent with', () => {
    const [turn, ...others] = turnsOf(sampleLines('steered'));
    expect(others).toEqual([]);
    expect(turn?.updates[2]).toEqual({
      sessionUpdate: 'user_message_chunk',
      content: { type: 'text', text: 'joined words' },
      messageId: '22222222-2222-4222-8222-222222222222',
    });
  });

  it('two tools of one message both have their results', () => {
    const [turn] = turnsOf(sampleLines('parallel-tools'));
    expect(turn?.state).toBe('done');
    expect(turn?.updates.slice(0, 4)).toMatchObject([
      { title: 'echo one' },
      { title: 'echo two' },
      { rawOutput: 'one' },
      { rawOutput: 'two' },
    ]);
  });

  it('edits show the whole file before and after', () => {
    const turns = turnsOf(sampleLines('edits'));
    expect(turns.map(({ updates }) => updates[1])).toMatchObject([
      { content: [{ type: 'diff', path: '/home/me/project/new.txt', oldText: null, newText: 'hello\n' }] },
      { content: [{ type: 'diff', path: '/home/me/project/new.txt', oldText: 'hello\n', newText: 'bye\n' }] },
    ]);
  });

  it('what a person left behind by going back is gone', () => {
    expect(prompts(turnsOf(sampleLines('went-back')))).toEqual([['one stays'], ['three instead']]);
    expect(sampleLines('went-back').some(({ message }) => JSON.stringify(message)?.includes('two goes'))).toBe(true);
  });

  it('a refused request is a turn that failed, in its words', () => {
    expect(turnsOf(sampleLines('failed'))).toMatchObject([
      { state: 'failed', failure: expect.stringContaining('no-such-model'), model: null, usage: null, updates: [] },
    ]);
  });
});

describe('turns of other shapes', () => {
  it('takes reminders out of a person’s words, and any number of pasted beginnings at once', () => {
    const pasted = '<system-reminder>'.repeat(150_000);
    const texts = [`a<system-reminder>x</system-reminder>b<system-reminder>y</system-reminder> ${pasted}`];
    texts.push(`<command-message>x</command-message><command-name>/x</command-name>${'<command-args>'.repeat(40_000)}`);
    const began = performance.now();
    expect(prompts(turnsOf(conversation(...texts.map((text) => user(text)))))).toEqual([[`ab ${pasted}`], ['/x']]);
    // A pattern that looks for each one's end takes the square of that.
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('E25 a tool call without a result cancels its turn; a late one does not lengthen it', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } };
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'late' }] };
    const orphan = conversation(user('go'), assistant([call], { stop_reason: 'tool_use' }));
    expect(turnsOf(orphan)).toMatchObject([
      { state: 'cancelled', isOpen: true, updates: [{ title: 'make' }, { toolCallId: 't1', status: 'failed' }] },
    ]);
    const late = conversation(
      ...[user('go'), assistant([call], { stop_reason: 'tool_use' }), user('next')],
      user([result], { timestamp: '2026-01-09T00:00:00Z' }),
    );
    expect(turnsOf(late)).toMatchObject([
      { state: 'done', endedAt: Date.parse('2026-01-01T00:00:00Z'), updates: [{}, { rawOutput: 'late' }] },
      { prompt: [{ text: 'next' }] },
    ]);
  });

  it('what stands before any prompt has a turn of its own', () => {
    const turns = turnsOf(conversation(assistant([{ type: 'text', text: 'as I said' }]), user('and now')));
    expect(turns.map(({ begunBy, prompt }) => [begunBy, prompt?.length ?? null])).toEqual([
      ['earlier-conversation', null],
      ['prompt', 1],
    ]);
  });

  it('reminders are taken out, the words beside them stay, and a command is shown as it was typed', () => {
    const turns = turnsOf(
      conversation(
        user([
          { type: 'text', text: '<system-reminder>no\nno</system-reminder>' },
          { type: 'text', text: 'my words' },
        ]),
        user('<system-reminder>alone</system-reminder>'),
        user('[SYSTEM NOTIFICATION - NOT USER INPUT] hello'),
        user(
          '<command-message>init</command-message>\n<command-name>/init</command-name>\n<command-args>all of it</command-args>',
        ),
        user('<command-name>/cost</command-name>\n<command-message>cost</command-message>'),
        user('<bash-input>ls</bash-input>'),
        user([
          { type: 'tool_result', tool_use_id: 'unknown', content: 'x' },
          { type: 'text', text: 'and this too' },
        ]),
      ),
    );
    expect(prompts(turns)).toEqual([['my words'], ['/init all of it']]);
    expect(turns[1]?.updates).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'and this too' } },
    ]);
  });

  it('what Claude Code made up is no answer, and times that are none are unknown', () => {
    const turns = turnsOf(
      conversation(
        user('go', { timestamp: 'yesterday' }),
        assistant([{ type: 'text', text: 'No response requested.' }], { model: '<synthetic>' }),
      ),
    );
    expect(turns).toMatchObject([{ startedAt: null, endedAt: null, model: null, updates: [] }]);
  });

  it('the title at the end of a copy, which names no line before it, ends nothing', () => {
    const title = {
      type: 'custom-title',
      customTitle: 'one (fork)',
      uuid: 'title',
      forkedFrom: { sessionId: 'other' },
    };
    expect(turnsOf([...conversation(user('one'), user('two')), title])).toHaveLength(2);
  });

  it('a line that is missing, or names itself, ends nothing', () => {
    const lines = conversation(user('one'), assistant([{ type: 'text', text: 'lost' }]), user('two'), user('three'));
    expect(prompts(turnsOf(lines.toSpliced(1, 1)))).toEqual([['one'], ['two'], ['three']]);
    const circle = conversation(user('one'), user('two')).map((line) => ({ ...line, parentUuid: 'l1' }));
    expect(prompts(turnsOf(circle))).toEqual([['two']]);
  });
});
