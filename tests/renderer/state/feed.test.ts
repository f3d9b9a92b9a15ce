import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WindowEvent } from '../../../app/api/events.ts';
import type { Exchange, ExchangeRow } from '../../../app/api/exchange.ts';
import type { Preferences } from '../../../app/api/settings.ts';
import type { AppState } from '../../../app/api/state.ts';
import { type Bridge, BridgeError } from '../../../renderer/bridge/bridge.ts';
import { Feed } from '../../../renderer/state/feed.ts';
import { RequestLog } from '../../../renderer/state/log/request-log.ts';
import { rowOf } from '../../../renderer/state/log/row.ts';
import { createWindowStore } from '../../../renderer/state/window-state.ts';
import { exchange } from '../../exchange.ts';
import { soon } from '../../soon.ts';

const stateOf = (change: Partial<AppState>): AppState =>
  ({ ownLimits: [], ...change }) as Partial<AppState> as AppState;

/** A past of so many exchanges, and a wire that can be cut. */
class FakeApp {
  past: Exchange[];
  reachable = true;
  status: AppState['status'] = 'on';
  asked: string[] = [];
  /** Requests whose bodies are held. */
  held: string[] = [];
  #listener: ((event: WindowEvent) => void) | null = null;
  #received: ((alive: boolean) => void) | undefined;

  constructor(count: number) {
    this.past = Array.from({ length: count }, (_, index) => exchange({ id: `r${index}`, startedAt: index }));
  }

  get bridge(): Bridge {
    const answers = {
      state: () => this.#answer('state', stateOf({ status: this.status })),
      exchanges: ({ limit }: { limit: number }) => this.#answer('exchanges', this.past.slice(-limit)),
      rows: ({ limit, before }: { limit: number; before: string }) => {
        const end = this.past.findIndex(({ id }) => id === before);
        return this.#answer<ExchangeRow[]>(
          `rows before ${before}`,
          this.past.slice(Math.max(0, end - limit), end).map((one) => rowOf(one, 0)),
        );
      },
      exchange: (id: string) => this.#answer(`exchange ${id}`, this.past.find((one) => one.id === id) ?? null),
      recordedIds: () => this.#answer('recordedIds', this.held),
      preferences: async () => ({ theme: 'system' }) as Preferences,
      listen: (listener: (event: WindowEvent) => void, received?: (alive: boolean) => void) => {
        this.#listener = listener;
        this.#received = received;
        return () => {
          this.#listener = null;
        };
      },
    };
    return answers as Partial<Bridge> as Bridge;
  }

  get listened(): boolean {
    return this.#listener !== null;
  }

  tell(event: WindowEvent): void {
    this.#listener?.(event);
  }

  cut(): void {
    this.reachable = false;
    this.#received?.(false);
  }

  remedy(): void {
    this.reachable = true;
    this.#received?.(true);
  }

  #answer<Value>(what: string, value: Value): Promise<Value> {
    this.asked.push(what);
    if (this.reachable) return Promise.resolve(value);
    return Promise.reject(new BridgeError({ code: 'unreachable', text: 'Jumpseat doesn’t answer.', remedy: '' }));
  }
}

function open(count: number) {
  const app = new FakeApp(count);
  const log = new RequestLog();
  const store = createWindowStore();
  const frames: (() => void)[] = [];
  const feed = new Feed({ bridge: app.bridge, log, store, schedule: (work) => void frames.push(work) });
  const stop = feed.start();
  return { app, log, store, frames, stop, feed };
}

const settled = (): Promise<void> => soon(() => undefined);
afterEach(() => {
  vi.useRealTimers();
});

