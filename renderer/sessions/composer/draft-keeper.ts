import { createStore } from 'zustand/vanilla';
import type { Services } from '../../state/services.ts';
import { type Draft, emptyDraft, isBlank, isNothing, putBack, readDraft } from './draft.ts';

export interface DraftCalls {
  draft: (key: string) => Promise<unknown>;
  keepDraft: (kept: { key: string; draft: Draft | null }) => Promise<void>;
  /** State of a message that begins a session: `isSent` as soon as that is known. Null if there is none. */
  takenUp: (messageId: string) => Promise<TakenUp | null>;
}

export interface TakenUp {
  isSent: Promise<boolean>;
}

/** What is written after this long is kept together, in ms. */
const pauseMs = 400;

interface Held {
  draft: Draft;
  /** What is on disk has been read; before that, nothing is written there. */
  isRead: boolean;
}

const unread: Held = { draft: emptyDraft, isRead: false };

/**
 * What a person has not sent yet, by key: read from disk when it is first shown, and written there soon after it is
 * changed. One write of a key is under way at a time, so that an older one never comes last.
 */
export class DraftKeeper {
  readonly #calls: DraftCalls;
  readonly #store = createStore<{ held: ReadonlyMap<string, Held> }>(() => ({ held: new Map() }));
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #reads = new Map<string, Promise<void>>();
  readonly #writes = new Map<string, Promise<void>>();
  /** What left its field and is not known to be sent: on disk it is still there. The oldest first. */
  readonly #leaving = new Map<string, readonly Draft[]>();
  /** Words of this window, which are there no more on disk where another window has sent words of its own since. */
  readonly #own = new Set<string>();
  /** Drafts whose last write failed. */
  readonly #unkept = new Set<string>();
  readonly #failed: (error: unknown) => void;

  /** @param failed is told why a draft is not on disk, once until it is; it stays in the window */
  constructor(calls: DraftCalls, failed: (error: unknown) => void) {
    this.#calls = calls;
    this.#failed = failed;
  }

  readonly listen = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  held(key: string): Held {
    return this.#store.getState().held.get(key) ?? unread;
  }

  /** Reads it from disk once. What is written before that is done comes behind what was there. */
  read(key: string): Promise<void> {
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(key);
    this.#reads.set(key, reading);
    return reading;
  }

  change(key: string, change: (draft: Draft) => Draft): void {
    const { draft, isRead } = this.held(key);
    const next = change(draft);
    if (next === draft) return;
    this.#set(key, { draft: named(next, draft), isRead });
    if (isBlank(next)) this.#own.delete(key);
    else this.#own.add(key);
    if (!isRead) {
      void this.read(key);
      return;
    }
    this.#writeSoon(key);
  }

  /**
   * Empties the field while what stands in it is sent. Until that is done it stays on disk, so that neither a failure
   * nor a window that closes loses a word; where it isn't sent it comes back.
   * @param send answers whether it was sent
   */
  async sending(key: string, sent: Draft, send: () => Promise<boolean>): Promise<void> {
    this.change(key, (now) => ({ ...emptyDraft, choices: now.choices }));
    await this.#leaves(key, sent, send);
  }

  async #leaves(key: string, sent: Draft, send: () => Promise<boolean>): Promise<void> {
    this.#leaving.set(key, [...(this.#leaving.get(key) ?? []), sent]);
    let isSent = false;
    try {
      isSent = await send();
    } finally {
      this.#leaving.set(
        key,
        (this.#leaving.get(key) ?? []).filter((one) => one !== sent),
      );
      // At once: a page that is loaded anew would show it as not sent.
      if (isSent) void this.#write(key);
      else this.change(key, (now) => putBack(sent, now));
    }
  }

  /** Writes now what would be written soon, and what could not be written before. */
  async flush(): Promise<void> {
    await this.#writeAll([...this.#timers.keys(), ...this.#unkept]);
  }

  /** The page goes: what was written in it is on disk, whatever another window wrote there meanwhile. */
  async leave(): Promise<void> {
    await this.#writeAll([...this.#timers.keys(), ...this.#unkept, ...this.#own]);
  }

  async #writeAll(keys: readonly string[]): Promise<void> {
    await Promise.all([...new Set(keys)].map((key) => this.#write(key)));
  }

  #writeSoon(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#write(key), pauseMs),
    );
  }

  async #read(key: string): Promise<void> {
    let kept: Draft = emptyDraft;
    let takenUp: TakenUp | null = null;
    try {
      kept = readDraft(await this.#calls.draft(key));
      if (kept.messageId !== null && !isBlank(kept)) takenUp = await this.#calls.takenUp(kept.messageId);
    } catch (error) {
      this.#reads.delete(key);
      this.#failed(error);
      return;
    }
    const sent = kept;
    const { isSent } = takenUp ?? {};
    if (isSent !== undefined) kept = { ...emptyDraft, choices: sent.choices };
    const { draft } = this.held(key);
    const isWritten = draft !== emptyDraft;
    const text = [kept.text, draft.text].filter((part) => part !== '').join('\n');
    const attachments = [...kept.attachments, ...draft.attachments];
    const choices = { ...kept.choices, ...draft.choices };
    this.#set(key, {
      draft: isWritten ? { text, attachments, choices, messageId: null } : kept,
      isRead: true,
    });
    // The page before this one sent it and went. Nothing tells this one but the session how that ended.
    if (isSent !== undefined) void this.#leaves(key, sent, () => isSent);
    if (isWritten) await this.#write(key);
  }

  async #write(key: string): Promise<void> {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const before = this.#writes.get(key) ?? Promise.resolve();
    const writing = before.then(async () => {
      const leaving = this.#leaving.get(key) ?? [];
      const draft = leaving.reduceRight((now, one) => putBack(one, now), this.held(key).draft);
      try {
        await this.#calls.keepDraft({ key, draft: isNothing(draft) ? null : draft });
        this.#unkept.delete(key);
      } catch (error) {
        if (!this.#unkept.has(key)) this.#failed(error);
        this.#unkept.add(key);
      }
    });
    this.#writes.set(key, writing);
    await writing;
    if (this.#writes.get(key) === writing) this.#writes.delete(key);
  }

  #set(key: string, held: Held): void {
    this.#store.setState((state) => ({ held: new Map(state.held).set(key, held) }));
  }
}

/** Gives changed words a new id. A draft with an id keeps it. */
function named(next: Draft, before: Draft): Draft {
  const isSame = next.text === before.text && next.attachments === before.attachments;
  if (isSame || next.messageId !== before.messageId) return next;
  return { ...next, messageId: isBlank(next) ? null : crypto.randomUUID() };
}

/**
 * Whether a session is being begun with this message, and then whether it was: a page that was loaded anew in the
 * middle of that has nobody else to ask. Null if none is.
 */
export async function takenUp(
  { bridge, store }: Pick<Services, 'store'> & { bridge: Pick<Services['bridge'], 'heldSessions'> },
  messageId: string,
): Promise<TakenUp | null> {
  const begun = (await bridge.heldSessions()).find(({ beginsWith }) => beginsWith?.id === messageId);
  if (begun === undefined) return null;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = async (): Promise<void> => {
    // Also a session that this window has not heard of yet.
    const now = (await bridge.heldSessions()).find(({ id }) => id === begun.id);
    if (now?.beginsWith?.id === messageId) return;
    stop();
    resolve(now !== undefined && now.state !== 'provisional');
  };
  const stop = store.subscribe(({ sessions }, before) => {
    if (sessions !== before.sessions) void look().catch(() => undefined);
  });
  void look().catch(() => undefined);
  return { isSent: promise };
}
