import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { Session, TurnProblem } from '../../api/sessions.ts';
import type { AgentExit } from '../agents/agent.ts';
import type { AgentFact } from '../agents/agent-facts.ts';
import type { SessionQuestions } from '../questions/questions.ts';
import type { SessionDependencies, Slot } from '../running/dependencies.ts';
import { Countdown } from '../running/loader.ts';
import { readProblem } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import type { Prompt } from '../session/messages.ts';
import { TurnQueue } from '../session/messages.ts';
import { problemOf, refusedSteering, saysRefused } from '../session/problem.ts';
import type { Recorder } from '../store/session-record.ts';
import type { TurnCosts } from './costs.ts';
import { explainedEnd } from './failure-cause.ts';
import { Steering } from './steering.ts';
import {
  endOf,
  noteMoreRequests,
  ProcessGone,
  type Prompting,
  promptTurn,
  stopped,
  Turn,
  type TurnEnd,
  writeBeginning,
  writeEnd,
} from './turn.ts';

interface TurnsDependencies extends Prompting {
  sessionId: string;
  dependencies: SessionDependencies;
  kept: KeptSession;
  recorder: Recorder;
  questions: SessionQuestions;
  costs: TurnCosts;
  /** What changes the past of the session: no message is sent while it does. */
  past: OneAtATime;
  changed(): void;
  /** The name of the background task that ended last, once; null if none did. */
  endedTask(): string | null;
  /** Nothing is under way any more. */
  ended(): void;
}

/** A turn that an agent began by itself is over when nothing came of it for so long, in ms. */
const quietMs = 60_000;

/** Updates with which an agent begins a turn by itself, or goes on with one. Others may come at any time. */
const beginsTurn: ReadonlySet<string> = new Set(['agent_message_chunk', 'agent_thought_chunk', 'tool_call']);

/** The turns of one session: those of its queue, one at a time, and what the agent begins by itself. */
export class Turns {
  readonly queue: TurnQueue;
  readonly #given: TurnsDependencies;
  /** Null until words were said into a turn, or one ended badly. */
  #steering: Steering | null = null;
  /** Runs during a turn of the agent's own; null otherwise. */
  #quiet: Countdown | null = null;
  #turn: Turn | null = null;
  /** Slot of the running turn; null if no turn runs or it waits for one. */
  #slot: Slot | null = null;
  #isInLine = false;
  #isPumping = false;
  #isDue = false;
  #awaitsConnection = false;
  #problem: TurnProblem | null = null;

  constructor(given: TurnsDependencies) {
    this.#given = given;
    if (given.kept.isKept) this.#problem = readProblem(given.dependencies.store.turns.lastEnd(given.sessionId).failure);
    this.queue = new TurnQueue({ sessionId: given.sessionId, store: given.dependencies.store, changed: given.changed });
    // What waited when Jumpseat ended is offered, never sent by itself.
    if (given.kept.isKept) this.queue.pause();
  }

  get current(): Turn | null {
    return this.#turn;
  }

  /** What is to be sent next waits until there is a connection to Copilot. */
  get awaitsConnection(): boolean {
    return this.#awaitsConnection && !this.queue.isAtRest;
  }

  get isInLine(): boolean {
    return this.#isInLine;
  }

