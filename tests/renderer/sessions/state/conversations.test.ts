import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedSession } from '../../../../app/api/session-list.ts';
import type { SessionEvent, SessionTurn } from '../../../../app/api/sessions.ts';
import { noCost } from '../../../../app/sessions/turns/costs.ts';
import type { Conversation } from '../../../../renderer/sessions/state/conversation.ts';
import { ConversationReader } from '../../../../renderer/sessions/state/conversation-reader.ts';
import { emptyConversation, foldEvents } from '../../../../renderer/sessions/state/fold.ts';
import { withRows } from '../../../../renderer/sessions/state/read-turns.ts';
import { SessionsFeed } from '../../../../renderer/sessions/state/sessions-feed.ts';
import { createSessionsStore } from '../../../../renderer/sessions/state/sessions-store.ts';
import type { SessionListener } from '../../../../renderer/state/feed.ts';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';
import { listedSession } from '../../../app/sessions/listed-session.ts';
import { soon } from '../../../soon.ts';
import { HeldRecord } from '../held-record.ts';
import { reportedByTranscript, reportedLive, story } from '../story.ts';

const shown = ({ turns, tasks, questions, last }: Conversation) => ({ turns, tasks, questions, last });

async function readWhole(reader: ConversationReader): Promise<Conversation> {
  let conversation = await reader.read(() => undefined);
  for (let page = 0; conversation.hasOlder && page < 1_000; page++) {
    conversation = (await reader.readOlder(conversation))(conversation);
  }
  return conversation;
}

/** A window with the view open, in which a frame passes when it is told to. */
function openWindow(record: HeldRecord) {
  const store = createSessionsStore();
  const frames: (() => void)[] = [];
  let listener: SessionListener | null = null;
  const feed = new SessionsFeed({
    ...{ bridge: record.bridge, store, window: createWindowStore() },
    feed: {
      listenToSessions: (one) => {
        listener = one;
        return () => undefined;
      },
    },
    schedule: (work) => void frames.push(work),
  });
  feed.start();
  feed.conversations.show('s');
  return {
    store,
    /** A conversation as it is shown; null: not yet. */
    get conversation() {
      return store.getState().conversations.get('s')?.conversation ?? null;
    },
    hear: (entry: SessionEvent) => listener?.hear({ event: 'session-event', entry }),
    list: (session: ListedSession) => listener?.hear({ event: 'session-listed', session }),
    readAgain: () => feed.conversations.readAgain('s'),
    missed: () => listener?.missed(),
    frame: () => {
      for (const work of frames.splice(0)) work();
    },
  };
}

/** An answer in two parts with what it cost between them, and its turn as it is kept once it has ended. */
function answerInTwo(asked = 'count') {
  const tell = (seq: number, kind: SessionEvent['kind'], event: unknown): SessionEvent => ({
    ...{ seq, sessionId: 's', turnId: 't', at: seq, kind, event, cuts: null },
  });
  const chunk = (text: string) => {
    const content = { type: 'text', text };
    return { child: null, update: { sessionUpdate: 'agent_message_chunk', messageId: 'm', content } };
  };
  const cost = { nanoAiu: 5, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 1, agent: 0 };
  const tokens = { input: 1, cached: 0, output: 2 };
  const events = [
    tell(1, 'turn-started', { initiator: 'user', prompt: [{ type: 'text', text: asked }] }),
    tell(2, 'update', chunk('1, 2,')),
    tell(3, 'cost', { ...cost, ...tokens }),
    tell(4, 'update', chunk(' 3, 4')),
    tell(5, 'turn-ended', { state: 'done', stopReason: 'end_turn', problem: null }),
  ];
  const row: SessionTurn = {
    ...{ id: 't', number: 1, state: 'done', prompt: null, initiator: 'user', startedAt: 1, endedAt: 5 },
    ...{ stopReason: 'end_turn', problem: null, requestIds: ['r'], promptIds: [], canFork: true },
    cost: { ...cost, ...tokens },
  };
  const whole = [{ number: 1, state: 'done', blocks: [{ kind: 'text', text: '1, 2, 3, 4', isOpen: false }] }];
  return { events, row, whole };
}

