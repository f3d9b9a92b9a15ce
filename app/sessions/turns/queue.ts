import { promptBlocksSchema, type QueuedMessage } from '../../api/sessions.ts';
import { type Prompt, wholePrompt } from '../session/prompt.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';

interface TurnQueueDependencies {
  sessionId: string;
  store: SessionStore;
  changed(): void;
}

/** Messages of one session that wait for their turn. They are on disk; whether they are sent by themselves is here. */
export class TurnQueue {
  readonly #given: TurnQueueDependencies;
  #isPaused = false;

  constructor(given: TurnQueueDependencies) {
    this.#given = given;
  }

  /** Nothing is sent by itself: the last turn was stopped or failed, or Jumpseat ended. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Messages read from disk. One that can't be read is left there, and not sent. */
  all(): QueuedMessage[] {
    return this.#given.store.queue.of(this.#given.sessionId).flatMap(({ id, prompt, queuedAt }) => {
      const read = promptBlocksSchema.safeParse(prompt);
      return read.success ? [{ id, prompt: read.data, queuedAt }] : [];
    });
  }

  find(id: string): QueuedMessage | null {
    return this.all().find((message) => message.id === id) ?? null;
  }

  /** What is to be sent now; null if nothing. */
  get next(): QueuedMessage | null {
    return this.#isPaused ? null : (this.all()[0] ?? null);
  }

  /** Nothing is to be sent now. Never throws. */
  get isAtRest(): boolean {
    try {
      return this.next === null;
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
      return true;
    }
  }

  /** What waits is offered from now on, and not sent by itself. One that can't be read counts. Never throws. */
  pause(): void {
    try {
      this.#isPaused = this.all().length > 0;
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
      this.#isPaused = true;
    }
  }

  resume(): void {
    this.#isPaused = false;
    this.#given.changed();
  }

  /**
   * Puts a message on disk behind the others. One that is sent while they wait and nothing runs goes first, and wakes
   * them. The same message again changes nothing.
   */
  add(id: string, prompt: Prompt, { isAtRest }: { isAtRest: boolean }): void {
    const { sessionId, store, changed } = this.#given;
    if (store.turns.find(id) !== null || this.find(id) !== null) return;
    const wakes = this.#isPaused && isAtRest;
    store.queue.add({ id, sessionId, prompt }, wakes ? 'front' : 'end');
    if (wakes) this.#isPaused = false;
    changed();
  }

  /** Puts one before the others. It is not sent by that. */
  putFirst(id: string, prompt: Prompt): void {
    const { sessionId, store, changed } = this.#given;
    store.queue.add({ id, sessionId, prompt }, 'front');
    changed();
  }

  /** False: it is not in the queue any more. */
  change(id: string, prompt: Prompt): boolean {
    const kept = this.find(id);
    const isDone = kept !== null && this.#given.store.queue.edit(id, wholePrompt(prompt, kept.prompt));
    if (isDone) this.#given.changed();
    return isDone;
  }

  /** False: it is not in the queue any more. */
  remove(id: string): boolean {
    const isDone = this.find(id) !== null && this.#given.store.queue.remove(id);
    if (isDone) this.hasChanged();
    return isDone;
  }

  /** Puts the named ones first, in this order. */
  order(ids: readonly string[]): void {
    this.#given.store.queue.order(this.#given.sessionId, ids);
    this.#given.changed();
  }

  /** Called when sessions were added or removed on disk. */
  hasChanged(): void {
    if (this.#isPaused) this.pause();
    this.#given.changed();
  }
}
