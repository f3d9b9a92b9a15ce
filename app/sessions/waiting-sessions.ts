import type { HostEvent } from './session/recorder.ts';

/** Which sessions wait for a person's answer, from what their host tells. */
export class WaitingSessions {
  readonly #ids = new Set<string>();

  get count(): number {
    return this.#ids.size;
  }

  /** Returns whether it is another number now. */
  hear(event: HostEvent): boolean {
    if (event.kind === 'event') return false;
    const before = this.#ids.size;
    if (event.kind === 'session' && event.session.state === 'waiting') this.#ids.add(event.session.id);
    else this.#ids.delete(event.kind === 'session' ? event.session.id : event.sessionId);
    return this.#ids.size !== before;
  }
}
