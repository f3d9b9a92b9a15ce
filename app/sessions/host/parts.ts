import { randomUUID } from 'node:crypto';
import type { TurnCost } from '../../api/sessions.ts';
import type { AgentExit } from '../agents/agent.ts';
import { SessionCustomizations } from '../customizations/session-customizations.ts';
import { CommandChanges } from '../edits/command-changes.ts';
import { EditedFiles } from '../edits/edited-files.ts';
import { SessionEdits } from '../edits/session-edits.ts';
import { SessionQuestions } from '../questions/questions.ts';
import { copyAt } from '../running/agent-process.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import { IdleTimer, type LiveSession, Loader } from '../running/loader.ts';
import { Choosing, Control, SessionModes, type StartedWith } from '../session/choices.ts';
import { CreditLimit } from '../session/error.ts';
import { KeptSession, type SessionBeginning } from '../session/kept-session.ts';
import { FirstMessages } from '../session/messages.ts';
import { Recorder } from '../store/session-record.ts';
import { ContinueLater } from '../turns/continue-later.ts';
import { TurnCosts } from '../turns/costs.ts';
import { SideQuestions } from '../turns/side-questions.ts';
import { type OneAtATime, Turns } from '../turns/turns.ts';
import { AgentSide } from './agent-side.ts';
import { Surroundings } from './surroundings.ts';

const nanoPerCredit = 1e9;

/** What the parts of a session ask of it as a whole. */
export interface SessionLife {
  changed(): void;
  isDisposed(): boolean;
  /** Aborted when a person stops what is under way. */
  stopped(): AbortSignal;
  stop(why: Error): Promise<void>;
  past: OneAtATime;
  unload(): Promise<void>;
  /** The process that the agent has for this session alone ended by itself. */
  processEnded(exit: AgentExit): void;
}

/** The parts of one session, each with what it needs of the others. */
export class SessionParts {
  readonly kept: KeptSession;
  readonly control: Control;
  readonly recorder: Recorder;
  readonly questions: SessionQuestions;
  readonly surroundings: Surroundings;
  readonly customizations: SessionCustomizations;
  readonly files: EditedFiles;
  readonly edits: SessionEdits;
  readonly commands: CommandChanges;
  readonly costs: TurnCosts;
  readonly loader: Loader;
  readonly choosing: Choosing;
  readonly first: FirstMessages<LiveSession>;
  readonly idle: IdleTimer;
  readonly turns: Turns;
  readonly side: SideQuestions;
  readonly later: ContinueLater;
  readonly agentSide: AgentSide;
  readonly #host: SessionDependencies;
  readonly #life: SessionLife;

