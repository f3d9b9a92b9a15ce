import type { App } from '../app/api/app.ts';
import type { Log } from '../app/ports.ts';
import type { CutAnswer, CutWords, Work } from '../app/words/quit.ts';
import { cutQuestion } from './questions.ts';

interface QuitDependencies {
  app: App;
  log: Log;
  /** What an end would cut off now. */
  work: () => Work;
  /** Resolves when no session is at work. They need the proxy until then. */
  sessionsRested: () => Promise<void>;
  askCut: (words: CutWords) => Promise<CutAnswer>;
  /** Resolves when the window has gone, or does not go. What it still has to keep comes before that. */
  closeWindow: () => Promise<void>;
  /** Called when the end begins to wait for work, or no longer does. */
  changed: () => void;
  /** Lets go of everything, after the proxy has stopped. */
  close: () => Promise<void>;
  /** Ends the process. Called once. */
  exit: () => void;
}

/** How long running answers may take to end where nothing is asked. With what comes after it stays under 10 s. */
const graceMs = 5_000;
const deadlineMs = 9_000;
const untilTheyEnd = 24 * 3_600_000;

/**
 * The way out. A person is asked while sessions work or requests run, and may ask again while it waits for them; the
 * system is not kept waiting. Whatever hangs, the process ends within 10 s of the decision.
 */
export class Quit {
  readonly #dependencies: QuitDependencies;
  /** The wait that was chosen last and not taken back. */
  #wait: symbol | null = null;
  #phase: 'running' | 'asking' | 'waiting' | 'ending' | 'over' = 'running';

  constructor(dependencies: QuitDependencies) {
    this.#dependencies = dependencies;
  }

  /** True if the process may end, because everything was released. */
  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Closing a window is now part of the end. */
  get isEnding(): boolean {
    return this.#phase === 'ending' || this.#phase === 'over';
  }

  /** True if it ends by itself once the work is done. */
  get isWaiting(): boolean {
    return this.#wait !== null && !this.isEnding;
  }

  /** Takes back that it ends after the work. */
  stay(): void {
    if (this.#phase === 'waiting') this.#phase = 'running';
    this.#waitFor(null);
  }

  async byPerson(): Promise<void> {
    if (await this.#mayEnd()) await this.#end(0);
  }

  /** A signal, or the system that shuts down. */
  bySystem(): Promise<void> {
    return this.#end(graceMs);
  }

  /**
   * For a new version that takes over: everything is let go, and the updater ends the process. False: not now, or the
   * end has come by another way.
   */
  async forUpdate(): Promise<boolean> {
    if (!(await this.#mayEnd()) || this.isEnding) return false;
    this.#phase = 'ending';
    const { app, close, closeWindow } = this.#dependencies;
    await closeWindow();
    await app.stopProxy({ graceMs });
    await close();
    this.#phase = 'over';
    return true;
  }

  /**
   * Resolves when the person wants the end now, or when what they chose to wait for has ended. False: a question is
   * already open, the person cancelled it, or Jumpseat waits already and the person wants to go on waiting.
   */
  async #mayEnd(): Promise<boolean> {
    const { app, askCut, work, sessionsRested } = this.#dependencies;
    if (this.#phase !== 'running' && this.#phase !== 'waiting') return false;
    const words = cutQuestion(work(), 'quit', this.isWaiting);
    if (words === null) return true;
    this.#phase = 'asking';
    const answer = await askCut(words);
    if (this.#phase !== 'asking') return false;
    if (answer === 'now') return true;
    if (answer === 'cancel') {
      this.#phase = 'running';
      this.#waitFor(null);
      return false;
    }
    this.#phase = 'waiting';
    if (this.#wait !== null) return false;
    const wait = Symbol();
    this.#waitFor(wait);
    await sessionsRested();
    if (this.#wait !== wait) return false;
    await app.stopProxy({ graceMs: untilTheyEnd });
    if (this.#wait === wait) return true;
    // Cancelled while the last answers ended.
    if (this.#wait === null && !this.isEnding) await app.startProxy();
    return false;
  }

  #waitFor(wait: symbol | null): void {
    this.#wait = wait;
    this.#dependencies.changed();
  }

  async #end(grace: number): Promise<void> {
    if (this.isEnding) return;
    this.#phase = 'ending';
    const { app, log, close, closeWindow, exit } = this.#dependencies;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs);
    });
    try {
      const end = closeWindow().then(() => app.stopProxy({ graceMs: grace }));
      await Promise.race([late, end.then(close)]);
    } catch (error) {
      log.write('error', 'app.close-failed', { reason: String(error) });
    } finally {
      clearTimeout(timer);
      this.#phase = 'over';
      exit();
    }
  }
}