describe('reading a conversation', () => {
  it('gives the same in pages from its end as all at once', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 9 }), async (reported, atOnce) => {
        const events = reportedLive(reported);
        const whole = foldEvents(emptyConversation('s'), events);
        const read = await readWhole(new ConversationReader('s', new HeldRecord(events).bridge, atOnce));
        expect(read.turns).toEqual(whole.turns);
        expect(read.last).toBe(whole.last);
      }),
      { numRuns: 100 },
    );
  });

  it('goes on in the transcript where the record is kept no longer', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(3), async (reported, kept) => {
        const events = reportedLive(reported);
        const record = new HeldRecord(events);
        record.transcript = reportedByTranscript(reported).turns;
        const begins = events.filter(({ kind }) => kind === 'turn-started');
        const first = begins[Math.min(kept, begins.length)];
        record.forgotten = first === undefined ? events.length : first.seq - 1;
        const read = await readWhole(new ConversationReader('s', record.bridge));
        // Each turn once, in their order.
        expect(read.turns.map(({ prompt }) => prompt)).toEqual(
          reported.turns.map(({ prompt }) => [{ type: 'text', text: prompt }]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('has the last words of a turn that ended while it was read', async () => {
    const { events, row, whole } = answerInTwo();
    const record = new HeldRecord(events.slice(0, 3));
    const sessionTurns = async () => {
      record.events = events;
      return [row];
    };
    const conversation = await new ConversationReader('s', { ...record.bridge, sessionTurns }).read();
    expect(foldEvents(conversation, events).turns).toMatchObject(whole);
    expect(conversation.last).toBe(5);
  });

  it('puts what came late on a step of a turn that is read only then', async () => {
    const at = 1;
    const tell = (seq: number, turnId: string, kind: SessionEvent['kind'], event: unknown): SessionEvent => ({
      ...{ seq, sessionId: 's', turnId, at, kind, event, cuts: null },
    });
    const update = (reported: object) => ({ child: null, update: reported });
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', _meta: { claudeCode: { toolName: 'Bash' } } };
    const ends = { state: 'done', stopReason: null, problem: null };
    const record = new HeldRecord([
      tell(1, 't1', 'turn-started', { initiator: 'user', prompt: [] }),
      tell(2, 't1', 'update', update(call)),
      tell(3, 't1', 'update', {
        child: null,
        update: {
          ...{ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
          _meta: { claudeCode: { toolName: 'Bash', toolResponse: { stdout: '', backgroundTaskId: 'b' } } },
        },
      }),
      tell(4, 't1', 'turn-ended', ends),
      tell(5, 't2', 'turn-started', { initiator: 'user', prompt: [] }),
      tell(6, 't2', 'update', {
        child: null,
        update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: { terminal_exit: { exit_code: null } } },
      }),
      tell(7, 't2', 'turn-ended', ends),
    ]);
    const reader = new ConversationReader('s', record.bridge, 3);
    const end = await reader.read();
    expect(end.turns.map(({ id }) => id)).toEqual(['t2']);
    const whole = (await reader.readOlder(end))(end);
    expect(whole.turns[0]?.blocks).toMatchObject([{ id: 'c', state: 'done' }]);
    expect(whole.unplaced).toEqual([]);
  });
});

/** A turn of more events than are read at once, with its row. */
function longTurn() {
  const { row } = answerInTwo();
  const tell = (seq: number, kind: SessionEvent['kind'], event: unknown): SessionEvent => ({
    ...{ seq, sessionId: 's', turnId: 't', at: seq, kind, event, cuts: null },
  });
  const calls = Array.from({ length: 2_500 }, (_, at) => {
    const update = { sessionUpdate: 'tool_call', toolCallId: `c${at}`, title: 'ls', kind: 'execute' };
    return tell(2 + at, 'update', { child: null, update });
  });
  const prompt = [{ type: 'text', text: 'count' }];
  const events = [tell(1, 'turn-started', { initiator: 'user', prompt }), ...calls];
  return { events, row: { ...row, state: 'running', endedAt: null, prompt } satisfies SessionTurn };
}

describe('a window', () => {
  it('shows the end of a long turn before all of that turn was read', async () => {
    const { events, row } = longTurn();
    const record = new HeldRecord(events);
    record.rows = [row];
    const window = openWindow(record);
    const seen: unknown[] = [];
    window.store.subscribe(({ conversations }) => {
      const { conversation, isPart, isReading } = conversations.get('s') ?? {};
      const [first] = conversation?.turns ?? [];
      if (first === undefined) return;
      const prompt = first.prompt?.map((block) => 'text' in block && block.text).join();
      const { blocks, startedAt } = first;
      seen.push([blocks.length, blocks.at(-1)?.id, prompt, startedAt, conversation?.hasOlder, isPart, isReading]);
    });
    await soon(() => expect(window.store.getState().conversations.get('s')?.isReading).toBe(false));
    expect(seen).toEqual([
      [1_000, 'c2499', 'count', null, true, true, true],
      [2_500, 'c2499', 'count', 1, true, false, false],
    ]);
    expect(window.conversation && shown(window.conversation)).toEqual(
      shown(withRows(foldEvents(emptyConversation('s'), events), [row])),
    );
  });

  it('shows no part of a turn that can’t be read', async () => {
    const { events, row } = longTurn();
    const record = new HeldRecord(events);
    record.rows = [row];
    const { sessionPast } = new HeldRecord(events).bridge;
    const gate = Promise.withResolvers<void>();
    record.past = async (asked) => {
      if (asked.before == null) return sessionPast(asked);
      await gate.promise;
      throw new Error('The app does not answer.');
    };
    const window = openWindow(record);
    await soon(() => expect(window.conversation?.turns[0]?.blocks).toHaveLength(1_000));
    gate.resolve();
    await soon(() => expect(window.store.getState().conversations.get('s')?.failure).not.toBeNull());
    expect(window.store.getState().conversations.get('s')).toMatchObject({
      ...{ conversation: null, isReading: false, isPart: false },
    });
  });

  it('shows the same after a reload, a lost connection, and beside another one', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(40), fc.nat(40), async (reported, opened, lost) => {
        const events = reportedLive(reported);
        const record = new HeldRecord(events.slice(0, opened));
        const window = openWindow(record);
        // Some come while it is still reading.
        const rest = events.slice(opened);
        for (const event of rest.slice(0, 2)) {
          record.events.push(event);
          window.hear(event);
        }
        await soon(() => expect(window.conversation).not.toBeNull());
        // Then nothing is heard for a while.
        for (const event of rest.slice(2, 2 + lost)) record.events.push(event);
        window.missed();
        for (const event of rest.slice(2 + lost)) {
          record.events.push(event);
          window.hear(event);
        }
        window.frame();
        const whole = foldEvents(emptyConversation('s'), events);
        const last = events.length;
        await soon(() => expect(window.conversation?.last).toBe(last));
        const other = openWindow(record);
        await soon(() => expect(other.conversation).not.toBeNull());
        expect(window.conversation && shown(window.conversation)).toEqual(shown(whole));
        expect(other.conversation && shown(other.conversation)).toEqual(shown(whole));
      }),
      { numRuns: 40 },
    );
  });

  it('keeps an answer in one where the end of its turn is read before its last words are heard', async () => {
    const { events, row, whole } = answerInTwo();
    const record = new HeldRecord(events.slice(0, 1));
    const window = openWindow(record);
    await soon(() => expect(window.conversation).not.toBeNull());
    record.events = events;
    record.rows = [row];
    const asked = record.asked.length;
    for (const event of events.slice(1, 3)) window.hear(event);
    window.frame();
    await soon(() => expect(record.asked.slice(asked)).toContain('sessionTurns'));
    // What was answered is put in before the next frame.
    await setImmediate();
    for (const event of events.slice(3)) window.hear(event);
    window.frame();
    await soon(() => expect(window.conversation?.turns).toMatchObject(whole));
  });

  it('leaves a turn its name where the row of the one before still says that it runs', () => {
    const { events, row } = answerInTwo();
    const next: SessionEvent[] = ['turn-started' as const, 'turn-ended' as const].map((kind, index) => ({
      ...{ seq: 6 + index, sessionId: 's', turnId: 'next', at: 6 + index, kind, cuts: null },
      event: { initiator: 'user', prompt: [], state: 'done', problem: null },
    }));
    const begun = foldEvents(emptyConversation('s'), [...events, ...next.slice(0, 1)]);
    const reported = withRows(begun, [{ ...row, state: 'running', endedAt: null }]);
    expect(foldEvents(reported, next).turns.map(({ id, state }) => [id, state])).toEqual([
      ['t', 'done'],
      ['next', 'done'],
    ]);
  });

  it('reads a conversation anew where what was missed could not be read', async () => {
    const events = reportedLive({
      turns: [{ prompt: 'p', acts: [{ act: 'text', text: 'words', cut: 2, isVoid: false }], end: 'done' }],
    });
    const record = new HeldRecord(events.slice(0, 1));
    const window = openWindow(record);
    await soon(() => expect(window.conversation).not.toBeNull());
    record.events = events.slice(0, -1);
    record.fails = 1;
    window.missed();
    const last = events.slice(-1);
    for (const event of last) {
      record.events.push(event);
      window.hear(event);
    }
    window.frame();
    await soon(() => expect(window.conversation?.last).toBe(events.length));
    expect(window.conversation && shown(window.conversation)).toEqual(
      shown(foldEvents(emptyConversation('s'), events)),
    );
  });

  it.each(['before', 'after'])('keeps what was heard while the list was read, put in %s it came', async (when) => {
    const tell = (seq: number, kind: SessionEvent['kind'], event: unknown): SessionEvent => ({
      ...{ seq, sessionId: 's', turnId: 't', at: seq, kind, event, cuts: null },
    });
    const question = (id: string) => ({ id, kind: 'permission', child: null, request: {} });
    const record = new HeldRecord([tell(1, 'question', question('a')), tell(2, 'question', question('b'))]);
    const gate = Promise.withResolvers<void>();
    record.listGate = gate.promise;
    const window = openWindow(record);
    await soon(() => expect(record.asked).toContain('sessionQuestions'));
    window.hear(tell(3, 'answered', { id: 'a', by: 'person' }));
    window.hear(tell(4, 'question', question('c')));
    // One that the answer has already.
    window.hear(tell(2, 'question', question('b')));
    if (when === 'before') window.frame();
    gate.resolve();
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    window.frame();
    expect(
      window.store
        .getState()
        .questions.map(({ id }) => id)
        .sort(),
    ).toEqual(['b', 'c']);
  });

  it('is written to once for all that came before a frame', async () => {
    const events = reportedLive({
      turns: [{ prompt: 'p', acts: [{ act: 'text', text: 'words', cut: 2, isVoid: false }], end: 'done' }],
    });
    const record = new HeldRecord([]);
    const window = openWindow(record);
    await soon(() => expect(window.conversation).not.toBeNull());
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    let writes = 0;
    window.store.subscribe(() => {
      writes += 1;
    });
    for (const event of events) window.hear(event);
    expect(writes).toBe(0);
    window.frame();
    expect(writes).toBe(1);
    expect(window.conversation?.turns).toMatchObject([{ state: 'done', blocks: [{ kind: 'text', text: 'words' }] }]);
  });
});