  /** @param before the end of what had its conversation open in this host before; null if nothing had */
  constructor(beginning: SessionBeginning, host: SessionDependencies, life: SessionLife, before: Promise<void> | null) {
    const { id } = beginning;
    this.#host = host;
    this.#life = life;
    const { changed, isDisposed, stopped, unload } = life;
    const modes = new SessionModes(host.process(beginning.agent).description);
    this.kept = new KeptSession(beginning, host.store, modes);
    this.control = new Control(this.kept.choices, modes);
    this.recorder = new Recorder(id, host);
    this.questions = new SessionQuestions(id, {
      ...{ store: host.store, recorder: this.recorder },
      changed: () => {
        this.turns.questionsChanged();
        changed();
      },
      reader: host.reader(beginning.agent),
    });
    this.surroundings = new Surroundings({
      ...{ kept: this.kept, dependencies: host, live: () => this.loader.live, wanted: () => this.control.wanted },
      isAdded: (plugin) => this.customizations.gave(plugin),
      isRestartDue: async () => (await this.customizations.reasonsToRestart()).length > 0,
      coming: () => this.customizations.coming(),
    });
    this.customizations = new SessionCustomizations({
      ...{ store: host.store, claudeFolder: host.claudeFolder, tell: (event) => isDisposed() || host.tell(event) },
      place: () => ({ id, cwd: this.kept.cwd, agent: host.process(beginning.agent).description }),
      note: (detail) => this.recorder.add('note', detail, this.turns.current?.id ?? null),
    });
    const roots = (): string[] => [this.kept.cwd, ...this.control.wanted.directories];
    this.files = new EditedFiles({ sessionId: id, store: host.store, roots });
    this.edits = new SessionEdits({
      ...{ sessionId: id, store: host.store, roots },
      changed: (edit, turnId) => this.recorder.add('edit', edit, turnId),
    });
    this.commands = new CommandChanges({
      ...{ edits: this.edits, folder: () => this.kept.cwd, git: host, log: host.log, clock: host.clock },
      isTrusted: (folder) => host.store.trusted.hasNow(folder),
    });
    this.costs = new TurnCosts({
      ...{ sessionId: id, store: host.store, current: () => this.turns.current },
      changed: (turnId, cost) => this.#spent(turnId, cost),
      began: () => this.turns.asks(),
    });
    this.loader = new Loader(
      beginning,
      host,
      {
        session: () => this.agentSide,
        facts: () => ({
          ...this.kept.startFacts(),
          choices: this.control.wanted,
          title: this.kept.title ?? this.first.title,
          servers: this.control.servers,
        }),
        prepare: () => this.copyFirst(),
        added: () => this.customizations.forStart(),
        notStarted: () => this.customizations.unloaded(),
        started: (live, given) => this.#started(live, given),
        unloaded: () => {
          this.control.unloaded();
          this.surroundings.unloaded();
          this.customizations.unloaded();
          changed();
        },
      },
      before,
    );
    this.first = new FirstMessages({
      clock: host.clock,
      ...{ changed, stopped, begun: () => this.turns.pump() },
      load: () => this.loader.load(),
      unload: () => this.loader.unload(),
      keep: (live, messages) => this.kept.begin(live.id, this.control.wanted, messages),
    });
    this.idle = new IdleTimer(host, {
      // What runs in the background would end with its process.
      unload: async () => {
        if (this.surroundings.tasks.length === 0) await unload();
      },
      isLoaded: () => !isDisposed() && this.loader.live !== null,
    });
    this.turns = new Turns({
      ...{ sessionId: id, dependencies: host, kept: this.kept, recorder: this.recorder, changed, costs: this.costs },
      ...{ loader: this.loader, control: this.control, questions: this.questions, past: life.past },
      customizations: this.customizations,
      edits: this.edits,
      endedTask: () => this.surroundings.takeEndedTask(),
      ended: () => {
        void this.commands.turnEnded();
        if (isDisposed()) return;
        this.idle.start();
        // It may have been unloaded by a turn that failed, which was not over then.
        if (this.loader.live === null) host.rested(beginning.agent);
      },
    });
    this.side = new SideQuestions({
      ...{ sessionId: id, dependencies: host, kept: this.kept, loader: this.loader, changed, isDisposed },
      isAtWork: () => this.turns.current !== null,
      began: () => this.idle.stop(),
      ended: () => {
        if (this.turns.current === null) this.idle.start();
        // It may be a process that could not be started.
        if (this.loader.live === null) host.rested(beginning.agent);
      },
    });
    this.later = new ContinueLater({
      ...{ clock: host.clock, changed },
      problem: () => this.turns.view().problem,
      standing: () => ({
        ...{ turn: this.turns.view(), wanted: this.control.wanted, cwd: this.kept.cwd },
        waits: this.kept.isKept && this.turns.queue.all().map(({ id: message }) => message),
      }),
      send: (prompt) => this.turns.send(randomUUID(), prompt),
    });
    this.choosing = new Choosing({
      ...{ kept: this.kept, control: this.control, modes, recorder: this.recorder, changed },
      ...{ live: () => this.loader.live, turnId: () => this.turns.current?.id ?? null },
    });
    this.agentSide = new AgentSide({
      ...{ kept: this.kept, control: this.control, turns: this.turns, questions: this.questions, edits: this.edits },
      ...{ recorder: this.recorder, reader: host.reader(beginning.agent), surroundings: this.surroundings, changed },
      ...{ commands: this.commands, customizations: this.customizations },
      ended: (exit) => life.processEnded(exit),
    });
  }

  /** A fork gets its own copy of the conversation when it starts for the first time. */
  async copyFirst(): Promise<void> {
    const { forkOf, cwd, agent } = this.kept;
    if (forkOf === null) return;
    this.kept.copied(await copyAt(this.#host.process(agent), forkOf, cwd));
  }

  async #started(live: LiveSession, given: StartedWith): Promise<void> {
    this.surroundings.started();
    this.customizations.started();
    await this.choosing.started(live, given);
  }

  #spent(turnId: string, cost: TurnCost): void {
    this.recorder.add('cost', cost, turnId);
    this.#life.changed();
    const most = this.#host.outside.settings.creditsPerTurn;
    const turn = this.turns.current;
    if (most === null || turn?.id !== turnId || turn.isStopped || cost.nanoAiu < most * nanoPerCredit) return;
    void this.#life.stop(new CreditLimit(most));
  }
}
