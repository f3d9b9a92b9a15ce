import type { Exchange } from '../../api/exchange.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { KeptSession } from '../session/kept-session.ts';
import type { Prompt } from '../session/prompt.ts';
import type { Recorder } from '../session/recorder.ts';
import type { SessionStore } from '../store/session-store.ts';
import { SessionStoreError } from '../store/store-error.ts';
import { countLeft, readCost, type TurnCosts } from './costs.ts';
import { countSideRow } from './side-questions.ts';
import type { Turn, TurnEnd } from './turn.ts';

interface Writing {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'store' | 'clock'>;
  kept: KeptSession;
}

/** The turn is on record and its message out of the queue, or neither. */
export function writeBeginning({ sessionId, dependencies, kept }: Writing, turn: Turn, prompt: Prompt | null): void {
  const { store, clock } = dependencies;
  const { id, initiator } = turn;
  store.atOnce(() => {
    // What a person went back before can't come back behind it.
    store.cut.letGo(sessionId);
    kept.keepPastCut(0);
    store.turns.begin({ id, sessionId, prompt, initiator });
    store.queue.remove(id);
    if (initiator === 'user') kept.keep({ sentAt: clock.now() });
  });
}

export function writeEnd(
  { dependencies, kept }: Writing,
  turn: Turn,
  { state, stopReason, problem }: Pick<TurnEnd, 'state' | 'stopReason' | 'problem'>,
): void {
  const { store, clock } = dependencies;
  const endedAt = clock.now();
  store.atOnce(() => {
    const lastMessage = turn.lastMessage === null ? undefined : { lastMessage: turn.lastMessage };
    const known = store.turns.find(turn.id)?.promptIds ?? [];
    const promptIds = [...new Set([...known, ...turn.promptIds])];
    store.turns.change(turn.id, { state, endedAt, stopReason, failure: problem, promptIds, ...lastMessage });
    kept.keep({ endedAt, outcome: state, ...(turn.hasAnswer ? { resumeAt: null } : undefined) });
  });
}

/** Each of a person's words in a turn is one request of theirs: more than that is noted. */
export function noteMoreRequests(given: { costs: TurnCosts; recorder: Recorder }, { id, said }: Turn): void {
  try {
    const { user } = given.costs.of(id);
    if (user > said) given.recorder.add('note', { code: 'more-user-requests', said, user }, id);
  } catch (error) {
    // What it cost can't be read now.
    if (!(error instanceof SessionStoreError)) throw error;
  }
}

/** A request of a subagent may have been begun so long before the process ended, in ms. */
const looksBackMs = 24 * 60 * 60_000;

/**
 * What was under way when the process before this one ended is on record as interrupted, with what it cost, and its
 * questions as denied: nothing goes on by itself, and no old answer is ever given.
 * @param rows of the log, of these sessions since then
 */
export function closeInterrupted(
  store: SessionStore,
  now: number,
  rows: (sessionIds: readonly string[], since: number) => readonly Exchange[],
): void {
  store.atOnce(() => {
    const lastSigns = new Map(
      store.turns.underWay().map(({ id, sessionId, startedAt }) => [id, lastSign(store, sessionId) ?? startedAt]),
    );
    const beside = store.side.underWay();
    const since = Math.min(now - looksBackMs, ...store.turns.underWay().map(({ startedAt }) => startedAt));
    const sessions = new Set([...store.turns.sessionsSince(since), ...beside.map(({ sessionId }) => sessionId)]);
    const left = rows([...sessions], since).filter((row) => countSideRow(store, row) === null);
    for (const { id } of beside) store.side.end(id, { state: 'interrupted', answer: null, problem: null });
    for (const { id, sessionId, cost } of countLeft(store, left)) {
      store.record.append({ sessionId, turnId: id, kind: 'cost', event: readCost(cost) });
    }
    for (const { id, sessionId, turnId, kind } of store.questions.open()) {
      const answer = kind === 'permission' ? { answer: 'deny' } : { answer: 'form', action: 'cancel' };
      store.questions.answer(id, answer);
      store.record.append({ sessionId, turnId, kind: 'answered', event: { id, by: 'stopped', rule: null, answer } });
    }
    for (const { id, sessionId, turnId, prompt } of store.steered.unread().toReversed()) {
      store.queue.add({ id, sessionId, prompt }, 'front');
      store.steered.remove(id);
      store.record.append({ sessionId, turnId, kind: 'steered', event: { id, prompt: null } });
    }
    for (const { id, sessionId } of store.turns.underWay()) {
      const endedAt = lastSigns.get(id) ?? now;
      store.turns.change(id, { state: 'interrupted', endedAt });
      store.sessions.decorate(sessionId, { outcome: 'interrupted', endedAt });
      const event = { state: 'interrupted', stopReason: null, problem: null, usage: null };
      store.record.append({ sessionId, turnId: id, kind: 'turn-ended', event });
    }
  });
}

/** Time of a session's last event: its end came after that. */
function lastSign(store: SessionStore, sessionId: string): number | null {
  return store.record.readLast(sessionId, null, 1).entries.at(-1)?.at ?? null;
}
