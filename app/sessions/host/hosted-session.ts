import { randomUUID } from 'node:crypto';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import { sumOfCosts } from '../../api/figures.ts';
import type { Session } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { titleOfCopy } from '../../words/sessions.ts';
import type { AgentExit } from '../agents/agent.ts';
import type { SessionCustomizations } from '../customizations/session-customizations.ts';
import type { EditedFiles } from '../edits/edited-files.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { Answer, SessionQuestions } from '../questions/questions.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession } from '../running/loader.ts';
import type { Choices } from '../session/choices.ts';
import { cancelled, SessionError } from '../session/error.ts';
import type { KeptSession, SessionBeginning } from '../session/kept-session.ts';
import { leanMessage, type Prompt } from '../session/messages.ts';
import type { TurnCosts } from '../turns/costs.ts';
import type { SideQuestions } from '../turns/side-questions.ts';
import { OneAtATime, type Turns } from '../turns/turns.ts';
import type { AgentSide } from './agent-side.ts';
import { type SessionLife, SessionParts } from './parts.ts';
import type { Surroundings } from './surroundings.ts';

/** Claude Code and Codex both have it. */
const compacting = '/compact';

/**
 * One session of an agent: provisional until its first message, then on disk. Messages wait in a queue and run one turn
 * at a time; `stop` and `dispose` pass the queue.
 */
export class HostedSession {
  readonly id: string;
  /** Aborted when a person stops what is under way; then there is a new one. */
  #stopping = new AbortController();
  #isDisposed = false;

  readonly questions: SessionQuestions;
  readonly kept: KeptSession;
  readonly edits: SessionEdits;
  readonly files: EditedFiles;
  readonly turns: Turns;
  readonly side: SideQuestions;
  readonly costs: TurnCosts;
  readonly surroundings: Surroundings;
  readonly customizations: SessionCustomizations;
  /** Whatever changes its turns, files or folder after the fact, one at a time. No turn begins meanwhile. */
  readonly past = new OneAtATime();
  /** Where what its agent says of it goes. */
  readonly agentSide: AgentSide;
  readonly #host: SessionDependencies;
  readonly #parts: SessionParts;
  readonly #fronts = new SessionFronts();

