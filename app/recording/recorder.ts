import type { AnswersTo } from '../api/app.ts';
import type { recordingCalls } from '../api/calls/exchanges.ts';
import type { BodyView, Recorded, RecordedBody, RecordingState } from '../api/recording.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import { RemedyError } from '../ports.ts';
import { Bodies, type Part } from './bodies.ts';
import { forgetOldest, KeptHeaders } from './headers.ts';
import { Recording, type RecordingKeeper } from './recording.ts';
import { saysWords, shownBody, viewsOf } from './shown-body.ts';

/** How much may be held, and how long. Null: until the program ends. */
export interface RecordingLimits {
  megabytes: number;
  minutes: number | null;
}

interface RecorderDependencies {
  clock: Clock;
  /** Takes out of a text what is or looks like a secret. */
  redact: (text: string) => string;
  limits: () => RecordingLimits;
  /** Called when it was switched, and when something was recorded or dropped. */
  changed: () => void;
}

/** Why bodies that were recorded are there no more. */
type Gone = 'room' | 'age' | 'deleted';

/** 1 MB = 1,000,000 bytes, as everywhere in the window. */
const megabyte = 1_000_000;
const goneKept = 10_000;

/**
 * What was said, for a person who looks for a mistake: off until it is switched on, in memory alone, and bounded;
 * the oldest goes first. While it is off nothing of a body is held, and a request calls nothing here. Headers are held
 * in any case.
 *
 * Nothing that is in here may be written anywhere: it leaves through `recorded` and `body`, for the one window that
 * asked.
 */
export class Recorder implements RecordingKeeper {
  readonly #dependencies: RecorderDependencies;
  readonly headers = new KeptHeaders();
  readonly #bodies = new Map<string, Bodies>();
  readonly #gone = new Map<string, Gone>();
  readonly #closing = new AbortController();
  /** Bodies of exchanges that begin now are recorded. */
  isOn = false;
  #bytes = 0;
  /** Ends the wait for the oldest to be too old. */
  #waiting: AbortController | null = null;

  constructor(dependencies: RecorderDependencies) {
    this.#dependencies = dependencies;
  }

