import { createStore } from 'zustand/vanilla';
import type { WindowStore } from '../../state/window-state.ts';
import { appLine } from './sending.ts';

/**
 * Messages that go out as soon as Copilot answers again, by their id. They stand in their drafts until then: one that
 * is changed meanwhile, or whose window is closed, isn't sent.
 */
export class WaitingMessages {
  readonly #store = createStore<{ waiting: ReadonlyMap<string, () => void> }>(() => ({ waiting: new Map() }));

  constructor(window: WindowStore) {
    window.subscribe(({ app, connection }) => {
      if (app === null || connection.kind !== 'live' || this.#store.getState().waiting.size === 0) return;
      const line = appLine(app);
      if (line === null || line.send === 'on') this.#sendAll();
    });
  }

  readonly listen = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  has(message: string | null): boolean {
    return message !== null && this.#store.getState().waiting.has(message);
  }

  /** @param send is called once */
  add(message: string, send: () => void): void {
    this.#store.setState(({ waiting }) => ({ waiting: new Map(waiting).set(message, send) }));
  }

  #sendAll(): void {
    const { waiting } = this.#store.getState();
    this.#store.setState({ waiting: new Map() });
    for (const send of waiting.values()) send();
  }
}

const made = new WeakMap<WindowStore, WaitingMessages>();

/** The window's own. */
export function waitingMessages(window: WindowStore): WaitingMessages {
  const known = made.get(window) ?? new WaitingMessages(window);
  made.set(window, known);
  return known;
}
