import type { ListedSession } from '../../../app/api/session-list.ts';
import type { Session, SessionEvent, SessionQuestion } from '../../../app/api/sessions.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { Feed, SessionNews } from '../../state/feed.ts';
import { nextFrame, type Schedule } from '../../state/next-frame.ts';
import { toast } from '../../state/notices.ts';
import type { Services } from '../../state/services.ts';
import type { WindowStore } from '../../state/window-state.ts';
import { type Activity, activityAfter, nothingYet } from './activity.ts';
import type { ReadingBridge } from './conversation-reader.ts';
import { Conversations } from './conversations.ts';
import { fieldsOf, textOf } from './fields.ts';
import { createSessionsStore, failureOf, type SessionsState, type SessionsStore } from './sessions-store.ts';

export type SessionsBridge = ReadingBridge & Pick<Bridge, 'sessionList' | 'sideQuestions'>;

/** Last events that are read of a session that ran before this window opened, to show its activity. */
const lookedAt = 50;

/** Keeps the view's sessions up to date with the app: events are applied once a frame. */
export class SessionsFeed {
  readonly conversations: Conversations;
  readonly #bridge: SessionsBridge;
  readonly #store: SessionsStore;
  readonly #window: WindowStore;
  readonly #feed: Pick<Feed, 'listenToSessions'>;
  readonly #schedule: Schedule;
  #received: SessionNews[] = [];
  #isDue = false;
  /** Counts requests, so that an answer that was overtaken is ignored. */
  #asked = 0;
  /** Events since the list was last asked for, which its answer may lack; null if no answer is awaited. */
  #since: SessionNews[] | null = null;
  /** Sessions whose side questions are shown, with how often these were reported since. */
  readonly #beside = new Map<string, number>();
  /** Sessions that were cut off before a turn: their conversation is another one. */
  readonly #back = new Map<string, Pick<Session, 'isBack' | 'cutTurns'>>();

  constructor(dependencies: {
    bridge: SessionsBridge;
    store: SessionsStore;
    window: WindowStore;
    feed: Pick<Feed, 'listenToSessions'>;
    schedule?: Schedule;
  }) {
    this.#bridge = dependencies.bridge;
    this.#store = dependencies.store;
    this.#window = dependencies.window;
    this.#feed = dependencies.feed;
    this.#schedule = dependencies.schedule ?? nextFrame;
    this.conversations = new Conversations(dependencies.bridge, dependencies.store);
  }

  /** Returns the way to stop. */
  start(): () => void {
    const stop = this.#feed.listenToSessions({
      hear: (news) => this.#hear(news),
      missed: () => {
        void this.readList();
        void this.conversations.missed();
        for (const id of this.#beside.keys()) void this.#readSideQuestions(id);
      },
    });
    void this.readList();
    return stop;
  }

  /** The list, and what waits for an answer. */
  readonly readList = async (): Promise<void> => {
    this.#asked += 1;
    const asked = this.#asked;
    const since: SessionNews[] = [];
    this.#since = since;
    try {
      const [{ sessions, problem }, questions] = await Promise.all([
        this.#bridge.sessionList(),
        this.#bridge.sessionQuestions(null),
      ]);
      if (asked !== this.#asked) return;
      // What was heard meanwhile is newer than the answer, whether it was put in already or not.
      this.#store.setState({
        listed: withListed(new Map(sessions.map((session) => [session.id, session])), since),
        questions: withQuestions(questions, since.flatMap(entryOf)),
        ...{ listProblem: problem, listFailure: null },
      });
      await this.#lookAtRunning();
    } catch (error) {
      if (asked === this.#asked && this.#store.getState().listed === null) {
        this.#store.setState({ listFailure: failureOf(error) });
      }
    } finally {
      if (this.#since === since) this.#since = null;
    }
  };

  /** Reads them, and keeps them in step as long as they are shown. Returns the way to stop. */
  readonly showSideQuestions = (id: string): (() => void) => {
    this.#beside.set(id, 0);
    void this.#readSideQuestions(id);
    return () => void this.#beside.delete(id);
  };

  async #readSideQuestions(id: string): Promise<void> {
    const before = this.#beside.get(id);
    const questions = await this.#bridge.sideQuestions(id).catch(() => null);
    // What was reported meanwhile is newer than the answer.
    if (questions === null || this.#beside.get(id) !== before) return;
    this.#store.setState(({ sideQuestions }) => ({ sideQuestions: new Map(sideQuestions).set(id, questions) }));
  }

  async #lookAtRunning(): Promise<void> {
    const { activity } = this.#store.getState();
    const running = [...this.#window.getState().sessions.values()].filter(
      ({ id, turnId }) => turnId !== null && !activity.has(id),
    );
    await Promise.all(
      running.map(async ({ id }) => {
        const { events } = await this.#bridge.sessionPast({ session: id, before: null, limit: lookedAt });
        this.#store.setState((state) =>
          state.activity.has(id)
            ? {}
            : { activity: new Map(state.activity).set(id, events.reduce(activityAfter, nothingYet)) },
        );
      }),
    );
  }

  #hear(news: SessionNews): void {
    this.#received.push(news);
    this.#since?.push(news);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      const received = this.#received;
      this.#received = [];
      this.#put(received);
    });
  }

  #put(received: readonly SessionNews[]): void {
    if (received.length === 0) return;
    const events = new Map<string, SessionEvent[]>();
    const before = this.#store.getState();
    for (const news of received) {
      if (news.event === 'session-event') {
        const { entry } = news;
        const ofSession = events.get(entry.sessionId);
        if (ofSession === undefined) events.set(entry.sessionId, [entry]);
        else ofSession.push(entry);
      } else if (news.event === 'session-listed') {
        this.conversations.listed(news.session, before.listed?.get(news.session.id));
      } else if (news.event === 'session-side-questions') this.#seeBeside(news);
      else if (news.event === 'session') this.#seeBack(news.session);
    }
    this.#store.setState((state) => ({
      ...(state.listed === null ? {} : { listed: withListed(state.listed, received) }),
      ...withEvents(state, [...events.values()].flat()),
      conversations: this.conversations.hear(state.conversations, events),
    }));
  }

  #seeBeside({ session, questions }: Extract<SessionNews, { event: 'session-side-questions' }>): void {
    const times = this.#beside.get(session);
    if (times === undefined) return;
    this.#beside.set(session, times + 1);
    this.#store.setState(({ sideQuestions }) => ({ sideQuestions: new Map(sideQuestions).set(session, questions) }));
  }

  #seeBack({ id, isBack, cutTurns }: Pick<Session, 'id' | 'isBack' | 'cutTurns'>): void {
    const was = this.#back.get(id);
    this.#back.set(id, { isBack, cutTurns });
    // With the next message what was cut off is gone for good, and was not shown before.
    if (was !== undefined && (was.isBack !== isBack || was.cutTurns < cutTurns)) this.conversations.readAgain(id);
  }
}

