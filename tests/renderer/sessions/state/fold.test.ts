import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../app/api/sessions.ts';
import type { Block, Conversation, Turn } from '../../../../renderer/sessions/state/conversation.ts';
import { emptyConversation, foldEvents } from '../../../../renderer/sessions/state/fold.ts';
import { fromTranscript } from '../../../../renderer/sessions/state/read-turns.ts';
import { reportedByTranscript, reportedLive, story } from '../story.ts';

const fold = (events: readonly SessionEvent[], from: Conversation = emptyConversation('s')) => foldEvents(from, events);

/** What a transcript can't tell: when each thing began, how a question was answered, and a subagent's own steps. */
function asRead(block: Block): unknown {
  if (block.kind === 'text') return block;
  if (block.kind === 'thinking') return { ...block, startedAt: null, endedAt: null };
  if (block.kind !== 'step') return block;
  const { lane } = block;
  const reported = lane === null ? null : { type: lane.type, task: lane.task, isBackground: lane.isBackground };
  const unknown = { startedAt: null, endedAt: null, answered: null, lane: reported, response: null, input: null };
  return block.stepKind === 'tasks' ? { kind: 'tasks', tasks: block.tasks } : { ...block, ...unknown };
}

const said = ({ prompt, begunBy, state, blocks }: Turn) => ({ prompt, begunBy, state, blocks: blocks.map(asRead) });

describe('a conversation', () => {
  it('is the same, block by block, followed live and read from its transcript', () => {
    fc.assert(
      fc.property(story, (reported) => {
        const live = fold(reportedLive(reported));
        const read = fromTranscript('s', reportedByTranscript(reported));
        expect(read.turns.map(said)).toEqual(live.turns.map(said));
      }),
      { numRuns: 300 },
    );
  });

  it('has its undone edits where it was copied, which no event tells of', () => {
    const made = { act: 'edit', path: '/p/a.ts', before: 'a', after: 'b' } as const;
    const page = reportedByTranscript({
      turns: [{ prompt: 'go', acts: [made, { ...made, path: '/p/b.ts' }], end: 'done' }],
    });
    const [first] = fromTranscript('s', page).turns[0]?.blocks ?? [];
    const undone = [{ toolCallId: first?.id ?? '', path: made.path }];
    const { blocks = [] } = fromTranscript('s', { ...page, undone }).turns[0] ?? {};
    expect(blocks.flatMap((block) => (block.kind === 'step' ? [block.undone] : []))).toEqual([[made.path], []]);
  });

  it('has the answers of where it was copied, and the command that ran in place of the agent’s', () => {
    const page = reportedByTranscript({
      turns: [{ prompt: 'go', acts: [{ act: 'edit', path: '/p/a.ts', before: 'a', after: 'b' }], end: 'done' }],
    });
    const [first] = fromTranscript('s', page).turns[0]?.blocks ?? [];
    const answer = { answer: 'allow', input: { file_path: '/p/c.ts' } };
    const answered = [{ toolCallId: first?.id ?? '', by: 'person', answer, rule: null }];
    const [turn] = fromTranscript('s', { ...page, answered }).turns;
    expect(turn?.blocks).toMatchObject([
      { state: 'done', answered: { by: 'person', answer }, input: { file_path: '/p/c.ts' } },
    ]);
  });

  it('waits where a terminal waits, and runs where it works: nothing of it failed or was stopped', () => {
    const { turns, ...page } = reportedByTranscript({ turns: [{ prompt: 'go', acts: [], end: 'done' }] });
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'npm test', status: 'pending', rawInput: {} };
    const read = (state: 'waiting' | 'running' | 'cancelled') =>
      fromTranscript('s', { ...page, turns: turns.map((turn) => ({ ...turn, updates: [call], state })) }).turns;
    expect(read('waiting')).toMatchObject([{ state: 'running', problem: null, blocks: [{ state: 'waiting' }] }]);
    expect(read('running')).toMatchObject([{ state: 'running', blocks: [{ state: 'running' }] }]);
    expect(read('cancelled')).toMatchObject([{ state: 'cancelled', blocks: [{ state: 'cut' }] }]);
  });

  it('is the same however its events come: at once, one by one, some of them twice', () => {
    fc.assert(
      fc.property(story, fc.array(fc.nat(30), { maxLength: 8 }), (reported, sizes) => {
        const events = reportedLive(reported);
        const whole = fold(events);
        let conversation = emptyConversation('s');
        let from = 0;
        for (const size of [...sizes, events.length]) {
          conversation = fold(events.slice(Math.max(0, from - 2), from + size), conversation);
          from += size;
        }
        expect(conversation).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps every object that an event does not change', () => {
    fc.assert(
      fc.property(story, (reported) => {
        let before = emptyConversation('s');
        for (const event of reportedLive(reported)) {
          const frozen = structuredClone(before);
          const after = fold([event], before);
          // What was shown is never changed in place.
          expect(before).toEqual(frozen);
          for (const [index, turn] of before.turns.slice(0, -1).entries()) expect(after.turns[index]).toBe(turn);
          const [old, now] = [before.turns.at(-1)?.blocks ?? [], after.turns[before.turns.length - 1]?.blocks ?? []];
          const changed = old.filter((block, index) => now[index] !== block).length;
          if (event.kind === 'update') expect(changed).toBeLessThanOrEqual(2);
          before = after;
        }
      }),
      { numRuns: 60 },
    );
  });
});
