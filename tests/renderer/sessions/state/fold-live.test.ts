import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../app/api/sessions.ts';
import type { Conversation } from '../../../../renderer/sessions/state/conversation.ts';
import { emptyConversation, foldEvents } from '../../../../renderer/sessions/state/fold.ts';

/** Events of one turn, told one after the other. */
class Reported {
  events: SessionEvent[] = [];

  tell(kind: SessionEvent['kind'], event: unknown, turnId: string | null = 't'): this {
    const seq = this.events.length + 1;
    this.events.push({ seq, sessionId: 's', turnId, at: seq * 1_000, kind, event, cuts: null });
    return this;
  }

  update(update: object, child: string | null = null): this {
    return this.tell('update', { child, update });
  }

  call(toolCallId: string, toolName = 'Bash', rawInput: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call', toolCallId, rawInput, _meta: { claudeCode: { toolName } } });
  }

  text(text: string, messageId: string): this {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId });
  }

  begin(): this {
    return this.tell('turn-started', { initiator: 'user', prompt: [{ type: 'text', text: 'p' }] });
  }

  end(state = 'done'): this {
    return this.tell('turn-ended', { state, stopReason: null, problem: null });
  }

  get conversation(): Conversation {
    return foldEvents(emptyConversation('s'), this.events);
  }

  get blocks() {
    return this.conversation.turns.flatMap(({ blocks }) => blocks);
  }
}

