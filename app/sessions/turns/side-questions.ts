import { randomUUID } from 'node:crypto';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { Exchange } from '../../api/exchange.ts';
import { sumOfCosts } from '../../api/figures.ts';
import type { Session, SideQuestion, TurnCost, TurnProblem } from '../../api/sessions.ts';
import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession, Loader } from '../running/loader.ts';
import { cancelled, plain, readProblem, SessionError } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import { isUnknownSession, problemOf } from '../session/problem.ts';
import type { SideQuestionRow } from '../store/questions.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';
import { noCost, readCost, withRow } from './costs.ts';
import { afterRow, explained, type FailedRequest } from './failure-cause.ts';

interface SideQuestionsDependencies {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'store' | 'log' | 'process' | 'tell'>;
  kept: KeptSession;
  loader: Pick<Loader, 'load' | 'unload' | 'live' | 'isStale' | 'isOpenInTerminal'>;
  /** A turn runs: its process is left alone. */
  isAtWork(): boolean;
  isDisposed(): boolean;
  /** One begins: the process is not to be unloaded. */
  began(): void;
  ended(): void;
  changed(): void;
}

type End = Pick<SideQuestionRow, 'state' | 'answer' | 'problem'>;

/** A follow-up question comes with so many of those before it. */
const mostEarlier = 20;

/**
 * Questions beside the conversation of one session, one at a time, also while a turn runs. The agent answers each with
 * one request of its own and runs no tool for it; the conversation has nothing of it.
 */
export class SideQuestions {
  readonly #given: SideQuestionsDependencies;
  #running: { id: string; stop: AbortController } | null = null;
  #failed: FailedRequest | undefined;
  /** What is known of all of them; null: to be read. */
  #known: { asked: number; open: number; cost: TurnCost } | null = null;

  /** None was ever asked, as far as that was looked at. */
  isUnused = false;

  constructor(given: SideQuestionsDependencies) {
    this.#given = given;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** For fronts; nothing where none was ever asked. */
  sum(): Pick<Session, 'sideQuestions'> {
    const { asked, open, cost } = this.#sum();
    return asked === 0 ? {} : { sideQuestions: { open, cost } };
  }

  /** What all of them cost, also those that were closed. */
  total(): TurnCost {
    return this.#sum().cost;
  }

  #sum() {
    if (this.#known === null) {
      const costs = this.#store.side.costs(this.#given.sessionId).map(({ cost }) => readCost(cost));
      const { length: open } = this.#store.side.open(this.#given.sessionId);
      this.isUnused = costs.length === 0;
      this.#known = { asked: costs.length, open, cost: costs.reduce(sumOfCosts, noCost) };
    }
    return this.#known;
  }

  all(): SideQuestion[] {
    return this.#store.side.open(this.#given.sessionId).map((row) => this.#view(row));
  }

