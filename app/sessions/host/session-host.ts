import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AppEvent, Emitter } from '../../api/events.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Session } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { Clock, Log } from '../../ports.ts';
import { isWithin } from '../../settings/files.ts';
import type { AgentConnection, AgentDescription, AgentExit, AgentName } from '../agents/agent.ts';
import { type AgentWithReader, HostAgents } from '../running/agent-process.ts';
import type { SessionDependencies, SessionSurroundings } from '../running/dependencies.ts';
import { type Choices, firstChoices, goOnWith, type NewSessionSettings, SessionModes } from '../session/choices.ts';
import { cancelled, SessionError } from '../session/error.ts';
import { beginningOf, choicesOf, noChoices, noOrigin } from '../session/kept-session.ts';
import { KeptVersions } from '../store/file-edits.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { SessionStore } from '../store/session-store.ts';
import { countLate } from '../turns/costs.ts';
import { countSideRow } from '../turns/side-questions.ts';
import { closeInterrupted } from '../turns/turn.ts';
import { Slots } from '../turns/turns.ts';
import { SessionRoutes } from './agent-side.ts';
import { goBack, keepCopy, type Rewind, undoGoBack, type WayForward } from './fork-and-rewind.ts';
import { HostedSession } from './hosted-session.ts';
import { forkPoint, PastTurns, type ReadPast } from './past-turns.ts';

export interface SessionHostDependencies extends SessionSurroundings {
  store: SessionStore;
  clock: Clock;
  log: Log;
  agents: readonly AgentWithReader[];
  /** A session that was made elsewhere: where it runs; null if there is none of that id. */
  foreign(id: string): Promise<ForeignSession | null>;
  past: ReadPast;
  /** Rows of the log that have ended, of these sessions since a time (ms). */
  rowsOf(sessionIds: readonly string[], since: number): readonly Exchange[];
}

interface ForeignSession {
  agent: AgentName;
  cwd: string;
  /** When it began, in ms since the epoch; null if unknown. */
  createdAt?: number | null;
  name?: string | null;
  /** What its last answer came from. */
  model?: string | null;
  effort?: string | null;
}

interface NewSession {
  /** Absolute. */
  cwd: string;
  agent?: AgentName;
  /** Chosen by who asks; the same again is the same session. */
  id?: string;
  title?: string | null;
  choices?: Partial<Choices>;
}

/** Time for the sessions to end at a shutdown, in ms, and then for their agents' processes. */
const endingMs = 5_000;

/** All sessions that this process hosts. Fronts listen here and store no state themselves. */
export class SessionHost {
  readonly #given: SessionHostDependencies;
  readonly versions: KeptVersions;
  readonly folders: FolderUsers;
  readonly #begun: BegunSessions;
  readonly #dependencies: SessionDependencies;
  readonly #agents: HostAgents;
  readonly #slots: Slots;
  readonly #sessions = new Map<string, HostedSession>();
  readonly #events = new Emitter<[AppEvent]>();
  readonly listen = this.#events.listen;
  #shutdown: Promise<void> | null = null;
  #hasTakenOver = false;

