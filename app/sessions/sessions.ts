import type { AnswersTo, App } from '../api/app.ts';
import type { customizationCalls } from '../api/calls/customizations.ts';
import type { sessionCalls, sessionSurroundingCalls, sideQuestionCalls, templateCalls } from '../api/calls/sessions.ts';
import type { worktreeCalls } from '../api/calls/worktrees.ts';
import type { AppEvent } from '../api/events.ts';
import type { AgentSource, AgentSources } from '../api/sessions.ts';
import { t } from '../language/translate.ts';
import { sweepLeftOvers } from './agents/agent-processes.ts';
import { settingsFolder, sweepSettings } from './agents/claude/session-settings.ts';
import { customizationAnswers } from './customizations/customization-answers.ts';
import {
  type SessionAnswersDependencies,
  sessionAnswers,
  sideQuestionAnswers,
  surroundingAnswers,
} from './host/answers.ts';
import type { SessionHost } from './host/session-host.ts';
import type { AgentEvent, SessionsDependencies } from './make-host.ts';
import type { HostEvent } from './session/recorder.ts';
import type { ListChange } from './session-list-watch.ts';
import { templateAnswers } from './templates.ts';
import { SetUpCommands } from './worktrees/set-up-command.ts';
import { worktreeAnswers } from './worktrees/worktree-answers.ts';

/** What sessions of Claude Code run with, or why they can't. */
interface ClaudeProgram {
  found:
    | { available: true; version: string; from: AgentSource }
    | { available: false; reason: string; remedy: string; isChosen: boolean };
  sources: AgentSources | null;
}

/** The sessions of this process: its agents and their host, made when they are asked for first. */
export class Sessions {
  readonly #given: SessionsDependencies;
  readonly answers: AnswersTo<typeof sessionCalls> &
    AnswersTo<typeof sessionSurroundingCalls> &
    AnswersTo<typeof sideQuestionCalls> &
    AnswersTo<typeof templateCalls> &
    AnswersTo<typeof customizationCalls> &
    AnswersTo<typeof worktreeCalls> &
    Pick<App, 'pathInSession' | 'chooseAgentFile'>;
  #made: SessionAnswersDependencies | null = null;
  #making: Promise<SessionAnswersDependencies> | null = null;
  readonly #setUps: SetUpCommands;
  #isClosed = false;
  #isOwner = false;
  /** Source of Claude Code that fronts know. */
  #choice: string | null = null;

