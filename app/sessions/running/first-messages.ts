import { unlessAborted } from '../../account/unless-aborted.ts';
import type { QueuedMessage } from '../../api/sessions.ts';
import type { Clock } from '../../ports.ts';
import { type Prompt, titleOf } from '../session/messages.ts';
import type { LiveSession } from './loader.ts';

interface FirstMessage {
  id: string;
  prompt: Prompt;
  queuedAt: number;
  accepted: PromiseWithResolvers<void>;
}

interface FirstMessagesDependencies {
  clock: Pick<Clock, 'now'>;
  load(): Promise<LiveSession>;
  unload(): Promise<void>;
  /** Puts the session on disk with these messages, all or nothing. */
  keep(live: LiveSession, messages: readonly { id: string; prompt: Prompt }[]): void;
  /** Aborted when a person stops what is under way. */
  stopped(): AbortSignal;
  /** The session is on disk: its queue can be sent. */
  begun(): void;
  changed(): void;
}

/** Messages of a session that is not on disk yet. The first one starts the process, then is stored, then reported. */
export class FirstMessages {
  readonly #given: FirstMessagesDependencies;
  readonly #waiting: FirstMessage[] = [];
  #isBeginning = false;

  constructor(given: FirstMessagesDependencies) {
    this.#given = given;
  }

  get isBeginning(): boolean {
    return this.#isBeginning;
  }

  /** Null if none waits. */
  get first(): QueuedMessage | null {
    const [first] = this.#waiting;
    return first === undefined ? null : { id: first.id, prompt: [...first.prompt], queuedAt: first.queuedAt };
  }

  /** What a session is called by it; null if none waits. */
  get title(): string | null {
    const [first] = this.#waiting;
    return first === undefined ? null : titleOf(first.prompt);
  }

  /** Resolves when it is on disk, rejects when the session was not begun. The same id again is the same message. */
  send(id: string, prompt: Prompt): Promise<void> {
    const known = this.#waiting.find((one) => one.id === id);
    if (known !== undefined) return known.accepted.promise;
    const accepted = Promise.withResolvers<void>();
    this.#waiting.push({ id, prompt, queuedAt: this.#given.clock.now(), accepted });
    if (!this.#isBeginning) void this.#begin();
    return accepted.promise;
  }

  async #begin(): Promise<void> {
    const { load, unload, keep, stopped, begun, changed } = this.#given;
    const signal = stopped();
    this.#isBeginning = true;
    changed();
    try {
      const live = await unlessAborted(load(), signal);
      signal.throwIfAborted();
      keep(live, this.#waiting);
    } catch (error) {
      // Nothing half-made remains, whichever step it was; the answer does not wait for the end of the process.
      void unload();
      for (const { accepted } of this.#waiting.splice(0)) accepted.reject(error);
      return;
    } finally {
      this.#isBeginning = false;
      changed();
    }
    for (const { accepted } of this.#waiting.splice(0)) accepted.resolve();
    begun();
  }
}
