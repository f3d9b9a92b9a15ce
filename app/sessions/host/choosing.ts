import type { Choices, Control, StartedWith } from './control.ts';
import type { KeptSession } from './kept-session.ts';
import type { LiveSession } from './live-session.ts';
import type { Recorder } from './recorder.ts';
import { SessionError } from './session-error.ts';
import type { SessionModes } from './session-modes.ts';

export interface ChoosingDependencies {
  kept: KeptSession;
  control: Control;
  modes: SessionModes;
  recorder: Recorder;
  live(): LiveSession | null;
  turnId(): string | null;
  changed(): void;
}

/** What a session is chosen to run with: asked of its process, kept, on record and told. */
export class Choosing {
  readonly #given: ChoosingDependencies;

  constructor(given: ChoosingDependencies) {
    this.#given = given;
  }

  /** What its process can't change counts from the next message on. */
  async choose(choice: Partial<Choices>): Promise<void> {
    this.#given.modes.refuseNeverAsking(choice);
    await this.#choose(choice);
  }

  /** Nothing is asked any more, until the session or Jumpseat ends. */
  async neverAsk(): Promise<void> {
    await this.#choose({ mode: this.#given.modes.neverAsking() });
  }

  /** Its process has started. */
  async started(live: LiveSession, given: StartedWith): Promise<void> {
    const { control, recorder, turnId, changed } = this.#given;
    const isApplied = await control.started(live, given);
    if (!isApplied) this.noteMode();
    recorder.add('applied', control.view(), turnId());
    changed();
  }

  /** Another mode is in force than the wanted one. */
  noteMode(): void {
    const { control, recorder } = this.#given;
    const { wanted, applied } = control.view().mode;
    recorder.add('note', { code: 'mode-refused', wanted, applied }, null);
  }

  /** The agent takes this one up by itself: it is kept, and not asked for again. */
  keepMode(mode: string): void {
    const { control } = this.#given;
    control.wanted = { ...control.wanted, mode };
    this.#keep();
  }

  async #choose(choice: Partial<Choices>): Promise<void> {
    const { control, live } = this.#given;
    try {
      await control.choose(choice, live());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SessionError('not-possible', `The agent refused this choice: ${why}`, 'Choose another.', {
        cause: error,
      });
    } finally {
      this.#keep();
    }
  }

  #keep(): void {
    const { kept, control, recorder, turnId, changed } = this.#given;
    kept.keepChoices(control.wanted);
    if (kept.isKept) recorder.add('applied', control.view(), turnId());
    changed();
  }
}
