import type { WindowEvent } from '../../app/api/events.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import type { AgentState } from '../../app/api/sessions.ts';
import type { AppState } from '../../app/api/state.ts';
import { t } from '../../app/language/translate.ts';
import { passedShares } from '../../app/words/own-limits.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { BridgeError } from '../bridge/bridge.ts';
import type { RequestLog } from './log/request-log.ts';
import { nextFrame, type Schedule } from './next-frame.ts';
import { toast } from './notices.ts';
import { takePreferences } from './preferences.ts';
import type { WindowStore } from './window-state.ts';

/** What is told of sessions. */
export type SessionNews = Extract<WindowEvent, { event: `session${string}` }>;

export interface SessionListener {
  hear(news: SessionNews): void;
  /** Called when events may have been missed: ask for everything again. */
  missed(): void;
}

const firstPage = 200;
/** Small, so that neither the app nor the page is busy for long at a time. */
const page = 500;
/** Rows that stay loaded; older ones are in the history. */
const mostRows = 100_000;
const retryMs = 5_000;

/**
 * Keeps store and log in step with the app: the newest page first, older ones in the background, all events
 * put in once per frame. What was missed without a connection is asked for again.
 */
export class Feed {
  readonly #bridge: Bridge;
  readonly #log: RequestLog;
  readonly #store: WindowStore;
  readonly #schedule: Schedule;
  readonly #received = new Map<string, Exchange>();
  readonly #ofSessions = new Set<SessionListener>();
  #state: AppState | null = null;
  /** Before this one the history has not been read. */
  #oldest: string | null = null;
  #reading = false;
  #opening = false;
  /** Asked for while an answer was still under way. */
  #openAgain = false;
  /** Events come; null if unknown. */
  #alive: boolean | null = null;
  /** How often the history was deleted: an answer from before is none. */
  #forgotten = 0;
  #due = false;
  /** What was held when it was last asked for; and whether it is being asked for. */
  #recorded = '0 0';
  #asking = false;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | null = null;

  constructor(dependencies: { bridge: Bridge; log: RequestLog; store: WindowStore; schedule?: Schedule }) {
    this.#bridge = dependencies.bridge;
    this.#log = dependencies.log;
    this.#store = dependencies.store;
    this.#schedule = dependencies.schedule ?? nextFrame;
  }

  /** Returns the way to stop. */
  start(): () => void {
    const stop = this.#bridge.listen(
      (event) => this.#hear(event),
      (alive) => this.#heardAgain(alive),
    );
    void this.#open();
    return () => {
      this.#stopped = true;
      if (this.#retry !== null) clearTimeout(this.#retry);
      stop();
    };
  }

  /** Events of sessions go to the listener as they come. Returns how to stop. */
  listenToSessions(listener: SessionListener): () => void {
    this.#ofSessions.add(listener);
    return () => void this.#ofSessions.delete(listener);
  }

  /** Asks again now for what did not come. */
  readonly tryAgain = (): void => {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    void this.#open();
  };

