import type { eventKinds } from '../../api/sessions.ts';
import { SessionStoreError } from '../store/store-error.ts';
import type { HostEvent, HostParts } from './host-parts.ts';

export type EventKind = (typeof eventKinds)[number];

/** Puts what happens in one session on record, and tells it to the fronts. */
export class Recorder {
  readonly #sessionId: string;
  readonly #parts: Pick<HostParts, 'store' | 'tell'>;

  constructor(sessionId: string, parts: Pick<HostParts, 'store' | 'tell'>) {
    this.#sessionId = sessionId;
    this.#parts = parts;
  }

  /** Told at once and written within the turn of the event loop. */
  add(kind: EventKind, event: unknown, turnId: string | null): void {
    this.#tell(this.#append(kind, event, turnId), kind);
  }

  /** On disk before it is told. Throws `SessionStoreError` where that fails, and nobody is told. */
  addNow(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    this.#parts.store.record.flush();
    this.#tell(entry, kind);
  }

  /** As `addNow`, but told in any case: what ends has ended, whether that can be written or not. */
  addEnd(kind: EventKind, event: unknown, turnId: string | null): void {
    const entry = this.#append(kind, event, turnId);
    try {
      this.#parts.store.record.flush();
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
    }
    this.#tell(entry, kind);
  }

  /** Holds the record of the session to its limits. */
  trim(): void {
    try {
      this.#parts.store.record.trim(this.#sessionId);
    } catch (error) {
      // The next turn tries it again.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  #append(kind: EventKind, event: unknown, turnId: string | null) {
    return this.#parts.store.record.append({ sessionId: this.#sessionId, turnId, kind, event });
  }

  #tell(entry: Omit<Extract<HostEvent, { kind: 'event' }>['event'], 'kind'>, kind: EventKind): void {
    this.#parts.tell({ kind: 'event', event: { ...entry, kind } });
  }
}
