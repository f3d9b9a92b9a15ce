import { SessionStoreError } from '../store/store-error.ts';
import type { KeptSession } from './kept-session.ts';
import type { Prompt } from './prompt.ts';
import type { Recorder } from './recorder.ts';
import type { SessionDependencies } from './session-dependencies.ts';
import type { Turn, TurnEnd } from './turn.ts';
import type { TurnCosts } from './turn-costs.ts';

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