/** Returns the same object if nothing changed. */
function withListed(
  listed: ReadonlyMap<string, ListedSession>,
  received: readonly SessionNews[],
): ReadonlyMap<string, ListedSession> {
  let next: Map<string, ListedSession> | null = null;
  for (const news of received) {
    if (news.event !== 'session-listed' && news.event !== 'session-unlisted') continue;
    next ??= new Map(listed);
    if (news.event === 'session-listed') next.set(news.session.id, news.session);
    else next.delete(news.id);
  }
  return next ?? listed;
}

function entryOf(news: SessionNews): SessionEvent[] {
  return news.event === 'session-event' ? [news.entry] : [];
}

/** Returns the same object if nothing changed. A known one counts once. */
function withQuestions(
  questions: readonly SessionQuestion[],
  received: readonly SessionEvent[],
): readonly SessionQuestion[] {
  let next = questions;
  for (const entry of received) {
    if (entry.kind !== 'question' && entry.kind !== 'answered') continue;
    const id = textOf(entry.event, 'id');
    next = [...next.filter((one) => one.id !== id), ...(entry.kind === 'question' ? toQuestion(entry) : [])];
  }
  return next;
}

/** What the list and the dock show of sessions, whether they are open or not. */
function withEvents(state: SessionsState, events: readonly SessionEvent[]): Partial<SessionsState> {
  const questions = withQuestions(state.questions, events);
  const activity = new Map<string, Activity>();
  const edits = new Map<string, number>();
  for (const entry of events) {
    const { sessionId: id, kind } = entry;
    const before = activity.get(id) ?? state.activity.get(id) ?? nothingYet;
    const after = activityAfter(before, entry);
    if (after !== before || !state.activity.has(id)) activity.set(id, after);
    if (kind === 'edit') edits.set(id, (edits.get(id) ?? state.edits.get(id) ?? 0) + 1);
  }
  return {
    ...(questions === state.questions ? {} : { questions }),
    ...(activity.size === 0 ? {} : { activity: new Map([...state.activity, ...activity]) }),
    ...(edits.size === 0 ? {} : { edits: new Map([...state.edits, ...edits]) }),
  };
}

function toQuestion({ sessionId, turnId, at, event }: SessionEvent): SessionQuestion[] {
  const [id, kind] = [textOf(event, 'id'), textOf(event, 'kind')];
  if (id === null || (kind !== 'permission' && kind !== 'form')) return [];
  const request = fieldsOf(event, 'request');
  return [{ id, sessionId, turnId, kind, child: textOf(event, 'child'), request, askedAt: at }];
}

export interface SessionsParts {
  bridge: Bridge;
  store: SessionsStore;
  feed: SessionsFeed;
  tell(text: string, kind: 'failed' | 'info'): void;
}

const made = new WeakMap<Services, SessionsParts>();

/** Made when the view is opened first, and kept as long as the window: another view may be looked at meanwhile. */
export function sessionsOf(services: Services): SessionsParts {
  const known = made.get(services);
  if (known !== undefined) return known;
  const { bridge, store: window } = services;
  const store = createSessionsStore();
  const feed = new SessionsFeed({ bridge, store, window, feed: services.feed });
  const parts: SessionsParts = { bridge, store, feed, tell: (text, kind) => toast(window, text, { kind }) };
  made.set(services, parts);
  feed.start();
  return parts;
}