  view(): Pick<Session, 'turnId' | 'retry' | 'problem' | 'isQueuePaused'> {
    const retry = this.#turn?.retry ?? null;
    return {
      ...{ turnId: this.#turn?.id ?? null, problem: this.#problem, isQueuePaused: this.queue.isPaused },
      ...(retry === null ? {} : { retry }),
    };
  }

  /** The agent has sent a request of its conversation: it waits no longer to do so. */
  asks(): void {
    this.#waits(null);
  }

  #waits(retry: Turn['retry']): void {
    if (this.#turn === null || this.#turn.retry === retry) return;
    this.#turn.retry = retry;
    this.#given.changed();
  }

  /** Sends a message behind those that wait. The same id again is the same message. */
  send(id: string, prompt: Prompt): void {
    this.queue.add(id, prompt, { isAtRest: this.#turn === null });
    this.pump();
  }

  /** Sends what waits: the person said so. */
  resume(): void {
    this.queue.resume();
    this.pump();
  }

  /** Says words into the running turn. Null if none runs that takes them. The same id again is the same words. */
  async steer(id: string, prompt: Prompt): Promise<string | null> {
    // They were sent as a message of their own.
    if (this.#given.dependencies.store.turns.find(id) !== null) return id;
    return this.#say(id, prompt);
  }

  async #say(id: string, prompt: Prompt): Promise<string | null> {
    try {
      return await this.#words().say(this.#turn, id, prompt);
    } catch (error) {
      throw refusedSteering(error, this.#title);
    }
  }

  /**
   * Says a message that waits into the running turn instead. Where none takes it, it is the next one, and is sent if
   * none runs. False: it is not in the queue any more.
   */
  async steerQueued(id: string): Promise<boolean> {
    const message = this.queue.find(id);
    if (message === null) return false;
    const said = this.#say(id, message.prompt).finally(() => this.queue.hasChanged());
    this.queue.hasChanged();
    if ((await said) !== null) return true;
    this.queue.order([id]);
    if (this.#turn === null) this.resume();
    return true;
  }

  /** Takes back what was said into the running turn. Null if the agent has read it. */
  takeBackSteering(id: string): Promise<Prompt | null> {
    return this.#steering?.takeBack(id) ?? Promise.resolve(null);
  }

  #words(): Steering {
    this.#steering ??= new Steering(this.#given);
    return this.#steering;
  }

  /** What was said into the turn and never read waits first; after a turn that did not end well, so does all else. */
  async #keepUnread({ state }: TurnEnd): Promise<void> {
    await this.#words().ends();
    if (state === 'done') this.queue.hasChanged();
    else this.queue.pause();
  }

  pump(): void {
    if (!this.#given.kept.isKept) return;
    this.#isDue = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#isDue = false;
    void this.#drain()
      .catch((error) => this.#notRead(error))
      .finally(() => {
        this.#isPumping = false;
        // Asked for in the moment in which it had looked for the last time.
        if (this.#isDue) this.pump();
        else this.#given.ended();
      });
  }

  /** The queue can't be read: what is in it waits. */
  #notRead(error: unknown): void {
    this.queue.pause();
    this.#problem = problemOf(error, this.#title, null);
    this.#given.dependencies.log.write('error', 'queue-not-read', {
      error: error instanceof Error ? error.name : 'unknown',
    });
  }

  async #drain(): Promise<void> {
    for (;;) {
      // A turn that the agent began by itself ends first.
      await this.#turn?.ended;
      if (!this.#given.past.isAtRest) {
        await this.#given.past.done();
        continue;
      }
      this.#isDue = false;
      const { next } = this.queue;
      this.#awaitsConnection = next !== null && this.#given.dependencies.outside.isOffline;
      if (this.#awaitsConnection) this.#given.dependencies.connectionAwaited();
      if (next === null || this.#awaitsConnection) return;
      const turn = this.#begin('user', next.id, next.prompt);
      if (turn === null) return;
      const end = await this.#run(turn, next.prompt);
      if (end.state !== 'done' || this.#steering?.hasUnread) await this.#keepUnread(end);
      this.#end(turn, end);
    }
  }

  /** The turn is on record, and its message out of the queue, before anything is sent. Null if that failed. */
  #begin(initiator: 'user' | 'agent', id: string | undefined, prompt: Prompt | null): Turn | null {
    const { recorder, changed } = this.#given;
    const turn = new Turn(initiator, id);
    try {
      writeBeginning(this.#given, turn, prompt);
    } catch (error) {
      this.queue.pause();
      this.#problem = problemOf(error, this.#title, null);
      changed();
      return null;
    }
    this.#turn = turn;
    this.#steering?.begins();
    this.#problem = null;
    this.#given.costs.begins(turn);
    const task = initiator === 'agent' ? this.#given.endedTask() : null;
    recorder.addEnd('turn-started', { initiator, prompt, ...(task === null ? {} : { task }) }, turn.id);
    changed();
    return turn;
  }

  async #run(turn: Turn, prompt: Prompt): Promise<TurnEnd> {
    try {
      this.#isInLine = true;
      this.#slot = await this.#given.dependencies.slots.take(turn.signal);
      this.#isInLine = false;
      this.#given.changed();
      return endOf(turn, await promptTurn(this.#given, turn, prompt));
    } catch (error) {
      if (turn.isStopped) return stopped(turn, null);
      // Its agent may be gone without a word; the next message asks for the session anew.
      if (!saysRefused(error)) void this.#given.loader.unload();
      const exit = error instanceof ProcessGone ? error.exit : null;
      return { state: 'failed', stopReason: null, problem: problemOf(error, this.#title, exit), usage: null };
    } finally {
      this.#isInLine = false;
      this.#slot?.give();
      this.#slot = null;
    }
  }

  /** A turn that waits for a person doesn't block others. */
  questionsChanged(): void {
    this.#slot?.rest(this.#given.questions.open.size > 0);
  }

  /**
   * In this order, so that the agent begins no request of its own after it: the words that it has not read come back,
   * it is told to stop, and what it asks is denied.
   */
  async stop(why: Error): Promise<void> {
    const { kept, questions, changed } = this.#given;
    const turn = this.#turn;
    if (kept.isKept) this.queue.pause();
    if (turn !== null && questions.open.size > 0 && this.#steering?.hasUnread) await this.#steering.stops();
    if (turn === null || turn !== this.#turn) return questions.denyAll();
    turn.stop(why);
    questions.denyAll();
    changed();
    if (turn.initiator === 'agent') await this.#stopOwn(turn);
    await turn.ended;
  }

  /** A turn that the agent began by itself has no answer of its own: it ends with the agent's word, or its process. */
  async #stopOwn(turn: Turn): Promise<void> {
    await this.#given.loader.live?.cancel().catch(() => undefined);
    await this.#endOwn(turn, stopped(turn, null));
  }

  lost(exit: AgentExit): void {
    const turn = this.#turn;
    if (turn?.initiator !== 'agent') return;
    const problem = problemOf(null, this.#title, exit);
    void this.#endOwn(turn, { state: 'interrupted', stopReason: null, problem, usage: null });
  }

  #end(turn: Turn, end: TurnEnd): void {
    if (this.#turn !== turn) return;
    const { dependencies, recorder, questions, changed } = this.#given;
    questions.denyAll();
    this.#turn = null;
    const problem = end.problem === null ? null : explainedEnd(this.#given, turn.id, end.problem, this.#title);
    this.#problem = problem;
    const { state, stopReason } = end;
    try {
      writeEnd(this.#given, turn, { state, stopReason, problem });
    } catch (error) {
      // It is told all the same; at the next start it counts as interrupted.
      dependencies.log.write('error', 'turn-not-written', { error: error instanceof Error ? error.name : 'unknown' });
    }
    const lastMessage = turn.lastMessageId;
    recorder.addEnd('turn-ended', { state, stopReason, problem, usage: end.usage, lastMessage }, turn.id);
    recorder.trim();
    turn.end(end);
    noteMoreRequests(this.#given, turn);
    changed();
  }

  update(update: SessionUpdate, child: string | null): void {
    if (this.#turn === null && child === null && beginsTurn.has(update.sessionUpdate)) {
      this.#begin('agent', undefined, null);
    }
    if (child === null) this.#turn?.shows(update);
    if (child === null && beginsTurn.has(update.sessionUpdate)) this.#waits(null);
    this.#given.recorder.add('update', { child, update }, this.#turn?.id ?? null);
    this.#watchOwn();
    // One comes with each end of the agent's work.
    if (update.sessionUpdate === 'usage_update' && update.cost != null && child === null) this.#ownEnded();
  }

  fact(fact: AgentFact): void {
    const turn = this.#turn;
    if (fact.kind === 'message' && turn !== null) {
      for (const messageId of turn.completes(fact)) this.#given.recorder.add('void', { messageId }, turn.id);
    } else if (fact.kind === 'prompt' && turn !== null) {
      turn.promptIds.push(fact.promptId);
      void this.#steering?.reads(fact.promptId);
    } else if (fact.kind === 'retry') {
      this.#waits({ at: this.#given.dependencies.clock.now() + fact.delayMs, status: fact.status });
    } else if (fact.kind === 'prompt-dropped') this.#steering?.drops(fact.promptId);
    else if (fact.kind === 'working' && !fact.isWorking) this.#ownEnded();
  }

  #ownEnded(): void {
    const turn = this.#turn;
    if (turn?.initiator !== 'agent' || this.#steering?.isOver) return;
    void this.#endOwn(turn, { state: 'done', stopReason: 'end_turn', problem: null, usage: null });
  }

  /** Ends at once, unless steered words wait to be read. */
  async #endOwn(turn: Turn, end: TurnEnd): Promise<void> {
    if (end.state !== 'done' || this.#steering?.hasUnread) await this.#keepUnread(end);
    this.#end(turn, end);
    this.pump();
  }

  /** Some agents don't report the end of their own work, and may send its last words after the end of a turn. */
  #watchOwn(): void {
    this.#quiet?.stop();
    const isOwn = this.#turn?.initiator === 'agent';
    const { clock } = this.#given.dependencies;
    this.#quiet = isOwn ? new Countdown(clock, quietMs, () => this.#ownEnded()) : null;
  }

  get #title(): string {
    return this.#given.dependencies.process(this.#given.kept.agent).description.title;
  }
}

/** Limits how many turns run at once; others wait in line, longest first. */
export class Slots {
  readonly #most: () => number;
  readonly #changed: () => void;
  readonly #line: { go: () => void }[] = [];
  #taken = 0;

  constructor(most: () => number, changed: () => void) {
    this.#most = most;
    this.#changed = changed;
  }

  /** Rejects with the signal's reason when aborted; it waits no longer. */
  async take(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    if (this.#taken >= this.#most()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const place = { go: resolve };
      this.#line.push(place);
      this.#changed();
      try {
        await unlessAborted(promise, signal);
      } catch (error) {
        const at = this.#line.indexOf(place);
        // It had its turn in the moment of the abort: the next one gets it.
        if (at === -1) this.#give();
        else this.#line.splice(at, 1);
        this.#changed();
        throw error;
      }
    } else this.#taken += 1;
    let state: 'runs' | 'rests' | 'given' = 'runs';
    const becomes = (next: typeof state): void => {
      if (state === 'given' || state === next) return;
      const [had, has] = [state === 'runs', next === 'runs'];
      state = next;
      if (had && !has) this.#give();
      else if (has) this.#taken += 1;
    };
    return { rest: (isResting) => becomes(isResting ? 'rests' : 'runs'), give: () => becomes('given') };
  }

  /** The setting was changed. */
  look(): void {
    while (this.#taken < this.#most()) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#taken += 1;
      next.go();
    }
  }

  #give(): void {
    this.#taken -= 1;
    this.look();
    this.#changed();
  }
}

/** Work that is done one piece after the other, in the order in which it was asked for. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Nothing is under way, and nothing waits. */
  get isAtRest(): boolean {
    return this.#count === 0;
  }

  run<Made>(work: () => Promise<Made>): Promise<Made> {
    this.#count += 1;
    const made = this.#last.then(work).finally(() => {
      this.#count -= 1;
    });
    this.#last = made.catch(() => undefined);
    return made;
  }

  /** Resolves when what was asked for until now is done. Never rejects. */
  async done(): Promise<void> {
    await this.#last;
  }
}
