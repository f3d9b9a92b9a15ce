import { expect } from 'vitest';
import type { App } from '../../app/api/app.ts';
import type { SessionEvent } from '../../app/api/sessions.ts';
import type { Block, Turn } from '../../renderer/sessions/state/conversation.ts';
import { emptyConversation, foldEvents } from '../../renderer/sessions/state/fold.ts';
import { fromTranscript } from '../../renderer/sessions/state/read-turns.ts';
import { itemsOf, saidIn } from '../../renderer/sessions/transcript/items.ts';
import { soon } from '../soon.ts';

/** A transcript knows no times of single steps, and no other ids of what was said. */
function asRead(block: Block): unknown {
  if (block.kind === 'text') return [block.kind, block.text];
  if (block.kind === 'thinking') return [block.kind, block.text];
  if (block.kind === 'compaction') return [block.kind, block.summary];
  if (block.kind !== 'step') return [block.kind];
  const { id, stepKind, tool, title, content, locations, lane, tasks } = block;
  if (stepKind === 'tasks') return [stepKind, tasks];
  const reported = lane && { id: lane.id, type: lane.type, task: lane.task, isBackground: lane.isBackground };
  // How work ended that went on after its turn is not in that turn.
  const wentOn = lane?.isBackground === true || block.response?.backgroundTaskId !== undefined;
  const end = wentOn ? 'went on' : { state: block.state, exitCode: block.exitCode };
  return { id, stepKind, tool, title, content, locations, lane: reported, end };
}

/** The agent is given links to what is attached as words of the message. */
const link = /\n\[@[^\]\n]*\]\(file:\/\/[^)\n]*\)/g;

/** What a person sees of a turn; how long it took and what it cost stands elsewhere. */
function shown(turn: Turn) {
  const blocks = itemsOf({ turns: [turn] }).flatMap((item): unknown[] => {
    if (item.kind === 'step') return [asRead(item.step)];
    if (item.kind === 'reading') return item.steps.map(asRead);
    // Notes are Jumpseat's own.
    return 'block' in item && item.kind !== 'note' ? [asRead(item.block)] : [];
  });
  return { state: turn.state, said: saidIn(turn).replaceAll(link, ''), blocks };
}

/** The report of work in the background may come in its turn, or begin one of its own. */
function shownTurns(turns: readonly Turn[]): ReturnType<typeof shown>[] {
  const all: ReturnType<typeof shown>[] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (turn.begunBy === 'notification' && last !== undefined) last.blocks.push(...shown(turn).blocks);
    else all.push(shown(turn));
  }
  return all;
}

/**
 * What the window shows of each session of the real Claude Code that was followed live is what it shows of the same one
 * read from its transcript. What another program did in it, before or since, is in the transcript alone.
 */
export async function expectSameBothWays(app: App, events: readonly SessionEvent[]): Promise<void> {
  for (const id of new Set(events.map(({ sessionId }) => sessionId))) {
    const ofSession = events.filter(({ sessionId }) => sessionId === id);
    const live = foldEvents(emptyConversation(id), ofSession).turns;
    // Claude Code writes a moment after it has answered.
    await soon(async () => {
      const page = await app.transcript({ id, agentId: null, before: null, limit: 200 }).catch(() => null);
      // Deleted, or another agent's.
      if (page === null) return;
      // Without those that a person went back behind, and what was never sent.
      const kept = new Set((await app.sessionTurns({ session: id, before: null, limit: 200 })).map((turn) => turn.id));
      const isThere = (turn: Turn): boolean => kept.has(turn.id) && (turn.state !== 'failed' || turn.blocks.length > 0);
      const followed = shownTurns(live.filter(isThere));
      const words = new Set(followed.map(({ said }) => said));
      const read = shownTurns(fromTranscript(id, page).turns).filter(({ said }) => words.has(said));
      expect(followed.length === 0 ? [] : read.slice(-followed.length)).toEqual(followed);
    });
  }
}
