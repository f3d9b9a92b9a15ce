import type { AppEvent } from '../api/events.ts';
import type { AgentEvent } from './make-host.ts';
import type { HostEvent } from './session/recorder.ts';
import type { ListChange } from './session-list-watch.ts';

/** The event for fronts about sessions and their agents. */
export function toAppEvent(event: HostEvent | AgentEvent): AppEvent {
  switch (event.kind) {
    case 'agent':
      return { event: 'agent', agent: event.agent };
    case 'session':
      return { event: 'session', session: event.session };
    case 'event':
      return { event: 'session-event', entry: event.event };
    case 'side':
      return { event: 'session-side-questions', session: event.sessionId, questions: event.questions };
    case 'customizations':
      return { event: 'session-customizations', session: event.sessionId, now: event.now };
    case 'gone':
      return { event: 'session-gone', id: event.sessionId };
    case 'deleted':
      return { event: 'session-unlisted', id: event.sessionId };
  }
}

/** The event for fronts about the list of sessions. */
export function toListEvent(change: ListChange): AppEvent {
  return 'gone' in change
    ? { event: 'session-unlisted', id: change.gone }
    : { event: 'session-listed', session: change.session };
}

/** Sessions that wait for a person's answer. */
export class WaitingSessions {
  readonly #ids = new Set<string>();

  get count(): number {
    return this.#ids.size;
  }

  /** Returns whether it is another number now. */
  hear(event: HostEvent): boolean {
    if (event.kind === 'event' || event.kind === 'side' || event.kind === 'customizations') return false;
    const before = this.#ids.size;
    if (event.kind === 'session' && event.session.state === 'waiting') this.#ids.add(event.session.id);
    else this.#ids.delete(event.kind === 'session' ? event.session.id : event.sessionId);
    return this.#ids.size !== before;
  }
}
