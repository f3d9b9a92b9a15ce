import type { AppEvent } from '../../app/api/events.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import type { eventKinds, Session, TurnCost } from '../../app/api/sessions.ts';
import type { WatchedSession } from '../../main/sessions/session-watch.ts';

const wanted = { wanted: null, applied: null };

export const noCost: TurnCost = {
  ...{ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false, running: 0, user: 0, agent: 0 },
  ...{ input: 0, cached: 0, output: 0 },
};

/** One at rest that was never sent to, changed where a test says so. */
export function session(id: string, change: Partial<Session> = {}): Session {
  return {
    ...{ id, agent: 'claude', cwd: '/home/me/project', directories: [], title: null, state: 'unloaded', turnId: null },
    ...{ outcome: null, problem: null, questions: 0, tasks: [], queue: [], isQueuePaused: false },
    ...{ model: wanted, effort: wanted, mode: wanted, context: null, cost: noCost, pinned: false, createdAt: 0 },
    ...{ sentAt: null, endedAt: null, seenAt: null, isDismissed: false, parent: null, isBack: false, cutTurns: 0 },
    ...change,
  };
}

export function watched(id: string, change: Partial<Session> = {}): WatchedSession {
  return { session: session(id, change), questions: [], turn: null };
}

/** An event of a session's record as the app tells it. */
export function happened(
  sessionId: string,
  kind: (typeof eventKinds)[number],
  event: unknown,
  { turnId = 't', at = 0 }: { turnId?: string | null; at?: number } = {},
): AppEvent {
  return { event: 'session-event', entry: { seq: 1, sessionId, turnId, at, kind, event, cuts: null } };
}

/** A question for a command, as the host puts it on record. */
export function askedToRun(sessionId: string, id: string, at: number, command = 'rm -rf secret'): AppEvent {
  const toolCall = {
    kind: 'execute',
    rawInput: { command },
    _meta: { claudeCode: { toolName: 'Bash' } },
  };
  return happened(sessionId, 'question', { id, kind: 'permission', child: null, request: { toolCall } }, { at });
}

export function request(id: string, client: string, outcome: Exchange['outcome']): AppEvent {
  // Of a row of the log only these are looked at.
  return { event: 'exchange', exchange: { id, client, outcome } as Exchange };
}
