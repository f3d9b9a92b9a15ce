import type { Customizations } from '../../api/calls/customizations.ts';
import type { eventKinds, Session, SessionEvent, SideQuestion } from '../../api/sessions.ts';
import type { CutTurn } from '../store/record-trimming.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';

type EventKind = (typeof eventKinds)[number];

/**
 * Events for fronts: a session's current state, an event of its record, its side questions, what was added for it, that
 * it was released, or that it is gone.
 */
export type HostEvent =
  | { kind: 'session'; session: Session }
  | { kind: 'event'; event: SessionEvent }
  | { kind: 'side'; sessionId: string; questions: SideQuestion[] }
  | { kind: 'customizations'; sessionId: string; now: Customizations }
  | { kind: 'gone'; sessionId: string }
  | { kind: 'deleted'; sessionId: string };

interface RecorderDependencies {
  store: SessionStore;
  tell(event: HostEvent): void;
}

/** Records what happens in one session, and reports it to the fronts. */
export class Recorder {
  readonly #sessionId: string;
  readonly #dependencies: RecorderDependencies;
  /** What the turn under way has had to give up, so far. */
  #cut: CutTurn | null = null;

  constructor(sessionId: string, dependencies: RecorderDependencies) {
    this.#sessionId = sessionId;
    this.#dependencies = dependencies;
  }

  /** Told at once and written within the turn of the event loop. */
  add(kind: EventKind, event: unknown, turnId: string | null): void {
    this.#tell(this.#append(kind, event, turnId), kind);
    if (this.#dependencies.store.record.hasGrown(this.#sessionId)) this.trim();
  }

  /** Writes to disk, then reports. Throws `SessionStoreError` if that fails, and reports nothing. */
  addNow(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    this.#dependencies.store.record.flush();
    this.#tell(entry, kind);
  }

  /** Like `addNow`, but always reported: a turn that ended has ended, whether that can be written or not. */
  addEnd(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    try {
      this.#dependencies.store.record.flush();
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
    }
    this.#tell(entry, kind);
  }

  /** Holds the record of the session to its limits, and says what a turn gave up of itself. */
  trim(): void {
    try {
      const cut = this.#dependencies.store.record.trim(this.#sessionId);
      if (cut === null) return;
      const { turnId } = cut;
      const before = this.#cut?.turnId === turnId ? this.#cut : { entries: 0, bytes: 0 };
      const sum = { entries: before.entries + cut.entries, bytes: before.bytes + cut.bytes };
      this.#cut = { turnId, ...sum };
      this.add('note', { code: 'turn-cut', ...sum }, turnId);
    } catch (error) {
      // The next turn tries it again.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  #append(kind: EventKind, event: unknown, turnId: string | null) {
    return this.#dependencies.store.record.append({ sessionId: this.#sessionId, turnId, kind, event });
  }

  #tell(entry: Omit<Extract<HostEvent, { kind: 'event' }>['event'], 'kind'>, kind: EventKind): void {
    this.#dependencies.tell({ kind: 'event', event: { ...entry, kind } });
  }
}
