import type { ServerResponse } from 'node:http';
import type { AppEvent } from '../api/events.ts';

/** So many wait for a window that does not read. Then it is cut off: it comes again and asks for what it missed. */
const mostWaiting = 2_000;

/**
 * Server-sent events to one window. While it does not read, the newest of each exchange waits for it, nothing else of
 * it and nothing without bound; what it gets is always a beginning of what happened, so that a window that was cut off
 * knows from where on it has to ask.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #waiting = new Map<string, AppEvent>();

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.on('drain', () => this.#drained());
  }

  send(event: AppEvent): void {
    if (this.#waiting.size === 0 && !this.#response.writableNeedDrain) this.#write(event);
    else this.#wait(event);
  }

  #wait(event: AppEvent): void {
    // The next one says more.
    if (event.event === 'progress') return;
    if (event.event === 'history-deleted') {
      for (const [key, waits] of this.#waiting) {
        if (waits.event === 'exchange' && waits.exchange.outcome !== 'running') this.#waiting.delete(key);
      }
    }
    const key = keyOf(event);
    this.#waiting.delete(key);
    this.#waiting.set(key, event);
    if (this.#waiting.size <= mostWaiting) return;
    this.#waiting.clear();
    this.#response.destroy();
  }

  #drained(): void {
    for (const [key, event] of this.#waiting) {
      if (this.#response.writableNeedDrain) return;
      this.#waiting.delete(key);
      this.#write(event);
    }
  }

  #write(event: AppEvent): void {
    this.#response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}

/** Of two events with the same key the newer one says all that the older one did. */
function keyOf(event: AppEvent): string {
  switch (event.event) {
    case 'exchange':
      return event.exchange.id;
    case 'session':
      return `session ${event.session.id}`;
    case 'session-gone':
      return `session ${event.id}`;
    case 'session-listed':
      return `listed ${event.session.id}`;
    case 'session-unlisted':
      return `listed ${event.id}`;
    case 'agent':
      return `agent ${event.agent.name}`;
    case 'session-event':
      return `session-event ${event.entry.seq}`;
    default:
      return event.event;
  }
}
