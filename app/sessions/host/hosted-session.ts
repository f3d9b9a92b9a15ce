import { randomUUID } from 'node:crypto';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { QueuedMessage, Session, TurnCost } from '../../api/sessions.ts';
import type { AgentExit } from '../agents/agent.ts';
import { EditedFiles } from '../edits/edited-files.ts';
import { SessionEdits } from '../edits/session-edits.ts';
import { AgentSide } from './agent-side.ts';
import { type Choices, Control, type StartedWith } from './control.ts';
import { CreditLimit } from './credit-limit.ts';
import { FirstMessages } from './first-messages.ts';
import { copyAt } from './fork-point.ts';
import type { HostParts } from './host-parts.ts';
import { IdleTimer } from './idle-timer.ts';
import { KeptSession, type SessionBeginning } from './kept-session.ts';
import { leanPrompt } from './lean-prompt.ts';
import type { LiveSession } from './live-session.ts';
import { Loader } from './loader.ts';
import { type Prompt, titleOf } from './prompt.ts';
import { Recorder } from './recorder.ts';
import { cancelled, SessionError } from './session-error.ts';
import { SessionFronts } from './session-fronts.ts';
import { SessionModes } from './session-modes.ts';
import { type Answer, SessionQuestions } from './session-questions.ts';
import { Surroundings } from './surroundings.ts';
import { TurnCosts } from './turn-costs.ts';
import { Turns } from './turns.ts';
import { untoldTo } from './untold.ts';

const nanoPerCredit = 1e9;
/** Claude Code and Codex both have it. */
const compacting = '/compact';

/**
 * One session of an agent: provisional until its first message, then on disk. Messages wait in a queue and run one turn
 * at a time; `stop` and `dispose` pass the queue.
 */
export class HostedSession {
  readonly id: string;
  readonly questions: SessionQuestions;
  readonly kept: KeptSession;
  readonly edits: SessionEdits;
  readonly files: EditedFiles;
  readonly turns: Turns;
  readonly costs: TurnCosts;
  readonly surroundings: Surroundings;
  /** Where what its agent says of it goes. */
  readonly agentSide: AgentSide;
  readonly #parts: HostParts;
  readonly #control: Control;
  readonly #modes: SessionModes;
  readonly #loader: Loader;
  readonly #recorder: Recorder;
  readonly #idle: IdleTimer;
  readonly #first: FirstMessages;
  readonly #fronts = new SessionFronts();
  /** Aborted when a person stops what is under way; then there is a new one. */
  #stopping = new AbortController();
  #isDisposed = false;

