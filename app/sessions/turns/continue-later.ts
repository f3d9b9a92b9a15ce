import { isDeepStrictEqual } from 'node:util';
import type { TurnProblem } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import { goOnWords, longestLimitMs } from '../../words/sessions.ts';
import { Countdown } from '../running/loader.ts';
import { SessionError } from '../session/error.ts';
import type { Prompt } from '../session/messages.ts';

interface Given {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Why the last turn failed; null if it did not, or another one runs. */
  problem(): TurnProblem | null;
  /** What the session would go on with: its last turn, its choices, its folder, what waits in it. */
  standing(): unknown;
  send(prompt: Prompt): void;
  changed(): void;
}

/** The wall clock is looked at so often, ms: a machine may sleep, and its timers with it. */
const lookMs = 10_000;

/**
 * Goes on once with a turn that ended at a limit, when that limit has ended: only because a person said so. Whatever
 * changes in the session meanwhile, and the end of Jumpseat, takes it back.
 */
export class ContinueLater {
  readonly #given: Given;
  /** Null unless a person said so. Whether it still holds is asked with `at`. */
  plan: { readonly at: number; readonly standing: unknown } | null = null;
  #countdown: Countdown | null = null;

  constructor(given: Given) {
    this.#given = given;
  }

  /** When it goes on, ms; null if it does not. */
  get at(): number | null {
    if (this.plan !== null && !isDeepStrictEqual(this.plan.standing, this.#given.standing())) this.#drop();
    return this.plan?.at ?? null;
  }

  /** Throws where its last turn did not end at a limit whose end is known and near. The same again changes nothing. */
  start(): void {
    if (this.at !== null) return;
    const at = this.#given.problem()?.facts?.limitEndsAt;
    const now = this.#given.clock.now();
    if (at === undefined || at - now > longestLimitMs) {
      const why = t('The last turn didn’t end at a limit that ends within a week.');
      throw new SessionError('not-possible', why, t('Send a message to go on yourself.'));
    }
    this.plan = { at: Math.max(at, now), standing: this.#given.standing() };
    this.#look();
    this.#given.changed();
  }

  stop(): void {
    if (this.plan === null) return;
    this.#drop();
    this.#given.changed();
  }

  #drop(): void {
    this.plan = null;
    this.#countdown?.stop();
    this.#countdown = null;
  }

  #look(): void {
    const { at } = this;
    if (at === null) return;
    const left = at - this.#given.clock.now();
    if (left > 0) {
      this.#countdown = new Countdown(this.#given.clock, Math.min(left, lookMs), () => this.#look());
      return;
    }
    this.#drop();
    this.#given.send([{ type: 'text', text: goOnWords }]);
  }
}