describe('a session that goes on in a terminal', () => {
  /** A turn as the transcript has it. */
  const turnAt = (startedAt: number, prompt: string): HeldRecord['transcript'][number] => ({
    ...{
      id: `line-${startedAt}`,
      prompt: [{ type: 'text', text: prompt }],
      begunBy: 'prompt',
      task: null,
      updates: [],
    },
    ...{ state: 'done', isOpen: false, failure: null, startedAt, endedAt: startedAt + 1, model: null, usage: null },
    ...{ promptIds: [], cost: null, lastMessage: null },
  });
  const opened = async (
    listed: Parameters<typeof listedSession>[0],
    reported: { transcript: HeldRecord['transcript']; prompt?: string },
  ) => {
    const { events, row } = answerInTwo(reported.prompt);
    const record = new HeldRecord(events);
    record.rows = [row];
    record.transcript = reported.transcript;
    record.listed = [listedSession(listed)];
    const window = openWindow(record);
    const list = (change: object) => {
      window.list(listedSession({ ...listed, ...change }));
      window.frame();
    };
    const open = () => window.store.getState().conversations.get('s');
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    await soon(() => expect(window.conversation?.turns.length).toBeGreaterThan(0));
    const said = () => window.conversation?.turns.map(({ prompt }) => prompt?.[0]?.text);
    return { window, record, list, open, said };
  };

  it('has what was said there among the turns that were led here, each once', async () => {
    const cost = { ...noCost, nanoAiu: 7, user: 1 };
    const transcript = [turnAt(2, 'count'), { ...turnAt(9, 'in the terminal'), cost }];
    const { said, window } = await opened({ id: 's', hosted: true, lastPrompt: 'in the terminal' }, { transcript });
    await soon(() => expect(said()).toEqual(['count', 'in the terminal']));
    expect(window.conversation?.turns.at(-1)?.cost).toEqual(cost);
  });

  it('offers what is new where words came that nobody said here, and nothing where its own process wrote', async () => {
    const { list, open, window, record, said } = await opened(
      { id: 's', hosted: true, lastPrompt: 'count', size: 1 },
      { transcript: [turnAt(2, 'count')] },
    );
    list({ size: 2, lastPrompt: 'count' });
    expect(open()?.hasNews).toBe(false);
    record.transcript = [turnAt(2, 'count'), turnAt(9, 'hi')];
    list({ size: 3, lastPrompt: 'hi' });
    await soon(() => expect(open()?.hasNews).toBe(true));
    window.readAgain();
    await soon(() => expect(said()).toEqual(['count', 'hi']));
    expect(open()).toMatchObject({ hasNews: false, saidAside: null });
  });

  it('offers nothing where the list knows a turn of here before its event was heard', async () => {
    const { list, open, record, said } = await opened(
      { id: 's', hosted: true, lastPrompt: 'count', size: 1 },
      { transcript: [turnAt(2, 'count')] },
    );
    const prompt = [{ type: 'text', text: 'queued' }];
    const begun = { initiator: 'user', prompt };
    record.events = [
      ...record.events,
      { ...{ seq: 6, sessionId: 's', turnId: 'next', at: 6, kind: 'turn-started', cuts: null }, event: begun },
    ];
    list({ size: 2, lastPrompt: 'queued' });
    await soon(() => expect(said()).toEqual(['count', 'queued']));
    expect(open()?.hasNews).toBe(false);
  });

  it('is read again where a terminal works, waits or rests, though it has written nothing', async () => {
    const openIn = (state: 'works' | 'waits' | 'rests') => ({
      openIn: { pid: 1, program: 'terminal' as const, state },
    });
    const waits = { ...turnAt(9, 'in the terminal'), state: 'waiting' as const };
    const { list, record, window } = await opened(
      { id: 's', hosted: true, lastPrompt: 'in the terminal', size: 1, ...openIn('works') },
      { transcript: [turnAt(2, 'count'), { ...waits, state: 'running' }] },
    );
    const last = () => window.conversation?.turns.at(-1)?.state;
    await soon(() => expect(last()).toBe('running'));
    record.transcript = [turnAt(2, 'count'), { ...waits, state: 'done' }];
    list({ size: 1, ...openIn('rests') });
    await soon(() => expect(last()).toBe('done'));
  });

  it('names what was said there beside a turn that ran here, which Claude Code left out', async () => {
    const { open } = await opened(
      { id: 's', hosted: true, lastPrompt: 'hi there', size: 1 },
      { transcript: [turnAt(2, 'count')] },
    );
    await soon(() => expect(open()?.saidAside).toBe('hi there'));
  });

  it.each([
    ['', `${'count to a hundred and say each number '.repeat(8)}`],
    [' within a sign', `${'x'.repeat(199)}🙂 and more`],
  ])('knows a long prompt of its own, whose note in the transcript Claude Code cut%s', async (_, prompt) => {
    const { open, list } = await opened(
      { id: 's', hosted: true, lastPrompt: `${prompt.slice(0, 200).trim()}…`.toWellFormed(), size: 1 },
      { transcript: [turnAt(2, prompt)], prompt },
    );
    await soon(() => expect(open()?.isReading).toBe(false));
    list({ size: 2, lastPrompt: 'from a terminal' });
    await soon(() => expect(open()?.hasNews).toBe(true));
    expect(open()?.saidAside).toBeNull();
  });

  it('offers nothing where only the end of a terminal was written', async () => {
    const record = new HeldRecord([]);
    record.transcript = [turnAt(2, 'count')];
    record.listed = [listedSession({ id: 's', size: 1 })];
    const window = openWindow(record);
    const hasNews = () => window.store.getState().conversations.get('s')?.hasNews;
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    await soon(() => expect(window.conversation?.turns.length).toBe(1));
    const reads = () => record.asked.filter((one) => one === 'transcript').length;
    const before = reads();
    window.list(listedSession({ id: 's', size: 2 }));
    window.frame();
    await soon(() => expect(reads()).toBeGreaterThan(before));
    await setImmediate();
    expect(hasNews()).toBe(false);
    record.transcript = [turnAt(2, 'count'), turnAt(9, 'more')];
    window.list(listedSession({ id: 's', size: 3 }));
    window.frame();
    await soon(() => expect(hasNews()).toBe(true));
  });

  it('shows the end of what a terminal did when it is left, and offers nothing', async () => {
    const openIn = { pid: 1, program: 'terminal' as const, state: 'works' as const };
    const record = new HeldRecord([]);
    record.transcript = [{ ...turnAt(2, 'count'), state: 'running' }];
    record.listed = [listedSession({ id: 's', size: 1, openIn })];
    const window = openWindow(record);
    const open = () => window.store.getState().conversations.get('s');
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    await soon(() => expect(window.conversation?.turns.length).toBe(1));
    record.transcript = [turnAt(2, 'count')];
    window.list(listedSession({ id: 's', size: 2 }));
    window.frame();
    await soon(() => expect(window.conversation?.turns[0]?.state).toBe('done'));
    await setImmediate();
    expect(open()?.hasNews).toBe(false);
  });

  it.each(['before', 'after'])('offers nothing where a turn of here begins %s it was looked for', async (when) => {
    const { events, row } = answerInTwo();
    const record = new HeldRecord([]);
    record.transcript = [turnAt(-5, 'before')];
    record.listed = [listedSession({ id: 's', size: 1 })];
    const window = openWindow(record);
    const hasNews = () => window.store.getState().conversations.get('s')?.hasNews;
    await soon(() => expect(window.store.getState().listed).not.toBeNull());
    await soon(() => expect(window.conversation?.turns.length).toBe(1));
    const begin = () => {
      record.events = events;
      record.rows = [row];
    };
    if (when === 'before') begin();
    const asked = record.asked.length;
    window.list(listedSession({ id: 's', size: 2 }));
    window.frame();
    if (when === 'after') await soon(() => expect(record.asked.slice(asked)).toContain('transcript'));
    begin();
    for (const event of events.slice(0, 2)) window.hear(event);
    window.frame();
    for (let turns = 0; turns < 20; turns += 1) await setImmediate();
    expect(window.conversation?.turns.length).toBe(2);
    expect(hasNews()).toBe(false);
  });
});
