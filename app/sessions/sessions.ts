import type { AnswersTo, App } from '../api/app.ts';
import type { customizationCalls } from '../api/calls/customizations.ts';
import type { sessionCalls, sessionSurroundingCalls, sideQuestionCalls, templateCalls } from '../api/calls/sessions.ts';
import type { worktreeCalls } from '../api/calls/worktrees.ts';
import type { AppEvent, Listeners } from '../api/events.ts';
import type { AgentSource, AgentSources } from '../api/sessions.ts';
import { t } from '../language/translate.ts';
import { sweepLeftOvers } from './agents/agent-processes.ts';
import { settingsFolder, sweepSettings } from './agents/claude/session-settings.ts';
import { customizationAnswers } from './customizations/session-customizations.ts';
import {
  type SessionAnswersDependencies,
  sessionAnswers,
  sideQuestionAnswers,
  surroundingAnswers,
} from './host/answers.ts';
import type { SessionHost } from './host/session-host.ts';
import type { SessionsDependencies } from './make-host.ts';
import type { Outside } from './running/dependencies.ts';
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
  /** What the host goes by; null before there is one. */
  #outside: Outside | null = null;
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
    this.outsideChanged();
    this.#made?.host.settingsChanged();
    const choice = this.#given.claudeChoice?.() ?? null;
    if (choice !== this.#choice) this.#made?.states.changed('claude');
    this.#choice = choice;
  }

  /** The proxy may listen elsewhere, or no more. */
  outsideChanged(): void {
    if (this.#outside !== null) Object.assign(this.#outside, this.#given.outside());
  }

  /** The connection to Copilot may be lost, or there again. */
  connectionChanged(): void {
    this.outsideChanged();
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
        const outside = this.#given.outside();
        const made = makeHost({ ...this.#given, ownsPackages: () => this.#isOwner }, outside);
        this.#outside = outside;
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

/** The event for fronts about the list of sessions. */
export function toListEvent(change: ListChange): AppEvent {
  return 'gone' in change
    ? { event: 'session-unlisted', id: change.gone }
    : { event: 'session-listed', session: change.session };
}

/** Sessions that wait for a person's answer. Another number of them is another state of the app. */
export class WaitingSessions {
  readonly #ids = new Set<string>();

  constructor({ onSession, stateChanged }: { onSession: Listeners['onSession']; stateChanged(): void }) {
    onSession((event) => {
      const before = this.#ids.size;
      if (event.event === 'session-gone') this.#ids.delete(event.id);
      else if (event.session.state === 'waiting') this.#ids.add(event.session.id);
      else this.#ids.delete(event.session.id);
      if (this.#ids.size !== before) stateChanged();
    });
  }

  get count(): number {
    return this.#ids.size;
  }
}
