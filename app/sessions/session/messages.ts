import { z } from 'zod';
import { unlessAborted } from '../../account/unless-aborted.ts';
import { promptBlocksSchema, type QueuedMessage } from '../../api/sessions.ts';
import type { Clock } from '../../ports.ts';
import { wordsForTitle } from '../../words/sessions.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';

/** What a person sends: text, images, files and lines of files, as blocks of ACP. */
export type Prompt = Readonly<z.infer<typeof promptBlocksSchema>>;

/** A session without a name is called by the beginning of its first prompt. */
const titleLength = 60;

/** A prompt as it was kept; empty where it can't be read. */
export function readPrompt(kept: unknown): Prompt {
  return promptBlocksSchema.safeParse(kept).data ?? [];
}

/** The text of a prompt without its attachments. */
export function textOf(prompt: Prompt): string {
  return prompt.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}

export function titleOf(prompt: Prompt): string | null {
  const words = wordsForTitle(textOf(prompt)).replace(/\s+/g, ' ').trim();
  if (words === '') return null;
  const characters = [...words];
  return characters.length <= titleLength
    ? words
    : `${characters
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`;
}

type Block = Prompt[number];

/** Longer contents of an image or a pasted text are left out where a prompt is only shown, in characters. */
const longest = 1_024;

const leftOutSchema = z.object({ jumpseat: z.looseObject({ leftOut: z.number().int().min(0) }) });

/** A message that waits, to show. */
export function leanMessage(message: QueuedMessage): QueuedMessage {
  return { ...message, prompt: leanPrompt(message.prompt) };
}

/**
 * A prompt to show: what is long in it is empty, and says in `_meta.jumpseat.leftOut` which of its blocks that was. A
 * session is told at every change of it, which must not carry the same images each time.
 */
function leanPrompt(prompt: Prompt): Block[] {
  return prompt.map((block, index) => {
    if (block.type === 'image' && typeof block.data === 'string' && block.data.length > longest) {
      return { ...block, data: '', _meta: noted(block, index) };
    }
    const { resource } = block;
    if (typeof resource !== 'object' || resource === null || !('text' in resource)) return block;
    if (typeof resource.text !== 'string' || resource.text.length <= longest) return block;
    return { ...block, resource: { ...resource, text: '' }, _meta: noted(block, index) };
  });
}

function noted({ _meta: meta }: Block, leftOut: number): Record<string, unknown> {
  const reported: { jumpseat?: object } = typeof meta === 'object' && meta !== null ? meta : {};
  return { ...reported, jumpseat: { ...reported.jumpseat, leftOut } };
}

/** The same with what was left out, from the prompt that it was made of. A block that is not there goes. */
function wholePrompt(prompt: Prompt, from: Prompt): Block[] {
  return prompt.flatMap((block) => {
    const reported = leftOutSchema.safeParse(block._meta).data;
    if (reported === undefined) return [block];
    const whole = from[reported.jumpseat.leftOut];
    return whole?.type === block.type ? [whole] : [];
  });
}

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

interface FirstMessage {
  id: string;
  prompt: Prompt;
  queuedAt: number;
  accepted: PromiseWithResolvers<void>;
}

interface FirstMessagesDependencies<Live> {
  clock: Pick<Clock, 'now'>;
  load(): Promise<Live>;
  unload(): Promise<void>;
  /** Puts the session on disk with these messages, all or nothing. */
  keep(live: Live, messages: readonly { id: string; prompt: Prompt }[]): void;
  /** Aborted when a person stops what is under way. */
  stopped(): AbortSignal;
  /** The session is on disk: its queue can be sent. */
  begun(): void;
  changed(): void;
}

/** Messages of a session that is not on disk yet. The first one starts the process, then is stored, then reported. */
export class FirstMessages<Live> {
  readonly #given: FirstMessagesDependencies<Live>;
  readonly #waiting: FirstMessage[] = [];
  #isBeginning = false;

  constructor(given: FirstMessagesDependencies<Live>) {
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