  constructor(given: SessionsDependencies) {
    this.#given = given;
    this.#choice = given.claudeChoice?.() ?? null;
    this.#setUps = new SetUpCommands(given);
    const around = { files: given.files, setUps: this.#setUps, environment: given.environment };
    const made = (): Promise<SessionAnswersDependencies> => this.#make();
    this.answers = {
      ...sessionAnswers(made),
      ...surroundingAnswers(made, given),
      ...sideQuestionAnswers(made),
      ...templateAnswers({
        claudeFolder: given.files.claudeFolder,
        folderOf: async (id) => (await (await made()).host.session(id)).kept.cwd,
        isTrusted: async (folder) => (await made()).store.trusted.hasNow(folder),
      }),
      ...customizationAnswers(async () => {
        const { host, store } = await made();
        const { claudeFolder } = given.files;
        return { store, claudeFolder, session: (id) => host.session(id), changed: () => host.customizationsChanged() };
      }),
      ...worktreeAnswers(async () => ({ ...around, host: (await made()).host })),
      // Every window asks at its start: no host is made to say that it holds none.
      heldSessions: async () => (this.#making === null ? [] : (await made()).host.held()),
    };
  }

  async host(): Promise<SessionHost> {
    return (await this.#make()).host;
  }

  /** The folder is this process's from now on: what a process before this one left under way is closed. */
  takeOver(): void {
    void sweepLeftOvers(this.#given.clock).catch(() => undefined);
    void sweepSettings(settingsFolder(this.#given.paths.home)).catch(() => undefined);
    this.#isOwner = true;
    this.#made?.host.takeOver();
    this.#tidy();
  }

  settingsChanged(): void {
    this.#made?.host.settingsChanged();
    const choice = this.#given.claudeChoice?.() ?? null;
    if (choice !== this.#choice) this.#made?.states.changed('claude');
    this.#choice = choice;
  }

  /** The connection to Copilot may be lost, or there again. */
  connectionChanged(): void {
    this.#made?.host.connectionChanged();
  }

  /** A message waits for the connection to Copilot. */
  isConnectionAwaited(): boolean {
    return this.#made?.host.isConnectionAwaited() === true;
  }

  /** A process of ours has the session open, or still ends; by the agent's own id of it. */
  leads(agentSessionId: string): boolean {
    return this.#made?.host.leads(agentSessionId) === true;
  }

  /** A terminal has opened a session, by the agent's own id of it. */
  openedInTerminal(agentSessionId: string): void {
    this.#made?.host.openedInTerminal(agentSessionId);
  }

  /** How many are held, by what they do. */
  states(): Map<string, number> {
    const states = new Map<string, number>();
    for (const { state } of this.#made?.host.held() ?? []) states.set(state, (states.get(state) ?? 0) + 1);
    return states;
  }

  /** The Claude Code that sessions use. Creates no host. */
  async claudeProgram(): Promise<ClaudeProgram> {
    const made = this.#made?.agents ?? this.#given.agents;
    const agents = made ?? Object.values((await import('./agents/agents.ts')).createAgents(this.#given));
    const claude = agents.find(({ name }) => name === 'claude');
    if (claude === undefined) {
      return {
        found: {
          available: false,
          reason: t('This Jumpseat has no Claude Code.'),
          remedy: t('Update it.'),
          isChosen: false,
        },
        sources: null,
      };
    }
    const [found, sources = null] = await Promise.all([claude.availability(), claude.sources?.()]);
    const isChosen = sources !== null && (sources.chosen !== null || sources.wasLed);
    return { found: found.available ? found : { ...found, isChosen }, sources };
  }

  /** Ends all sessions and the processes of their agents, within a deadline. What is on disk stays. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#made?.states.close();
    await Promise.all([this.#setUps.close(), this.#made?.host.shutdown()]);
  }

  /** What an earlier Jumpseat fetched and nothing uses any more goes. */
  #tidy(): void {
    for (const { tidy } of this.#made?.agents ?? []) void tidy?.().catch(() => undefined);
  }

  /** The protocol's library is loaded with the first call: no start of Jumpseat waits for it. */
  #make(): Promise<SessionAnswersDependencies> {
    if (this.#isClosed) return Promise.reject(new Error('The sessions were closed.'));
    this.#making ??= import('./make-host.ts')
      .then(({ makeHost }) => {
        if (this.#isClosed) throw new Error('The sessions were closed.');
        const made = makeHost({ ...this.#given, ownsPackages: () => this.#isOwner });
        this.#made = made;
        this.#given.onExchange?.((exchange) => made.host.exchangeChanged(exchange));
        this.#tidy();
        return this.#made;
      })
      .catch((error: unknown) => {
        // A disk that was full, say: the next call tries again.
        this.#making = null;
        throw error;
      });
    return this.#making;
  }
}

/** The event for fronts about sessions and their agents. */
export function toAppEvent(event: HostEvent | AgentEvent): AppEvent {
  switch (event.kind) {
    case 'agent':
      return { event: 'agent', agent: event.agent };
    case 'session':
      return { event: 'session', session: event.session };
    case 'event':
      return { event: 'session-event', entry: event.event };
    case 'side':
      return { event: 'session-side-questions', session: event.sessionId, questions: event.questions };
    case 'customizations':
      return { event: 'session-customizations', session: event.sessionId, now: event.now };
    case 'gone':
      return { event: 'session-gone', id: event.sessionId };
    case 'deleted':
      return { event: 'session-unlisted', id: event.sessionId };
  }
}

/** The event for fronts about the list of sessions. */
export function toListEvent(change: ListChange): AppEvent {
  return 'gone' in change
    ? { event: 'session-unlisted', id: change.gone }
    : { event: 'session-listed', session: change.session };
}

/** Sessions that wait for a person's answer. */
export class WaitingSessions {
  readonly #ids = new Set<string>();

  get count(): number {
    return this.#ids.size;
  }

  /** Returns whether it is another number now. */
  hear(event: HostEvent): boolean {
    if (event.kind === 'event' || event.kind === 'side' || event.kind === 'customizations') return false;
    const before = this.#ids.size;
    if (event.kind === 'session' && event.session.state === 'waiting') this.#ids.add(event.session.id);
    else this.#ids.delete(event.kind === 'session' ? event.session.id : event.sessionId);
    return this.#ids.size !== before;
  }
}