const reported = () => new Reported().begin();
const ended = (toolCallId: string, more: object = {}) => ({
  ...{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', ...more },
});

describe('a question', () => {
  const request = { toolCall: { toolCallId: 'c', name: 'Bash' }, options: [] };
  const asked = () => reported().call('c').tell('question', { id: 'q', kind: 'permission', child: null, request });

  it('stands in the conversation, and its step waits', () => {
    const { questions } = asked().conversation;
    expect(questions).toMatchObject([{ id: 'q', sessionId: 's', turnId: 't', kind: 'permission', request }]);
    expect(asked().blocks).toMatchObject([{ state: 'waiting' }]);
  });

  it('is answered: its step runs, and says how', () => {
    const answered = asked().tell('answered', { id: 'q', by: 'person', rule: null, answer: { answer: 'allow' } });
    expect(answered.conversation.questions).toEqual([]);
    expect(answered.blocks).toMatchObject([
      { state: 'running', answered: { by: 'person', answer: { answer: 'allow' } } },
    ]);
  });

  it('has what the person ran in place of its command, also where the agent repeats its own', () => {
    const changed = asked()
      .tell('answered', { id: 'q', by: 'person', rule: null, answer: { answer: 'allow', input: { command: 'b' } } })
      .update(ended('c', { rawInput: { command: 'a' } }));
    expect(changed.blocks).toMatchObject([{ state: 'done', input: { command: 'b' } }]);
  });

  it('takes no time of its step, nor of the subagent in which that is', () => {
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', rawInput: {} };
    const inChild = reported()
      .call('agent', 'Agent', { description: 'Look', prompt: 'Look', subagent_type: 'Explore' })
      .update({ ...call, _meta: { claudeCode: { toolName: 'Bash', parentToolUseId: 'agent' } } })
      .tell('question', { id: 'q', kind: 'permission', child: null, request });
    // Two seconds go by.
    inChild.update({ sessionUpdate: 'available_commands_update' }).tell('answered', { id: 'q', by: 'person' });
    inChild.update(ended('c')).update(ended('agent'));
    const [agent] = inChild.blocks;
    const [inner] = agent?.kind === 'step' ? (agent.lane?.blocks ?? []) : [];
    const tookOf = (block: typeof agent) =>
      block?.kind === 'step' ? (block.endedAt ?? 0) - (block.startedAt ?? 0) : null;
    // From its call to the question, and from the answer to its end.
    expect([tookOf(agent), tookOf(inner)]).toEqual([4_000, 2_000]);
  });

  it('is denied by a person, or by a stop, which cuts its step off', () => {
    const failed = { ...ended('c'), status: 'failed', _meta: { claudeCode: { nonExecutionKind: 'user-rejected' } } };
    const answer = (by: string) =>
      asked()
        .tell('answered', { id: 'q', by, rule: null, answer: { answer: 'deny' } })
        .update(failed)
        .end('cancelled');
    expect(answer('person').blocks).toMatchObject([{ state: 'denied' }]);
    expect(answer('stopped').blocks).toMatchObject([{ state: 'cut' }]);
  });

  it('was answered by a rule of before', () => {
    const byRule = reported()
      .call('c')
      .tell('answered', { id: null, toolCallId: 'c', by: 'rule', rule: 'r', answer: {} });
    expect(byRule.blocks).toMatchObject([{ answered: { by: 'rule', rule: 'r' } }]);
  });
});

describe('an edit that a person took back', () => {
  const edit = (state: string, path = '/a.ts') => ({ id: 'e', toolCallId: 'c', path, state });
  const undone = (conversation: ReturnType<typeof reported>) =>
    conversation.blocks.map((block) => block.kind === 'step' && block.undone);

  it('is said at its step, until it is made again', () => {
    const made = () => reported().call('c').update(ended('c')).tell('edit', edit('made'));
    expect(undone(made())).toEqual([[]]);
    expect(undone(made().tell('edit', edit('undone')))).toEqual([['/a.ts']]);
    expect(undone(made().tell('edit', edit('undone')).tell('edit', edit('made')))).toEqual([[]]);
  });
});

describe('words for the running turn', () => {
  const words = { id: 'w', prompt: [{ type: 'text', text: 'be brief' }] };

  it('end the text before them, which is finished', () => {
    const steered = reported().text('I look', 'm1').tell('steered', words).tell('steering-read', { id: 'w' });
    expect(steered.blocks).toMatchObject([{ kind: 'text', isOpen: false }, { kind: 'steered' }]);
  });

  it('wait until the agent has read them, and stand where it did', () => {
    const others = { id: 'v', prompt: [{ type: 'text', text: 'and kind' }] };
    const steered = reported().text('I look', 'm1').call('c').tell('steered', words).tell('steered', others);
    steered.update(ended('c'));
    expect(steered.conversation.steering).toMatchObject([{ id: 'w' }, { id: 'v' }]);
    steered.tell('steering-read', { id: 'w' }).text('Briefly', 'm2');
    expect(steered.conversation.steering).toMatchObject([{ id: 'v' }]);
    expect(steered.blocks.map(({ kind }) => kind)).toEqual(['text', 'step', 'steered', 'text']);
    expect(steered.blocks.map((block) => 'isOpen' in block && block.isOpen)).toEqual([false, false, false, true]);
    expect(steered.end().blocks.at(-1)).toMatchObject({ kind: 'steered', id: 'v' });
  });

  it('that the turn did not take are no part of it', () => {
    const refused = reported().tell('steered', words).tell('steered', { id: 'w', prompt: null }).end();
    expect(refused.conversation.steering).toEqual([]);
    expect(refused.blocks).toEqual([]);
  });
});

describe('a subagent', () => {
  const state = (state: string, stopReason?: string) => ({
    ...{ sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Look around', description: 'Explore' },
    state: { state, ...(stopReason === undefined ? {} : { stopReason }) },
  });
  const message = (messageId: string, text: string, from: string, to: string) => ({
    ...{ sessionUpdate: 'session_message', messageId, senderSessionId: from, recipientSessionId: to },
    content: [{ type: 'text', text }],
  });
  const begun = () =>
    reported()
      .update(state('running'))
      .update(message('toolu_1', 'Look at the shell', 's', 'child'))
      .update({ ...ended('x'), sessionUpdate: 'tool_call', toolCallId: 'inner' }, 'child')
      .update({ sessionUpdate: 'agent_message_chunk', content: { text: 'I see' }, messageId: 'm' }, 'child');

  it('answers by its own model: those of the turn are of its own answers, each once', () => {
    const answer = (model: string) => ({ sessionUpdate: 'usage_update', used: 1, _meta: { '_claude/model': model } });
    const turn = begun().update(answer('opus')).update(answer('sonnet'));
    const { turns } = turn.update(answer('haiku'), 'child').update(answer('opus')).conversation;
    expect(turns.map(({ models }) => models)).toEqual([['opus', 'sonnet']]);
  });

  it('has a lane with its own steps and words, named by the call that began it', () => {
    expect(begun().blocks).toMatchObject([
      {
        ...{ kind: 'step', stepKind: 'subagent', id: 'toolu_1', title: 'Look around', state: 'running' },
        lane: { id: 'child', type: 'Explore', task: 'Look at the shell', steps: 1 },
      },
    ]);
    const [step] = begun().blocks;
    expect(step?.kind === 'step' && step.lane?.blocks.map(({ kind }) => kind)).toEqual(['step', 'text']);
  });

  it('goes on in the background when its turn is over, until it is done', () => {
    const launched = begun().update(message('toolu_1:reply', 'Async agent launched successfully. X', 'child', 's'));
    launched.end();
    expect(launched.blocks).toMatchObject([{ state: 'background', content: [], lane: { isBackground: true } }]);
    launched.tell('update', { child: null, update: state('idle', 'end_turn') }, null);
    expect(launched.blocks).toMatchObject([{ state: 'done' }]);
  });

  it('is cut off with its turn, with what ran in it', () => {
    expect(begun().call('y').end('cancelled').blocks[0]).toMatchObject({ state: 'cut' });
  });

  it('may have its own', () => {
    const nested = { ...state('running'), sessionId: 'grandchild' };
    const [step] = begun()
      .update(nested, 'child')
      .update({ ...ended('d'), sessionUpdate: 'tool_call' }, 'grandchild').blocks;
    const inner = step?.kind === 'step' ? step.lane?.blocks.at(-1) : undefined;
    expect(inner).toMatchObject({ stepKind: 'subagent', lane: { id: 'grandchild', steps: 1 } });
  });
});

describe('what an agent tells beside words and tools', () => {
  it('a compaction, from its beginning to its summary', () => {
    const compaction = { sessionUpdate: 'compaction_update', compactionId: 'k' };
    const compacted = reported().update({ ...compaction, status: 'in_progress' });
    expect(compacted.blocks).toMatchObject([{ kind: 'compaction', isOpen: true }]);
    compacted.update({ ...compaction, status: 'completed', summary: [{ type: 'text', text: 'All of it' }] });
    compacted.update({ ...compaction, status: 'completed' });
    expect(compacted.blocks).toMatchObject([{ kind: 'compaction', isOpen: false, summary: 'All of it' }]);
  });

  it('a notice, and an update of an unknown kind', () => {
    const odd = reported().update({ sessionUpdate: 'notice', title: 'x' }).update({ sessionUpdate: 'from_the_future' });
    expect(odd.blocks).toMatchObject([
      { kind: 'note', code: 'notice' },
      { kind: 'note', code: 'from_the_future' },
    ]);
  });

  it('a command that goes on in the background, and its end in a later turn', () => {
    const claudeCode = { toolName: 'Bash', toolResponse: { stdout: '', backgroundTaskId: 'b' } };
    const command = reported()
      .call('c')
      .update({ ...ended('c'), _meta: { claudeCode } })
      .end();
    expect(command.blocks).toMatchObject([{ state: 'background' }]);
    command.tell('turn-started', { initiator: 'agent', prompt: null }, 't2');
    const exit = { sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: { terminal_exit: { exit_code: null } } };
    command.tell('update', { child: null, update: exit }, 't2');
    expect(command.conversation.turns).toMatchObject([
      { blocks: [{ state: 'done' }] },
      { begunBy: 'notification', initiator: 'agent' },
    ]);
  });

  it('nonsense changes nothing but the cursor', () => {
    const before = reported().text('words', 'm');
    const { turns } = before.conversation;
    before.tell('update', null).tell('update', { update: 'x' }).tell('answered', 7).tell('question', []);
    before.tell('cost', 'much').tell('void', {});
    expect(before.conversation.turns).toEqual(turns);
    expect(before.conversation.last).toBe(before.events.length);
  });
});

describe('ten thousand messages', () => {
  it('take an update at the cost of that update', () => {
    const many = reported();
    for (let index = 0; index < 10_000; index++) many.text(`Message ${index}. `, `m${index}`);
    let { conversation } = many;
    const began = performance.now();
    const updates = 500;
    for (let index = 0; index < updates; index++) {
      const entry = new Reported().tell('turn-started', {}).text('word ', 'last').events[1];
      if (entry !== undefined) conversation = foldEvents(conversation, [{ ...entry, seq: 20_000 + index }]);
    }
    const each = (performance.now() - began) / updates;
    expect(conversation.turns[0]?.blocks).toHaveLength(10_001);
    // A frame has 16 ms, and takes four updates at 200 a second.
    expect(each).toBeLessThan(2);
  });
});

describe('what is known of a turn beside its steps', () => {
  const subagent = () =>
    reported().update({
      ...{ sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Look', description: 'Explore' },
      state: { state: 'running' },
    });

  it('is what each subagent cost, on its line', () => {
    const cost = { nanoAiu: 7e9, agents: { child: 5e9, other: 1e9 } };
    expect(subagent().tell('cost', cost).blocks).toMatchObject([{ lane: { id: 'child', nanoAiu: 5e9 } }]);
    expect(subagent().blocks).toMatchObject([{ lane: { nanoAiu: null } }]);
  });

  it('is what a turn cost, with our estimate and what has none', () => {
    const cost = { nanoAiu: 7e9, isPartlyUnknown: true, estimate: 3e9, unestimated: 1 };
    expect(reported().tell('cost', cost).conversation.turns).toMatchObject([{ cost }]);
  });

  it('is the question that was open when it ended', () => {
    const request = { toolCall: { toolCallId: 'c', name: 'Bash' }, options: [] };
    const asked = reported().call('c').tell('question', { id: 'q', kind: 'permission', child: null, request });
    const stopped = asked.tell('answered', { id: 'q', by: 'stopped', answer: { answer: 'deny' }, rule: null });
    expect(stopped.end('interrupted').conversation.turns).toMatchObject([
      { askedAtEnd: { what: 'command', name: '' } },
    ]);
  });

  it('is no question that a person answered', () => {
    const request = { toolCall: { toolCallId: 'c', name: 'Bash' }, options: [] };
    const asked = reported().call('c').tell('question', { id: 'q', kind: 'permission', child: null, request });
    const denied = asked.tell('answered', { id: 'q', by: 'person', answer: { answer: 'deny' }, rule: null });
    expect(denied.end().conversation.turns).toMatchObject([{ askedAtEnd: null }]);
  });

  it('is the background task whose end it reports', () => {
    const begun = new Reported().tell('turn-started', { initiator: 'agent', prompt: null, task: 'npm run dev' });
    expect(begun.conversation.turns).toMatchObject([{ begunBy: 'notification', task: 'npm run dev' }]);
  });

  it('is why it failed, as far as that is known', () => {
    const problem = { code: 'agent-ended', text: 'T', remedy: '', requestId: null, stderr: null };
    const facts = { signal: 9, ends: 3, limit: 'weekly', odd: 'x' };
    const end = reported().tell('turn-ended', { state: 'failed', problem: { ...problem, facts } });
    expect(end.conversation.turns[0]?.problem).toEqual({ ...problem, facts: { signal: 9, ends: 3, limit: 'weekly' } });
  });
});
