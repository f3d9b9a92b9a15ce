import { unlessAborted } from '../../account/unless-aborted.ts';
import type { HostParts } from './host-parts.ts';
import type { LiveSession } from './live-session.ts';
import type { Prompt } from './prompt.ts';
import type { Recorder } from './recorder.ts';
import type { Turn } from './turn.ts';

/** An agent that is asked for words back has so long, in ms. */
const takeBackMs = 1_000;

export interface SteeringDependencies {
  parts: Pick<HostParts, 'clock'>;
  recorder: Recorder;
  loader: { readonly live: LiveSession | null };
}

interface Unread {
  id: string;
  prompt: Prompt;
  turn: Turn;
  /** What the agent calls the words, once it has them; null: it says no name. */
  promptId: Promise<string | null>;
  /** Their turn is over, and the agent has them no more. */
  isBack: boolean;
}

/** Words said into the running turn, until its agent has read them. */
export class Steering {
  readonly #given: SteeringDependencies;
  readonly #unread = new Map<string, Unread>();
  /** The agent's names of words that it has read, and of those that it lost before. Of the turn under way. */
  readonly #read = new Set<string>();
  readonly #dropped = new Set<string>();
  /** The turn takes no more words: those that it has are on their way back. */
  #isOver = false;

  constructor(given: SteeringDependencies) {
    this.#given = given;
  }

  /** What is back from a turn before and was not kept elsewhere stays here. */
  begins(): void {
    this.#isOver = false;
    for (const { id, isBack } of [...this.#unread.values()]) if (!isBack) this.#unread.delete(id);
    for (const names of [this.#read, this.#dropped]) names.clear();
  }

  /** False: nothing runs that takes words. */
  async say(turn: Turn, id: string, prompt: Prompt): Promise<boolean> {
    const { recorder, loader } = this.#given;
    const { live } = loader;
    if (turn.isStopped || this.#isOver || live === null || !live.connection.extras.has('steer')) return false;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#unread.set(id, { id, prompt, turn, promptId: promise, isBack: false });
    try {
      recorder.addNow('steered', { id, prompt }, turn.id);
      const taken = await live.steer(prompt);
      if (taken === null) {
        this.#gone(id);
        return false;
      }
      turn.said += 1;
      const { promptId = null } = taken;
      resolve(promptId);
      if (promptId !== null && this.#read.has(promptId)) this.#wasRead(id);
      return true;
    } catch (error) {
      this.#gone(id);
      throw error;
    } finally {
      resolve(null);
    }
  }

  /** Null: the agent has read them. */
  async takeBack(id: string): Promise<Prompt | null> {
    const words = this.#unread.get(id);
    if (words === undefined || !(await this.#isBack(words)) || !this.#gone(id)) return null;
    if (!words.isBack) words.turn.said -= 1;
    return words.prompt;
  }

  /** It takes up words of this name. */
  async reads(promptId: string): Promise<void> {
    this.#read.add(promptId);
    for (const { id, promptId: its } of [...this.#unread.values()]) if ((await its) === promptId) this.#wasRead(id);
  }

  drops(promptId: string): void {
    this.#dropped.add(promptId);
  }

  /**
   * The turn is over before its time, and takes no more words. Those that were never read go to `keep`; what that
   * throws is passed on, and they can still be taken back here.
   */
  async ends(keep: (words: readonly { id: string; prompt: Prompt }[]) => void): Promise<void> {
    this.#isOver = true;
    const unread = [...this.#unread.values()];
    const areBack = await Promise.all(unread.map((words) => this.#isBack(words)));
    // One may have been taken back meanwhile.
    const back = unread.filter(({ id }, index) => areBack[index] === true && this.#unread.has(id));
    for (const words of back) {
      if (!words.isBack) words.turn.said -= 1;
      words.isBack = true;
    }
    keep(back);
    for (const { id } of back) this.#gone(id);
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

  async #bounded(work: Promise<boolean>): Promise<boolean> {
    const given = new AbortController();
    const timer = new AbortController();
    this.#given.parts.clock.sleep(takeBackMs, timer.signal).then(
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
  }

  /** They are not the turn's any more. False: they were not. */
  #gone(id: string): boolean {
    const words = this.#unread.get(id);
    if (words === undefined) return false;
    this.#unread.delete(id);
    this.#given.recorder.add('steered', { id, prompt: null }, words.turn.id);
    return true;
  }
}
