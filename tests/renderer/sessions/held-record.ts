import type { ListedSession, TranscriptPage } from '../../../app/api/session-list.ts';
import type { SessionEvent, SessionQuestion, SessionTurn } from '../../../app/api/sessions.ts';
import type { SessionsBridge } from '../../../renderer/sessions/state/sessions-feed.ts';

/** Answers what a window asks of one session, from a record of events and a transcript. */
export class HeldRecord {
  events: SessionEvent[];
  transcript: TranscriptPage['turns'] = [];
  rows: SessionTurn[] = [];
  listed: ListedSession[] = [];
  /** Events up to this number are kept no longer. */
  forgotten = 0;
  asked: string[] = [];
  /** So many next readings of what was missed fail. */
  fails = 0;
  /** The list is answered after it. */
  listGate: Promise<void> = Promise.resolve();
  /** In the place of how the past is read. */
  past: SessionsBridge['sessionPast'] | null = null;

  constructor(events: SessionEvent[]) {
    this.events = events;
  }

  get #kept(): SessionEvent[] {
    return this.events.filter(({ seq }) => seq > this.forgotten);
  }

  get #last(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  get bridge(): SessionsBridge {
    const bridge: Partial<SessionsBridge> = {
      sessionPast: async ({ session, before, limit = 500 }) => {
        this.asked.push('sessionPast');
        if (this.past !== null) return this.past({ session, before, limit });
        const older = this.#kept.filter(({ seq }) => before == null || seq < before);
        const events = older.slice(-limit);
        return { events, last: this.#last, more: older.length > limit, gap: this.forgotten > 0 };
      },
      sessionEvents: async ({ after, limit = 500 }) => {
        this.asked.push('sessionEvents');
        this.fails -= 1;
        if (this.fails >= 0) throw new Error('The app does not answer.');
        const newer = this.#kept.filter(({ seq }) => seq > after);
        const events = newer.slice(0, limit);
        const more = newer.length > limit;
        return { events, last: events.at(-1)?.seq ?? this.#last, more, gap: after > 0 && after < this.forgotten };
      },
      sessionTurns: async () => {
        this.asked.push('sessionTurns');
        return this.rows;
      },
      sessionQuestions: async () => {
        this.asked.push('sessionQuestions');
        return this.#questions();
      },
      sessionList: async () => {
        await this.listGate;
        return { sessions: this.listed, problem: null };
      },
      transcript: async ({ before, limit = 50 }) => {
        this.asked.push('transcript');
        const end = before ?? this.transcript.length;
        const from = Math.max(0, end - limit);
        return { turns: this.transcript.slice(from, end), from, unreadable: 0, undone: [], answered: [] };
      },
      subagents: async () => [],
    };
    return bridge as SessionsBridge;
  }

  #questions(): SessionQuestion[] {
    const answered = new Set(this.events.filter(({ kind }) => kind === 'answered').map(idOf));
    return this.events.flatMap((entry) => {
      const { sessionId, turnId, at, kind, event } = entry;
      if (kind !== 'question' || answered.has(idOf(entry))) return [];
      const { request } = event as { request: unknown };
      return [{ id: idOf(entry), sessionId, turnId, kind: 'permission', child: null, request, askedAt: at }];
    });
  }
}

function idOf({ event }: SessionEvent): string {
  return (event as { id: string }).id;
}