  /** The history was deleted. What is being read of it is of before. */
  #forget(): void {
    for (const { id, outcome } of [...this.#received.values()]) if (outcome !== 'running') this.#received.delete(id);
    this.#forgotten += 1;
    this.#oldest = null;
    this.#log.forget();
    if (this.#store.getState().history !== 'first') this.#store.setState({ history: 'whole' });
  }

  /** Runs one at a time: everybody who asks meanwhile gets the next one. */
  async #open(): Promise<void> {
    if (this.#opening) {
      this.#openAgain = true;
      return;
    }
    this.#opening = true;
    try {
      do {
        this.#openAgain = false;
        await this.#askNewest();
      } while (this.#openAgain && !this.#stopped);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#opening = false;
    }
    void this.#readHistory();
  }

  async #askNewest(): Promise<void> {
    const chosen = this.#store.getState().preferences;
    const forgotten = this.#forgotten;
    const [state, newest, preferences] = await Promise.all([
      this.#bridge.state().then((state) => this.#known(state)),
      this.#bridge.exchanges({ limit: firstPage }),
      this.#bridge.preferences(),
    ]);
    if (this.#stopped) return;
    if (this.#store.getState().preferences === chosen) {
      takePreferences(this.#store, preferences);
    }
    if (forgotten !== this.#forgotten) {
      this.#openAgain = true;
      return;
    }
    const first = this.#store.getState().history === 'first';
    const joined = first || newest.length < firstPage || this.#log.joins(newest);
    const before = this.#log.running();
    this.#log.addNewest(newest);
    // What was heard meanwhile is newer than what was asked for.
    this.#store.setState({ app: this.#state ?? state, failure: null });
    if (this.#alive !== false) this.#store.setState({ connection: { kind: 'live' } });
    if (first) {
      this.#oldest = oldestEnded(newest);
      this.#store.setState({ history: newest.length < firstPage ? 'whole' : 'older' });
    }
    if (!joined) await this.#readMissed(newest);
    const said = new Set(newest.map(({ id }) => id));
    await this.#askAfter(before.filter((id) => !said.has(id)));
  }

  /** The frame stands as soon as the state is known; the list follows. */
  #known(state: AppState): AppState {
    if (!this.#stopped && this.#store.getState().app === null) this.#store.setState({ app: this.#state ?? state });
    return state;
  }

  /** What ended while nothing was heard and is older than the newest page. */
  async #readMissed(newest: readonly Exchange[]): Promise<void> {
    const forgotten = this.#forgotten;
    let before = oldestEnded(newest);
    while (before !== null && !this.#stopped) {
      const missed = await this.#bridge.rows({ limit: page, before });
      if (forgotten !== this.#forgotten) return;
      const joins = this.#log.joins(missed);
      this.#log.addOlder(missed);
      if (joins || missed.length < page) return;
      before = missed[0]?.id ?? null;
    }
  }

  /** Asks for rows that were last seen running and are too old for the newest page. */
  async #askAfter(ids: readonly string[]): Promise<void> {
    const forgotten = this.#forgotten;
    for (const id of ids) {
      const now = await this.#bridge.exchange(id);
      if (this.#stopped || forgotten !== this.#forgotten) return;
      if (now !== null) this.#log.addNewest([now]);
    }
  }

  /** Back to the beginning, a page at a time; goes on where it was broken off. */
  async #readHistory(): Promise<void> {
    if (this.#reading || this.#stopped || this.#store.getState().history !== 'older') return;
    this.#reading = true;
    const forgotten = this.#forgotten;
    try {
      while (this.#oldest !== null && this.#log.view().known < mostRows) {
        const older = await this.#bridge.rows({ limit: page, before: this.#oldest });
        if (this.#stopped || forgotten !== this.#forgotten) return;
        this.#log.addOlder(older);
        this.#oldest = older.length < page ? null : (older[0]?.id ?? null);
        await idle();
      }
      this.#store.setState({ history: 'whole' });
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#reading = false;
    }
  }

  /**
   * What happened while nothing was heard was missed: it is asked for, also at the start, since the stream of events
   * and the first answers come on different ways.
   */
  #heardAgain(alive: boolean): void {
    this.#alive = alive;
    this.#store.setState({ runningAnswers: [] });
    if (alive) {
      this.tryAgain();
      for (const { missed } of [...this.#ofSessions]) missed();
    } else if (this.#store.getState().connection.kind === 'live') this.#lose(t('The stream of events ended.'));
  }

  #hear(event: WindowEvent): void {
    switch (event.event) {
      case 'state':
        this.#state = event.state;
        break;
      case 'exchange':
        this.#received.set(event.exchange.id, event.exchange);
        if (event.exchange.outcome !== 'running') this.#ended(event.exchange.id);
        break;
      case 'progress':
        for (const { id, output } of event.running) this.#movedOn(id, output);
        this.#store.setState({ runningAnswers: event.running.filter(({ id }) => !this.#hasEnded(id)) });
        break;
      case 'history-deleted':
        this.#forget();
        return;
      case 'history-changed':
        this.tryAgain();
        return;
      case 'setup-changed':
        this.#store.setState(({ setupChanges }) => ({ setupChanges: setupChanges + 1 }));
        return;
      case 'preferences':
        takePreferences(this.#store, event.preferences);
        return;
      case 'update':
        this.#store.setState({ update: event.update });
        return;
      case 'saved':
        if (event.written) toast(this.#store, t('Saved {file}.', { file: event.file }));
        else
          toast(this.#store, t('{file} couldn’t be written. Look for room on the disk.', { file: event.file }), {
            kind: 'failed',
          });
        return;
      case 'agent':
        takeAgent(this.#store, event.agent);
        return;
      case 'session':
      case 'session-gone':
      case 'session-listed':
      case 'session-unlisted':
      case 'session-event':
      case 'session-side-questions':
      case 'session-customizations':
        for (const { hear } of [...this.#ofSessions]) hear(event);
        return;
    }
    if (this.#due) return;
    this.#due = true;
    this.#schedule(() => this.#draw());
  }

  /** Requests with a body, asked for again when one was added or removed. */
  async #readRecorded(): Promise<void> {
    const { exchanges = 0, bytes = 0 } = this.#state?.recording ?? {};
    const now = `${exchanges} ${bytes}`;
    if (now === this.#recorded || this.#asking) return;
    this.#recorded = now;
    this.#asking = true;
    const ids = exchanges === 0 ? [] : await this.#bridge.recordedIds().catch(() => []);
    this.#asking = false;
    if (this.#stopped) return;
    this.#log.knowRecorded(ids);
    // Something may have come or gone meanwhile.
    void this.#readRecorded();
  }

  /** A running answer says how far it is; what has ended is not touched any more. */
  /** Its cost is reported now, or unknown. */
  #ended(id: string): void {
    this.#store.setState(({ runningAnswers: before }) => {
      const left = before.filter((one) => one.id !== id);
      return left.length === before.length ? {} : { runningAnswers: left };
    });
  }

  /** News of it may come late. */
  #hasEnded(id: string): boolean {
    const known = this.#received.get(id) ?? this.#log.exchange(id);
    return known !== null && known.outcome !== 'running';
  }

  #movedOn(id: string, output: number): void {
    const known = this.#received.get(id) ?? this.#log.exchange(id);
    if (known?.outcome === 'running') this.#received.set(id, { ...known, tokens: { ...known.tokens, output } });
  }

  #draw(): void {
    this.#due = false;
    if (this.#stopped) return;
    const before = this.#store.getState().app;
    if (this.#state !== null && this.#state !== before) {
      // While the window is in front, no notification says it.
      const passed = before === null ? [] : passedShares(before, this.#state);
      for (const { title, body } of passed) toast(this.#store, `${title}. ${body}`, { kind: 'info' });
      this.#store.setState({ app: this.#state });
    }
    void this.#readRecorded();
    if (this.#received.size === 0) return;
    this.#log.hear(this.#received.values());
    this.#received.clear();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof BridgeError && error.code === 'http-401') {
      this.#store.setState({ connection: { kind: 'closed' } });
      return;
    }
    this.#lose(text);
  }

  #lose(text: string): void {
    const { connection, app } = this.#store.getState();
    const now = Date.now();
    this.#store.setState({
      failure: text,
      ...(app === null
        ? {}
        : {
            connection: {
              kind: 'lost',
              since: connection.kind === 'lost' ? connection.since : now,
              retryAt: now + retryMs,
            },
          }),
    });
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(this.tryAgain, retryMs);
  }
}

function oldestEnded(exchanges: readonly Exchange[]): string | null {
  return exchanges.find(({ outcome }) => outcome !== 'running')?.id ?? null;
}

/** Lets what people do go first. */
function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 8));
}

/** What was told of one; nothing before all of them were asked for. */
function takeAgent(store: WindowStore, agent: AgentState): void {
  store.setState(({ agents }) => ({
    agents: agents === null ? null : agents.map((one) => (one.name === agent.name ? agent : one)),
  }));
}
