import { unlessAborted } from '../../account/unless-aborted.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession } from '../running/loader.ts';
import type { Prompt } from '../session/messages.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { Recorder } from '../store/session-record.ts';
import type { Turn } from './turn.ts';

/** An agent that is asked for words back has so long, in ms. */
const takeBackMs = 1_000;

interface SteeringDependencies {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'clock' | 'store'>;
  recorder: Recorder;
  loader: { readonly live: LiveSession | null };
}

interface Unread {
  id: string;
  prompt: Prompt;
  turn: Turn;
  /** What the agent calls the words, once it has them; null if it says no name. */
  promptId: Promise<string | null>;
  /** Their turn is over, and the agent has them no more. */
  isBack: boolean;
}

/** Words said into the running turn, until its agent has read them. */
export class Steering {
  readonly #given: SteeringDependencies;
  readonly #unread = new Map<string, Unread>();
  /** What is being said, by id. */
  readonly #saying = new Map<string, Promise<string | null>>();
  /** The agent's names of words that it has read, and of those that it lost before. Of the turn under way. */
  readonly #read = new Set<string>();
  readonly #dropped = new Set<string>();
  /** The turn takes no more words: those that it has are on their way back. */
  #isOver = false;

  constructor(given: SteeringDependencies) {
    this.#given = given;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Words of the turn under way. */
  get hasUnread(): boolean {
    return [...this.#unread.values()].some(({ isBack }) => !isBack);
  }

  /** What is back from a turn before and was not kept elsewhere stays here. */
  begins(): void {
    this.#isOver = false;
    for (const { id, isBack } of [...this.#unread.values()]) if (!isBack) this.#unread.delete(id);
    for (const names of [this.#read, this.#dropped]) names.clear();
  }

  /**
   * Says words into a turn; what waits in the queue under this id goes from there. Resolves with the id of the turn;
   * null if it takes none, and they are where they were. The same id again is the same words, said once.
   */
  async say(turn: Turn | null, id: string, prompt: Prompt): Promise<string | null> {
    const { sessionId, dependencies, loader } = this.#given;
    const known = this.#saying.get(id) ?? dependencies.store.steered.turnOf(sessionId, id);
    if (known !== null) return known;
    const { live } = loader;
    const takes = live?.connection.extras.has('steer') === true && turn !== null && !turn.isStopped && !this.#isOver;
    if (!takes) return null;
    const saying = this.#say(live, turn, id, prompt).finally(() => this.#saying.delete(id));
    this.#saying.set(id, saying);
    return saying;
  }

  async #say(live: LiveSession, turn: Turn, id: string, prompt: Prompt): Promise<string | null> {
    const { sessionId, dependencies, recorder } = this.#given;
    const { store } = dependencies;
    const wasQueued = store.atOnce(() => {
      store.steered.add({ id, sessionId, turnId: turn.id, prompt });
      return store.queue.remove(id);
    });
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const words: Unread = { id, prompt, turn, promptId: promise, isBack: false };
    this.#unread.set(id, words);
    const back = (): void => {
      if (wasQueued && !this.#keepFirst([words])) return;
      this.#gone(id);
    };
    try {
      recorder.addNow('steered', { id, prompt }, turn.id);
      const taken = await live.steer(prompt);
      if (taken === null) {
        back();
        return null;
      }
      turn.said += 1;
      const { promptId = null } = taken;
      resolve(promptId);
      if (promptId !== null && this.#read.has(promptId)) this.#wasRead(id);
      return turn.id;
    } catch (error) {
      back();
      throw error;
    } finally {
      resolve(null);
    }
  }

  /** Null if the agent has read them. */
  async takeBack(id: string): Promise<Prompt | null> {
    const words = this.#unread.get(id);
    if (words === undefined || !(await this.#isBack(words)) || !this.#gone(id)) return null;
    if (!words.isBack) words.turn.said -= 1;
    return words.prompt;
  }

  /** Called when the agent reads words of this id. */
  async reads(promptId: string): Promise<void> {
    this.#read.add(promptId);
    for (const { id, promptId: its } of [...this.#unread.values()]) if ((await its) === promptId) this.#wasRead(id);
  }

  drops(promptId: string): void {
    this.#dropped.add(promptId);
  }

  /**
   * The turn is over, and takes no more words. Those that were never read go to the front of the queue. Never rejects.
   */
  async ends(): Promise<void> {
    this.#isOver = true;
    const { dependencies } = this.#given;
    const unread = [...this.#unread.values()];
    const areBack = await Promise.all(unread.map((words) => this.#isBack(words)));
    // One may have been taken back meanwhile.
    const back = unread.filter(({ id }, index) => areBack[index] === true && this.#unread.has(id));
    for (const { turn, isBack } of back) if (!isBack) turn.said -= 1;
    if (this.#keepFirst(back)) for (const { id } of back) this.#gone(id);
    this.#write(() => {
      for (const { id, isBack } of unread) if (!isBack) dependencies.store.steered.wasRead(id);
    });
  }

  /** The same before the turn is over: what the agent does not give back in time is left to its end. */
  async stops(): Promise<void> {
    await this.#bounded(this.ends()).catch(() => undefined);
  }

  /** Puts words before what waits. False: that can't be written; they can still be taken back here. */
  #keepFirst(back: readonly Unread[]): boolean {
    const { sessionId, dependencies } = this.#given;
    for (const words of back) words.isBack = true;
    return this.#write(() =>
      dependencies.store.atOnce(() => {
        for (const { id, prompt } of back.toReversed())
          dependencies.store.queue.add({ id, sessionId, prompt }, 'front');
        for (const { id } of back) dependencies.store.steered.remove(id);
      }),
    );
  }

  async #isBack({ promptId, isBack }: Unread): Promise<boolean> {
    if (isBack) return true;
    const name = await promptId;
    if (name === null || this.#read.has(name)) return false;
    const { live } = this.#given.loader;
    // With its process they are gone, and what it dropped it doesn't find any more.
    if (live === null || this.#dropped.has(name)) return true;
    const isTaken = await this.#bounded(live.takeBack(name)).catch(() => this.#given.loader.live !== live);
    return isTaken || this.#dropped.has(name);
  }

  async #bounded<T>(work: Promise<T>): Promise<T> {
    const given = new AbortController();
    const timer = new AbortController();
    this.#given.dependencies.clock.sleep(takeBackMs, timer.signal).then(
      () => given.abort(new Error('The agent didn’t answer.')),
      () => undefined,
    );
    try {
      return await unlessAborted(work, given.signal);
    } finally {
      timer.abort();
    }
  }

  #wasRead(id: string): void {
    const words = this.#unread.get(id);
    if (words === undefined || !this.#unread.delete(id)) return;
    this.#given.recorder.add('steering-read', { id }, words.turn.id);
    this.#write(() => this.#given.dependencies.store.steered.wasRead(id));
  }

  /** Takes the words from the turn. False if they were not there. */
  #gone(id: string): boolean {
    const words = this.#unread.get(id);
    if (words === undefined) return false;
    this.#unread.delete(id);
    this.#given.recorder.add('steered', { id, prompt: null }, words.turn.id);
    this.#write(() => this.#given.dependencies.store.steered.remove(id));
    return true;
  }

  /** False: it can't be written. After a restart such words wait in the queue, as if the agent had not read them. */
  #write(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      // The store says so itself.
      if (!(error instanceof SessionStoreError)) throw error;
      return false;
    }
  }
}