  /** It is on disk when this returns. The same id again is the same question. */
  ask(question: string, id: string = randomUUID()): SideQuestion {
    const { sessionId, kept, began } = this.#given;
    const known = this.#store.side.find(id);
    if (known !== null) return this.#view(known);
    if (this.#running !== null) {
      throw new SessionError(
        'turn-running',
        t('Another side question is being answered.'),
        t('Wait for it, or stop it.'),
      );
    }
    if (!kept.isKept && kept.agentSessionId === null) {
      throw new SessionError('not-possible', t('This session has no messages yet.'), t('Send a message first.'));
    }
    this.#store.atOnce(() => {
      // Its cost belongs to a session that is on disk.
      kept.adopt();
      this.#store.side.add({ id, sessionId, question });
    });
    const running = { id, stop: new AbortController() };
    this.#running = running;
    this.#failed = undefined;
    began();
    this.#tell();
    void this.#run(question, running).then((end) => this.#end(id, end));
    const row = this.#store.side.find(id);
    if (row === null) throw cancelled(t('The side question was closed.'));
    return this.#view(row);
  }

  stop(): void {
    this.#running?.stop.abort(cancelled(t('You stopped this side question.')));
  }

  /** Erases the words of these, or of all. */
  close(ids: readonly string[] | null): void {
    const open = this.#store.side.open(this.#given.sessionId).map(({ id }) => id);
    const closed = ids === null ? open : open.filter((id) => ids.includes(id));
    if (this.#running !== null && closed.includes(this.#running.id)) this.stop();
    this.#store.atOnce(() => {
      for (const id of closed) this.#store.side.close(id);
    });
    if (closed.length > 0) this.#tell();
  }

  /** The session is let go: what is under way ends with it. */
  dispose(why: Error): void {
    const running = this.#running;
    if (running === null) return;
    running.stop.abort(why);
    this.#end(running.id, { state: 'interrupted', answer: null, problem: null });
  }

  /** A row of one of them has ended, and was counted. */
  counted(row: Exchange): void {
    if (this.#running !== null) this.#failed = afterRow(this.#failed, row);
    this.#tell();
  }

  async #run(question: string, { id, stop: { signal } }: { id: string; stop: AbortController }): Promise<End> {
    let live: LiveSession | null = null;
    try {
      for (let attempt = 0; ; attempt++) {
        live = await unlessAborted(this.#load(), signal);
        try {
          return this.#read(await unlessAborted(this.#ask(live, { id, question }, signal), signal));
        } catch (error) {
          // Its process ended while it was idle, or starts anew for a turn: nothing was sent.
          if (attempt > 0 || !isUnknownSession(error) || signal.aborted) throw error;
          if (!this.#given.isAtWork()) void this.#given.loader.unload();
        }
      }
    } catch (error) {
      if (signal.aborted) return { state: 'cancelled', answer: null, problem: null };
      const isGone = live !== null && live !== this.#given.loader.live;
      return { state: 'failed', answer: null, problem: isGone ? this.#endedEarly() : this.#problem(error) };
    }
  }

  /** The session's process, which is started where none runs. */
  async #load(): Promise<LiveSession> {
    const { loader, isAtWork } = this.#given;
    // Where a terminal has it open, the load says so.
    if (!isAtWork() && ((await loader.isStale()) || (await loader.isOpenInTerminal()))) void loader.unload();
    return loader.load();
  }

  #ask(live: LiveSession, { id, question }: { id: string; question: string }, signal: AbortSignal) {
    if (!live.connection.extras.has('side-question')) {
      throw new SessionError(
        'not-possible',
        t('{title} has no side questions.', { title: this.#title }),
        t('Send it as a message.'),
      );
    }
    const earlier = this.#store.side
      .open(this.#given.sessionId)
      .flatMap(({ id: other, question: asked, answer }) =>
        other === id || asked === null || answer === null ? [] : [{ question: asked, answer }],
      );
    return live.askBeside({ question, earlier: earlier.slice(-mostEarlier) }, signal);
  }

  /** Words of the agent's own are no answer. */
  #read({ answer, isNotice }: { answer: string | null; isNotice: boolean }): End {
    if (answer !== null && answer.trim() !== '' && !isNotice) return { state: 'done', answer, problem: null };
    const problem =
      answer === null || this.#failed === undefined
        ? plain(
            'failed',
            t('{title} gave no answer. In a side question it can’t read files or use other tools.', {
              title: this.#title,
            }),
            askAgain,
          )
        : plain('refused', answer, askAgain);
    const known = explained(problem, this.#failed, this.#given.kept.context, this.#title);
    return { state: 'failed', answer: null, problem: { ...known, remedy: askAgain } };
  }

  #problem(error: unknown): TurnProblem {
    if (!(error instanceof RequestError)) return problemOf(error, this.#title, null);
    return plain(
      'failed',
      t('{title} couldn’t answer this side question: {message}', { title: this.#title, message: error.message }),
      askAgain,
    );
  }

  #endedEarly(): TurnProblem {
    return plain('agent-ended', t('{title}’s process ended before the answer came.', { title: this.#title }), askAgain);
  }

  #end(id: string, end: End): void {
    if (this.#running?.id !== id) return;
    this.#running = null;
    try {
      this.#store.side.end(id, end);
    } catch (error) {
      // It is shown as interrupted then, as nothing answers it any more.
      if (!(error instanceof SessionStoreError)) throw error;
      this.#given.dependencies.log.write('error', 'side-question-not-written', { error: error.name });
    }
    this.#tell();
    if (!this.#given.isDisposed()) this.#given.ended();
  }

  #tell(): void {
    this.#known = null;
    this.isUnused = false;
    const { sessionId, dependencies, isDisposed, changed } = this.#given;
    if (isDisposed()) return;
    dependencies.tell({ event: 'session-side-questions', session: sessionId, questions: this.all() });
    changed();
  }

  #view({ id, question, state, answer, problem, askedAt, endedAt, cost }: SideQuestionRow): SideQuestion {
    const isLeft = state === 'running' && this.#running?.id !== id;
    return {
      ...{ id, question: question ?? '', answer, askedAt, endedAt },
      state: isLeft ? 'interrupted' : state,
      problem: readProblem(problem),
      cost: readCost(cost),
    };
  }

  get #store(): SessionStore {
    return this.#given.dependencies.store;
  }

  get #title(): string {
    return this.#given.dependencies.process(this.#given.kept.agent).description.title;
  }
}

const askAgain = msg('Ask again.');

/**
 * Counts a row of the log for the side question that it belongs to: none of a turn. Its client is the session. False
 * if it belongs to none. `isNew`: it has ended, and was not counted before.
 */
export function countSideRow(store: SessionStore, row: Exchange): { isNew: boolean } | null {
  if (row.reason?.code !== 'side-question') return null;
  const asked = store.side.lastBefore(row.client, row.startedAt);
  if (asked === null) return null;
  const isNew = row.outcome !== 'running' && store.mayWrite && !asked.requestIds.includes(row.id);
  if (isNew) {
    const cost = withRow(readCost(asked.cost), row);
    store.side.counted(asked.id, { requestIds: [...asked.requestIds, row.id], cost });
  }
  return { isNew };
}