  state(): RecordingState {
    return { on: this.isOn, exchanges: this.#bodies.size, bytes: this.#bytes };
  }

  /** Switches later exchanges; recordings already held are kept. */
  switch(on: boolean): void {
    if (this.isOn === on) return;
    this.isOn = on;
    this.#dependencies.changed();
  }

  /** Lets go of all bodies. */
  forget(): void {
    for (const id of [...this.#bodies.keys()]) this.#drop(id, 'deleted');
    this.#dependencies.changed();
  }

  /** The limits are other ones now. */
  limitsChanged(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.#keepWithin();
  }

  /** Records the bodies of one exchange until it ends. */
  begin(id: string): Recording {
    const bodies = new Bodies(this.#dependencies.clock.now());
    this.#bodies.set(id, bodies);
    this.#watchAge();
    return new Recording(this, id, bodies);
  }

  recorded(id: string): Recorded {
    const bodies = this.#bodies.get(id);
    return {
      headers: this.headers.of(id, this.#dependencies.redact),
      bodies: bodies === undefined ? (this.#gone.get(id) ?? 'none') : 'there',
      views: bodies === undefined ? [] : viewsOf(bodies),
    };
  }

  /** The oldest first. */
  ids(): string[] {
    return [...this.#bodies.keys()];
  }

  /** Searches requests and answers. Each turn of the event loop looks at one body. */
  async search(words: string): Promise<string[]> {
    const found: string[] = [];
    for (const [id, bodies] of [...this.#bodies]) {
      if (await saysWords(bodies, words, this.#dependencies.redact)) found.push(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  async body(id: string, view: BodyView, options: { whole: boolean }): Promise<RecordedBody | null> {
    const bodies = this.#bodies.get(id);
    return bodies === undefined ? null : shownBody(bodies, view, { ...options, redact: this.#dependencies.redact });
  }

  close(): void {
    this.#closing.abort();
    this.#waiting?.abort();
    this.isOn = false;
    this.headers.close();
    this.#bodies.clear();
    this.#bytes = 0;
  }

  add(id: string, bodies: Bodies, part: Part, bytes: Buffer): boolean {
    if (this.#bodies.get(id) !== bodies) return false;
    bodies.add(part, bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limit()) this.#keepWithin();
    return this.#bodies.get(id) === bodies;
  }

  restart(id: string, bodies: Bodies): void {
    if (this.#bodies.get(id) !== bodies) return;
    const before = bodies.bytes;
    bodies.restart();
    this.#bytes += bodies.bytes - before;
  }

  /** Secrets are taken out after this turn of the event loop, so that no request waits for it. */
  ended(id: string, bodies: Bodies | null): void {
    if (bodies === null) return;
    setImmediate(() => {
      if (this.#closing.signal.aborted) return;
      // What can't be cleaned is not held.
      this.#settle(id, bodies).catch(() => this.#drop(id, 'deleted'));
    });
  }

  async #settle(id: string, bodies: Bodies): Promise<void> {
    const clean = await bodies.cleaned(this.#dependencies.redact);
    // It may have been let go of meanwhile.
    if (this.#bodies.get(id) !== bodies) return;
    const before = bodies.bytes;
    bodies.settle(clean);
    this.#bytes += bodies.bytes - before;
    this.#dependencies.changed();
  }

  #limit(): number {
    return this.#dependencies.limits().megabytes * megabyte;
  }

  #keepWithin(): void {
    const before = this.#bodies.size;
    const limit = this.#limit();
    const oldest = this.#oldestAllowed();
    for (const [id, { startedAt }] of this.#bodies) {
      if (startedAt < oldest) this.#drop(id, 'age');
      else if (this.#bytes > limit) this.#drop(id, 'room');
      else break;
    }
    if (this.#bodies.size !== before) this.#dependencies.changed();
    this.#watchAge();
  }

  #drop(id: string, why: Gone): void {
    const bodies = this.#bodies.get(id);
    if (bodies === undefined) return;
    this.#bodies.delete(id);
    this.#bytes -= bodies.bytes;
    this.#gone.set(id, why);
    forgetOldest(this.#gone, goneKept);
  }

  #oldestAllowed(): number {
    const { minutes } = this.#dependencies.limits();
    return minutes === null ? Number.NEGATIVE_INFINITY : this.#dependencies.clock.now() - minutes * 60_000;
  }

  /** Waits until the oldest is too old. */
  #watchAge(): void {
    const { minutes } = this.#dependencies.limits();
    const [oldest] = this.#bodies.values();
    if (this.#waiting !== null || minutes === null || oldest === undefined || this.#closing.signal.aborted) return;
    const { clock } = this.#dependencies;
    const waiting = new AbortController();
    this.#waiting = waiting;
    const left = oldest.startedAt + minutes * 60_000 - clock.now() + 1;
    clock.sleep(Math.max(1, left), waiting.signal).then(
      () => {
        this.#waiting = null;
        this.#keepWithin();
      },
      () => {},
    );
  }
}

class RecordingError extends RemedyError {
  override readonly name = 'RecordingError';
}

/** @param mayRecord what the settings say */
export function recordingAnswers(recorder: Recorder, mayRecord: () => boolean): AnswersTo<typeof recordingCalls> {
  return {
    recorded: (id) => recorder.recorded(id),
    recordedIds: () => recorder.ids(),
    searchBodies: (words) => recorder.search(words),
    recordedBody: (id, view, options) => recorder.body(id, view, options),
    record: (on) => {
      if (on && !mayRecord())
        throw new RecordingError(
          t('Bodies can’t be recorded: it is turned off in the settings.'),
          t('Set mayRecord to true, unless your organization set it.'),
        );
      recorder.switch(on);
    },
    forgetBodies: () => recorder.forget(),
  };
}