describe('the feed', () => {
  it('reads the newest page first and then all the history, without a gap or a double', async () => {
    const { log, store, app } = open(1300);
    await soon(() => expect(store.getState().history).toBe('whole'));
    expect(log.view().rows.map(({ id }) => id)).toEqual(app.past.map(({ id }) => id));
    expect(app.asked.slice(0, 3)).toEqual(['state', 'exchanges', 'rows before r1100']);
    expect(store.getState()).toMatchObject({ connection: { kind: 'live' }, failure: null });
  });

  it('puts what it hears in once per frame, and the newest of each', async () => {
    const { app, log, frames, store } = open(1);
    await soon(() => expect(store.getState().history).toBe('whole'));
    const versions = log.view().version;
    for (let index = 0; index < 50; index += 1) {
      app.tell({ event: 'exchange', exchange: exchange({ id: 'new', startedAt: 5, status: index }) });
    }
    app.tell({ event: 'state', state: stateOf({ status: 'busy' }) });
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(log.view().version).toBe(versions + 1);
    expect(log.row('new')).toMatchObject({ status: 49 });
    expect(store.getState().app).toMatchObject({ status: 'busy' });
  });

  it('says in the window that a share of a monthly limit is used, where no notification does', async () => {
    const { app, frames, store } = open(1);
    await soon(() => expect(store.getState().history).toBe('whole'));
    const month = { from: 0, until: new Date(2026, 11, 1).getTime() };
    for (const [used, said] of [
      [10, 0],
      [31.92, 80],
      [31.95, 80],
      [33, 100],
    ] as const) {
      const ownLimits = [
        { setting: 'creditsPerMonth' as const, scope: null, used, most: 32, stops: false, month, said },
      ];
      app.tell({ event: 'state', state: stateOf({ ownLimits }) });
      frames.shift()?.();
    }
    expect(store.getState().toasts.map(({ text }) => text)).toEqual([
      '99.7% of your monthly limit is used. 31.92 of 32 credits used this month.',
      'Your monthly limit is used up. 33.00 of 32 credits used this month. Requests are still sent.',
    ]);
  });

  it('knows which requests have a body, also while it asks', async () => {
    const { app, log, frames, store } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    log.search('has:body');
    const recorded = (...held: string[]) => {
      app.held = held;
      const recording = { on: true, exchanges: held.length, bytes: held.length };
      app.tell({ event: 'state', state: stateOf({ status: 'on', recording }) });
      frames.shift()?.();
    };
    recorded('r1');
    recorded('r1', 'r2');
    await soon(() => expect(log.view().rows.map(({ id }) => id)).toEqual(['r1', 'r2']));
    recorded();
    await soon(() => expect(log.view().rows).toEqual([]));
    const asked = app.asked.filter((what) => what === 'recordedIds').length;
    app.tell({
      event: 'state',
      state: stateOf({ status: 'busy', recording: { on: true, exchanges: 0, bytes: 0 } }),
    });
    frames.shift()?.();
    expect(app.asked.filter((what) => what === 'recordedIds')).toHaveLength(asked);
  });

  it('counts up the output of what runs, and of nothing else', async () => {
    const { app, log, frames, store } = open(1);
    await soon(() => expect(store.getState().history).toBe('whole'));
    const none = { input: null, output: null, cacheRead: null, cacheWrite: null };
    app.tell({ event: 'exchange', exchange: exchange({ id: 'runs', startedAt: 5, outcome: 'running', tokens: none }) });
    const far = (id: string, output: number) =>
      app.tell({ event: 'progress', running: [{ id, output, client: 'a', session: null, nanoAiu: 5e8 }] });
    far('runs', 7);
    frames.shift()?.();
    expect(store.getState().runningAnswers).toMatchObject([{ id: 'runs', nanoAiu: 5e8 }]);
    expect(log.row('runs')).toMatchObject({ output: 7, outcome: 'running' });
    far('runs', 12);
    far('r0', 99);
    far('unknown', 99);
    frames.shift()?.();
    expect(log.exchange('runs')?.tokens).toEqual({ ...none, output: 12 });
    app.tell({ event: 'exchange', exchange: exchange({ id: 'runs', startedAt: 5 }) });
    // Its cost is known now, whatever is said of it late.
    expect(store.getState().runningAnswers.map(({ id }) => id)).toEqual(['unknown']);
    far('runs', 13);
    frames.shift()?.();
    expect(store.getState().runningAnswers).toEqual([]);
    expect(['runs', 'r0'].map((id) => log.row(id)?.output)).toEqual([1187, 1187]);
    expect(log.row('unknown')).toBeNull();
  });

  it('asks for what it missed while the wire was cut, however much that was', async () => {
    const { app, log, store } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    app.cut();
    expect(store.getState().connection).toMatchObject({ kind: 'lost' });
    for (let index = 3; index < 1000; index += 1) app.past.push(exchange({ id: `r${index}`, startedAt: index }));
    app.remedy();
    await soon(() => expect(log.view().known).toBe(1000));
    expect(log.view().rows.map(({ id }) => id)).toEqual(app.past.map(({ id }) => id));
    expect(store.getState()).toMatchObject({ connection: { kind: 'live' }, failure: null });
  });

  it('asks after those that ran when the wire was cut, however old they are', async () => {
    const { app, log, store, frames } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    const long = exchange({ id: 'long', startedAt: 3, outcome: 'running', status: null });
    app.tell({ event: 'exchange', exchange: long });
    frames.shift()?.();
    expect(log.running()).toEqual(['long']);
    app.cut();
    app.past.push(exchange({ id: 'long', startedAt: 3 }));
    for (let index = 4; index < 400; index += 1) app.past.push(exchange({ id: `r${index}`, startedAt: index }));
    app.remedy();
    await soon(() => expect(log.running()).toEqual([]));
    expect(log.row('long')).toMatchObject({ outcome: 'done', status: 200 });
    await soon(() => expect(log.view().rows.map(({ id }) => id)).toEqual(app.past.map(({ id }) => id)));
  });

  it('asks again when events begin to come: what ended since the first answer was not told', async () => {
    const { app, log, store } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    app.past.push(exchange({ id: 'unheard', startedAt: 9 }));
    app.remedy();
    await soon(() => expect(log.row('unheard')).toMatchObject({ outcome: 'done' }));
    expect(log.view().known).toBe(4);
  });

  it('stays lost while answers come but events do not', async () => {
    const { app, store, feed } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    app.cut();
    app.reachable = true;
    const asked = app.asked.length;
    feed.tryAgain();
    await soon(() => expect(store.getState().failure).toBeNull());
    expect(app.asked.length).toBeGreaterThan(asked);
    expect(store.getState().connection).toMatchObject({ kind: 'lost' });
    app.remedy();
    await soon(() => expect(store.getState().connection).toEqual({ kind: 'live' }));
  });

  it('forgets what has ended when the history was deleted, and takes no answer from before', async () => {
    const { app, log, store, frames } = open(1300);
    await soon(() => expect(app.asked).toContain('rows before r1100'));
    app.tell({ event: 'exchange', exchange: exchange({ id: 'runs', startedAt: 2000, outcome: 'running' }) });
    app.tell({ event: 'exchange', exchange: exchange({ id: 'ended', startedAt: 2001 }) });
    app.past = [];
    app.tell({ event: 'history-deleted' });
    for (const frame of frames.splice(0)) frame();
    await settled();
    await soon(() => expect(store.getState().history).toBe('whole'));
    expect(log.view().rows.map(({ id }) => id)).toEqual(['runs']);
    expect(log.view()).toMatchObject({ known: 1, cleared: 0 });
    app.tell({ event: 'exchange', exchange: exchange({ id: 'new', startedAt: 2002 }) });
    for (const frame of frames.splice(0)) frame();
    expect(log.view().rows.map(({ id }) => id)).toEqual(['runs', 'new']);
  });

  it('reads what came into the history without being told', async () => {
    const { app, log, store } = open(3);
    await soon(() => expect(store.getState().history).toBe('whole'));
    app.past = [...app.past, exchange({ id: 'of a terminal', startedAt: 3 })];
    app.tell({ event: 'history-changed' });
    await soon(() => expect(log.row('of a terminal')).not.toBeNull());
    expect(log.view().known).toBe(4);
  });

  it('goes on with the history where it was broken off', async () => {
    const { app, log, store } = open(1300);
    await soon(() => expect(app.asked).toContain('rows before r1100'));
    app.cut();
    await soon(() => expect(store.getState().failure).not.toBeNull());
    app.remedy();
    await soon(() => expect(store.getState().history).toBe('whole'));
    expect(log.view().known).toBe(1300);
  });

  it('lets the frame stand before the list has been read', async () => {
    const { bridge } = new FakeApp(2);
    const list = Promise.withResolvers<Exchange[]>();
    const store = createWindowStore();
    const stop = new Feed({
      bridge: { ...bridge, exchanges: () => list.promise },
      log: new RequestLog(),
      store,
    }).start();
    await settled();
    expect(store.getState()).toMatchObject({ app: { status: 'on' }, history: 'first' });
    list.resolve([]);
    await soon(() => expect(store.getState()).toMatchObject({ history: 'whole', connection: { kind: 'live' } }));
    stop();
  });

  it('says why nothing came, and tries again', async () => {
    const app = new FakeApp(2);
    app.reachable = false;
    const store = createWindowStore();
    const log = new RequestLog();
    vi.useFakeTimers();
    new Feed({ bridge: app.bridge, log, store, schedule: (work) => work() }).start();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState()).toMatchObject({
      app: null,
      failure: 'Jumpseat doesn’t answer.',
      connection: { kind: 'opening' },
    });
    app.reachable = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(store.getState()).toMatchObject({ failure: null, connection: { kind: 'live' } });
  });

  it('knows a closed door from a lost connection', async () => {
    const app = new FakeApp(0);
    const store = createWindowStore();
    const bridge: Bridge = {
      ...app.bridge,
      state: () => Promise.reject(new BridgeError({ code: 'http-401', text: 'The server answered 401.', remedy: '' })),
    };
    new Feed({ bridge, log: new RequestLog(), store, schedule: (work) => work() }).start();
    await soon(() => expect(store.getState().connection).toEqual({ kind: 'closed' }));
  });

  it('stops listening', async () => {
    const { app, stop } = open(0);
    await settled();
    stop();
    expect(app.listened).toBe(false);
  });
});