  constructor(given: SessionHostDependencies) {
    this.#given = given;
    this.versions = new KeptVersions(given);
    this.folders = new FolderUsers(() => this.#sessions.values());
    this.#begun = new BegunSessions({
      describe: ({ kept }) => this.describe(kept.agent),
      settings: () => given.outside.settings,
    });
    const routes = new SessionRoutes(given.log);
    this.#agents = new HostAgents(
      given.agents,
      (reader) => routes.handlers(reader),
      (connection, exit) => this.#ended(connection, exit),
    );
    this.#slots = new Slots(
      () => given.outside.settings.atOnce,
      () => this.#lineChanged(),
    );
    this.#dependencies = {
      ...given,
      routes,
      slots: this.#slots,
      process: (agent) => this.#agents.process(agent),
      reader: (agent) => this.#agents.reader(agent),
      tell: this.#events.tell,
      rested: (agent) => this.#rested(agent),
      refuseLeaving: (folder) => this.folders.refuseLeaving(folder),
    };
  }

  /**
   * What the process before this one left under way is closed, and old versions of files go; nothing where another
   * process owns the folder.
   */
  takeOver(): void {
    const { store, clock } = this.#given;
    if (this.#hasTakenOver || !store.mayWrite) return;
    this.#hasTakenOver = true;
    closeInterrupted(store, clock.now(), (sessionIds, since) => this.#given.rowsOf(sessionIds, since));
    store.customizations.sweep();
    this.versions.look();
  }

  /** A session that exists in memory alone until its first message. Starts nothing and writes nothing. */
  create({ cwd, agent = 'claude', id = randomUUID(), title = null, choices = {} }: NewSession): HostedSession {
    this.#refuseShutdown();
    const known = this.#held(id);
    if (known !== null) return known;
    if (!isAbsolute(cwd)) {
      throw new SessionError('folder-gone', t('A session needs the full path of its folder.'), t('Choose a folder.'));
    }
    const row = this.#given.store.sessions.find(id);
    if (row?.hosted) return this.#hold(beginningOf(row));
    new SessionModes(this.describe(agent)).refuseNeverAsking(choices);
    const chosen = { ...noChoices, ...choices };
    return this.#hold({ id, agent, cwd, title, choices: chosen, agentSessionId: null, ...noOrigin, row: null });
  }

  /** Like `create`, with the person's settings where nothing was chosen for it. */
  async begin(given: NewSession): Promise<HostedSession> {
    const { agent = 'claude', choices = {} } = given;
    const got = await firstChoices(this.describe(agent), this.#given.outside.settings, choices);
    const session = this.create({ ...given, choices: got });
    this.#begun.add(session, choices, got);
    return session;
  }

  /** A session by its id, also one that lies on disk or was made elsewhere. Starts nothing. */
  async session(id: string): Promise<HostedSession> {
    this.#refuseShutdown();
    const known = this.#held(id);
    if (known !== null) return known;
    const row = this.#given.store.sessions.find(id);
    if (row?.hosted && row.cwd !== null) return this.#hold(beginningOf(row));
    const foreign = await this.#given.foreign(id);
    this.#refuseShutdown();
    // Another call may have been faster.
    const meanwhile = this.#held(id);
    if (meanwhile !== null) return meanwhile;
    if (foreign === null)
      throw new SessionError('no-session', t('There is no such session.'), t('Choose another session.'));
    const { model, effort, ...named } = foreign;
    const last = { model: model ?? null, effort: effort ?? null };
    const chosen = row === null ? noChoices : choicesOf(row);
    const choices = await goOnWith(this.describe(foreign.agent), this.#given.outside.settings, chosen, last);
    this.#refuseShutdown();
    const faster = this.#held(id);
    if (faster !== null) return faster;
    const cwd = row?.cwd ?? foreign.cwd;
    return this.#hold({ ...named, cwd, id, choices, agentSessionId: id, title: null, ...noOrigin, row });
  }

  /** Sessions that this process holds, in their current state. */
  held(): Session[] {
    return [...this.#sessions.values()].filter(({ isDisposed }) => !isDisposed).map((session) => session.view());
  }

  /** A process of ours has the session open, or still ends; by the agent's own id of it. */
  leads(agentSessionId: string): boolean {
    return [...this.#sessions.values()].some((session) => session.leads(agentSessionId));
  }

  /** A terminal has opened it: our process knows nothing of what is said there, and goes unless it is at work. */
  openedInTerminal(agentSessionId: string): void {
    for (const session of this.#sessions.values()) if (session.leads(agentSessionId)) void session.unload();
  }

  /**
   * A new session with all up to a turn of another one; null: to its end. It is on disk, and starts nothing before its
   * first message.
   */
  async fork(id: string, turnId: string | null, newId: string = randomUUID()): Promise<HostedSession> {
    const source = await this.session(id);
    const known = this.#held(newId);
    if (known !== null) return known;
    const forkOf = forkPoint(await this.#past(source), turnId);
    this.#refuseShutdown();
    return (
      this.#held(newId) ?? this.#hold(beginningOf(keepCopy(this.#given.store, source.kept, newId, 'fork', { forkOf })))
    );
  }

  #past({ id, kept }: HostedSession): Promise<PastTurns> {
    const { agentSessionId, resumeAt } = kept;
    return PastTurns.of(this.#given.store, { id, agentSessionId, resumeAt }, (of) => this.#given.past(of));
  }

  /**
   * Cuts a session off before a turn; a copy of it as it is now stays in the list. `outside`: files outside of its
   * folders that a person agreed to have written.
   */
  async goBack(id: string, turnId: string, withFiles: boolean, outside: readonly string[] = []): Promise<Rewind> {
    const session = await this.session(id);
    const process = this.#agents.process(session.kept.agent);
    return session.past.run(() =>
      goBack(session, this.#given.store, { turnId, withFiles, outside, process, past: () => this.#past(session) }),
    );
  }

  /** Brings back what was cut off by going back, until the next message. */
  async undoGoBack(id: string): Promise<WayForward> {
    const session = await this.session(id);
    const { store, past } = this.#given;
    return session.past.run(() => undoGoBack(session, store, () => this.#past(session), past));
  }

  /** How many turns may run at once may be another number now, and when sessions are unloaded another time. */
  settingsChanged(): void {
    this.#slots.look();
    if (this.#hasTakenOver) this.versions.look();
    for (const session of this.#sessions.values()) session.settingsChanged();
    void this.#begun.settingsChanged();
  }

  /** What was added for a session or a folder, or what is trusted, may be something else now. */
  customizationsChanged(): void {
    for (const session of this.#sessions.values()) session.customizations.changed();
  }

  /** Sends what waited for a connection to Copilot, which may be back. */
  connectionChanged(): void {
    for (const { turns } of this.#awaiting()) turns.pump();
  }

  /** A message waits for the connection to Copilot. */
  isConnectionAwaited(): boolean {
    return this.#awaiting().length > 0;
  }

  /** A row of the log began, moved on or ended. Rows of sessions carry the session's id as their client. */
  exchangeChanged(exchange: Exchange): void {
    const session = this.#sessions.get(exchange.client);
    if (this.#hasTakenOver) this.versions.look();
    try {
      const ofSide = countSideRow(this.#given.store, exchange);
      if (ofSide?.isNew) session?.side.counted(exchange);
      if (ofSide !== null) return;
      if (session !== undefined) session.costs.seen(exchange);
      else countLate(this.#given.store, exchange);
    } catch (error) {
      // The request goes on, whether its cost can be written or not; the log has it.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  /** Lets a session go. What is on disk of it stays. */
  async dispose(id: string, why?: Error): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    // Rows of its log that end with it are still its own.
    await session.dispose(why);
    if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    this.#rested(session.kept.agent);
  }

  /** Ends everything, at once and within a deadline. Memoised. Afterwards the host can't be used. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#end();
    return this.#shutdown;
  }

  async #end(): Promise<void> {
    const why = new SessionError('closed', t('Jumpseat was closed.'), t('Send it again to go on.'));
    const ended = Promise.all([...this.#sessions.values()].map((session) => session.dispose(why)));
    await within(endingMs, this.#given.clock, ended);
    // Ends what did not obey, and what had already ended its sessions.
    await within(endingMs, this.#given.clock, this.#agents.stop());
    this.#sessions.clear();
    this.#events.clear();
  }

  #awaiting(): HostedSession[] {
    return [...this.#sessions.values()].filter(({ isDisposed, turns }) => !isDisposed && turns.awaitsConnection);
  }

  #held(id: string): HostedSession | null {
    const session = this.#sessions.get(id);
    return session === undefined || session.isDisposed ? null : session;
  }

  #hold(beginning: ConstructorParameters<typeof HostedSession>[0]): HostedSession {
    // One of the same id that was disposed of may still be ending its process.
    const before = this.#sessions.get(beginning.id)?.dispose() ?? null;
    const session = new HostedSession(beginning, this.#dependencies, before);
    this.#sessions.set(beginning.id, session);
    // Every front shows those that are held, also one that another front has just made.
    session.changed();
    return session;
  }

  /** What an agent of this host is. Throws where it has none of that name. */
  describe(agent: AgentName): AgentDescription {
    return this.#agents.process(agent).description;
  }

  #ended(connection: AgentConnection, exit: AgentExit): void {
    const { code, signal } = exit;
    this.#given.log.write('info', 'agent-ended', { pid: connection.pid, code, signal });
    for (const session of this.#sessions.values()) {
      const { live } = session;
      if (live?.connection === connection) session.lost(live, exit);
    }
  }

  /** An agent without a session that runs in it is ended; the next one starts it again. */
  #rested(agent: AgentName): void {
    const isAtRest = [...this.#sessions.values()].every(({ kept, isUnloaded }) => kept.agent !== agent || isUnloaded);
    if (isAtRest) void this.#agents.process(agent).stop();
  }

  #lineChanged(): void {
    for (const session of this.#sessions.values()) if (session.turns.isInLine) session.changed();
  }

  #refuseShutdown(): void {
    if (this.#shutdown !== null) throw cancelled(t('Jumpseat is closing.'));
  }
}

/** Resolves with `work`, or after so many ms. Rejects where `work` does so before. */
async function within(ms: number, clock: Pick<Clock, 'sleep'>, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
}

interface Begun {
  session: HostedSession;
  /** What was chosen for it when it was begun. */
  chosen: Partial<Choices>;
  /** What it got. */
  got: Partial<Choices>;
}

/** Sessions in which nothing was said yet: they follow the settings of new ones, unless a person chose for them. */
class BegunSessions {
  readonly #describe: (session: HostedSession) => Pick<AgentDescription, 'name' | 'models'>;
  readonly #settings: () => NewSessionSettings;
  #begun: Begun[] = [];
  #last: NewSessionSettings;

  constructor(given: {
    describe(session: HostedSession): Pick<AgentDescription, 'name' | 'models'>;
    settings(): NewSessionSettings;
  }) {
    this.#describe = (session) => given.describe(session);
    this.#settings = () => newest(given.settings());
    this.#last = this.#settings();
  }

  add(session: HostedSession, chosen: Partial<Choices>, got: Partial<Choices>): void {
    this.#begun = [
      ...this.#begun.filter((one) => isUntouched(one) && one.session !== session),
      { session, chosen, got },
    ];
  }

  async settingsChanged(): Promise<void> {
    const now = this.#settings();
    if (isDeepStrictEqual(now, this.#last)) return;
    this.#last = now;
    for (const begun of this.#begun.filter(isUntouched)) {
      const got = await firstChoices(this.#describe(begun.session), now, begun.chosen);
      // A person may have chosen, or sent something, meanwhile.
      if (!isUntouched(begun)) continue;
      begun.got = got;
      await begun.session.choose(got);
    }
  }
}

const newest = ({ mode, model, effort }: NewSessionSettings): NewSessionSettings => ({ mode, model, effort });

function isUntouched({ session, got }: Begun): boolean {
  const { mode = null, model = null, effort = null } = got;
  if (session.isDisposed || session.view().state !== 'provisional') return false;
  const { choices } = session.kept;
  return choices.mode === mode && choices.model === model && choices.effort === effort;
}

const resting: ReadonlySet<string> = new Set(['provisional', 'idle', 'unloaded']);

/** Which sessions use a folder, and folders that are being removed, in which none starts. */
class FolderUsers {
  readonly #sessions: () => Iterable<HostedSession>;
  readonly #leaving = new Set<string>();

  constructor(sessions: () => Iterable<HostedSession>) {
    this.#sessions = sessions;
  }

  /** Those that work in a folder or below it now, or have it as an additional one. @param folder real path */
  async workingIn(folder: string): Promise<HostedSession[]> {
    return (await this.#in(folder)).filter((session) => {
      const { state, tasks } = session.view();
      return !resting.has(state) || tasks.length > 0;
    });
  }

  /** Nothing starts in a folder while it is removed, and what rests there is unloaded first. */
  async leave<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
    this.#leaving.add(folder);
    try {
      for (const session of await this.#in(folder)) {
        const { state, tasks } = session.view();
        if (state === 'idle' && tasks.length === 0) await session.unload();
      }
      return await work();
    } finally {
      this.#leaving.delete(folder);
    }
  }

  /** Rejects for a folder that is being removed. */
  async refuseLeaving(folder: string): Promise<void> {
    const path = await realOrSame(folder);
    if (![...this.#leaving].some((leaving) => isWithin(path, leaving))) return;
    throw new SessionError('folder-gone', t('{folder} is being removed.', { folder }), t('Choose another folder.'));
  }

  async #in(folder: string): Promise<HostedSession[]> {
    const found: HostedSession[] = [];
    for (const session of [...this.#sessions()]) {
      const { cwd, choices } = session.kept;
      const paths = await Promise.all([cwd, ...choices.directories].map(realOrSame));
      if (!session.isDisposed && paths.some((path) => isWithin(path, folder))) found.push(session);
    }
    return found;
  }
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