  /** @param before the end of what had its conversation open in this host before; null: nothing had */
  constructor(beginning: SessionBeginning, parts: HostParts, before: Promise<void> | null = null) {
    this.id = beginning.id;
    this.#parts = parts;
    const changed = (): void => this.changed();
    this.#modes = new SessionModes(parts.process(beginning.agent).description);
    this.kept = new KeptSession(beginning, parts.store, this.#modes);
    this.#control = new Control(this.kept.choices, this.#modes);
    this.#recorder = new Recorder(this.id, parts);
    this.questions = new SessionQuestions(this.id, {
      ...{ store: parts.store, recorder: this.#recorder, changed },
      mayOffer: (optionId) => parts.reader(beginning.agent).mayOffer(optionId),
    });
    this.surroundings = new Surroundings({
      ...{ kept: this.kept, parts, live: () => this.live, wanted: () => this.#control.wanted },
    });
    const roots = (): string[] => [this.kept.cwd, ...this.#control.wanted.directories];
    this.files = new EditedFiles({ sessionId: this.id, store: parts.store, roots });
    this.edits = new SessionEdits({
      ...{ sessionId: this.id, store: parts.store, roots },
      changed: (edit, turnId) => this.#recorder.add('edit', edit, turnId),
    });
    this.costs = new TurnCosts({
      ...{ sessionId: this.id, store: parts.store, current: () => this.turns.current },
      changed: (turnId, cost) => this.#costs(turnId, cost),
    });
    this.#loader = new Loader(
      this.id,
      parts,
      () => this.agentSide,
      () => ({ ...this.kept.startFacts(), choices: this.#control.wanted, ...this.#atStart() }),
      () => this.#copyFirst(),
      (live, given) => this.#started(live, given),
      before,
    );
    this.#first = new FirstMessages({
      ...{ changed, stopped: () => this.#stopping.signal, begun: () => this.turns.pump() },
      load: () => this.#loader.load(),
      unload: () => this.#loader.unload(),
      keep: (live, messages) => this.kept.begin(live.id, this.#control.wanted, messages),
    });
    this.#idle = new IdleTimer(parts, {
      // What runs in the background would end with its process.
      unload: async () => {
        if (this.surroundings.tasks.length === 0) await this.unload();
      },
      isLoaded: () => !this.#isDisposed && this.#loader.live !== null,
    });
    this.turns = new Turns({
      ...{ sessionId: this.id, parts, kept: this.kept, recorder: this.#recorder, changed, costs: this.costs },
      ...{ loader: this.#loader, control: this.#control, questions: this.questions },
      untold: (prompt) => untoldTo(prompt, this.edits),
      ended: () => {
        if (!this.#isDisposed) this.#idle.start();
      },
    });
    this.agentSide = new AgentSide({
      ...{ kept: this.kept, control: this.#control, turns: this.turns, questions: this.questions, edits: this.edits },
      ...{ recorder: this.#recorder, reader: parts.reader(beginning.agent), surroundings: this.surroundings, changed },
    });
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Has no process, and nothing under way that would start one. */
  get isUnloaded(): boolean {
    return this.#loader.live === null && !this.#loader.isLoading && this.turns.current === null;
  }

  /** It has a process that leads this session of the agent's, or one that still ends. */
  leads(agentSessionId: string): boolean {
    return (this.kept.agentSessionId ?? this.id) === agentSessionId && this.#loader.hasProcess;
  }

  /**
   * Sends a message, or queues it behind others. Resolves with the id of its turn when it is on disk. The same id again
   * is the same message. Rejects with a cancellation when the first message was stopped, and with what went wrong
   * where the session could not be begun: nothing of it is left then.
   */
  async send(prompt: Prompt, id: string = randomUUID()): Promise<{ turnId: string }> {
    this.#refuseDisposed();
    this.#idle.stop();
    if (this.kept.isKept) {
      this.turns.queue(id, prompt);
      // The same message again begins nothing that would end.
      if (this.turns.current === null) this.#idle.start();
    } else await this.#first.send(id, prompt);
    return { turnId: id };
  }

  /** Says it into the running turn at its next step; sends it where none runs. */
  async steer(prompt: Prompt, id: string = randomUUID()): Promise<{ turnId: string }> {
    this.#refuseDisposed();
    const joined = this.kept.isKept ? await this.turns.steer(id, prompt) : null;
    return joined === null ? this.send(prompt, id) : { turnId: joined };
  }

  /** Says a message that waits into the running turn instead. False: it is not in the queue any more. */
  async steerQueued(message: string): Promise<boolean> {
    const kept = this.turns.queued().find(({ id }) => id === message);
    if (kept === undefined || !this.turns.remove(message)) return false;
    try {
      await this.steer(kept.prompt, message);
      return true;
    } catch (error) {
      this.turns.keep([kept]);
      throw error;
    }
  }

  /** Has the agent sum up what was said, as a turn of its own. */
  async compact(): Promise<{ turnId: string }> {
    if (!this.kept.isKept && this.kept.agentSessionId === null) {
      throw new SessionError('not-possible', 'Nothing was said in this session yet.', 'Send a message first.');
    }
    return this.send([{ type: 'text', text: compacting }]);
  }

  #atStart() {
    return { title: this.#startTitle(), servers: this.#control.servers };
  }

  #startTitle(): string | null {
    const { first } = this.#first;
    return this.kept.title ?? (first === null ? null : titleOf(first));
  }

  /** A fork gets its own copy of the conversation when it starts for the first time. */
  async #copyFirst(): Promise<void> {
    const { forkOf, cwd, agent } = this.kept;
    if (forkOf === null) return;
    this.kept.copied(await copyAt(this.#parts.process(agent), forkOf, cwd));
  }

  async #started(live: LiveSession, given: StartedWith): Promise<void> {
    this.surroundings.started();
    const isApplied = await this.#control.started(live, given);
    if (!isApplied) this.#noteMode();
    this.#recorder.add('applied', this.#control.view(), this.turns.current?.id ?? null);
    this.changed();
  }

  #noteMode(): void {
    const { wanted, applied } = this.#control.view().mode;
    this.#recorder.add('note', { code: 'mode-refused', wanted, applied }, null);
  }

  /** Stops what is under way. Queued messages stay, and wait. Resolves when the turn has ended. */
  async stop(why: Error = cancelled('You stopped this turn.')): Promise<void> {
    this.#stopping.abort(why);
    this.#stopping = new AbortController();
    this.questions.denyAll();
    await this.turns.stop(why);
  }

  /** Lets go of the process; the next message starts one again. Not while a turn runs or a question is open. */
  async unload(): Promise<void> {
    if (this.turns.current !== null || this.#first.isBeginning || this.questions.count > 0) return;
    this.#idle.stop();
    const unloading = this.#loader.unload();
    this.#notLive();
    this.changed();
    await unloading;
    this.#parts.rested(this.kept.agent);
  }

  settingsChanged(): void {
    if (!this.#isDisposed && this.turns.current === null) this.#idle.start();
  }

  /** Ends it in this host. What is on disk stays. Idempotent; resolves when its process is gone. */
  async dispose(why: Error = cancelled('The session was closed.')): Promise<void> {
    const isFirst = !this.#isDisposed;
    this.#isDisposed = true;
    this.#idle.stop();
    const stopped = this.stop(why);
    const unloaded = this.#loader.unload();
    if (isFirst) this.#parts.tell({ kind: 'gone', sessionId: this.id });
    await Promise.all([stopped, unloaded]);
  }

  /** Changes what the session runs with. What its process can't change counts from the next message on. */
  async choose(choice: Partial<Choices>): Promise<void> {
    this.#modes.refuseNeverAsking(choice);
    await this.#choose(choice);
  }

  /** Nothing is asked any more, until the session or Jumpseat ends. */
  async neverAsk(): Promise<void> {
    await this.#choose({ mode: this.#modes.neverAsking() });
  }

  async #choose(choice: Partial<Choices>): Promise<void> {
    this.#refuseDisposed();
    try {
      await this.#control.choose(choice, this.#loader.live);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SessionError('not-possible', `The agent refused this choice: ${why}`, 'Choose another.', {
        cause: error,
      });
    } finally {
      this.kept.keepChoices(this.#control.wanted);
      if (this.kept.isKept) this.#recorder.add('applied', this.#control.view(), this.turns.current?.id ?? null);
      this.changed();
    }
  }

  /** A front has it open, and may bring servers along: they count instead of those from before, until it leaves. */
  openedBy(front: object, servers: readonly McpServer[] | null = null): void {
    this.#refuseDisposed();
    this.#fronts.open(front, servers);
    this.#control.servers = this.#fronts.servers;
  }

  leftBy(front: object): void {
    this.#fronts.leave(front);
    this.#control.servers = this.#fronts.servers;
  }

  isOpenElsewhere(front: object): boolean {
    return this.#fronts.hasOthers(front);
  }

  /** False: the question is no longer open. */
  async answer(questionId: string, answer: Answer): Promise<boolean> {
    const takesWords = this.#loader.live?.connection.extras.has('permission-words') === true;
    if (answer.answer === 'allow' && answer.input !== undefined && !takesWords) {
      throw new SessionError(
        'not-possible',
        'This agent takes no changed input.',
        'Deny it, and say what to do instead.',
      );
    }
    const turn = this.turns.current;
    if (!this.questions.answer(questionId, answer)) return false;
    if (turn !== null && answer.answer === 'deny' && answer.words !== undefined && takesWords) turn.said += 1;
    const { acceptEdits } = this.#parts.reader(this.kept.agent);
    if (answer.answer === 'allow' && answer.acceptEdits === true && acceptEdits !== null) {
      // The answer counts, whatever becomes of the mode.
      await this.choose({ mode: acceptEdits }).catch(() => {
        if (!this.#isDisposed) this.#noteMode();
      });
    }
    if (answer.answer === 'deny' && answer.words !== undefined && !takesWords) {
      await this.steer([{ type: 'text', text: answer.words }]);
    }
    return true;
  }

  #costs(turnId: string, cost: TurnCost): void {
    this.#recorder.add('cost', cost, turnId);
    const most = this.#parts.settings().creditsPerTurn;
    const turn = this.turns.current;
    if (most === null || turn?.id !== turnId || turn.isStopped || cost.nanoAiu < most * nanoPerCredit) return;
    void this.stop(new CreditLimit(most));
  }

  /** Its folder is elsewhere now. It goes on there with its next message: an agent finds a conversation by its id. */
  async move(cwd: string): Promise<void> {
    this.#refuseDisposed();
    const isAtWork = this.turns.current !== null || this.#first.isBeginning || this.questions.count > 0;
    if (isAtWork) throw new SessionError('turn-running', 'A turn is running in this session.', 'Stop it first.');
    await this.unload();
    this.#refuseDisposed();
    this.kept.move(cwd);
    this.changed();
  }

  /** Null as a title: as the agent names it. */
  decorate(decoration: { title?: string | null; pinned?: boolean }): void {
    this.#refuseDisposed();
    this.kept.decorate(decoration);
    this.changed();
  }

  /** A person looked at it. */
  saw(): void {
    this.kept.decorate({ seenAt: this.#parts.clock.now() });
    this.changed();
  }

  /** The agent's process ended. */
  lost(live: LiveSession, exit: AgentExit): void {
    if (this.#loader.live !== live) return;
    this.#loader.lost(live);
    this.#notLive();
    this.questions.denyAll();
    this.turns.lost(exit);
    this.changed();
  }

  #notLive(): void {
    this.#control.unloaded();
    this.surroundings.unloaded();
  }

  get live(): LiveSession | null {
    return this.#loader.live;
  }

  /** Tells the fronts how it is now. */
  changed(): void {
    if (!this.#isDisposed) this.#parts.tell({ kind: 'session', session: this.view() });
  }

  view(): Session {
    return {
      ...this.kept.view(),
      ...this.#control.view(),
      ...this.turns.view(),
      state: this.#state(),
      questions: this.questions.count,
      tasks: this.surroundings.tasks,
      queue: this.kept.isKept ? this.turns.queued().map(lean) : [],
      title: this.#startTitle(),
      cost: this.costs.total(),
    };
  }

  #state(): Session['state'] {
    const turn = this.turns.current;
    if (turn?.isStopped) return 'stopping';
    if (this.questions.count > 0) return 'waiting';
    if (this.#loader.isLoading) return 'starting';
    if (turn !== null) return this.turns.isInLine ? 'in-line' : 'running';
    if (this.#loader.live !== null) return 'idle';
    return this.kept.isKept ? 'unloaded' : 'provisional';
  }

  #refuseDisposed(): void {
    if (this.#isDisposed) throw cancelled('The session was closed.');
  }
}

function lean(message: QueuedMessage): QueuedMessage {
  return { ...message, prompt: leanPrompt(message.prompt) };
}