  /** @param before the end of what had its conversation open in this host before; null if nothing had */
  constructor(beginning: SessionBeginning, host: SessionDependencies, before: Promise<void> | null = null) {
    this.id = beginning.id;
    this.#host = host;
    const life: SessionLife = {
      changed: () => this.changed(),
      isDisposed: () => this.#isDisposed,
      stopped: () => this.#stopping.signal,
      stop: (why) => this.stop(why),
      past: this.past,
      unload: () => this.unload(),
      processEnded: (exit) => this.#processEnded(exit),
    };
    const parts = new SessionParts(beginning, host, life, before);
    this.#parts = parts;
    this.questions = parts.questions;
    this.kept = parts.kept;
    this.edits = parts.edits;
    this.files = parts.files;
    this.turns = parts.turns;
    this.side = parts.side;
    this.costs = parts.costs;
    this.surroundings = parts.surroundings;
    this.customizations = parts.customizations;
    this.agentSide = parts.agentSide;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Has no process, and nothing under way that would start one. */
  get isUnloaded(): boolean {
    return this.#parts.loader.live === null && !this.#parts.loader.isLoading && this.turns.current === null;
  }

  /** True if it has a process that runs this session of the agent's, or one that still ends. */
  leads(agentSessionId: string): boolean {
    return (this.kept.agentSessionId ?? this.id) === agentSessionId && this.#parts.loader.hasProcess;
  }

  /**
   * Sends a message, or queues it behind others. Resolves with the id of its turn when it is on disk. The same id again
   * is the same message. Rejects with a cancellation when the first message was stopped, and with what went wrong
   * where the session could not be begun: nothing of it is left then.
   */
  async send(prompt: Prompt, id: string = randomUUID()): Promise<{ turnId: string }> {
    this.#refuseDisposed();
    this.#parts.idle.stop();
    if (this.kept.isKept) {
      this.turns.send(id, prompt);
      // The same message again begins nothing that would end.
      if (this.turns.current === null) this.#parts.idle.start();
    } else await this.#parts.first.send(id, prompt);
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
    this.#refuseDisposed();
    return this.kept.isKept && (await this.turns.steerQueued(message));
  }

  /** Goes on once by itself when the limit that its last turn ended at is over. */
  continueLater(): void {
    this.#refuseDisposed();
    this.#parts.later.start();
  }

  dontContinue(): void {
    this.#parts.later.stop();
  }

  /** Has the agent sum up what was said, as a turn of its own. */
  async compact(): Promise<{ turnId: string }> {
    if (!this.kept.isKept && this.kept.agentSessionId === null) {
      throw new SessionError('not-possible', t('This session has no messages yet.'), t('Send a message first.'));
    }
    return this.send([{ type: 'text', text: compacting }]);
  }

  /** Stops what is under way. Queued messages stay, and wait. Resolves when the turn has ended. */
  async stop(why: Error = cancelled(t('You stopped this turn.'))): Promise<void> {
    this.#stopping.abort(why);
    this.#stopping = new AbortController();
    await this.turns.stop(why);
  }

  /** Lets go of the process; the next message starts one again. Not while a turn runs or a question is open. */
  async unload(): Promise<void> {
    if (this.#isAtWork) return;
    this.#parts.idle.stop();
    await this.#parts.loader.unload();
  }

  get #isAtWork(): boolean {
    const { turns, first, questions, side } = this.#parts;
    return turns.current !== null || first.isBeginning || questions.open.size > 0 || side.isRunning;
  }

  settingsChanged(): void {
    if (!this.#isDisposed && this.turns.current === null) this.#parts.idle.start();
  }

  /** Ends it in this host. What is on disk stays. Idempotent; resolves when its process is gone. */
  async dispose(why: Error = cancelled(t('The session was closed.'))): Promise<void> {
    const isFirst = !this.#isDisposed;
    this.#isDisposed = true;
    this.#parts.idle.stop();
    this.#parts.later.stop();
    this.side.dispose(why);
    const stopped = this.stop(why);
    const unloaded = this.#parts.loader.unload();
    if (isFirst) this.#host.tell({ event: 'session-gone', id: this.id });
    await Promise.all([stopped, unloaded]);
  }

  /** Changes what the session runs with. What its process can't change counts from the next message on. */
  async choose(choice: Partial<Choices>): Promise<void> {
    this.#refuseDisposed();
    await this.#parts.choosing.choose(choice);
  }

  /** Nothing is asked any more, until the session or Jumpseat ends. */
  async neverAsk(): Promise<void> {
    this.#refuseDisposed();
    await this.#parts.choosing.neverAsk();
  }

  /** A front has it open, and may bring servers along: they count instead of those from before, until it leaves. */
  openedBy(front: object, servers: readonly McpServer[] | null = null): void {
    this.#refuseDisposed();
    this.#fronts.open(front, servers);
    this.#parts.control.servers = this.#fronts.servers;
  }

  leftBy(front: object): void {
    this.#fronts.leave(front);
    this.#parts.control.servers = this.#fronts.servers;
  }

  isOpenElsewhere(front: object): boolean {
    return this.#fronts.hasOthers(front);
  }

  /** False: the question is no longer open. */
  answer(questionId: string, answer: Answer): Promise<boolean> {
    const { acceptEdits, modeAfter } = this.#host.reader(this.kept.agent);
    return answerQuestion(this, questionId, answer, {
      ...{ acceptEdits, modeAfter },
      keepMode: (mode) => this.#parts.choosing.keepMode(mode),
      refused: () => this.#parts.choosing.noteMode(),
    });
  }

  /** Its folder is elsewhere now. It goes on there with its next message: an agent finds a conversation by its id. */
  move(cwd: string): Promise<void> {
    return this.past.run(async () => {
      this.#refuseDisposed();
      if (this.#isAtWork)
        throw new SessionError('turn-running', 'A turn is running in this session.', 'Stop it first.');
      await this.unload();
      this.#refuseDisposed();
      this.kept.move(cwd);
      this.changed();
    });
  }

  /** A fork has a conversation of its own from now on. */
  copyFirst(): Promise<void> {
    return this.#parts.copyFirst();
  }

  /** Null as a title: as the agent names it. */
  decorate(decoration: { title?: string | null; pinned?: boolean }): void {
    this.#refuseDisposed();
    this.kept.decorate(decoration);
    this.changed();
  }

  /** Null: as the agent names it. A copy stays known as one. */
  rename(given: string | null): void {
    const isCopy = this.kept.view().parent !== null;
    this.decorate({ title: given === null ? null : titleOfCopy(given, this.kept.title, isCopy) });
  }

  /** A person looked at it. */
  saw(): void {
    this.kept.decorate({ seenAt: this.#host.clock.now() });
    this.changed();
  }

  /** A person is done with how its last turn failed. */
  dismissFailure(): void {
    const now = this.#host.clock.now();
    this.kept.decorate({ seenAt: now, dismissedAt: now });
    this.changed();
  }

  /** The agent's process ended. */
  lost(live: LiveSession, exit: AgentExit): void {
    if (this.#parts.loader.live !== live) return;
    this.#parts.loader.lost(live);
    this.#noOneAsks(exit);
  }

  /** A turn of a person's fails by itself with it; what the agent began, or asked, ends here. */
  #processEnded(exit: AgentExit): void {
    if (this.turns.current?.initiator === 'user') return;
    void this.#parts.loader.unload();
    this.#noOneAsks(exit);
  }

  #noOneAsks(exit: AgentExit): void {
    this.questions.denyAll();
    this.turns.lost(exit);
    this.changed();
  }

  get live(): LiveSession | null {
    return this.#parts.loader.live;
  }

  /** Tells the fronts how it is now. */
  changed(): void {
    if (!this.#isDisposed) this.#host.tell({ event: 'session', session: this.view() });
  }

  view(): Session {
    const { first, later, control } = this.#parts;
    const { kept, side, turns } = this;
    const state = this.#state();
    const { restartsFor } = control;
    const beginsWith = kept.isKept ? null : first.first;
    const continuesAt = later.plan === null ? null : later.at;
    const cost = this.costs.total();
    return {
      ...kept.view(),
      ...control.view(state === 'idle'),
      ...turns.view(),
      state,
      ...(state === 'starting' && restartsFor.length > 0 ? { restartsFor: [...restartsFor] } : undefined),
      questions: this.questions.open.size,
      tasks: this.surroundings.tasks,
      queue: kept.isKept ? turns.queue.all().map(leanMessage) : [],
      ...(beginsWith === null ? {} : { beginsWith: leanMessage(beginsWith) }),
      ...(continuesAt === null ? {} : { continuesAt }),
      title: kept.title ?? (kept.isKept ? null : first.title),
      ...(side.isUnused ? { cost } : { ...side.sum(), cost: sumOfCosts(cost, side.total()) }),
    };
  }

  /** How it is now, in one word. */
  #state(): Session['state'] {
    const { loader, first } = this.#parts;
    const turn = this.turns.current;
    if (turn?.isStopped) return 'stopping';
    if (this.questions.open.size > 0) return 'waiting';
    const { isKept } = this.kept;
    if (loader.isLoading || (!isKept && first.isBeginning)) return 'starting';
    if (turn !== null) return this.turns.isInLine ? 'in-line' : 'running';
    if (loader.live !== null) return 'idle';
    return isKept ? 'unloaded' : 'provisional';
  }

  #refuseDisposed(): void {
    if (this.#isDisposed) throw cancelled(t('The session was closed.'));
  }
}

/** Fronts that have a session open, and the servers they bring along: in memory alone, these may hold secrets. */
class SessionFronts {
  readonly #servers = new Map<object, readonly McpServer[] | null>();

  /** @param servers null if it says nothing of any */
  open(front: object, servers: readonly McpServer[] | null): void {
    const known = this.#servers.get(front);
    this.#servers.delete(front);
    this.#servers.set(front, servers ?? known ?? null);
  }

  leave(front: object): void {
    this.#servers.delete(front);
  }

  /** Servers of the front that named its own last. */
  get servers(): readonly McpServer[] {
    return [...this.#servers.values()].findLast((servers) => servers !== null) ?? [];
  }

  /** Whether another front than this one has it open. */
  hasOthers(front: object): boolean {
    return [...this.#servers.keys()].some((one) => one !== front);
  }
}

/** The session that asks. */
interface Asking {
  readonly live: LiveSession | null;
  readonly turns: Turns;
  readonly questions: SessionQuestions;
  readonly isDisposed: boolean;
  choose(choice: Partial<Choices>): Promise<void>;
}

/** What an answer may bring about beside itself. */
interface Answering {
  /** The mode in which edits are accepted; null if the agent has none. */
  acceptEdits: string | null;
  /** The mode that the agent switches to with this option; null if it stays. */
  modeAfter(optionId: string): string | null;
  /** Stores the mode that the agent switches to. */
  keepMode(mode: string): void;
  /** Called when the mode was refused. */
  refused(): void;
}

/** Answers a question of a session, and does what the answer says beside. False: the question is no longer open. */
async function answerQuestion(
  session: Asking,
  questionId: string,
  answer: Answer,
  { acceptEdits, modeAfter, keepMode, refused }: Answering,
): Promise<boolean> {
  const takesWords = session.live?.connection.extras.has('permission-words') === true;
  if (answer.answer === 'allow' && answer.input !== undefined && !takesWords) {
    throw new SessionError(
      'not-possible',
      t('This agent accepts no changed input.'),
      t('Deny it, and say what to do instead.'),
    );
  }
  const turn = session.turns.current;
  if (answer.answer === 'deny' && answer.words !== undefined && !takesWords) {
    return denyAndSay(session, questionId, answer.words);
  }
  if (!session.questions.answer(questionId, answer)) return false;
  if (turn !== null && answer.answer === 'deny' && answer.words !== undefined) turn.said += 1;
  const taken = answer.answer === 'allow' && answer.optionId !== undefined ? modeAfter(answer.optionId) : null;
  if (taken !== null) keepMode(taken);
  if (answer.answer === 'allow' && answer.acceptEdits === true && acceptEdits !== null) {
    // The answer counts, whatever becomes of the mode.
    await session.choose({ mode: acceptEdits }).catch(() => {
      if (!session.isDisposed) refused();
    });
  }
  return true;
}

/** The words are on disk before the question is answered. What the agent doesn't take now is the next message. */
async function denyAndSay({ questions, turns }: Asking, questionId: string, words: string): Promise<boolean> {
  if (!questions.open.has(questionId)) return false;
  const id = randomUUID();
  turns.queue.putFirst(id, [{ type: 'text', text: words }]);
  questions.answer(questionId, { answer: 'deny' });
  // The answer counts, whatever becomes of the words: they wait in the queue.
  await turns.steerQueued(id).catch(() => undefined);
  return true;
}
